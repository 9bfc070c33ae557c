"""Facts across tournaments as a fold over the ``directory`` stream: who is who and who is where."""

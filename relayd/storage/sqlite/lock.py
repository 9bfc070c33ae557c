"""One process per file: a lock beside it that the kernel takes back when its holder dies."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from relayd.storage.log import LogUnavailable


class FileLock:
    """Holds ``<file>.lock``, in which the number of its process stands for people to read."""

    def __init__(self, path: Path) -> None:
        """Raises LogUnavailable, with the holder, if another process has it or there is no access."""
        self._path = path.with_name(path.name + ".lock")
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise LogUnavailable(f"{self._path}: {error.strerror}") from error
        self._take(path)

    def release(self) -> None:
        """Let others have it; the file stays, so that nobody locks one that is being removed."""
        os.close(self._file)

    def _take(self, path: Path) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(self._file, 20, 0).decode(errors="replace").strip()
            os.close(self._file)
            raise LogUnavailable(f"{path}: process {holder or 'unknown'} has it open") from error
        with suppress(OSError):  # a full disk: the lock holds all the same
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

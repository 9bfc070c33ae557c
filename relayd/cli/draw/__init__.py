"""Views of the daemon, drawn for people."""

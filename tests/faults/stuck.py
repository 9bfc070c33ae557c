"""The daemon, with an event loop that gets stuck at SIGUSR1: ``python -m tests.faults.stuck run …``."""

import signal
import threading

from relayd.__main__ import main


def get_stuck(_number: int, _frame: object) -> None:
    """Wait for what never comes, on the thread of the event loop."""
    threading.Event().wait()


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, get_stuck)
    main()

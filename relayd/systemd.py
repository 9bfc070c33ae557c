"""What a service of Type=notify tells its manager (sd_notify(3)); a stuck loop starves its watchdog."""

import asyncio
import socket
import time
from typing import Final

from relayd.observe.metrics import Metrics


class Notifier:
    """Speaks to the service manager; silent where there is none."""

    def __init__(self, address: str | None) -> None:
        self._address: Final = address

    def ready(self) -> None:
        """Say that the start is over."""
        self._send("READY=1")

    def reloading(self) -> None:
        """Say that settings are read anew; ``ready`` ends it."""
        self._send(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1_000}")

    def stopping(self) -> None:
        """Say that the end has begun."""
        self._send("STOPPING=1")

    def status(self, text: str) -> None:
        """Show *text* in ``systemctl status``."""
        self._send(f"STATUS={text.splitlines()[0] if text else ''}")

    def alive(self) -> None:
        """Feed the watchdog."""
        self._send("WATCHDOG=1")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
            out.settimeout(0)
            try:
                out.sendto(message.encode(), address)
            except OSError:  # a manager that does not listen is no reason to stop
                return


async def heartbeat(notifier: Notifier, metrics: Metrics, watchdog_usec: int | None) -> None:
    """Measure how late the loop wakes up and feed the watchdog, until cancelled (F28)."""
    every = 1.0 if watchdog_usec is None else min(1.0, watchdog_usec / 3e6)
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + every
        await asyncio.sleep(every)
        metrics.loop_lag.observe(max(0.0, loop.time() - due))
        notifier.alive()

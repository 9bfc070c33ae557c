"""Sending e-mail; without a mail server, links are shown to the operator in the log instead."""

import asyncio
import smtplib
import ssl
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Final, Literal, Protocol

import structlog

from relayd.errors import DependencyError

TIMEOUT_S: Final = 20.0
_log: Final = structlog.get_logger()


class MailUnavailable(DependencyError):
    """The mail server does not take a message now."""

    code = "mail_unavailable"


class Mailer(Protocol):
    """Sends a message."""

    @property
    def sends(self) -> bool:
        """Whether messages reach their readers by themselves."""
        ...

    async def send(self, to: str, subject: str, text: str) -> None:
        """Send a message. Raises MailUnavailable."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpMailer:
    """Sends over SMTP, one connection a message."""

    host: str
    port: int
    security: Literal["tls", "starttls", "none"]
    sender: str
    user: str | None = None
    password: str | None = None
    sends: bool = True

    async def send(self, to: str, subject: str, text: str) -> None:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self.sender, to, subject
        message.set_content(text)
        try:
            await asyncio.to_thread(self._send, message)
        except (OSError, smtplib.SMTPException) as error:
            raise MailUnavailable(f"{self.host}:{self.port}: {error}") from error

    def _send(self, message: EmailMessage) -> None:
        context = ssl.create_default_context()
        with (
            smtplib.SMTP_SSL(self.host, self.port, timeout=TIMEOUT_S, context=context)
            if self.security == "tls"
            else smtplib.SMTP(self.host, self.port, timeout=TIMEOUT_S) as server
        ):
            if self.security == "starttls":
                server.starttls(context=context)
            if self.user is not None and self.password is not None:
                server.login(self.user, self.password)
            server.send_message(message)


class LogMailer:
    """Shows the operator what would have been sent, so that he can pass the link on."""

    sends: Final = False

    async def send(self, to: str, subject: str, text: str) -> None:
        """Write the message as one line of the log."""
        _log.warning("mail_not_configured", to=to, subject=subject, text=text)

"""Signatures as Standard Webhooks has them (standardwebhooks.com): HMAC-SHA256 over id, time and body."""

import hmac
import secrets
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from ruleset.ids import SECOND_MS, Instant

PREFIX: Final = "whsec_"
BYTES: Final = 32


def new_secret() -> bytes:
    """Return a secret for one hook."""
    return secrets.token_bytes(BYTES)


def shown(secret: bytes) -> str:
    """Return a secret as its owner copies it."""
    return PREFIX + b64encode(secret).decode()


def headers(secret: bytes, message: str, at: Instant, body: bytes) -> Mapping[str, str]:
    """Return what proves that *body* is ours and of that moment; *message* names it for ever."""
    moment = str(at // SECOND_MS)
    signed = b".".join((message.encode(), moment.encode(), body))
    proof = b64encode(hmac.digest(secret, signed, sha256)).decode()
    return {"webhook-id": message, "webhook-timestamp": moment, "webhook-signature": f"v1,{proof}"}

"""Secrets that open something: made here, kept as digests, compared by looking the digest up (F22)."""

import secrets
from hashlib import sha256


def new_token() -> str:
    """Return 32 random bytes as text that fits into addresses and cookies."""
    return secrets.token_urlsafe(32)


def digest_of(token: str) -> bytes:
    """Return what is kept of a token; any text has a digest, so nothing a stranger sends is an error."""
    return sha256(token.encode("utf-8", "surrogatepass")).digest()

"""People who come to an evening without a screen."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from tests.house import deck
from tests.website import PASSWORD, Reader

Table = Mapping[str, Any]
"""As the admin calls show one."""


@dataclass(kw_only=True)
class Guest:
    """Somebody with an account."""

    reader: Reader
    number: int
    nickname: str

    @classmethod
    async def signed_in(cls, reader: Reader, nickname: str) -> Self:
        """Let a reader sign in whose account was made in a browser."""
        name = f"{nickname}@example.org"
        await reader.post("/signin", name=name, password=PASSWORD, back="/me")
        return cls(reader=reader, number=await _number(reader), nickname=nickname)

    @classmethod
    async def signed_up(cls, reader: Reader, nickname: str) -> Self:
        """Make an account."""
        return cls(reader=reader, number=await reader.sign_up(nickname), nickname=nickname)

    async def enter(self, tournament: int) -> None:
        """Register, hand a deck in, sign in."""
        await self.reader.do(tournament, "entry.register", player=self.number)
        await self.reader.post(f"/e/{tournament}/deck", deck=deck())
        await self.reader.do(tournament, "entry.sign_in", player=self.number)

    async def report(self, tournament: int, table: Table, score: str) -> None:
        """Say how the match ended, as a button of the table page does."""
        await self.reader.do(
            tournament, "table.report", table=table["table"], player=self.number, score=score
        )


async def _number(reader: Reader) -> int:
    found = re.search(r"P0*(\d+)", await reader.get("/me"))
    assert found is not None
    return int(found[1])

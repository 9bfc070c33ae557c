"""Following tournaments live: entries and views come as notifications ``live`` on the same connection."""

from typing import Annotated, Final

from pydantic import Field

from relayd.admin.methods import Methods
from relayd.admin.params import MOST, Params, TournamentNumber
from relayd.admin.parts import Call, Shown
from relayd.admin.roles import Role

METHODS: Final = Methods()


class Follow(Params):
    """What to follow; no tournament: all."""

    tournament: TournamentNumber | None = None
    after: Annotated[int, Field(ge=0, le=MOST)] | None = None
    """Begin behind this version; else from now on."""
    views: bool = False
    """Also the whole view after each change."""


class Unfollow(Params):
    """What ``live.follow`` returned."""

    following: int


@METHODS.add("live.follow", Role.VIEWER)
async def follow(call: Call, params: Follow) -> Shown:
    """Send every entry from now on, or from a version on, as notifications."""
    if call.number is not None:
        await call.state()  # an unknown tournament is refused
    following = call.parts.feed.follow(call.number, after=params.after, views=params.views)
    return {"following": call.line.attach(following)}


@METHODS.add("live.unfollow", Role.VIEWER)
async def unfollow(call: Call, params: Unfollow) -> Shown:
    """Send no more of that."""
    return {"ended": call.line.detach(params.following)}

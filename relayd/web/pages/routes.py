"""Every address of the site with its page."""

from collections.abc import Iterator

from relayd.web import api
from relayd.web.pages import (
    account,
    actions,
    challonge,
    deck,
    event,
    export,
    hall,
    home,
    hooks,
    host,
    host_audit,
    host_deck,
    host_rooms,
    host_round,
    host_staff,
    host_table,
    imports,
    onecode,
    people,
    publish,
    standings,
    table,
)
from relayd.web.site import Page
from relayd.web.stream import Streams

_E = r"/e/{number:[1-9]\d{0,15}}"
_NAME = r"{table:R[1-9]\d{0,3}T[1-9]\d{0,5}|P1T[1-9]\d{0,5}}"
"""Of a table: R3T4, or P1T1 in the cut play-off."""
_TABLE = _E + "/t/" + _NAME


def pages(streams: Streams) -> Iterator[tuple[str, str, Page]]:
    """Yield method, path and page; what stands first goes first."""
    yield from _public(streams)
    yield from _accounts()
    yield from _hosts()
    yield from _programs()
    yield ("GET", "/import/challonge", challonge.form)
    yield ("POST", "/import/challonge", challonge.take)
    yield ("GET", _E + "/import", imports.form)
    yield ("POST", _E + "/import", imports.take)
    yield ("GET", _E + "/import/{file}", imports.download)
    yield ("POST", _E + "/do/{method}", actions.do)
    yield ("GET", _E + "/deck", deck.show)
    yield ("POST", _E + "/deck", deck.hand_in)
    yield ("GET", _E + "/deck.ydk", deck.download)
    yield ("POST", _TABLE + "/claim", table.claim_report)
    yield ("POST", _TABLE + "/call", table.call_judge)
    yield ("POST", _TABLE + "/hand", onecode.at_table)


def _public(streams: Streams) -> Iterator[tuple[str, str, Page]]:
    shared = streams.pages.shared
    yield ("GET", "/", home.home)
    yield ("GET", "/lang/{language}", home.language)
    yield ("GET", _E, shared(event.overview))
    yield ("GET", _E + "/players", shared(event.players))
    yield ("GET", _E + "/r", shared(event.rounds))
    yield ("GET", _E + r"/r/{round:[1-9]\d{0,3}}", shared(event.rounds))
    yield ("GET", _E + "/standings", shared(standings.table))
    yield ("GET", _E + r"/standings/{player:[1-9]\d{0,15}}/why/{other:[1-9]\d{0,15}}", shared(standings.why))
    yield (
        "GET",
        _E + r"/standings/{player:[1-9]\d{0,15}}/{criterion:[a-z0-9_]+}",
        shared(standings.explanation),
    )
    yield ("GET", _E + "/teams", standings.teams)
    yield ("GET", _E + "/decks", event.decks)
    yield ("GET", _E + r"/decks/{player:[1-9]\d{0,15}}", event.one_deck)
    yield ("GET", _E + r"/decks/{player:[1-9]\d{0,15}}.ydk", event.one_deck_file)
    yield ("GET", _E + "/code", onecode.show)
    yield ("POST", _E + "/code", onecode.act)
    yield ("GET", _E + "/bracket", shared(event.bracket))
    yield ("GET", _E + "/results", shared(event.results))
    yield ("GET", _E + "/qr.svg", event.qr)
    yield ("GET", _E + "/stream", streams.serve)
    yield ("GET", _E + "/feed", streams.feed)
    yield ("GET", _E + "/export/{file}", export.download)
    yield ("GET", _TABLE, shared(table.show))
    yield ("GET", "/room", event.room)
    yield ("GET", "/room/{code}", event.room)
    yield ("GET", "/ladder", people.ladder)
    yield ("GET", r"/p/{player:[1-9]\d{0,15}}", people.profile)
    yield ("POST", "/preview", event.markdown)


def _accounts() -> Iterator[tuple[str, str, Page]]:
    yield ("GET", "/signin", account.sign_in_form)
    yield ("POST", "/signin", account.sign_in)
    yield ("GET", "/signup", account.sign_up_form)
    yield ("POST", "/signup", account.sign_up)
    yield ("POST", "/signout", account.sign_out)
    yield ("GET", "/me", account.own)
    yield ("POST", "/me/nickname", account.rename)
    yield ("POST", "/me/password", account.change_password)
    yield ("POST", "/me/avatar", account.set_avatar)
    yield ("POST", "/me/avatar/remove", account.drop_avatar)
    yield ("GET", "/avatar/{digest:[0-9a-f]{64}}.webp", account.avatar)
    yield ("POST", "/me/leave", account.leave)
    yield ("POST", "/me/tokens", account.make_token)
    yield ("POST", r"/me/tokens/{token:\d{1,15}}/end", account.revoke_token)
    yield ("POST", "/verify", account.send_verification)
    yield ("GET", "/verify/{token}", account.verify_form)
    yield ("POST", "/verify/{token}", account.verify)
    yield ("GET", "/forgot", account.forgot_form)
    yield ("POST", "/forgot", account.forgot)
    yield ("GET", "/reset/{token}", account.reset_form)
    yield ("POST", "/reset/{token}", account.reset)


def _hosts() -> Iterator[tuple[str, str, Page]]:
    yield ("GET", "/new", publish.form)
    yield ("POST", "/new", publish.publish)
    yield ("GET", _E + "/edit", publish.edit_form)
    yield ("POST", _E + "/edit", publish.edit)
    yield from _console()
    yield ("GET", _E + "/hooks", hooks.show)
    yield ("POST", _E + "/hooks", hooks.add)
    yield ("POST", _E + r"/hooks/{hook:\d{1,15}}/{action}", hooks.act)
    yield ("GET", "/hall/{token}", hall.show)


def _console() -> Iterator[tuple[str, str, Page]]:
    table = _E + "/host/t/" + _NAME
    yield ("GET", _E + "/host", host.console)
    yield ("GET", _E + "/host/live", host.live)
    yield ("GET", _E + "/host/audit", host_audit.trail)
    yield ("GET", _E + "/host/round", host_round.pairing)
    yield ("GET", _E + "/host/undo", host_round.undo)
    yield ("GET", table, host_table.table)
    yield ("GET", table + "/live", host_table.live)
    yield ("GET", table + "/preview", host_table.preview)
    yield ("GET", _E + r"/host/deck/{player:[1-9]\d{0,15}}", host_deck.deck)
    yield ("POST", _E + "/host/rooms", host_rooms.resume_all)
    yield ("POST", _E + "/host/links", host_staff.make_link)
    yield ("POST", _E + r"/host/links/{link:\d{1,15}}/end", host_staff.revoke_link)
    yield ("POST", _E + "/host/staff", host_staff.set_staff)
    yield ("POST", _E + r"/host/call/{call:\d{1,15}}", host_staff.answer_call)
    yield ("GET", "/judge/{token}", host_staff.judge)


def _programs() -> Iterator[tuple[str, str, Page]]:
    yield ("GET", "/api", api.help_page)
    yield ("GET", "/api/openapi.json", api.document)
    yield ("*", "/api/openapi.json", api.only("GET, HEAD"))
    yield ("GET", "/api/v1/{method}", api.look)
    yield ("POST", "/api/v1/{method}", api.change)
    yield ("*", "/api/v1/{method}", api.other_verb)
    yield ("*", "/api/{rest:.*}", api.nothing_here)

"""Publishing a tournament, and changing it until 12 hours before the start (R051-R056)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from zoneinfo import ZoneInfo

from aiohttp import web

from relayd.localtime import show_moment
from relayd.web import publishform as forms
from relayd.web.formfields import BY_NAME, ORDERABLE, PLACES
from relayd.web.outlook import Outlook, outlook
from relayd.web.parts import Caller, CallFailed
from relayd.web.problems import problem_lines
from relayd.web.publishform import FormPresets
from relayd.web.visit import Visit
from ruleset.errors import CommandRejected, RulesetError
from ruleset.ids import Instant, PlayerId, TournamentNo, player_label
from ruleset.standings.presets import PRESETS
from ruleset.standings.sentences import TITLES
from ruleset.tournament.publishing import EDITABLE_UNTIL_MS, editable
from ruleset.tournament.settings import Settings
from ruleset.tournament.soundness import LONGEST_NAME
from ruleset.tournament.state import BEFORE_START, Tournament

MOST_PRESETS: Final = 30
"""Of one host."""
JUDGES_MOST: Final = 40


async def form(visit: Visit) -> web.StreamResponse:
    """Show the form with sensible values in it."""
    visit.signed_in()
    presets = await _presets(visit)
    servers = {f"server_{server.id}": "1" for server in visit.parts.servers()}
    fields = forms.fresh(presets, visit.request.query.get("preset", forms.FIRST))
    return _page(visit, presets, {**fields, **servers, "time_zone": visit.parts.frontage.time_zone}, _Look())


async def publish(visit: Visit) -> web.StreamResponse:
    """Show what would come of it, publish, or keep what it counts by as the host's own preset."""
    visit.signed_in()
    given, presets = await visit.form(), await _presets(visit)
    if name := given.get("drop_preset"):
        return await _drop_preset(visit, name)
    if given.get("step") == "preset":
        return _page(visit, presets, forms.with_preset(given, presets), _Look())
    try:
        command = await visit.parts.publishing.check(forms.wishes_of(given, presets))
        judges = _judges(visit, given)
    except RulesetError as error:
        return _page(visit, presets, given, _Look(problems=_said(visit, error)))
    if given.get("step") == "publish":
        return await _publish(visit, presets, given, judges)
    if given.get("step") == "keep_preset":
        return await _keep_preset(visit, presets, given, command.settings)
    return _page(visit, presets, forms.settled(given, command.settings), _Look(settings=command.settings))


async def edit_form(visit: Visit) -> web.StreamResponse:
    """Show the form with what was published, or say until when it could be changed (R056)."""
    state = await visit.tournament()
    rights = await visit.require(state, "cohost")
    if (closed := _closed(visit, state)) is not None:
        return visit.page("not_editable.html", number=state.number, title=state.settings.title, why=closed)
    given = {**forms.form_of(state.settings), "teams": "\n".join(state.teams.values())}
    look = _Look(state=state, owner=rights.at_least("host"))
    return _page(visit, await _presets(visit), given, look)


async def edit(visit: Visit) -> web.StreamResponse:
    """Show what would come of the change, or change it."""
    state, given = await visit.tournament(), await visit.form()
    owner = (await visit.require(state, "cohost")).at_least("host")
    wishes, presets = forms.changes_of(given, owner=owner), await _presets(visit)
    look = _Look(state=state, owner=owner)
    given = {**forms.form_of(state.settings), **given}
    try:
        settings = await visit.parts.publishing.check_edit(state.number, wishes)
    except RulesetError as error:
        return _page(visit, presets, given, replace(look, problems=_said(visit, error)))
    if given.get("step") != "publish":
        return _page(visit, presets, given, replace(look, settings=settings))
    caller = await visit.caller(state.number)
    try:
        params = {"tournament": state.number, "settings": wishes}
        await visit.parts.calls(caller, "tournament.edit", params)
        await _change_teams(visit, caller, state, given)
    except CallFailed as error:
        return _page(visit, presets, given, replace(look, problems=_said(visit, error)))
    return visit.redirect(f"/e/{state.number}", visit.t("publish.edited"))


async def _publish(
    visit: Visit, presets: FormPresets, given: dict[str, str], judges: Sequence[PlayerId]
) -> web.StreamResponse:
    if visit.signed_in().verified_at is None and visit.parts.accounts.verify_email:
        return visit.redirect("/me", visit.t("account.verify_needed"), "warn")
    try:
        number = await _published(visit, given, forms.wishes_of(given, presets))
    except CallFailed as error:
        return _page(visit, presets, given, _Look(problems=_said(visit, error)))
    for judge in judges:
        await visit.parts.accounts.store.set_staff(number, judge, "judge")
    return visit.redirect(f"/e/{number}", visit.t("publish.done"))


async def _published(visit: Visit, given: Mapping[str, str], wishes: Mapping[str, Any]) -> TournamentNo:
    """Publish, and put the teams on the list; the same form again does neither twice (F08)."""
    player, once = visit.signed_in().player, given.get("command_id", "")[:48] or None
    owner = Caller(name=f"account:{player_label(player)}", role="host", player=player)
    params = {"settings": wishes, "organiser": player, "command_id": once}
    made = await visit.parts.calls(owner, "tournament.publish", params)
    number = TournamentNo(made["tournament"] if isinstance(made, dict) else 0)
    for n, name in enumerate(forms.teams_in(given)):
        team = {"tournament": number, "name": name, "command_id": once and f"{once}-team-{n}"}
        await visit.parts.calls(replace(owner, tournament=number), "team.add", team)
    return number


async def _change_teams(visit: Visit, caller: Caller, state: Tournament, given: Mapping[str, str]) -> None:
    """Put new names on the list of teams and take those off that are gone, if it was shown."""
    if "teams" not in given:
        return
    wanted, number = forms.teams_in(given), state.number
    for team, name in state.teams.items():
        if name not in wanted:
            await visit.parts.calls(caller, "team.remove", {"tournament": number, "team": team})
    for name in wanted:
        if name not in state.teams.values():
            await visit.parts.calls(caller, "team.add", {"tournament": number, "name": name})


async def _drop_preset(visit: Visit, name: str) -> web.StreamResponse:
    await visit.parts.accounts.store.drop_preset(visit.signed_in().player, name)
    return visit.redirect("/new", visit.t("publish.preset_dropped", name=name))


async def _keep_preset(
    visit: Visit, presets: FormPresets, given: dict[str, str], settings: Settings
) -> web.StreamResponse:
    """Keep the ranking of the form under a name, and go on with it."""
    player, name = visit.signed_in().player, given.get("preset_name", "").strip()
    if problem := _bad_name(visit, presets, name):
        return _page(visit, presets, given, _Look(problems=[problem]))
    await visit.parts.accounts.store.keep_preset(forms.preset_of(player, name, settings))
    kept = {**given, "preset": forms.OWN + name, "preset_name": ""}
    notice = visit.t("publish.preset_kept", name=name)
    return _page(visit, await _presets(visit), forms.settled(kept, settings), _Look(kept=notice))


def _bad_name(visit: Visit, presets: FormPresets, name: str) -> str:
    if not 0 < len(name) <= LONGEST_NAME or name in PRESETS:
        return visit.t("publish.bad_preset_name", n=LONGEST_NAME)
    if len(presets.own) >= MOST_PRESETS and name not in presets.own:
        return visit.t("publish.too_many_presets", n=MOST_PRESETS)
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """What stands above the form."""

    problems: Sequence[str] = ()
    kept: str = ""
    settings: Settings | None = None
    """Of the preview."""
    state: Tournament | None = None
    """What is edited."""
    owner: bool = True
    """Whether the reader is its organiser."""


def _page(visit: Visit, presets: FormPresets, given: dict[str, str], look: _Look) -> web.Response:
    problems, settings, state = look.problems, look.settings, look.state
    blank = dict.fromkeys(("command_id", "teams", "judges", "preset_name"), "")
    shown = {**forms.fresh(presets), **blank, **given}
    return visit.page(
        "publish.html",
        status=422 if problems else 200,
        f=shown,
        field=BY_NAME,
        problems=problems,
        kept=look.kept,
        owner=look.owner,
        outlook=None if settings is None else _outlook(visit, settings, given),
        criteria=_criteria(visit, () if settings is None else settings.scores.order),
        cut_criteria=_criteria(visit, () if settings is None else settings.scores.cut_order),
        orderable=[(key, TITLES[key][visit.language]) for key in ORDERABLE],
        places=range(1, PLACES + 1),
        number=0 if state is None else state.number,
        list_name="" if state is None or state.environment is None else state.environment.list_name,
        announced=() if state is None else _criteria(visit, state.settings.scores.order),
        changed=forms.changed_groups(shown, presets),
        environments=visit.parts.environments.keys,
        presets=[(key, visit.t(f"preset.{key}")) for key in PRESETS],
        own=[(forms.OWN + name, name) for name in presets.own],
        orders={key: _criteria(visit, preset.order) for key, preset in PRESETS.items()},
        servers=visit.parts.servers(),
    )


def _outlook(visit: Visit, settings: Settings, given: Mapping[str, str]) -> Outlook:
    return outlook(settings, visit.now, visit.language, len(forms.teams_in(given)))


def _criteria(visit: Visit, order: Sequence[str]) -> list[str]:
    return [TITLES[key][visit.language] for key in order]


def _judges(visit: Visit, given: Mapping[str, str]) -> list[PlayerId]:
    """Return who is to judge. Raises CommandRejected ``bad_settings`` with those whom nobody knows."""
    numbers = forms.people_in(given, "judges")[:JUDGES_MOST]
    for number in numbers:
        if not isinstance(number, int):
            raise CommandRejected("bad_settings", problems=(f"judges: {number} is no player number",))
        visit.parts.players.nickname(PlayerId(number))
    return [PlayerId(number) for number in numbers if isinstance(number, int)]


def _closed(visit: Visit, state: Tournament) -> str | None:
    """Return why nothing can be changed any more; ``None``: it can (R056)."""
    if state.phase not in BEFORE_START:
        return visit.t("publish.closed_started")
    try:
        editable(state, visit.now)
    except CommandRejected:
        start, zone = state.settings.start_at or Instant(0), ZoneInfo(state.settings.time_zone)
        return visit.t(
            "publish.closed_late", until=show_moment(Instant(start - EDITABLE_UNTIL_MS), zone)[:16]
        )
    return None


def _said(visit: Visit, error: RulesetError | CallFailed) -> Sequence[str]:
    fallback = error.sentence if isinstance(error, CallFailed) else ""
    return problem_lines(visit.language, error.code, error.data, fallback)


async def _presets(visit: Visit) -> FormPresets:
    return FormPresets(await visit.parts.accounts.store.presets(visit.signed_in().player))

"""Accounts: sign up, sign in, e-mail, password, nickname, leave (R004, R053)."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final
from urllib.parse import quote

from aiohttp import web

from relayd.accounts.avatars import MOST_BYTES, AvatarRefused
from relayd.accounts.mail import MailUnavailable
from relayd.accounts.service import SESSION_MS, AccountRefused, Letter
from relayd.accounts.tokens import digest_of, new_token
from relayd.storage.accounts import Account, ApiToken, Purpose, TokenScope
from relayd.web.security import local_path
from relayd.web.visit import SESSION, Visit
from relayd.web.words import refusal
from ruleset.errors import CommandRejected
from ruleset.ids import SECOND_MS, TournamentNo, player_label

_SCOPES: Final[Mapping[str, TokenScope]] = {"read": "read", "play": "play", "host": "host"}


async def sign_in_form(visit: Visit) -> web.StreamResponse:
    """Show where one signs in."""
    return _form(visit, "signin.html")


async def sign_in(visit: Visit) -> web.StreamResponse:
    """Sign in with e-mail or player number."""
    form = await _guarded(visit)
    try:
        account, token = await visit.parts.accounts.sign_in(form.get("name", ""), form.get("password", ""))
    except AccountRefused as error:
        return _form(visit, "signin.html", error.code, form)
    _keep(visit, token)
    return visit.redirect(visit.back(form, "/"), visit.t("account.hello", name=player_label(account.player)))


async def sign_up_form(visit: Visit) -> web.StreamResponse:
    """Show where one gets an account."""
    _refuse_closed(visit)
    return _form(visit, "signup.html")


async def sign_up(visit: Visit) -> web.StreamResponse:
    """Give an account with a player number, and sign in."""
    _refuse_closed(visit)
    form, accounts = await _guarded(visit), visit.parts.accounts
    notice = "account.welcome"
    try:
        account = await accounts.sign_up(
            form.get("email", ""), form.get("password", ""), form.get("nickname", ""), letter(visit)
        )
    except AccountRefused as error:
        return _form(visit, "signup.html", error.code, form)
    except CommandRejected as error:
        words = refusal(visit.language, error.code, error.data, error.code)
        return _form(visit, "signup.html", words, form)
    except MailUnavailable:
        found = await accounts.find(form.get("email", ""))
        if found is None:
            raise
        account, notice = found, "account.welcome_no_mail"
    _keep(visit, await accounts.open_session(account.player))
    waits = account.verified_at is None and notice == "account.welcome"
    key = "account.welcome_verify" if waits else notice
    return visit.redirect(visit.back(form, "/me"), visit.t(key, label=player_label(account.player)))


async def sign_out(visit: Visit) -> web.StreamResponse:
    """End the session."""
    if token := visit.request.cookies.get(SESSION):
        await visit.parts.accounts.sign_out(token)
    visit.cookie(SESSION, "", 0)
    return visit.redirect("/", visit.t("account.bye"))


async def own(visit: Visit) -> web.StreamResponse:
    """Show the reader his own account."""
    account = visit.signed_in()
    return await _own_page(visit, account)


async def rename(visit: Visit) -> web.StreamResponse:
    """Change the nickname; tournaments keep the one from entry."""
    account, form = visit.signed_in(), await visit.form()
    try:
        by = f"account:{player_label(account.player)}"
        await visit.parts.players.rename(account.player, form.get("nickname", ""), by=by)
    except CommandRejected as error:
        return visit.redirect("/me", refusal(visit.language, error.code, error.data, error.code), "bad")
    return visit.redirect("/me", visit.t("account.renamed"))


async def set_avatar(visit: Visit) -> web.StreamResponse:
    """Change the picture (R004)."""
    account = visit.signed_in()
    if wait := visit.parts.floods.secrets.take(f"avatar:{account.player}"):
        raise web.HTTPTooManyRequests(headers={"Retry-After": str(int(wait) + 1)})
    try:
        form = await visit.form(MOST_BYTES + 16 * 1024)
        await visit.parts.accounts.set_avatar(account.player, form.get("picture", "").encode("latin-1"))
    except web.HTTPRequestEntityTooLarge:
        return visit.redirect("/me", visit.t("account.avatar_too_large"), "bad")
    except UnicodeEncodeError:
        return visit.redirect("/me", visit.t("account.avatar_unreadable"), "bad")
    except AvatarRefused as error:
        return visit.redirect("/me", visit.t(f"account.{error.code}"), "bad")
    return visit.redirect("/me", visit.t("account.avatar_changed"))


async def drop_avatar(visit: Visit) -> web.StreamResponse:
    """Be without a picture again."""
    await visit.parts.accounts.store.drop_avatar(visit.signed_in().player)
    return visit.redirect("/me", visit.t("account.avatar_gone"))


async def avatar(visit: Visit) -> web.StreamResponse:
    """Serve a picture, which never changes under its name."""
    found = await visit.parts.accounts.store.avatar(visit.request.match_info["digest"])
    if found is None:
        raise web.HTTPNotFound
    response = web.Response(body=found.image, content_type="image/webp")
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


async def change_password(visit: Visit) -> web.StreamResponse:
    """Change the password; every other session ends."""
    account, form = visit.signed_in(), await _guarded(visit)
    try:
        await visit.parts.accounts.change_password(account, form.get("old", ""), form.get("new", ""))
    except AccountRefused as error:
        return visit.redirect("/me", visit.t(f"account.{error.code}"), "bad")
    _keep(visit, await visit.parts.accounts.open_session(account.player))
    return visit.redirect("/me", visit.t("account.password_changed"))


async def leave(visit: Visit) -> web.StreamResponse:
    """Delete the account: its number stays in old tournaments, nothing else."""
    account, form = visit.signed_in(), await _guarded(visit)
    try:
        name = visit.t("account.nobody")
        await visit.parts.accounts.anonymise(account, form.get("password", ""), name)
    except AccountRefused as error:
        return visit.redirect("/me", visit.t(f"account.{error.code}"), "bad")
    visit.cookie(SESSION, "", 0)
    return visit.redirect("/", visit.t("account.left"))


async def verify(visit: Visit) -> web.StreamResponse:
    """Take the link of a verification."""
    await _guarded(visit)
    player = await visit.parts.accounts.verify(visit.request.match_info["token"])
    if player is None:
        return visit.redirect("/me", visit.t("account.link_dead"), "bad")
    return visit.redirect("/me", visit.t("account.verified"))


async def verify_form(visit: Visit) -> web.StreamResponse:
    """Ask for a click: mail programs that open links by themselves use nothing up."""
    return visit.page("ticket.html", action=visit.request.path, purpose="verify", problem="")


async def send_verification(visit: Visit) -> web.StreamResponse:
    """Send the link again."""
    account = visit.signed_in()
    await _guarded(visit)
    return await _told(visit, lambda: visit.parts.accounts.send_ticket(account, "verify", letter(visit)))


async def forgot_form(visit: Visit) -> web.StreamResponse:
    """Show where one asks for a new password."""
    return _form(visit, "forgot.html")


async def forgot(visit: Visit) -> web.StreamResponse:
    """Send a link for a new password; the answer never says whether there is such an account."""
    form = await _guarded(visit)
    account = await visit.parts.accounts.find(form.get("name", ""))
    if account is None:
        return visit.redirect("/signin", visit.t("account.sent"))
    send = visit.parts.accounts.send_ticket
    return await _told(visit, lambda: send(account, "reset", letter(visit)), "/signin")


async def reset_form(visit: Visit) -> web.StreamResponse:
    """Show where the new password goes."""
    return visit.page("ticket.html", action=visit.request.path, purpose="reset", problem="")


async def reset(visit: Visit) -> web.StreamResponse:
    """Set the new password."""
    form = await _guarded(visit)
    try:
        player = await visit.parts.accounts.reset(visit.request.match_info["token"], form.get("password", ""))
    except AccountRefused as error:
        problem = visit.t(f"account.{error.code}")
        return visit.page(
            "ticket.html", status=422, action=visit.request.path, purpose="reset", problem=problem
        )
    if player is None:
        return visit.redirect("/forgot", visit.t("account.link_dead"), "bad")
    return visit.redirect("/signin", visit.t("account.password_changed"))


async def make_token(visit: Visit) -> web.StreamResponse:
    """Make a token for a program; it is shown this once."""
    account, form, token = visit.signed_in(), await visit.form(), new_token()
    store = visit.parts.accounts.store
    await store.make_token(
        ApiToken(
            id=0,
            digest=digest_of(token),
            player=account.player,
            label=form.get("label", "")[:60] or "token",
            scope=_SCOPES.get(form.get("scope", ""), "read"),
            created_at=visit.now,
            tournament=_tournament(form.get("tournament", "")),
        )
    )
    return await _own_page(visit, account, made=token)


async def revoke_token(visit: Visit) -> web.StreamResponse:
    """End a token."""
    account = visit.signed_in()
    await visit.parts.accounts.store.revoke_token(account.player, int(visit.request.match_info["token"]))
    return visit.redirect("/me", visit.t("account.token_ended"))


async def _own_page(visit: Visit, account: Account, made: str = "") -> web.Response:
    store = visit.parts.accounts.store
    return visit.page(
        "me.html",
        account=account,
        tokens=await store.tokens(account.player),
        faces=await store.avatars([account.player]),
        made=made,
    )


def letter(visit: Visit) -> Letter:
    """Return what writes the message that brings a link, in the reader's language."""

    def write(purpose: Purpose, token: str) -> tuple[str, str]:
        path = "verify" if purpose == "verify" else "reset"
        link = f"{visit.origin}/{path}/{quote(token)}"
        return visit.t(f"mail.{purpose}_subject"), visit.t(f"mail.{purpose}_text", link=link)

    return write


async def _told(visit: Visit, send: Callable[[], Awaitable[None]], path: str = "/me") -> web.Response:
    try:
        await send()
    except MailUnavailable:
        return visit.redirect(path, visit.t("account.mail_down"), "bad")
    return visit.redirect(path, visit.t("account.sent"))


async def _guarded(visit: Visit) -> dict[str, str]:
    """Read a form that a guess could use; by address and by the name that is tried (F27)."""
    form, secrets = await visit.form(), visit.parts.floods.secrets
    names = [visit.address, *([f"name:{form['name'][:100].casefold()}"] if form.get("name") else [])]
    if wait := max(secrets.take(name) for name in names):
        raise web.HTTPTooManyRequests(headers={"Retry-After": str(int(wait) + 1)})
    return form


def _form(visit: Visit, template: str, problem: str = "", form: dict[str, str] | None = None) -> web.Response:
    given = form or {}
    shown = {name: given.get(name, "") for name in ("name", "email", "nickname")}
    back = local_path(given.get("back") or visit.request.query.get("back"))
    words = visit.t(f"account.{problem}") if problem.isidentifier() and problem.isascii() else problem
    status = 422 if problem else 200
    return visit.page(template, status=status, problem=words, given=shown, back=back, sends=_sends(visit))


def _sends(visit: Visit) -> bool:
    return visit.parts.accounts.mailer.sends


def _tournament(text: str) -> TournamentNo | None:
    """Return the tournament that a form names; ``None``: all. Raises HTTPBadRequest."""
    if not (plain := text.strip()):
        return None
    if not (plain.isascii() and plain.isdecimal() and len(plain) < 16):
        raise web.HTTPBadRequest
    return TournamentNo(int(plain))


def _keep(visit: Visit, token: str) -> None:
    visit.cookie(SESSION, token, SESSION_MS // SECOND_MS)


def _refuse_closed(visit: Visit) -> None:
    if not visit.parts.frontage.sign_up:
        raise web.HTTPForbidden

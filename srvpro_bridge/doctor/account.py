"""The account in srvpro's admin_user.json that relayd looks and orders with (duel-server.md 1)."""

from collections.abc import Iterator, Mapping
from typing import Final

from srvpro_bridge.adminapi import Account
from srvpro_bridge.doctor.findings import USERS, Change, Finding, Wish
from srvpro_bridge.doctor.tree import Tree, at

NEEDED: Final[Mapping[str, str]] = {
    "get_rooms": "look at rooms",
    "start_death": "call death-three",
    "kick_user": "close rooms",
    "shout": "announce",
}
"""Permissions, and what relayd cannot do without."""
ROLE: Final = "judge"
"""srvpro's own set of permissions that has them all."""
SHIPPED: Final = ("root", "123456")


def examine_users(users: Tree, wish: Wish) -> Iterator[Finding]:
    """Yield what is wrong with the account, and whether the shipped one is open to everybody."""
    if wish.account is not None:
        what, lost = next(_faults(users, wish.account), ("", ()))
        if what:
            why = f"relayd cannot {', '.join(NEEDED[name] for name in lost)}"
            yield _finding(users, wish.account, what, why)
    name, password = SHIPPED
    root = at(users, ("users", name))
    if isinstance(root, Mapping) and root.get("enabled") and root.get("password") == password:
        yield Finding(
            weight="unwise",
            file=USERS,
            what=f"users.{name} is enabled with the password that srvpro ships",
            why="everybody knows it, and it may do everything",
        )


def permissions(users: Tree, name: str) -> frozenset[str]:
    """Return what the account *name* may do: its own words, or those of the set that it names."""
    held = at(users, ("users", name, "permissions"))
    if isinstance(held, str):
        held = at(users, ("permission_examples", held))
    return (
        frozenset(key for key, value in held.items() if value) if isinstance(held, Mapping) else frozenset()
    )


def _faults(users: Tree, account: Account) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what is wrong, and which permissions are lost by it."""
    user, everything = at(users, ("users", account.user)), tuple(NEEDED)
    if not isinstance(user, Mapping):
        yield f"there is no account {account.user}", everything
        return
    if not user.get("enabled"):
        yield f"users.{account.user}.enabled is not true", everything
    if user.get("password") != account.password:
        yield f"users.{account.user}.password is not that of api_password_file", everything
    missing = tuple(name for name in NEEDED if name not in permissions(users, account.user))
    if missing:
        yield f"users.{account.user}.permissions lack {', '.join(missing)}", missing


def _finding(users: Tree, account: Account, what: str, why: str) -> Finding:
    able = at(users, ("permission_examples", ROLE))
    role = isinstance(able, Mapping) and all(able.get(name) for name in NEEDED)
    mended = {
        "password": account.password,
        "enabled": True,
        "permissions": ROLE if role else dict.fromkeys(NEEDED, True),
    }
    change = Change(path=("users", account.user), value=mended, secret=True)
    return Finding(weight="wrong", file=USERS, what=what, why=why, change=change)

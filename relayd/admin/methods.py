"""The table of methods: name, right, values, handler, help. Transports and the help page read it."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, get_type_hints

from pydantic import TypeAdapter

from relayd.admin.params import Change, Params
from relayd.admin.parts import Call
from relayd.admin.roles import Role

P = TypeVar("P", bound=Params)


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """One of them."""

    name: str
    role: Role
    """The least that may call it."""
    own: bool
    """Whether a player may call it for himself."""
    params: type[Params]
    handler: Callable[[Call, Params], Awaitable[object]]
    help: str
    """One line."""
    answers: Any
    """The type of its answer; ``object`` where nothing is promised."""

    @property
    def changes(self) -> bool:
        """Whether it may change something."""
        return issubclass(self.params, Change)

    @property
    def answer_schema(self) -> dict[str, Any]:
        """What is promised of its answer, as JSON schema."""
        return {} if self.answers is object else TypeAdapter(self.answers).json_schema()


class Methods(Mapping[str, Method]):
    """Methods by name; ``add`` decorates a handler ``async (call, params) -> plain data``."""

    def __init__(self, *parts: "Methods") -> None:
        self._methods: dict[str, Method] = {}
        for part in parts:
            self._methods |= part

    def add(
        self, name: str, role: Role, *, own: bool = False
    ) -> Callable[[Callable[[Call, P], Awaitable[object]]], Callable[[Call, P], Awaitable[object]]]:
        """Enter the decorated handler; its docstring's first line is the help."""

        def enter(handler: Callable[[Call, P], Awaitable[object]]) -> Callable[[Call, P], Awaitable[object]]:
            hints = get_type_hints(handler, include_extras=True)
            self._methods[name] = Method(
                name=name,
                role=role,
                own=own,
                params=hints.get("params") or hints["_params"],
                handler=handler,  # type: ignore[arg-type]  # it is only called with its own params
                answers=hints["return"],
                help=(handler.__doc__ or "").strip().splitlines()[0],
            )
            return handler

        return enter

    def __getitem__(self, name: str) -> Method:
        return self._methods[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._methods)

    def __len__(self) -> int:
        return len(self._methods)

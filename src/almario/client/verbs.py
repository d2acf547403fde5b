"""The verbs of `Soul` on an agent that is elsewhere: each is looked up in the table, and its server asked."""

from functools import update_wrapper
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from almario import verb_table as verbs
from almario.client.calls import HttpCall
from almario.domain.records import plain, read
from almario.errors import ServerUnavailable
from almario.former_names import name_now

_STREAM = {"Accept": "text/event-stream"}


class ClientPart:
    """A soul that is elsewhere, or a part of one: what a verb of it asks, its face carries."""

    def __init__(self, face: Any, path: str = "") -> None:
        self._face = face
        self._path = path

    if not TYPE_CHECKING:  # a type checker knows each verb by `typed_faces.pyi`

        def __getattr__(self, name: str) -> Any:
            path = name if name.startswith("_") else f"{self._path}{name}"
            if path in verbs.parts():
                return ClientPart(self._face, f"{path}.")
            if path not in verbs.scopes():
                now = f"; it is called {name_now(path)!r} now" if name_now(path) else ""
                raise AttributeError(f"an agent that is elsewhere has no {path!r}{now}")
            verb = verbs.verb(path)
            if verb.is_fact:
                return self._ask(verb, {})

            def ask(*args: Any, **named: Any) -> Any:
                hear = named.pop("hear", None) if path == "talk" else None
                return self._ask(verb, verb.given(args, named), hear)

            return update_wrapper(ask, verb.method)

    def __dir__(self) -> list[str]:
        own = [name.removeprefix(self._path) for name in verbs.scopes() if name.startswith(self._path)]
        return sorted({*super().__dir__(), *(name.partition(".")[0] for name in own)})

    def _ask(self, verb: verbs.Verb, given: dict[str, Any], hear: Any = None) -> Any:
        is_stream = verb.name == "talk" or verb.name in verbs.LONG.values()
        call = HttpCall(
            f"/do/{verb.name}",
            {name: plain(value, str) for name, value in given.items()},
            headers=_STREAM if is_stream else {},
            hear=hear,
            key=uuid4().hex if verb.name in verbs.ONCE else "",
            is_safe=verb.scope == "read",
        )
        return self._face.run(
            call, lambda answer: read(verb.returns, _answer_in(answer) if is_stream else answer)
        )


def _answer_in(events: Any) -> Any:
    for name, value in events:
        if name == "answer":
            return value
    raise ServerUnavailable("the answer was cut off; what had arrived was kept")

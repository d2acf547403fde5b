"""What is asked of a server, apart from how it is carried."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from almario.domain.messages import Sentence
from almario.errors import ServerUnavailable
from almario.named_tuples import NamedTuple

if TYPE_CHECKING:
    from almario.ports import Hear

T = TypeVar("T")
_EMPTY: Mapping[str, str] = {}
UNREADABLE = Sentence("the server's answer cannot be read; it may be another version of Almario")


class HttpCall(NamedTuple):
    """One request, of the agent that the face is about.

    *hear* is told the text of an answer as it comes. If the connection is lost, what *is_safe*, as it changes
    nothing, or has a *key* is sent again: with the same key the same is done once.
    """

    path: str
    body: Mapping[str, Any]
    headers: Mapping[str, str] = _EMPTY
    hear: Hear | None = None
    key: str = ""
    is_safe: bool = False

    @property
    def can_be_repeated(self) -> bool:
        return self.is_safe or bool(self.key)


def understood(answer: Any, read: Callable[[Any], T]) -> T:
    """Return what an answer says; one that cannot be read is an error."""
    try:
        return read(answer)
    except (AttributeError, KeyError, TypeError, ValueError) as exc:
        raise ServerUnavailable(UNREADABLE) from exc


def named(name: str) -> str:
    """Return a name as a part of a path: whatever it is, it stays one part, and there is one."""
    return quote(name, safe="", errors="replace").replace(".", "%2E") or "%20"

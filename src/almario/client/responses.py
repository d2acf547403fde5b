"""What a server answers: a value, a stream of events that ends in one, or the error that it tells of."""

import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from almario import errors
from almario.client.calls import UNREADABLE, HttpCall
from almario.errors import AlmarioError, ServerUnavailable

# What a problem that names no error of ours is, by its status.
_BY_STATUS: dict[int, type[AlmarioError]] = {
    401: errors.AccessDenied,
    403: errors.AccessDenied,
    409: errors.EditConflict,
    412: errors.EditConflict,
    **dict.fromkeys((400, 404, 413, 422, 428), errors.SoulError),
}
_OF_EVERY_PROBLEM = ("type", "title", "status", "detail", "error", "errors", "message", "facts")


class Answering:
    """Takes an answer in as it comes, and is asked at its end what it says."""

    def __init__(self, call: HttpCall, status: int, content_type: str) -> None:
        self._status = status
        self._is_stream = content_type.startswith("text/event-stream")
        self._is_json = content_type.partition(";")[0].endswith("json")
        self._hear: Callable[[str], None] = call.hear or (lambda _: None)
        self._content = bytearray()
        # The events that were told, but for pieces of text.
        self._events: list[tuple[str, Any]] = []

    def feed(self, piece: bytes) -> None:
        """Take in the next bytes; whoever listens hears what is said in them."""
        self._content += piece
        if not self._is_stream:
            return
        *blocks, rest = bytes(self._content).split(b"\n\n")
        self._content = bytearray(rest)
        for block in blocks:
            self._tell(block)

    def _tell(self, block: bytes) -> None:
        lines = dict(line.partition(b": ")[::2] for line in block.split(b"\n"))
        if b"event" not in lines:  # a sign of life
            return
        try:
            name, value = lines[b"event"].decode(), json.loads(lines[b"data"])
            text = value["text"] if name == "text" else ""
        except (KeyError, TypeError, ValueError, RecursionError) as exc:
            raise ServerUnavailable(UNREADABLE) from exc
        if name == "text":
            self._hear(text)
        else:
            self._events.append((name, value))

    def end(self) -> Any:
        """Return what the whole answer says; the error that it tells of is raised."""
        if self._is_stream:
            for name, value in self._events:
                if name == "problem":
                    problem = value if isinstance(value, dict) else {}
                    raise error_of(problem, problem.get("status", 0))
            return self._events
        try:
            answer = json.loads(self._content) if self._is_json else self._content.decode()
        except (ValueError, RecursionError) as exc:
            raise ServerUnavailable(UNREADABLE) from exc
        if self._status >= HTTPStatus.MULTIPLE_CHOICES:
            raise error_of(answer if isinstance(answer, dict) else {}, self._status)
        return answer


def error_of(problem: dict[str, Any], status: int) -> AlmarioError:
    """Return the error that problem details tell of, as it was raised there."""
    kind = getattr(errors, str(problem.get("error", "")), None)
    if not (isinstance(kind, type) and issubclass(kind, AlmarioError)):
        kind = _BY_STATUS.get(status, ServerUnavailable)
    if "detail" not in problem:
        return ServerUnavailable("the server answered {status}, but not as Almario does", status=status)
    made = kind.__new__(kind)
    AlmarioError.__init__(made, str(problem["detail"]))
    carried = {name: value for name, value in problem.items() if name not in _OF_EVERY_PROBLEM}
    vars(made).update(carried, status=status)
    return made

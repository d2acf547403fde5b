"""The interfaces that programs speak: what a request says, where soul and memory are put in it.

A face reads as little as it can and touches only what it adds, so that a field
that nobody here knows reaches the provider as it came.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

from almario.errors import SoulError
from almario.named_tuples import NamedTuple

Fields = dict[str, Any]
# Who speaks in a message; what is neither a person's, the model's nor a tool's is the program's own.
Speaker = Literal["user", "assistant", "tool", "program"]
# The parts of a message that are its words; another with a text is a file, or what else came along.
_TEXTS = ("text", "input_text", "output_text")


class AnswerPiece(NamedTuple):
    """One thing that a request says, in one text or several, and which of its messages says it.

    *name* is the id of the tool call that it is the result of.
    """

    speaker: Speaker
    texts: tuple[str, ...]
    place: int
    name: str = ""


class Face(Protocol):
    """One provider's interface to a conversation."""

    # Below the provider's address.
    path: str
    provider: Literal["openai", "anthropic"]

    def pieces(self, body: Fields) -> list[AnswerPiece]:
        """Return what a request says, in order; SoulError if it cannot be read."""

    def with_context(self, body: Fields, stable: str, changing: str, place: int) -> Fields:
        """Return a request with who the agent is before all, and what it remembers in the message *place*."""

    def problem(self, status: int, why: str) -> Fields:
        """Return what says that something is wrong."""


class ChatFace:
    """OpenAI's chat completions, which most programs speak."""

    path: str = "/chat/completions"
    provider: Literal["openai", "anthropic"] = "openai"

    def pieces(self, body: Fields) -> list[AnswerPiece]:
        return [
            AnswerPiece(
                _speaker(message), texts_of(message.get("content")), n, str(message.get("tool_call_id"))
            )
            for n, message in enumerate(_messages(body, "messages"))
        ]

    def with_context(self, body: Fields, stable: str, changing: str, place: int) -> Fields:
        messages = [dict(message) for message in _messages(body, "messages")]
        if place >= 0:
            messages[place]["content"] = _before(messages[place].get("content"), changing, "text")
        # One system message, because not every model takes two.
        if messages and messages[0].get("role") in ("system", "developer"):
            messages[0]["content"] = _before(messages[0].get("content"), stable, "text")
        else:
            messages.insert(0, {"role": "system", "content": stable})
        return {**body, "messages": messages}

    def problem(self, status: int, why: str) -> Fields:
        return _openai_problem(status, why)


class ResponsesFace:
    """OpenAI's responses."""

    path: str = "/responses"
    provider: Literal["openai", "anthropic"] = "openai"

    def pieces(self, body: Fields) -> list[AnswerPiece]:
        given = body.get("input")
        if given is None or isinstance(given, str):
            return [AnswerPiece("user", (given,), 0)] if given else []
        return [_of_item(item, place) for place, item in enumerate(_messages(body, "input"))]

    def with_context(self, body: Fields, stable: str, changing: str, place: int) -> Fields:
        own = body.get("instructions")
        made = {**body, "instructions": f"{stable}\n\n{own}" if isinstance(own, str) and own else stable}
        if isinstance(own, list):  # a prompt made of messages
            made["instructions"] = [{"role": "developer", "content": stable}, *own]
        if place >= 0 and isinstance(body.get("input"), str):
            made["input"] = f"{changing}\n\n{body['input']}"
        elif place >= 0:
            items = [dict(item) for item in _messages(body, "input")]
            items[place]["content"] = _before(items[place].get("content"), changing, "input_text")
            made["input"] = items
        return made

    def problem(self, status: int, why: str) -> Fields:
        return _openai_problem(status, why)


class MessagesFace:
    """Anthropic's messages."""

    path: str = "/v1/messages"
    provider: Literal["openai", "anthropic"] = "anthropic"

    def pieces(self, body: Fields) -> list[AnswerPiece]:
        found: list[AnswerPiece] = []
        for place, message in enumerate(_messages(body, "messages")):
            content = message.get("content")
            results = [block for block in _blocks(content) if block.get("type") == "tool_result"]
            for block in results:
                name = str(block.get("tool_use_id"))
                found.append(AnswerPiece("tool", texts_of(block.get("content")), place, name))
            if (texts := texts_of(content)) or not results:
                found.append(AnswerPiece(_speaker(message), texts, place))
        return found

    def with_context(self, body: Fields, stable: str, changing: str, place: int) -> Fields:
        soul: Fields = {"type": "text", "text": stable}
        messages = [dict(message) for message in _messages(body, "messages")]
        made = {**body, "system": [soul, *_blocks(body.get("system"))], "messages": messages}
        if place >= 0:
            messages[place]["content"] = _before(messages[place].get("content"), changing, "text")
        _let_cache(made, place)
        return made

    def problem(self, status: int, why: str) -> Fields:
        kinds = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error"}
        kinds |= {404: "not_found_error", 429: "rate_limit_error", 503: "overloaded_error"}
        kind = kinds.get(status, "invalid_request_error" if status < 500 else "api_error")
        return {"type": "error", "error": {"type": kind, "message": why}}


def texts_of(content: Any) -> tuple[str, ...]:
    """Return the texts that a message's content is, or has among its parts."""
    if isinstance(content, str):
        return (content,) if content else ()
    parts = [each for each in _blocks(content) if each.get("type", "text") in _TEXTS]
    return tuple(each["text"] for each in parts if isinstance(each.get("text"), str))


def _speaker(message: Fields) -> Speaker:
    role = str(message.get("role"))
    known: dict[str, Speaker] = {"user": "user", "assistant": "assistant", "tool": "tool", "function": "tool"}
    return known.get(role, "program")


def _messages(body: Mapping[str, Any], name: str) -> Sequence[Fields]:
    found = body.get(name)
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise SoulError('"{name}" must be a list of messages', name=name)
    return found


def _of_item(item: Fields, place: int) -> AnswerPiece:
    kind = str(item.get("type", "message"))
    if kind == "message":
        return AnswerPiece(_speaker(item), texts_of(item.get("content")), place)
    if kind.endswith("_output"):
        return AnswerPiece("tool", texts_of(item.get("output")), place, str(item.get("call_id")))
    return AnswerPiece("assistant", (), place)  # what the model did: calls, thoughts


def _before(content: Any, text: str, kind: str) -> Any:
    """Return a content with a text before its first one; what must come earlier, as a tool's result, does."""
    if not isinstance(content, list):
        return f"{text}\n\n{content}" if content else text
    first = next((n for n, part in enumerate(content) if isinstance(part, dict) and "text" in part), None)
    place = len(content) if first is None else first
    return [*content[:place], {"type": kind, "text": text}, *content[place:]]


def _let_cache(body: Fields, place: int) -> None:
    """Let the provider keep what stays the same: the soul, and what was said before the newest message.

    A program that says itself what is to be kept is heeded. But in the newest message, which begins with
    what is new each time, nothing could be found again: there, it is what comes before that is kept.
    """
    messages, mark = body["messages"], body.get("cache_control") or {"type": "ephemeral"}
    parts = [*body["system"], *(block for each in messages for block in _blocks(each.get("content")))]
    marks = [block["cache_control"] for block in parts if "cache_control" in block]
    if not marks:
        if sum("cache_control" in tool for tool in _blocks(body.get("tools"))) > 2:
            return
        body["system"][0]["cache_control"] = mark
    if place < len(messages) - 1:  # tools are being used, and the message stays as it is
        if not marks:
            _mark_end(messages[-1], mark)
        return
    if place >= 0 and marks:
        blocks = _blocks(messages[place].get("content"))
        moved = [block["cache_control"] for block in blocks if "cache_control" in block]
        if not moved:
            return
        mark = moved[-1]
        bare = [{name: each[name] for name in each if name != "cache_control"} for each in blocks]
        messages[place]["content"] = bare
    if place > 0:
        _mark_end(messages[place - 1], mark)


def _mark_end(message: Fields, mark: Fields) -> None:
    """Let all be kept that comes before the end of a message, and the message."""
    blocks = _blocks(message.get("content"))
    if blocks and blocks[-1].get("type") in ("text", "tool_use", "tool_result", "image", "document"):
        message["content"] = [*blocks[:-1], {"cache_control": mark, **blocks[-1]}]


def _blocks(content: Any) -> list[Fields]:
    """Return a content as blocks, of which a text is one."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _openai_problem(status: int, why: str) -> Fields:
    kind = "invalid_request_error" if status < 500 else "server_error"
    return {"error": {"message": why, "type": kind, "param": None, "code": None}}

"""Reading along as an answer passes through: its words, its tokens, and whether it has come to its end."""

import json
from collections.abc import Mapping
from typing import Any

from almario.domain.plain_text import whole
from almario.domain.talk import Usage
from almario_gateway.faces import Fields

# With these a stream in Anthropic's form, and one of OpenAI's responses, ends.
_LAST = ("message_stop", "response.completed", "response.incomplete", "response.failed")
# A longer answer is passed on, and not read.
_MOST = 50_000_000


class AnswerReader:
    """What an answer says, read from its bytes as they come; what cannot be read is left out."""

    def __init__(self, *, is_stream: bool) -> None:
        self.is_stream = is_stream
        self.is_over = False
        self.model = ""
        # The name by which OpenAI keeps it, if it does.
        self.id = ""
        self._texts: list[str] = []
        self._counts: dict[str, int] = {}
        self._left = bytearray()

    @property
    def text(self) -> str:
        return whole("".join(self._texts))

    @property
    def usage(self) -> Usage:
        """The tokens that the provider counted; none if it did not say."""
        count = self._counts.get
        fresh, cached = count("told", 0), count("cached", 0)
        # Anthropic counts apart what was kept, OpenAI counts it in.
        apart = count("apart", 0) + count("read", 0)
        return Usage(fresh + apart, count("said", 0), cached or count("read", 0))

    def take(self, chunk: bytes) -> bool:
        """Read on; say whether this was the end."""
        self._left += chunk
        if not self.is_stream or len(self._left) > _MOST:
            return False
        *lines, rest = self._left.split(b"\n")
        self._left = bytearray(rest)
        for line in lines:
            if line.startswith(b"data:"):
                self._event(bytes(line[len(b"data:") :].strip()))
        return self.is_over

    def end(self) -> None:
        """Read an answer that came in one piece."""
        if not self.is_stream and (answer := _parsed(self._left)):
            self._whole(answer)

    def _event(self, content: bytes) -> None:
        if content == b"[DONE]":
            self.is_over = True
            return
        event = _parsed(content)
        kind = event.get("type")
        self._note(_fields(event, "response") or _fields(event, "message") or event)
        self._note(event)
        if kind == "response.output_text.delta":
            self._add(event.get("delta"))
        elif kind == "response.output_item.added" and self._texts:
            self._add("\n\n" if _fields(event, "item").get("type") == "message" else "")
        elif kind in ("content_block_start", "content_block_delta"):
            self._add((_fields(event, "content_block") or _fields(event, "delta")).get("text"))
        for choice in _list(event, "choices"):
            self._add(_fields(choice, "delta").get("content") if not choice.get("index") else "")
        self.is_over = self.is_over or kind in _LAST

    def _whole(self, answer: Fields) -> None:
        self._note(answer)
        for choice in _list(answer, "choices")[:1]:
            self._add(_fields(choice, "message").get("content"))
        for block in _list(answer, "content"):
            self._add(block.get("text") if block.get("type") == "text" else "")
        messages = [item for item in _list(answer, "output") if item.get("type") == "message"]
        texts = ["".join(str(part.get("text", "")) for part in _list(item, "content")) for item in messages]
        self._add("\n\n".join(texts))

    def _add(self, text: Any) -> None:
        if isinstance(text, str):
            self._texts.append(text)

    def _note(self, fields: Fields) -> None:
        """Take in which model it is and what was counted; later counts take the place of earlier ones."""
        if isinstance(fields.get("model"), str):
            self.model = fields["model"]
        if isinstance(fields.get("id"), str):
            self.id = fields["id"]
        usage = _fields(fields, "usage")
        details = _fields(usage, "prompt_tokens_details") or _fields(usage, "input_tokens_details")
        found = {
            "told": usage.get("prompt_tokens", usage.get("input_tokens")),
            "said": usage.get("completion_tokens", usage.get("output_tokens")),
            "cached": details.get("cached_tokens"),
            "apart": usage.get("cache_creation_input_tokens"),
            "read": usage.get("cache_read_input_tokens"),
        }
        self._counts |= {name: n for name, n in found.items() if isinstance(n, int) and n > 0}


def _parsed(content: bytes | bytearray) -> Fields:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _fields(of: Mapping[str, Any], name: str) -> Fields:
    found = of.get(name)
    return found if isinstance(found, dict) else {}


def _list(of: Mapping[str, Any], name: str) -> list[Fields]:
    found = of.get(name)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []

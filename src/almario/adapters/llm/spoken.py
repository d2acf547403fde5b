"""Tools for models that are offered none: they are told of them, and call them in words.

A call is a fenced block with the word `tool` and a JSON object. Who listens
hears the text around such blocks, never the blocks.
"""

import json
import re
from collections.abc import Iterator

from almario.adapters.llm.message_shapes import call_from, noted
from almario.domain.talk import Ask, Message, Reply, ToolCall, ToolSpec
from almario.ports import Hear

_FENCE = "```tool"
_END = "```"
_HOW = """To use a tool, write a block like this one, and nothing after it:

```tool
{"name": "the tool's name", "arguments": {"an argument": "its value"}}
```

The result comes with the next message. Write such a block only to use a tool. Your tools are:
"""
_RESULT = "Result of the tool {name}:\n{text}"


def spoken(ask: Ask) -> Ask:
    """Return the same question for a model that knows no tools: they are told, used and answered in words."""
    ask = noted(ask)  # while a tool's result is still told from what the user says
    explained = _HOW + "\n".join(map(_line, ask.tools)) if ask.tools else ""
    stable = "\n\n".join(part for part in (ask.stable, explained) if part)
    return ask._replace(messages=tuple(_in_words(ask.messages)), stable=stable, tools=())


def _line(tool: ToolSpec) -> str:
    schema = json.dumps(tool.schema, ensure_ascii=False)
    return f"- {tool.name}: {tool.description} Arguments: {schema}"


def _in_words(messages: tuple[Message, ...]) -> Iterator[Message]:
    names = {call.id: call.name for message in messages for call in message.calls}
    for message in messages:
        if message.role == "tool":
            name = names.get(message.answers, "")
            yield Message("user", _RESULT.format(name=name, text=message.text))
        elif message.calls:
            blocks = [_block(call) for call in message.calls]
            yield Message(message.role, "\n".join(part for part in (message.text, *blocks) if part))
        else:
            yield message


def _block(call: ToolCall) -> str:
    return f"{_FENCE}\n{json.dumps({'name': call.name, 'arguments': dict(call.arguments)})}\n{_END}"


class Listening:
    """Parts what a model says into text, which *hear* gets, and calls, which it does not."""

    def __init__(self, hear: Hear | None) -> None:
        self._hear = hear
        self._text: list[str] = []
        self._line = ""
        self._has_begun = False  # whether a part of the line has been heard
        self._block: list[str] | None = None
        self._calls: list[ToolCall] = []

    def __call__(self, piece: str) -> None:
        """Take a piece in, and let be heard what cannot be part of a call."""
        for part in re.findall(r"[^\n]*\n|[^\n]+", piece):
            self._line += part
            if part.endswith("\n"):
                self._end_line()
            elif self._block is None and not self._may_be_fence():
                self._tell()

    def close(self, reply: Reply) -> Reply:
        """Return a whole answer with its calls parted from its text."""
        if self._line:
            self._end_line()
        if self._block is not None:
            self._end_block()
        calls = (*reply.calls, *self._calls)
        stop = "tools" if calls and reply.stop == "end" else reply.stop
        return reply._replace(text="".join(self._text), calls=calls, stop=stop)

    def _end_line(self) -> None:
        line = self._line.strip()
        if self._block is not None:
            self._line = ""
            if line == _END:
                self._end_block()
            else:
                self._block.append(line)
        elif line == _FENCE and not self._has_begun:
            self._line = ""
            self._block = []
        else:
            self._tell()
        self._has_begun = False

    def _may_be_fence(self) -> bool:
        line = self._line.strip()
        return not self._has_begun and (_FENCE.startswith(line) or line == _FENCE)

    def _tell(self) -> None:
        text, self._line = self._line, ""
        self._has_begun = True
        if text:
            self._text.append(text)
            if self._hear:
                self._hear(text)

    def _end_block(self) -> None:
        text, self._block = "\n".join(self._block or ()), None
        self._calls += _calls(text)


def _calls(text: str) -> Iterator[ToolCall]:
    """Yield the calls in a block; one that cannot be read is a call with a problem."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as exc:
        yield call_from("", "", "{}")._replace(problem=f"the block is not valid JSON: {exc}")
        return
    for each in value if isinstance(value, list) else [value]:
        name = each.get("name") if isinstance(each, dict) else None
        if not isinstance(name, str):
            yield call_from("", "", "{}")._replace(problem='the block has no "name" of a tool')
            continue
        arguments = each.get("arguments", {})
        yield call_from("", name, arguments if isinstance(arguments, dict | str) else json.dumps(arguments))

"""Every kind of reply that a model must not get away with, for whatever stage asks it.

Each is a line for a `ScriptedLLM`: a function from the question to what the
model does. They fit any question whose schema is an object with a required
property, the first of which may not be null or a free object. A stage that is
asked with each of them writes nothing and loses nothing:

    @each_row("name", bad_replies.ids)
    def test_…(name): llm = ScriptedLLM(BAD_REPLIES[name]) …
"""

import base64
import json
from collections.abc import Callable, Mapping
from typing import Any

from almario.domain.talk import Ask, Reply, ToolCall
from almario.errors import BadReply, LLMUnavailable

Bad = Callable[[Ask], "str | Reply | BaseException"]


def fitting(schema: Mapping[str, Any]) -> Any:
    """Return a value that fits a schema, as full as the schema allows: what bad replies are bad copies of."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "object")
    kind = kind if isinstance(kind, str) else kind[0]
    if kind == "object":
        return {name: fitting(inner) for name, inner in schema.get("properties", {}).items()}
    if kind == "array":
        return [fitting(schema.get("items", {"type": "string"}))] * max(1, schema.get("minItems", 1))
    if kind == "string":
        return "x" * max(1, schema.get("minLength", 1))
    return {"integer": 1, "number": 1, "boolean": True, "null": None}[kind]


def good(ask: Ask) -> dict[str, Any]:
    value = fitting(ask.schema or {})
    assert isinstance(value, dict)
    assert value
    return value


def written(ask: Ask) -> str:
    return json.dumps(good(ask), ensure_ascii=False, indent=1)


def first(ask: Ask) -> str:
    """Return the name of a required property."""
    return str((ask.schema or {})["required"][0])


def changed(ask: Ask, value: Any) -> str:
    """Return the good answer with another value for a required property."""
    return json.dumps({**good(ask), first(ask): value})


def changed_raw(ask: Ask, raw: str) -> str:
    """Return the good answer with something that is no JSON for a required property."""
    return changed(ask, "@@").replace('"@@"', raw)


def every_enum_wrong(ask: Ask) -> str:
    """Return the good answer with a word that is not allowed, or a list where an object was asked for."""

    def spoilt(schema: Mapping[str, Any]) -> Any:
        if "enum" in schema:
            return "banana"
        if schema.get("type") == "object":
            return {name: spoilt(inner) for name, inner in schema.get("properties", {}).items()}
        if schema.get("type") == "array":
            return [spoilt(schema.get("items", {}))]
        return fitting(schema)

    value = spoilt(ask.schema or {})
    return json.dumps(value if value != good(ask) else [value])


def as_yaml(ask: Ask) -> str:
    return _no_brackets("".join(f"{name}:\n  - {value!s:.40}\n" for name, value in good(ask).items()))


def as_xml(ask: Ask) -> str:
    return "<answer>" + "".join(f"<{name}>x</{name}>" for name in good(ask)) + "</answer>"


def prompt(ask: Ask) -> str:
    return _no_brackets(f"{ask.system}\n{ask.messages[-1].text if ask.messages else ''}")


def _no_brackets(text: str) -> str:
    return text.translate(str.maketrans("{[]}", "(())"))


_HTML = "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"
_REFUSAL = "I'm sorry, but I can't help with that request."
_NEGATIVA = "Lo siento, pero no puedo ayudarte con esa solicitud."
_TABLE = "| key | value |\n|---|---|\n| work | nurse |\n| cat | Michi |\n"

BAD_REPLIES: dict[str, Bad] = {
    # Nothing.
    "empty": lambda ask: "",
    "whitespace": lambda ask: " \n\t\r\n  ",
    "a byte order mark": lambda ask: "\ufeff",
    "zero-width characters": lambda ask: "\u200b\u200d\u2060" * 9,
    "NUL bytes": lambda ask: "\0" * 64,
    "only thoughts": lambda ask: f"<think>Let me see. {written(ask)}</think>",
    "thoughts that never end": lambda ask: f"<think>They want {written(ask)}, so",
    "thoughts that began before the reply": lambda ask: f"I could say {written(ask)}.\n</think>\n",
    "an empty fence": lambda ask: "```json\n\n```",
    # Words.
    "prose": lambda ask: "The owner likes tea, has a cat and works as a nurse. Nothing else stood out to me.",
    "another language": lambda ask: "所有者养了一只猫，名字叫米奇。没有其他值得记住的事情。",
    "a refusal": lambda ask: _REFUSAL,
    "a refusal in Spanish": lambda ask: _NEGATIVA,
    "a refusal that the provider marks": lambda ask: Reply(_REFUSAL, stop="refused"),
    "a refusal with a good answer": lambda ask: Reply(written(ask), stop="refused"),
    "a question back": lambda ask: "Could you tell me which of the messages I should look at?",
    "the prompt": prompt,
    "one word for ever": lambda ask: "the " * 5000,
    "unicode junk": lambda ask: "\ufffd\u202e\ufdd0\x1b[31m\U000e0041" * 20,
    "base64": lambda ask: base64.b64encode(written(ask).encode()).decode(),
    # Other formats.
    "an error page": lambda ask: _HTML,
    "a table": lambda ask: _TABLE,
    "XML": as_xml,
    "YAML": as_yaml,
    "a Python dict": lambda ask: repr({**good(ask), "is_done": True, "note": None}),
    "single quotes": lambda ask: written(ask).replace('"', "'"),
    "names without quotes": lambda ask: written(ask).replace('"', "", 2),
    "typographic quotes": lambda ask: written(ask).replace('"', "“"),
    "comments": lambda ask: "{ // what I found\n" + written(ask)[1:],
    "a comment after": lambda ask: written(ask)[:-1] + "/* all */ }",
    "a trailing comma": lambda ask: written(ask)[:-1] + ",}",
    "a missing comma": lambda ask: written(ask)[:-1] + ' "more" "x"}',
    "a function call in words": lambda ask: f"answer({first(ask)}='x')",
    "an error of the API": lambda ask: '{"error": {"type": "overloaded_error", "message": "Overloaded"}}',
    # Cut.
    "cut after the first sign": lambda ask: "{",
    "cut in a name": lambda ask: written(ask)[:5],
    "cut in the middle": lambda ask: written(ask)[: len(written(ask)) // 2],
    "cut before the last sign": lambda ask: written(ask)[:-1],
    "cut in a fence": lambda ask: f"```json\n{written(ask)[:-1]}\n```",
    "cut by its length": lambda ask: Reply(written(ask)[: len(written(ask)) // 2], stop="length"),
    "whole but cut by its length": lambda ask: Reply(written(ask), stop="length"),
    "without a beginning": lambda ask: written(ask)[1:],
    # Not what was asked for.
    "null": lambda ask: "null",
    "true": lambda ask: "true",
    "a number": lambda ask: "42",
    "a string": lambda ask: json.dumps("nothing to remember"),
    "JSON in a string": lambda ask: json.dumps(written(ask)),
    "a list for an object": lambda ask: f"[{written(ask)}]",
    "an empty list": lambda ask: "[]",
    "an empty object": lambda ask: "{}",
    "a missing field": lambda ask: json.dumps(
        {name: value for name, value in good(ask).items() if name != first(ask)}
    ),
    "an object for a field": lambda ask: changed(ask, {"text": {"text": 1}}),
    "null for a field": lambda ask: changed(ask, None),
    "a list of lists for a field": lambda ask: changed(ask, [[["x"]]]),
    "an object in an envelope": lambda ask: json.dumps({"answer": good(ask)}),
    "a word that is not allowed": every_enum_wrong,
    "names in capitals": lambda ask: json.dumps({name.upper(): value for name, value in good(ask).items()}),
    "the schema": lambda ask: json.dumps(dict(ask.schema or {}), default=dict),
    "two answers": lambda ask: f'{written(ask)}\n{{"another": 1}}',
    "two fences": lambda ask: f'```json\n{written(ask)}\n```\nor\n```json\n{{"another": 1}}\n```',
    # Almost JSON.
    "NaN": lambda ask: changed_raw(ask, "NaN"),
    "infinity": lambda ask: changed_raw(ask, "-Infinity"),
    "a number without end": lambda ask: changed_raw(ask, "1e999"),
    "a number of ten thousand digits": lambda ask: changed_raw(ask, "9" * 10_000),
    "a key twice": lambda ask: written(ask)[:-1] + f', "{first(ask)}": null}}',
    "half a character": lambda ask: written(ask)[:-1] + ', "more": "\\ud83d"}',
    "half a character as it is": lambda ask: written(ask)[:-1] + ', "more": "\ud83d"}',
    "control characters": lambda ask: written(ask)[:-1] + ', "more": "a\x01\x02b"}',
    "a line break in a string": lambda ask: written(ask)[:-1] + ', "more": "a\nb"}',
    "NUL within": lambda ask: written(ask).replace("{", "{\0", 1),
    # Too much.
    "a megabyte of words": lambda ask: "memory " * 150_000,
    "a megabyte of JSON": lambda ask: written(ask)[:-1] + f', "more": "{"x" * 1_000_000}"}}',
    "nested too deep": lambda ask: "[" * 100_000,
    "nested too deep, but whole": lambda ask: changed_raw(ask, "[" * 5000 + "]" * 5000),
    "a hundred answers": lambda ask: "".join(f'{{"a": {number}}}\n' for number in range(200)),
    # No answer.
    "a tool call": lambda ask: Reply("", calls=(ToolCall("1", "save_memory", {"fact": "x"}),)),
    "a tool call with a good answer": lambda ask: Reply(written(ask), calls=(ToolCall("1", "forget", {}),)),
    "what the provider cannot read": lambda ask: BadReply("the endpoint did not send JSON"),
    "a connection that breaks": lambda ask: LLMUnavailable("the connection broke off"),
    "too many requests": lambda ask: LLMUnavailable("the provider says: too many requests"),
    "a wrong key": lambda ask: LLMUnavailable("the provider does not accept the key", passes=False),
}
ids = list(BAD_REPLIES)

# These look bad and are good: what is asked for is in them.
GOOD_REPLIES: dict[str, Bad] = {
    "plain": written,
    "in a fence": lambda ask: f"```json\n{written(ask)}\n```",
    "in a fence on one line": lambda ask: f"```json {json.dumps(good(ask))} ```",
    "with prose": lambda ask: f"Sure! Here is what [I] found {{so far}}:\n{written(ask)}\nAnything else?",
    "after thoughts": lambda ask: f'<think>Perhaps {{"x": 1}}? No.</think>\n\n{written(ask)}',
    "after thoughts that began before": lambda ask: f'so {{"x": 1}} it is</think>{written(ask)}',
    "with a byte order mark": lambda ask: "\ufeff" + written(ask),
    "with more than was asked for": lambda ask: written(ask)[:-1] + ', "confidence": 0.9}',
    "with a reference": lambda ask: f"As said in [1]:\n{written(ask)}",
    "in one fence of two": lambda ask: f"```sh\nls\n```\n```json\n{written(ask)}\n```",
}

"""Anthropic's models, through its official SDK."""

from collections.abc import Mapping, Sequence
from typing import Any

from almario.adapters.llm.calling import Attempt, SdkCaller, SdkModel
from almario.adapters.llm.message_shapes import COUNTED, call_from, count, noted, safe_id, sound, system_of
from almario.domain.talk import Ask, Message, Reply, ToolSpec, Usage
from almario.ports import Hear

# What ends so is kept by the provider for some minutes, with all before it: tools, system, what was said.
_CACHED = {"cache_control": {"type": "ephemeral"}}
_STOPS = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tools",
    "refusal": "refused",
}


class AnthropicLLM(SdkModel):
    """Asks one of Anthropic's models."""

    sdk, parts = "anthropic", ("schema",)

    def _connected(self, sdk: Any, options: dict[str, Any]) -> Any:
        return sdk.Anthropic(api_key=self._endpoint.key, **options)

    def _sent(self, caller: SdkCaller, ask: Ask, hear: Hear | None, without: frozenset[str]) -> Reply:
        request = self._request(ask, native="schema" not in without)
        begin = lambda: self._client.messages.create(**request)  # noqa: E731 - said twice, called often
        return caller.answer(Attempt(ask, begin, lambda: _Gathered(self.model)), hear)

    def _request(self, ask: Ask, *, native: bool) -> dict[str, Any]:
        schema = _schema(ask.schema) if native and ask.schema is not None else None
        system = system_of(ask, with_schema=schema is None)
        request: dict[str, Any] = {
            "model": self._endpoint.model,
            "max_tokens": ask.most or self._limits.most,
            "messages": _messages(sound(noted(ask).messages)),
            "stream": True,
        }
        if system:
            request["system"] = [{"type": "text", "text": system, **_CACHED}]
        if ask.tools:
            request["tools"] = tool_params(ask.tools)
        if schema is not None:
            request["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        return request


def _schema(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a schema as the provider wants it, or None if it has no place there."""
    from anthropic import transform_schema  # noqa: PLC0415 - loaded by now

    try:
        return transform_schema(_without_type_lists(schema))
    except (ValueError, TypeError, AttributeError, LookupError, AssertionError):
        return None


def _without_type_lists(schema: Any) -> Any:
    """Return a schema with `anyOf` for every list of types, which the SDK does not know."""
    if isinstance(schema, list):
        return [_without_type_lists(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    found = {name: _without_type_lists(value) for name, value in schema.items()}
    if not isinstance(found.get("type"), list):
        return found
    kinds = found.pop("type")
    return {"anyOf": [{"type": kind} if kind == "null" else {**found, "type": kind} for kind in kinds]}


def tool_params(tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Return tools as the provider is told of them."""
    params = [
        {"name": each.name, "description": each.description, "input_schema": dict(each.schema)}
        for each in tools
    ]
    return [*params[:-1], {**params[-1], **_CACHED}]


def _messages(messages: list[Message]) -> list[dict[str, Any]]:
    """Return messages as the provider wants them; it keeps what comes before the user's newest.

    While tools are used to answer that, it keeps all.
    """
    params: list[dict[str, Any]] = []
    newest = max(place for place, message in enumerate(messages) if message.role == "user")
    for place, message in enumerate(messages):
        if place == newest and params:
            params[-1]["content"][-1] |= _CACHED
        content: list[dict[str, Any]] = []
        if message.role == "tool":
            result = {"type": "tool_result", "tool_use_id": safe_id(message.answers), "content": message.text}
            content.append(result)
        elif message.text.strip():
            # An assistant's text that ends in a blank is refused.
            content.append({"type": "text", "text": message.text.rstrip()})
        content += [
            {"type": "tool_use", "id": safe_id(call.id), "name": call.name, "input": dict(call.arguments)}
            for call in message.calls
        ]
        role = "assistant" if message.role == "assistant" else "user"
        if params and params[-1]["role"] == role:
            params[-1]["content"] += content
        else:
            params.append({"role": role, "content": content})
    if newest < len(messages) - 1:
        params[-1]["content"][-1] |= _CACHED
    return params


class _Gathered:
    """Takes the events of a message in."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._text: list[str] = []
        self._calls: dict[int, tuple[str, str, list[str]]] = {}
        self._stop = ""
        self._usage: dict[str, int] = {}
        self._is_whole = False
        self.words = 0

    def take(self, event: Any) -> str:
        if event.type == "message_start":
            self._count(event.message.usage)
        elif event.type == "content_block_start" and event.content_block.type == "tool_use":
            block = event.content_block
            self._calls[event.index] = (str(block.id or ""), str(block.name), [])
        elif event.type == "content_block_start" and event.content_block.type == "text":
            return self._heard(event.content_block.text or "")
        elif event.type == "content_block_delta" and event.delta.type == "text_delta":
            return self._heard(event.delta.text)
        elif event.type == "content_block_delta" and event.delta.type == "input_json_delta":
            self._calls[event.index][2].append(event.delta.partial_json)
            self.words += len(event.delta.partial_json.strip())
        elif event.type == "content_block_delta" and event.delta.type == "thinking_delta":
            self.words += len(event.delta.thinking.strip())
        elif event.type == "message_delta":
            self._stop = event.delta.stop_reason or self._stop
            self._count(event.usage)
        elif event.type == "message_stop":
            self._is_whole = True
        return ""

    def reply(self) -> Reply | None:
        if not self._is_whole:
            return None
        calls = tuple(
            call_from(id_, name, "".join(parts)) for _, (id_, name, parts) in sorted(self._calls.items())
        )
        fresh, written, read, output = (self._usage.get(name, 0) for name in COUNTED)
        usage = Usage(fresh + written + read, output, read)
        stop = _STOPS.get(self._stop, "tools" if calls else "end")
        return Reply("".join(self._text), calls, self._model, usage, stop)

    def _heard(self, text: str) -> str:
        self.words += len(text.strip())
        self._text.append(text)
        return text

    def _count(self, usage: Any) -> None:
        """Take in the numbers that are told; later ones count all that came before."""
        for name in COUNTED:
            if found := count(getattr(usage, name, None)):
                self._usage[name] = found

"""Models behind OpenAI's chat completions: OpenAI's own, and every endpoint that speaks the same."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from almario.adapters.addresses import CallLimits, Endpoint, host_of
from almario.adapters.llm.calling import Attempt, SdkCaller, SdkModel
from almario.adapters.llm.message_shapes import call_from, count, noted, sound, system_of
from almario.adapters.llm.spoken import Listening, spoken
from almario.domain.talk import Ask, Message, Reply, ToolSpec, Usage
from almario.errors import LLMUnavailable
from almario.ports import Hear

_STOPS = {"length": "length", "content_filter": "refused", "tool_calls": "tools", "function_call": "tools"}
# Models of these kinds are listed beside the ones that talk.
_NO_TALKER = r"embed|bge-|minilm|rerank|whisper|tts|speech|audio|guard|moderation|dall-e|image|ocr"


def first_talker(names: Iterable[str]) -> str:
    """Return the first of an endpoint's models that seems made for talking; nothing if there is none."""
    return next((name for name in names if not re.search(_NO_TALKER, name.lower())), "")


class OpenAILLM(SdkModel):
    """Asks a model of OpenAI's, or of any endpoint that speaks the same."""

    sdk, parts = "openai", ("schema", "tools", "usage", "length")

    def __init__(self, endpoint: Endpoint, limits: CallLimits) -> None:
        super().__init__(endpoint, limits)
        # OpenAI's newer models refuse the older name of the longest answer; other endpoints know no other.
        self._without = frozenset({"length"} if host_of(endpoint.url) == "api.openai.com" else ())

    def _connected(self, sdk: Any, options: dict[str, Any]) -> Any:
        # The SDK insists on a key; an endpoint that wants none does not look at it.
        client = sdk.OpenAI(api_key=self._endpoint.key or "none", **options)
        # These come from the environment, and are meant for OpenAI alone.
        client.organization = client.project = None
        return client

    def _opened(self, ask: Ask) -> SdkCaller:
        caller = super()._opened(ask)
        with self._lock:
            if not self._endpoint.model:
                self._endpoint = self._endpoint._replace(model=self._listed(caller, ask))
                self._caller = caller.at(self._endpoint)
            return self._caller or caller

    def _listed(self, caller: SdkCaller, ask: Ask) -> str:
        names = caller.guarded(ask, lambda: [str(each.id) for each in self._client.models.list().data])
        if found := first_talker(names):
            return found
        sentence = "{url} has no model yet; load one, or name one in llm.model"
        raise LLMUnavailable(sentence, url=self._endpoint.url)

    def _sent(self, caller: SdkCaller, ask: Ask, hear: Hear | None, without: frozenset[str]) -> Reply:
        words = Listening(hear) if "tools" in without and ask.tools else None
        prompt = spoken(ask) if "tools" in without else ask
        request = self._request(prompt, without)
        attempt = Attempt(
            ask, lambda: self._client.chat.completions.create(**request), lambda: _Gathered(self.model)
        )
        if words is None:
            return caller.answer(attempt, hear)
        return words.close(caller.answer(attempt, words))

    def _request(self, ask: Ask, without: frozenset[str]) -> dict[str, Any]:
        native = ask.schema is not None and "schema" not in without
        request: dict[str, Any] = {
            "model": self._endpoint.model,
            "messages": message_params(ask, with_schema=not native),
            "stream": True,
            "max_completion_tokens" if "length" in without else "max_tokens": ask.most or self._limits.most,
        }
        if "usage" not in without:
            request["stream_options"] = {"include_usage": True}
        if ask.tools:
            request["tools"] = tool_params(ask.tools)
        if native and ask.schema is not None:
            form = {"name": "answer", "schema": dict(ask.schema)}
            request["response_format"] = {"type": "json_schema", "json_schema": form}
        if self._endpoint.provider == "openrouter":
            request["extra_body"] = {"usage": {"include": True}}  # tells what the call cost
        return request


def tool_params(tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Return tools as an endpoint is told of them."""
    return [
        {
            "type": "function",
            "function": {"name": each.name, "description": each.description, "parameters": dict(each.schema)},
        }
        for each in tools
    ]


def message_params(ask: Ask, *, with_schema: bool = False) -> list[dict[str, Any]]:
    """Return who the model is and what was said; what begins as it did lately is cached."""
    system = system_of(ask, with_schema=with_schema)
    first = [{"role": "system", "content": system}] if system else []
    return [*first, *map(_message, sound(noted(ask).messages))]


def _message(message: Message) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.answers, "content": message.text}
    param: dict[str, Any] = {"role": message.role, "content": message.text or None}
    if message.calls:
        param["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {
                    "name": call.name,
                    "arguments": json.dumps(dict(call.arguments), ensure_ascii=False),
                },
            }
            for call in message.calls
        ]
    return param


class _Gathered:
    """Takes the chunks of a completion in."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._text: list[str] = []
        self._calls: list[_Call] = []
        self._at: dict[int, _Call] = {}
        self._stop = ""
        self._refused = False
        self._usage = Usage()
        self.words = 0

    def take(self, chunk: Any) -> str:
        if chunk.usage is not None:
            self._usage = _usage(chunk.usage)
        if not chunk.choices:
            return ""
        choice = chunk.choices[0]
        self._stop = choice.finish_reason or self._stop
        if choice.delta is None:
            return ""
        for call in choice.delta.tool_calls or ():
            self._take_call(call)
        self._refused = self._refused or bool(choice.delta.refusal)
        text = str(choice.delta.content or choice.delta.refusal or "")
        thought = getattr(choice.delta, "reasoning_content", None) or getattr(choice.delta, "reasoning", None)
        self.words += sum(len(each.strip()) for each in (text, thought) if isinstance(each, str))
        self._text.append(text)
        return text

    def _take_call(self, piece: Any) -> None:
        """Add a piece to its call; some endpoints number all calls alike, and part them by their ids."""
        call = self._at.get(piece.index)
        if call is None or (piece.id and call.id and piece.id != call.id):
            call = self._at[piece.index] = _Call()
            self._calls.append(call)
        call.id = call.id or str(piece.id or "")
        if piece.function is not None:
            call.name = call.name or str(piece.function.name or "")
            call.arguments.append(str(piece.function.arguments or ""))
            self.words += len(call.arguments[-1].strip())

    def reply(self) -> Reply | None:
        if not self._stop:
            return None
        calls = tuple(call_from(call.id, call.name, "".join(call.arguments)) for call in self._calls)
        stop = "refused" if self._refused else _STOPS.get(self._stop, "tools" if calls else "end")
        if stop == "tools" and not calls:
            stop = "end"
        return Reply("".join(self._text), calls, self._model, self._usage, stop)


class _Call:
    """A tool call as its pieces come in."""

    def __init__(self) -> None:
        self.id = ""
        self.name = ""
        self.arguments: list[str] = []


def _usage(usage: Any) -> Usage:
    details = usage.prompt_tokens_details
    cost = getattr(usage, "cost", None)
    return Usage(
        count(usage.prompt_tokens),
        count(usage.completion_tokens),
        count(getattr(details, "cached_tokens", None)),
        float(cost) if isinstance(cost, int | float) and cost >= 0 else None,
    )

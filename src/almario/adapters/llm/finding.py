"""From the settings' words to a model, or to the first one that is found on this machine."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from almario.adapters.addresses import OWN_KEY, CallLimits, Endpoint, host_of, is_loopback, origin_of
from almario.domain.messages import Sentence
from almario.domain.plain_text import nearest
from almario.errors import ConfigError
from almario.named_tuples import NamedTuple
from almario.ports import LLM, FoundModel

AUTO = "auto"
NONE = "none"
OLLAMA = "http://127.0.0.1:11434"
LM_STUDIO = "http://127.0.0.1:1234"
_CHECK_SECONDS = 0.3
_MAX_LISTED = 5_000_000


class Provider(NamedTuple):
    """Where a provider is, the variable that has its key (none: it needs none), and its usual model."""

    url: str
    variable: str = ""
    model: str = ""


# Those without a usual model are asked which they have, when they are first used.
PROVIDERS = {
    "anthropic": Provider("https://api.anthropic.com", "ANTHROPIC_API_KEY", "claude-sonnet-5-5"),
    "openai": Provider("https://api.openai.com/v1", "OPENAI_API_KEY", "gpt-6.1-terra"),
    "openrouter": Provider("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", "openrouter/auto"),
    "groq": Provider("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    "ollama": Provider(f"{OLLAMA}/v1"),
    "lmstudio": Provider(f"{LM_STUDIO}/v1"),
    "vllm": Provider("http://127.0.0.1:8000/v1"),
    "llamacpp": Provider("http://127.0.0.1:8080/v1"),
}


class ChosenModel(NamedTuple):
    """A model, or none, and where it came from if it was not named."""

    llm: LLM | None
    found: Sentence | None = None


class Surroundings(NamedTuple):
    """What decides besides the words: `llm.url`, patience, the environment, and what plug-ins bring."""

    url: str = ""
    limits: CallLimits = CallLimits()
    environment: Mapping[str, str] = os.environ
    # Gives the model of a plug-in by its provider and name; None if there is no such provider.
    plugged: Callable[[str, str], LLM | None] = lambda provider, model: None
    providers: Sequence[str] = ()  # those of plug-ins
    # Gives the models that plug-ins find on this machine.
    here: Callable[[], Iterable[FoundModel]] = tuple


def choose(text: str, around: Surroundings, *, key: str = "llm.model") -> ChosenModel:
    """Return what a setting names: one model, several in turn, none, or what is found.

    ConfigError says what is wrong with the words. Nothing beyond this machine is asked.
    """
    names = [name.strip() for name in text.split(",")]
    if names == [AUTO]:
        return found(around)
    if names == [NONE]:
        return ChosenModel(None)
    models = [_model(name, around, key) for name in names]
    return ChosenModel(models[0] if len(models) == 1 else _chained(models))


def _chained(models: Sequence[LLM]) -> LLM:
    from almario.adapters.llm.chain import ChainedLLM  # noqa: PLC0415 - few have one

    return ChainedLLM(models)


def found(around: Surroundings) -> ChosenModel:
    """Return the first model that is there."""
    first = next(models_there(around), None)
    if first is None:
        return ChosenModel(None, Sentence("nothing was found"))
    return ChosenModel(_model(first.name, around, "llm.url" if around.url else "llm.model"), first.how)


def models_there(around: Surroundings) -> Iterator[FoundModel]:
    """Yield the models that are there: by an address or a key, what plug-ins find, a server here.

    Each is looked for when it is its turn.
    """
    if around.url:
        yield FoundModel("openai", Sentence("found: {what}", what="llm.url"))
    for name, provider in PROVIDERS.items():
        if provider.variable and around.environment.get(provider.variable, "").strip():
            yield FoundModel(name, Sentence("found: {what}", what=provider.variable))
    yield from around.here()
    for program, server, url in (("Ollama", "ollama", OLLAMA), ("LM Studio", "lmstudio", LM_STUDIO)):
        if model := server_model(url):
            how = Sentence("found: {program} on this machine", program=program)
            yield FoundModel(f"{server}/{model}", how)


def _is_there(url: str) -> bool:
    import socket  # noqa: PLC0415 - only who has no key gets here

    host, _, port = url.removeprefix("http://").partition(":")
    try:
        socket.create_connection((host, int(port)), _CHECK_SECONDS).close()
    except OSError:
        return False
    return True


def server_model(url: str) -> str:
    """Return the first model for talking that a server on this machine has; nothing if there is none.

    Those that Ollama itself would ask elsewhere for are left out: nothing may leave unasked.
    """
    if not _is_there(url):
        return ""
    from almario.adapters.llm.openai import first_talker  # noqa: PLC0415 - as above

    path, listed, key = ("/api/tags", "models", "name") if url == OLLAMA else ("/v1/models", "data", "id")
    found = _listed(f"{url}{path}", listed)
    return first_talker(str(each[key]) for each in found if each.get(key) and not _is_elsewhere(each))


def _listed(url: str, key: str) -> list[dict[str, Any]]:
    from http.client import HTTPException  # noqa: PLC0415 - 30 ms that only a machine with such a server pays
    from urllib.request import ProxyHandler, build_opener  # noqa: PLC0415 - the same

    try:
        with build_opener(ProxyHandler({})).open(url, timeout=_CHECK_SECONDS) as answer:
            models = json.loads(answer.read(_MAX_LISTED))[key]
    except (OSError, HTTPException, ValueError, LookupError, TypeError, RecursionError):
        return []
    return [each for each in models if isinstance(each, dict)] if isinstance(models, list) else []


def _is_elsewhere(listed: Mapping[str, Any]) -> bool:
    return bool(listed.get("remote_host")) or str(listed.get("name")).endswith("cloud")


def _model(name: str, around: Surroundings, key: str) -> LLM:
    # Only what is chosen is imported.
    provider, _, model = name.partition("/")
    if provider not in PROVIDERS and (llm := around.plugged(provider, model)):
        return llm
    endpoint = endpoint_of(name, around, key)
    if provider == "anthropic":
        from almario.adapters.llm.anthropic import AnthropicLLM  # noqa: PLC0415

        return AnthropicLLM(endpoint, around.limits)
    from almario.adapters.llm.openai import OpenAILLM  # noqa: PLC0415

    return OpenAILLM(endpoint, around.limits)


def endpoint_of(name: str, around: Surroundings, key: str) -> Endpoint:
    """Return where the model that one name means is asked over HTTP."""
    provider, slash, model = name.partition("/")
    if provider not in PROVIDERS:
        raise _unknown(name, around, key)
    if slash and not model:
        raise ConfigError('{key}: "{name}" does not name a model', key=key, name=name)
    known = PROVIDERS[provider]
    url, variable, usual = known.url, known.variable, known.model
    needs_key = bool(variable)
    if provider == "openai" and around.url:
        url, usual = around.url.rstrip("/"), ""
        if not host_of(url):
            raise ConfigError("llm.url is not an address such as {example}", example=PROVIDERS["ollama"].url)
        if origin_of(url) != origin_of(known.url):
            variable, needs_key = OWN_KEY, not is_loopback(url)
    secret = around.environment.get(variable, "").strip() if variable else ""
    return Endpoint(provider, url, model or usual, secret, variable, needs_key)


def _unknown(name: str, around: Surroundings, key: str) -> ConfigError:
    provider = name.partition("/")[0]
    known = [*PROVIDERS, *around.providers]
    if name in (AUTO, NONE):
        return ConfigError('{key}: "{name}" cannot be combined with others', key=key, name=name)
    if close := nearest(provider, known):
        sentence = '{key}: "{name}" names no provider; did you mean {close}?'
        return ConfigError(sentence, key=key, name=name, close=close)
    sentence = '{key}: "{name}" names no provider; write provider/model, with one of {known}'
    return ConfigError(sentence, key=key, name=name, known=", ".join(known))

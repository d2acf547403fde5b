"""From the settings to the models that talk and learn."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from almario.adapters.addresses import CallLimits
from almario.adapters.embedders.vectors import unit_rows
from almario.adapters.llm.finding import AUTO, NONE, Surroundings, choose, models_there
from almario.conversation.settings import ModelSettings
from almario.domain.installing import to_install
from almario.domain.logs import Log
from almario.domain.messages import CommandLine, Sentence, sentence_of
from almario.domain.plain_text import size_shown
from almario.domain.talk import Ask, Message, Reply, ToolCall
from almario.entry_points import OF_PACKAGES, Plugin, installed
from almario.errors import ConfigError, EmbedderUnavailable, LLMUnavailable, PluginError
from almario.ports import (
    LLM,
    Embedder,
    FoundModel,
    Hear,
    ModelDownload,
    Models,
    ModelSource,
    OfferedModel,
    Vector,
)

if TYPE_CHECKING:
    from almario.becoming.exploring import Exploration, Explored, Explorer
    from almario.config import Config, Settings
    from almario.conversation.settings import ModelSettings
    from almario.conversation.tools import Tools
    from almario.memory.settings import EmbedderSettings

log = Log(__name__)
Port = TypeVar("Port", LLM, Embedder)


class _Plugged(Generic[Port]):
    """A model or an embedder of a plug-in: when it breaks, the package is blamed."""

    def __init__(self, plugin: Plugin, model: str, settings: object) -> None:
        self._blamed = plugin.blamed
        self._inner: Port = _made(plugin, model, settings)

    @property
    def model(self) -> str:
        with self._blamed():
            return self._inner.model

    def is_available(self) -> bool:
        with self._blamed():
            return self._inner.is_available()


class PluggedLLM(_Plugged[LLM]):
    """When it breaks, there is no answer, and that is all."""

    def reply(self, ask: Ask, hear: Hear | None = None) -> Reply:
        hearing: list[str] = []

        def listen(piece: str) -> None:
            if hear:
                hearing.append(piece)
                hear(piece)
                hearing.clear()

        try:
            with self._blamed():
                return _sound(self._inner.reply(ask, listen if hear else None))
        except PluginError as exc:
            if hearing and exc.__cause__:  # who listens has failed, and not the model
                raise exc.__cause__ from None
            raise LLMUnavailable(exc.message, passes=False, **exc.facts) from exc


class PluggedEmbedder(_Plugged[Embedder]):
    """When it breaks, searching by words goes on."""

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        try:
            with self._blamed():
                return _vectors(self._inner.embed(texts), len(texts))
        except PluginError as exc:
            raise EmbedderUnavailable(exc.message, **exc.facts) from exc


class PluggedExplorer:
    """An explorer of a plug-in: when it breaks, nothing was found, and that is told."""

    def __init__(self, plugin: Plugin, inner: "Explorer") -> None:
        self._plugin = plugin
        self._inner = inner

    def explore(self, questions: Sequence[str]) -> "Explored":
        try:
            with self._plugin.blamed():
                return self._inner.explore(questions)
        except PluginError as exc:
            from almario.becoming.exploring import Explored  # noqa: PLC0415 - see above

            found = Explored()
            found.told = (sentence_of(exc),)
            return found


def llm(provider: str, model: str, settings: "ModelSettings") -> LLM | None:
    """Return the model of a plug-in; None if no package brings that provider."""
    plugin = installed("llms").get(provider)
    if not plugin and (package := OF_PACKAGES.get(provider)):
        sentence = "the model {name} needs the package {package}: {line}"
        raise ConfigError(sentence, name=provider, package=package, line=to_install(package))
    return PluggedLLM(plugin, model, settings) if plugin else None


def embedder(settings: "EmbedderSettings") -> Embedder | None:
    """Return the embedder of a plug-in, named as "trigrams" or "trigrams/64"; None if there is none."""
    name, _, model = settings.name.partition("/")
    plugin = installed("embedders").get(name)
    return PluggedEmbedder(plugin, model or settings.model, settings) if plugin else None


def add_tools(tools: "Tools") -> None:
    """Let every plug-in add its tools; one that is broken adds none, and that is told."""
    for plugin in installed("tools").values():
        try:
            _made(plugin, tools)
        except PluginError as exc:
            log.warning("a plug-in was left out: %s", sentence_of(exc))


def explorer(settings: "Settings", given: "Exploration") -> "Explorer | None":
    """Return what looks for open questions outside: the first whose name is a section of the settings."""
    for plugin in installed("explorers").values():
        section = getattr(settings, plugin.name, None)
        try:
            found = _made(plugin, given._replace(settings=section)) if section is not None else None
        except PluginError as exc:
            log.warning("a plug-in was left out: %s", sentence_of(exc))
            continue
        if found is not None:
            return PluggedExplorer(plugin, found)
    return None


def _sound(reply: Reply) -> Reply:
    """Return a reply that is one; TypeError if it is anything else."""
    calls = reply.calls if isinstance(reply, Reply) and isinstance(reply.text, str) else (None,)
    if not all(isinstance(call, ToolCall) for call in calls):
        raise TypeError("reply() did not return a Reply with a text and ToolCalls")
    return reply


def _vectors(found: Sequence[Vector], count: int) -> Sequence[Vector]:
    """Return vectors of length 1; ValueError if they are not so many, or are not numbers."""
    if len(found) != count:
        raise ValueError(f"embed() returned {len(found)} vectors for {count} texts")
    return list(unit_rows(found)) if count else []


def _made(plugin: Plugin, *given: object) -> Any:
    make = plugin.load()
    with plugin.blamed():
        return make(*given)


__all__ = ["AUTO", "NONE", "Models", "OfferedModel", "models"]
CHOOSE = CommandLine("almario model choose")
_QUESTION = Ask((Message("user", "Answer with one word: ready"),), most=200)


def models(
    settings: ModelSettings, environment: Mapping[str, str] = os.environ, *, once: bool = False
) -> Models:
    """Return the models that are set, or found; nothing is loaded, and nothing beyond this machine asked.

    *once* asks none a second time after a failure.
    With "auto" and no key, an Ollama on this machine is looked for: call it when a model is first needed.
    """
    limits = CallLimits(settings.timeout)
    around = _around(settings, environment, limits._replace(retries=0) if once else limits)
    talk = choose(settings.model or AUTO, around)
    background = talk
    if settings.background:
        background = choose(settings.background, around, key="llm.background")
    return Models(talk.llm, background.llm, _notices_of(talk.llm), (talk.found, background.found))


def is_chosen(config: "Config") -> bool:
    """Return whether somebody has said which model talks, or that none does."""
    return any(config.origins[key] != "default" for key in ("llm.model", "llm.url"))


def offered_models(
    settings: ModelSettings, environment: Mapping[str, str] = os.environ
) -> tuple[OfferedModel, ...]:
    """Return what can be chosen: each model that is here, one to download, and last, none."""
    offers = [
        OfferedModel(each.name, each.how)
        for each in models_there(_around(settings.but(url=""), environment, CallLimits()))
    ]
    if download := downloadable(settings):
        sentence = "to download: {size}; it runs on this machine, and nothing you say leaves it"
        what = Sentence(sentence, size=size_shown(download.size))
        offers.append(OfferedModel(download.name, what, download))
    notebook = Sentence("a notebook: what you say is kept and found, and nobody answers")
    return (*offers, OfferedModel(NONE, notebook))


def _around(settings: ModelSettings, environment: Mapping[str, str], limits: CallLimits) -> Surroundings:
    def plugged(provider: str, model: str) -> LLM | None:
        return llm(provider, model, settings)

    here = partial(_found_here, settings, environment)
    return Surroundings(settings.url, limits, environment, plugged, tuple(installed("llms")), here)


def _found_here(settings: ModelSettings, environment: Mapping[str, str]) -> Iterator[FoundModel]:
    for plugin in installed("models").values():
        try:
            source = plugin.load()
            with plugin.blamed():
                found = source.found(settings, environment)
        except PluginError as exc:
            log.warning("a plug-in was left out: %s", sentence_of(exc))
            continue
        if found:
            yield found


def downloadable(settings: ModelSettings) -> ModelDownload | None:
    """Return the model that can be downloaded to this machine, if there is one and it has none."""
    for plugin in installed("models").values():
        with suppress(PluginError):  # told when a model is looked for
            source: ModelSource = plugin.load()
            with plugin.blamed():
                if found := source.download(settings):
                    return found
    return None


def _notices_of(talk: LLM | None) -> tuple[Sentence, ...]:
    if talk is None:
        sentence = 'there is no language model; "{choose}" finds one that is here, or downloads one'
        return (Sentence(sentence, choose=CHOOSE),)
    if not talk.is_available():
        sentence = '{model} cannot be used yet; "{check}" says why, and "{choose}" offers others'
        check = CommandLine("almario model --try")
        return (Sentence(sentence, model=talk.model, check=check, choose=CHOOSE),)
    return ()


def try_out(chosen: Models) -> dict[str, Any]:
    """Ask the model that talks for one word; return what it said, its time and its tokens.

    LLMError says why it did not answer.
    """
    if chosen.talk is None:
        why = chosen.notices[0]
        raise LLMUnavailable(why.text, passes=False, **why.facts)
    started = perf_counter()
    reply = chosen.talk.reply(_QUESTION)
    seconds = perf_counter() - started
    text = " ".join(reply.text.split())
    return {"model": reply.model, "seconds": round(seconds, 3), "text": text[:200], **reply.usage._asdict()}


def answered(tried: Mapping[str, Any]) -> Sentence:
    """Say how a model answered that was tried."""
    return Sentence("{model} answered in {seconds:.1f} s: {text} ({told} tokens in, {said} out)", **tried)

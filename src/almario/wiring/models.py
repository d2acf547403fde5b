"""From the settings to the models that talk and learn."""

import os
from collections.abc import Mapping

from almario.adapters.box.model_box import ModelBox
from almario.adapters.box.model_process import is_installed as can_run_models
from almario.adapters.box.weights import Weights, memory_here
from almario.adapters.embedders.cache import cache_folder
from almario.adapters.llm.endpoints import Limits
from almario.adapters.llm.finding import AUTO, NONE, Surroundings, choose, idle_servers
from almario.conversation.settings import ModelSettings
from almario.domain.messages import Sentence
from almario.ports import LLM, Models

__all__ = [
    "AUTO",
    "ModelBox",
    "Models",
    "Weights",
    "can_run_models",
    "idle_servers",
    "memory_here",
    "model_box",
    "models",
]


def models(settings: ModelSettings, environment: Mapping[str, str] = os.environ) -> Models:
    """Return the models that are set, or found; nothing is loaded, and nothing beyond this machine asked.

    With "auto" and no key, an Ollama on this machine is looked for: call it when a model is first needed.
    """
    limits = Limits(settings.timeout, settings.retries, settings.max_tokens)

    def plugged(provider: str, model: str) -> LLM | None:
        from almario.wiring.plugged import llm  # noqa: PLC0415 - for a provider that is not ours

        return llm(provider, model, settings)

    around = Surroundings(settings.url, limits, environment, plugged, model_box(settings, environment))
    talk = choose(settings.model or AUTO, around)
    background = talk
    if settings.background:
        background = choose(settings.background, around, key="llm.background")
    return Models(talk.llm, background.llm, _told(settings, talk.llm), (talk.found, background.found))


def model_box(settings: ModelSettings, environment: Mapping[str, str] = os.environ) -> ModelBox:
    """Return the models that were fetched, and those that can be."""
    folder = cache_folder(environment) / "models"
    idle = settings.local_idle_minutes * 60
    return ModelBox(folder, settings.local_source, context=settings.local_context, idle=idle)


def _told(settings: ModelSettings, talk: LLM | None) -> tuple[Sentence, ...]:
    if talk is None and settings.model == NONE:
        sentence = (
            "there is no language model, because llm.model is none; set it to auto, or to one such as "
            "ollama/qwen3:4b, after: ollama pull qwen3:4b"
        )
        return (Sentence(sentence),)
    if talk is None:
        sentence = (
            'there is no language model; download one with "almario model get", set ANTHROPIC_API_KEY or '
            "OPENAI_API_KEY, or install Ollama and run: ollama pull qwen3:4b"
        )
        return (Sentence(sentence),)
    if not talk.is_available():
        sentence = '{model} cannot be used yet; "almario model --try" says why'
        return (Sentence(sentence, model=talk.model),)
    return ()

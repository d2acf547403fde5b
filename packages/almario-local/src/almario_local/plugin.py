"""The entry points: the models that run here and the program claude, by name, and found without one."""

import os
from collections.abc import Mapping
from functools import partial

from almario.adapters.addresses import CallLimits
from almario.plugins import LLM, FoundModel, ModelDownload, ModelSettings, Sentence
from almario_local.model_box import model_box
from almario_local.model_process import is_installed


def boxed(model: str, settings: ModelSettings) -> LLM:
    """Return a model that was fetched; without a name, the largest."""
    from almario_local.boxed import BoxedLLM  # noqa: PLC0415 - only who uses it needs it

    return BoxedLLM(model_box(settings).process(model), _limits(settings))


def claude(model: str, settings: ModelSettings) -> LLM:
    """Return what asks the program claude."""
    from almario_local.claude_cli import ClaudeCliLLM  # noqa: PLC0415 - only who uses it needs it

    return ClaudeCliLLM(model, _limits(settings), environment=os.environ)


def _limits(settings: ModelSettings) -> CallLimits:
    return CallLimits(settings.timeout)


class Box:
    """The models that were fetched, and the one that can be."""

    def found(self, settings: ModelSettings, environment: Mapping[str, str]) -> FoundModel | None:
        if not is_installed() or not model_box(settings, environment).models():
            return None
        return FoundModel("local", Sentence("found: a downloaded model"))

    def download(self, settings: ModelSettings) -> ModelDownload | None:
        box = model_box(settings)
        if not is_installed() or box.models():
            return None
        best = box.recommended
        return ModelDownload(f"local/{best.name}", best.size, partial(box.fetch, best))


class Claude:
    """The program claude, if it says that it is logged in."""

    def found(self, settings: ModelSettings, environment: Mapping[str, str]) -> FoundModel | None:
        from almario_local.claude_cli import ClaudeCliLLM  # noqa: PLC0415 - only who has no key gets here

        if not ClaudeCliLLM(environment=environment).is_available():
            return None
        return FoundModel("claude-cli", Sentence("found: the program claude"))

    def download(self, settings: ModelSettings) -> None:
        """Download nothing: the program is there, or not."""


BOX, CLAUDE = Box(), Claude()

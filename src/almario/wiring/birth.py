"""How a soul comes into the world: drafted by a model or made of an archetype, refined, and applied."""

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from almario import config as configuration
from almario.becoming.archetypes import LONGEST_VIBE, Archetype, archetypes, drawn
from almario.becoming.drafts import Brief, SoulDraft, drafted, files_of
from almario.becoming.examples import examples
from almario.becoming.genesis import Genesis
from almario.becoming.rebirth import reborn
from almario.becoming.starter import check_language
from almario.domain.messages import LANGUAGES, Sentence, language_of
from almario.domain.words import fold
from almario.errors import LLMUnavailable, SoulError
from almario.ports import LLM, Clock, Hear
from almario.soul import Soul
from almario.store.home import expanded
from almario.text.redaction import Redactor
from almario.text.tongues import language_of as language_in
from almario.upkeep.costs import Metered, Tab
from almario.wiring import Newborn, Opened, open_home, settled, soul_in, utc_now
from almario.wiring.model_keys import with_keys
from almario.wiring.models import Models, models

__all__ = ["Archetype", "Birth", "Brief", "archetypes", "genesis"]


class Birth:
    """A soul on its way, for a new agent or *instead_of* another's: its *draft*, and how it becomes one."""

    def __init__(self, opened: Opened, *, instead_of: str = "") -> None:
        self._opened = opened
        self._instead_of = opened.home.agent(instead_of) if instead_of else None
        self._config = opened.configured(self._instead_of) if self._instead_of else opened.config
        self.brief = Brief()
        # Gets what the model writes, as it comes.
        self.hear: Hear | None = None
        self.draft = SoulDraft(language_of(self._config.settings.language, os.environ))
        self._spent = Tab()

    @property
    def model(self) -> str:
        """The model that can draft and refine it; empty if there is none."""
        return self._llm.model if self._llm and self._llm.is_available() else ""

    @property
    def files(self) -> dict[str, str]:
        """The files that the draft would be."""
        return files_of(self.draft, self.brief.owner)

    @property
    def agent(self) -> str:
        """The id that the agent would have: that of the one it replaces, or made of its name."""
        if self._instead_of:
            return self._instead_of.id
        return _id_of(self.draft.name)

    def check(self, name: str, agent: str = "") -> None:
        """Refuse a name, or an id, that a new agent cannot have, before anybody is asked anything."""
        new = agent or _id_of(name)
        if new and not self._instead_of:
            self._opened.home.check_free(new)

    def draw(self, brief: Brief) -> None:
        """Make the first draft: of the brief's archetype if it has one, or else with the model.

        A model writes in the language of the description, unless the brief names one.
        """
        spoken = "" if brief.archetype else language_in(brief.description)
        brief = brief._replace(language=brief.language or spoken or self.draft.language)
        self.brief = brief
        if not brief.archetype:
            form = brief.language if brief.language in LANGUAGES else self.draft.language
            self.draft = self._genesis(form).draft(brief, form)
            return
        check_language(brief.language)
        is_long = len(brief.description) > LONGEST_VIBE
        self.draft = drawn(brief._replace(description="") if is_long else brief)
        if is_long:
            self.refine(brief.description)

    def refine(self, words: str) -> None:
        """Change the draft as the owner's words ask; if the model fails, it stays as it is."""
        self.draft = self._genesis().refine(self.draft, words)

    def resume(self, draft: Mapping[str, Any]) -> None:
        """Go on with a draft that was shown before: its parts by their names."""
        try:
            self.draft = drafted(draft)
        except (TypeError, ValueError, KeyError) as exc:
            raise SoulError("this is not a draft of a soul; send one as it was given to you") from exc

    def apply(self, agent: str = "") -> Soul:
        """Make it an agent's soul: a new agent's with that id, or that of the one it was drafted for."""
        opened, new = self._opened, agent or self.agent
        if self._instead_of:
            reborn(opened.store(self._instead_of), self.draft)
            soul = soul_in(opened, self._instead_of)
            soul.notices += self._language_notices()
        elif not new:
            sentence = 'the name "{name}" does not make an id; give one with --agent'
            raise SoulError(sentence, name=self.draft.name)
        else:
            newborn = Newborn(new, self.draft.language, self.files, reason=Sentence("genesis"))
            soul = settled(opened, newborn)
        self._spent.settle(soul.costs)
        return soul

    def _language_notices(self) -> tuple[Sentence, ...]:
        """Tell that the settings, which are the owner's, name another language than the new soul has."""
        if (there := configuration.language(self._config)) == self.draft.language:
            return ()
        sentence = 'its settings still say language = "{there}"; put "{language}" in its {file}'
        file = configuration.AGENT_FILE
        return (Sentence(sentence, there=there, language=self.draft.language, file=file),)

    @cached_property
    def _llm(self) -> Metered | None:
        """The model, looked for when it is first needed: archetypes need none."""
        found = self._opened.llm or self._models().talk
        return Metered(found, self._spent, "genesis") if found else None

    def _models(self) -> Models:
        return models(self._config.settings.llm, with_keys(self._opened.root, self._config))

    def _genesis(self, form: str = "") -> Genesis:
        """Return what asks the model; for a first draft, with examples in the language of its *form*."""
        if self._llm is None:
            [why] = self._models().notices
            sentence = (
                '{why}; or take an archetype, which needs none: "almario genesis --archetypes" lists them'
            )
            raise LLMUnavailable(sentence, passes=False, why=why)
        config = self._config
        self._llm.hear = self.hear
        redact = Redactor(config.settings.redaction, lambda: configuration.region(config))
        folder = config.settings.soul.examples
        shown = examples(form, expanded(folder) if folder else None) if form else ()
        return Genesis(self._llm, redact=redact.text, examples=shown)


def genesis(
    brief: Brief,
    home: str | Path | None = None,
    *,
    instead_of: str = "",
    settings: Mapping[str, Any] | None = None,
    clock: Clock = utc_now,
    llm: LLM | None = None,
) -> Birth:
    """Draft a soul; nothing is written before its `apply`.

    With an archetype no model is asked. *instead_of* is the agent whose soul it
    is to replace; *llm* takes the place of the model that the settings name.
    """
    birth = Birth(open_home(home, settings=settings, clock=clock, llm=llm), instead_of=instead_of)
    birth.draw(brief)
    return birth


def _id_of(name: str) -> str:
    words = "".join(char if char.isascii() and char.isalnum() else " " for char in fold(name))
    return "-".join(words.split())

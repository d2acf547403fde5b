"""The command line's language, chosen before any command is loaded."""

import gettext
from importlib import import_module

import click

from almario.apps.cli.widths import echo
from almario.domain.messages import Sentence, say, sentence_of
from almario.domain.plain_text import shortened, visible
from almario.errors import AlmarioError

# The modules of click that have sentences.
_CLICK = ("core", "decorators", "exceptions", "formatting", "parser", "termui", "types")
# So much is shown of each thing that a refusal names.
_SHOWN = 500
_language = "en"


def use(language: str) -> None:
    """Speak *language* from now on, click's own sentences included."""
    global _language  # noqa: PLW0603 - one process speaks one language
    _language = language
    for name in _CLICK:
        # click asks gettext, which would need a compiled catalogue beside ours.
        vars(import_module(f"click.{name}")).update(_=_, ngettext=_plural)
    vars(click.exceptions)["echo"] = echo  # its sentences are as long as ours
    # The modules that click loads when it needs them take these.
    vars(gettext).update(gettext=_, ngettext=_plural)
    click.types.STRING.name = _("text")
    click.types.IntRange.name = _("whole number")
    click.types.FloatRange.name = _("number")


def current() -> str:
    return _language


def _(sentence: str | Sentence, /, **facts: object) -> str:
    """Say a sentence in the language in use."""
    return say(_language, sentence, **facts)


def refusal(error: AlmarioError | OSError) -> str:
    """Say in one sentence what is wrong."""
    if isinstance(error, AlmarioError):
        told = sentence_of(error)
        # What was given may be a megabyte, or many lines.
        cut = {name: shortened(fact, _SHOWN) for name, fact in told.facts.items() if isinstance(fact, str)}
        return visible(_(told.text, **{**told.facts, **cut}))
    return f"{error.filename or 'almario'}: {_(error.strerror or str(error))}"


def _plural(one: str, many: str, count: int) -> str:
    return _(one if count == 1 else many)


# In English they are called what they are called in the files.
_WORDS = {
    "profile": "profile",
    "fact": "fact",
    "summary": "summary",
    "episode": "episode",
    "correction": "correction",
    "log": "log",
    "note": "note",
    "turn": "turn",
    "session": "session",
    "memory": "memory",
    "soul": "soul",
    "reflection": "reflection",
    "live": "live",
    "superseded": "superseded",
    "retired": "retired",
    "ended": "ended",
    "expired": "expired",
    "explicit": "explicit",
    "auto": "auto",
    "owner": "owner",
    "agent": "agent",
    "imported": "imported",
    "untrusted": "untrusted",
    "all": "all",
}


def word(name: str) -> str:
    """Return what a kind, state, source or origin is called."""
    return _(_WORDS[name]) if name in _WORDS else name


class Words(click.Choice[str]):
    """One of a closed set of words, in the language in use or as the files have it."""

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        return word(str(choice))

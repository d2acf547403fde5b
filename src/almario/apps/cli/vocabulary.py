"""Kinds, states, sources and origins of memories, as they are called on the screen."""

import click

from almario.apps.cli.i18n import _

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

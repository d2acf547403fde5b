"""Whether a change of the soul leaves its boundaries as they are."""

from collections.abc import Mapping

from almario.becoming.rules.statements import is_boundary, sections_of
from almario.domain.words import fold
from almario.memory.rules.sameness import is_denied

# Each boundary of a long list is compared with each new statement: only so many of both.
_MOST = 150


def is_broken(before: Mapping[str, str], after: Mapping[str, str]) -> bool:
    """Return whether a soul (its files by name) has a boundary that another lacks, rewords or denies.

    Whether other words say the same is for the owner to judge.
    """
    had, there = _statements(before), _statements(after)
    new = [text for key, text in there.items() if key not in had][:_MOST]
    bounds = [text for key, texts in sections_of(before).items() if is_boundary(key[1]) for text in texts]
    return any(fold(text) not in there for text in bounds) or any(
        is_denied(text, each) for text in bounds[:_MOST] for each in new
    )


def _statements(soul: Mapping[str, str]) -> dict[str, str]:
    return {fold(text): text for statements in sections_of(soul).values() for text in statements}

"""What others do while a reflection goes on, and what a journal that was mended has lost of one."""

from collections.abc import Callable
from datetime import date

import pytest

from almario.becoming.applying import Applying
from almario.becoming.architect import Architect
from almario.becoming.reflecting import Reflection
from almario.domain.reflection import NIGHT
from almario.ports import LLM
from almario.soul import Soul
from almario.testing import ScriptedLLM
from tests.becoming.reflecting import reflection_of, thinking

ENTRY = "memory/reflections/2026-11-14.md"
TODAY = date(2026, 11, 14)


@pytest.fixture
def lived(soul: Soul) -> Soul:
    """A soul with a day behind it."""
    soul.remember("likes: tea")
    return soul


def whole(soul: Soul, llm: LLM) -> Reflection:
    """Return a soul's reflection with all its own parts."""
    applying = Applying(soul._vault, soul.goals, soul.proposals)
    return reflection_of(soul, llm, architect=Architect, applying=applying)


def lose(soul: Soul, *types: str) -> None:
    """Mend a journal whose lines of these types cannot be read any more."""
    for path in (soul.path / "journal").glob("*.jsonl"):
        content = path.read_bytes()
        for name in types:
            content = content.replace(f'"type":"{name}"'.encode(), b'"type":"?')
        path.write_bytes(content)
    assert soul._vault.mend_journal()


@pytest.mark.parametrize(
    "lost", [("reflection.ended",), ("reflection.ended", "proposal.made")], ids=["its end", "its proposals"]
)
def test_one_whose_end_was_lost_is_closed_again_and_told_once(
    lived: Soul, reopened: Callable[[], Soul], lost: tuple[str, ...]
) -> None:
    llm = ScriptedLLM(thinking)
    first = whole(lived, llm).run(trigger=NIGHT, day=TODAY)
    names = (ENTRY, "MOTIVATIONS.md", "GOALS.md", "SOUL.md")
    before = [lived.read(name).text for name in names]
    lose(lived, *lost)

    soul = reopened()
    again = whole(soul, llm).run(trigger=NIGHT, day=TODAY)

    assert (again.id, again.why) == (first.id, None)
    assert [soul.read(name).text for name in names] == before
    assert whole(soul, llm).last_night() == TODAY

"""What was read is kept in memory, and a recall tells the newest truth all the same."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from almario import Persona, Scope, Soul
from almario.domain.audiences import Audience
from almario.testing import FixedClock, WordEmbedder
from almario.wiring import create_soul, open_soul
from tests.effort import THOROUGH

QUESTIONS = ("where does Ana keep the boat?", "who feeds the heron?", "what is the code of the gate?")
OTHERS = Audience("telegram:5", ("Bob",))
SETTINGS = {"llm.model": "none", "timezone": "UTC"}
_WORDS = {"mode": "words"}
EVERYTHING = Scope(include=("expired", "superseded", "retired", "untrusted"))


class Home:
    """An agent that one process has open all the time, and others open anew."""

    def __init__(self, place: Path, clock: FixedClock) -> None:
        self._given = {"settings": SETTINGS, "clock": clock, "embedder": WordEmbedder()}
        self.place, self.clock = place, clock
        create_soul(place, persona=Persona(), settings=SETTINGS, clock=clock).close()
        self.warm = self.opened()

    def opened(self) -> Soul:
        return open_soul(self.place, **self._given)  # type: ignore[arg-type]

    def copied(self, name: str) -> Soul:
        """Open a copy: what it writes would have the others read anew."""
        copy = self.place.with_name(name)
        shutil.copytree(self.place, copy)
        return open_soul(copy, **self._given)  # type: ignore[arg-type]

    def told(self, question: str = QUESTIONS[0], audience: Audience | None = None) -> list[str]:
        """Return what the process that was open all the time tells."""
        return [hit.text for hit in self.warm.recall(question, min_score=0.0, audience=audience)]


@pytest.fixture
def home(tmp_path: Path, clock: FixedClock) -> Iterator[Home]:
    found = Home(tmp_path / "home", clock)
    yield found
    found.warm.close()


def recalled(soul: Soul) -> list[object]:
    """Return all that some questions bring to mind, with every reason."""
    found = [
        soul.recall(question, min_score=0.0, limit=8, **asked)
        for question in QUESTIONS
        for asked in ({"explain": True}, {"scope": EVERYTHING, "neighbours": 1}, {"audience": OTHERS}, _WORDS)
    ]
    return [_rounded(list(each)) for each in found]


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return round(value, 5)
    return [_rounded(each) for each in value] if isinstance(value, list | tuple) else value


def _remember(soul: Soul, dice: Random) -> None:
    soul.remember(f"boat {dice.randrange(3)}: Ana keeps the boat in harbour {dice.randrange(90)}.")


def _say(soul: Soul, dice: Random) -> None:
    session = dice.choice(("cli:main", "telegram:5"))
    soul.append(session, "user", f"The heron is fed by Ana at {dice.randrange(24)}.", origin="owner")
    soul.append(session, "assistant", f"And the code of the gate is {dice.randrange(999)}.")


def _any_memory(soul: Soul, dice: Random) -> str:
    _remember(soul, dice)
    return dice.choice(soul.memory.list()).id


def _forget(soul: Soul, dice: Random) -> None:
    soul.forget(_any_memory(soul, dice))


def _purge(soul: Soul, dice: Random) -> None:
    soul.memory.purge(soul.memory.plan_purge(_any_memory(soul, dice)))


def _amend(soul: Soul, dice: Random) -> None:
    soul.memory.change(_any_memory(soul, dice), f"Ana sold the boat for {dice.randrange(900)}.")


def _share(soul: Soul, dice: Random) -> None:
    memory = soul.memory.get(_any_memory(soul, dice))
    soul.memory.change(memory.id, shared=not memory.audience)


def _log(soul: Soul, dice: Random) -> None:
    soul.log(f"Fed the heron {dice.randrange(9)} times.")


_ACTS: tuple[Callable[[Soul, Random], None], ...] = (_remember, _say, _forget, _purge, _amend, _share, _log)


def test_warm_and_cold_recalls_are_the_same_whoever_writes(home: Home) -> None:
    dice = Random(20261116)
    with home.opened() as other:
        for turn in range(12 if THOROUGH else 4):
            dice.choice(_ACTS)(other if turn % 4 == 3 else home.warm, dice)
            home.clock.advance(hours=dice.randrange(30))
            found = recalled(home.warm)
            with home.copied(f"copy-{turn}") as cold:
                assert found == recalled(cold)


def test_what_is_edited_by_hand_is_told_at_once(home: Home) -> None:
    home.warm.remember("Ana keeps the boat in Cadiz.")
    home.warm.log("The boat of Ana is green.")
    assert len(home.told()) == 2

    [core] = home.place.rglob("MEMORY.md")
    core.write_text(core.read_text().replace("Cadiz", "Lastres"))
    assert "Ana keeps the boat in Lastres." in home.told()
    assert "Ana keeps the boat in Cadiz." not in home.told()
    [log] = home.place.rglob("memory/20*.md")
    log.write_text(log.read_text().replace("green", "white"))
    assert sorted(home.told()) == ["Ana keeps the boat in Lastres.", "The boat of Ana is white."]


def test_who_may_hear_a_thing_is_not_told_from_memory(home: Home) -> None:
    kept = home.warm.remember("Ana keeps the boat in Cadiz.").memory
    assert kept
    assert home.told(audience=OTHERS) == []
    home.warm.memory.change(kept.id, shared=True)
    assert home.told(audience=OTHERS) == [kept.value]
    home.warm.memory.change(kept.id, shared=False)
    assert home.told(audience=OTHERS) == []


def test_what_was_said_is_gone_with_its_transcript(home: Home) -> None:
    home.warm.append("cli:main", "user", "The boat of Ana is green.", origin="owner")
    assert len(home.told()) == 1
    [transcript] = home.place.rglob("sessions/*.jsonl")
    transcript.unlink()
    assert home.told() == []


def test_a_turn_stands_behind_what_was_learned_from_it_since(home: Home) -> None:
    soul = home.warm
    turn = soul.append("cli:main", "user", "Ana keeps the boat in Cadiz.", origin="owner")
    assert home.told() == [turn.text]

    learned = soul.memory.learn("boat", "is moored at the pier", kind="fact", evidence=[turn.id]).memory
    assert learned
    assert len(home.told()) == 1
    soul.forget(learned.id)
    assert home.told() == []

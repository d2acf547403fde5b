"""A reflection is one run: it is done once, and one that was stopped is begun anew."""

import re
import shutil
from collections.abc import Sequence
from datetime import UTC, date
from pathlib import Path
from typing import Any

import pytest

import almario
from almario.becoming.exploring import Explored
from almario.becoming.reflecting import Reflected
from almario.becoming.rules.items import items_of
from almario.becoming.rules.reflections import NIGHT
from almario.becoming.settings import ReflectionSettings
from almario.domain.events import Actor, Body, Event, Filing
from almario.domain.memories import Wanted
from almario.domain.messages import Sentence
from almario.domain.model import Query
from almario.domain.soul_events import (
    Design,
    Finding,
    ReflectionBegun,
)
from almario.domain.talk import Ask
from almario.errors import BadReply, LLMUnavailable
from almario.memory.telling import Listener
from almario.soul import Soul
from almario.store.files import locked
from almario.store.folder import FolderStore
from almario.store.journal import Appender
from almario.testing import FixedClock, ScriptedLLM
from tests.becoming.reflecting import (
    DESIGN,
    TEA,
    answer,
    contents,
    lines,
    noticing,
    reflection_of,
    thinking,
)
from tests.effort import every
from tests.killed import Killed

pytestmark = pytest.mark.light

ENTRY = "memory/reflections/2026-11-14.md"
TODAY = date(2026, 11, 14)


@pytest.fixture
def lived(soul: Soul) -> Soul:
    """A soul with a day behind it."""
    soul.remember("likes: tea")
    soul.log("Ana came by")
    return soul


def state(soul: Soul) -> dict[str, Any]:
    """Return the end state: all that can be read, and what the journal says of the ends of reflections.

    What changed is told of a run that was begun anew without what had been changed by then.
    """
    # MEMORY.md says for which line of the journal it was written.
    texts = {
        name: text
        for name, text in contents(soul).items()
        if name.endswith(".md") and name != "MEMORY.md" and not name.startswith(".versions/")
    }
    texts = {name: re.sub(rb"(?m)^(Changes|- changed): .*", b"", text) for name, text in texts.items()}
    return {**texts, "journal": [body for body in lines(soul) if not isinstance(body, ReflectionBegun)]}


def test_a_reflection_leaves_its_beginning_its_end_and_its_entry(lived: Soul) -> None:
    done = reflection_of(lived, noticing(TEA)).run()

    begun, ended = lines(lived)
    assert (begun.id, begun.since, begun.upto) == ("2026-11-14-1", "", "2026-11-14T13:30:00.000Z")
    assert (ended.id, ended.outcome) == (done.id, "done")
    [memory], [proposal] = lived.memory.list(), done.applied.proposals
    assert begun.evidence == (memory.id,)
    assert done.entry == ENTRY
    assert lived.read(ENTRY).text == (
        "# Reflections: 2026-11-14\n\n"
        "## [13:30] 2026-11-14-1 (on request)\n\n"
        "I looked at my days.\n\n"
        f"### Findings\n\n- people: Ana likes tea. ({memory.id})\n\n"
        f"### Changes\n\n- changed: MOTIVATIONS.md, reflection of 2026-11-14 ({proposal.id})\n\n"
        "### Goals\n\n- goal added: Ana likes tea.\n"
    )


@pytest.mark.folder
def test_if_nothing_is_new_nobody_is_asked_and_the_night_counts(soul: Soul) -> None:
    llm = noticing(TEA)
    reflection = reflection_of(soul, llm)

    done = reflection.run(trigger=NIGHT, day=TODAY)

    assert (done.why, done.entry, llm.asked) == (None, "", [])
    night = reflection.latest()
    assert night is not None
    assert night.day == TODAY
    assert not (soul.path / "memory/reflections").exists()


def test_a_night_that_is_done_needs_no_model(lived: Soul) -> None:
    first = reflection_of(lived, noticing(TEA)).run(trigger=NIGHT, day=TODAY)

    assert reflection_of(lived, None).run(trigger=NIGHT, day=TODAY) == Reflected(first.id)


def test_a_night_that_another_process_does_meanwhile_is_done_once(lived: Soul) -> None:
    def meanwhile(job: str) -> ScriptedLLM:
        reflection_of(lived, noticing(TEA)).run(trigger=NIGHT, day=TODAY)
        return noticing(TEA)

    done = reflection_of(lived, None, learner=meanwhile).run(trigger=NIGHT, day=TODAY)

    assert done == Reflected("2026-11-14-1")
    assert len([body for body in lines(lived) if isinstance(body, ReflectionBegun)]) == 1


@pytest.mark.parametrize(
    "failure", [LLMUnavailable("it is asleep"), BadReply("it answered nonsense")], ids=["gone", "bad"]
)
def test_a_model_that_fails_is_told_and_waits_until_it_does_not(lived: Soul, failure: Exception) -> None:
    done = reflection_of(lived, ScriptedLLM(failure)).run()

    assert str(failure) in str(done.why)
    assert str(failure) in lived.tidying.waiting()["reflection"]
    assert lines(lived) == []
    again = reflection_of(lived, noticing(TEA)).run()
    assert (again.id, again.why) == (done.id, None)
    assert "reflection" not in lived.tidying.waiting()


@pytest.mark.parametrize("takes_out", ["forget", "purge"])
def test_what_is_taken_out_while_the_model_thinks_is_not_wanted_any_more(soul: Soul, takes_out: str) -> None:
    drink = "green tea with Ana at five"
    soul.remember(f"drink: {drink}")
    goals, focus = soul.read("GOALS").text, items_of(soul.read("MOTIVATIONS").text, "Current Focus")
    wish = {"evidence": ["M1"], "file": "MOTIVATIONS.md", "title": "Current Focus", "body": drink}

    def think(ask: Ask) -> str:
        if takes_out == "purge":
            soul.memory.purge(soul.memory.plan_purge("drink"))
        else:
            soul.forget("drink")
        return answer(TEA, changes=[wish], goals=DESIGN["goals"], journal=drink)

    done = reflection_of(soul, ScriptedLLM(think)).run()

    why = "something was erased in the meantime; try again" if takes_out == "purge" else None
    assert (done.why, done.design._replace(of="")) == (why, Design())
    assert soul.read("GOALS").text == goals
    assert items_of(soul.read("MOTIVATIONS").text, "Current Focus") == focus
    assert drink not in soul.read(ENTRY).text


def kills(monkeypatch: pytest.MonkeyPatch, at: int, *, after: bool) -> None:
    """Let the process die at its line number *at* of the journal, before or after it is written."""
    append, count = Appender.append, [0]

    def appended(self: Appender, body: Body, *, actor: Actor, filings: tuple[Filing, ...] = ()) -> Event:
        count[0] += 1
        if count[0] == at and not after:
            raise Killed
        event = append(self, body, actor=actor, filings=filings)
        if count[0] == at:
            raise Killed
        return event

    monkeypatch.setattr(Appender, "append", appended)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_killed_at_any_line_it_comes_to_the_same_end(
    lived: Soul, home: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, after: bool
) -> None:
    def reflect(name: str) -> Soul:
        soul = almario.open(tmp_path / name, clock=clock)
        llm = ScriptedLLM(thinking)
        reflection_of(soul, llm, explorer=lambda _: Web()).run(trigger=NIGHT, day=TODAY)
        return soul

    shutil.copytree(home, tmp_path / "unbroken")
    end = state(reflect("unbroken"))
    assert end["memory/explored/2026-11-14.md"].count(b"Galicia") == 1
    for at in every(9, range(1, 60), start=4 * after):
        name = f"broken{at}"
        shutil.copytree(home, tmp_path / name)
        with monkeypatch.context() as patched:
            kills(patched, at, after=after)
            try:
                reflect(name)
                break
            except Killed:
                pass
        assert state(reflect(name)) == end, f"killed at line {at}"
    assert at > 5


@pytest.mark.folder
def test_one_whose_beginning_was_lost_does_not_give_its_name_to_another(lived: Soul) -> None:
    llm = noticing(TEA)
    reflection_of(lived, llm).run()
    for path in (lived.path / "journal").glob("*.jsonl"):
        path.write_bytes(
            path.read_bytes().replace(b'"type":"reflection.begun"', b'"type":"reflection.bygone"')
        )
    assert FolderStore(lived.path, FixedClock(), UTC).mend_journal()

    again = reflection_of(lived, llm).run()

    assert again.id == "2026-11-14-2"
    assert again.findings


@pytest.mark.folder
def test_no_model_is_asked_while_the_agents_lock_is_held(lived: Soul) -> None:
    def look(ask: Ask) -> str:
        with locked(lived.path / ".lock", seconds=0):
            return thinking(ask)

    assert reflection_of(lived, ScriptedLLM(look)).run().why is None


def test_without_a_model_nothing_is_recorded(lived: Soul) -> None:
    with pytest.raises(LLMUnavailable, match="almario model"):
        reflection_of(lived, None).run(trigger=NIGHT, day=TODAY)

    assert lines(lived) == []


def test_goals_are_left_alone_if_that_is_wanted(lived: Soul) -> None:
    before = lived.read("GOALS").text

    done = reflection_of(lived, noticing(TEA), ReflectionSettings(goals=False)).run()

    assert done.applied.goals == ()
    assert lived.read("GOALS").text == before


class Web:
    """An explorer that finds one page."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def explore(self, questions: Sequence[str]) -> Explored:
        self.asked += questions
        found = Explored([Finding("breadth", "Tea grows in Galicia.", (), "https://tea.example/")])
        found.told = (Sentence("one page could not be had"),)
        return found


def test_what_the_web_says_is_filed_apart_and_told_to_the_architect_apart(lived: Soul) -> None:
    web, llm = Web(), noticing(TEA)

    done = reflection_of(lived, llm, explorer=lambda llm: web).run()

    assert web.asked[0] == "What do they wish someone remembered for them?"
    assert ["Galicia" in str(ask) for ask in llm.asked] == [False, True]
    assert "Galicia" not in lived.read(ENTRY).text
    assert "[untrusted] Tea grows in Galicia." in lived.read("memory/explored/2026-11-14.md").text
    assert [str(each) for each in done.told] == ["one page could not be had"]


@pytest.mark.folder
def test_a_purge_takes_out_what_reflections_made_of_it_in_other_words(lived: Soul) -> None:
    lived.remember("secret love: Carmen from the bakery")
    [memory] = lived.memory.list(Wanted(keys=("secret love",)))
    told = "My human fancies a secret love."
    reflection_of(lived, noticing(("people", told, ["M2"]))).run()
    lived.proposals.propose(
        "SOUL", lived.read("SOUL").text + "\nI am discreet.\n", reason=told, evidence=(memory.id,)
    )
    lived.proposals.accept(lived.proposals.list()[-1].id)
    assert "fancies" in lived.read(ENTRY).text

    lived.memory.purge(lived.memory.plan_purge(memory.id))

    left = [name for name, content in contents(lived).items() if b"fancies" in content]
    assert [name for name in left if "GOALS.md" not in name] == []  # what came of it is the owner's to edit
    assert lived.read(ENTRY).text.endswith("-1 (on request)\n\n[erased]\n\n")
    assert [each.state for each in lived.proposals.list(every=True)][-1] == "accepted"
    assert lived.check() == []


@pytest.mark.usefixtures("soul")
def test_a_purge_takes_out_what_a_failure_quotes(home: Path) -> None:
    soul = almario.open(home, llm=ScriptedLLM("Ana fancies Carmen, I would say"))
    soul.remember("secret love: Carmen in Lima")
    assert "fancies" in str(soul.reflection.run().why)
    assert "fancies" in soul.memory.waiting("reflection")

    soul.memory.purge(soul.memory.plan_purge("secret love"))

    assert soul.memory.waiting("reflection").endswith('it began "erased"')
    assert "fancies" not in "".join(path.read_text() for path in soul.path.rglob("*.jsonl"))


def test_a_purge_leaves_other_reflections_as_they_are(lived: Soul) -> None:
    reflection_of(lived, noticing(TEA)).run()
    before = lived.read(ENTRY).text
    lived.remember("shoe size: 43")
    [memory] = lived.memory.list(Wanted(keys=("shoe size",)))

    lived.memory.purge(lived.memory.plan_purge(memory.id))

    assert lived.read(ENTRY).text == before


def test_a_fact_that_was_forgotten_does_not_come_back_through_the_reflection_journal(lived: Soul) -> None:
    reflection_of(lived, noticing(("people", "The owner likes tea very much.", ["M1"]))).run()
    lived.forget("likes")

    unasked = lived.memory.recall(Query("does the owner like tea very much?"), Listener(has_asked=False))
    hits = lived.recall("does the owner like tea very much?")

    assert not [hit for hit in unasked if hit.place.startswith("memory/reflections/")]
    assert [hit for hit in hits if hit.place.startswith(ENTRY)]


@pytest.mark.folder
def test_the_model_is_told_what_waits_for_an_answer_and_nothing_that_is_a_strangers(soul: Soul) -> None:
    soul.remember("Ana: likes tea")
    text = soul.read("SOUL").text
    soul.proposals.propose("SOUL.md", text + "\n## Patience\n\nI wait.\n", reason="She is slow")
    soul.proposals.propose(
        "MOTIVATIONS.md",
        soul.read("MOTIVATIONS").text.replace(
            "## Open Questions\n", "## Open Questions\n\n- Who is Mallory?\n"
        ),
        reason="A page says so",
        origin="untrusted",
    )
    llm = ScriptedLLM(thinking)

    almario.open(soul.path.parent.parent, llm=llm, clock=FixedClock()).reflection.run()

    shown = llm.asked[0].messages[0].text
    assert "- SOUL.md: ## Patience I wait. (She is slow)" in shown
    assert "Mallory" not in shown

"""A reflection is done once, whatever stops it on its way, and goes on from where it was."""

import shutil
from collections.abc import Iterator, Sequence
from datetime import UTC, date
from pathlib import Path
from typing import Any

import pytest

import almario
from almario.becoming.exploring import Explored
from almario.becoming.phases import Reflected
from almario.becoming.rules.items import items_of
from almario.becoming.rules.reflections import NIGHT, PHASES
from almario.becoming.settings import ReflectionSettings
from almario.domain.events import Actor, Body, Event, Filing
from almario.domain.memories import Wanted
from almario.domain.messages import Sentence
from almario.domain.model import Query
from almario.domain.soul_events import (
    Design,
    Finding,
    ReflectionApplied,
    ReflectionBegun,
    ReflectionDesigned,
    ReflectionEnded,
    ReflectionGathered,
    ReflectionMirrored,
    ReflectionStep,
)
from almario.domain.talk import Ask
from almario.errors import BadReply, LLMUnavailable
from almario.soul import Soul
from almario.store.files import locked
from almario.store.folder import FolderStore
from almario.store.journal import Appender
from almario.testing import FixedClock, ScriptedLLM
from tests.becoming.reflecting import (
    DESIGN,
    TEA,
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
    """Return the end state: all that can be read, and what the journal says of reflections."""
    # MEMORY.md says for which line of the journal it was written.
    texts = {
        name: text for name, text in contents(soul).items() if name.endswith(".md") and name != "MEMORY.md"
    }
    return {**texts, "journal": [body for body in lines(soul) if not isinstance(body, ReflectionBegun)]}


def test_a_reflection_leaves_its_steps_its_end_and_its_entry(lived: Soul) -> None:
    done = reflection_of(lived, noticing(TEA)).run()

    begun, *steps, ended = lines(lived)
    assert (begun.id, begun.since, begun.upto) == ("2026-11-14-1", "", "2026-11-14T13:30:00.000Z")
    assert [type(step) for step in steps] == [
        ReflectionGathered,
        ReflectionDesigned,
        ReflectionApplied,
    ]
    assert (ended.id, ended.outcome) == (done.id, "done")
    [memory], [proposal] = lived.memory.list(), done.applied.proposals
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
    assert reflection.last_night() == TODAY
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


def test_a_night_finishes_what_was_left_before_it_begins(lived: Soul) -> None:
    reflection_of(lived, ScriptedLLM(LLMUnavailable("no"))).run()
    lived.remember("likes: cake")

    done = reflection_of(lived, noticing(TEA)).run(trigger=NIGHT, day=TODAY)

    assert done.id == "2026-11-14-2"
    ended = [(body.id, body.outcome) for body in lines(lived) if isinstance(body, ReflectionEnded)]
    assert ended == [("2026-11-14-1", "done"), ("2026-11-14-2", "done")]


def test_while_what_was_left_fails_nothing_is_begun(lived: Soul) -> None:
    llm = ScriptedLLM(LLMUnavailable("no"))
    reflection_of(lived, llm).run()

    done = reflection_of(lived, llm).run(trigger=NIGHT, day=TODAY)

    assert (done.id, str(done.why)) == ("2026-11-14-1", "no")
    assert len([body for body in lines(lived) if isinstance(body, ReflectionBegun)]) == 1


@pytest.mark.parametrize(
    "failure", [LLMUnavailable("it is asleep"), BadReply("it answered nonsense")], ids=["gone", "bad"]
)
def test_a_model_that_fails_is_told_and_waits_until_it_does_not(lived: Soul, failure: Exception) -> None:
    done = reflection_of(lived, ScriptedLLM(failure)).run()

    assert str(failure) in str(done.why)
    assert str(failure) in lived.tidying.waiting()["reflection"]
    assert [type(body).__name__ for body in lines(lived)] == ["ReflectionBegun", "ReflectionGathered"]
    again = reflection_of(lived, noticing(TEA)).run()
    assert (again.id, again.why) == (done.id, None)
    assert "reflection" not in lived.tidying.waiting()


def stopped(soul: Soul, llm: ScriptedLLM) -> None:
    """Reflect, and be killed before anything is applied."""

    def stop(phase: str) -> None:
        if phase == "apply":
            raise Killed

    with pytest.raises(Killed):
        reflection_of(soul, llm).run(hear=stop)


@pytest.mark.parametrize("takes_out", ["forget", "purge"])
def test_what_is_forgotten_before_it_is_applied_is_not_wanted_any_more(soul: Soul, takes_out: str) -> None:
    drink = "green tea with Ana at five"
    soul.remember(f"drink: {drink}")
    wish = {"evidence": ["M1"], "file": "MOTIVATIONS.md", "title": "Current Focus", "body": drink}
    llm = noticing(TEA, changes=[wish], goals=DESIGN["goals"], journal=drink)
    stopped(soul, llm)
    goals, focus = soul.read("GOALS").text, items_of(soul.read("MOTIVATIONS").text, "Current Focus")
    if takes_out == "purge":
        soul.memory.purge(soul.memory.plan_purge("drink"))
    else:
        soul.forget("drink")

    done = reflection_of(soul, llm).run()

    assert (done.why, done.design._replace(of="")) == (None, Design())
    assert soul.read("GOALS").text == goals
    assert items_of(soul.read("MOTIVATIONS").text, "Current Focus") == focus
    assert drink not in soul.read(ENTRY).text


def test_what_a_purge_has_left_of_a_finding_is_none(lived: Soul) -> None:
    lived.remember("secret love: Carmen from the bakery")
    said = (("people", "Likes tea.", ["M1"]), ("people", "Secret love.", ["M2"]))
    stopped(lived, noticing(*said))

    lived.memory.purge(lived.memory.plan_purge("secret love"))

    assert reflection_of(lived, noticing(*said)).run().findings == ()


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
    assert at > len(PHASES)


def test_one_that_an_earlier_version_left_between_noticing_and_wanting_is_gone_on_with(lived: Soul) -> None:
    left = reflection_of(lived, ScriptedLLM(LLMUnavailable("no"))).run()
    lived._vault.record(ReflectionMirrored(left.id, (Finding("people", "Ana came.", ()),)), actor="agent")

    done = reflection_of(lived, noticing(TEA)).run()

    assert (done.id, done.why, [each.text for each in done.findings]) == (left.id, None, ["Ana likes tea."])


def test_what_is_too_old_is_abandoned_and_its_days_fall_to_the_next(lived: Soul, clock: FixedClock) -> None:
    reflection_of(lived, ScriptedLLM(LLMUnavailable("no"))).run()
    clock.advance(days=4)

    done = reflection_of(lived, noticing(TEA)).run()

    ended = [body for body in lines(lived) if isinstance(body, ReflectionEnded)]
    assert [(body.id, body.outcome) for body in ended] == [
        ("2026-11-14-1", "abandoned"),
        ("2026-11-18-1", "done"),
    ]
    assert ended[0].why == "it was not finished for 3 days"
    assert done.material
    assert len(done.material.sources) == 2


@pytest.mark.folder
def test_what_was_applied_is_finished_however_old_it_is(
    lived: Soul, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = Appender.append

    def stopped(self: Appender, body: Body, **how: Any) -> Event:
        if isinstance(body, ReflectionEnded):
            raise Killed
        return append(self, body, **how)

    with monkeypatch.context() as patched:
        patched.setattr(Appender, "append", stopped)
        with pytest.raises(Killed):
            reflection_of(lived, noticing(TEA)).run()
    clock.advance(days=4)

    done = reflection_of(lived, noticing(TEA)).run()

    assert (done.id, done.entry) == ("2026-11-14-1", ENTRY)
    assert len([goal for goal in lived.goals.all() if goal.text == "Ana likes tea."]) == 1


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


def test_goals_are_left_alone_if_that_is_wanted_only_after_they_were_designed(lived: Soul) -> None:
    before = lived.read("GOALS").text
    stopped(lived, noticing(TEA))

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


def test_what_the_web_said_is_not_looked_for_again(lived: Soul) -> None:
    web = Web()
    reflection_of(lived, noticing(TEA, pages=LLMUnavailable("no")), explorer=lambda llm: web).run()
    web.asked = []

    done = reflection_of(lived, noticing(TEA), explorer=lambda llm: web).run()

    assert (web.asked, [finding.url for finding in done.explored]) == ([], ["https://tea.example/"])
    assert lived.read("memory/explored/2026-11-14.md").text.count("Galicia") == 1


def steps(soul: Soul) -> Iterator[ReflectionStep]:
    return (body for body in lines(soul) if isinstance(body, ReflectionStep))


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

    unasked = lived.memory.candidates(Query("does the owner like tea very much?"))
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

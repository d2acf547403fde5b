"""A design is applied exactly once: what may be changed unasked is, the rest waits, goals move together."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import almario
from almario.becoming.applying import Applied, Applying
from almario.becoming.proposals import Proposals
from almario.becoming.rules.items import items_of, with_items
from almario.becoming.rules.motivations import LAST_REFLECTION
from almario.becoming.settings import ProposalSettings
from almario.domain.documents.goal_list import GoalUpdate
from almario.domain.documents.headings import section_body, with_section
from almario.domain.messages import Sentence
from almario.domain.soul_events import Design, Refused, SectionEdit
from almario.soul import Soul
from almario.store import replacing
from almario.store.journal import Appender
from almario.store.versions import FolderVersions
from almario.testing import FixedClock
from tests.becoming.designing import BEGUN, DRIVES, PAGE, PATIENCE
from tests.effort import every
from tests.killed import Killed

pytestmark = pytest.mark.light

FOCUS = SectionEdit("MOTIVATIONS.md", "Current Focus", "- Ana's move", "She moves", ("GOALS.md",))
SEEN = SectionEdit("MOTIVATIONS.md", "Self-Observations", "- I rush.\n- I listen.", "It shows", ("USER.md",))
DRIVE = SectionEdit(
    "MOTIVATIONS.md",
    "Core Drives",
    "\n".join(f"- {each}" for each in (*DRIVES, "To wait.")),
    "It shows",
    ("USER.md",),
)
PATCH = SectionEdit("SOUL.md", "Patience", PATIENCE, "It shows", ("USER.md",))
STRANGE = SectionEdit("MOTIVATIONS.md", "Open Questions", "- Is that so?", "A page says so", (PAGE.url,))
NO = Refused(
    SectionEdit("MOTIVATIONS.md", "Core Drives", "- To obey.", "", ("USER.md",)),
    Sentence.own("it is no principle"),
)
WHOLE = Design(
    edits=(FOCUS, SEEN, DRIVE, PATCH),
    goals=(GoalUpdate("add", "Ask about the move", evidence=("USER.md",)),),
    entry="I looked.",
    refused=(NO,),
    strange=(STRANGE,),
)


def apply(soul: Soul, design: Design = WHOLE) -> Applied:
    return Applying(soul.goals, soul.proposals).apply(BEGUN, design)


def told(soul: Soul) -> dict[str, tuple[str, str, str]]:
    return {p.id: (p.state, p.file, p.after) for p in soul.proposals.list(every=True)}


def last_reflection(soul: Soul) -> list[str]:
    return section_body(soul.read("MOTIVATIONS").text, LAST_REFLECTION).strip().split("\n")


def test_what_may_go_unasked_is_one_change_with_the_last_reflection_in_it(soul: Soul) -> None:
    versions = len(soul.history("MOTIVATIONS"))

    applied = apply(soul)

    motives = soul.read("MOTIVATIONS").text
    assert "- Ana's move\n" in section_body(motives, "Current Focus")
    assert "- I rush.\n- I listen.\n" in section_body(motives, "Self-Observations")
    assert len(soul.history("MOTIVATIONS")) == versions + 1
    changes = "Current Focus, Self-Observations, GOALS.md; proposed: Core Drives, SOUL.md"
    assert last_reflection(soul) == ["Date: 2026-11-14", "Trigger: on request", f"Changes: {changes}"]
    assert applied.proposals[0].state == "accepted"
    assert applied.goals == ("goal added: Ask about the move",)


@pytest.mark.folder
def test_a_line_that_is_told_without_its_secrets_keeps_them(soul: Soul) -> None:
    there = ["Pay with 4111 1111 1111 1111", "Call Ana, +34 600 000 001", "Call Ana, +34 600 000 002"]
    path = soul.path / "MOTIVATIONS.md"
    path.write_text(with_items(path.read_text(), "Current Focus", there))
    told = [soul.memory.redact.text(line) for line in there]
    assert told[0] == "Pay with [redacted:card]"

    lines = "".join(f"- {line}\n" for line in (*told, "Rest"))
    apply(soul, Design(edits=(FOCUS._replace(body=lines),)))

    assert items_of(soul.read("MOTIVATIONS").text, "Current Focus") == [*there, "Rest"]


@pytest.mark.folder
def test_a_section_of_the_soul_that_is_told_without_its_secrets_keeps_them(soul: Soul) -> None:
    path = soul.path / "SOUL.md"
    path.write_text(with_section(path.read_text(), "Habits", "- I pay with 4111 1111 1111 1111."))
    body = "- I pay with [redacted:card].\n- I take the time that a thing needs, and I say so when I do not."

    applied = apply(soul, Design(edits=(FOCUS._replace(file="SOUL.md", title="Habits", body=body),)))
    soul.proposals.accept(next(each.id for each in applied.proposals if each.file == "SOUL.md"))

    assert "- I pay with 4111 1111 1111 1111.\n- I take the time" in soul.read("SOUL").text


def test_the_rest_waits_each_by_itself_and_says_who_wants_it(soul: Soul) -> None:
    before = soul.read("SOUL").content

    apply(soul)

    waiting = [(p.file, p.origin, p.evidence, (p.by, p.reflection)) for p in soul.proposals.list()]
    by = ("reflection", "2026-11-14-1")
    assert waiting == [
        ("MOTIVATIONS.md", "agent", ("USER.md",), by),
        ("SOUL.md", "agent", ("USER.md",), by),
        ("MOTIVATIONS.md", "untrusted", (PAGE.url,), by),
    ]
    assert soul.read("SOUL").content == before
    assert "To wait." not in soul.read("MOTIVATIONS").text


def test_strange_lines_are_added_to_what_stands_there_and_only_with_consent(soul: Soul) -> None:
    apply(soul, Design(strange=(STRANGE,)))

    assert "Is that so?" not in soul.read("MOTIVATIONS").text
    [waiting] = soul.proposals.list()
    assert [line for line in waiting.diff.splitlines() if line[:1] in "+-"][2:] == ["+- Is that so?"]


def test_what_the_architect_refused_is_there_to_be_seen_with_its_why(soul: Soul) -> None:
    apply(soul)

    [refused] = [p for p in soul.proposals.list(every=True) if p.state == "refused"]
    assert (refused.why, refused.reflection) == ("it is no principle", "2026-11-14-1")
    assert "+- To obey." in refused.diff
    assert refused not in soul.proposals.list()


def test_what_broke_a_rule_since_does_not_cost_the_last_reflection(soul: Soul) -> None:
    long = "".join(f"- Line {n} of many that were here before.\n" for n in range(60))
    document = soul.read("MOTIVATIONS")
    soul.write(document, document.text.replace("## Self-Observations\n", f"## Self-Observations\n\n{long}"))

    applied = apply(soul, Design(edits=(SEEN,)))

    assert [p.state for p in applied.proposals] == ["refused", "accepted"]
    motives = soul.read("MOTIVATIONS").text
    assert "Line 59" in motives
    assert last_reflection(soul)[0] == "Date: 2026-11-14"


def test_what_breaks_a_boundary_waits_and_the_last_reflection_does_not(soul: Soul) -> None:
    document = soul.read("MOTIVATIONS")
    soul.write(document, with_section(document.text, "My limits", "- I never lie.\n"))
    asked = Proposals(soul._vault, soul.memory, ProposalSettings(accept="My limits, Last Reflection"))
    lying = FOCUS._replace(title="My limits", body="- I lie.")

    applied = Applying(soul.goals, asked).apply(BEGUN, Design(edits=(lying,)))

    waiting, day = applied.proposals
    assert (waiting.state, day.state) == ("open", "accepted")
    assert last_reflection(soul)[0] == "Date: 2026-11-14"
    assert asked.accept(waiting.id).state == "accepted"
    assert "I lie." in soul.read("MOTIVATIONS").text


def test_a_design_that_wants_nothing_leaves_the_day_of_the_reflection(soul: Soul) -> None:
    applied = apply(soul, Design())

    assert [p.state for p in applied.proposals] == ["accepted"]
    assert last_reflection(soul)[2] == "Changes: nothing"


def test_a_last_reflection_that_waits_is_one_proposal(soul: Soul) -> None:
    soul.write(soul.read("MOTIVATIONS"), soul.read("MOTIVATIONS").text + "\n## Notes\n\n## Notes\n")

    applied = apply(soul, Design())

    assert [p.state for p in applied.proposals] == ["open"]


WRITES = [(Appender, "append"), (FolderVersions, "put"), (replacing, "replace")]


def test_killed_at_any_write_and_applied_again_the_end_is_the_same(tmp_path: Path, clock: FixedClock) -> None:
    almario.create(tmp_path / "new", clock=clock)
    shutil.copytree(tmp_path / "new", tmp_path / "whole")
    expected = end_state(almario.open(tmp_path / "whole", clock=clock))
    for after in every(13, range(1000)):
        shutil.copytree(tmp_path / "new", tmp_path / f"{after}")
        soul = almario.open(tmp_path / f"{after}", clock=clock)
        with pytest.MonkeyPatch.context() as patch:
            was_killed = killed_at(patch, after, soul)
        assert end_state(almario.open(tmp_path / f"{after}", clock=clock)) == expected
        if not was_killed:
            break
    assert after > 40


def killed_at(patch: pytest.MonkeyPatch, number: int, soul: Soul) -> bool:
    """Apply a design and die before the write with that number, or after it; say whether it came to that."""
    left = [number]

    def dying(write: Callable[..., Any]) -> Callable[..., Any]:
        def attempt(*args: Any, **more: Any) -> Any:
            left[0] -= 1
            if left[0] == -1:
                raise Killed
            done = write(*args, **more)
            left[0] -= 1
            if left[0] == -1:
                raise Killed
            return done

        return attempt

    for owner, name in WRITES:
        patch.setattr(owner, name, dying(getattr(owner, name)))
    try:
        apply(soul)
    except Killed:
        return True
    return False


def end_state(soul: Soul) -> str:
    """Apply the design to its end and return all that can be seen of it."""
    apply(soul)
    names = ("SOUL", "IDENTITY", "MOTIVATIONS", "GOALS")
    texts = {name: soul.read(name).text for name in names}
    versions = {name: [(v.number, v.reason) for v in soul.history(name)] for name in names}
    return json.dumps([texts, versions, told(soul)], indent=1)

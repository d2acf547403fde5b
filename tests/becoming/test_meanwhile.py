"""What others do while a reflection goes on, and what a journal that was mended has lost of one."""

import re
from collections.abc import Callable
from datetime import UTC, date
from typing import Any

import pytest

from almario.becoming import reflecting
from almario.becoming.rules.items import items_of
from almario.becoming.rules.reflections import NIGHT, reflection_filing
from almario.domain.events import Filing
from almario.domain.proposal import Draft
from almario.domain.talk import Ask
from almario.errors import EditConflict
from almario.soul import Soul
from almario.store.folder import FolderStore
from almario.testing import FixedClock, ScriptedLLM
from tests.becoming.reflecting import TEA, answer, contents, reflection_of, thinking

pytestmark = pytest.mark.light

ENTRY = "memory/reflections/2026-11-14.md"
TODAY = date(2026, 11, 14)


@pytest.fixture
def lived(soul: Soul) -> Soul:
    """A soul with a day behind it."""
    soul.remember("likes: tea with Ana")
    return soul


def lose(soul: Soul, *types: str, most: int = -1) -> None:
    """Mend a journal whose lines of these types, the first or all, cannot be read any more."""
    for path in (soul.path / "journal").glob("*.jsonl"):
        content = path.read_bytes()
        for name in types:
            content = content.replace(f'"type":"{name}"'.encode(), b'"type":"?', most)
        path.write_bytes(content)
    assert FolderStore(soul.path, FixedClock(), UTC).mend_journal()


def told(soul: Soul, name: str) -> str:
    """Return a file without what was changed: what stood there when a run was begun anew is no change."""
    return re.sub(r"(?m)^Changes: .*", "", soul.read(name).text)


@pytest.mark.parametrize(
    "lost", [("reflection.ended",), ("reflection.ended", "proposal.made")], ids=["its end", "its proposals"]
)
def test_one_whose_end_was_lost_is_closed_again_and_told_once(
    lived: Soul, reopened: Callable[[], Soul], lost: tuple[str, ...]
) -> None:
    llm = ScriptedLLM(thinking)
    first = reflection_of(lived, llm).run(trigger=NIGHT, day=TODAY)
    names = (ENTRY, "MOTIVATIONS.md", "GOALS.md", "SOUL.md")
    before = [told(lived, name) for name in names]
    lose(lived, *lost)

    soul = reopened()
    again = reflection_of(soul, llm).run(trigger=NIGHT, day=TODAY)

    assert (again.id, again.why) == (first.id, None)
    assert [told(soul, name) for name in names] == before
    night = reflection_of(soul, llm).latest()
    assert night is not None
    assert night.day == TODAY


LOVE = "Carmen from the bakery"


def focus(line: str, *, evidence: str = "M1", reason: str = "She is here.") -> dict[str, Any]:
    """Return a change of Current Focus, as an architect answers it."""
    own = {"file": "MOTIVATIONS.md", "title": "Current Focus", "body": line}
    return {"evidence": [evidence], **own, "reason": reason}


def smitten(meanwhile: Callable[[str], None]) -> ScriptedLLM:
    """Return a model that makes much of the second memory; *meanwhile* happens while it thinks."""
    told = f"I think of {LOVE}, and of that alone."
    wish = focus(told, evidence="M2", reason=told)
    goal = {"evidence": ["M2"], "action": "add", "goal": told}
    said = answer(("people", told, ["M2"]), changes=[wish], goals=[goal], journal=told)

    def say(ask: Ask) -> str:
        meanwhile("architect")
        return said

    return ScriptedLLM(say)


@pytest.mark.parametrize("when", ["architect", "apply", "entry"])
def test_what_is_purged_during_a_reflection_is_not_written_down_again(
    lived: Soul, reopened: Callable[[], Soul], monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    lived.remember(f"secret love: {LOVE}")
    left = [when]

    def purge(phase: str) -> None:
        if phase in left:
            left.remove(phase)
            reopened().memory.purge(reopened().memory.plan_purge("secret love"))

    filing = reflection_filing

    def filed(*given: Any, **more: Any) -> Filing:
        purge("entry")
        return filing(*given, **more)

    monkeypatch.setattr(reflecting, "reflection_filing", filed)

    stopped = reflection_of(lived, smitten(purge)).run(hear=purge if when == "apply" else None)

    assert str(stopped.why) == "something was erased in the meantime; try again"
    done = reflection_of(lived, ScriptedLLM(answer())).run()
    assert (done.id, done.why) == (stopped.id, None)
    assert [name for name, content in contents(lived).items() if b"Carmen" in content] == []
    assert lived.check() == []


def test_what_is_forgotten_while_a_model_thinks_is_not_wanted_or_told(
    lived: Soul, reopened: Callable[[], Soul]
) -> None:
    lived.remember(f"secret love: {LOVE}")

    def forget(phase: str) -> None:
        reopened().forget("secret love")

    done = reflection_of(lived, smitten(forget)).run()

    assert (done.why, done.findings, done.applied.goals) == (None, (), ())
    assert not any("Carmen" in lived.read(name).text for name in (ENTRY, "MOTIVATIONS.md", "GOALS.md"))


def test_what_is_purged_while_a_proposal_is_made_is_not_proposed(
    lived: Soul, reopened: Callable[[], Soul]
) -> None:
    lived.remember(f"secret love: {LOVE}")

    def edit(text: str) -> str:
        reopened().memory.purge(reopened().memory.plan_purge("secret love"))
        return f"{text}\nI like {LOVE}.\n"

    with pytest.raises(EditConflict, match="erased in the meantime"):
        lived.proposals.submit(Draft("SOUL", edit, reason="So it is"))

    assert [name for name, content in contents(lived).items() if b"Carmen" in content] == []


FOCUS = "\n- Mine: to plant the garden\n"


def gardener(edit: Callable[[], None]) -> ScriptedLLM:
    """Return a model that wants a list of its own in Current Focus; *edit* happens while it thinks."""
    wish = focus("Getting to know Ana.")

    def say(ask: Ask) -> str:
        edit()
        return answer(TEA, changes=[wish])

    return ScriptedLLM(say)


@pytest.mark.folder
def test_a_line_that_the_owner_writes_while_a_model_thinks_gives_way_only_if_asked(lived: Soul) -> None:
    def edit() -> None:
        path = lived.path / "MOTIVATIONS.md"
        path.write_text(path.read_text().replace("## Current Focus\n", f"## Current Focus\n{FOCUS}"))

    done = reflection_of(lived, gardener(edit)).run()

    assert [each.state for each in done.applied.proposals] == ["open", "accepted"]
    text = lived.read("MOTIVATIONS").text
    assert FOCUS in text
    assert "Getting to know Ana." not in text
    assert "Date: 2026-11-14" in text
    lived.proposals.accept(done.applied.proposals[0].id)
    assert items_of(lived.read("MOTIVATIONS").text, "Current Focus") == ["Getting to know Ana."]


@pytest.mark.folder
def test_a_purge_takes_out_what_was_only_proposed_in_other_words(lived: Soul) -> None:
    memory = lived.remember(f"secret love: {LOVE}").memory
    assert memory
    soul, told = lived.read("SOUL").text, "My human fancies somebody."
    rejected = lived.proposals.submit(
        Draft("SOUL", lambda text: f"{text}\n{told} A lot.\n", "So it is", (memory.id,))
    )
    lived.proposals.reject(rejected.id, "whom one fancies is a private matter")
    refused = lived.proposals.submit(
        Draft("SOUL", lambda text: told, "So it is", (memory.id,), by="reflection")
    )
    opened = lived.proposals.submit(Draft("SOUL", lambda text: f"{text}\n{told}\n", "So it is", (memory.id,)))
    accepted = lived.proposals.submit(
        Draft("SOUL", lambda text: f"{text}\nI am discreet.\n", "So it is", (memory.id,))
    )
    lived.proposals.accept(accepted.id)

    lived.memory.purge(lived.memory.plan_purge(memory.id))

    assert [name for name, content in contents(lived).items() if b"fancies" in content] == []
    found = [lived.proposals.get(each.id) for each in (rejected, refused, opened, accepted)]
    assert [each.state for each in found] == ["rejected", "refused", "stale", "accepted"]
    assert lived.proposals.get(accepted.id).diff
    assert lived.restore("SOUL", "1").hash
    assert lived.read("SOUL").text == soul
    assert lived.check() == []

"""What is new since the owner was last here, and the way back."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from almario.errors import EditConflict, SoulError
from almario.soul import Soul
from almario.testing import FixedClock

pytestmark = pytest.mark.light


def learned(soul: Soul) -> list[str]:
    return [memory.key for memory in soul.news().learned]


def test_news_are_what_was_learned_since_the_last_visit(soul: Soul, clock: FixedClock) -> None:
    soul.remember("job: designs bridges")
    assert soul.news().since is None
    clock.advance(minutes=1)
    soul.visit("web")
    assert learned(soul) == ["job"]
    clock.advance(hours=2)
    soul.remember("tea: green")

    soul.visit("web")

    assert learned(soul) == ["tea"]
    assert soul.news().since == clock() - timedelta(hours=2)


def test_who_comes_back_soon_sees_the_same_and_writes_nothing(soul: Soul, clock: FixedClock) -> None:
    soul.visit()
    clock.advance(hours=2)
    soul.remember("tea: green")
    clock.advance(minutes=1)
    soul.visit()
    position = soul.position
    clock.advance(minutes=59)

    soul.visit()

    assert (learned(soul), soul.position) == (["tea"], position)
    clock.advance(minutes=1)
    soul.visit()
    assert (learned(soul), soul.position) == ([], position + 1)


def test_a_change_of_a_file_is_taken_back_unless_another_followed(soul: Soul) -> None:
    before = soul.read("SOUL.md")
    soul.write(before, "# Soul\n\nI am brief.\n")
    line = soul.undoable("SOUL.md")

    assert soul.undo(line).file == "SOUL.md"

    assert soul.read("SOUL.md").text == before.text
    with pytest.raises(EditConflict):
        soul.undo(line)
    again = soul.undoable("SOUL.md")
    assert again > line
    soul.undo(again)
    assert soul.read("SOUL.md").text == "# Soul\n\nI am brief.\n"


def test_a_yes_to_a_proposal_is_taken_back_and_it_says_so(soul: Soul, reopened: Callable[[], Soul]) -> None:
    made = soul.proposals.propose("SOUL", soul.read("SOUL").text + "\n- I am brief.\n", reason="shorter")
    soul.proposals.accept(made.id)

    done = soul.undo(soul.undoable("SOUL.md"))

    assert done.proposal is not None
    assert (done.file, done.proposal.id, done.proposal.state) == ("SOUL.md", made.id, "undone")
    assert reopened().proposals.get(made.id).state == "undone"
    assert soul.proposals.list() == []
    with pytest.raises(SoulError, match="was accepted and undone"):
        soul.proposals.accept(made.id)
    soul.undo(soul.undoable("SOUL.md"))  # and back again
    assert soul.proposals.get(made.id).state == "accepted"


def test_what_was_accepted_stays_so_through_other_changes(soul: Soul) -> None:
    first = soul.proposals.propose("SOUL", soul.read("SOUL").text + "\n- I am brief.\n", reason="x").id
    soul.proposals.accept(first)
    second = soul.proposals.propose("SOUL", soul.read("SOUL").text + "\n- I am kind.\n", reason="y").id
    soul.proposals.accept(second)
    versions = len(soul.history("SOUL"))

    def states() -> list[str]:
        return [soul.proposals.get(each).state for each in (first, second)]

    soul.write(soul.read("SOUL"), soul.read("SOUL").text + "\nMy own words.\n")
    assert states() == ["accepted", "accepted"]
    soul.restore("SOUL", str(versions - 1))
    assert states() == ["accepted", "undone"]
    soul.restore("SOUL", str(versions - 2))
    assert states() == ["undone", "undone"]
    soul.restore("SOUL", str(versions))
    assert states() == ["accepted", "accepted"]


def test_a_no_to_a_proposal_is_taken_back(soul: Soul) -> None:
    made = soul.proposals.propose("SOUL", soul.read("SOUL").text + "\n- I am brief.\n", reason="shorter")
    soul.proposals.reject(made.id, "not me")
    line = soul.undoable(made.id)

    back = soul.undo(line).proposal

    assert back is not None
    assert (back.id, back.state) == (made.id, "open")
    with pytest.raises(SoulError):
        soul.undo(line)
    assert soul.proposals.accept(made.id).state == "accepted"


def test_a_memory_is_taken_back_by_its_line_and_what_cannot_be_is_refused(soul: Soul) -> None:
    soul.remember("tea: green")
    gone = soul.forget("tea")

    done = soul.undo(gone.seq)

    assert [memory.key for memory in done.memories] == ["tea"]
    soul.visit()
    for line, why in (
        (soul.position, "is no change that can be undone"),
        (999_999, f"no line 999999; its last is {soul.position}"),
    ):
        with pytest.raises(SoulError, match=why):
            soul.undo(line)


def test_undo_again_and_again_walks_back_through_memories_files_and_goals(soul: Soul) -> None:
    first = soul.remember("tea: green").memory
    assert first is not None
    soul.goals.add("learn to sail")
    soul.memory.change(first.id, "black")
    soul.remember("pet: a cat")
    sails = soul.read("GOALS.md").text

    def tea() -> list[str]:
        return [each.value for each in soul.memory.list() if each.key == "tea"]

    soul.undo()
    assert [each.key for each in soul.memory.list()] == ["tea"]
    soul.undo()
    assert tea() == ["green"]
    assert soul.read("GOALS.md").text == sails
    assert soul.undo().file == "GOALS.md"
    assert "sail" not in soul.read("GOALS.md").text
    again = soul.undo().memories[0].seq
    assert tea() == []
    soul.undo(again)
    assert tea() == ["green"]


def test_an_undo_of_what_was_pruned_is_refused_and_takes_nothing_else_back(soul: Soul) -> None:
    soul.remember("tea: green")
    soul.write(soul.read("SOUL"), "# Soul\n\nI am brief.\n")
    assert soul.prune(keep=1) == 1

    with pytest.raises(SoulError, match=r"of SOUL\.md is no longer kept"):
        soul.undo()

    assert soul.read("SOUL").text == "# Soul\n\nI am brief.\n"
    assert [memory.text for memory in soul.memory.list()] == ["tea: green"]

"""A change to the soul waits for the owner, who can always see it, take it, refuse it and undo it."""

from collections.abc import Callable

import pytest

import almario
from almario.becoming.proposals import Proposals, changes_draft
from almario.domain.memories import Change
from almario.domain.proposal import Proposal
from almario.errors import EditConflict, SoulError, StoreBusy
from almario.memory.facade import Memories
from almario.soul import Soul
from almario.store.folder import FolderStore, FolderWrite

pytestmark = pytest.mark.light

TEA: Change = {"id": "feed00000001", "set": {"kind": "profile", "key": "tea", "value": "hates tea"}}


def wanted(soul: Soul, line: str = "I like trains.") -> str:
    return soul.read("SOUL").text + f"\n{line}\n"


def test_a_proposal_for_a_file_that_has_changed_since_is_stale_and_writes_nothing(soul: Soul) -> None:
    proposal = soul.proposals.propose("SOUL", wanted(soul), reason="x")
    soul.write(soul.read("SOUL"), "# Soul\n\nMy own words.\n")

    assert [p.state for p in soul.proposals.list()] == ["stale"]
    with pytest.raises(EditConflict, match="the file has changed since"):
        soul.proposals.accept(proposal.id)

    assert soul.read("SOUL").text == "# Soul\n\nMy own words.\n"
    assert soul.proposals.list() == []
    assert soul.proposals.get(proposal.id).why == "the file has changed since"
    with pytest.raises(EditConflict):
        soul.proposals.accept(proposal.id)


def test_a_rejected_proposal_says_why_and_cannot_be_accepted(soul: Soul) -> None:
    proposal = soul.proposals.propose("SOUL", wanted(soul), reason="x")

    rejected = soul.proposals.reject(proposal.id, "not you")

    assert (rejected.state, rejected.why) == ("rejected", "not you")
    assert "+I like trains." in rejected.diff
    with pytest.raises(SoulError, match="already been rejected"):
        soul.proposals.accept(proposal.id)
    with pytest.raises(SoulError, match="already been rejected"):
        soul.proposals.reject(proposal.id)


Meanwhile = Callable[[type, str, Callable[[], object]], None]


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Meanwhile:
    """Let another process do something just before the next call of a method."""

    def before(owner: type, name: str, act: Callable[[], object]) -> None:
        method = getattr(owner, name)

        def late(*given: object, **more: object) -> object:
            monkeypatch.setattr(owner, name, method)
            act()
            return method(*given, **more)

        monkeypatch.setattr(owner, name, late)

    return before


def of_a_file(soul: Soul) -> Proposal:
    return soul.proposals.propose("SOUL", wanted(soul), reason="x")


def of_memories(soul: Soul) -> Proposal:
    return soul.proposals.submit_changes([TEA], changes_draft("x"))


@pytest.mark.parametrize(
    ("propose", "theirs", "ours"),
    [
        (of_a_file, "accept", "reject"),
        (of_a_file, "reject", "accept"),
        (of_memories, "accept", "accept"),
        (of_memories, "reject", "accept"),
    ],
)
def test_what_another_process_has_answered_meanwhile_stays_so(
    soul: Soul,
    reopened: Callable[[], Soul],
    meanwhile: Meanwhile,
    propose: Callable[[Soul], Proposal],
    theirs: str,
    ours: str,
) -> None:
    proposal, before, other = propose(soul), soul.read("SOUL").text, reopened()
    meanwhile(FolderStore, "writing", lambda: getattr(other.proposals, theirs)(proposal.id))

    with pytest.raises(SoulError, match=f"already been {theirs}ed"):
        getattr(soul.proposals, ours)(proposal.id)

    assert answers(soul) == [f"{theirs}ed"]
    changed = (soul.read("SOUL").text != before, bool(soul.memory.list()))
    assert changed == (
        theirs == "accept" and propose is of_a_file,
        theirs == "accept" and propose is of_memories,
    )


def answers(soul: Soul) -> list[str]:
    return [event.body.answer for event in soul._vault.journal.select("proposal.answered")]  # type: ignore[union-attr]


def test_nobody_can_reject_between_what_is_remembered_and_its_answer(
    soul: Soul, reopened: Callable[[], Soul], meanwhile: Meanwhile, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposal = of_memories(soul)
    monkeypatch.setenv("ALMARIO_LOCKS_SECONDS", "0.1")
    other = reopened()

    def reject() -> None:
        with pytest.raises(StoreBusy):
            other.proposals.reject(proposal.id)

    meanwhile(Memories, "apply", reject)
    soul.proposals.accept(proposal.id)

    assert answers(soul) == ["accepted"]


def test_what_another_process_has_rejected_does_not_come_back_in_other_words(
    soul: Soul, reopened: Callable[[], Soul], meanwhile: Meanwhile
) -> None:
    proposal = soul.proposals.propose("SOUL", wanted(soul), reason="x")
    other = reopened()
    meanwhile(Proposals, "_make", lambda: other.proposals.reject(proposal.id))

    with pytest.raises(SoulError, match="already been rejected"):
        soul.proposals.rewrite(proposal.id, wanted(soul, "I like boats."))

    assert soul.proposals.get(proposal.id).state == "rejected"


@pytest.mark.folder
def test_what_changes_in_the_file_while_the_owner_words_a_proposal_stays(soul: Soul) -> None:
    proposal = soul.proposals.propose("SOUL", wanted(soul), reason="x")
    path = soul.path / "SOUL.md"
    path.write_text("By hand.\n" + path.read_text())

    soul.proposals.rewrite(
        proposal.id, wanted(soul, "Mine.").removeprefix("By hand.\n"), base=proposal.before
    )
    accepted = soul.proposals.accept(proposal.id)

    assert accepted.state == "accepted"
    assert path.read_text() == "By hand.\n" + proposal.before + "\nMine.\n"
    again = soul.proposals.propose("SOUL", wanted(soul), reason="x")
    with pytest.raises(EditConflict, match="the file has changed since"):
        soul.proposals.rewrite(again.id, "Other.\n" + again.before, base="Once.\n" + again.before)


def test_the_same_change_is_proposed_once(soul: Soul, reopened: Callable[[], Soul]) -> None:
    one = soul.proposals.propose("SOUL", wanted(soul), reason="x")
    other = reopened().proposals.propose("SOUL", wanted(soul), reason="y")

    assert other == one
    soul.proposals.reject(one.id)
    assert soul.proposals.propose("SOUL", wanted(soul), reason="z").id != one.id


@pytest.mark.parametrize("file", ["GOALS", "USER", "AGENTS", "TOOLS", "MEMORY.md", "../SOUL.md"])
def test_only_the_three_files_of_the_self_are_proposed_for(soul: Soul, file: str) -> None:
    with pytest.raises(SoulError):
        soul.proposals.propose(file, "text\n" * 50, reason="x")


def test_what_stands_there_already_is_not_proposed(soul: Soul) -> None:
    text = soul.read("SOUL").text
    for same in (text, text.rstrip("\n")):
        with pytest.raises(SoulError, match="nothing would change"):
            soul.proposals.propose("SOUL", same, reason="x")

    assert soul.proposals.list() == []


def test_windows_line_endings_stay(soul: Soul) -> None:
    soul.write(soul.read("SOUL"), "# Soul\r\n\r\nDry.\r\n")

    proposal = soul.proposals.propose("SOUL", "# Soul\n\nDry.\nKind.\n", reason="x")
    soul.proposals.accept(proposal.id)

    assert soul.read("SOUL").content == b"# Soul\r\n\r\nDry.\r\nKind.\r\n"


def test_killed_between_the_write_and_the_answer_it_shows_as_accepted(
    soul: Soul, reopened: Callable[[], Soul], monkeypatch: pytest.MonkeyPatch
) -> None:
    proposal = soul.proposals.propose("SOUL", wanted(soul), reason="x")
    rewrite = FolderWrite.change_soul

    def killed(self: FolderWrite, *args: object, **kwargs: object) -> None:
        rewrite(self, *args, **kwargs)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(FolderWrite, "change_soul", killed)
        with pytest.raises(KeyboardInterrupt):
            soul.proposals.accept(proposal.id)

    again = reopened()
    assert again.proposals.list() == []
    assert again.proposals.get(proposal.id).state == "accepted"
    again.write(again.read("SOUL"), "# Soul\n\nLater words.\n")
    assert again.proposals.get(proposal.id).state == "accepted"


def test_a_proposal_whose_text_was_purged_is_stale(soul: Soul) -> None:
    memory = soul.remember("secret: the blue heron sings at noon").memory
    assert memory
    proposal = soul.proposals.propose("SOUL", wanted(soul, "the blue heron sings at noon"), reason="x")

    soul.memory.purge(soul.memory.plan_purge(memory.id))

    found = soul.proposals.get(proposal.id)
    assert (found.state, found.why) == ("stale", "its text is no longer kept")
    assert found.diff == ""
    with pytest.raises(EditConflict, match="no longer kept"):
        soul.proposals.accept(proposal.id)


def retiring(*ids: str) -> list[Change]:
    return [{"id": each, "set": {"state": "retired"}} for each in ids]


def remembered(soul: Soul, text: str) -> str:
    memory = soul.remember(text).memory
    assert memory
    return memory.id


def test_changes_to_memories_wait_and_are_made_where_they_still_can_be(soul: Soul) -> None:
    tea, cat = remembered(soul, "drink: tea at five"), remembered(soul, "pet: a cat called Michi")
    proposal = soul.proposals.submit_changes(retiring(tea, cat), changes_draft("Said elsewhere"))
    assert soul.proposals.submit_changes(retiring(tea, cat), changes_draft("again")).id == proposal.id
    assert "-- drink: tea at five" in proposal.diff
    assert len(soul.memory.list()) == 2
    soul.forget(tea)

    accepted = soul.proposals.accept(proposal.id)

    assert accepted.state == "accepted"
    assert soul.memory.list() == []
    assert soul.memory.history(cat)[-1].verb == "accepted"
    assert soul.memory.history(tea)[-1].verb == "forgotten"
    soul.memory.undo()
    assert [memory.id for memory in soul.memory.list()] == [cat]
    assert soul.proposals.get(proposal.id).state == "undone"


def test_two_become_one_only_while_one_of_them_is_left(soul: Soul) -> None:
    one, two = remembered(soul, "drink: tea at five"), remembered(soul, "habit: tea with milk")
    fields = {"key": "drink", "value": "tea with milk at five", "source": "auto", "origin": "owner"}
    merged: Change = {"id": "feedfacecafe", "set": fields}
    by = {"state": "superseded", "by": "feedfacecafe"}
    changes: list[Change] = [merged, {"id": one, "set": dict(by)}, {"id": two, "set": dict(by)}]
    proposal = soul.proposals.submit_changes(changes, changes_draft("One thing"))
    soul.forget(one)
    soul.forget(two)

    with pytest.raises(EditConflict, match="no longer in use"):
        soul.proposals.accept(proposal.id)

    assert soul.memory.list() == []
    assert soul.proposals.get(proposal.id).state == "stale"


def test_changes_that_were_made_and_not_answered_show_as_accepted(soul: Soul) -> None:
    tea = remembered(soul, "drink: tea at five")
    proposal = soul.proposals.submit_changes(retiring(tea), changes_draft("x"))

    soul.memory.apply(proposal.changes)

    assert soul.proposals.get(proposal.id).state == "accepted"


@pytest.mark.folder
def test_a_purge_takes_the_words_out_of_proposed_changes(soul: Soul) -> None:
    tea = remembered(soul, "drink: tea at five with the heron")
    fields = {"key": "drink", "value": "tea at five with the heron, always", "origin": "owner"}
    changes: list[Change] = [{"id": tea, "set": fields}]
    proposal = soul.proposals.submit_changes(
        changes, changes_draft("so that tea at five with the heron is clear")
    )
    assert "heron" in soul.proposals.list()[0].reason

    soul.memory.purge(soul.memory.plan_purge(tea))

    assert "heron" not in str(soul.proposals.get(proposal.id))
    assert "heron" not in "".join(path.read_text() for path in (soul.path / "journal").glob("*.jsonl"))
    with pytest.raises(EditConflict, match="no longer in use"):
        soul.proposals.accept(proposal.id)


@pytest.mark.folder
def test_without_versions_a_proposal_still_works(soul: Soul) -> None:
    (soul.path / "agent.toml").write_text("[versions]\nenabled = false\n")
    plain = almario.open(soul.path.parent.parent)
    proposal = plain.proposals.propose("SOUL", wanted(plain), reason="x")

    assert plain.proposals.accept(proposal.id).state == "accepted"
    assert plain.read("SOUL").text == proposal.after

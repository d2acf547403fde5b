"""A soul is measured against its baseline, which nothing but the owner moves."""

from collections.abc import Sequence
from datetime import UTC
from pathlib import Path

import pytest

import almario
from almario.becoming.drift import Drifting
from almario.becoming.rules.distance import PINNED, DriftStep
from almario.domain.documents.document import digest
from almario.domain.messages import NOTHING, Sentence
from almario.domain.soul_events import (
    Answer,
    Drift,
    DriftMeasured,
    ProposalAnswered,
    ProposalMade,
    SoulPinned,
)
from almario.errors import EmbedderUnavailable, MissingExtra, SoulError
from almario.ports import Vector
from almario.soul import Soul
from almario.store.folder import FolderStore
from almario.testing import FixedClock, WordEmbedder


@pytest.fixture
def drifting(vault: FolderStore) -> Drifting:
    write(vault, "I am calm. I like bees.\n")
    write(vault, "name: Nara\n", "IDENTITY.md")
    write(vault, "## Core Drives\n\n- To wait.\n", "MOTIVATIONS.md")
    return Drifting(vault, None)


def write(vault: FolderStore, text: str, file: str = "SOUL.md", reason: str = "written") -> None:
    vault.write_soul(vault.read(file), text, actor="owner", reason=reason)


def measured(vault: FolderStore) -> list[DriftMeasured]:
    return [event.body for event in vault.journal.read() if isinstance(event.body, DriftMeasured)]


class Broken(WordEmbedder):
    """An embedder that cannot be reached, and counts how often that was tried."""

    def __init__(self, why: Exception) -> None:
        super().__init__()
        self.tried = 0
        self._why = why

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        self.tried += 1
        raise self._why


def test_a_soul_is_measured_against_its_first_contents_however_often_it_changed(
    vault: FolderStore, drifting: Drifting
) -> None:
    first = drifting.baseline()
    write(vault, "I am calm.\nI like owls.\n")
    write(vault, "I am loud.\nI like owls.\n")

    assert drifting.baseline() == first
    assert drifting.measure("SOUL.md", first["SOUL.md"]) == Drift(0.0)
    near, far = (drifting.measure("SOUL.md", text) for text in (first["SOUL.md"] + "I like owls.\n", "Gold!"))
    assert near
    assert far
    assert 0 < near.score < far.score


def test_a_candidate_breaks_the_boundaries_that_the_soul_has_now(
    vault: FolderStore, drifting: Drifting
) -> None:
    bounds = "# Soul\n\n## Boundaries\n\n- I never lie.\n- I never share secrets.\n"
    write(vault, bounds)
    drifting.pin()
    given_up = bounds.replace("- I never lie.\n", "")

    first = drifting.measure("SOUL.md", given_up)
    write(vault, given_up)
    of_the_night = drifting.measure("MOTIVATIONS.md", "## Current Focus\n\n- The receipts.\n")
    second = drifting.measure("SOUL.md", given_up.replace("never share", "share"))

    found = [first, of_the_night, second, drifting.now()]
    assert [each.boundaries for each in found if each] == [1, 0, 1, 1]


def test_the_owner_may_pin_the_soul_as_it_is_or_as_it_was(vault: FolderStore, drifting: Drifting) -> None:
    write(vault, "I am loud.\n")
    drifting.pin()

    assert drifting.now() == Drift(0.0)
    assert drifting.pinned_at() == vault.now()

    drifting.pin({"soul": "1"})
    back = drifting.now()
    assert back
    assert back.score > 0
    assert "bees" in drifting.baseline()["SOUL.md"]
    [_, pin] = [event for event in vault.journal.read() if isinstance(event.body, SoulPinned)]
    assert pin.actor == "owner"


def test_only_what_drift_measures_can_be_pinned(vault: FolderStore, drifting: Drifting) -> None:
    for versions in ({"USER": "1"}, {"SOUL": "99"}, {"nonsense": "1"}):
        with pytest.raises(SoulError):
            drifting.pin(versions)

    assert drifting.pinned_at() is None


def test_a_file_that_was_not_there_when_it_was_pinned_is_all_new(vault: FolderStore) -> None:
    drifting = Drifting(vault, None)
    write(vault, "I am calm.\n")
    drifting.pin()
    write(vault, "name: Rex\n", "IDENTITY.md")

    assert drifting.baseline()["IDENTITY.md"] == ""
    now = drifting.now()
    assert now
    assert now.score > 0


def test_a_baseline_that_was_erased_gives_way_to_the_oldest_that_is_kept(
    vault: FolderStore, drifting: Drifting
) -> None:
    write(vault, "I am the second.\n")
    write(vault, "I am the third.\n")
    first = vault.versions.history("SOUL.md")[0].hash
    assert first
    (vault.root / ".versions" / "SOUL.md" / first).unlink()

    assert drifting.baseline()["SOUL.md"] == "I am the second.\n"


def test_without_versions_a_candidate_is_measured_against_the_soul_as_it_is(
    tmp_path: Path, clock: FixedClock
) -> None:
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "SOUL.md").write_text("I am calm.\n")
    vault = FolderStore(tmp_path / "agent", clock, UTC, keeps_versions=False)
    drifting = Drifting(vault, None)

    assert drifting.now() == Drift(0.0)
    candidate = drifting.measure("SOUL.md", "I am loud.\n")
    assert candidate
    assert candidate.score > 0


@pytest.mark.parametrize("why", [EmbedderUnavailable("gone"), MissingExtra("not there")])
def test_an_embedder_that_fails_leaves_it_to_words(
    vault: FolderStore, drifting: Drifting, why: Exception
) -> None:
    broken = Broken(why)

    found = Drifting(vault, broken).measure("SOUL.md", "I am loud.\n")

    assert found == drifting.measure("SOUL.md", "I am loud.\n")
    assert found
    assert found.meaning is None
    assert broken.tried == 1


def test_an_embedder_is_not_asked_when_nothing_changed(vault: FolderStore, drifting: Drifting) -> None:
    broken = Broken(EmbedderUnavailable("gone"))

    assert Drifting(vault, broken).now() == Drift(0.0, 0.0)
    assert broken.tried == 0


def test_a_measurement_is_kept_once_for_each_change_and_each_pin(
    vault: FolderStore, drifting: Drifting
) -> None:
    for _ in range(2):
        drifting.note()
    write(vault, "I am loud.\n")
    for _ in range(2):
        drifting.note()
    drifting.pin()
    for _ in range(2):
        drifting.note()

    assert [body.drift.score > 0 for body in measured(vault)] == [False, True, False]


def test_the_timeline_tells_what_changed_between_its_points(
    vault: FolderStore, drifting: Drifting, clock: FixedClock
) -> None:
    drifting.note()
    clock.advance(days=1)
    write(vault, "I am loud.\n", reason="a whim")
    write(vault, "name: Rex\n", "IDENTITY.md", reason="a name")
    drifting.note()
    clock.advance(days=1)
    drifting.pin()
    drifting.note()

    first, second, third = drifting.timeline()
    assert {step.reason for step in first.what} == {"written"}
    assert second.what == (
        DriftStep("SOUL.md", Sentence.own("a whim")),
        DriftStep("IDENTITY.md", Sentence.own("a name")),
    )
    assert second.drift.score > 0
    assert second.files["SOUL.md"] == vault.read("SOUL.md").hash
    assert third.what == (DriftStep("", PINNED),)
    assert third.at == clock()


def test_an_accepted_proposal_is_a_point_and_one_that_was_not_is_none(
    vault: FolderStore, drifting: Drifting
) -> None:
    drifting.note()
    answers: tuple[Answer, ...] = ("rejected", "accepted")
    reason = Sentence.own("proposal accepted: p1 loud")
    for number, answer in enumerate(answers):
        drift = Drift((0.2, 0.3)[number])
        wanted = digest(b"I am loud.\n")
        made = ProposalMade(f"p{number}", "SOUL.md", None, wanted, NOTHING, (), "agent", drift=drift)
        vault.record(made, actor="agent")
        if answer == "accepted":
            write(vault, "I am loud.\n", reason=reason)
        vault.record(ProposalAnswered(made.id, answer), actor="owner")

    [_, point] = drifting.timeline()
    assert point.drift == Drift(0.3)
    assert point.what == (DriftStep("SOUL.md", reason),)

    now = drifting.note()
    [_, point] = drifting.timeline()  # measured again, it is still one point
    assert point.drift == now
    assert point.what == (DriftStep("SOUL.md", reason),)


def test_drift_can_be_switched_off_in_the_settings(soul: Soul, home: Path) -> None:
    off = almario.open(home, settings={"drift.enabled": False})

    assert off.drift.now() is None

"""What follows from the journal is the same, however it is come by: kept, followed, or made anew."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario.domain.events import Body, Event, Filed, PurgeDone, SoulChanged, SoulEdited, Unknown
from almario.domain.messages import NOTHING, Sentence, Words
from almario.domain.read_models import (
    OF_THE_SOUL,
    Follower,
    Position,
    ReadModel,
    follow,
    position_of,
    row_name,
)
from almario.domain.soul_events import (
    ProposalAnswered,
    ProposalMade,
    ReflectionBegun,
    ReflectionEnded,
)
from almario.domain.soul_models import MODELS, PROPOSALS, REFLECTIONS
from almario.errors import Damaged
from almario.ports import Tail
from almario.soul import Soul

BEGUN = datetime(2026, 11, 14, tzinfo=UTC)
WHY = Sentence("proposal accepted: {id} {reason}", id="p1", reason=Sentence.own("They suit me"))


class Lines:
    """A journal in memory, which counts how often all of it is looked through."""

    def __init__(self, *bodies: Body) -> None:
        self.events: list[Event] = []
        self.looked_through = 0
        for body in bodies:
            self.append(body)

    def append(self, body: Body) -> Event:
        seq = len(self.events) + 1
        at = BEGUN + timedelta(minutes=seq)
        self.events.append(Event(seq, f"e{seq}", at, "host", "agent", body, 0))
        return self.events[-1]

    def tail(self) -> Tail:
        return Tail(len(self.events), self.events[-1] if self.events else None)

    def read(self, *, after: int = 0) -> list[Event]:
        return [event for event in self.events if event.seq > after]

    def select(self, prefix: str) -> Iterator[Event]:
        self.looked_through += 1
        return (event for event in reversed(self.events) if event.type.startswith(prefix))


class Kept:
    """An index that follows a journal, and keeps the rows as texts."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.position: Position = (0, "")

    def noted(self, name: str) -> str:
        return self.texts.get(name, "")

    def note(self, name: str, text: str) -> None:
        self.texts[name] = text

    def take_in(self, *events: Event) -> None:
        for event in events:
            follow(MODELS, self, event)
            self.position = position_of(event)

    def rows(self, model: str) -> tuple[Position, dict[str, str]]:
        return self.position, self.notes(row_name(model))

    def notes(self, prefix: str) -> dict[str, str]:
        own = ((name, text) for name, text in self.texts.items() if name.startswith(prefix))
        return {name.removeprefix(prefix): text for name, text in own}


def made(name: str, **more: Any) -> ProposalMade:
    body = ProposalMade(name, "SOUL.md", "a", "b", NOTHING, (), "agent", by="reflection")
    return body._replace(**more)


BODIES: list[Body] = [
    SoulChanged("SOUL.md", None, "a", Sentence("first soul")),
    SoulEdited("GOALS.md", "a", None),
    Filed(),
    made("p1", until=BEGUN, words="be kind"),
    made("p1", by="owner"),
    made("p2", why=Sentence("it would make the file empty")),
    ProposalAnswered("p1", "accepted"),
    ProposalAnswered("p2", "rejected", Sentence.own("no")),
    ProposalAnswered("p3", "stale"),
    SoulChanged("SOUL.md", "a", "b", WHY, "p1", "2026-11-14-1"),
    ReflectionBegun("r1", "2026-11-14", "UTC", "night", "", "2026-11-14T03:30:00Z", 2),
    Unknown("reflection.gathered", {"ref": "r1", "new": 3, "seen": {"2026-11-14T09:00": 2}}),
    ReflectionEnded("r1", "done"),
    ReflectionEnded("r2", "abandoned", Sentence("it was not finished for {days} days", days=3)),
]


def everything(follower: Follower) -> dict[str, Any]:
    return {model.name: list(follower.rows(model).items()) for model in MODELS}


@given(st.lists(st.sampled_from(BODIES), max_size=25), st.data())
def test_rows_are_the_same_kept_followed_or_made_anew(bodies: list[Body], data: st.DataObject) -> None:
    journal, kept = Lines(*bodies), Kept()
    kept.take_in(*journal.events[: data.draw(st.integers(0, len(bodies)), label="kept")])
    step_by_step = Lines()
    follower = Follower(step_by_step)
    for body in bodies:
        step_by_step.append(body)
        everything(follower)

    anew = everything(Follower(journal))

    assert everything(Follower(journal, kept.rows)) == anew == everything(follower)


@pytest.mark.parametrize("model", MODELS, ids=[model.name for model in MODELS])
def test_what_is_kept_is_only_followed(model: ReadModel[Any]) -> None:
    journal, kept = Lines(*BODIES), Kept()
    kept.take_in(*journal.events)
    journal.append(made("p9"))

    Follower(journal, kept.rows).rows(model)

    assert journal.looked_through == 0


def broken() -> tuple[Position, dict[str, str]]:
    raise Damaged("{path} is damaged", path=".index")


def test_what_is_kept_of_another_journal_or_from_before_a_purge_counts_for_nothing() -> None:
    kept = Kept()
    kept.take_in(*Lines(*BODIES, made("other")).events)
    shorter, purged = Lines(made("p1")), Lines(*BODIES, made("other", words="erased"), PurgeDone(1))

    assert list(Follower(shorter, kept.rows).rows(PROPOSALS)) == ["p1"]
    assert Follower(purged, kept.rows).rows(PROPOSALS)["other"].body.words == "erased"
    assert list(Follower(shorter, lambda _: broken()).rows(PROPOSALS)) == ["p1"]
    senseless = position_of(shorter.events[-1]), {"p2": "[3, {}]"}
    assert list(Follower(shorter, lambda _: senseless).rows(PROPOSALS)) == ["p1"]


def test_a_purge_takes_what_was_read_before_it_too() -> None:
    journal = Lines(made("p1", reason=Sentence("«{words}»", words=Words("Carmen"))))
    follower = Follower(journal)
    assert "Carmen" in follower.rows(PROPOSALS)["p1"].body.reason
    [event] = journal.events
    journal.events[0] = event._replace(body=made("p1"))
    journal.append(PurgeDone(1))

    assert follower.rows(PROPOSALS)["p1"].body == made("p1")


def test_what_a_reflection_of_an_earlier_version_had_seen_is_known() -> None:
    run = Follower(Lines(*BODIES)).rows(REFLECTIONS)["r1"]

    assert (run.line, run.begun.seen, run.outcome) == (2, {"2026-11-14T09:00": 2}, "done")


def test_without_its_index_an_agent_knows_the_same_and_with_it_reads_only_what_is_new(
    soul: Soul, reopened: Callable[[], Soul], monkeypatch: pytest.MonkeyPatch
) -> None:
    soul.remember("tea: green")
    soul.proposals.propose("SOUL", soul.read("SOUL").text + "\nI like trains.\n", reason="They suit me")
    soul.goals.add("Walk more")
    soul.remember("coffee: none")  # so the index takes in what came before
    kept = reopened()
    journal = kept._vault.journal
    looked: list[str] = []
    select = journal.select

    def watched(prefix: str) -> Iterator[Event]:
        looked.append(prefix)
        return select(prefix)

    monkeypatch.setattr(journal, "select", watched)

    known = {model.name: dict(kept._vault.follower.rows(model)) for model in MODELS}

    assert looked == []
    assert known["proposal"]
    assert known["version"]
    for path in sorted((soul.path / ".index").rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    anew = reopened()
    assert {model.name: dict(anew._vault.follower.rows(model)) for model in MODELS} == known
    assert json.dumps([str(each.reason) for each in anew.proposals.list()]) == '["They suit me"]'


def test_the_ledger_lets_no_line_pass_that_a_model_follows() -> None:
    assert all(prefix.startswith(OF_THE_SOUL) for model in MODELS for prefix in model.follows)

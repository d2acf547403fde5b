"""What of a session the model is told, when it begins anew, and what goes to the archive."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario.conversation.flush import NO_MODEL
from almario.conversation.sessions import SUMMARY_CHARS, Sessions, latest_reset, windowed
from almario.conversation.settings import SessionSettings
from almario.domain.events import MemoriesChanged, SessionQueued, SessionReset
from almario.domain.turns import SPOKEN, Role, Turn, Utterance, messages, session_key
from almario.errors import SoulError
from almario.soul import Soul
from almario.store.folder import FolderStore
from almario.testing import FixedClock
from tests.tables import each_row

pytestmark = pytest.mark.light

MAIN = "cli:main"


@pytest.fixture
def agent(soul: Soul, clock: FixedClock) -> FolderStore:
    """The same folder, opened as another process would."""
    return FolderStore(soul.path, clock, UTC)


def talk(soul: Soul, count: int, session: str = MAIN) -> None:
    roles: tuple[Role, ...] = ("user", "assistant")
    soul.memory.append(session, [Utterance(roles[n % 2], f"word {n + 1}", "owner") for n in range(count)])


def flush(agent: FolderStore, after: int, to: int, summary: str = "", outcome: str = "extracted") -> None:
    body = {"session": MAIN, "from": after, "to": to, "outcome": outcome, "summary": summary}
    agent.record(MemoriesChanged("learned", (), flush=body), actor="agent")  # type: ignore[arg-type]


def sized(soul: Soul, agent: FolderStore, **settings: object) -> Sessions:
    return Sessions(agent, soul.memory, SessionSettings(**settings))  # type: ignore[arg-type]


def turns_of(*roles: Any) -> list[Turn]:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return [Turn(MAIN, n, at, role, "", f"word {n}", "owner") for n, role in enumerate(roles, 1)]


def shape(turns: Sequence[Turn]) -> list[tuple[int, str]]:
    return [(turn.n, turn.role) for turn in turns]


@pytest.mark.folder
def test_the_window_spans_the_archive(soul: Soul, agent: FolderStore) -> None:
    talk(soul, 50)
    agent.archive_turns(MAIN, 45)

    assert [turn.n for turn in soul.sessions.window(MAIN).turns] == list(range(31, 51))


def test_tool_results_come_along_and_do_not_count() -> None:
    turns = turns_of("user", "assistant", "user", "assistant", "tool", "tool", "assistant")

    assert shape(windowed(turns, 3)) == shape(turns[2:])


def test_what_an_answer_asks_of_its_tools_without_a_word_does_not_count() -> None:
    silent = [turn._replace(text="") for turn in turns_of("user", *["assistant", "tool"] * 9)[1:]]
    turns = [turn._replace(n=n) for n, turn in enumerate(turns_of("user", "assistant") * 10 + silent, 1)]

    assert len(messages(windowed(turns, 20))) == 20


def test_an_answer_whose_tools_gave_no_result_does_not_begin_a_window() -> None:
    torn, *rest = turns_of("assistant", "assistant", "tool", "assistant")
    torn = torn._replace(more={"calls": [{"id": "a"}]})
    whole = rest[0]._replace(more={"calls": [{"id": "b"}]})
    result = rest[1]._replace(more={"call": "b"})

    assert windowed([torn, whole, result, rest[2]], 9)[0].n == 2


@given(st.lists(st.sampled_from(["user", "assistant", "tool", "system"]), max_size=40), st.integers(2, 9))
def test_a_window_begins_well_and_ends_at_the_end(roles: list[str], size: int) -> None:
    turns = turns_of(*roles)
    window = windowed(turns, size)

    if any(role in SPOKEN for role in roles):
        assert window[0].role == ("user" if "user" in roles else "assistant")
        assert window == [t for t in turns if t.n >= window[0].n and t.role != "system"]
        if "user" in roles:
            there = len(messages(turns[roles.index("user") :]))
            assert len(messages(window)) >= min(size, there)
    else:
        assert window == []


@given(
    st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=40),
    st.integers(2, 12),
)
def test_the_beginning_of_a_window_moves_in_steps_of_half_its_size(
    talked: list[tuple[int, bool]], size: int
) -> None:
    """With so many tools in each exchange, some of them asked without a word."""
    turns: list[Turn] = []
    moves: list[tuple[int, int]] = []
    for tools, silent in talked:
        new = turns_of("user", *["assistant", "tool"] * tools, "assistant")
        for turn in new:
            is_silent = silent and turn.role == "assistant" and turn is not new[-1]
            turns.append(turn._replace(n=len(turns) + 1, text="" if is_silent else "word"))
            first, count = windowed(turns, size)[0].n, len(messages(turns))
            if not moves or moves[-1][0] != first:
                moves.append((first, count))
    assert all(later - earlier >= size // 2 for (_, earlier), (_, later) in pairwise(moves[1:]))
    assert [first for first, _ in moves] == sorted(first for first, _ in moves)


@pytest.mark.folder
def test_the_summary_tells_what_is_older_than_the_window_and_newer_than_the_reset(
    soul: Soul, agent: FolderStore
) -> None:
    talk(soul, 4)
    flush(agent, 0, 4, "before the reset")
    soul.sessions.reset(MAIN, "manual")
    talk(soul, 30)
    flush(agent, 4, 8, "early on")
    flush(agent, 8, 18, "reaches into the window")
    flush(agent, 18, 20, "in the window")

    window = soul.sessions.window(MAIN)
    assert window.turns[0].n == 15
    assert window.summary == "early on\nreaches into the window"


@pytest.mark.folder
def test_a_summary_stays_in_its_budget_and_keeps_the_newest(soul: Soul, agent: FolderStore) -> None:
    talk(soul, 40)
    flush(agent, 0, 1, "old " * 300)
    flush(agent, 1, 2, "mid " * 300)
    flush(agent, 2, 3, "new")
    assert soul.sessions.window(MAIN).summary.endswith("mid \nnew")
    assert len(soul.sessions.window(MAIN).summary) <= SUMMARY_CHARS

    flush(agent, 3, 4, "x" * 9000)
    assert len(soul.sessions.window(MAIN).summary) == SUMMARY_CHARS


def test_a_session_is_due_once_a_day_and_only_if_something_was_said(soul: Soul, clock: FixedClock) -> None:
    assert not soul.sessions.reset_if_due(MAIN)
    talk(soul, 2)
    assert not soul.sessions.reset_if_due(MAIN)
    clock.advance(hours=15)

    assert soul.sessions.reset_if_due(MAIN)
    assert soul.events()[-1].body == SessionReset(MAIN, 2, "daily")
    assert not soul.sessions.reset_if_due(MAIN)
    assert not soul.sessions.reset(MAIN, "daily")
    assert soul.sessions.window(MAIN).turns == ()
    clock.advance(days=9)
    assert not soul.sessions.reset_if_due(MAIN)
    assert soul.sessions.view(MAIN).resets == 1


@pytest.mark.folder
def test_a_clock_that_goes_back_makes_nothing_due(soul: Soul, agent: FolderStore, clock: FixedClock) -> None:
    talk(soul, 2)
    clock.advance(days=-3)

    assert not sized(soul, agent, idle_minutes=1).reset_if_due(MAIN)


@pytest.mark.folder
def test_quiet_minutes_count_only_if_they_are_asked_for(
    soul: Soul, agent: FolderStore, clock: FixedClock
) -> None:
    talk(soul, 2)
    clock.advance(minutes=30)

    assert not sized(soul, agent).reset_if_due(MAIN)
    assert not sized(soul, agent, idle_minutes=31).reset_if_due(MAIN)
    assert sized(soul, agent, idle_minutes=30).reset_if_due(MAIN)
    assert soul.events()[-1].body == SessionReset(MAIN, 2, "idle")
    talk(soul, 2)
    clock.advance(days=2)
    assert not sized(soul, agent, daily_reset=False).reset_if_due(MAIN)


@each_row(
    ("zone", "now", "hour", "expected"),
    [
        ("Europe/Madrid", "2026-03-29T00:59", 2, "2026-03-28T01:00"),  # 01:59, a minute before the skip
        ("Europe/Madrid", "2026-03-29T01:00", 2, "2026-03-29T01:00"),  # 03:00: two o'clock was skipped
        ("Europe/Madrid", "2026-03-29T02:00", 4, "2026-03-29T02:00"),
        ("Europe/Madrid", "2026-10-25T00:30", 2, "2026-10-25T00:00"),  # 02:30, the first time
        ("Europe/Madrid", "2026-10-25T01:30", 2, "2026-10-25T00:00"),  # 02:30, the second time
        ("Europe/Madrid", "2026-10-25T02:59", 4, "2026-10-24T02:00"),
        ("Europe/Madrid", "2026-10-25T03:00", 4, "2026-10-25T03:00"),
        ("America/Santiago", "2026-09-06T03:59", 0, "2026-09-05T04:00"),
        ("America/Santiago", "2026-09-06T04:00", 0, "2026-09-06T04:00"),  # midnight was skipped
        ("America/Santiago", "2026-04-05T03:30", 23, "2026-04-05T02:00"),  # 23:30, the second time
    ],
)
def test_the_hour_is_the_one_on_the_owners_wall(zone: str, now: str, hour: int, expected: str) -> None:
    here = datetime.fromisoformat(f"{now}+00:00").astimezone(ZoneInfo(zone))

    assert latest_reset(here, hour) == datetime.fromisoformat(f"{expected}+00:00")


@given(
    st.integers(0, 2 * 366 * 24 * 60).map(lambda n: datetime(2025, 1, 1, tzinfo=UTC) + timedelta(minutes=n)),
    st.integers(0, 23),
    st.sampled_from(["Europe/Madrid", "America/Santiago", "Asia/Kolkata", "UTC"]),
)
def test_the_latest_reset_is_past_and_less_than_26_hours_ago(now: datetime, hour: int, zone: str) -> None:
    here = now.astimezone(ZoneInfo(zone))

    assert timedelta(0) <= here.astimezone(UTC) - latest_reset(here, hour) < timedelta(hours=26)


@pytest.mark.folder
def test_only_turns_with_an_outcome_go_to_the_archive(soul: Soul, agent: FolderStore) -> None:
    talk(soul, 41)
    assert soul.sessions.is_long(MAIN)
    assert soul.sessions.compact(MAIN) == 0

    flush(agent, 0, 5)
    assert soul.sessions.compact(MAIN) == 5
    soul.memory.record(SessionQueued(MAIN, 5, 41, NO_MODEL))
    assert soul.sessions.compact(MAIN) == 16
    assert not soul.sessions.is_long(MAIN)
    assert [turn.n for turn in soul.sessions.unflushed(MAIN)] == list(range(6, 42))
    view = soul.sessions.view(MAIN)
    assert (view.turns, view.flushed, view.waiting, view.why, view.archived) == (41, 5, 36, "no model", 21)
    assert soul.memory.verify() == []


@pytest.mark.folder
def test_moved_turns_are_found_once(soul: Soul, agent: FolderStore) -> None:
    soul.memory.append(MAIN, [Utterance("user", f"el faro número {n}", "owner") for n in range(6)])
    before = {hit.turn for hit in soul.recall("faro", limit=20)}
    for upto in (2, 5):
        agent.archive_turns(MAIN, upto)
        hits = [hit.turn for hit in soul.recall("faro", limit=20)]
        assert sorted(hits) == sorted(before)
    assert len(before) == 6


def test_topics_and_strange_keys_are_sessions_of_their_own(soul: Soul) -> None:
    keys = ["telegram:42", "telegram:42:topic-7", "telegram:42:topic-8", "../x", "..", "a/b", "🐈:1", "."]
    for key in keys:
        talk(soul, 2, key)

    assert session_key("telegram", "42", "7") in keys
    assert session_key("a:b", "c") != session_key("a", "b:c")
    assert sorted(view.session for view in soul.sessions.list()) == sorted(keys)
    assert {len(soul.sessions.window(key).turns) for key in keys} == {2}


@pytest.mark.parametrize("key", ["", "x" * 999, "\ud800"])
def test_a_key_that_no_file_can_have_is_refused_in_one_sentence(soul: Soul, key: str) -> None:
    with pytest.raises(SoulError):
        talk(soul, 1, key)
    with pytest.raises(SoulError):
        session_key("telegram", key)


@pytest.mark.folder
def test_numbers_go_on_after_a_deleted_transcript(soul: Soul, agent: FolderStore) -> None:
    talk(soul, 6)
    flush(agent, 0, 6)
    assert soul.sessions.view(MAIN).waiting == 0
    next((soul.path / "sessions").glob("*.jsonl")).unlink()
    talk(soul, 2)

    assert [turn.n for turn in soul.sessions.unflushed(MAIN)] == [7, 8]


def test_a_reset_that_two_processes_make_hides_no_message_of_the_other(
    soul: Soul, reopened: Callable[[], Soul], clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    soul.append(MAIN, "user", "yesterday")
    clock.advance(days=1)
    other = reopened()
    record = soul.memory.record

    def slow(body: SessionReset) -> None:
        other.sessions.reset_if_due(MAIN)
        other.append(MAIN, "user", "today")
        record(body)

    monkeypatch.setattr(soul.memory, "record", slow)

    assert soul.sessions.reset_if_due(MAIN)
    assert [turn.text for turn in soul.sessions.window(MAIN).turns] == ["today"]
    assert not soul.sessions.reset_if_due(MAIN)


@pytest.mark.folder
def test_the_list_follows_what_is_said_learned_archived_and_begun_anew(
    soul: Soul, agent: FolderStore
) -> None:
    talk(soul, 50)
    talk(soul, 2, "web:x")

    def listed() -> list[tuple[str, int, int, int]]:
        views = soul.sessions.list()
        assert views == [soul.sessions.view(session) for session in (MAIN, "web:x")]
        return [(view.session, view.turns, view.waiting, view.archived) for view in views]

    assert listed() == [(MAIN, 50, 50, 0), ("web:x", 2, 2, 0)]
    flush(agent, 0, 40)
    assert listed()[0] == (MAIN, 50, 10, 0)
    agent.archive_turns(MAIN, 20)
    assert listed()[0] == (MAIN, 50, 10, 20)
    talk(soul, 2)
    assert listed()[0] == (MAIN, 52, 12, 20)
    soul.sessions.reset(MAIN, "manual")
    assert {view.session: view.resets for view in soul.sessions.list()} == {MAIN: 1, "web:x": 0}

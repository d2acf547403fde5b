"""Who looks on sees what is said in every session, each turn once."""

from almario.conversation.following import Following
from almario.testing import FixedClock
from tests.memory_store import MemoryStore
from tests.souls import soul_on


def test_who_looks_on_sees_each_turn_once_in_its_order() -> None:
    store = MemoryStore(clock := FixedClock())
    soul = soul_on(store)
    soul.append("cli:main", "user", "Before.")
    following = soul.sessions.following()

    assert following.news() == []
    soul.append("telegram:5", "user", "One.")
    clock.advance(minutes=1)
    soul.append("cli:main", "user", "Two.")

    assert [turn.text for turn in following.news()] == ["One.", "Two."]
    assert following.news() == []
    soul.append("telegram:5", "user", "Three.")
    assert [turn.text for turn in following.news()] == ["Three."]


def test_who_was_away_is_told_what_was_said_since() -> None:
    store = MemoryStore(clock := FixedClock())
    soul = soul_on(store)
    soul.append("cli:main", "user", "Long ago.")
    clock.advance(minutes=1)
    since = clock()
    soul.append("telegram:5", "user", "One.")
    following = Following(store.transcripts, since)

    assert [turn.text for turn in following.news()] == ["One."]
    soul.append("cli:main", "user", "Two.")
    assert [turn.text for turn in following.news()] == ["Two."]

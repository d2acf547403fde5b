"""What cannot be remembered or asked is refused with a sentence, and changes nothing."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from almario.domain.memories import LONGEST_KEY
from almario.errors import SoulError
from almario.memory.admission import Receipt
from almario.memory.rules.admission import Proposed
from almario.soul import Soul
from tests.tables import each_row

pytestmark = pytest.mark.light


def refused(receipt: Receipt) -> str:
    assert (receipt.outcome, receipt.memory) == ("refused", None)
    [why] = receipt.told
    return str(why)


@pytest.mark.parametrize("length", [LONGEST_KEY + 1, 1_200_000])
def test_a_key_has_an_end(soul: Soul, length: int) -> None:
    key = "k" * length

    assert "at most 200 characters" in refused(soul.remember(key, "x"))
    assert "at most 200 characters" in refused(soul.memory.learn(key, "x"))
    assert soul.tools.call("save_memory", {"key": key, "fact": "x"}).is_error
    assert soul.memory.list() == []


def test_a_long_word_before_a_colon_is_no_key(soul: Soul) -> None:
    memory = soul.remember("k" * (LONGEST_KEY + 1) + ": x").memory

    assert memory is not None
    assert memory.key == ""


@pytest.mark.folder
def test_a_longer_key_that_is_there_already_can_still_be_read(soul: Soul) -> None:
    path = soul.path / "MEMORY.md"
    path.write_text(f"## {'k' * 300}\n\n- viejo\n")

    assert [memory.value for memory in soul.memory.list()] == ["viejo"]
    assert soul.memory.import_lines(soul.memory.export()).known == 1


@each_row("text", ["...", "!!!", ";", "***", "``", "¿?", "— –", "_", "…", "\u200b."])
@each_row("kind", ["", "episode", "summary", "instruction"])
def test_a_text_without_a_word_confirms_nothing(soul: Soul, text: str, kind: Any) -> None:
    known = soul.remember("note", "llamar a Ana", kind="fact").memory

    assert "the text is only punctuation" in refused(soul.remember("note", text, kind=kind))
    assert soul.memory.list() == [known]


@each_row("text", ["🦊", "€", "5", "ñ", "日", "❤️", "C++", "-1"])
def test_a_sign_can_say_something(soul: Soul, text: str) -> None:
    assert soul.remember("signo", text).outcome == "new"


IMPOSSIBLE = [
    datetime(1, 1, 1, tzinfo=UTC),
    datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))),
    datetime.min.replace(tzinfo=UTC),
    datetime.max.replace(tzinfo=UTC),
    datetime(9999, 12, 31, 23, 59, tzinfo=timezone(timedelta(hours=-12))),
]


@each_row("at", IMPOSSIBLE)
@each_row("kind", ["episode", "summary"])
def test_an_impossible_date_is_not_taken_for_today(soul: Soul, at: datetime, kind: Any) -> None:
    why = refused(soul.memory.admit(Proposed("", "fuimos al faro", kind, at=at), actor="owner"))

    assert why == "not stored: the date must be between the years 2-9000"
    assert soul.days.get().log == ()


@each_row(
    ("asked", "said"),
    [
        ({"question": ""}, "the question is empty"),
        ({"question": " \n"}, "the question is empty"),
        ({"limit": 0}, "limit must be a whole number of at least 1, not 0"),
        ({"limit": -1}, "not -1"),
        ({"limit": 2.5}, "not 2.5"),
        ({"limit": True}, "not True"),
        ({"limit": "3"}, "not '3'"),
        ({"limit": None}, "not None"),
        ({"min_score": float("nan")}, "the minimum score must be a number from 0 to 1, not nan"),
        ({"min_score": float("inf")}, "not inf"),
        ({"min_score": -0.1}, "not -0.1"),
        ({"min_score": "high"}, "not 'high'"),
    ],
)
def test_what_cannot_be_asked_is_refused(soul: Soul, asked: dict[str, Any], said: str) -> None:
    with pytest.raises(SoulError, match=said):
        soul.recall(**{"question": "faro", **asked})

"""A turn comes back as it went, and every session has a file name of its own."""

from datetime import UTC, datetime

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from almario.domain.journal_lines import seal
from almario.domain.turn_ids import TurnId, turn_id
from almario.domain.turns import (
    ROLES,
    Role,
    Utterance,
    decode_turn,
    encode_turn,
    session_of,
    transcript_name,
    turn_of,
)
from almario.errors import SoulError
from tests.tables import each_row

NOW = datetime(2026, 11, 14, 13, 30, 5, 123_456, UTC)
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
KEYS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=14) | st.text(
    "aA.:%/3\0\\", min_size=1, max_size=14
)


@given(WORDS, WORDS, st.sampled_from(ROLES), st.dictionaries(st.just("calls"), st.lists(WORDS)))
def test_any_turn_comes_back_as_it_went(text: str, speaker: str, role: Role, more: dict[str, object]) -> None:
    turn = turn_of(Utterance(role, text, "owner", speaker, more=more), "cli:main", 7, now=NOW)
    line = seal(encode_turn(turn).encode())

    assert line.count(b"\n") == 1
    assert decode_turn(line[:-1], "cli:main") == turn
    assert turn.id == "cli:main#7"


@given(KEYS)
def test_a_sessions_file_name_is_plain_and_tells_the_session(session: str) -> None:
    name = transcript_name(session)

    assert session_of(name) == session
    assert name.isascii()
    assert name == name.lower()
    assert not name.startswith(".")
    assert not set(name) & set('/\\:*?"<>|\0 ')


@given(st.text(min_size=1), st.integers(0, 10**9 - 1))
def test_an_id_tells_the_session_and_the_number(session: str, n: int) -> None:
    assert turn_id(str(TurnId(session, n))) == (session, n)


@each_row(
    "name", ["", "3f9a2c1b", "USER.md", "#4", "cli:main#", "cli:main#-1", "cli:main#1e3", "a#" + "9" * 5000]
)
def test_what_is_no_id_of_a_turn_names_none(name: str) -> None:
    assert turn_id(name).session == ""


@given(KEYS, KEYS)
def test_two_sessions_never_share_a_file(one: str, other: str) -> None:
    assume(one != other)

    assert transcript_name(one).casefold() != transcript_name(other).casefold()


@given(st.text(max_size=20).map(lambda stem: f"{stem}.jsonl"))
def test_a_file_name_belongs_to_one_session_or_none(name: str) -> None:
    session = session_of(name)

    assert session is None or transcript_name(session) == name


def test_usual_keys_have_readable_names() -> None:
    assert transcript_name("cli:main") == "cli.main.jsonl"
    assert transcript_name("telegram:42:topic-7") == "telegram.42.topic-7.jsonl"
    assert transcript_name("../x") == "%2e%2e%2fx.jsonl"
    assert transcript_name("con:1") == "%63on.1.jsonl"


@each_row("name", ["cli.main (conflicted copy).jsonl", "cli.main.txt", ".jsonl", "Cli.jsonl", "%3a%2.jsonl"])
def test_other_files_belong_to_no_session(name: str) -> None:
    assert session_of(name) is None


@each_row(
    "said",
    [
        Utterance("robot", "hi", "owner"),  # type: ignore[arg-type]
        Utterance("user", "hi", "nobody"),  # type: ignore[arg-type]
        Utterance("user", "hi", "owner", more={"n": 1}),
        Utterance("user", "hi", "owner", at=datetime(2026, 11, 14)),  # noqa: DTZ001 - what is refused
    ],
)
def test_a_turn_that_is_not_one_is_refused(said: Utterance) -> None:
    with pytest.raises(SoulError):
        turn_of(said, "cli:main", 1, now=NOW)

"""Moving out to other programs: what they can carry comes back as it was, and what is private stays."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario.soul import Soul
from tests.effort import examples
from tests.exporting import claims
from tests.exporting.claims import place, shared
from tests.tables import each_row

pytestmark = pytest.mark.light

KINDS = ("openclaw", "card", "letta", "mem0", "markdown")


@examples(4)
@given(st.lists(st.tuples(claims.TOPICS, claims.WORDS), min_size=1, max_size=4))
def test_whatever_is_remembered_comes_in_again_as_it_was(facts: list[tuple[str, str]]) -> None:
    claims.comes_in_again(KINDS, facts)


@each_row("kind", KINDS)
def test_what_is_forgotten_or_off_the_record_stays_here(kind: str) -> None:
    claims.keeps_back_what_is_forgotten(kind)


# What a kind cannot carry.
_UNFIT = "memories no longer in use: 1, what others said: 1, what may be a secret, in memories: 1"

LACKS = [
    ("openclaw", f"goals: 2, {_UNFIT}, conversations: 2"),
    ("letta", f"goals: 2, {_UNFIT}"),
    ("markdown", f"IDENTITY.md, SOUL.md, MOTIVATIONS.md, goals: 2, {_UNFIT}, conversations: 2"),
]


@each_row("kind, lacking", LACKS)
def test_what_a_form_cannot_carry_is_told(kind: str, lacking: str) -> None:
    claims.says_what_it_lacks(kind, lacking)


def test_a_card_tells_who_it_is_and_what_it_remembers_on_request_only() -> None:
    soul = shared()
    with place() as folder:
        done = soul.exporter.write(folder / "card.json", "card")
        card = json.loads((folder / "card.json").read_text())
        soul.exporter.write(folder / "full.json", "card", with_memories=True)
        book = json.loads((folder / "full.json").read_text())["data"]["character_book"]["entries"]

    assert (card["spec"], card["spec_version"]) == ("chara_card_v3", "3.0")
    assert soul.read("SOUL.md").text.splitlines()[-1] in card["data"]["description"]
    assert card["data"]["character_book"]["entries"] == []
    assert "memories: 6" in done.left_out
    [boat] = [entry for entry in book if "mast" in entry["content"]]
    assert boat["keys"] == ["sailing", "the harbour"]


@each_row("kind", KINDS)
def test_who_it_is_goes_out_without_memories(kind: str) -> None:
    claims.tells_who_it_is_alone(kind)


def test_others_get_what_they_may_hear() -> None:
    claims.tells_others_what_they_may_hear(KINDS)


def test_a_line_of_a_log_that_others_said_is_left_out(soul: Soul, home: Path, tmp_path: Path) -> None:
    claims.marks_what_others_said(soul, tmp_path, KINDS)


@each_row("kind", KINDS)
def test_an_older_export_brings_nothing_back_that_was_erased(kind: str) -> None:
    claims.brings_nothing_back_that_was_erased(kind)


def test_an_older_agent_file_brings_nothing_back_that_was_taken_back() -> None:
    claims.brings_nothing_back_that_was_taken_back("letta")


def test_an_agent_file_names_everything_as_letta_takes_it() -> None:
    with place() as folder:
        shared().exporter.write(folder / "a.af", "letta")
        found = json.loads((folder / "a.af").read_text())
    [one] = found["agents"]

    named = {"agent": [one], "block": found["blocks"], "message": one["messages"]}
    for kind, every in named.items():
        assert [each["id"] for each in every] == [f"{kind}-{n}" for n in range(len(every))]
    assert all(isinstance(value, str) for value in found["metadata"].values())

"""Passages are parted into exchanges as they were said."""

from datetime import date

import pytest

from almario.domain.columns import table_of
from almario.domain.passages import PLACE_BITS, Passage
from almario.memory.rules.scoring import Exchanges
from tests.tables import each_row

pytestmark = pytest.mark.light
DAY = date(2026, 11, 14)


def said(place: int, word: str) -> Passage:
    """Return a passage by the beginning of its role, its speaker and its turn; `?` asks, `n` is a note."""
    roles = {"u": "user", "a": "assistant", "s": "stranger", "n": ""}
    passage = Passage("", "a.jsonl", 1, "turn", DAY, id=(1 << PLACE_BITS) + place, tells="?" not in word)
    if word[0] == "n":
        return passage
    speaker = word[1] if word[1:2].isalpha() else ""
    return passage._replace(role=roles[word[0]], speaker=speaker, turn="t#" + word.strip("?")[-1])


@each_row(
    "spoken, parted",
    # The passages, and how they are parted: an answer stands behind a bar.
    [
        ("u1 a2 u3 a4", "u1|a2 u3|a4"),
        ("u1 u1 a2 a2", "u1u1|a2a2"),
        ("a1 a1 u2", "a1a1 u2"),
        ("u1 a2 a3", "u1|a2a3"),
        ("s1 a2", "s1 a2"),
        ("u1 s2 a3", "u1 s2 a3"),
        ("uA1? uB2", "uA1?|uB2"),
        ("uA1 uB2", "uA1 uB2"),
        ("uA1? uB2 uB2 uB2", "uA1?|uB2 uB2uB2"),
        ("uA1? uB2 uB2 a3", "uA1?|uB2 uB2|a3"),
        ("n n u1 a2 n", "n n u1|a2 n"),
        ("u1 _ a2", "u1 a2"),
        ("", ""),
    ],
)
def test_an_exchange_is_what_was_said_and_the_answer_to_it(spoken: str, parted: str) -> None:
    words = spoken.split()
    passages = [said(place, word) for place, word in enumerate(words) if word != "_"]
    told = [word for word in words if word != "_"]

    every = Exchanges(table_of({each.id: each for each in passages}).rows)

    spans = zip(every.starts.tolist(), every.begins.tolist(), every.ends.tolist(), strict=True)
    shown = ["".join(told[a:b]) + "|" * (b < c) + "".join(told[b:c]) for a, b, c in spans]
    assert " ".join(shown) == parted
    assert every.of.tolist() == [
        n for n, each in enumerate(zip(every.starts, every.ends, strict=True)) for _ in range(*each)
    ]

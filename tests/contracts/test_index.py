"""What every index promises."""

import math
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from almario.adapters.sqlite.database import Database
from almario.adapters.sqlite.passage_table import SqliteIndex
from almario.domain.passages import PLACE_BITS, Passage, embedded_text, source_of, text_hash
from almario.ports import Index
from almario.testing import MemoryIndex


def split(passage: Passage) -> Sequence[str]:
    return f"{passage.key} {passage.text}".split(" ") if passage.key else passage.text.split(" ")


@pytest.fixture(params=["file", "memory", "fake"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Index]:
    if request.param == "fake":
        yield MemoryIndex(split)
        return
    database = Database(tmp_path / ".index" if request.param == "file" else None, "index-1.db")
    index = SqliteIndex(database, split)
    with database.writing():
        pass
    yield index
    database.discard()


def said(text: str, line: int = 1, **more: Any) -> Passage:
    return Passage(text, "memory/a.md", line, "log")._replace(**more)


def texts(index: Index, ids: Sequence[int]) -> list[str]:
    found = index.passages(ids)
    return [found[each].text for each in ids]


def unit(*numbers: float) -> list[float]:
    length = math.hypot(*numbers)
    return [number / length for number in numbers]


def embed(index: Index, model: str, vectors: dict[str, list[float]]) -> None:
    index.add_vectors(model, {text_hash(text): vector for text, vector in vectors.items()})


def test_an_empty_index_has_nothing(index: Index) -> None:
    assert index.sources() == {}
    assert index.count() == (0, 0.0)
    assert index.having("a") == []
    assert index.passages([1, 2]) == {}
    assert index.nearest([1.0, 0.0], "m", 5) == {}
    assert index.lacking("m", 5) == {}


def test_what_was_put_comes_back_with_every_field(index: Index) -> None:
    day = date(2026, 11, 14)
    passage = Passage(
        "hola a\ntodos\0 🙂", "sessions/x.jsonl", 7, "turn", day, "Ana", "user", "x#7", "m1", "saludo"
    )

    index.put("x", "f", [passage])

    [[number, found]] = index.passages(index.having("saludo")).items()
    assert found[:10] == passage[:10]
    assert found.id == number
    assert found.length == len(split(passage))


def test_neighbours_have_neighbouring_ids_and_sources_their_own(index: Index) -> None:
    index.put("a", "f", [said("x one"), said("x two"), said("x three")])
    index.put("b", "f", [said("x four")])

    *of_a, of_b = index.having("x")

    assert of_a == list(range(of_a[0], of_a[0] + 3))
    assert of_a[0] % (1 << PLACE_BITS) == 0
    assert source_of(of_a[0]) == source_of(of_a[2]) != source_of(of_b)
    assert texts(index, of_a) == ["x one", "x two", "x three"]


def test_the_same_source_again_replaces_what_it_had(index: Index) -> None:
    index.put("a", "f1", [said("one old"), said("two"), said("three")])

    index.put("a", "f2", [said("one new"), said("two", line=5)])

    assert index.sources() == {"a": "f2"}
    assert index.count() == (2, 1.5)
    assert index.having("old") == index.having("three") == []
    assert texts(index, index.having("new")) == ["one new"]
    assert [p.line for p in index.passages(index.having("two")).values()] == [5]


def test_the_first_passages_can_be_kept(index: Index) -> None:
    index.put("a", "f1", [said("x one"), said("x two"), said("x three")])

    index.put("a", "f2", iter([said("x TWO"), said("x four")]), keep=1)
    assert texts(index, index.having("x")) == ["x one", "x TWO", "x four"]

    index.put("a", "f3", [said("x five")], keep=99)
    assert texts(index, index.having("x")) == ["x one", "x TWO", "x four", "x five"]

    index.put("a", "f4", [], keep=2)
    assert texts(index, index.having("x")) == ["x one", "x TWO"]
    assert index.sources() == {"a": "f4"}


def test_a_source_without_passages_is_known_by_its_fingerprint_and_gone_without_one(index: Index) -> None:
    index.put("a", "f", [said("x")])
    index.put("b", "f", [said("x")])

    index.put("a", "f2", [])
    index.put("never", "", [])

    assert index.sources() == {"a": "f2", "b": "f"}
    assert len(index.having("x")) == index.count()[0] == 1
    index.put("a", "", [])
    assert index.sources() == {"b": "f"}


def test_a_source_without_a_fingerprint_is_found_and_not_listed(index: Index) -> None:
    index.put("a", "", [said("x")])

    assert index.sources() == {}
    assert len(index.having("x")) == 1


@pytest.mark.parametrize(
    "term",
    [
        "c++", "c#", ".net", "foo-bar", "a_b", "@ana", "it's", '"', '""', "'", "*x", "(", "NEAR(", "AND",
        "x:y", "{a}", "\\", "^a", "-a", "a;b", "ñandú", "日本", "🙂", "\u00a0", "\u3000x", "Ana", "ANA",
        "a\nb", "\t", "a\0b", "\0", "\x7f", "\x7f41", "~", "%", "[1]", "a" * 20000,
    ],
)  # fmt: skip
def test_any_word_is_found_exactly(index: Index, term: str) -> None:
    index.put("a", "f", [said("other words")])
    assert index.having(term) == []

    index.put("b", "f", [said(f"some {term} here")])

    assert texts(index, index.having(term)) == [f"some {term} here"]
    assert texts(index, index.having(f"{term}*")) == [f"some {term} here"]
    assert index.having(f"{term}x") == []
    index.put("b", "f", [])
    assert index.having(term) == []


@pytest.mark.parametrize(
    "term", ["", " ", "*", "**", "a b", "\ud800", "\ud800*", '"*', "\0*", "x" * 1_000_000]
)
def test_any_string_may_be_asked_for(index: Index, term: str) -> None:
    index.put("a", "f", [said("some text")])

    assert index.having(term) == []


def test_capitals_are_other_words(index: Index) -> None:
    index.put("a", "f", [said("Ana"), said("ana")])

    assert texts(index, index.having("Ana")) == ["Ana"]
    assert texts(index, index.having("ana")) == ["ana"]
    assert texts(index, index.having("An*")) == ["Ana"]


def test_a_beginning_finds_each_passage_once_and_in_order(index: Index) -> None:
    index.put("a", "f", [said("abd abc abcd"), said("ab"), said("zabc"), said("abcx abc abc")])

    assert texts(index, index.having("abc*")) == ["abd abc abcd", "abcx abc abc"]
    assert texts(index, index.having("abc")) == ["abd abc abcd", "abcx abc abc"]


def test_the_nearest_come_first_and_as_many_as_asked(index: Index) -> None:
    index.put("a", "f", [said("north"), said("east"), said("south"), said("unknown")])
    embed(index, "m", {"north": unit(0, 1), "east": unit(1, 0), "south": unit(0, -1)})

    found = index.nearest(unit(0.5, 1), "m", 2)

    assert texts(index, list(found)) == ["north", "east"]
    assert list(found.values()) == pytest.approx([0.894, 0.447], abs=0.002)
    assert index.nearest(unit(0.5, 1), "another", 2) == {}
    assert index.nearest(unit(0.5, 1), "m", 0) == {}
    assert len(index.nearest(unit(0.5, 1), "m", 99)) == 3


def test_passages_asked_for_by_id_get_their_cosine_too(index: Index) -> None:
    index.put("a", "f", [said("north"), said("east"), said("south"), said("unknown")])
    embed(index, "m", {"north": unit(0, 1), "east": unit(1, 0), "south": unit(0, -1)})
    [south], [unknown] = index.having("south"), index.having("unknown")

    found = index.nearest(unit(0, 1), "m", 1, also=[south, unknown, 12345])

    assert {index.passages([each])[each].text: score for each, score in found.items()} == pytest.approx(
        {"north": 1.0, "south": -1.0}
    )


def test_a_text_has_one_vector_wherever_it_stands(index: Index) -> None:
    index.put("a", "f", [said("same"), said("same"), said("other")])
    index.put("b", "f", [said("same")])
    assert sorted(index.lacking("m", 9).values()) == ["other", "same"]
    embed(index, "m", {"same": unit(0, 1)})

    assert list(index.nearest(unit(0, 1), "m", 9)) == index.having("same")
    assert len(index.nearest(unit(0, 1), "m", 2)) == 2
    assert list(index.lacking("m", 9).values()) == ["other"]

    index.put("a", "f", [said("other")])
    assert list(index.nearest(unit(0, 1), "m", 9)) == index.having("same") != []


def test_a_text_that_moves_keeps_its_vector_and_one_that_goes_takes_it_along(index: Index) -> None:
    index.put("a", "f", [said("one"), said("two")])
    embed(index, "m", {"one": unit(0, 1), "two": unit(1, 0)})

    index.put("a", "f", [said("new"), said("one", line=2)])
    assert list(index.lacking("m", 9).values()) == ["new"]
    assert texts(index, list(index.nearest(unit(1, 0), "m", 9))) == ["one"]

    index.put("a", "f", [said("two")])
    assert list(index.lacking("m", 9).values()) == ["two"]


def test_a_text_that_goes_leaves_its_place_among_the_nearest_to_the_next(index: Index) -> None:
    index.put("a", "f", [said("far"), said("near"), said("nearest")])
    embed(index, "m", {"far": unit(0, 1), "near": unit(1, 1), "nearest": unit(1, 0)})
    assert texts(index, list(index.nearest(unit(1, 0), "m", 1))) == ["nearest"]

    index.put("a", "f", [], keep=2)

    assert texts(index, list(index.nearest(unit(1, 0), "m", 1))) == ["near"]


def test_a_vector_of_a_text_that_nobody_has_is_not_kept(index: Index) -> None:
    index.put("a", "f", [said("one")])
    embed(index, "m", {"gone": unit(0, 1)})
    index.add_vectors("m", {"no hash": unit(0, 1)})
    index.add_vectors("m", {})

    index.put("b", "f", [said("gone")])

    assert sorted(index.lacking("m", 9).values()) == ["gone", "one"]


def test_a_vector_that_is_there_stays(index: Index) -> None:
    index.put("a", "f", [said("one")])
    embed(index, "m", {"one": unit(0, 1)})
    embed(index, "m", {"one": unit(1, 0)})

    assert list(index.nearest(unit(0, 1), "m", 1).values()) == pytest.approx([1.0])


def test_what_lacks_a_vector_comes_newest_first(index: Index) -> None:
    days = [date(2026, 11, n) for n in (1, 3, 2)]
    index.put("a", "f", [said(f"day {day.day}", day=day) for day in days])
    index.put("b", "f", [said("no day"), said("day 3 again", day=days[1])])

    assert list(index.lacking("m", 9).values()) == ["day 3 again", "day 3", "day 2", "day 1", "no day"]
    assert list(index.lacking("m", 2).values()) == ["day 3 again", "day 3"]

    embed(index, "m", {"day 3": unit(0, 1)})
    assert list(index.lacking("m", 2).values()) == ["day 3 again", "day 2"]
    assert len(index.lacking("another", 9)) == 5


def test_a_text_is_embedded_with_what_it_is_about_and_not_with_who_said_it(index: Index) -> None:
    passages = [said("hi", speaker="Ana", key="k"), said("hi", key="k"), said("hi")]
    index.put("a", "f", passages)

    assert list(index.lacking("m", 9).values()) == ["hi", "k: hi"]
    hashes = [text_hash(embedded_text(passage)) for passage in reversed(passages)]
    assert list(index.lacking("m", 9)) == list(dict.fromkeys(hashes))


def test_half_a_character_is_kept_as_the_sign_for_one(index: Index) -> None:
    index.put("a", "f", [said("half \ud83d of it", speaker="\udc80")])

    [found] = index.passages(index.having("\ufffd")).values()

    assert (found.text, found.speaker) == ("half \ufffd of it", "\ufffd")


def test_passages_are_found_by_the_days_they_speak_of(index: Index) -> None:
    may, june = date(2026, 5, 3), date(2026, 6, 7)
    told = ((june, june), (date(2026, 6, 20), date(2026, 7, 2)))
    index.put("a", "f", [said("paella", day=may), said("the flight", day=may, times=told), said("no day")])

    def during(first: date, last: date, limit: int = 9) -> list[str]:
        return texts(index, index.during(first, last, limit))

    assert during(may, may) == ["paella"]
    assert during(june, june) == ["the flight"]
    assert during(date(2026, 7, 1), date(2026, 7, 31)) == ["the flight"]
    assert during(date.min, date.max) == ["paella", "the flight"]
    assert during(date.min, date.max, 1) == ["the flight"]
    assert during(date(2026, 8, 1), date(2026, 8, 31)) == []

    index.put("a", "g", [said("paella", day=june)])
    assert during(may, may) == []
    assert during(june, june) == ["paella"]


def test_what_is_seen_of_a_passage_at_a_glance_is_kept(index: Index) -> None:
    index.put("a", "f", [said("why?", tells=False), said("at 9", figures=True)])

    found = index.passages([*index.having("why?"), *index.having("9")])
    assert [(passage.tells, passage.figures) for passage in found.values()] == [(False, False), (True, True)]


def test_the_nearest_come_with_the_background_of_all(index: Index) -> None:
    index.put("a", "f", [said("one"), said("two")])
    embed(index, "m", {"one": unit(1, 0), "two": unit(0, 1)})

    near = index.nearest(unit(1, 0), "m", 1)

    assert near.count == 2
    assert [near.mean, near.spread] == pytest.approx([0.5, 0.5], abs=1e-3)

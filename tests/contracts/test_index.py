"""What every index promises."""

import math
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from almario.adapters.sqlite.database import Database
from almario.adapters.sqlite.passage_table import SqliteIndex
from almario.domain.candidates import Filter, Search
from almario.domain.columns import Candidates
from almario.domain.model import Scope
from almario.domain.passages import PLACE_BITS, Passage, embedded_text, text_hash
from almario.domain.words import Word
from almario.ports import Index
from almario_postgres.passage_table import LIVE, PostgresIndex
from tests.plain_index import PlainIndex
from tests.postgres import migrated, new_agent
from tests.tables import each_row


def split(passage: Passage) -> Sequence[str]:
    return f"{passage.key} {passage.text}".split(" ") if passage.key else passage.text.split(" ")


@pytest.fixture(params=["memory", "signs", "fake", "postgres"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Index]:
    if request.param == "fake":
        yield PlainIndex(split)
        return
    if request.param == "postgres":
        server = migrated()
        yield PostgresIndex(server.bound(new_agent(server)), LIVE, split)
        return
    database = Database(None if request.param == "memory" else tmp_path / ".index", "index-1.db")
    index = SqliteIndex(database, split, many=0 if request.param == "signs" else 100)
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


def having(index: Index, term: str) -> list[int]:
    """Return the passages with a term, in order; one that ends in `*` is a beginning."""
    word = Word(term, ((term, 1.0),), whole=True)
    return sorted(index.candidates(Search((word,), by_words=10_000)).words)


def nearest(index: Index, vector: Sequence[float], model: str, limit: int) -> dict[int, float]:
    found = index.candidates(Search(vector=vector, model=model, by_meaning=limit))
    cosines = cosines_of(found)
    return {each: cosines[each] for each in found.near.ids}


def cosines_of(found: Candidates) -> dict[int, float]:
    """Return the cosines of those of the candidates that have a vector."""
    cosines = zip(found.table.ids.tolist(), found.cosines.tolist(), strict=True)
    return {one: cosine for one, cosine in cosines if not math.isnan(cosine)}


def embed(index: Index, model: str, vectors: dict[str, list[float]]) -> None:
    index.add_vectors(model, {text_hash(text): vector for text, vector in vectors.items()})


def test_an_empty_index_has_nothing(index: Index) -> None:
    assert index.sources() == {}
    assert index.count() == (0, 0.0)
    assert having(index, "a") == []
    assert index.passages([1, 2]) == {}
    assert nearest(index, [1.0, 0.0], "m", 5) == {}
    assert index.lacking("m", 5) == {}


def test_what_was_put_comes_back_with_every_field(index: Index) -> None:
    day = date(2026, 11, 14)
    passage = Passage(
        "hola a\ntodos\0 🙂", "sessions/x.jsonl", 7, "turn", day, "Ana", "user", "x#7", "m1", "saludo"
    )

    index.put("x", "f", [passage])

    [[number, found]] = index.passages(having(index, "saludo")).items()
    assert found[:10] == passage[:10]
    assert found.id == number
    assert found.length == len(split(passage))
    word = Word("saludo", (("saludo", 1.0),), whole=True)
    table = index.candidates(Search((word,), by_words=10)).table
    assert table.passages == [found._replace(text="")]


def test_neighbours_have_neighbouring_ids_and_sources_their_own(index: Index) -> None:
    index.put("a", "f", [said("x one"), said("x two"), said("x three")])
    index.put("b", "f", [said("x four")])

    *of_a, of_b = having(index, "x")

    assert of_a == list(range(of_a[0], of_a[0] + 3))
    assert of_a[0] % (1 << PLACE_BITS) == 0
    assert of_a[0] >> PLACE_BITS == of_a[2] >> PLACE_BITS != of_b >> PLACE_BITS
    assert texts(index, of_a) == ["x one", "x two", "x three"]


def test_the_same_source_again_replaces_what_it_had(index: Index) -> None:
    index.put("a", "f1", [said("one old"), said("two"), said("three")])

    index.put("a", "f2", [said("one new"), said("two", line=5)])

    assert index.sources() == {"a": "f2"}
    assert index.count() == (2, 1.5)
    assert having(index, "old") == having(index, "three") == []
    assert texts(index, having(index, "new")) == ["one new"]
    assert [p.line for p in index.passages(having(index, "two")).values()] == [5]


def test_the_first_passages_can_be_kept(index: Index) -> None:
    index.put("a", "f1", [said("x one"), said("x two"), said("x three")])

    index.put("a", "f2", iter([said("x TWO"), said("x four")]), keep=1)
    assert texts(index, having(index, "x")) == ["x one", "x TWO", "x four"]

    index.put("a", "f3", [said("x five")], keep=99)
    assert texts(index, having(index, "x")) == ["x one", "x TWO", "x four", "x five"]

    index.put("a", "f4", [], keep=2)
    assert texts(index, having(index, "x")) == ["x one", "x TWO"]
    assert index.sources() == {"a": "f4"}


def test_a_source_without_passages_is_known_by_its_fingerprint_and_gone_without_one(index: Index) -> None:
    index.put("a", "f", [said("x")])
    index.put("b", "f", [said("x")])

    index.put("a", "f2", [])
    index.put("never", "", [])

    assert index.sources() == {"a": "f2", "b": "f"}
    assert len(having(index, "x")) == index.count()[0] == 1
    index.put("a", "", [])
    assert index.sources() == {"b": "f"}


def test_a_source_without_a_fingerprint_is_found_and_not_listed(index: Index) -> None:
    index.put("a", "", [said("x")])

    assert index.sources() == {}
    assert len(having(index, "x")) == 1


@each_row(
    "term",
    [
        "c++", "c#", ".net", "foo-bar", "a_b", "@ana", "it's", '"', '""', "'", "*x", "(", "NEAR(", "AND",
        "x:y", "{a}", "\\", "^a", "-a", "a;b", "ñandú", "日本", "🙂", "\u00a0", "\u3000x", "Ana", "ANA",
        "a\nb", "\t", "a\0b", "\0", "\x7f", "\x7f41", "~", "%", "[1]", "a" * 20000,
    ],
)  # fmt: skip
def test_any_word_is_found_exactly(index: Index, term: str) -> None:
    index.put("a", "f", [said("other words")])
    assert having(index, term) == []

    index.put("b", "f", [said(f"some {term} here")])

    assert texts(index, having(index, term)) == [f"some {term} here"]
    assert texts(index, having(index, f"{term}*")) == [f"some {term} here"]
    assert having(index, f"{term}x") == []
    index.put("b", "f", [])
    assert having(index, term) == []


@each_row("term", ["", " ", "*", "**", "a b", "\ud800", "\ud800*", '"*', "\0*", "x" * 1_000_000])
def test_any_string_may_be_asked_for(index: Index, term: str) -> None:
    index.put("a", "f", [said("some text")])

    assert having(index, term) == []


def test_the_nearest_come_first_and_as_many_as_asked(index: Index) -> None:
    index.put("a", "f", [said("north"), said("east"), said("south"), said("unknown")])
    embed(index, "m", {"north": unit(0, 1), "east": unit(1, 0), "south": unit(0, -1)})

    found = nearest(index, unit(0.5, 1), "m", 2)

    assert texts(index, list(found)) == ["north", "east"]
    assert list(found.values()) == pytest.approx([0.894, 0.447], abs=0.002)
    assert nearest(index, unit(0.5, 1), "another", 2) == {}
    assert nearest(index, unit(0.5, 1), "m", 0) == {}
    assert len(nearest(index, unit(0.5, 1), "m", 99)) == 3


def test_what_is_found_by_its_words_has_its_cosine_too(index: Index) -> None:
    index.put("a", "f", [said("north"), said("east"), said("south"), said("unknown")])
    embed(index, "m", {"north": unit(0, 1), "east": unit(1, 0), "south": unit(0, -1)})
    words = tuple(Word(word, ((word, 1.0),)) for word in ("south", "unknown"))

    found = index.candidates(Search(words, 9, unit(0, 1), "m", by_meaning=1))

    assert {index.passages([each])[each].text: score for each, score in cosines_of(found).items()} == (
        pytest.approx({"north": 1.0, "south": -1.0})
    )
    assert [each.text for each in found.table.passages] == [""] * 3
    assert len(found.words) == 2
    assert not found.has_more


def test_words_weigh_by_how_rare_they_are_and_are_worth_what_their_term_is(index: Index) -> None:
    index.put("a", "f", [said("cat dog"), said("cat"), said("cats"), said("fish")])
    words = (Word("cat", (("cat", 1.0), ("cats", 0.8))), Word("dog", (("dog", 1.0),)), Word("xylo", ()))

    found = index.candidates(Search(words, by_words=2))

    cat, dog, xylo = found.matches
    assert cat.weight < dog.weight < xylo.weight
    assert sorted(cat.worths) == [0.8, 1.0]
    assert texts(index, found.words) == ["cat dog", "cats"]
    assert found.has_more
    assert found.average == pytest.approx(5 / 4)


def test_a_word_that_nobody_wrote_is_looked_for_as_a_beginning(index: Index) -> None:
    index.put("a", "f", [said("catamaran"), said("boat")])

    found = index.candidates(Search((Word("cata", (("cata", 1.0),)),), by_words=9))

    assert texts(index, found.words) == ["catamaran"]
    assert list(found.matches[0].worths) == [0.5]


def test_what_was_said_comes_with_its_neighbours_but_for_hidden_turns(index: Index) -> None:
    turns = [said(f"turn {n}", turn=f"s#{n}") for n in range(9)]
    index.put("a", "f", [*turns, said("a note"), said("turn the page")])
    four = (Word("4", (("4", 1.0),)),)

    found = index.candidates(Search(four, 9, beside=(2, 1), hidden=("s#3",)))

    assert texts(index, found.table.ids.tolist()) == ["turn 2", "turn 4", "turn 5", "turn 6"]


def test_what_does_not_fit_takes_nobodys_place(index: Index) -> None:
    day = date(2026, 11, 14)
    many = [said("apple", turn=f"s#{n}") for n in range(30)]
    index.put("a", "f", [said("an apple of very many words", kind="fact", key="fruit", day=day), *many])
    apple = (Word("apple", (("apple", 1.0),)),)
    elsewhere = Filter(session="other")
    for wanted in (
        Scope(kinds=("fact",)),
        Scope(sources=("memory",)),
        Scope(keys=("fruit",)),
        Scope(since=day),
    ):
        found = index.candidates(Search(apple, by_words=2, filter=Filter(wanted), least=1))

        assert any(map(Filter(wanted).fits, found.table.passages)), wanted
    found = index.candidates(Search(apple, by_words=2, filter=elsewhere, least=1))
    assert [passage.kind for passage in found.table.passages if elsewhere.fits(passage)] == ["fact"]


def test_what_only_asks_makes_no_word_common(index: Index) -> None:
    asked = [said("cat where", n, turn=f"s#{n}", tells=False) for n in range(1, 6)]
    index.put("a", "f", [said("cat dog here", 1), said("catalogue", 2)])
    wanted = Search((Word("cat", (("cat", 1.0),)), Word("wher", (("wher", 1.0),))), 9)
    before = index.candidates(wanted)

    index.put("b", "f", asked)

    after = index.candidates(wanted)
    assert [match.weight for match in after.matches] == [match.weight for match in before.matches]
    assert after.average == before.average == 2.0
    assert len(after.words) == 6  # but it is found
    index.put("b", "f", [])
    again = index.candidates(wanted)
    assert again.table.passages == before.table.passages
    assert [list(match.worths) for match in again.matches] == [list(match.worths) for match in before.matches]


def test_a_word_that_is_only_asked_about_is_still_the_beginning_of_others(index: Index) -> None:
    index.put("a", "f", [said("she lives there", 1)])
    index.put("b", "f", [said("where does she live", 1, turn="s#1", tells=False)])

    [match] = index.candidates(Search((Word("live", (("live", 1.0),)),), 9)).matches

    assert sorted(match.worths) == [0.5, 1.0]


def test_a_text_has_one_vector_wherever_it_stands(index: Index) -> None:
    index.put("a", "f", [said("same"), said("same"), said("other")])
    index.put("b", "f", [said("same")])
    assert sorted(index.lacking("m", 9).values()) == ["other", "same"]
    embed(index, "m", {"same": unit(0, 1)})

    assert list(nearest(index, unit(0, 1), "m", 9)) == having(index, "same")
    assert len(nearest(index, unit(0, 1), "m", 2)) == 2
    assert list(index.lacking("m", 9).values()) == ["other"]

    index.put("a", "f", [said("other")])
    assert list(nearest(index, unit(0, 1), "m", 9)) == having(index, "same") != []


def test_a_text_that_moves_keeps_its_vector_and_one_that_goes_takes_it_along(index: Index) -> None:
    index.put("a", "f", [said("one"), said("two")])
    embed(index, "m", {"one": unit(0, 1), "two": unit(1, 0)})

    index.put("a", "f", [said("new"), said("one", line=2)])
    assert list(index.lacking("m", 9).values()) == ["new"]
    assert texts(index, list(nearest(index, unit(1, 0), "m", 9))) == ["one"]

    index.put("a", "f", [said("two")])
    assert list(index.lacking("m", 9).values()) == ["two"]


def test_a_text_that_goes_leaves_its_place_among_the_nearest_to_the_next(index: Index) -> None:
    index.put("a", "f", [said("far"), said("near"), said("nearest")])
    embed(index, "m", {"far": unit(0, 1), "near": unit(1, 1), "nearest": unit(1, 0)})
    assert texts(index, list(nearest(index, unit(1, 0), "m", 1))) == ["nearest"]

    index.put("a", "f", [], keep=2)

    assert texts(index, list(nearest(index, unit(1, 0), "m", 1))) == ["near"]


def test_the_vectors_of_texts_are_told_by_their_hashes(index: Index) -> None:
    index.put("a", "f", [said("one"), said("two")])
    embed(index, "m", {"one": unit(3, 4)})

    found = index.vectors("m", [text_hash(text) for text in ("one", "two", "gone")])

    assert {each: pytest.approx(vector, abs=1e-3) for each, vector in found.items()} == {
        text_hash("one"): unit(3, 4)
    }
    assert index.vectors("another", [text_hash("one")]) == {}


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

    assert list(nearest(index, unit(0, 1), "m", 1).values()) == pytest.approx([1.0])


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

    [found] = index.passages(having(index, "\ufffd")).values()

    assert (found.text, found.speaker) == ("half \ufffd of it", "\ufffd")


def test_passages_are_found_by_the_days_they_speak_of(index: Index) -> None:
    may, june = date(2026, 5, 3), date(2026, 6, 7)
    told = ((june, june), (date(2026, 6, 20), date(2026, 7, 2)))
    index.put("a", "f", [said("paella", day=may), said("the flight", day=may, times=told), said("no day")])

    def during(first: date, last: date, limit: int = 9) -> list[str]:
        return texts(index, index.candidates(Search(times=((first, last),), by_time=limit)).time)

    # What is written in a file belongs to its day, whatever other days it names.
    assert during(may, may) == ["paella", "the flight"]
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

    found = index.passages([*having(index, "why?"), *having(index, "9")])
    assert [(passage.tells, passage.figures) for passage in found.values()] == [(False, False), (True, True)]


def test_the_nearest_come_with_the_background_of_all(index: Index) -> None:
    index.put("a", "f", [said("one"), said("two")])
    embed(index, "m", {"one": unit(1, 0), "two": unit(0, 1)})

    near = index.candidates(Search(vector=unit(1, 0), model="m", by_meaning=1)).near

    assert near.texts == 2
    assert [near.mean, near.spread] == pytest.approx([0.5, 0.5], abs=1e-3)


def test_passages_of_known_sources_are_candidates_in_any_case(index: Index) -> None:
    index.put("memory:a", "", [said("dog"), said("bone")])
    index.put("memory:b", "", [said("cat")])
    embed(index, "m", {"cat": unit(1, 0), "dog": unit(0, 1)})
    places = index.places(["memory:a", "memory:b", "memory:c"])
    assert texts(index, list(places.values())) == ["dog", "cat"]
    assert list(places) == ["memory:a", "memory:b"]

    word = Word("cat", (("cat", 1.0),), whole=True)
    wanted = Search((word,), 1, unit(1, 0), "m", by_meaning=1, also=(places["memory:a"],))
    found = index.candidates(wanted)

    assert found.table.ids.tolist() == sorted(places.values())
    assert [*found.words] == [*found.near.ids] == [places["memory:b"]]
    assert abs(cosines_of(found)[places["memory:a"]]) < 0.001

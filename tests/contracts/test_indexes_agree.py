"""An index in PostgreSQL finds what one in SQLite finds, with the same figures."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from almario.adapters.sqlite.database import Database
from almario.adapters.sqlite.passage_table import SqliteIndex
from almario.domain.candidates import Filter, Search
from almario.domain.columns import Candidates
from almario.domain.model import Scope
from almario.domain.passages import Passage
from almario.domain.words import Word
from almario.ports import Index
from almario.testing import WordEmbedder
from almario_postgres.passage_table import LIVE, PAST, PostgresIndex
from tests.contracts.test_index import said, split
from tests.postgres import migrated, new_agent

WORDS = ("ana", "anabel", "bread", "cat", "cats", "dog", "fish", "rome", "rooftop")
FIRST = date(2026, 11, 1)
ELSEWHERE = Filter(Scope(), session="s")


def in_sqlite() -> SqliteIndex:
    database = Database(None, "index-1.db")
    index = SqliteIndex(database, split)
    with database.writing():
        pass
    return index


def in_postgres() -> PostgresIndex:
    server = migrated()
    return PostgresIndex(server.bound(new_agent(server)), LIVE, split)


def embed(index: Index, embedder: WordEmbedder, limit: int) -> None:
    lacking = index.lacking("m", limit)
    index.add_vectors("m", dict(zip(lacking, embedder.embed(list(lacking.values())), strict=True)))


def facts_of(found: Candidates) -> dict[str, Any]:
    """Return candidates without the figures, and without an order that figures decide."""
    unordered = {"words": sorted(found.words), "near": sorted(found.near.ids), "time": sorted(found.time)}
    matches = [(match.text, match.worths.tolist()) for match in found.matches]
    measured = found.table.rows[["id", "day", "length", "tells", "figures"]].tolist()
    passages = found.table.passages
    return {**unordered, "matches": matches, "has_more": found.has_more, "rows": (passages, measured)}


def figures_of(found: Candidates) -> list[float]:
    weights, near = [match.weight for match in found.matches], found.near
    return [found.average, *weights, near.mean, near.spread, *found.cosines.tolist()]


texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
days = st.integers(0, 20).map(lambda n: FIRST + timedelta(days=n))
passages = st.builds(
    lambda text, day, key, turn: said(text, day=day, key=key, turn=turn),
    texts, st.none() | days, st.sampled_from(["", "pet"]), st.sampled_from(["", "s#1", "t#2"]),
)  # fmt: skip
puts = st.tuples(
    st.sampled_from("abc"), st.sampled_from(["", "f", "g"]), st.lists(passages, max_size=8), st.integers(0, 3)
)
words = st.lists(st.sampled_from([*WORDS, "cata", "roof", "anab"]), max_size=4, unique=True).map(
    lambda each: tuple(Word(word, ((word, 1.0), (f"{word}s", 0.8))) for word in each)
)
searches = st.builds(
    lambda asked, pool, near, first, beside, least: Search(
        asked, pool, near, "m", 99, ((first, first + timedelta(3)),), 99, beside, ("t#2",), ELSEWHERE, least
    ),
    words, st.sampled_from([1, 3, 80]), st.none() | texts.map(lambda text: WordEmbedder().embed([text])[0]),
    days, st.sampled_from([(0, 0), (2, 1)]), st.sampled_from([0, 2, 9]),
)  # fmt: skip


@settings(max_examples=12, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(st.lists(puts, max_size=6), st.integers(0, 9), st.lists(searches, max_size=5))
def test_both_indexes_find_alike(
    put: list[tuple[str, str, list[Passage], int]], embedded: int, asked: list[Search]
) -> None:
    ours, embedder, server = in_sqlite(), WordEmbedder(), migrated()
    agent = new_agent(server)
    # What a process keeps at hand is in step with what it writes, and with what another one does.
    theirs, elsewhere = (PostgresIndex(server.bound(agent), LIVE, split) for _ in range(2))
    known = set[str]()
    for source, fingerprint, some, keep in put:
        if not (fingerprint or some or source in known):
            continue  # whether it has a number of its own by then, is nobody's business
        known = known | {source} if fingerprint or some else known - {source}
        for index in (ours, theirs if embedded % 2 or len(some) % 3 else elsewhere):
            index.put(source, fingerprint, some, keep=keep if fingerprint else 0)
            embed(index, embedder, embedded)
        for one in asked[:2]:
            theirs.candidates(one)

    assert theirs.sources() == ours.sources()
    assert theirs.count() == ours.count()
    assert list(theirs.lacking("m", 5).items()) == list(ours.lacking("m", 5).items())
    assert theirs.problems() == ours.problems() == []
    for one in asked:
        found, same = ours.candidates(one), theirs.candidates(one)
        assert facts_of(same) == facts_of(found)
        assert figures_of(same) == pytest.approx(figures_of(found), abs=5e-4, nan_ok=True)
        assert same.near.texts == found.near.texts
        ids = found.table.ids.tolist()
        assert theirs.passages(ids) == ours.passages(ids)


def test_the_shelves_of_an_agent_and_the_agents_are_apart() -> None:
    server = migrated()
    one, other = server.bound(new_agent(server)), server.bound(new_agent(server))
    shelves: Sequence[PostgresIndex] = [
        PostgresIndex(one, LIVE, split), PostgresIndex(one, PAST, split), PostgresIndex(other, LIVE, split),
    ]  # fmt: skip

    for number, index in enumerate(shelves):
        index.put("a", f"f{number}", [said(f"cat {number}")])

    cat = Search((Word("cat", (("cat", 1.0),)),), 9)
    for number, index in enumerate(shelves):
        assert [each.text for each in index.passages(index.candidates(cat).words).values()] == [
            f"cat {number}"
        ]
        assert index.sources() == {"a": f"f{number}"}
        assert index.count() == (1, 2.0)


def test_a_long_source_is_written_and_rewritten_in_blocks() -> None:
    ours, theirs = in_sqlite(), in_postgres()
    for index in (ours, theirs):
        index.put("a", "f", [said(f"cat number{n} of{n % 7}") for n in range(600)])
        index.put("a", "g", [said(f"cat number{n} of{n % 5}") for n in range(10, 590)], keep=10)

    for terms in ("cat", "of3", "of6", "number599", "number300"):
        search = Search((Word(terms, ((terms, 1.0),)),), 1000)
        assert sorted(theirs.candidates(search).words) == sorted(ours.candidates(search).words)
    assert theirs.problems() == []

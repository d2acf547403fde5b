"""The SQLite index over time: reopened, shared by processes, inside larger writes that are taken back."""

import contextlib
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario.adapters.sqlite.database import Database
from almario.adapters.sqlite.passage_table import SqliteIndex
from almario.domain.passages import Passage, text_hash
from almario.ports import Index
from tests.effort import examples

NAME = "index-1.db"
QUERY = [0.6, 0.8]


def split(passage: Passage) -> Sequence[str]:
    return passage.text.split()


def open_index(folder: Path | None) -> SqliteIndex:
    return SqliteIndex(Database(folder, NAME), split)


def open_shelves(folder: Path) -> list[SqliteIndex]:
    database = Database(folder, NAME)
    return [SqliteIndex(database, split, shelf=shelf) for shelf in ("", "past_")]


def said(text: str, line: int = 1) -> Passage:
    return Passage(text, "a.md", line, "log")


texts = st.sampled_from(["a", "a b", "b c", "C", "ab", "c ab", "ä b", "a a"])
passages = st.lists(st.builds(said, texts, st.integers(1, 2)), max_size=5)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.sampled_from("xyz"), passages, st.integers(0, 3)),
        st.tuples(st.just("embed"), st.integers(1, 3)),
        st.tuples(st.just("reopen")),
        st.tuples(st.just("undone"), st.sampled_from("xyz"), passages),
    ),
    max_size=8,
)


def told(index: SqliteIndex) -> list[object]:
    """Ask an index everything."""
    ids = index.having("a*")
    near = index.nearest(QUERY, "m", 3)
    return [
        index.sources(),
        index.count(),
        [list(index.having(term)) for term in ("a", "b", "c", "C", "ab", "ä", "b*", "z")],
        dict(index.passages([*ids, 0])),
        list(index.lacking("m", 3).items()),
        near.ids,
        [f"{cosine:.2f}" for cosine in index.cosines(QUERY, "m", [*near.ids, *ids[:2]])],
        index.table(ids).passages,
    ]


def embed(index: Index, count: int) -> None:
    lacking = index.lacking("m", count)
    index.add_vectors("m", {key: [len(text) / 8, 0.5] for key, text in lacking.items()})


@examples(15)
@given(steps)
def test_it_answers_like_one_to_which_nothing_happened(happened: list[tuple[object, ...]]) -> None:
    with TemporaryDirectory() as folder:
        calm, (index, beside) = open_index(None), open_shelves(Path(folder))
        for each in (calm, index):
            each.put("first", "f", [])
        for step in happened:
            match step:
                case "put", str(source), list(given), int(keep):
                    for each in (calm, index):
                        each.put(source, f"{len(given)}", given, keep=keep)
                    beside.put("x", "g", [said("a c"), *given])
                case "embed", int(count):
                    embed(calm, count)
                    embed(index, count)
                    embed(beside, 1)
                case ("reopen",):
                    index, beside = open_shelves(Path(folder))
                case "undone", str(source), list(given):
                    undone(index, source, given)
            with index._database.reading():
                told(beside)
                assert told(index) == told(calm)
        assert index.problems() == beside.problems() == []


class Undone(Exception):
    """Takes a write back."""


def undone(index: SqliteIndex, source: str, given: list[Passage]) -> None:
    with contextlib.suppress(Undone), index._database.writing():
        index.put(source, "f", given)
        embed(index, 2)
        told(index)
        raise Undone


def test_what_a_question_is_compared_with_on_one_shelf_is_not_on_the_other(tmp_path: Path) -> None:
    shelves = open_shelves(tmp_path)
    for shelf, vector in zip(shelves, ([0.6, 0.8], [0.8, -0.6]), strict=True):
        shelf.put("a", "f", [said("b")])
        shelf.add_vectors("m", {text_hash("b"): vector})

    with shelves[0]._database.reading():
        cosines = [shelf.cosines(QUERY, "m", shelf.having("b")) for shelf in shelves]

    assert [each.round(2).tolist() for each in cosines] == [[1.0], [0.0]]


def test_vectors_that_were_taken_back_are_not_taken_for_later_ones(tmp_path: Path) -> None:
    index = open_index(tmp_path)
    index.put("a", "f", [])
    with contextlib.suppress(Undone), index._database.writing():
        index.put("a", "f", [said("old")])
        index.add_vectors("m", {text_hash("old"): [1.0, 0.0]})
        assert len(index.nearest([1.0, 0.0], "m", 1).ids) == 1
        raise Undone

    index.put("a", "f", [said("new")])
    index.add_vectors("m", {text_hash("new"): [0.0, 1.0]})

    assert index.cosines([1.0, 0.0], "m", index.having("new")) == pytest.approx([0.0])


def test_unchanged_passages_are_not_written_again(tmp_path: Path) -> None:
    requests: list[str] = []

    def noting(passage: Passage) -> Sequence[str]:
        requests.append(passage.text)
        return passage.text.split()

    index = SqliteIndex(Database(tmp_path, NAME), noting)
    index.put("a", "f", [said("one"), said("two"), said("three")])
    requests.clear()

    index.put("a", "f2", [said("one"), said("two"), said("3")])

    assert sorted(requests) == ["3", "three"]


def test_vectors_follow_another_process(tmp_path: Path) -> None:
    index = open_index(tmp_path)
    index.put("a", "f", [said("one"), said("two")])
    index.add_vectors("m", {text_hash("one"): [1.0, 0.0]})
    assert list(index.nearest([1.0, 0.0], "m", 5).ids) == list(index.having("one"))
    script = f"""
import sys
from pathlib import Path
from almario.adapters.sqlite.database import Database
from almario.adapters.sqlite.passage_table import SqliteIndex
from almario.domain.passages import Passage, text_hash
index = SqliteIndex(Database(Path(sys.argv[1]), {NAME!r}), lambda p: p.text.split())
"""

    def elsewhere(more: str) -> None:
        subprocess.run([sys.executable, "-c", script + more, str(tmp_path)], check=True, timeout=120)

    elsewhere("index.add_vectors('m', {text_hash('two'): [0.6, 0.8]})")
    assert list(index.nearest([0.0, 1.0], "m", 5).ids) == [*index.having("two"), *index.having("one")]

    elsewhere("index.put('a', 'g', [Passage('two', 'a.md', 9, 'log'), Passage('new', 'a.md', 10, 'log')])")
    assert list(index.nearest([0.0, 1.0], "m", 5).ids) == list(index.having("two"))
    assert list(index.lacking("m", 5).values()) == ["new"]


def test_vectors_of_a_rebuilt_file_are_not_taken_for_the_old_ones(tmp_path: Path) -> None:
    database = Database(tmp_path, NAME)
    index = SqliteIndex(database, split)
    for word, vector in (("old", [1.0, 0.0]), ("new", [0.0, 1.0])):
        index.put("a", "f", [said(word)])
        index.add_vectors("m", {text_hash(word): vector})
        assert index.cosines(vector, "m", index.having(word)) == pytest.approx([1.0])
        database.discard()


def test_many_vectors_come_and_go(tmp_path: Path) -> None:
    index = open_index(tmp_path)
    index.put("a", "f", [said(f"text {n}") for n in range(2500)])
    index.add_vectors("m", {text_hash(f"text {n}"): [n % 100 / 100, 0.5] for n in range(1500)})
    assert len(index.nearest(QUERY, "m", 9999).ids) == 1500
    index.add_vectors("m", {text_hash(f"text {n}"): [n % 100 / 100, 0.5] for n in range(1500, 2500)})
    best = index.nearest([1.0, 0.0], "m", 3).ids
    assert [index.passages([each])[each].text for each in best] == ["text 99", "text 199", "text 299"]
    assert index.lacking("m", 9) == {}

    index.put("a", "f", [], keep=2000)
    best = index.nearest([1.0, 0.0], "m", 3).ids
    assert [index.passages([each])[each].text for each in best] == ["text 99", "text 199", "text 299"]
    index.put("a", "f", [], keep=5)
    assert len(index.nearest(QUERY, "m", 9999).ids) == 5


def test_passages_are_put_and_read_without_loading_numpy(tmp_path: Path) -> None:
    script = f"""
import sys
from pathlib import Path
from almario.adapters.sqlite.database import Database
from almario.adapters.sqlite.passage_table import SqliteIndex
from almario.domain.passages import Passage
assert "apsw" not in sys.modules
index = SqliteIndex(Database(Path(sys.argv[1]), {NAME!r}), lambda p: p.text.split())
index.put("a", "f", [Passage("one", "a.md", 9, "log")])
index.lacking("m", 5), index.passages(index.places(["a"]).values()), index.count(), index.put("a", "f", [])
assert "numpy" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=True, timeout=120)


def test_what_another_process_wrote_is_not_called_damaged(tmp_path: Path) -> None:
    database = Database(tmp_path, NAME)
    mine, other = SqliteIndex(database, split), open_index(tmp_path)
    mine.put("first", "1", [said("hello world")])
    assert mine.having("world")
    for n in range(60):
        other.put(f"source {n}", "1", [said(f"hello{n} world")])
    other.put("source 1", "", [])

    assert database.problems() == []

"""Whatever happens to the index's bytes, it gives the right answers or says that it is damaged."""

import contextlib
import random
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from almario.adapters.sqlite import opening
from almario.adapters.sqlite.database import Database
from almario.adapters.sqlite.passage_table import SqliteIndex
from almario.domain.passages import Passage
from almario.errors import Damaged
from tests.effort import THOROUGH

NAME = "index-1.db"
WORDS = [f"word{n}" for n in range(40)]
TRIALS = 200 if THOROUGH else 25


def split(passage: Passage) -> Sequence[str]:
    return passage.text.split()


def opened(folder: Path) -> tuple[Database, SqliteIndex]:
    database = Database(folder, NAME)
    return database, SqliteIndex(database, split)


def fill(folder: Path) -> None:
    chance = random.Random(1)
    database, index = opened(folder)
    for number in range(12):
        passages = [
            Passage(
                " ".join(chance.choices(WORDS, k=40)), f"{number}.md", n, "log", date(2026, 1, n + 1), key="k"
            )
            for n in range(12)
        ]
        index.put(f"{number}.md", "f", passages)
    lacking = index.lacking("m", 100)
    index.add_vectors("m", {text: [chance.gauss(0, 0.1) for _ in range(64)] for text in lacking})
    index.put("3.md", "f", [])
    index.put("4.md", "f", passages[:3])
    database.set("seq", "9")
    database.checkpoint()
    database.close()


def answers(folder: Path) -> dict[str, Any]:
    """Ask everything that can be asked."""
    database, index = opened(folder)
    with contextlib.closing(database):
        found: dict[str, Any] = {word: index.having(word) for word in WORDS}
        found["begins"] = index.having("word1*")
        found["sources"] = index.sources()
        found["count"] = index.count()
        found["passages"] = index.passages(found["begins"])
        found["nearest"] = near = index.nearest([0.1] * 64, "m", 20)
        found["cosines"] = list(index.cosines([0.1] * 64, "m", near.ids))
        found["lacking"] = index.lacking("m", 100)
        found["seq"] = database.get("seq")
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    fill(tmp_path)
    return tmp_path


def broken(folder: Path, content: bytes) -> bool:
    """Put a content in place, ask everything, and say whether damage was reported."""
    for suffix in ("-wal", "-shm"):
        (folder / f"{NAME}{suffix}").unlink(missing_ok=True)
    (folder / NAME).write_bytes(content)
    try:
        found = answers(folder)
    except Damaged:
        return True
    assert found == RIGHT["answers"]
    return False


RIGHT: dict[str, Any] = {}


def test_flipped_bits_are_damage_or_harmless(folder: Path) -> None:
    content = (folder / NAME).read_bytes()
    RIGHT["answers"] = answers(folder)
    assert not broken(folder, content)
    chance = random.Random(7)
    places = [*range(0, 100, 4), 18, 19, 20, 21, *(chance.randrange(len(content)) for _ in range(TRIALS))]

    noticed = 0
    for place in places:
        changed = bytearray(content)
        changed[place] ^= 1 << chance.randrange(8)
        noticed += broken(folder, bytes(changed))

    assert noticed > len(places) / 2  # the rest lies on free pages


def test_a_file_cut_short_is_damage_or_lost_only_free_pages(folder: Path) -> None:
    content = (folder / NAME).read_bytes()
    RIGHT["answers"] = answers(folder)
    chance = random.Random(7)

    assert all(broken(folder, content[:length]) for length in (0, 1, 15, 16, 20, 99, 100, 4095, 4096, 8192))
    assert sum(broken(folder, content[: chance.randrange(len(content))]) for _ in range(50)) > 25


def test_pages_of_zeros_are_damage_or_harmless(folder: Path) -> None:
    content = (folder / NAME).read_bytes()
    RIGHT["answers"] = answers(folder)

    noticed = [
        broken(folder, content[:at] + bytes(4096) + content[at + 4096 :])
        for at in range(0, len(content), 4096)
    ]

    assert sum(noticed) > len(noticed) / 2


def test_a_long_text_that_lost_a_page_to_zeros_is_damage(tmp_path: Path) -> None:
    database, index = opened(tmp_path)
    index.put("a", "f", [Passage("x " * 5000, "a.md", 1, "log")])
    database.checkpoint()
    content = (tmp_path / NAME).read_bytes()
    at = content.rindex(b"x " * 800) // 4096 * 4096

    (tmp_path / NAME).write_bytes(content[:at] + bytes(4096) + content[at + 4096 :])

    with pytest.raises(Damaged):
        index.passages(index.having("x"))


@pytest.mark.parametrize(
    "foreign", [b"x" * 5000, b"SQLite format 3\0" + bytes(5000), bytes(8192), b"\xff" * 99]
)
def test_another_file_in_its_place_is_damage(folder: Path, foreign: bytes) -> None:
    assert broken(folder, foreign)


def test_damage_under_an_open_connection_is_noticed(folder: Path) -> None:
    content = (folder / NAME).read_bytes()
    _, index = opened(folder)
    right = {word: index.having(word) for word in WORDS}
    chance = random.Random(3)
    for _ in range(40):
        changed = bytearray(content)
        for _ in range(50):
            changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
        (folder / NAME).write_bytes(changed)
        with contextlib.suppress(Damaged):
            assert {word: index.having(word) for word in WORDS} == right
        with contextlib.suppress(Damaged):
            index.put("new", "f", [Passage("word1 more", "new.md", 1, "log")])
            index.put("new", "f", [])
    (folder / NAME).write_bytes(content)
    assert {word: index.having(word) for word in WORDS} == right


def test_flips_in_the_log_lose_at_most_what_the_log_held(folder: Path) -> None:
    database, index = opened(folder)
    before = answers(folder)
    index.put("late.md", "f", [Passage("word1 word2", "late.md", 1, "log")])
    database.close()
    log, content = (folder / f"{NAME}-wal").read_bytes(), (folder / NAME).read_bytes()
    after = answers(folder)
    assert before != after
    chance = random.Random(5)

    for _ in range(60):
        (folder / f"{NAME}-shm").unlink(missing_ok=True)
        (folder / NAME).write_bytes(content)
        changed = bytearray(log)
        changed[chance.randrange(len(log))] ^= 1 << chance.randrange(8)
        (folder / f"{NAME}-wal").write_bytes(changed)
        with contextlib.suppress(Damaged):
            assert answers(folder) in (before, after)


def test_problems_are_told_without_raising(folder: Path) -> None:
    database, index = opened(folder)
    assert database.problems() == index.problems() == []
    with database.writing() as connection:
        connection.execute("UPDATE passages SET text = 'other' WHERE id = (SELECT max(id) FROM passages)")
        connection.execute("UPDATE totals SET value = value + 1 WHERE name = 'passages'")
    assert len(index.problems()) == 2
    database.checkpoint()
    content = bytearray((folder / NAME).read_bytes())
    content[len(content) // 2] ^= 4
    (folder / NAME).write_bytes(content)

    assert len(database.problems()) == 1


CANARIES = [f"canary{n:03}zz" for n in range(60)]


@pytest.mark.parametrize("count", [3, 60])
def test_what_was_removed_is_in_no_byte_of_any_file(tmp_path: Path, count: int) -> None:
    database, index = opened(tmp_path)
    keep = [Passage(" ".join(WORDS[n : n + 30]) + f" keep{n}", "a.md", n, "log") for n in range(30)]
    secret = [Passage(f"{word} {word}stem among", "b.md", 1, "log", key=word) for word in CANARIES[:count]]
    index.put("keep", "f", keep)
    index.put("removed", "f", secret)
    index.put("edited", "f", [*keep[:3], *secret, *keep[3:6]])
    index.add_vectors("m", {key: [0.123, 0.456] for key in index.lacking("m", 999)})
    assert database.checkpoint()
    assert left(tmp_path, CANARIES) == CANARIES[:count]

    index.put("removed", "f", [])
    index.put("edited", "f", keep[:6])
    assert database.checkpoint()

    assert left(tmp_path, ["keep29", *CANARIES]) == ["keep29"]
    assert index.count()[0] == 36
    assert database.problems() == index.problems() == []


def left(folder: Path, words: Sequence[str]) -> list[str]:
    """Return the words of which the beginning or the end is in the folder's bytes."""
    content = b"".join(path.read_bytes() for path in folder.iterdir())
    return [word for word in words if word[:9].encode() in content or word[-5:].encode() in content]


def test_checksums_cannot_be_switched_off_by_the_byte_that_says_there_are_some(folder: Path) -> None:
    content = (folder / NAME).read_bytes()
    at = content.rindex(b"0word0")  # as the full-text index writes its first word
    RIGHT["answers"] = answers(folder)

    for bit in range(8):
        changed = bytearray(content)
        changed[20] ^= 1 << bit
        changed[at : at + 6] = b"0other"
        assert broken(folder, bytes(changed))


def test_without_checksums_damage_is_still_no_other_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "_with_checksums", lambda: "unix")
    content = (folder / NAME).read_bytes()
    chance = random.Random(11)
    noticed = 0
    for _ in range(TRIALS // 2):
        changed = bytearray(content)
        for _ in range(30):
            changed[chance.randrange(100, len(content))] ^= 1 << chance.randrange(8)
        (folder / NAME).write_bytes(changed)
        try:
            answers(folder)
        except Damaged:
            noticed += 1
    assert noticed > TRIALS // 4

"""The index says what the files say, and only what changed is read."""

import os
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario.domain.memories import Origin
from almario.domain.passages import Passage
from almario.domain.turns import Utterance
from almario.memory.indexing import Indexing
from almario.memory.settings import SearchSettings
from almario.store import files
from almario.store.folder import FolderStore
from almario.testing import FixedClock
from almario.text.redaction import Redacted
from tests.effort import examples
from tests.plain_index import PlainIndex

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC).timestamp()


class NotedIndex(PlainIndex):
    """Notes what is put into it: from which source, how many passages stay and how many are new."""

    def __init__(self) -> None:
        super().__init__()
        self.puts: list[tuple[str, int, int]] = []

    def put(self, source: str, fingerprint: str, passages: Iterable[Passage], *, keep: int = 0) -> None:
        new = list(passages)
        self.puts.append((source, keep, len(new)))
        super().put(source, fingerprint, new, keep=keep)

    def of(self, source: str) -> list[Passage]:
        """Return the passages of a source, as they were put."""
        first = self.places([source])[source]
        found = self.passages(range(first, first + 1000)).values()
        return [each._replace(id=0, length=0) for each in found]


@pytest.fixture
def index() -> NotedIndex:
    return NotedIndex()


@pytest.fixture
def indexing(vault: FolderStore, index: NotedIndex) -> Indexing:
    return Indexing(vault, index)


def write(vault: FolderStore, name: str, text: str, *, at: float = LONG_AGO) -> Path:
    path = vault.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (at, at))
    return path


def say(
    vault: FolderStore, *words: str, session: str = "cli:main", role: Any = "user", origin: Origin = "owner"
) -> None:
    vault.append_turns(session, [Utterance(role, word, origin, "Ana") for word in words])
    settle(vault, session)


def settle(vault: FolderStore, session: str = "cli:main") -> None:
    path = vault.root / "sessions" / f"{session.replace(':', '.')}.jsonl"
    os.utime(path, (LONG_AGO, LONG_AGO))


def texts(index: NotedIndex) -> dict[str, list[str]]:
    found = {name: [each.text for each in index.of(name)] for name in index.sources()}
    return {name: passages for name, passages in found.items() if passages}


def test_every_note_and_turn_is_indexed(vault: FolderStore, index: NotedIndex, indexing: Indexing) -> None:
    write(vault, "SOUL.md", "Be kind.\n")
    write(vault, "memory/2026-11-14.md", "- [14:30] tea\n")
    write(vault, "memory/archive/old/deep.md", "moved\n")
    say(vault, "hello")

    assert indexing.stale()
    indexing.refresh()

    assert not indexing.stale()
    assert texts(index) == {
        "SOUL.md": ["Be kind."],
        "memory/2026-11-14.md": ["tea"],
        "memory/archive/old/deep.md": ["moved"],
        "sessions/cli.main.jsonl": ["hello"],
    }


@pytest.mark.parametrize(
    "name",
    [
        ".versions/SOUL.md/aa.md",
        ".index/x.md",
        "journal/x.md",
        "sessions/x.md",
        "sessions/x.jsonl.bak",
        "sessions/Copy of x.jsonl",
        "MEMORY.conflict-0a1b2c3d.md",
        "memory/note.sync-conflict-2026.md",
        "memory/note (conflicted copy).md",
        ".MEMORY.md.aaaaaaaaaaaa-bbbbbbbbbbbb-00000000.tmp",
        "memory/.hidden.md",
        "memory/.obsidian/x.md",
        "note.txt",
        "sessions/cut/cli.main-012345.jsonl",
    ],
)
def test_what_is_nobodys_note_is_not_indexed(
    vault: FolderStore, index: NotedIndex, indexing: Indexing, name: str
) -> None:
    write(vault, name, "secret\n")
    write(vault, "SOUL.md", "Be kind.\n")
    indexing.refresh()

    assert list(index.sources()) == ["SOUL.md"]
    assert not indexing.stale()


def test_tool_results_are_indexed_as_such_and_system_turns_are_not(
    vault: FolderStore, index: NotedIndex
) -> None:
    say(vault, "from the web", role="tool", origin="untrusted")
    say(vault, "be brief", role="system")
    Indexing(vault, index).refresh()

    assert [(p.text, p.role) for p in index.of("sessions/cli.main.jsonl")] == [("from the web", "stranger")]


def test_only_what_changed_is_read(vault: FolderStore, index: NotedIndex, indexing: Indexing) -> None:
    for name in ("SOUL.md", "USER.md"):
        write(vault, name, "same\n")
    say(vault, "hello")
    indexing.refresh()
    write(vault, "USER.md", "other\n", at=LONG_AGO + 5)
    with mock.patch.object(files, "read_bytes", side_effect=files.read_bytes) as read:
        assert indexing.stale()
        assert read.call_count == 0
        done = indexing.refresh()

    assert [call.args[0].name for call in read.mock_calls] == ["USER.md"]
    assert (len(done.read), done.passages, done.removed) == (1, 1, ())
    assert texts(index)["USER.md"] == ["other"]


def test_only_the_new_turns_of_a_grown_transcript_are_put(
    vault: FolderStore, index: NotedIndex, indexing: Indexing
) -> None:
    say(vault, "a", "b")
    indexing.refresh()
    say(vault, "c")
    indexing.refresh()

    assert index.puts == [("sessions/cli.main.jsonl", 0, 2), ("sessions/cli.main.jsonl", 2, 1)]
    assert [(p.line, p.turn) for p in index.of("sessions/cli.main.jsonl")][2] == (3, "cli:main#3")


def test_a_transcript_that_was_rewritten_is_put_anew(
    vault: FolderStore, index: NotedIndex, indexing: Indexing
) -> None:
    say(vault, "a", "b", "c")
    indexing.refresh()
    path = vault.root / "sessions" / "cli.main.jsonl"
    older, *newer = path.read_bytes().splitlines(keepends=True)
    archive = vault.root / "sessions" / "archive" / path.name
    archive.parent.mkdir()
    archive.write_bytes(older)
    path.write_bytes(b"".join(newer))
    indexing.refresh()

    assert texts(index) == {"sessions/archive/cli.main.jsonl": ["a"], "sessions/cli.main.jsonl": ["b", "c"]}


def test_a_torn_tail_is_not_indexed_until_it_is_whole(
    vault: FolderStore, index: NotedIndex, indexing: Indexing
) -> None:
    say(vault, "a", "b")
    path = vault.root / "sessions" / "cli.main.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    indexing.refresh()
    assert texts(index)["sessions/cli.main.jsonl"] == ["a"]

    path.write_bytes(whole)
    indexing.refresh()
    assert texts(index)["sessions/cli.main.jsonl"] == ["a", "b"]


def test_a_change_within_the_same_tick_of_the_clock_is_noticed(
    vault: FolderStore, index: NotedIndex, indexing: Indexing, clock: FixedClock
) -> None:
    now = clock().timestamp()
    path = write(vault, "SOUL.md", "Be kind.\n", at=now - 1)
    indexing.refresh()
    assert not indexing.stale()

    path.write_text("Be bold.\n")
    os.utime(path, (now - 1, now - 1))

    assert indexing.stale()
    indexing.refresh()
    assert texts(index) == {"SOUL.md": ["Be bold."]}


def test_a_recent_file_is_settled_once_its_time_can_be_trusted(
    vault: FolderStore, index: NotedIndex, indexing: Indexing, clock: FixedClock
) -> None:
    path = write(vault, "SOUL.md", "Be kind.\n", at=clock().timestamp())
    indexing.refresh()
    path.write_text("Be bold.\n")
    os.utime(path, (clock().timestamp(),) * 2)
    clock.advance(seconds=5)

    assert indexing.stale()
    indexing.refresh()
    assert texts(index) == {"SOUL.md": ["Be bold."]}
    with mock.patch.object(files, "read_bytes") as read:
        assert not indexing.stale()
    assert not read.called


def test_the_ledgers_lines_of_memory_are_left_out(vault: FolderStore, index: NotedIndex) -> None:
    write(vault, "MEMORY.md", "## job\n\n- bridges\n\nMy own words.\n")
    write(vault, "USER.md", "one\n\ntwo\n")
    Indexing(vault, index, elsewhere=lambda name, _: {3} if name == "MEMORY.md" else ()).refresh()

    assert texts(index) == {"MEMORY.md": ["My own words."], "USER.md": ["one\n\ntwo"]}


def test_other_sizes_cut_everything_anew(vault: FolderStore, index: NotedIndex) -> None:
    write(vault, "SOUL.md", "Be kind to everyone you meet.\n\n" * 40)
    Indexing(vault, index).refresh()
    smaller = Indexing(vault, index, SearchSettings(chunk_tokens=50))

    assert smaller.stale()
    smaller.refresh()
    assert len(texts(index)["SOUL.md"]) > 3
    assert not smaller.stale()


def test_what_is_not_text_is_passed_over_and_told_once(
    vault: FolderStore, index: NotedIndex, indexing: Indexing
) -> None:
    path = write(vault, "memory/latin.md", "")
    path.write_bytes(b"caf\xe9\n")
    write(vault, "SOUL.md", "Be kind.\n")
    [notice] = indexing.refresh().notices

    assert str(notice).startswith("memory/latin.md was not indexed: memory/latin.md line 1: byte 0xe9")
    assert texts(index) == {"SOUL.md": ["Be kind."]}
    assert not indexing.stale()
    assert indexing.refresh().notices == []

    write(vault, "memory/latin.md", "café\n")
    indexing.refresh()
    assert texts(index)["memory/latin.md"] == ["café"]


def test_links_out_of_the_vault_and_in_circles_do_no_harm(
    vault: FolderStore, index: NotedIndex, indexing: Indexing, tmp_path: Path
) -> None:
    (tmp_path / "outside.md").write_text("private\n")
    (vault.root / "link.md").symlink_to(tmp_path / "outside.md")
    (vault.root / "nothing.md").symlink_to(tmp_path / "nothing.md")
    (vault.root / "loop").symlink_to(vault.root)
    os.mkfifo(vault.root / "pipe.md")
    [notice] = indexing.refresh().notices

    assert "leads out of the agent's folder" in str(notice)
    assert texts(index) == {}
    assert not indexing.stale()


def test_what_is_indexed_is_redacted_and_keeps_its_line(vault: FolderStore, index: NotedIndex) -> None:
    def redact(text: str) -> Redacted:
        clean = re.sub(r"BEGIN[\s\S]*?END|sk-\w+", "[redacted:key]", text)
        return Redacted(clean, (), 0.0, clean)

    write(vault, "USER.md", "# One\nBEGIN\na\nb\nEND\n# Two\nsk-123\n")
    say(vault, "my key is sk-123")
    Indexing(vault, index, redact=redact).refresh()

    assert [(p.line, p.text) for p in index.of("USER.md")] == [
        (1, "# One\n[redacted:key]"),
        (6, "# Two\n[redacted:key]"),
    ]
    assert texts(index)["sessions/cli.main.jsonl"] == ["my key is [redacted:key]"]


def test_a_snapshot_is_indexed_only_while_its_turns_are_not(
    vault: FolderStore, index: NotedIndex, indexing: Indexing
) -> None:
    write(vault, "memory/snapshots/2026-11-14-tea.md", "<!-- session: cli:main -->\n\nAna: hello\n")
    write(vault, "memory/snapshots/2026-11-13-old.md", "Ana: long ago\n")
    indexing.refresh()
    assert len(texts(index)) == 2

    say(vault, "hello")
    indexing.refresh()
    assert sorted(texts(index)) == ["memory/snapshots/2026-11-13-old.md", "sessions/cli.main.jsonl"]

    (vault.root / "sessions" / "cli.main.jsonl").unlink()
    indexing.refresh()
    assert len(texts(index)) == 2
    assert not indexing.stale()


CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["write", "delete", "say", "refresh", "rename"]),
        st.integers(0, 2),
        st.text("ab\n#", max_size=9),
    ),
    max_size=12,
)


@examples(10)
@given(CHANGES)
def test_after_any_changes_the_index_is_what_a_new_one_would_be(changes: list[tuple[str, int, str]]) -> None:
    with TemporaryDirectory() as folder, mock.patch.object(files, "sync"):
        vault = FolderStore(Path(folder), FixedClock(), UTC)
        index = NotedIndex()
        indexing = Indexing(vault, index)
        for what, which, text in changes:
            path = vault.root / f"{which}.md"
            if what == "write":
                path.write_text(text)
            elif what == "delete":
                path.unlink(missing_ok=True)
            elif what == "rename" and path.exists():
                path.rename(vault.root / f"{(which + 1) % 3}.md")
            elif what == "say":
                vault.append_turns(f"s:{which}", [Utterance("user", text, "owner")])
            else:
                indexing.refresh()
        indexing.refresh()
        fresh = NotedIndex()
        Indexing(vault, fresh).refresh()

        assert texts(index) == texts(fresh)
        assert not indexing.stale()

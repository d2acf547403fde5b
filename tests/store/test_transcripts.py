"""What was said is there, once, under the number it was given, whatever happens to the file."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario.domain.turns import Turn, Utterance, transcript_name
from almario.errors import StoreError
from almario.store import files
from almario.store.folder import FolderStore
from almario.store.transcripts import FolderTranscripts
from almario.testing import FixedClock
from tests.effort import examples

MAIN = "cli:main"


@pytest.fixture
def transcripts(tmp_path: Path) -> FolderTranscripts:
    return FolderTranscripts(tmp_path / "sessions", FixedClock())


def say(transcripts: FolderTranscripts, *words: str, session: str = MAIN) -> list[Turn]:
    return transcripts.append(session, [Utterance("user", word, "owner", "Ana") for word in words])


def said(transcripts: FolderTranscripts, session: str = MAIN, after: int = 0) -> list[tuple[int, str]]:
    return [(turn.n, turn.text) for turn in transcripts.read(session, after=after)]


def the_file(transcripts: FolderTranscripts, session: str = MAIN) -> Path:
    return transcripts.folder / transcript_name(session)


def problems(transcripts: FolderTranscripts) -> list[str]:
    return [f"{damage.place} {damage.problem}" for damage in transcripts.check()]


def test_sessions_are_listed_by_their_keys(transcripts: FolderTranscripts) -> None:
    keys = ["../x", "Telegram:42", "telegram:42", "日本:1", "a/b\0c"]
    for key in keys:
        say(transcripts, "hello", session=key)

    assert transcripts.sessions() == sorted(keys)
    assert {path.parent for path in transcripts.folder.rglob("*.jsonl")} == {transcripts.folder}


def test_the_turns_are_synced_after_they_are_written(transcripts: FolderTranscripts) -> None:
    sizes: list[int] = []

    def sync(descriptor: int) -> None:
        sizes.append(os.fstat(descriptor).st_size)

    say(transcripts, "first")
    with mock.patch.object(files, "sync", side_effect=sync):
        say(transcripts, "second")

    assert sizes == [the_file(transcripts).stat().st_size]


def test_a_new_file_is_made_durable_in_its_folder(transcripts: FolderTranscripts) -> None:
    with mock.patch.object(files, "sync_folder", side_effect=files.sync_folder) as sync:
        say(transcripts, "hello")

    assert mock.call(transcripts.folder) in sync.mock_calls


@pytest.mark.parametrize("name", ["write_all", "sync"])
def test_a_failed_write_leaves_nothing_and_says_so(transcripts: FolderTranscripts, name: str) -> None:
    say(transcripts, "first")
    real = getattr(files, name)

    def fail(descriptor: int, *content: bytes) -> None:
        real(descriptor, *(part[:9] for part in content))
        raise OSError(28, os.strerror(28))

    with mock.patch.object(files, name, fail), pytest.raises(StoreError, match="No space left"):
        say(transcripts, "lost")

    assert the_file(transcripts).read_bytes().count(b"\n") == 1
    assert the_file(transcripts).read_bytes().endswith(b"\n")
    assert [turn.n for turn in say(transcripts, "second")] == [2]


@examples(15)
@given(
    st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=9), max_size=3), max_size=5),
    st.binary(max_size=30).filter(lambda torn: b"\n" not in torn),
)
def test_nothing_acknowledged_is_lost_or_there_twice(appends: list[list[str]], torn: bytes) -> None:
    with TemporaryDirectory() as folder:
        acknowledged: list[Turn] = []
        for words in appends:
            transcripts = FolderTranscripts(Path(folder) / "sessions", FixedClock())
            acknowledged += say(transcripts, *words)
            if acknowledged:
                with the_file(transcripts).open("ab") as file:
                    file.write(torn)
            assert transcripts.read(MAIN) == acknowledged

        assert [turn.n for turn in acknowledged] == list(range(1, len(acknowledged) + 1))


def test_a_kill_at_any_byte_of_a_write_costs_only_what_was_not_acknowledged(
    transcripts: FolderTranscripts, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(transcripts, "first")
    before = the_file(transcripts).read_bytes()
    say(transcripts, "second", "third")
    after = the_file(transcripts).read_bytes()
    monkeypatch.setattr(files, "sync", lambda _: None)  # no power is cut here
    for end in range(len(before), len(after)):
        the_file(transcripts).write_bytes(after[:end])
        whole = after[len(before) : end].count(b"\n")
        assert said(transcripts) == [(1, "first"), (2, "second")][: 1 + whole]
        say(transcripts, "next")
        assert said(transcripts) == [(1, "first"), *[(2, "second")] * whole, (2 + whole, "next")]
        assert problems(transcripts) == []


def test_the_bytes_of_a_torn_tail_are_kept(transcripts: FolderTranscripts) -> None:
    say(transcripts, "first")
    with the_file(transcripts).open("ab") as file:
        file.write(b'{"n":2,"te')

    assert problems(transcripts) == [
        "sessions/cli.main.jsonl:2 is unfinished; the next write cuts it off and keeps its bytes"
    ]
    say(transcripts, "second")

    assert [path.read_bytes() for path in (transcripts.folder / "cut").iterdir()] == [b'{"n":2,"te']
    assert said(transcripts) == [(1, "first"), (2, "second")]


@pytest.mark.parametrize("line", [0, 1, 2])
def test_a_damaged_line_is_reported_and_passed_over(transcripts: FolderTranscripts, line: int) -> None:
    say(transcripts, "a", "b", "c")
    lines = the_file(transcripts).read_bytes().splitlines(keepends=True)
    lines[line] = lines[line].replace(b'"role":"user"', b'"role":"usex"')
    the_file(transcripts).write_bytes(b"".join(lines))

    assert [n for n, _ in said(transcripts)] == [n for n in (1, 2, 3) if n != line + 1]
    assert [turn.n for turn in say(transcripts, "d")] == [4]
    assert problems(transcripts) == [f"sessions/cli.main.jsonl:{line + 1} is not a line that Almario wrote"]


def test_a_turn_written_right_after_a_torn_one_is_read(transcripts: FolderTranscripts) -> None:
    say(transcripts, "a", "b")
    lines = the_file(transcripts).read_bytes().splitlines(keepends=True)
    the_file(transcripts).write_bytes(lines[0] + b'{"n":2,"text":"los' + lines[1])

    assert said(transcripts) == [(1, "a"), (2, "b")]
    assert len(problems(transcripts)) == 1


def test_an_older_line_added_at_the_end_gives_no_number_twice(transcripts: FolderTranscripts) -> None:
    say(transcripts, "a", "b", "c")
    first = the_file(transcripts).read_bytes().splitlines(keepends=True)[0]
    with the_file(transcripts).open("ab") as file:
        file.write(first)

    assert [turn.n for turn in say(transcripts, "d")] == [4]
    assert said(transcripts) == [(1, "a"), (2, "b"), (3, "c"), (4, "d")]
    assert said(transcripts, after=2) == [(3, "c"), (4, "d")]
    assert problems(transcripts) == ["sessions/cli.main.jsonl:4 repeats turn 1"]


def test_missing_turns_and_foreign_files_are_reported(transcripts: FolderTranscripts) -> None:
    say(transcripts, "a", "b", "c")
    lines = the_file(transcripts).read_bytes().splitlines(keepends=True)
    the_file(transcripts).write_bytes(lines[0] + lines[2])
    (transcripts.folder / "cli.main (copy).jsonl").write_bytes(lines[0])

    assert problems(transcripts) == [
        "sessions/cli.main (copy).jsonl is not a transcript; "
        "a sync program or a second machine left it there",
        "sessions/cli.main.jsonl is missing turns that were written, including number 2",
    ]


def test_a_link_that_leaves_the_folder_is_refused(transcripts: FolderTranscripts, tmp_path: Path) -> None:
    outside = tmp_path / "outside.jsonl"
    outside.write_text("mine\n")
    transcripts.folder.mkdir()
    the_file(transcripts).symlink_to(outside)

    with pytest.raises(Exception, match="leads out of the agent's folder"):
        say(transcripts, "hello")
    assert outside.read_text() == "mine\n"


def test_half_a_character_is_refused_and_nothing_written(transcripts: FolderTranscripts) -> None:
    with pytest.raises(StoreError, match="not valid Unicode"):
        say(transcripts, "fine", "\ud800")

    assert said(transcripts) == []


def test_writers_on_one_session_give_each_turn_its_own_number(vault: FolderStore, clock: FixedClock) -> None:
    def write(name: str) -> list[str]:
        own = FolderStore(vault.root, clock, vault.zone)
        return [own.append_turns(MAIN, [Utterance("user", f"{name}{n}", "owner")])[0].text for n in range(8)]

    with ThreadPoolExecutor(4) as pool:
        texts = [text for texts in pool.map(write, "abcd") for text in texts]

    assert [n for n, _ in said(vault.transcripts)] == list(range(1, 33))
    assert sorted(text for _, text in said(vault.transcripts)) == sorted(texts)
    assert vault.journal.read() == []


def test_what_a_killed_cutter_left_is_cleared(vault: FolderStore) -> None:
    copy = vault.root / "sessions" / ".cli.main-0123.aaaaaaaaaaaa-new-00000000.tmp"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(b"torn")
    vault.append_turns(MAIN, [Utterance("user", "hello", "owner")])

    assert not copy.exists()

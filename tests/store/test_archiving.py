"""Older turns move to the archive, and no kill, torn tail or stranger's line costs or doubles one."""

import contextlib
import os
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario.domain.turns import Turn, Utterance, decode_turn, transcript_name
from almario.errors import EditConflict, StoreError
from almario.store import files, replacing
from almario.store.folder import FolderStore
from almario.store.transcripts import FolderTranscripts
from almario.testing import FixedClock
from tests.effort import examples
from tests.killed import Killed

MAIN = "cli:main"


@pytest.fixture
def transcripts(tmp_path: Path) -> FolderTranscripts:
    return FolderTranscripts(tmp_path / "sessions", FixedClock())


def say(transcripts: FolderTranscripts, count: int) -> list[Turn]:
    return transcripts.append(MAIN, [Utterance("user", f"word {n}", "owner") for n in range(count)])


def main_file(transcripts: FolderTranscripts) -> Path:
    return transcripts.folder / transcript_name(MAIN)


def archive_file(transcripts: FolderTranscripts) -> Path:
    return transcripts.folder / "archive" / transcript_name(MAIN)


def test_numbers_go_on_when_the_file_is_empty(transcripts: FolderTranscripts) -> None:
    say(transcripts, 3)
    transcripts.archive(MAIN, 9)

    assert main_file(transcripts).read_bytes() == b""
    assert [turn.n for turn in say(transcripts, 1)] == [4]


def test_the_copy_is_on_the_disk_before_the_turns_leave(transcripts: FolderTranscripts) -> None:
    say(transcripts, 2)
    done: list[str] = []
    real = replacing.replace

    def sync(descriptor: int) -> None:
        done.append("sync" if os.path.isfile(f"/dev/fd/{descriptor}") else "sync folder")

    def replace(path: Path, content: bytes, *, expected: str | None) -> None:
        done.append("replace")
        real(path, content, expected=expected)

    with mock.patch.object(files, "sync", sync), mock.patch.object(replacing, "replace", replace):
        transcripts.archive(MAIN, 1)

    before = done[: done.index("replace")]
    assert before.index("sync") < len(before) - 1
    assert before[-2:] == ["sync folder", "sync folder"]


def test_a_copy_that_a_killed_process_made_is_synced_before_the_turns_leave(
    transcripts: FolderTranscripts,
) -> None:
    say(transcripts, 2)
    with mock.patch.object(replacing, "replace", side_effect=Killed), pytest.raises(Killed):
        transcripts.archive(MAIN, 2)
    with (
        mock.patch.object(replacing, "replace"),
        mock.patch.object(files, "sync", side_effect=files.sync) as sync,
    ):
        transcripts.archive(MAIN, 2)

    assert sync.call_count == 3


def test_a_kill_at_any_byte_of_the_copy_loses_and_doubles_nothing(transcripts: FolderTranscripts) -> None:
    turns = say(transcripts, 3)
    whole = main_file(transcripts).read_bytes()
    archive_file(transcripts).parent.mkdir()
    with mock.patch.object(files, "sync"):
        for end in range(0, len(whole) + 1, 7):
            main_file(transcripts).write_bytes(whole)
            archive_file(transcripts).write_bytes(whole[:end])
            assert transcripts.read(MAIN) == turns
            transcripts.archive(MAIN, 2)
            assert transcripts.read(MAIN) == turns
            assert transcripts.check() == []
            assert transcripts.last_number(MAIN) == 3


def test_a_failed_copy_leaves_everything_where_it_is(transcripts: FolderTranscripts) -> None:
    turns = say(transcripts, 3)
    with (
        mock.patch.object(files, "sync", side_effect=OSError(28, os.strerror(28))),
        pytest.raises(StoreError, match="No space left"),
    ):
        transcripts.archive(MAIN, 2)

    assert main_file(transcripts).read_bytes().count(b"\n") == 3
    assert transcripts.read(MAIN) == turns


def test_a_file_that_somebody_else_writes_is_left_alone(transcripts: FolderTranscripts) -> None:
    turns = say(transcripts, 3)
    real = files.sync_folder

    def meddle(folder: Path) -> None:
        with main_file(transcripts).open("ab") as file:
            file.write(b"mine\n")
        real(folder)

    with mock.patch.object(files, "sync_folder", meddle), pytest.raises(EditConflict):
        transcripts.archive(MAIN, 2)

    assert main_file(transcripts).read_bytes().count(b"mine\n") >= 1
    assert transcripts.read(MAIN) == turns


@pytest.mark.parametrize("upto", [1, 2, 3, 4])
@pytest.mark.parametrize("place", range(5))
def test_a_line_that_cannot_be_read_is_kept_and_its_number_not_given_again(
    transcripts: FolderTranscripts, place: int, upto: int
) -> None:
    say(transcripts, 4)
    lines = main_file(transcripts).read_bytes().splitlines(keepends=True)
    lines[place : place + 1] = [b"<<<<<<< not ours \xff\n"]
    main_file(transcripts).write_bytes(b"".join(lines))
    before, number = transcripts.read(MAIN), transcripts.last_number(MAIN)
    transcripts.archive(MAIN, upto)

    there = main_file(transcripts).read_bytes(), archive_file(transcripts)
    kept = there[0] + (there[1].read_bytes() if there[1].is_file() else b"")
    assert kept.count(b"not ours \xff") == 1
    assert transcripts.read(MAIN) == before
    assert transcripts.last_number(MAIN) == number


def test_a_turn_glued_to_a_torn_one_moves_with_all_its_bytes(transcripts: FolderTranscripts) -> None:
    say(transcripts, 3)
    lines = main_file(transcripts).read_bytes().splitlines(keepends=True)
    main_file(transcripts).write_bytes(lines[0] + b'{"n":2,"text":"los' + lines[1] + lines[2])
    transcripts.archive(MAIN, 2)

    assert b"los" in archive_file(transcripts).read_bytes()
    assert [turn.n for turn in transcripts.read(MAIN)] == [1, 2, 3]


def test_an_older_line_that_came_back_does_not_hide_a_number(transcripts: FolderTranscripts) -> None:
    say(transcripts, 3)
    first = main_file(transcripts).read_bytes().splitlines(keepends=True)[0]
    transcripts.archive(MAIN, 1)
    with main_file(transcripts).open("ab") as file:
        file.write(b"not ours\n" + first)
    number = transcripts.last_number(MAIN)
    transcripts.archive(MAIN, 2)

    assert transcripts.last_number(MAIN) == number
    assert archive_file(transcripts).read_bytes().count(first) == 1


def test_the_last_turns_are_read_without_the_rest(transcripts: FolderTranscripts) -> None:
    turns = say(transcripts, 500)
    transcripts.archive(MAIN, 490)
    with mock.patch("almario.domain.turns.decode_turn", side_effect=decode_turn) as decoded:
        assert transcripts.read(MAIN, last=15) == turns[-15:]

    assert decoded.call_count < 60
    with mock.patch("almario.domain.turns.decode_turn", side_effect=decode_turn) as decoded:
        transcripts.read(MAIN, last=5)
    assert decoded.call_count <= 10
    assert transcripts.read(MAIN, last=3) == turns[-3:]
    assert transcripts.read(MAIN, after=498, last=9) == turns[498:]


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), st.integers(1, 3)),
        st.tuples(st.just("move"), st.integers(0, 12)),
        st.tuples(st.just("kill in the copy"), st.integers(0, 12)),
        st.tuples(st.just("kill before the exchange"), st.integers(0, 12)),
        st.tuples(st.just("tear"), st.integers(1, 60)),
        st.tuples(st.just("tear the archive"), st.integers(1, 60)),
    ),
    max_size=12,
)


@examples(20)
@given(STEPS)
def test_whatever_happens_the_turns_are_those_that_were_acknowledged(steps: list[tuple[str, int]]) -> None:
    with TemporaryDirectory() as folder, mock.patch.object(files, "sync"):
        model: list[Turn] = []
        for step, amount in steps:
            transcripts = FolderTranscripts(Path(folder) / "sessions", FixedClock())
            if step == "say":
                model += say(transcripts, amount)
            elif step == "move":
                transcripts.archive(MAIN, amount)
            elif step.startswith("tear"):
                path = (archive_file if "archive" in step else main_file)(transcripts)
                if path.is_file():
                    line = path.read_bytes().splitlines(keepends=True)[-1:]
                    with path.open("ab") as file:
                        file.write((b"".join(line) or b"x")[:amount].rstrip(b"\n"))
            else:
                name = "write_all" if "copy" in step else "sync_folder"
                real_one = getattr(files, name)

                def killed(target: int, *content: bytes, real_one: object = real_one) -> None:
                    assert callable(real_one)
                    real_one(target, *(part[: len(part) // 2] for part in content))
                    raise Killed

                with mock.patch.object(files, name, killed), contextlib.suppress(Killed):
                    transcripts.archive(MAIN, amount)
            assert transcripts.read(MAIN) == model
            assert [turn.n for turn in model] == list(range(1, len(model) + 1))
        assert transcripts.last_number(MAIN) == len(model) if steps else True


def test_two_vaults_that_move_and_append_lose_nothing(vault: FolderStore, clock: FixedClock) -> None:
    other = FolderStore(vault.root, clock, vault.zone)
    for n in range(6):
        (vault if n % 2 else other).append_turns(MAIN, [Utterance("user", str(n), "owner")])
        (other if n % 2 else vault).archive_turns(MAIN, n)

    assert [turn.text for turn in vault.transcripts.read(MAIN)] == list("012345")
    assert vault.transcripts.check() == []


def test_a_folder_copied_between_the_steps_holds_every_turn(vault: FolderStore, tmp_path: Path) -> None:
    vault.append_turns(MAIN, [Utterance("user", str(n), "owner") for n in range(4)])
    copy = tmp_path / "copy"
    with (
        mock.patch.object(replacing, "replace", side_effect=lambda *_, **__: copytree(vault.root, copy)),
    ):
        vault.archive_turns(MAIN, 3)
    found = FolderTranscripts(copy / "sessions", FixedClock())

    assert [turn.n for turn in found.read(MAIN)] == [1, 2, 3, 4]
    assert found.archive(MAIN, 3) == 3
    assert [turn.n for turn in found.read(MAIN)] == [1, 2, 3, 4]
    assert found.check() == []

"""What the journal has acknowledged is there, once, whole and in order."""

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario.domain.events import AgentCreated, Event, Filing, SoulChanged, Unknown
from almario.domain.journal_lines import decode, encode, seal
from almario.domain.messages import Sentence
from almario.errors import SchemaTooNew, StoreError
from almario.store import files, replacing
from almario.store.journal import Appender, FolderJournal
from almario.store.mending import mend
from almario.testing import FixedClock
from tests.effort import examples
from tests.store.conftest import open_descriptors

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@pytest.fixture
def journal(tmp_path: Path) -> FolderJournal:
    return FolderJournal(tmp_path / "journal", FixedClock(), roll_bytes=2000)


def write(journal: FolderJournal, *names: str) -> None:
    for name in names:
        with closing(Appender(journal)) as appender:
            appender.append(AgentCreated(name, "en"), actor="owner")


def names(journal: FolderJournal) -> list[str]:
    return [event.body.name for event in journal.read() if isinstance(event.body, AgentCreated)]


def the_file(journal: FolderJournal) -> Path:
    [path] = journal.files()
    return path


@given(file=WORDS, reason=WORDS, texts=st.lists(WORDS, max_size=3), seq=st.integers(1, 10**9))
def test_any_event_comes_back_as_it_went(file: str, reason: str, texts: list[str], seq: int) -> None:
    event = Event(
        seq=seq,
        id="ab",
        at=FixedClock()(),
        host="here",
        actor="owner",
        body=SoulChanged(file, None, "f" * 64, Sentence.own(reason)),
        filings=tuple(Filing("memory/x.md", text) for text in texts),
        filed=seq - 1,
    )

    line = seal(encode(event).encode())

    assert line.count(b"\n") == 1
    assert decode(line[:-1]) == event


@given(st.binary(max_size=200))
def test_no_bytes_but_our_own_are_read_as_an_event(content: bytes) -> None:
    with pytest.raises(ValueError, match="checksum"):
        decode(content)


def test_a_line_has_its_fields_in_the_order_of_the_design(journal: FolderJournal) -> None:
    write(journal, "one")

    line = json.loads(the_file(journal).read_text())

    assert list(line) == ["seq", "id", "at", "host", "actor", "type", "v", "name", "language", "filed", "crc"]
    assert line["at"] == "2026-11-14T13:30:00.000Z"


def test_a_full_file_is_followed_by_one_named_by_its_first_seq(journal: FolderJournal) -> None:
    write(journal, *(f"name {n}" for n in range(40)))

    first, *others = journal.files()
    assert first.name == "000000001.jsonl"
    assert others
    for path in others:
        assert decode(path.read_bytes().split(b"\n")[0]).seq == int(path.stem)
    assert names(journal) == [f"name {n}" for n in range(40)]
    assert journal.check() == []


@given(cut=st.integers(1, 400))
@examples(20)
def test_a_torn_tail_is_no_line_for_readers_and_is_cut_and_kept_by_the_next_writer(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    journal = FolderJournal(tmp_path_factory.mktemp("j"), FixedClock())
    write(journal, "one", "two")
    whole = the_file(journal).read_bytes()
    last = len(whole) - whole[:-1].rfind(b"\n") - 1
    torn = whole[: -min(cut, last - 1)]
    the_file(journal).write_bytes(torn)
    (journal.folder / ".last").write_text("1")  # it was never acknowledged

    assert names(journal) == ["one"]
    assert the_file(journal).read_bytes() == torn

    write(journal, "three")

    assert names(journal) == ["one", "three"]
    assert [event.seq for event in journal.read()] == [1, 2]
    assert journal.check() == []
    [kept] = (journal.folder / "cut").iterdir()
    assert torn.endswith(kept.read_bytes())


def test_a_new_file_that_got_no_line_before_the_kill_is_used(journal: FolderJournal) -> None:
    write(journal, *(f"name {n}" for n in range(9)))
    seq = journal.tail().seq
    (journal.folder / f"{seq + 1:09d}.jsonl").touch()

    write(journal, "next")

    assert journal.tail().seq == seq + 1
    assert journal.check() == []


@given(st.data())
@examples(25)
def test_damage_is_named_with_its_line_and_the_rest_stays_readable_and_writable(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    journal = FolderJournal(tmp_path_factory.mktemp("j"), FixedClock())
    write(journal, *"abcdef")
    lines = the_file(journal).read_bytes().split(b"\n")[:-1]
    place = data.draw(st.integers(0, 5))
    position = data.draw(st.integers(0, len(lines[place]) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b not in (10, lines[place][position])))
    lines[place] = lines[place][:position] + bytes([byte]) + lines[place][position + 1 :]
    the_file(journal).write_bytes(b"\n".join(lines) + b"\n")

    [damage] = journal.check()
    assert damage.place == f"journal/000000001.jsonl:{place + 1}"
    assert names(journal) == [name for n, name in enumerate("abcdef") if n != place]

    write(journal, "g")

    assert names(journal)[-1] == "g"
    assert journal.tail().seq == 7
    assert len(journal.check()) == 1


def test_mending_takes_damage_out_keeps_its_bytes_and_explains_the_gap(journal: FolderJournal) -> None:
    write(journal, "a", "b", "c")
    content = the_file(journal).read_bytes()
    the_file(journal).write_bytes(content.replace(b'"b"', b'"X"'))

    with closing(Appender(journal)) as appender:
        [kept] = mend(journal, appender)

    assert b'"X"' in kept.read_bytes()
    assert names(journal) == ["a", "c"]
    assert journal.check() == []


def test_two_lines_glued_by_one_flipped_byte_can_be_mended(journal: FolderJournal) -> None:
    write(journal, "a", "b", "c", "d")
    content = the_file(journal).read_bytes()
    glued = content.find(b"\n", content.find(b'"b"'))
    the_file(journal).write_bytes(content[:glued] + b"x" + content[glued + 1 :])

    with closing(Appender(journal)) as appender:
        mend(journal, appender)

    assert names(journal) == ["a", "d"]
    assert journal.check() == []


def test_a_mend_that_was_killed_can_be_done_again(
    journal: FolderJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(journal, "a", "b", "c")
    the_file(journal).write_bytes(the_file(journal).read_bytes().replace(b'"c"', b'"X"'))

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patches, closing(Appender(journal)) as appender:
        patches.setattr(replacing, "replace", die)
        with pytest.raises(KeyboardInterrupt):
            mend(journal, appender)
    with closing(Appender(journal)) as appender:
        mend(journal, appender)

    assert names(journal) == ["a", "b"]
    assert journal.check() == []


def test_an_old_line_that_came_back_does_not_turn_the_count_back(journal: FolderJournal) -> None:
    write(journal, "a", "b", "c")
    first = the_file(journal).read_bytes().splitlines(keepends=True)[0]
    with the_file(journal).open("ab") as file:
        file.write(first)

    write(journal, "d")

    assert journal.read()[-1].seq == 4
    assert [event.seq for event in journal.read(after=1)] == [2, 3, 4]


def test_a_line_cut_off_in_an_older_file_is_mended_and_kept(journal: FolderJournal) -> None:
    write(journal, *(f"name {n}" for n in range(30)))
    older = journal.files()[0]
    content = older.read_bytes()
    older.write_bytes(content[:-30])

    [damage] = journal.check()
    assert str(damage.problem) == "is not a line that Almario wrote"
    with closing(Appender(journal)) as appender:
        [kept] = mend(journal, appender)

    assert journal.check() == []
    assert content[:-30].endswith(kept.read_bytes().rstrip())


def test_two_machines_are_noticed(journal: FolderJournal) -> None:
    write(journal, "a", "b")
    first, second = the_file(journal).read_bytes().splitlines(keepends=True)
    the_file(journal).write_bytes(first + second + second)
    (journal.folder / "000000001 (conflicted copy).jsonl").write_bytes(first)

    assert [(d.place, str(d.problem)) for d in journal.check()] == [
        (
            "journal/000000001 (conflicted copy).jsonl",
            "is not a journal file; a sync program or a second machine left it there",
        ),
        ("journal/000000001.jsonl:3", "repeats seq 2; two machines have written this journal"),
    ]


def test_a_merge_marker_and_a_missing_line_are_noticed(journal: FolderJournal) -> None:
    write(journal, "a", "b", "c", "d")
    one, _, three, four = the_file(journal).read_bytes().splitlines(keepends=True)
    the_file(journal).write_bytes(one + three + b"<<<<<<< HEAD\n" + four)

    found = [(d.line, str(d.problem)) for d in journal.check()]

    assert found == [(3, "has a merge marker"), (2, "comes after a gap: seq 2 to 2 are missing")]
    assert names(journal) == ["a", "c", "d"]


def test_a_line_of_an_unknown_type_is_kept_as_it_is(journal: FolderJournal) -> None:
    write(journal, "a")
    future = {"seq": 2, "id": "x", "at": "2027-01-01T00:00:00.000Z", "host": "h", "actor": "owner"}
    future |= {"type": "dream.dreamt", "v": 1, "about": "sheep", "filed": 1}
    line = seal(json.dumps(future, separators=(",", ":")).encode())
    with the_file(journal).open("ab") as file:
        file.write(line)

    write(journal, "b")

    event = journal.read()[1]
    assert isinstance(event.body, Unknown)
    assert event.body.content["about"] == "sheep"
    assert seal(encode(event).encode()) == line
    assert names(journal) == ["a", "b"]
    assert journal.check() == []


def test_a_newer_journal_can_be_read_but_not_written(journal: FolderJournal) -> None:
    write(journal, "a")
    content = the_file(journal).read_bytes().strip()
    newer = json.loads(content) | {"seq": 2, "v": 99}
    del newer["crc"]
    with the_file(journal).open("ab") as file:
        file.write(seal(json.dumps(newer, separators=(",", ":")).encode()))
    before = the_file(journal).read_bytes()

    with pytest.raises(SchemaTooNew, match="newer Almario"):
        write(journal, "b")

    assert len(journal.read()) == 2
    assert the_file(journal).read_bytes() == before


def test_a_write_that_fails_is_taken_back_whole(journal: FolderJournal) -> None:
    write(journal, "a")
    before = the_file(journal).read_bytes()
    script = f"""
import resource, signal
from contextlib import closing
from pathlib import Path
from almario.domain.events import AgentCreated
from almario.errors import StoreError
from almario.store.journal import Appender, FolderJournal
from almario.store.mending import mend
from almario.testing import FixedClock
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
with closing(Appender(FolderJournal(Path({str(journal.folder)!r}), FixedClock()))) as appender:
    try:
        appender.append(AgentCreated("x" * 5000, "en"), actor="owner")
    except StoreError as exc:
        print(exc)
"""

    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout

    assert "File too large" in result
    assert the_file(journal).read_bytes() == before


def test_a_failed_fsync_is_not_an_acknowledgement(journal: FolderJournal) -> None:
    write(journal, "a")
    before = the_file(journal).read_bytes()

    failing = mock.patch.object(files, "sync", side_effect=OSError(5, "Input/output error"))
    with failing, pytest.raises(StoreError, match="Input/output error"):
        write(journal, "b")

    assert the_file(journal).read_bytes() == before


def test_a_folder_that_cannot_be_synced_when_a_file_is_begun_is_a_sentence(journal: FolderJournal) -> None:
    write(journal, *(f"name {n}" for n in range(9)))  # the next line begins a file
    failing = mock.patch.object(files, "sync_folder", side_effect=OSError(5, "Input/output error"))
    before = open_descriptors()

    with failing, pytest.raises(StoreError, match="cannot be written: Input/output error"):
        write(journal, *(f"more {n}" for n in range(9)))

    assert open_descriptors() == before
    write(journal, "after")
    assert names(journal)[-1] == "after"
    assert journal.check() == []


def test_a_journal_cut_at_the_end_of_a_line_is_missed_and_no_seq_is_given_twice(
    journal: FolderJournal,
) -> None:
    write(journal, "a", "b", "c", "d")
    lines = the_file(journal).read_bytes().splitlines(keepends=True)
    the_file(journal).write_bytes(b"".join(lines[:2]))

    assert [str(damage.problem) for damage in journal.check()] == ["was cut: seq 3 to 4 are missing"]
    write(journal, "e")
    assert [event.seq for event in journal.read()] == [1, 2, 5]
    found = ["comes after a gap: seq 3 to 4 are missing"]
    assert [str(damage.problem) for damage in journal.check()] == found
    with closing(Appender(journal)) as appender:
        mend(journal, appender)
    assert journal.check() == []


def test_a_file_that_another_begins_while_the_journal_is_checked_is_not_missed(
    journal: FolderJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(journal, *(f"name {n}" for n in range(9)))
    other = FolderJournal(journal.folder, FixedClock(), roll_bytes=1)

    def while_another_writes() -> list[Path]:
        found = FolderJournal.files(journal)
        write(other, "meanwhile")
        return found

    monkeypatch.setattr(journal, "files", while_another_writes)

    assert [damage for damage in journal.check() if damage.line is None] == []


def test_half_a_character_is_refused_before_a_byte_is_written(journal: FolderJournal) -> None:
    write(journal, "a")

    with pytest.raises(StoreError, match="not valid Unicode"):
        write(journal, "\ud83d")

    assert names(journal) == ["a"]
    assert journal.check() == []


def test_select_finds_types_and_is_not_fooled_by_text(journal: FolderJournal) -> None:
    write(journal, '"type":"soul.changed"', "plain")
    with closing(Appender(journal)) as appender:
        appender.append(SoulChanged("SOUL.md", None, "0" * 64, Sentence.own("x")), actor="owner")

    assert [event.seq for event in journal.select("soul.")] == [3]
    assert [event.seq for event in journal.select("agent.")] == [2, 1]

"""An agent that is copied to another store is the same there, however often the copy is stopped."""

import contextlib
from collections.abc import Callable, Iterator
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario.domain.events import Filing, JobTried
from almario.domain.messages import Sentence
from almario.domain.turns import Utterance
from almario.errors import AgentNotFound, Damaged, DocumentError, StoreBusy
from almario.ports import Holding, OpenWrite, Receive, Store
from almario.store.folder import FolderStore
from almario.store.settings import LockSettings
from almario.testing import FixedClock
from almario_postgres import moving
from tests.effort import every, examples
from tests.killed import Killed
from tests.souls import store_of

CLOCK = FixedClock()
KINDS = ("folder", "postgres")
Make = Callable[[str], Store]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    return maker(tmp_path)


def maker(folder: Path) -> Make:
    """Return what makes an empty store of a kind."""
    made: list[Store] = []

    def new(kind: str) -> Store:
        place = folder / f"agent {len(made)}"
        made.append(store_of(kind, place, CLOCK))
        return made[-1]

    return new


def seen(store: Store) -> dict[str, object]:
    """Return all that a store tells, through its readers and not as the copy reads it."""
    sessions = {each: store.transcripts.read(each) for each in store.transcripts.sessions()}
    files = ("SOUL.md", "USER.md")
    return {
        "journal": store.journal.read(),
        "tail": store.journal.tail(),
        "turns": {session: turns for session, turns in sessions.items() if turns},
        "archived": {
            session: store.transcripts.archived(session) for session in sessions if sessions[session]
        },
        "speakers": {
            session: store.transcripts.speakers(session) for session in sessions if sessions[session]
        },
        "history": [store.versions.history(file) for file in files],
        "versions": [
            store.versions.content(file, version.hash)
            for file in files
            for version in store.versions.history(file)
            if version.hash and store.versions.has(file, version.hash)
        ],
        "notes": {
            name: store.read(name).content
            for name in store.documents.marks()
            if not name.startswith("sessions")
        },
        "other": [
            store.read(name).content for name in ("agent.toml", "flights/a.jsonl", "costs/2026-11.jsonl")
        ],
    }


# What an agent does on a store: a step, a number and a text for it.
TEXTS = st.sampled_from(["", "a", "ñ\n", "two\nlines\r\n", "x" * 300])
STEPS = st.lists(st.tuples(st.sampled_from("jdrtasvlcm"), st.integers(0, 3), TEXTS), max_size=14)
Steps = list[tuple[str, int, str]]
NAMES = ("notes.md", "memory/2026-11-14.md", "agent.toml", ".hidden")


LIFE: Steps = [
    ("s", 1, "a"), ("t", 1, "a"), ("t", 1, "two\nlines\r\n"), ("a", 1, ""), ("t", 2, "ñ\n"), ("l", 1, "a"),
    ("d", 0, "a"), ("c", 0, ""), ("s", 1, "ñ\n"), ("d", 2, ""),
]  # fmt: skip


def live(store: Store, steps: Steps) -> None:
    for step, n, text in steps:
        with store.writing() as write:
            _step(store, write, step, n, text)


def _step(store: Store, write: OpenWrite, step: str, n: int, text: str) -> None:
    session, notes = f"cli:{n}", store.read("notes.md")
    tried = JobTried("flush", Sentence.own(text))
    match step:
        case "j":
            write.append(tried, actor="agent")
        case "d":
            write.replace(store.read(NAMES[n]), text.encode() + b"\xff")
        case "r" if notes.content is not None:
            write.replace(notes, None)
        case "t":
            utterances = [Utterance("user", text, "untrusted", "Bo"), Utterance("assistant", "!", "agent")]
            write.append_turns(session, utterances)
        case "a":
            write.archive_turns(session, store.transcripts.last_number(session) - n)
        case "s":
            soul = store.read("SOUL.md" if n % 2 else "USER.md")
            write.change_soul(soul, f"{n} {text}", actor="owner", reason="x")
        case "v":
            write.keep_version("SOUL.md", text)
        case "l":
            filings = [Filing("memory/2026-11-15.md", f"- {n} {text!r}\n", "# Log\n\n")]
            write.append(tried, actor="agent", filings=filings)
            write.file(filings)
        case "c":
            store.documents.add_line("costs/2026-11.jsonl", b"1\n")
            store.documents.add_line("flights/a.jsonl", b"{}\n")
        case "m":
            for holding in store.documents.holdings():
                if holding.holder in ("journal", "transcript"):
                    write.rewrite(holding, lambda each: each, lambda fields: _without(fields, "two"))


def _without(fields: dict[str, Any], word: str) -> dict[str, Any]:
    return {
        name: value.replace(word, "—") if isinstance(value, str) else value for name, value in fields.items()
    }


def moved(source: Store, target: Store) -> None:
    moving.copy(source, target)
    with moving.finished(source, target, leaves=False):
        pass


@examples(8)
@given(st.sampled_from(KINDS[:2]), st.sampled_from(KINDS[:2]), STEPS, STEPS)
def test_a_copy_is_the_same_and_goes_on_alike(
    tmp_path_factory: pytest.TempPathFactory, first: str, second: str, before: Steps, after: Steps
) -> None:
    check_copies(maker(tmp_path_factory.mktemp("move")), (first, second), before, after)


@examples(1)
@given(st.sampled_from([("postgres", "folder"), ("folder", "postgres")]), STEPS, STEPS)
def test_in_a_database_too(
    tmp_path_factory: pytest.TempPathFactory, kinds: tuple[str, str], before: Steps, after: Steps
) -> None:
    check_copies(maker(tmp_path_factory.mktemp("move")), kinds, before + LIFE, after)


def check_copies(make: Make, kinds: tuple[str, str], before: Steps, after: Steps) -> None:
    first, second = kinds
    source, target, back = make(first), make(second), make(first)
    live(source, before)
    moving.copy(source, target)
    live(source, after)

    moved(source, target)
    moved(target, back)

    assert seen(target) == seen(source) == seen(back)
    with source.writing() as one, target.writing() as other:
        assert (one.seq, one.filed) == (other.seq, other.filed)
    for store in (source, target, back):
        live(store, before)
    assert seen(source)["notes"] == seen(target)["notes"] == seen(back)["notes"]
    assert seen(source)["turns"] == seen(target)["turns"] == seen(back)["turns"]


class Fragile:
    """A store whose process is killed after so many things were put."""

    def __init__(self, store: Store, most: int) -> None:
        self._store, self._left = store, most

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @contextlib.contextmanager
    def receiving(self) -> Iterator[Receive]:
        with self._store.receiving() as receive:

            def put(holding: Holding, content: bytes | None) -> None:
                if not self._left:
                    half = content[: len(content) // 2] if content and holding.holder != "version" else None
                    if half and isinstance(self._store, FolderStore):
                        _torn(self._store, holding, half)
                    raise Killed
                self._left -= 1
                receive(holding, content)

            yield put


def _torn(store: FolderStore, holding: Holding, half: bytes) -> None:
    """Leave what a process that is killed while it writes leaves of lines."""
    names = {"journal": "journal/000000001.jsonl", "transcript": holding.name}
    if name := names.get(holding.holder):
        (store.root / name).parent.mkdir(parents=True, exist_ok=True)
        with open(store.root / name, "ab") as file:
            file.write(half)


@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_that_is_killed_at_any_step_goes_on_where_it_was(
    make: Make, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "_BATCH", 1)
    source = make("memory")
    live(source, LIFE)
    total = moving.copy(source, make(kind))

    for after in every(6 if kind == "postgres" else 2, range(total)):
        target = make(kind)
        with pytest.raises(Killed):
            moving.copy(source, Fragile(target, after))
        assert moving.copy(source, target) == total - after
        assert seen(target) == seen(source)


def test_what_is_said_while_it_is_copied_is_there_in_the_end(make: Make) -> None:
    source, target = make("folder"), make("memory")
    live(source, LIFE)
    moving.copy(source, target)
    live(source, [("t", 1, "late"), ("m", 0, ""), ("a", 0, ""), ("r", 0, "")])

    with moving.finished(source, target):
        another = FolderStore(Path(source.place), CLOCK, UTC, locks=LockSettings(seconds=0))
        with pytest.raises(StoreBusy):
            live(another, [("t", 1, "too late")])

    assert seen(target) == seen(source)


def test_nobody_writes_in_a_database_that_an_agent_has_left(make: Make) -> None:
    source, target = make("postgres"), make("memory")
    live(source, LIFE)
    with contextlib.suppress(Killed), moving.finished(source, target):
        raise Killed
    live(source, LIFE)

    with moving.finished(source, target):
        pass

    assert seen(target) == seen(source)
    with pytest.raises(AgentNotFound, match="removed, or moved"):
        live(source, [("t", 1, "too late")])


def test_two_processes_do_not_move_one_agent_at_once(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "_PATIENCE", 0)
    one, other, third = make("folder"), make("memory"), make("memory")
    with moving.moving(one, other):
        for pair in ((one, third), (third, other)):
            with pytest.raises(StoreBusy, match="is being moved"), moving.moving(*pair):
                pass


def test_every_planted_difference_is_found(make: Make) -> None:
    source = make("folder")
    live(source, LIFE)
    every = [each for each in source.documents.holdings() if each.holder != "journal"]
    held = [each._replace(name=moving.named(source, each)) for each in every]
    assert len(held) > 8

    for each in [*held, Holding("costs/2026-11.jsonl", "document"), moving.JOURNAL]:
        target = make("memory")
        moved(source, target)
        assert moving.differences(source, target) == []
        with target.receiving() as receive:
            receive(each, None)
        assert each.name in moving.differences(source, target), each
        with target.receiving() as receive:
            receive(each, b"" if each.holder in ("journal", "transcript") else b"other")
        assert each.name in moving.differences(source, target), each


def test_what_is_damaged_or_leads_elsewhere_is_not_moved(make: Make, tmp_path: Path) -> None:
    def plant(name: str, content: bytes | None) -> Store:
        source = make("folder")
        live(source, LIFE)
        assert isinstance(source, FolderStore)
        path = source.root / name
        if content is None:
            path.symlink_to(tmp_path)
        else:
            path.write_bytes((path.read_bytes() if path.exists() else b"") + content)
        return source

    turn = plant("notes.md", b"").documents.read("sessions/cli.2.jsonl").content or b""
    for name, content, error, expected in (
        ("journal/000000001.jsonl", b"what?\n", Damaged, "000000001.jsonl line 7 is damaged"),
        ("sessions/cli.1.jsonl", b"what?\n", Damaged, "cli.1.jsonl line 2 is damaged"),
        ("sessions/cli.2.jsonl", turn, Damaged, "number 1 in the wrong place"),
        ("away.md", None, DocumentError, "leads out of the agent's folder"),
    ):
        with pytest.raises(error, match=expected):
            moving.copy(plant(name, content), make("memory"))


def test_a_link_inside_the_folder_is_copied_as_the_file_it_leads_to(make: Make) -> None:
    source, target = make("folder"), make("memory")
    assert isinstance(source, FolderStore)
    (source.root / "notes").mkdir()
    (source.root / "notes" / "soul.md").write_text("# Soul\n")
    (source.root / "SOUL.md").symlink_to("notes/soul.md")
    moved(source, target)

    assert target.read("SOUL.md").text == "# Soul\n"
    assert moving.differences(source, target) == []

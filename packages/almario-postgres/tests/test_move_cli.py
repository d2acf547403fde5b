"""`almario move`, as it is typed."""

import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import almario
from almario.apps.hooks import HookQuestion, hooking
from almario.domain.memories import EVERY
from almario.ports import Store
from almario.store.home import FolderHome
from almario_postgres import moves, moving
from almario_postgres.directory import PostgresHome
from tests import postgres
from tests.apps.conftest import Run
from tests.apps.hooked import BOAT, recorded
from tests.killed import Killed
from tests.tables import each_row


@pytest.fixture(scope="module")
def database() -> str:
    """The address of a database with its tables."""
    return postgres.as_in_settings(postgres.migrated_url())


@pytest.fixture
def there(database: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Run a command where agents are in the database; return what it says."""

    def in_database(*arguments: str) -> str:
        with monkeypatch.context() as patched:
            patched.setenv("ALMARIO_STORE", database)
            result = run(*arguments)
        assert result.code == 0, result
        return result.out

    return in_database


@pytest.fixture
def lived(run: Run) -> str:
    """An agent with a past, in a folder; its id is one that no other test uses."""
    name = f"a-{os.urandom(6).hex()}"
    run("init", "--agent", name)
    with almario.open(agent=name) as soul:
        soul.remember("pet: a cat called Misu")
        soul.remember("city: Cádiz")
        soul.memory.change(soul.memory.list()[0].id, "a cat called Misu the second")
        soul.forget("Cádiz")
        soul.append("cli:main", "user", "Do you remember the boats in Cádiz?")
        soul.append("cli:main", "assistant", "I do.")
        soul.log("Ana came by")
        soul.proposals.propose("SOUL", soul.read("SOUL").text + "\nI listen first.\n", reason="Ana asked")
        soul.goals.add("learn to sail")
    return name


def asked(agent: str, store: str = "") -> list[object]:
    """Return what an agent answers: what it remembers and forgot, was told, wants, is and was."""
    with almario.open(agent=agent, store=store) as soul:
        memories = [(each, soul.memory.state(each)) for each in soul.memory.list(EVERY)]
        turns = [turn for view in soul.sessions.list() for turn in soul.sessions.turns(view.session)]
        found = [hit.text for hit in soul.recall("what is the cat called?")]
        wishes = (soul.goals.list(), soul.proposals.list(every=True))
        files = (soul.files(), soul.history("SOUL"), soul.days.get().log)
        return [memories, soul.events(), turns, found, wishes, files, soul.memory.verify()]


def test_an_agent_goes_to_a_database_and_back(
    run: Run, there: Callable[..., str], database: str, lived: str
) -> None:
    before = asked(lived)
    tried = run("move", lived, "--to", database, "--check")
    assert f"{lived} can be moved to postgres" in tried.out
    assert lived in run("agents").out

    moved = run("move", lived, "--to", database, "--json")
    assert moved.code == 0, moved
    value = json.loads(moved.out)
    assert (value["id"], value["is_moved"]) == (lived, True)
    assert Path(value["trash"]).is_dir()
    assert lived not in run("agents").out
    assert lived in there("agents")
    assert asked(lived, database) == before

    back = there("move", lived, "--to", "folder", "--as", "home-again")
    assert "home-again is in " in back
    assert "in the trash" in back
    assert lived not in there("agents")
    assert asked("home-again") == before


def test_what_was_edited_by_hand_right_before_is_taken_in_there(run: Run, database: str, lived: str) -> None:
    memory = Path(os.environ["ALMARIO_HOME"]) / "agents" / lived / "MEMORY.md"
    memory.write_text(memory.read_text() + "\n- has a boat\n")

    assert run("move", lived, "--to", database).code == 0

    with almario.open(agent=lived, store=database) as soul:
        assert "has a boat" in [each.value for each in soul.memory.list()]
        assert soul.memory.verify() == []


def test_what_cannot_be_moved_is_told_in_a_sentence(
    run: Run, there: Callable[..., str], database: str, lived: str
) -> None:
    there("init", "--agent", f"{lived}-taken")
    there("remember", "I have a boat", "--agent", f"{lived}-taken")
    for arguments, expected in (
        (("nobody", "--to", database), 'there is no agent "nobody"'),
        ((lived, "--to", "moon"), '"moon" is no place to move to'),
        ((lived, "--to", "folder"), "is already in"),
        ((lived, "--to", database, "--as", f"{lived}-taken"), "choose another id"),
        ((lived, "--to", database, "--as", "a/b"), "cannot be an agent's id"),
        ((lived, "--to", "postgres://localhost:1/none"), "cannot be reached"),
    ):
        result = run("--set", "postgres.connect_seconds=0", "move", *arguments)
        assert result.code == 2, result
        assert expected in result.err, result
        assert lived in run("agents").out


def test_a_move_that_is_killed_at_any_step_is_finished_by_the_next(
    run: Run, there: Callable[..., str], database: str, lived: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def listed() -> tuple[bool, bool]:
        return lived in run("agents").out, lived in there("agents")

    for module, name in ((moving, "differences"), (FolderHome, "remove")):
        with monkeypatch.context() as patched:
            patched.setattr(module, name, _killed)
            with pytest.raises(Killed):
                run("move", lived, "--to", database)
        assert listed() == (True, False), name
    with monkeypatch.context() as patched:
        patched.setattr(PostgresHome, "arrived", _killed)
        with pytest.raises(Killed):
            run("move", lived, "--to", database)
        assert listed() == (True, False)
        patched.setattr(FolderHome, "bring_back", _killed)
        with pytest.raises(Killed):
            run("move", lived, "--to", database)
    assert listed() == (False, False)
    with monkeypatch.context() as patched:
        patched.setattr(moves, "_settle", _killed)
        with pytest.raises(Killed):
            run("move", lived, "--to", database)

    assert listed() == (False, True)
    with almario.open(agent=lived, store=database) as soul:
        assert len(soul.memory.list()) == 1
        assert soul.memory.verify() == []
    result = run("move", lived, "--to", database)
    assert "there is already an agent" in result.err


def _killed(*_: object, **__: object) -> None:
    raise Killed


def test_a_disk_that_is_full_leaves_the_agent_where_it_is(
    run: Run, there: Callable[..., str], database: str, lived: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("move", lived, "--to", database)
    with monkeypatch.context() as patched:
        patched.setattr("almario.store.files.write_all", _full)
        patched.setenv("ALMARIO_STORE", database)
        result = run("move", lived, "--to", "folder")
    assert result.code == 2
    assert "No space left" in result.err
    assert "the same command goes on from here" in result.err
    assert lived not in run("agents").out

    there("move", lived, "--to", "folder")
    assert lived in run("agents").out


def _full(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_what_was_edited_in_the_folder_between_two_moves_is_known_in_the_database(
    there: Callable[..., str], run: Run, database: str
) -> None:
    name = f"a-{os.urandom(6).hex()}"
    there("init", "--agent", name)
    there("remember", "city: Cádiz", "--agent", name)
    there("move", name, "--to", "folder")
    folder = Path(os.environ["ALMARIO_HOME"]) / "agents" / name
    (folder / "SOUL.md").write_text("# Soul\n\nDry.\n")
    memory = folder / "MEMORY.md"
    memory.write_text(memory.read_text().replace("- Cádiz", "- Lima"))

    run("move", name, "--to", database)

    assert "Lima" in there("--agent", name, "memory", "list")
    assert "Dry." in there("soul", "show", "SOUL", "--agent", name)


def test_a_zip_of_an_agent_in_the_database_is_an_agent_in_a_folder(
    there: Callable[..., str], tmp_path: Path
) -> None:
    name = f"a-{os.urandom(6).hex()}"
    there("init", "--agent", name)
    there("remember", "city: Cádiz", "--agent", name)
    before = json.loads(there("memory", "list", "--json", "--agent", name))
    there("export", "--to", str(tmp_path / "out.zip"), "--agent", name)

    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        archive.extractall(tmp_path / "home" / "agents" / name)
    with almario.open(tmp_path / "home", name) as soul:
        assert [each.id for each in soul.memory.list()] == [each["id"] for each in before]
        assert soul.memory.verify() == []


def test_what_is_erased_while_it_moves_is_nowhere_in_the_copy(
    run: Run, there: Callable[..., str], database: str, lived: str
) -> None:
    run("move", lived, "--to", database)

    with pytest.MonkeyPatch.context() as patched:

        def copied(source: Store, target: Store) -> int:
            patched.undo()
            done = moving.copy(source, target)
            with almario.open(agent=lived, store=database) as soul:
                soul.memory.purge(soul.memory.plan_purge("Misu"))
            return done

        patched.setattr(moving, "copy", copied)
        there("move", lived, "--to", "folder")

    folder = Path(os.environ["ALMARIO_HOME"]) / "agents" / lived
    held = [path for path in folder.rglob("*") if path.is_file()]
    assert (folder / "SOUL.md") in held
    assert [path for path in held if b"Misu" in path.read_bytes()] == []
    with almario.open(agent=lived) as soul:
        assert soul.memory.verify() == []


def test_an_agent_that_nobody_has_spoken_to_gives_way(
    run: Run, there: Callable[..., str], database: str, lived: str
) -> None:
    there("init", "--agent", lived)
    before = asked(lived)

    assert run("move", lived, "--to", database).code == 0
    assert asked(lived, database) == before


def heard(home: Path, text: str, agent: str | None = None) -> str:
    """Tell a hook what somebody says, and return what they are told."""
    question = HookQuestion("user-prompt", str(home), agent, ref=os.urandom(8).hex())
    return hooking.run(question, recorded("claude-code", "user-prompt", text, session="s1", folder=BOAT), {})


@each_row("named", [True, False])
@each_row("new", ["", "office"])
@each_row("to", ["database", "folder"])
def test_nothing_that_is_said_after_a_move_is_lost_whatever_was_set(
    run: Run,
    database: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
    named: bool,
    new: str,
    to: str,
) -> None:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("ALMARIO_HOME", str(home))
    monkeypatch.setattr(hooking, "learn_apart", lambda *_: None)
    monkeypatch.setattr(hooking, "let_stay", lambda *_: None)
    agent = f"a-{os.urandom(6).hex()}"
    new = new and f"{new}-{agent}"
    if to == "folder":
        assert run("config", "set", "store", database).code == 0
    run("init", "--agent", agent)
    run("config", "set", "agent", agent)
    place = database if to == "database" else to
    asked_for = agent if named else None

    heard(home, "Before it moved.", asked_for)
    moved = run("move", agent, "--to", place, *(("--as", new) if new else ()))
    assert (moved.code, "what it is told by hooks waits" in moved.out) == (0, True), moved
    told = heard(home, "The boat is called Gaviota.", asked_for)
    assert "was moved to" in told
    assert "almario init" not in run("recall", "boat").err
    assert run("config", "set", "store", database if to == "database" else "").code == 0
    heard(home, "It lies in Cádiz.", asked_for)

    with almario.open(home, new or agent) as soul:
        [view] = [each for each in soul.sessions.list() if each.session.startswith("claude-code")]
        said = [turn.text for turn in soul.sessions.turns(view.session) if turn.role == "user"]
    assert said == ["Before it moved.", "The boat is called Gaviota.", "It lies in Cádiz."]
    assert not list((home / "spool").glob("*.json"))

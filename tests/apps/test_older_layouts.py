"""Older layouts: a soul in the home's root, memory under older names: taken in once, and exactly."""

import contextlib
import os
from pathlib import Path

import pytest

import almario
from almario.testing import FixedClock
from tests.apps.conftest import Run, Terminal
from tests.effort import every
from tests.killed import Killed

OLDER = {
    "IDENTITY.md": "Name: Finny\nemoji: 🐟\n",
    "SOUL.md": "I am Finny, an old soul.\n",
    "AGENTS.md": "old rules",
    "MEMORY.md": "## job\n- bridges\n",
    "memory/2025-01-01.md": "- [10:00] long ago\n",
    "memory/daily/2025-01-02.md": "# 2025-01-02\n\n- [10:00] the kite broke\n",
    "memory/legacy.md": "# Old\n\n## job\n- bridges\n- tunnels\n\n## cat\n- Michi\n\nLikes tea.\n",
}


@pytest.fixture
def older(home: Path) -> Path:
    for name, text in OLDER.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return home


def files(folder: Path) -> dict[str, str]:
    """Every text file below a folder that is not Almario's own."""
    own = ("journal", ".versions", ".index", ".lock", "agent.toml")
    found = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in found
        if not set(path.relative_to(folder).parts) & set(own)
    }


def told(soul: almario.Soul) -> list[str]:
    return [str(sentence) for sentence in soul.notices]


@pytest.mark.parametrize("way", ["open", "create", "open_or_create"])
def test_a_soul_in_the_root_becomes_the_first_agent_by_any_door(older: Path, way: str) -> None:
    with getattr(almario, way)(older) as soul:
        assert soul.path == older / "agents/default"
        assert (soul.name, soul.read("SOUL").text) == ("Finny", OLDER["SOUL.md"])
        assert "long ago" in soul.read("memory/2025-01-01.md").text
        assert told(soul)[0].startswith(f"the soul in {older} (IDENTITY.md, SOUL.md, AGENTS.md, MEMORY.md)")

    assert files(older / "older-layout") == OLDER
    assert not any((older / name).exists() for name in OLDER)


def test_agents_shows_the_soul_in_the_root_and_leaves_it_there(older: Path, run: Run) -> None:
    shown = run("agents")

    assert [line.split() for line in shown.out.splitlines()][1:] == [["default", "Finny", "*", str(older)]]
    assert shown.err == (
        f"· the soul in {older} (IDENTITY.md, SOUL.md, AGENTS.md, MEMORY.md) becomes the agent "
        '"default" when it is first used\n'
    )
    assert (older / "SOUL.md").exists()


def test_init_finds_the_soul_that_is_there_and_says_so(older: Path, run: Run) -> None:
    made = run("init", "--yes")

    assert "Finny" in made.out
    assert f"the originals are in {older / 'older-layout'}" in made.err
    assert "Finny" in run("meet").out


@pytest.mark.parametrize(("answers", "name"), [("\n", "Finny"), ("n\nAlma\n\n\n", "Alma")])
def test_in_a_terminal_it_is_shown_and_asked_for(
    older: Path, spawn_at_terminal: Terminal, answers: str, name: str
) -> None:
    screen = spawn_at_terminal("init", answers=answers)

    assert "There is a soul in" in screen
    with almario.open(older) as soul:
        assert soul.name == name
    assert (older / "SOUL.md").exists() == (name == "Alma")


def test_core_memory_under_its_older_name_is_known_again_as_nobodys_word(older: Path) -> None:
    with almario.open(older) as soul:
        said = {memory.text: (memory.source, memory.origin) for memory in soul.memory.list()}
        text = soul.prompt().text

        assert said == dict.fromkeys(
            ("job: bridges", "job: tunnels", "cat: Michi", "Likes tea."), ("auto", "imported")
        )
        assert all(f"- {each}" in text for each in said)
        assert soul.read("memory/legacy.md").content is None
        assert soul.read("memory/archive/legacy.md").text == OLDER["memory/legacy.md"]
        assert [hit.day and hit.day.isoformat() for hit in soul.recall("the kite")][:1] == ["2025-01-02"]


def test_a_fact_that_was_forgotten_does_not_come_back_with_an_older_file(home: Path) -> None:
    with almario.create(home) as soul:
        soul.remember("cat: Michi")
        soul.forget("cat")
        (soul.path / "memory").mkdir(exist_ok=True)
        (soul.path / "memory/legacy.md").write_text(OLDER["memory/legacy.md"])

    with almario.open(home) as soul:
        assert "cat: Michi" not in [memory.text for memory in soul.memory.list()]


def test_it_happens_once(older: Path) -> None:
    almario.open(older).close()
    before = files(older)

    with almario.open(older) as soul:
        assert soul.notices == ()
    assert files(older) == before


def test_older_logs_are_logs_and_none_takes_anothers_place(home: Path, clock: FixedClock, run: Run) -> None:
    with almario.create(home, clock=clock) as soul:
        soul.log("We planted beans.")
        today = clock.now.date().isoformat()
        daily = soul.path / "memory/daily"
        daily.mkdir()
        (daily / "2026-11-13.md").write_text("- [09:00] We dug the garden.\n")
        (daily / f"{today}.md").write_text("- [09:00] We bought seeds.\n")

    with almario.open(home, clock=clock) as soul:
        assert "daily logs moved from memory/daily/ to memory/: 1" in told(soul)
        assert "We dug the garden." in soul.prompt().text
        assert "We planted beans." in soul.read(f"memory/{today}.md").text
        assert [hit.kind for hit in soul.recall("bought seeds")][:1] == ["log"]
    left = f"memory/daily/{today}.md is an older place for memory, and this file could not be moved"
    assert left in run("doctor").out


def kill_after(steps: int, patches: pytest.MonkeyPatch) -> None:
    """Die at the n-th change of the disk."""
    left = iter(range(steps))

    def counted(name: str, real: object) -> None:
        def step(*args: object, **kwargs: object) -> object:
            if next(left, None) is None:
                raise Killed
            assert callable(real)
            return real(*args, **kwargs)

        patches.setattr(os, name, step)

    for name in ("link", "rename", "mkdir", "replace"):
        counted(name, getattr(os, name))


@pytest.mark.parametrize("steps", every(3, range(2, 60, 4)))
def test_a_kill_in_the_middle_loses_nothing_and_doubles_nothing(
    older: Path, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patches, contextlib.suppress(Killed):
        kill_after(steps, patches)
        almario.open(older).close()

    with almario.open(older) as soul:
        assert soul.name == "Finny"
        texts = sorted(memory.text for memory in soul.memory.list())
        assert texts == ["Likes tea.", "cat: Michi", "job: bridges", "job: tunnels"]
        assert soul.memory.verify() == []
    everything = files(older)
    for name, text in OLDER.items():
        kept = [path for path, found in everything.items() if found == text]
        assert any(path in (name, f"older-layout/{name}") for path in kept), name


def test_another_programs_agents_md_makes_no_soul(home: Path) -> None:
    home.mkdir(exist_ok=True)
    (home / "AGENTS.md").write_text("for another program")

    with almario.create(home) as soul:
        assert soul.name == "Alma"
    assert (home / "AGENTS.md").read_text() == "for another program"


def test_what_a_kill_left_of_the_originals_is_mended(older: Path, run: Run) -> None:
    almario.open(older).close()
    for name in ("IDENTITY.md", "SOUL.md"):
        (older / name).write_text(OLDER[name])

    assert "are in agents/default already" in run("doctor").out
    run("doctor", "--mend")
    assert not (older / "SOUL.md").exists()
    assert (older / "older-layout/SOUL-2.md").read_text() == OLDER["SOUL.md"]


def test_links_are_left_where_they_are(home: Path, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir(parents=True)
    (tmp_path / "notes/diary.txt").write_text("mine")
    home.mkdir(exist_ok=True)
    (home / "SOUL.md").write_text("old soul")
    (home / "USER.md").symlink_to("/etc/hostname")
    (home / "memory").symlink_to(tmp_path / "notes")

    with almario.open(home) as soul:
        assert soul.read("SOUL").text == "old soul"
        assert soul.read("USER").content is None
    assert (home / "USER.md").is_symlink()
    assert (tmp_path / "notes/diary.txt").read_text() == "mine"


def test_beside_an_agent_it_is_left_and_named_until_the_owner_wants_it(older: Path, run: Run) -> None:
    almario.create(older, persona=almario.Persona(name="Alma")).close()
    (older / "agents/default/soul.md").write_text("I am not read.")

    found = run("doctor").out
    assert (
        f"IDENTITY.md, SOUL.md, AGENTS.md, MEMORY.md in {older} look like a soul, and are not read" in found
    )
    assert 'run "almario init Finny" with "--agent" and a free id' in found
    assert "soul.md looks like part of a soul, and is not read" in found
    assert files(older / "agents/default")["SOUL.md"] != OLDER["SOUL.md"]

    assert "Finny" in run("init", "Finny", "--agent", "finny", "--yes").out
    assert "look like a soul" not in run("doctor").out
    assert (older / "agents/finny/SOUL.md").read_text() == OLDER["SOUL.md"]


def test_older_memory_that_is_not_text_is_left_and_told(home: Path) -> None:
    with almario.create(home) as soul:
        path = soul.path / "memory/legacy.md"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"\xff")

    with almario.open(home) as soul:
        assert told(soul)[0].startswith("memory/legacy.md was not taken into memory: memory/legacy.md line 1")
    assert path.read_bytes() == b"\xff"

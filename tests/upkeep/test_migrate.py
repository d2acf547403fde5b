"""Older layouts move into place once, over nothing, whatever kills them."""

import contextlib
import os
from pathlib import Path

import pytest

import almario
from almario.domain.events import LayoutMigrated
from almario.store import files
from tests.killed import Killed

OLDER = {
    "IDENTITY.md": "name: Old",
    "SOUL.md": "old soul",
    "AGENTS.md": "old rules",
    "MEMORY.md": "## job\n- bridges\n",
    "memory/2025-01-01.md": "- [10:00] long ago\n",
    "memory/legacy.md": "## job\n- bridges\n- tunnels\n\n## cat\n- Michi\n",
    "memory/MEMORY.md": "Free notes of an older form.\n- likes tea\n",
    "sessions/cli.jsonl": "{}\n",
}


@pytest.fixture
def older(home: Path) -> Path:
    for name, text in OLDER.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return home


def snapshot(folder: Path) -> dict[str, str]:
    """Every text file below a folder, but for the journal and locks."""
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and "journal" not in path.parts
        and ".versions" not in path.parts
        and ".index" not in path.parts
        and path.name != ".lock"
    }


def test_soul_files_in_the_root_become_the_default_agent(older: Path) -> None:
    soul = almario.open(older)

    assert soul.path == older / "agents/default"
    assert soul.read("SOUL").text == "old soul"
    assert soul.read("memory/2025-01-01.md").text == OLDER["memory/2025-01-01.md"]
    assert soul.read("sessions/cli.jsonl").text == "{}\n"
    assert not (older / "SOUL.md").exists()
    assert not (older / "AGENTS.md").exists()


def test_the_originals_are_kept(older: Path) -> None:
    almario.open(older)

    kept = snapshot(older / "older-layout")
    assert kept == OLDER


def test_older_core_memory_is_folded_into_memory_md_under_its_own_headings(older: Path) -> None:
    soul = almario.open(older)

    text = soul.read("MEMORY.md").text
    assert text.startswith(OLDER["MEMORY.md"])
    assert text.count("- bridges") == 1
    core = soul.prompt().text
    assert "- job: tunnels" in core
    assert "- cat: Michi" in core
    assert "likes tea" in core
    assert soul.read("memory/archive/legacy.md").text == OLDER["memory/legacy.md"]
    assert soul.read("memory/legacy.md").content is None


def test_it_says_what_it_did_and_happens_once(older: Path) -> None:
    told = [str(sentence) for sentence in almario.open(older).told]

    place = older / "agents/default"
    assert f"moved SOUL.md to {place}; the original is in older-layout/SOUL.md" in told
    assert "folded memory/legacy.md into MEMORY.md; the original is in memory/archive/legacy.md" in told
    [home_line, agent_line] = almario.open(older)._vault.journal.select("layout.")
    assert [
        len(line.body.done) for line in (home_line, agent_line) if isinstance(line.body, LayoutMigrated)
    ] == [2, 8]
    before = snapshot(older)
    assert almario.open(older).told == ()
    assert snapshot(older) == before


def test_an_existing_file_is_never_overwritten(older: Path) -> None:
    mine = older / "agents/default/SOUL.md"
    mine.parent.mkdir(parents=True)
    mine.write_text("newer soul")

    soul = almario.open(older)

    assert soul.read("SOUL").text == "newer soul"
    assert (older / "older-layout/SOUL.md").read_text() == "old soul"
    assert any("another SOUL.md already" in str(sentence) for sentence in soul.told)


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


@pytest.mark.parametrize("steps", range(35))
def test_a_kill_in_the_middle_is_finished_by_the_next_opening(
    older: Path, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patches, contextlib.suppress(Killed):
        kill_after(steps, patches)
        almario.open(older)

    soul = almario.open(older)

    texts = snapshot(older)
    agent = {
        name.removeprefix("agents/default/"): text
        for name, text in texts.items()
        if name.startswith("agents")
    }
    assert agent["SOUL.md"] == "old soul"
    assert agent["memory/archive/legacy.md"] == OLDER["memory/legacy.md"]
    assert [
        agent["MEMORY.md"].count(line) for line in ("- bridges", "- tunnels", "- Michi", "- likes tea")
    ] == [1] * 4
    assert set(OLDER.values()) <= {text for name, text in texts.items() if name.startswith("older-layout")}
    assert not any(name in texts for name in OLDER)
    assert soul.check() == []


def test_a_home_that_holds_only_anothers_agents_md_is_left_alone(home: Path) -> None:
    home.mkdir()
    (home / "AGENTS.md").write_text("for another program")

    almario.create(home)

    assert (home / "AGENTS.md").read_text() == "for another program"


def test_links_are_left_where_they_are(home: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir(parents=True)
    (notes / "diary.txt").write_text("mine")
    home.mkdir()
    (home / "SOUL.md").write_text("old soul")
    (home / "USER.md").symlink_to("/etc/hostname")
    (home / "memory").symlink_to(notes)

    soul = almario.open(home)

    assert soul.read("SOUL").text == "old soul"
    assert soul.read("USER").content is None
    assert (home / "USER.md").is_symlink()
    assert (notes / "diary.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("link", "target"), [("memory/MEMORY.md", "../MEMORY.md"), ("MEMORY.md", "memory/MEMORY.md")]
)
def test_core_memory_that_is_a_link_is_not_folded_away(home: Path, link: str, target: str) -> None:
    soul = almario.create(home)
    (soul.path / "memory").mkdir()
    (soul.path / link).symlink_to(target)
    (soul.path / link).write_text("- builds bridges\n")

    assert "builds bridges" in almario.open(home).prompt().text
    assert (soul.path / link).is_symlink()


def test_the_default_agent_may_live_elsewhere(home: Path, tmp_path: Path) -> None:
    almario.create(home, path=str(tmp_path / "far"))
    (home / "MEMORY.md").write_text("- builds bridges\n")

    soul = almario.open(home)

    assert soul.path == tmp_path / "far"
    assert "builds bridges" in soul.prompt().text
    assert not (home / "agents/default").exists()


def test_older_memory_that_is_not_text_is_left_and_told(home: Path) -> None:
    soul = almario.create(home)
    (soul.path / "memory").mkdir()
    (soul.path / "memory/legacy.md").write_bytes(b"\xff")

    sentence, *_ = almario.open(home).told

    assert "memory/legacy.md was not folded into MEMORY.md: memory/legacy.md line 1" in str(sentence)
    assert (soul.path / "memory/legacy.md").read_bytes() == b"\xff"
    assert files.read_bytes(soul.path / "MEMORY.md") is None

"""What the owner writes by hand stays as it is, is told of once, and goes nowhere else."""

from pathlib import Path

import pytest

import almario
from almario.soul import Soul
from almario.store.versions import FolderVersions
from almario.testing import FixedClock
from almario.wiring.health import examine
from tests.text.secret_texts import made

KEY = made("gh" + "p_", 36)
FILES = [
    "USER.md",
    "SOUL.md",
    "GOALS.md",
    "AGENTS.md",
    "MEMORY.md",
    "memory/2026-11-01.md",
    "memory/HISTORY.md",
]


def put(soul: Soul, name: str, text: str) -> None:
    path = soul.path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)


def told(home: Path, clock: FixedClock) -> list[str]:
    """Return what the next command tells of secrets."""
    return [str(each) for each in almario.open(home, clock=clock).notices if "secret" in str(each)]


@pytest.mark.parametrize("name", FILES)
def test_a_secret_is_told_once_with_its_file_and_line(
    soul: Soul, home: Path, clock: FixedClock, name: str
) -> None:
    put(soul, name, f"# Title\n\nThe key is {KEY}.\n")

    [first] = told(home, clock)

    assert first.startswith(f"{name} holds a secret (API key) on line 3")
    assert KEY not in first
    assert told(home, clock) == []
    assert KEY in (soul.path / name).read_text()


def test_it_is_told_again_when_its_line_changes_and_not_when_another_does(
    soul: Soul, home: Path, clock: FixedClock
) -> None:
    put(soul, "USER.md", f"key {KEY}\n")
    told(home, clock)

    put(soul, "USER.md", f"Likes tea.\nkey {KEY}\n")
    assert told(home, clock) == []
    put(soul, "USER.md", f"Likes tea.\nnew key {KEY}\n")
    assert len(told(home, clock)) == 1


def test_nothing_is_told_of_what_almario_writes_itself(soul: Soul, home: Path, clock: FixedClock) -> None:
    soul.log(f"got the key {KEY} today")
    soul.goals.add(f"rotate {KEY} soon")
    soul.memory.settle()

    assert told(home, clock) == []
    holding = [path for path in soul.path.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert holding == []


@pytest.mark.parametrize(
    "name", ["IDENTITY", "SOUL", "MOTIVATIONS", "GOALS", "USER", "AGENTS", "TOOLS", "MEMORY"]
)
def test_no_prompt_has_it(soul: Soul, name: str) -> None:
    texts = {
        "IDENTITY": f"name: Finny\nvibe: warm {KEY}\n",
        "GOALS": f"# Goals\n\n## Active Goals\n\n- [ ] rotate {KEY}\n",
        "MOTIVATIONS": f"# Motivations\n\n## Core Drives\n\n- keep {KEY}\n",
    }
    put(soul, f"{name}.md", texts.get(name, f"Something about {KEY}.\n"))

    text = soul.prompt("what is the key?").text

    assert KEY not in text
    assert "[redacted:api-key]" in text


def test_the_log_of_today_reaches_the_prompt_without_it(soul: Soul, clock: FixedClock) -> None:
    put(soul, f"memory/{clock().date().isoformat()}.md", f"# Memory Log\n\n- 10:00 the key is {KEY}\n")

    text = soul.prompt("what shall we do?").text

    assert KEY not in text
    assert "the key is [redacted:api-key]" in text


def test_no_index_and_no_recall_has_it(soul: Soul) -> None:
    put(soul, "USER.md", f"The key is {KEY}.\n")
    soul.memory.settle()

    assert all(KEY not in hit.text for hit in soul.recall("key"))
    index = [path for path in (soul.path / ".index").rglob("*") if path.is_file()]
    assert index
    assert all(KEY.encode() not in path.read_bytes() for path in index)


def test_the_doctor_names_each_place_and_says_how_it_is_taken_out(soul: Soul, home: Path) -> None:
    put(soul, "USER.md", f"Likes tea.\nThe key is {KEY}.\n")
    put(soul, "memory/2026-11-01.md", "# Memory Log\n\n- password=hunter2-4821\n")

    found = [each for each in examine(home) if "secret" in str(each.what)]

    assert [str(each.what) for each in found] == [
        "USER.md, line 2: contains a secret (API key)",
        "memory/2026-11-01.md, line 3: contains a secret (password)",
    ]
    assert all(each.level == "warning" and "remove it from that line" in str(each.how) for each in found)


def test_a_purge_that_takes_versions_while_the_doctor_reads_them_is_no_failure(
    soul: Soul, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in ("Likes tea.\n", "Likes rain.\n", "Likes cats.\n"):
        put(soul, "USER.md", text)
        soul.settle()
    read = FolderVersions.content

    def read_and_purge(self: FolderVersions, file: str, name: str) -> bytes:
        content = read(self, file, name)
        for path in (soul.path / ".versions" / "USER.md").iterdir():
            path.unlink()
        return content

    monkeypatch.setattr(FolderVersions, "content", read_and_purge)

    assert [str(each.what) for each in examine(home) if each.level == "failure"] == []


def test_the_doctor_tells_of_earlier_contents_until_they_are_deleted(soul: Soul, home: Path) -> None:
    put(soul, "USER.md", f"The key is {KEY}.\n")
    soul.settle()
    put(soul, "USER.md", "Likes tea.\n")
    soul.settle()

    def tells() -> list[str]:
        return [str(each.what) for each in examine(home) if "secret" in str(each.what)]

    assert tells() == ["earlier versions of USER.md, in .versions/, that contain a secret: 1"]
    for path in (soul.path / ".versions" / "USER.md").iterdir():
        if KEY in path.read_text():
            path.unlink()
    assert tells() == []

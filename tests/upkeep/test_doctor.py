"""The doctor finds what is wrong, says how to mend it, and mends without losing a byte."""

import os
from pathlib import Path

import pytest

from almario.soul import Soul
from almario.upkeep import doctor
from almario.wiring.health import examine


def found(home: Path, level: str = "failure") -> list[str]:
    return [f"{finding.about}: {finding.what}" for finding in examine(home) if finding.level == level]


def test_a_sound_home_has_nothing_to_mend(soul: Soul, home: Path) -> None:
    assert found(home) == []
    assert found(home, "warning") == []
    assert "default: the journal is whole: 11 lines" in found(home, "ok")


def test_every_complaint_says_how_it_is_mended(soul: Soul, home: Path) -> None:
    os.chmod(home, 0o755)
    (home / "almario.toml").write_text("nope = 1")
    (soul.path / "agent.toml").write_text("nope = 1")
    (soul.path / "SOUL.conflict-12345678.md").write_text("x")
    (home / "agents" / "bad name").mkdir()
    (soul.path / "journal" / "copy.jsonl").write_text("x")

    complaints = [finding for finding in examine(home) if finding.level != "ok"]

    assert len(complaints) >= 6
    assert all(finding.how for finding in complaints)


def test_bad_settings_are_told_and_do_not_stop_the_examination(soul: Soul, home: Path) -> None:
    (home / "almario.toml").write_text("nope = 1")
    (soul.path / "agent.toml").write_text("[flush]\nthreshold = 0")

    said = found(home)

    assert 'settings: almario.toml: nope is not a setting; "almario config" lists them' in said
    assert any(line.startswith("default: agent.toml: flush.threshold must be") for line in said)
    assert any("the journal is whole" in line for line in found(home, "ok"))


def test_an_open_folder_is_closed(soul: Soul, home: Path) -> None:
    os.chmod(soul.path, 0o755)
    assert found(home, "warning") == [f"default: {soul.path} can be read by others (mode 0755)"]

    for finding in examine(home):
        if finding.mend:
            finding.mend()

    assert found(home, "warning") == []


def test_a_damaged_journal_is_named_by_line_and_mended(soul: Soul, home: Path) -> None:
    [path] = (soul.path / "journal").glob("*.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"SOUL.md"', b'"SOAL.md"', 1))

    assert found(home)[0] == "default: journal/000000001.jsonl:4 is not a line that Almario wrote"
    for finding in list(examine(home)):
        if finding.mend:
            finding.mend()

    assert found(home) == []
    [cut] = (soul.path / "journal/cut").iterdir()
    assert b"SOAL.md" in cut.read_bytes()


def test_a_journal_that_was_cut_at_a_lines_end_is_told_and_by_verify_too(soul: Soul, home: Path) -> None:
    soul.remember("color: blue")
    soul.close()
    [path] = (soul.path / "journal").glob("*.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    what = f"was cut: seq {len(lines)} to {len(lines)} are missing"

    assert f"default: journal/000000001.jsonl {what}" in found(home)
    assert any("are missing" in str(damage.problem) for damage in soul.memory.verify())
    for finding in list(examine(home)):
        if finding.mend:
            finding.mend()

    assert found(home) == []


def test_nothing_is_mended_while_the_settings_are_not_the_owners(soul: Soul, home: Path) -> None:
    [path] = (soul.path / "journal").glob("*.jsonl")
    path.write_bytes(b"garbage\n" + path.read_bytes())
    (home / "almario.toml").write_text("nope = 1")

    assert not any(finding.mend for finding in examine(home) if finding.about == "default")


def test_a_default_agent_that_is_not_there_is_told(soul: Soul, home: Path) -> None:
    (home / "almario.toml").write_text('agent = "nope"\n')

    assert found(home) == ['settings: there is no agent "nope"']


def test_what_killed_processes_left_is_cleared_by_mending(soul: Soul, home: Path) -> None:
    (home / "agents/.new.0123abcd").mkdir()
    marks = "-".join(("0123456789ab", "0123456789ab", "01234567"))
    (home / f".almario.toml.{marks}.tmp.part").write_text("x")
    assert len(found(home, "warning")) == 2

    for finding in list(examine(home)):
        if finding.mend:
            finding.mend()

    assert found(home, "warning") == []


def test_what_cannot_be_written_is_named(soul: Soul, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "memory")
    (soul.path / "memory").mkdir()

    assert found(home) == [f"default: {soul.path}/memory cannot be written"]


def test_a_journal_that_is_gone_is_told(soul: Soul, home: Path) -> None:
    for path in (soul.path / "journal").glob("*.jsonl"):
        path.unlink()

    assert "default: the journal is missing, though there are versions" in found(home)


def test_a_file_that_cannot_be_read_is_named(soul: Soul, home: Path) -> None:
    (soul.path / "SOUL.md").write_bytes(b"\xff")
    (soul.path / "USER.md").unlink()
    (soul.path / "USER.md").mkdir()

    said = found(home)

    assert "default: SOUL.md line 1: byte 0xff is not UTF-8 text; save the file as UTF-8" in said
    assert any("USER.md is not a regular file" in line for line in said)


def test_a_network_file_system_is_not_supported(
    soul: Soul, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "_file_system_type", lambda path: "nfs4")

    assert found(home) == ["disk: the home is on a network file system (nfs4), which is not supported"]


def test_a_home_that_is_not_there_says_how_to_begin(tmp_path: Path) -> None:
    [finding] = [each for each in examine(tmp_path / "none") if each.about != "packages"]

    assert finding.level == "failure"
    assert "almario init" in str(finding.how)

"""`almario backup`, as it is typed."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from almario.apps.cli.home import backup_commands
from almario.store.files import locked
from tests.apps.conftest import Run


@pytest.fixture(autouse=True)
def agent(run: Run) -> None:
    run("init", "--language", "en")
    run("remember", "cat: Nube")


def test_a_backup_is_made_listed_checked_and_restored(run: Run, home: Path, tmp_path: Path) -> None:
    made = run("backup")
    [path] = (home / "backups").glob("*.tar.gz")

    assert made.out == f"{path}: {path.stat().st_size:,} bytes, checked by restoring it\n"
    assert str(path) in run("backup", "list").out
    assert run("backup", "check").out == f"{path} is whole\n"
    assert (
        f"was restored to {tmp_path / 'again'}: default"
        in run("backup", "restore", path.name, "--to", str(tmp_path / "again")).out
    )
    assert "Nube" in run("--home", str(tmp_path / "again"), "memory", "list").out


def test_the_key_that_hides_what_was_erased_stays_at_home(run: Run, home: Path, tmp_path: Path) -> None:
    run("forget", "cat", "--purge", "--yes")
    run("backup")
    run("backup", "restore", "--to", str(tmp_path / "again"))

    assert (home / ".erased-key").stat().st_size == 32
    assert ".erased-key" not in [path.name for path in (tmp_path / "again").rglob("*")]


def test_in_json(run: Run, tmp_path: Path) -> None:
    made = json.loads(run("backup", "--json").out)

    assert made["removed"] == []
    assert json.loads(run("backup", "list", "--json").out)[0]["path"] == made["path"]
    assert json.loads(run("backup", "check", "--json").out) == {"path": made["path"], "problems": []}
    restored = json.loads(run("backup", "restore", "--to", str(tmp_path / "again"), "--json").out)
    assert restored["agents"] == ["default"]


def test_bad_input_is_one_sentence(run: Run, home: Path, tmp_path: Path) -> None:
    assert run("backup", "list").out == f"There is no backup in {home / 'backups'} yet.\n"
    none = run("backup", "restore", "--to", str(tmp_path / "again"))
    run("backup")
    unknown = run("backup", "check", "nothing.tar.gz")
    taken = run("backup", "restore", "--to", str(home))
    (tmp_path / "bad").write_text("not a backup")
    bad = run("backup", "check", str(tmp_path / "bad"))

    assert [said.code for said in (none, unknown, taken, bad)] == [2, 2, 2, 2]
    assert '"almario backup" creates one' in none.err
    assert '"almario backup list" shows them' in unknown.err
    assert "is not an empty folder; choose another" in taken.err
    assert "is not a whole backup" in bad.err


def test_a_purge_names_the_backups_that_still_hold_what_was_erased(run: Run, home: Path) -> None:
    run("backup")
    [path] = (home / "backups").glob("*.tar.gz")

    result = run("forget", "cat", "--purge", "--yes")

    assert "still contain it until you delete them" in result.out
    assert f"  {path}\n" in result.out
    assert "at this moment" not in result.err
    run("remember", "dog: Rex")
    assert json.loads(run("forget", "dog", "--purge", "--yes", "--json").out)["backups"] == [str(path)]


def test_a_purge_removes_what_a_killed_backup_left(run: Run, home: Path) -> None:
    left = home / "backups" / ".making-x"
    left.mkdir(parents=True)
    (left / "MEMORY.md").write_text("- cat: Nube")

    run("forget", "cat", "--purge", "--yes")

    assert not left.exists()


def test_a_purge_tells_of_a_backup_that_is_being_made(run: Run, home: Path) -> None:
    run("backup")

    with locked(home / "backups" / ".lock", seconds=0):
        result = run("forget", "cat", "--purge", "--yes")

    assert "Erased" in result.out
    assert "A backup is being made right now" in result.err


def test_where_nothing_is_no_backup_is_made(run: Run, tmp_path: Path) -> None:
    done = run("--home", str(tmp_path / "nowhere"), "backup")

    assert (done.code, f"there is no agent in {tmp_path / 'nowhere'} yet" in done.err) == (2, True)
    assert not (tmp_path / "nowhere").exists()


def test_what_cannot_be_read_is_named_as_such(home: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    listdir = os.listdir

    def refuse(folder: Path | str = ".") -> list[str]:
        if Path(folder) == home / "agents":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
        return listdir(folder)

    monkeypatch.setattr(os, "listdir", refuse)

    assert run("backup").err == f"Error: {home / 'agents'} cannot be read: Permission denied\n"


def test_to_standard_output_goes_the_archive_and_nothing_else(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = {**os.environ, "ALMARIO_HOME": str(home), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "almario", "backup", "--to", "-"]

    done = subprocess.run(command, env=env, capture_output=True, check=True)

    assert done.stderr == b""
    (tmp_path / "out.tar.gz").write_bytes(done.stdout)
    assert run("backup", "restore", str(tmp_path / "out.tar.gz"), "--to", str(tmp_path / "again")).code == 0
    assert "Nube" in run("--home", str(tmp_path / "again"), "memory", "list").out
    assert not list((home / "backups").glob("*.tar.gz*"))


def test_an_archive_is_not_shown_on_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup_commands, "_is_terminal", lambda out: True)

    result = run("backup", "--to", "-")

    assert (result.code, "almario backup --to - | age -r KEY > FILE" in result.err) == (2, True)


def test_elsewhere_no_older_one_is_removed(run: Run, home: Path, tmp_path: Path) -> None:
    disk = str(tmp_path / "disk")

    for _ in range(2):
        assert run("--set", "backup.keep=1", "backup", "--to", disk).code == 0

    assert len(list((tmp_path / "disk").glob("*.tar.gz"))) == 2
    assert not (home / "backups").exists()


def test_keys_that_locked_backups_once_are_named_with_what_does_it_now(run: Run, home: Path) -> None:
    (home / "almario.toml").write_text('[backup]\nrecipients = "age1abc"\n')

    said = run("backup")

    assert "backup.recipients → almario backup --to -" in said.err
    assert said.code == 0

"""`almario import`, as it is typed."""

import json
import re
from pathlib import Path

from almario.soul import Soul
from tests.apps.conftest import Run
from tests.importing import exports


def test_nothing_comes_in_without_a_yes_and_an_import_is_listed_and_taken_back(
    run: Run, soul: Soul, tmp_path: Path
) -> None:
    people = str(tmp_path / "people.jsonl")
    told = ["was born in 1980", "works at Faro"]
    entity = {"type": "entity", "name": "Inés Pérez", "entityType": "person", "observations": told}
    Path(people).write_text(json.dumps(entity) + "\n")

    result = run("import", people)
    assert (result.code, "add --yes" in result.err) == (2, True)
    assert " · notes: 2" in result.out
    assert "memories 2. Already here: 0." in run("import", people, "--yes").out
    assert "memories 0. Already here: 2." in run("import", people, "--yes").out
    [listed] = json.loads(run("import", "--json").out)
    assert listed["name"] == "people.jsonl"
    assert listed["id"] in run("import").out
    assert "was born in 1980" in run("memory", "list").out
    undone = run("import", "--undo", people).out
    assert undone.startswith("Taken back: 2.")
    assert run("recall", "Inés").out == "Nothing comes to mind.\n"

    soul.remember("Bo barks")
    again = run("import", people, "--yes")
    back = re.findall(r'"almario undo (\d+)" brings it back', undone + again.err)
    assert "Here already, but taken back or forgotten: 2." in again.err
    assert len(back) == 2
    assert len({*back}) == 1
    run("undo", back[0])
    assert "Inés" in run("recall", "Inés").out


def test_what_may_be_a_secret_is_counted_and_it_is_said_how_to_see_it(
    run: Run, soul: Soul, tmp_path: Path
) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "home.md").write_text("- the gate code is 4821-AC-99x1\n- Ivy likes plums\n")

    told = run("import", str(tmp_path / "vault"), "--from", "markdown", "--yes").err

    assert 'as it may be a secret: 1. "almario keep --list" shows it.' in told
    assert "4821-AC-99x1" in run("keep", "--list").out


def test_what_is_no_text_is_counted(run: Run, soul: Soul, tmp_path: Path) -> None:
    shown = run("import", str(exports.claude(tmp_path / "data.zip")), "--yes").out

    assert "Left out, as it is no text: attachments (only named): 1\n" in shown


def test_what_it_cannot_read_is_one_sentence(run: Run, soul: Soul, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")

    for what in (tmp_path / "nowhere", tmp_path / "x.json", Path("/dev/null")):
        result = run("import", str(what), "--yes")
        assert (result.code, result.err.count("\n")) == (2, 1)


def test_an_empty_name_is_no_import(run: Run, soul: Soul) -> None:
    for command in (("import", ""), ("import", "", "--yes"), ("import", "--undo", "")):
        result = run(*command)
        assert (result.code, result.out) == (2, "")
        assert "there is nothing between the quotes" in result.err


def test_the_years_of_what_is_found_are_called_so(run: Run, soul: Soul, tmp_path: Path) -> None:
    assert "notes: 2, dated 2025\n" in run("import", str(exports.notes(tmp_path / "vault"))).out


def test_what_a_file_is_called_does_not_reach_the_terminal_as_a_command(
    run: Run, soul: Soul, tmp_path: Path
) -> None:
    folder = exports.notes(tmp_path / "vault")
    (folder / "b\x1b]0;pwn\x07.txt").write_text("x")

    shown = run("import", str(folder), "--yes").out

    assert "Imported: messages 0, memories 2." in shown
    assert "\x1b]0" not in shown
    assert "<U+001B>" in shown


def test_a_file_in_another_encoding_is_named_with_what_to_do(run: Run, soul: Soul, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "good.md").write_text("Tea is kept in the hall")
    (tmp_path / "notes" / "latin.md").write_bytes("café".encode("latin-1"))

    shown = run("import", str(tmp_path / "notes"), "--yes").out

    assert "it cannot be read (it is not UTF-8 text; save it as UTF-8)" in " ".join(shown.split())

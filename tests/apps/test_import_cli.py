"""`almario import`, as it is typed."""

import json
from pathlib import Path

from almario.soul import Soul
from tests.apps.conftest import Run
from tests.importing import exports


def test_nothing_comes_in_without_a_yes_and_an_import_is_listed_and_taken_back(
    run: Run, soul: Soul, tmp_path: Path
) -> None:
    people = str(exports.vcard(tmp_path / "people.vcf"))

    result = run("import", people)
    assert (result.code, "add --yes" in result.err) == (2, True)
    assert "an address book: notes: 2" in result.out
    assert "memories 2. Already here: 0." in run("import", people, "--yes").out
    assert "memories 0. Already here: 2." in run("import", people, "--yes").out
    [listed] = json.loads(run("import", "--json").out)
    assert listed["name"] == "people.vcf"
    assert listed["id"] in run("import").out
    assert "Inés Pérez, birthday: 3 May 1980" in run("memory", "list").out
    assert "Taken back: 2." in run("import", "--undo", people).out
    assert run("recall", "Inés").out == "Nothing comes to mind.\n"


def test_what_is_no_text_is_counted(run: Run, soul: Soul, tmp_path: Path) -> None:
    shown = run("import", str(exports.claude(tmp_path / "data.zip")), "--yes").out

    assert "Left out, as it is no text: attachments (only named): 1\n" in shown


def test_what_it_cannot_read_is_one_sentence(run: Run, soul: Soul, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")

    for what in (tmp_path / "nowhere", tmp_path / "x.json", Path("/dev/null")):
        result = run("import", str(what), "--yes")
        assert (result.code, result.err.count("\n")) == (2, 1)


def test_what_a_file_is_called_does_not_reach_the_terminal_as_a_command(
    run: Run, soul: Soul, tmp_path: Path
) -> None:
    folder = exports.notes(tmp_path / "vault")
    (folder / "b\x1b]0;pwn\x07.txt").write_text("x")

    shown = run("import", str(folder), "--yes").out

    assert "Imported: messages 0, memories 2." in shown
    assert "\x1b]0" not in shown
    assert "<U+001B>" in shown

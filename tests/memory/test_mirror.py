"""MEMORY.md, both ways, with real files: what the owner does by hand, and what processes do meanwhile."""

import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from typing import Any, BinaryIO

import pytest

import almario
from almario.domain.memories import Wanted
from almario.errors import SoulError
from almario.memory import mirror
from almario.memory.mirror import gone_facts
from almario.memory.sync import Throttle
from almario.soul import Soul
from almario.store import replacing
from almario.testing import FixedClock
from proofs.torture import mirror as interleavings
from tests.effort import every
from tests.tables import each_row
from tests.timing import is_done_within

Reopener = Callable[[], Soul]
KEY = "sk-ant-api03-" + "a1B2c3D4e5F6g7H8" * 5


def live(soul: Soul) -> list[str]:
    return [memory.text for memory in soul.memory.list()]


def of_state(soul: Soul, state: Any) -> list[str]:
    return [memory.text for memory in soul.memory.list(Wanted(states=(state,)))]


def file_of(soul: Soul) -> Path:
    return soul.path / "MEMORY.md"


def text_of(soul: Soul) -> str:
    return file_of(soul).read_bytes().decode()


def unmarked(soul: Soul) -> str:
    return re.sub(r"<!-- almario .* -->\n", "", text_of(soul))


def edit(soul: Soul, old: str, new: str) -> None:
    """Change the file as an editor does that writes in place."""
    text = text_of(soul)
    assert old in text
    file_of(soul).write_bytes(text.replace(old, new, 1).encode())


def told(soul: Soul) -> list[str]:
    return [str(sentence) for sentence in soul.memory.settle()]


def lines_of_journal(soul: Soul) -> int:
    return sum(path.read_bytes().count(b"\n") for path in (soul.path / "journal").glob("*.jsonl"))


@pytest.fixture
def filled(soul: Soul) -> Soul:
    """A soul with a few facts that MEMORY.md shows."""
    for fact in ("gusto: el té", "gusto: el ajedrez", "trabajo: diseña puentes", "nota: vive sola"):
        soul.remember(fact)
    soul.memory.settle()
    return soul


def test_the_heading_of_what_is_forgotten_goes_with_it(filled: Soul) -> None:
    edit(filled, "## nota\n", "## ideas\n\n- un huerto\n\n## viaje\n\nDe antes.\n\n## nota\n")
    filled.memory.settle()
    filled.remember("viaje: a Lugo")
    for words in ("diseña puentes", "el té", "un huerto", "a Lugo"):
        filled.forget(words)
    filled.memory.settle()

    assert unmarked(filled) == (
        "## gusto\n\n- el ajedrez\n\n## ideas\n\n\n## viaje\n\nDe antes.\n\n## nota\n\n- vive sola\n\n"
    )


def test_facts_stand_under_their_keys_and_the_marker_is_last(filled: Soul) -> None:
    assert unmarked(filled) == (
        "## gusto\n\n- el té\n- el ajedrez\n\n## trabajo\n\n- diseña puentes\n\n## nota\n\n- vive sola\n\n"
    )
    assert re.fullmatch(r"<!-- almario \d+ 2026-11-14T13:30:00Z v2 -->", text_of(filled).splitlines()[-1])
    assert file_of(filled).stat().st_mode & 0o777 == 0o600


def test_an_edit_by_hand_can_be_undone(filled: Soul) -> None:
    before = unmarked(filled)
    edit(filled, "- el té\n- el ajedrez\n", "- el té verde\n- la sidra\n- el mar\n")
    filled.memory.settle()

    filled.memory.undo()

    assert sorted(live(filled)) == [
        "gusto: el ajedrez",
        "gusto: el té",
        "nota: vive sola",
        "trabajo: diseña puentes",
    ]
    assert sorted(unmarked(filled).splitlines()) == sorted(before.splitlines())


def test_an_edit_not_seen_yet_can_be_undone(filled: Soul) -> None:
    edit(filled, "- el ajedrez\n", "")

    filled.memory.undo()

    assert "gusto: el ajedrez" in live(filled)
    assert "- el ajedrez\n" in text_of(filled)


def test_an_old_buffer_saved_late_loses_and_revives_nothing(filled: Soul) -> None:
    buffer = text_of(filled).replace("- el té\n", "- el té\n- la sidra\n")
    filled.forget("nota")
    filled.remember("trabajo: enseña física", replaces=filled.memory.list(Wanted(keys=("trabajo",)))[0].id)
    filled.remember("gusto: el mar")
    filled.memory.settle()
    file_of(filled).write_text(buffer)

    assert sorted(live(filled)) == [
        "gusto: el ajedrez",
        "gusto: el mar",
        "gusto: el té",
        "gusto: la sidra",
        "trabajo: enseña física",
    ]
    assert "vive sola" not in text_of(filled)
    assert "diseña" not in text_of(filled)


def test_a_line_that_was_taken_in_and_forgotten_is_not_revived_by_the_same_buffer(filled: Soul) -> None:
    buffer = text_of(filled).replace("- el té\n", "- el té\n- la sidra\n")
    file_of(filled).write_text(buffer)
    filled.memory.settle()
    filled.forget(filled.memory.list(Wanted(text="sidra"))[0].id)
    filled.memory.settle()
    file_of(filled).write_text(buffer)

    assert "gusto: la sidra" not in live(filled)
    assert "la sidra" not in text_of(filled)


def test_a_forgotten_fact_that_the_owner_types_again_is_known_again(filled: Soul) -> None:
    filled.forget("nota")
    filled.memory.settle()
    edit(filled, "- el té\n", "- el té\n\n## nota\n- vive sola\n")

    assert "nota: vive sola" in live(filled)


def test_what_was_typed_again_and_is_restored_too_is_one_fact(filled: Soul) -> None:
    [old] = filled.forget("nota")
    filled.memory.settle()
    edit(filled, "puentes\n", "puentes\n\n## nota\n- vive sola\n")
    filled.memory.settle()

    filled.memory.restore(old.id)
    assert live(filled).count("nota: vive sola") == 1
    filled.forget(old.id)
    assert "nota: vive sola" not in live(filled)


def test_a_purged_text_is_not_revived_by_an_old_buffer(filled: Soul) -> None:
    buffer = text_of(filled)
    filled.memory.purge(filled.memory.plan_purge("nota"))
    file_of(filled).write_text(buffer)
    filled.memory.settle()

    assert "vive sola" not in text_of(filled)
    assert "nota: vive sola" not in live(filled)
    assert filled.memory.verify() == []


def test_a_purge_is_not_taken_for_the_owners_edit(soul: Soul) -> None:
    for number in range(8):
        soul.remember("nota", f"cosa {number} {'abcdefgh'[number] * 9}")
    soul.remember("gusto: el té")
    soul.memory.settle()
    soul.memory.purge(soul.memory.plan_purge("nota"))

    assert told(soul) == []
    assert live(soul) == ["gusto: el té"]
    assert "erased" not in text_of(soul)
    assert list(soul.path.glob("MEMORY.conflict-*")) == []


@pytest.mark.parametrize("is_forgotten_first", [True, False])
def test_a_purged_text_that_the_owner_types_again_is_known_again(
    filled: Soul, *, is_forgotten_first: bool
) -> None:
    [memory] = filled.memory.list(Wanted(keys=("nota",)))
    if is_forgotten_first:
        filled.forget(memory.id)
        filled.memory.settle()
    filled.memory.purge(filled.memory.plan_purge(memory.id))
    filled.memory.settle()
    edit(filled, "- el té\n", "- el té\n\n## nota\n- vive sola\n")

    assert "nota: vive sola" in live(filled)


@pytest.mark.parametrize("marker", ["", "<!-- almario 999999 2026-11-14T13:30:00Z v2 -->\n"])
def test_without_a_marker_that_can_be_trusted_lines_are_only_added(filled: Soul, marker: str) -> None:
    text = "## gusto\n- la sidra\n- el té\n" + marker
    file_of(filled).write_text(text)

    assert sorted(live(filled)) == [
        "gusto: el ajedrez",
        "gusto: el té",
        "gusto: la sidra",
        "nota: vive sola",
        "trabajo: diseña puentes",
    ]
    assert of_state(filled, "retired") == of_state(filled, "superseded") == []
    assert "- vive sola\n" in text_of(filled)


def test_a_file_that_is_gone_is_rendered_again(filled: Soul) -> None:
    before = unmarked(filled)
    file_of(filled).unlink()
    filled.memory.settle()

    assert unmarked(filled) == before
    assert len(live(filled)) == 4


def many(soul: Soul, count: int) -> Soul:
    for number in range(count):
        soul.remember(f"dato {number}", f"cosa número {number} {'abcdefghijklmnopqrstuvwxyz'[number] * 9}")
    soul.memory.settle()
    return soul


def without(text: str, numbers: range) -> str:
    gone = tuple(f"- cosa número {number} " for number in numbers)
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(gone))


def test_the_question_waits_for_who_asks(soul: Soul) -> None:
    many(soul, 12)
    file_of(soul).write_text(without(text_of(soul), range(6)))
    soul.memory.list()
    soul.remember("gusto: el té")

    [question] = told(soul)
    assert question.startswith("6 facts disappeared from MEMORY.md at once")
    assert told(soul) == []


def test_only_a_version_of_the_file_can_be_accepted(filled: Soul) -> None:
    for name in ("SOUL.md", "MEMORY.md", "MEMORY.conflict-.md", "../MEMORY.conflict-12345678.md"):
        with pytest.raises(SoulError):
            filled.memory.accept(name)
        assert (filled.path / "SOUL.md").exists()
        assert file_of(filled).exists()
    with pytest.raises(SoulError, match=r"there is no file MEMORY\.conflict-12345678\.md"):
        filled.memory.accept("MEMORY.conflict-12345678.md")


def test_a_version_without_its_marker_says_nothing_about_what_is_gone(soul: Soul) -> None:
    many(soul, 12)
    file_of(soul).write_text(without(text_of(soul), range(6)))
    soul.memory.settle()
    [copy] = soul.path.glob("MEMORY.conflict-*.md")
    copy.write_text(copy.read_text().split("<!-- almario")[0])

    with pytest.raises(SoulError, match="which says when it was written, is gone"):
        soul.memory.accept(copy.name)
    assert copy.exists()
    assert len(live(soul)) == 12


def test_lines_that_were_there_at_the_first_opening_are_imported(
    home: Path, tmp_path: Path, clock: FixedClock
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "MEMORY.md").write_text("# Ana\n\nUna vida.\n\n## gusto\n* el té\n")
    soul = almario.create(home, path=str(tmp_path / "notes"), clock=clock)

    [memory] = soul.memory.list()

    assert (memory.text, memory.kind) == ("gusto: el té", "profile")
    assert (memory.source, memory.origin) == ("auto", "imported")
    assert unmarked(soul) == "# Ana\n\nUna vida.\n\n## gusto\n* el té\n\n"
    assert soul.memory.change(memory.id, right=True).origin == "owner"


def test_an_expired_fact_leaves_the_file_and_is_not_forgotten(soul: Soul, clock: FixedClock) -> None:
    soul.remember("plan: ir a Lugo", kind="fact")
    soul.remember("gusto: el té")
    soul.memory.settle()
    for path in soul.path.glob("*.md"):  # as old as if nobody had just written it
        os.utime(path, (1, 1))
    soul.memory.settle()
    clock.advance(days=366)
    soul.memory.settle()

    assert "Lugo" not in text_of(soul)
    edit(soul, "el té", "el té verde")
    assert live(soul) == ["gusto: el té verde"]
    assert of_state(soul, "expired") == ["plan: ir a Lugo"]
    assert of_state(soul, "retired") == []
    soul.memory.restore(soul.memory.list(Wanted(states=("expired",)))[0].id)
    soul.memory.settle()
    assert "- ir a Lugo\n" in text_of(soul)


SECRETS = {
    "in the value": "## nota\n- la clave es {secret} y punto\n",
    "told by its key": "## contraseña\n- {password}\n",
    "in the key": "## api {secret}\n- es la de casa\n",
    "in prose": "Apunte: {secret}\n",
}


@pytest.mark.parametrize("where", sorted(SECRETS.keys() - {"told by its key"}))
def test_a_secret_stays_in_the_file_and_is_nowhere_else(filled: Soul, where: str) -> None:
    secret, theirs = KEY, SECRETS[where].format(secret=KEY)
    file_of(filled).write_text(theirs + text_of(filled))

    warned = told(filled)

    assert len(warned) == 1
    assert all("holds a secret" in warning and secret not in warning for warning in warned)
    for count in range(3):
        filled.remember(f"gusto: cosa {count}")
        assert told(filled) == []
    assert text_of(filled).startswith(theirs)
    assert "redacted" not in text_of(filled)
    assert len(live(filled)) == (7 if where == "in prose" else 8)
    assert secret not in "".join(filled.memory.export())
    holding = [
        path for path in filled.path.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()
    ]
    assert holding == [file_of(filled)]
    assert all(secret not in hit.text for hit in filled.recall("clave contraseña api apunte casa"))
    assert filled.memory.verify() == []


@pytest.mark.parametrize("where", ["in the value", "told by its key", "in the key"])
def test_a_line_with_a_secret_is_forgotten_when_it_is_taken_out(filled: Soul, where: str) -> None:
    theirs = SECRETS[where].format(secret=KEY, password="perro-verde-42")
    file_of(filled).write_text(theirs + text_of(filled))
    filled.memory.settle()
    edit(filled, theirs, "")

    assert len(live(filled)) == 4
    assert len(of_state(filled, "retired")) == 1


@contextmanager
def meddling(monkeypatch: pytest.MonkeyPatch, do: Callable[[], Any]) -> Iterator[None]:
    """Do something in the moment between reading the file and exchanging it, once."""
    real = replacing.replace
    pending = [do]

    def replace(path: Path, content: bytes, *, expected: str | None) -> None:
        if path.name == "MEMORY.md" and pending:
            pending.pop()()
        real(path, content, expected=expected)

    with monkeypatch.context() as patch:
        patch.setattr(replacing, "replace", replace)
        yield
    assert not pending


def test_an_edit_in_the_moment_of_writing_is_merged(filled: Soul, monkeypatch: pytest.MonkeyPatch) -> None:
    filled.remember("gusto: el mar")
    with meddling(monkeypatch, lambda: edit(filled, "- el té\n", "- la sidra\n- el té verde\n")):
        filled.memory.settle()

    assert sorted(live(filled))[:4] == [
        "gusto: el ajedrez",
        "gusto: el mar",
        "gusto: el té verde",
        "gusto: la sidra",
    ]
    assert all(line in text_of(filled) for line in ("- la sidra\n", "- el té verde\n", "- el mar\n"))


def test_a_save_begun_before_the_exchange_and_ended_after_it_is_merged(
    filled: Soul, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled.remember("gusto: el mar")
    text = text_of(filled).replace("- el té\n", "- el té\n- la sidra\n")
    editors: list[BinaryIO] = []
    real = replacing._is_open_for_writing

    def is_open(path: Path) -> bool:
        while editors:
            with editors.pop() as editor:
                editor.write(text.encode())
        return real(path)

    monkeypatch.setattr(replacing, "_is_open_for_writing", is_open)
    with meddling(monkeypatch, lambda: editors.append(file_of(filled).open("r+b", buffering=0))):
        filled.memory.settle()

    assert {"gusto: la sidra", "gusto: el mar"} <= set(live(filled))
    assert "- la sidra\n" in text_of(filled)


def test_a_file_deleted_in_the_moment_of_writing_is_rendered(
    filled: Soul, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled.remember("gusto: el mar")
    with meddling(monkeypatch, file_of(filled).unlink):
        filled.memory.settle()

    assert "- el mar\n" in text_of(filled)
    assert len(live(filled)) == 5


def test_a_file_made_in_the_moment_of_writing_is_merged(
    filled: Soul, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = text_of(filled)
    file_of(filled).unlink()
    with meddling(
        monkeypatch, lambda: file_of(filled).write_text(text.replace("- el té\n", "- el té\n- el mar\n"))
    ):
        filled.memory.settle()

    assert "gusto: el mar" in live(filled)
    assert len(live(filled)) == 5


@pytest.mark.skipif(not hasattr(__import__("fcntl"), "F_SETLEASE"), reason="no way to see who writes")
def test_a_save_that_is_still_being_written_is_waited_for(filled: Soul) -> None:
    filled.forget("nota")
    filled.memory.settle()
    whole = text_of(filled).replace("- el té\n", "- el té\n- la sidra dulce\n\n## nota\n- otra vez\n")
    begun, rest = whole[: whole.index("dulce")], whole[whole.index("dulce") :]
    with file_of(filled).open("w") as editor:
        editor.write(begun)
        editor.flush()
        filled.remember("gusto: el mar")
        assert "gusto: la sidra" not in live(filled)
        assert file_of(filled).read_text() == begun
        editor.write(rest)

    assert {"gusto: la sidra dulce", "nota: otra vez", "gusto: el mar"} <= set(live(filled))
    assert len(live(filled)) == 6


@each_row("length", every(3, range(1, 43)))
def test_a_save_that_broke_off_in_the_marker_changes_nothing(filled: Soul, length: int) -> None:
    text = text_of(filled)
    facts = live(filled)
    start = text.index("<!-- almario")
    file_of(filled).write_text(text[: start + length])
    filled.memory.settle()

    assert live(filled) == facts
    file_of(filled).write_text(text)
    filled.memory.settle()
    assert live(filled) == facts
    assert unmarked(filled) == text[:start]


def test_a_file_that_is_no_text_is_told_and_left_alone(filled: Soul) -> None:
    spoilt = text_of(filled).encode() + b"\n- caf\xe9\n"
    file_of(filled).write_bytes(spoilt)

    assert "MEMORY.md line 16: byte 0xe9 is not UTF-8 text; save the file as UTF-8" in told(filled)
    filled.remember("gusto: el mar")
    assert len(live(filled)) == 5
    assert file_of(filled).read_bytes() == spoilt
    file_of(filled).write_bytes(spoilt.replace(b"\xe9", "é".encode()))
    assert {"gusto: el mar", "nota: café"} <= set(live(filled))


def test_no_interleaving_of_owner_and_processes_loses_or_revives_anything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replacing, "replace", replacing.replace)  # which the run wraps
    assert interleavings.run(6, at_once=0) == []


def make_folder(path: Path) -> None:
    path.mkdir()


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_link_out(path: Path) -> None:
    outside = path.parents[3] / "outside.md"
    outside.write_text("- de otro\n")
    path.symlink_to(outside)


@pytest.mark.parametrize("make", [make_folder, make_pipe, make_link_out])
@pytest.mark.parametrize("mirror", [True, False])
def test_what_is_no_file_is_told_and_left_alone(
    filled: Soul, home: Path, clock: FixedClock, make: Callable[[Path], None], mirror: bool
) -> None:
    file_of(filled).unlink()
    make(file_of(filled))
    before = os.lstat(file_of(filled)).st_ino
    soul = almario.open(home, clock=clock, settings={"memory.mirror": mirror})

    if mirror:
        sentence = next(sentence for sentence in map(str, soul.notices) if "MEMORY.md" in sentence)
        assert "is not a regular file" in sentence or "leads out of the agent's folder" in sentence
    soul.remember("gusto: el mar")
    assert len(live(soul)) == 5
    assert soul.recall("mar")
    assert os.lstat(file_of(soul)).st_ino == before


def test_the_mirror_can_be_switched_off(filled: Soul, home: Path, clock: FixedClock) -> None:
    edit(filled, "- el ajedrez\n", "- la sidra\n")
    before = text_of(filled)
    soul = almario.open(home, clock=clock, settings={"memory.mirror": False})

    soul.remember("gusto: el mar")
    soul.memory.settle()

    assert text_of(soul) == before
    assert "gusto: el ajedrez" in live(soul)
    assert "gusto: la sidra" not in live(soul)
    soul.close()
    again = almario.open(home, clock=clock)
    assert sorted(live(again))[:3] == ["gusto: el mar", "gusto: el té", "gusto: la sidra"]


def test_a_kill_between_the_exchange_and_the_note_of_it_imports_nothing(
    filled: Soul, reopened: Reopener, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled.remember("gusto: el mar")
    real = replacing.replace

    def replace(path: Path, content: bytes, *, expected: str | None) -> None:
        real(path, content, expected=expected)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(replacing, "replace", replace)
        with pytest.raises(KeyboardInterrupt):
            filled.memory.settle()
    lines = lines_of_journal(filled)

    assert len(live(reopened())) == 5
    assert lines_of_journal(filled) == lines


def test_own_writing_is_not_taken_for_the_owners(filled: Soul, reopened: Reopener) -> None:
    lines = lines_of_journal(filled)
    content = file_of(filled).read_bytes()
    for soul in (filled, reopened(), filled):
        soul.memory.settle()
        soul.memory.list()
    rmtree(filled.path / ".index")
    reopened().memory.settle()

    assert lines_of_journal(filled) == lines
    assert file_of(filled).read_bytes() == content


def test_a_memory_that_is_not_trusted_or_no_fact_is_not_shown(filled: Soul) -> None:
    before = unmarked(filled)
    filled.remember("no hables tan alto", kind="instruction")
    filled.remember("resumen del día", kind="summary")
    filled.memory.settle()

    assert unmarked(filled) == before


def test_a_memory_that_gets_its_topic_stands_in_the_file_once(soul: Soul) -> None:
    turn = soul.append("cli:main", "user", "Remember that I live in Vigo")
    soul.memory.remember("I live in Vigo", evidence=[turn.id])
    soul.memory.settle()

    soul.memory.learn("home", "lives in Vigo", evidence=[turn.id])
    soul.memory.settle()
    soul.memory.reindex()

    assert live(soul) == ["home: I live in Vigo"]
    assert text_of(soul).count("Vigo") == 1


def test_a_fact_that_was_replaced_ten_thousand_times_has_one_heir(soul: Soul) -> None:
    first = soul.remember("lugar: la casa 0").memory
    assert first
    old = [first._replace(id=f"{n}", state="superseded", by=f"{n + 1}", value=f"{n}") for n in range(10_000)]
    new = first._replace(id="10000", value="la última")

    assert is_done_within(1, lambda: gone_facts(old, [new]))
    assert set(gone_facts(old, [new]).values()) == {new}


@pytest.fixture
def full(home: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch) -> Soul:
    """An agent with more facts than MEMORY.md shows."""
    monkeypatch.setattr(mirror, "MANY", 20)
    soul = almario.create(home, clock=clock)
    for number in range(30):
        soul.remember(f"tema {number}: la cosa número {number}")
        clock.advance(minutes=1)
    soul.memory.settle()
    return soul


def shown(soul: Soul) -> list[str]:
    return sorted(re.findall(r"^- la cosa número (\d+)$", file_of(soul).read_text(), re.MULTILINE))


def test_of_very_many_facts_the_core_is_shown_and_where_the_rest_is(full: Soul) -> None:
    text = file_of(full).read_text()

    assert shown(full) == ["25", "26", "27", "28", "29"]
    assert 'here are 5 of 30 facts; "almario memory list" shows them all' in text.splitlines()[-1]
    assert "## tema 3" not in text  # a heading goes with its last fact
    assert len(live(full)) == 30
    assert full.recall("cosa número 3")[0].text == "la cosa número 3"
    assert full.memory.verify() == []


def test_only_what_was_shown_can_be_taken_out(full: Soul) -> None:
    file_of(full).write_text(file_of(full).read_text().replace("- la cosa número 27\n", ""))

    full.memory.settle()

    assert of_state(full, "retired") == ["tema 27: la cosa número 27"]
    assert shown(full) == ["24", "25", "26", "28", "29"]


def test_what_was_taken_out_of_an_old_buffer_goes_though_it_is_shown_no_more(full: Soul) -> None:
    buffer = file_of(full).read_text().replace("- la cosa número 25\n", "")
    full.remember("tema 30: la cosa número 30")
    full.memory.settle()
    file_of(full).write_text(buffer)

    full.memory.settle()

    assert of_state(full, "retired") == ["tema 25: la cosa número 25"]


def test_without_its_index_nothing_is_taken_out_that_may_not_have_been_shown(full: Soul) -> None:
    file_of(full).write_text(file_of(full).read_text().replace("- la cosa número 27\n", ""))
    rmtree(full.path / ".index")

    full.memory.settle()

    assert len(live(full)) == 30
    assert shown(full) == ["25", "26", "27", "28", "29"]


def test_a_line_that_says_what_is_known_and_not_shown_is_no_second_fact(full: Soul) -> None:
    text = file_of(full).read_text()
    file_of(full).write_text(f"## tema 3\n\n- la cosa número 3\n\n{text}")

    full.memory.settle()

    assert len(live(full)) == 30
    assert full.memory.verify() == []


def test_whoever_closes_while_a_rendering_is_being_put_off_waits_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pace, hurried = Throttle(), threading.Event()
    pace.render = 600

    def hurry() -> None:
        with suppress(RuntimeError):
            pace.hurry()
            hurried.set()

    closing = threading.Thread(target=hurry)
    start = threading.Timer.start

    def start_late(timer: threading.Timer) -> None:
        closing.start()
        closing.join(0.1)
        start(timer)

    monkeypatch.setattr(threading.Timer, "start", start_late)
    pace.render_later(lambda: None)
    closing.join()

    assert hurried.is_set()
    assert not pace.may_wait()


def test_a_sentence_with_a_colon_is_guarded_where_markdown_does_not_show_it(soul: Soul) -> None:
    soul.memory.learn("pets", "They have no dog: Gareth comes out in hives")
    soul.memory.learn("drive", "Back up to D\\: every night")
    before = sorted(live(soul))
    told(soul)

    assert "- They have no dog\\: Gareth comes out in hives\n" in text_of(soul)
    for old, new in (("They have no dog\\:", "\\They have no dog:"), ("in hives", "in hives at once")):
        edit(soul, old, new)  # as it was guarded before, and as the owner goes on
        told(soul)
    assert sorted(live(soul)) == [text.replace("in hives", "in hives at once") for text in before]


@pytest.fixture
def older(soul: Soul, reopened: Reopener) -> Soul:
    """A soul whose MEMORY.md an earlier version wrote: some of its facts are no bullets."""
    for fact in (
        "allergy: penicillin",
        "blood: 0 negative",
        "dentist: Dr Ruiz",
        "Leo: born: 3 May",
        "pet: a cat",
    ):
        key, value = fact.rsplit(": ", 1)
        soul.remember(key, value)
    soul.memory.settle()
    [marker] = re.findall("<!-- almario .* v2 -->", text_of(soul))
    file_of(soul).write_text(
        "# Health\n\n| what | which |\n|---|---|\n| allergy | penicillin |\n| blood | 0 negative |\n\n"
        "**dentist**: Dr Ruiz\n\nMy own words.\n\n## Leo\n\n- born: 3 May\n\n## pet\n\n- a cat\n\n"
        f"{marker.replace(' v2', '')}\n"
    )
    rmtree(soul.path / ".index")
    soul.close()
    return reopened()


def test_what_an_earlier_version_kept_in_tables_and_under_bold_keys_becomes_bullets(older: Soul) -> None:
    before = lines_of_journal(older)

    assert [*older.notices, *told(older)] == [
        "MEMORY.md: facts in tables and under bold keys are bullets now (3)"
    ]
    assert unmarked(older) == (
        "# Health\n\n| what | which |\n|---|---|\n- allergy: penicillin\n- blood: 0 negative\n\n"
        "- dentist: Dr Ruiz\n\nMy own words.\n\n## Leo\n\n- **Leo: born**: 3 May\n\n## pet\n\n- a cat\n\n"
    )
    assert lines_of_journal(older) == before
    assert len(live(older)) == 5
    assert told(older) == []


def test_the_first_edit_after_that_changes_what_was_edited_alone(older: Soul) -> None:
    older.memory.settle()
    edit(older, "Dr Ruiz", "Dra Vidal")
    older.memory.settle()

    assert set(live(older)) == {
        "allergy: penicillin", "blood: 0 negative", "dentist: Dra Vidal", "Leo: born: 3 May", "pet: a cat",
    }  # fmt: skip
    assert of_state(older, "superseded") == ["dentist: Dr Ruiz"]
    assert of_state(older, "retired") == []


def test_an_edit_of_an_older_file_that_nobody_has_seen_yet_is_taken_in(soul: Soul, older: Soul) -> None:
    older.memory.settle()
    text = text_of(older).replace("- allergy: penicillin", "| allergy | pollen |\n| car | a Panda |")
    file_of(older).write_text(text.replace("- dentist: Dr Ruiz\n", "").replace(" v2 -->", " -->"))

    assert told(older) == ["MEMORY.md: facts in tables and under bold keys are bullets now (2)"]
    assert set(live(older)) == {
        "allergy: pollen", "blood: 0 negative", "car: a Panda", "Leo: born: 3 May", "pet: a cat",
    }  # fmt: skip
    assert of_state(older, "retired") == ["dentist: Dr Ruiz"]


def test_a_table_of_today_is_the_owners_prose(filled: Soul) -> None:
    edit(filled, "## nota", "| a | b |\n|---|---|\n| pet | a cat |\n\n**dog**: none\n\n## nota")
    filled.memory.settle()

    assert "| pet | a cat |" in text_of(filled)
    assert not any("cat" in text for text in live(filled))
    assert "a cat" in filled.prompt("Is there a cat?").text

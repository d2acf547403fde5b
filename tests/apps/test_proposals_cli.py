"""`almario proposals`: seeing what would change, and answering."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from almario.errors import SoulError
from almario.soul import Soul
from almario.testing import FixedClock
from tests.apps.conftest import Run, Terminal


@pytest.fixture
def clock() -> FixedClock:
    """Stand still now: for the commands it is today, and what is proposed expires."""
    return FixedClock(datetime.now(UTC))


@pytest.fixture
def proposed(soul: Soul) -> Callable[..., str]:
    """Propose another line for SOUL.md; return the proposal's id."""

    def propose(line: str = "I like trains.", **more: Any) -> str:
        text = soul.read("SOUL").text + f"\n{line}\n"
        return soul.proposals.propose("SOUL", text, reason="They suit me", **more).id

    return propose


@pytest.fixture
def strange(soul: Soul) -> str:
    """Propose what a stranger said for MOTIVATIONS.md; return the proposal's id."""
    text = soul.read("MOTIVATIONS").text.replace("## Open Questions", "## Open Questions\n\n- Boats?")
    return soul.proposals.propose("MOTIVATIONS", text, reason="They sail", origin="untrusted").id


def test_what_waits_is_listed(
    run: Run, proposed: Callable[..., str], strange: str, clock: FixedClock
) -> None:
    one, made, until = proposed(), f"{clock():%F %R}", f"{clock() + timedelta(days=30):%F}"

    listed = run("proposals").out

    assert f"{one}  SOUL.md         {made}  waiting for you                {until}  0.0" in listed
    assert "They suit me" in listed
    assert f"{strange}  MOTIVATIONS.md  {made}  waiting for you (not trusted)" in listed
    fields = json.loads(run("proposals", "--json").out)
    assert [each["id"] for each in fields] == [strange, one]
    assert "+I like trains." in fields[1]["diff"]
    assert 0 < fields[1]["drift"]["score"] < 0.1


def test_nothing_that_waits_is_said_in_a_sentence(run: Run, soul: Soul) -> None:
    assert run("proposals").out == "No changes are proposed.\n"


def test_a_refused_one_is_listed_on_request_with_the_reason(run: Run, soul: Soul) -> None:
    with pytest.raises(SoulError):
        soul.proposals.propose("SOUL", "# HAL\n", reason="It is better")
    [refused] = soul.proposals.list(every=True)

    assert run("proposals").out == "No changes are proposed.\n"
    listed, shown = run("proposals", "--all").out, run("proposals", "show", refused.id).out
    accepted = run("proposals", "accept", refused.id)

    assert "refused" in listed
    assert "the file would lose more than 30 % of its text" in listed
    assert "\n+# HAL\n" in shown
    assert (accepted.code, "was refused: the file would lose" in accepted.err) == (2, True)


def test_a_proposal_is_shown_with_its_diff_and_where_it_comes_from(
    run: Run, strange: str, clock: FixedClock
) -> None:
    shown = run("proposals", "show", strange[:5]).out

    assert "They sail" in shown
    assert "an untrusted person said" in shown
    assert f"\nIt will wait until {clock() + timedelta(days=30):%F %R}.\n" in shown
    assert "\nDrift: 0.0" in shown
    assert "\n+- Boats?\n" in shown


def test_one_that_goes_far_is_shown_with_a_warning(run: Run, proposed: Callable[..., str]) -> None:
    wanted = proposed()

    assert "Careful" not in run("proposals", "show", wanted).out
    shown = run("--set", "drift.warn=0.001", "proposals", "show", wanted).out

    assert "Careful: it would take the soul far from its baseline." in shown


def test_it_is_accepted_in_ones_own_words(
    run: Run, soul: Soul, proposed: Callable[..., str], tmp_path: Path
) -> None:
    wanted, before = proposed(), soul.read("SOUL").text
    (tmp_path / "own.md").write_text(before + "\nI like slow trains.\n")

    waits = run("proposals", "edit", wanted, "--from", str(tmp_path / "own.md")).out

    assert "+I like slow trains." in waits
    assert f'Waiting: "almario proposals accept {wanted}" accepts it.' in waits
    assert soul.read("SOUL").text == before
    piped = run("proposals", "edit", wanted, "--from", "-", "--yes", stdin=before + "\nI like boats.\n")
    assert f"Proposal {wanted} was accepted: SOUL.md was changed." in piped.out
    assert soul.read("SOUL").text == before + "\nI like boats.\n"
    again = run("proposals", "edit", wanted, "--from", str(tmp_path / "own.md"))
    assert (again.code, "cannot be edited" in again.err) == (2, True)


def test_without_a_terminal_there_is_no_editor(run: Run, proposed: Callable[..., str]) -> None:
    refused = run("proposals", "edit", proposed())

    assert (refused.code, "no terminal for an editor" in refused.err) == (2, True)


def test_an_editor_opens_what_is_proposed(
    soul: Soul, proposed: Callable[..., str], spawn_at_terminal: Terminal, tmp_path: Path
) -> None:
    wanted = proposed()
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nsed -i 's/trains/slow trains/' \"$1\"\n")
    editor.chmod(0o700)

    screen = spawn_at_terminal("proposals", "edit", wanted, answers="y\n", EDITOR=str(editor), VISUAL="")

    assert "+I like slow trains." in screen
    assert "was accepted: SOUL.md was changed." in screen
    assert soul.read("SOUL").text.endswith("\nI like slow trains.\n")


def test_no_sign_of_a_diff_can_hide_another(run: Run, proposed: Callable[..., str]) -> None:
    shown = run("proposals", "show", proposed("kind\x1b[2K\u202edlrow")).out

    assert "\x1b" not in shown
    assert "+kind<U+001B>[2K<U+202E>dlrow" in shown


def test_accepting_changes_the_file_and_restoring_takes_it_back(
    run: Run, soul: Soul, proposed: Callable[..., str]
) -> None:
    before, wanted = soul.read("SOUL").text, proposed()

    assert run("proposals", "accept", wanted).out == f"Proposal {wanted} was accepted: SOUL.md was changed.\n"
    assert "I like trains." in soul.read("SOUL").text
    assert f"proposal accepted: {wanted} They suit me" in run("soul", "history", "SOUL").out
    assert run("soul", "restore", "SOUL", "1").code == 0
    assert soul.read("SOUL").text == before
    again = run("proposals", "accept", wanted)
    assert (again.code, again.err) == (2, f"Error: proposal {wanted} was accepted and undone\n")


def test_a_stale_proposal_is_refused_in_one_sentence(
    run: Run, soul: Soul, proposed: Callable[..., str]
) -> None:
    wanted = proposed()
    (soul.path / "SOUL.md").write_text("# Soul\n\nMine.\n")

    refused = run("proposals", "accept", wanted)

    assert refused.code == 2
    assert f"proposal {wanted} can no longer be accepted: the file has changed since" in refused.err
    assert (soul.path / "SOUL.md").read_text() == "# Soul\n\nMine.\n"
    assert run("proposals").out == "No changes are proposed.\n"
    assert "out of date" in run("proposals", "--all").out


def test_rejecting_says_why(run: Run, soul: Soul, proposed: Callable[..., str]) -> None:
    wanted = proposed()

    assert run("proposals", "reject", wanted, "--why", "not you").out == f"Proposal {wanted} was rejected.\n"
    assert "not you" in run("proposals", "show", wanted).out
    answered = json.loads(run("proposals", "--all", "--json").out)[0]
    assert (answered["state"], answered["why"]) == ("rejected", "not you")


def test_it_speaks_spanish(spawn: Run, soul: Soul, proposed: Callable[..., str]) -> None:
    wanted = proposed()
    (soul.path / "SOUL.md").write_text("# Alma\n")

    listed = spawn("proposals", ALMARIO_LANGUAGE="es").out
    refused = spawn("proposals", "accept", wanted, ALMARIO_LANGUAGE="es").err

    assert "anticuada" in listed
    assert f"la propuesta {wanted} ya no se puede aceptar: el archivo ha cambiado desde entonces" in refused


def test_at_a_terminal_no_word_of_the_reason_is_broken(
    spawn_at_terminal: Terminal, proposed: Callable[..., str]
) -> None:
    one = proposed()

    listed = spawn_at_terminal("proposals", COLUMNS="70")

    assert f"{one}  SOUL.md" in listed
    assert "\r\n    They suit me\r\n" in listed

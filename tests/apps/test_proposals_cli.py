"""`almario proposals`: seeing what would change, and answering."""

import json
from collections.abc import Callable

import pytest

from almario.soul import Soul
from tests.apps.conftest import Run


@pytest.fixture
def proposed(soul: Soul) -> Callable[..., str]:
    """Propose another line for SOUL.md; return the proposal's id."""

    def propose(line: str = "I like trains.", **more: str) -> str:
        text = soul.read("SOUL").text + f"\n{line}\n"
        return soul.proposals.propose("SOUL", text, reason="They suit me", **more).id

    return propose


def test_what_waits_is_listed(run: Run, proposed: Callable[..., str]) -> None:
    assert run("proposals").out == "No changes are proposed.\n"
    one, other = proposed(), proposed("I like boats.", origin="untrusted")

    listed = run("proposals").out

    assert f"{one}  SOUL.md  2026-11-14 13:30  open" in listed
    assert "They suit me" in listed
    assert f"{other}  SOUL.md  2026-11-14 13:30  open (not trusted)" in listed
    fields = json.loads(run("proposals", "--json").out)
    assert [each["id"] for each in fields] == [one, other]
    assert "+I like trains." in fields[0]["diff"]


def test_a_proposal_is_shown_with_its_diff_and_where_it_comes_from(
    run: Run, proposed: Callable[..., str]
) -> None:
    shown = run("proposals", "show", proposed(origin="untrusted")[:5]).out

    assert "They suit me" in shown
    assert "someone who is not trusted" in shown
    assert "\n+I like trains.\n" in shown


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
    assert (again.code, again.err) == (2, f"Error: proposal {wanted} was accepted already\n")


def test_a_stale_proposal_is_refused_in_one_sentence(
    run: Run, soul: Soul, proposed: Callable[..., str]
) -> None:
    wanted = proposed()
    (soul.path / "SOUL.md").write_text("# Soul\n\nMine.\n")

    refused = run("proposals", "accept", wanted)

    assert refused.code == 2
    assert f"proposal {wanted} cannot be accepted any more: the file has changed since" in refused.err
    assert (soul.path / "SOUL.md").read_text() == "# Soul\n\nMine.\n"
    assert run("proposals").out == "No changes are proposed.\n"
    assert "stale" in run("proposals", "--all").out


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

    assert "caducada" in listed
    assert f"la propuesta {wanted} ya no se puede aceptar: el archivo cambió desde entonces" in refused

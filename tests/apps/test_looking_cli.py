"""`almario undo LINE`: of a soul file, and of a no to a proposal."""

from pathlib import Path

import almario
from tests.apps.conftest import Run


def test_a_file_and_a_no_are_taken_back_by_their_lines(run: Run, home: Path) -> None:
    run("init", "--language", "en")
    soul = almario.open(home)
    before = soul.read("SOUL.md")
    soul.write(before, "# Soul\n\nI am brief.\n")
    assert "SOUL.md is as it was before." in run("undo", str(soul.line_of("SOUL.md"))).out
    made = soul.proposals.propose("SOUL", before.text + "\n- I am brief.\n", reason="shorter")
    soul.proposals.accept(made.id)
    undone = run("undo", str(soul.line_of("SOUL.md"))).out
    assert undone == f"SOUL.md is as it was before.\nProposal {made.id} is undone.\n"
    assert "accepted, then undone" in run("proposals", "--all").out
    made = soul.proposals.propose("SOUL", before.text + "\n- I am brief.\n", reason="shorter")
    soul.proposals.reject(made.id)

    result = run("undo", str(soul.line_of(made.id)))

    assert f"Proposal {made.id} waits for your answer again." in result.out
    assert soul.read("SOUL.md").text == before.text
    assert run("undo", "1").code == 2

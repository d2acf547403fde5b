"""An agent's folder that is a link: to an agent elsewhere it is one, to anything else it is left alone."""

import os
from pathlib import Path

import pytest

from almario.soul import Soul
from tests.apps.conftest import Run


@pytest.mark.parametrize("there", ["", "README.md", "memory/2026-01-01.md", "agent.toml"])
def test_a_folder_that_a_link_leads_to_is_neither_furnished_nor_mended(
    there: str, soul: Soul, home: Path, tmp_path: Path, run: Run
) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / there).parent.mkdir(parents=True, exist_ok=True)
    elsewhere.mkdir(exist_ok=True, mode=0o755)
    if there:
        (elsewhere / there).write_text("")
    before = sorted(elsewhere.rglob("*"))
    (home / "agents" / "far").symlink_to(elsewhere)

    assert "far" not in run("agents").out
    refused = run("--agent", "far", "remember", "I like tea")
    assert (refused.code, "which is not an agent's folder; remove the link" in refused.err) == (2, True)
    assert run("init", "--agent", "far").code == 2
    assert "agents/far is a link to a folder that is not an agent's" in run("doctor").out
    run("doctor", "--mend")

    assert sorted(elsewhere.rglob("*")) == before
    assert (home / "agents" / "far").is_symlink()


def test_an_agent_may_live_behind_a_link(soul: Soul, home: Path, tmp_path: Path, run: Run) -> None:
    soul.close()
    os.rename(soul.path, tmp_path / "moved")
    soul.path.symlink_to(tmp_path / "moved")

    assert run("remember", "I like tea").code == 0
    assert "I like tea" in run("recall", "tea").out

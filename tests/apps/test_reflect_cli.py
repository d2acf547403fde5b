"""`almario reflect` as people use it; the model is scripted."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

import almario
from almario.apps.cli import i18n
from almario.errors import LLMUnavailable
from almario.testing import ScriptedLLM
from almario.wiring.parts import AgentParts
from tests.apps.conftest import Run, Said
from tests.becoming.reflecting import thinking


@pytest.fixture
def reflect(run: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Said]:
    """Run `almario reflect` for an agent that has lived a day, with a scripted model."""
    run("init", "--language", "en")
    run("remember", "likes: a cup of tea with Ana, who came here")
    llm = ScriptedLLM(thinking)
    monkeypatch.setattr(AgentParts, "learner", lambda self, job: llm)
    return lambda *arguments: run("reflect", *arguments)


def test_it_tells_what_was_found_changed_and_proposed(
    reflect: Callable[..., Said], run: Run, home: Path
) -> None:
    said = reflect()

    [written] = (home / "agents/default/memory/reflections").glob("*.md")
    today = date.fromisoformat(written.stem)  # whichever it was at midnight
    assert abs(datetime.now(UTC).date() - today) <= timedelta(days=1)
    assert said.code == 0
    assert "Findings\n- people: Ana likes tea. (" in said.out
    assert "Changes\n- changed: MOTIVATIONS.md, Ana is here. (" in said.out
    assert "Goals\n- goal added: Offer Ana a cup of tea\n" in said.out
    assert f"Reflection {today}-1 is in memory/reflections/{today}.md." in said.out
    assert "Getting to know Ana." in run("soul", "show", "MOTIVATIONS").out
    assert run("verify").code == 0


def test_a_second_time_nothing_is_new(reflect: Callable[..., Said]) -> None:
    reflect()

    said = reflect()

    assert (said.code, said.out) == (0, "Nothing new since the last reflection.\n")


def test_a_dry_run_shows_the_diffs_and_leaves_every_byte(reflect: Callable[..., Said], home: Path) -> None:
    def contents() -> dict[Path, bytes]:
        found = [path for path in home.rglob("*") if path.is_file() and ".index" not in path.parts]
        return {path: path.read_bytes() for path in found}

    before = contents()

    said = reflect("--dry-run")

    assert said.code == 0
    assert "+- Getting to know Ana.\n" in said.out
    assert "Goal: add: Offer Ana a cup of tea\n" in said.out
    assert said.out.endswith("Ana came, and I offered nothing.\n\nNothing was written.\n")
    assert contents() == before


def test_what_did_not_fit_is_counted(reflect: Callable[..., Said], run: Run) -> None:
    for number in range(6):
        run("log", f"{number} " + "x" * 400)

    said = run("--set", "reflection.max_chars=1000", "reflect")

    assert "· 4 older ones did not fit; reflection.max_chars sets the limit\n" in said.err


def test_since_looks_again(reflect: Callable[..., Said]) -> None:
    reflect()

    said = reflect("--since", "2020-01-01", "--json")

    assert json.loads(said.out)["sources"] == 1


def test_as_json_it_says_all(reflect: Callable[..., Said]) -> None:
    told = json.loads(reflect("--json").out)

    assert [finding["dimension"] for finding in told["findings"]] == ["people"]
    assert {proposal["file"] for proposal in told["applied"]["proposals"]} == {"MOTIVATIONS.md"}
    assert told["design"]["entry"] == "Ana came, and I offered nothing."


def test_a_model_that_fails_is_told_and_shown_by_verify(
    reflect: Callable[..., Said], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = ScriptedLLM(LLMUnavailable("it is asleep"))
    monkeypatch.setattr(AgentParts, "learner", lambda self, job: failing)

    said = reflect()

    assert said == Said(2, "", "Error: the reflection is waiting: it is asleep\n")
    assert "reflection is waiting: it is asleep" in run("verify").out


def test_without_a_model_it_says_how_to_get_one(run: Run) -> None:
    run("init", "--language", "en")

    said = run("reflect")

    assert said.code == 2
    assert said.err == (
        'Error: there is no language model to reflect with; "almario model" says how to get one\n'
    )


def test_switched_off_it_says_so(run: Run) -> None:
    run("init", "--language", "en")

    said = run("--set", "reflection.enabled=false", "reflect")

    assert (said.code, said.err) == (
        2,
        "Error: reflection is switched off; set reflection.enabled = true\n",
    )


def test_it_speaks_spanish(reflect: Callable[..., Said]) -> None:
    i18n.use("es")
    try:
        said = reflect()
    finally:
        i18n.use("en")

    assert "Observaciones\n- personas: Ana likes tea. (" in said.out
    assert "está en memory/reflections/" in said.out


def test_the_library_has_it_too(home: Path) -> None:
    soul = almario.create(home)
    soul.remember("likes: a cup of tea with Ana, who came here")
    soul.close()

    done = almario.open(home, llm=ScriptedLLM(thinking)).reflection.run()

    assert [finding.text for finding in done.findings] == ["Ana likes tea."]


def test_a_day_to_come_is_no_day_to_look_back_from(reflect: Callable[..., Said]) -> None:
    wrong = reflect("--since", "2999-01-01")

    assert (wrong.code, "2999-01-01 is in the future" in wrong.err) == (2, True)

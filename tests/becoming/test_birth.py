"""A soul is drafted without writing, and applied whole: to a new agent, or in the place of another's."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import almario
from almario import Brief
from almario.domain.documents.headings import section_body, with_section
from almario.domain.messages import language_of
from almario.errors import SoulError
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from almario.wiring import listed_agents
from tests.becoming.reflecting import reflection_of, thinking
from tests.becoming.test_genesis import BRIEF, said, seen
from tests.tables import each_row

MAKER = Brief("Luz", language="en", archetype="maker")


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@each_row(
    ("environment", "setting", "language"),
    [
        ({"LANG": "en_GB.UTF-8"}, "auto", "en"),
        ({"LANG": "es_AR.UTF-8"}, "auto", "es"),
        ({"LANG": "fr_FR.UTF-8"}, "auto", "en"),
        ({"LANG": "C.UTF-8"}, "auto", "en"),
        ({}, "auto", "en"),
        ({"LANG": "en_US", "LC_ALL": "es_ES"}, "auto", "es"),
        ({"LANG": "es_ES", "LC_MESSAGES": "en_US"}, "auto", "en"),
        ({"LANG": "es_ES"}, "en", "en"),
        ({"LANG": "en_US"}, "es", "es"),
    ],
)
def test_a_soul_is_born_in_spanish_or_else_in_english(
    environment: dict[str, str], setting: str, language: str
) -> None:
    assert language_of(setting, environment) == language


def test_a_birth_without_a_language_takes_the_locales(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    brief = MAKER._replace(language="")

    assert almario.genesis(brief, home).draft.language == "en"
    monkeypatch.setenv("LANG", "es_ES.UTF-8")
    assert almario.genesis(brief, home).draft.language == "es"
    with pytest.raises(SoulError, match='"fr" is not a language'):
        almario.genesis(brief._replace(language="fr"), home)


def test_a_model_sees_three_souls_that_come_along_and_those_of_a_folder_that_the_owner_names(
    soul: Soul, home: Path, tmp_path: Path
) -> None:
    soul.write(soul.read("SOUL"), "# Soul\n\nNobody but my owner knows how I whistle.\n")
    mine = tmp_path / "souls"
    (mine / "lark").mkdir(parents=True)
    (mine / "lark/SOUL.md").write_text(
        "# Lark\n\nI sing before I think. token=sk-ant-api03-Abcdefghij0123456789\n"
    )
    (mine / "heron.md").write_text("I stand still until it matters.")
    (mine / "magpie.md").write_text(f"{'I collect what glitters. ' * 400}And here I end.")
    (mine / "owl.md").write_text("I sleep by day.")
    (mine / "notes.txt").write_text("not a soul")
    alone, beside = ScriptedLLM(said()), ScriptedLLM(said(), said())

    almario.genesis(BRIEF, home, llm=alone)
    birth = almario.genesis(BRIEF, home, llm=beside, settings={"soul.examples": str(mine)})
    birth.refine("más seca")

    assert "<example-" in seen(alone)
    assert all(vibe in seen(alone) for vibe in ("calidez y constancia", "sentido práctico", "agudeza"))
    first, refined = (ask.system for ask in beside.asked)
    assert "I sing before I think." in first
    assert "I stand still until it matters." in first
    assert "I collect what glitters." in first
    assert not any(
        text in seen(each)
        for each in (alone, beside)
        for text in ("whistle", "not a soul", "sk-ant", "And here I end.", "I sleep by day.")
    )
    assert "<example-" not in refined
    with pytest.raises(SoulError, match=r"the example souls in .*nowhere cannot be read"):
        almario.genesis(BRIEF, home, llm=alone, settings={"soul.examples": str(tmp_path / "nowhere")})


def test_a_model_writes_in_the_language_in_which_it_is_described(home: Path) -> None:
    llm = ScriptedLLM(said(), said())
    brief = Brief("Luz", description="gosta de ajudar as pessoas, mas não fala muito e nunca mente para mim")

    assert almario.genesis(brief, home, llm=llm).draft.written == "pt"
    assert almario.genesis(brief._replace(language="es"), home, llm=llm).draft[0] == "es"


def test_nothing_is_written_before_it_is_applied(soul: Soul, home: Path) -> None:
    before = everything(home)

    birth = almario.genesis(BRIEF, home, llm=ScriptedLLM(said()))
    birth.refine("más seca")

    assert "Clío" in birth.files["IDENTITY.md"]
    assert everything(home) == before


def test_a_new_agent_has_the_files_that_were_shown_as_its_first_versions(home: Path) -> None:
    birth = almario.genesis(BRIEF._replace(owner="Ana"), home, llm=ScriptedLLM(said()))

    born = birth.apply()

    assert born.id == "clio"
    assert {document.name: document.text for document in born.files()} == birth.files
    [first] = born.history("SOUL")
    assert first.reason == "genesis"
    assert almario.open(home).identity("role") == "guarda mis papeles"
    assert 'language = "es"' in (born.path / "agent.toml").read_text()


def test_what_the_drafts_cost_stands_in_the_new_agents_account(home: Path) -> None:
    birth = almario.genesis(BRIEF, home, llm=ScriptedLLM(said()))
    birth.refine("más seca")

    assert birth.apply().costs.report().total.calls == 2


def test_an_id_that_is_taken_is_refused_and_another_can_be_given(home: Path) -> None:
    almario.genesis(MAKER, home).apply()
    birth = almario.genesis(MAKER, home)

    with pytest.raises(SoulError, match='there is already an agent "luz"'):
        birth.apply()
    assert birth.apply("second").id == "second"
    with pytest.raises(SoulError, match="does not make an id"):
        almario.genesis(MAKER._replace(name="日本"), home).apply()


def test_a_long_description_beside_an_archetype_is_understood_by_a_model(home: Path) -> None:
    llm = ScriptedLLM(said(vibe="de sal"))

    birth = almario.genesis(MAKER._replace(description="salty " * 40), home, llm=llm)

    assert birth.draft.vibe == "de sal"
    assert '"Luz"' in seen(llm)
    assert almario.genesis(MAKER._replace(description="salty"), home).draft.vibe == "salty"


def test_another_soul_for_an_agent_keeps_its_memory_its_human_and_its_past(soul: Soul, home: Path) -> None:
    soul.remember("cat: Michi")
    soul.goals.add("Learn to cook rice")
    motivations = soul.read("MOTIVATIONS")
    observed = motivations.text.replace("## Self-Observations\n", "## Self-Observations\n\n- I hum.\n")
    soul.write(motivations, observed)
    user, old = soul.read("USER").text, soul.read("SOUL").text

    born = almario.genesis(BRIEF, home, instead_of="default", llm=ScriptedLLM(said())).apply()

    assert (born.id, born.name) == ("default", "Clío")
    assert "- I hum." in born.read("MOTIVATIONS").text
    assert "<!-- Fecha, motivo y cambios" in born.read("MOTIVATIONS").text
    assert [goal.text for goal in born.goals.list()][-2:] == [
        "Learn to cook rice",
        "Hacer la lista de las carpetas",
    ]
    assert born.read("USER").text == user
    assert [memory.value for memory in born.memory.list()] == ["Michi"]
    latest = born.history("SOUL")[-1]
    assert (latest.actor, latest.reason) == ("owner", "genesis")
    born.restore("SOUL", "1")
    assert born.read("SOUL").text == old


def test_another_soul_knows_when_the_last_reflection_was_and_may_have_had_no_goals(
    soul: Soul, home: Path
) -> None:
    motivations = soul.read("MOTIVATIONS")
    soul.write(motivations, with_section(motivations.text, "Last Reflection", "- Date: 2026-11-13"))
    (soul.path / "GOALS.md").unlink()

    born = almario.genesis(BRIEF, home, instead_of="default", llm=ScriptedLLM(said())).apply()

    assert "- Date: 2026-11-13" in born.read("MOTIVATIONS").text
    assert born.read("GOALS").text.startswith("# ")
    assert [goal.text for goal in born.goals.list()] == ["Hacer la lista de las carpetas"]


def test_a_locked_soul_is_not_replaced(soul: Soul, home: Path) -> None:
    document = soul.read("SOUL")
    soul.write(document, document.text + "\n<!-- locked -->\nI am loyal.\n<!-- /locked -->\n")
    before = {document.name: document.text for document in soul.files()}

    with pytest.raises(SoulError, match=r"SOUL\.md has a locked section"):
        almario.genesis(MAKER, home, instead_of="default").apply()
    assert {document.name: document.text for document in soul.files()} == before


def killed_at(step: int, act: Callable[[], object]) -> bool:
    """Do something in a process that dies at a certain write; say whether it died."""
    if not (child := os.fork()):
        left = iter(range(step))
        for name in ("fsync", "rename"):
            real = getattr(os, name)
            setattr(
                os,
                name,
                lambda *given, real=real: real(*given) if next(left, None) is not None else os._exit(9),
            )
        try:
            act()
            os._exit(0)
        finally:  # whatever happens, this is not another run of the tests
            os._exit(1)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, 9)
    return code == 9


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_birth_that_is_killed_leaves_no_half_agent(home: Path) -> None:
    birth = almario.genesis(MAKER, home)
    deaths = 0
    while not (agents := listed_agents(home)):
        deaths += killed_at(deaths * 3, birth.apply)

    assert deaths > 3
    [agent] = agents
    assert {name: (agent.path / name).read_text() for name in birth.files} == birth.files
    assert (agent.path / "agent.toml").is_file()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_another_soul_that_is_killed_on_its_way_is_finished_by_the_next_try(soul: Soul, home: Path) -> None:
    soul.close()
    birth = almario.genesis(MAKER, home, instead_of="default")
    names = ("IDENTITY.md", "SOUL.md", "MOTIVATIONS.md")
    old = {name: soul.read(name).text for name in names}
    deaths = 0
    while killed_at(deaths, birth.apply):
        deaths += 1
        now = {name: almario.open(home).read(name).text for name in names}
        assert all(now[name] in (old[name], birth.files[name]) for name in names)

    assert deaths > 3
    born = birth.apply()
    assert {name: born.read(name).text for name in names} == {name: birth.files[name] for name in names}
    assert [born.read(name, "1").text for name in names] == list(old.values())


def test_a_soul_in_another_language_than_the_settings_have_is_told(soul: Soul, home: Path) -> None:
    soul.close()
    other = MAKER._replace(language="es" if MAKER.language == "en" else "en")

    notices = [str(each) for each in almario.genesis(other, home, instead_of="default").apply().notices]

    assert any(f'put "{other.language}" in its agent.toml' in each for each in notices)


@pytest.mark.parametrize("how", ["restored", "born again"])
def test_after_the_owner_restored_a_soul_or_made_another_a_night_goes_on_from_there(
    soul: Soul, home: Path, clock: FixedClock, how: str
) -> None:
    almario.genesis(MAKER, home, instead_of=soul.id, clock=clock).apply()
    if how == "restored":
        for file in ("SOUL", "IDENTITY", "MOTIVATIONS"):
            soul.restore(file, "1")
    before = soul.read("MOTIVATIONS").text
    soul.remember("likes: tea")

    done = reflection_of(soul, ScriptedLLM(thinking)).run()

    after = soul.read("MOTIVATIONS").text
    assert done.applied.proposals[0].state == "accepted"
    assert section_body(after, "Core Drives") == section_body(before, "Core Drives")
    assert section_body(after, "Current Focus").strip() == "- Getting to know Ana."
    assert "Date: 2026-11-14" in section_body(after, "Last Reflection")

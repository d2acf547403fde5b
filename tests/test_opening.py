"""Opening an agent: as it is, as it is made, and with parts of one's own."""

from collections.abc import Callable
from pathlib import Path

import pytest

import almario
from almario.domain.model import Persona
from almario.errors import AgentNotFound
from almario.testing import FixedClock, ScriptedLLM, WordEmbedder


def test_an_agent_is_made_once_and_opened_ever_after(home: Path) -> None:
    with almario.open_or_create(home, persona=Persona(name="Finny")) as first:
        first.remember("cat: Michi")

    with almario.open_or_create(home, persona=Persona(name="Another")) as again:
        assert (again.id, again.name) == ("default", "Finny")
        assert [memory.text for memory in again.memory.list()] == ["cat: Michi"]


def test_the_only_agent_is_meant_if_none_is_named(home: Path) -> None:
    almario.create(home, "finny")

    assert almario.open_or_create(home).id == "finny"


def test_one_that_is_named_is_made_beside_the_others(home: Path) -> None:
    almario.create(home, "finny")

    assert almario.open_or_create(home, "other").id == "other"
    assert almario.open_or_create(home, "finny").id == "finny"


def test_nobody_is_made_where_several_may_be_meant(home: Path) -> None:
    for agent in ("finny", "other"):
        almario.create(home, agent)

    with pytest.raises(AgentNotFound, match="there are several agents"):
        almario.open_or_create(home)


def test_the_agent_that_the_settings_name_is_made(home: Path) -> None:
    home.mkdir()
    home.joinpath("almario.toml").write_text('agent = "finny"\n')

    assert almario.open_or_create(home).id == "finny"


@pytest.mark.parametrize("way", [almario.create, almario.open_or_create])
def test_whoever_makes_an_agent_may_bring_its_model_embedder_and_clock(
    home: Path, way: Callable[..., almario.Soul]
) -> None:
    clock, llm = FixedClock(), ScriptedLLM("Good evening.")

    with way(home, clock=clock, llm=llm, embedder=WordEmbedder()) as soul:
        assert soul.talk("hello").text == "Good evening."
        assert soul.since == clock.now


def test_an_embedder_of_ones_own_finds_in_the_place_of_the_one_that_is_set(home: Path) -> None:
    almario.create(home).remember("the lighthouse keeper")

    with almario.open(home) as without:
        assert without.recall("lighthousekeepers") == []
    with almario.open(home, embedder=WordEmbedder()) as soul:
        [hit] = soul.recall("lighthousekeepers", min_score=0.0)
        assert (hit.text, hit.how) == ("the lighthouse keeper", "vector")

"""Whoever asks is answered in their language: problems, streams, and what came of earlier work."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from almario.apps.web.readers import LANGUAGE_COOKIE
from almario.domain.messages import Sentence
from almario.errors import AgentNotFound, LLMUnavailable
from almario.testing import FixedClock, ScriptedLLM
from tests.apps.served import Served, events_in
from tests.tables import each_row
from tests.waiting import comes_true

EN, ES = {"Accept-Language": "en"}, {"Accept-Language": "es-UY,es;q=0.9"}
ENGLISH, SPANISH = "there is no agent", "no hay ningún agente"


@pytest.fixture
def served(furnished: Path, clock: FixedClock) -> Iterator[Served]:
    gone = LLMUnavailable("there is no backup {name}", name="x")  # any sentence will do
    with Served(furnished, clock, llm=ScriptedLLM(gone, gone), language="es") as served:
        yield served


@each_row(
    "wish, expected",
    [
        ("", SPANISH),  # the home's
        ("en", ENGLISH),
        ("en-GB,en;q=0.9,es;q=0.8", ENGLISH),
        ("es-AR, es ; q=0.9, en;q=0.8", SPANISH),
        ("fr, es;q=0.3, en;q=0.7", ENGLISH),
        ("es;q=0.4, EN-us;q=0.5", ENGLISH),
        ("fr, de", SPANISH),
        ("*", SPANISH),
        ("en;q=0", SPANISH),
        ("en;q=oh, , ;;;q=1", SPANISH),
        ("x" * 3000 + ",en", ENGLISH),
    ],
)
def test_a_problem_is_told_in_the_language_that_is_asked_for(
    served: Served, wish: str, expected: str
) -> None:
    found = served.get("/api/v1/agents/nobody", status=404, headers={"Accept-Language": wish})

    assert expected in found["detail"]


def test_so_are_those_of_the_gate_of_a_body_and_of_a_stream(served: Served) -> None:
    refused = served.client().get("/api/v1/agents", headers=EN).json()
    body = served.post("/memories", {}, status=422, headers=EN)
    streams = [
        events_in(served.post("/chat", {"message": "Translate the letter."}, headers=wish))
        for wish in (EN, ES)
    ]

    assert "this needs a valid token" in refused["detail"]
    assert "it is missing" in body["detail"]
    assert [told[-1][1]["detail"] for told in streams] == ["there is no backup x", "no hay ninguna copia x"]


def test_on_a_page_the_language_is_the_one_that_was_chosen_there(served: Served) -> None:
    client = served.client(served.owner, Accept="text/html", **EN)

    chosen = client.get("/a/nobody", headers={"Cookie": f"{LANGUAGE_COOKIE}=es"}).text
    client.cookies.clear()
    answer = client.get("/a/nobody").text

    assert (SPANISH in chosen.lower(), ENGLISH in answer.lower()) == (True, True)


def test_what_came_of_work_is_said_to_whoever_reads_it(served: Served) -> None:
    def fails(_: object) -> None:
        raise AgentNotFound('there is no agent "{id}" for this token', id="x" * 4000)

    jobs = served.app.state.jobs
    done = jobs.begin("default", "verify", lambda _: {"why": Sentence("there is nothing to erase")})
    failed = jobs.begin("default", "reindex", fails)
    assert comes_true(lambda: not (done.is_open or failed.is_open))

    english, spanish = (
        {each["work"]: each for each in served.get("/jobs", headers=wish)} for wish in (EN, ES)
    )

    assert english["verify"]["result"] == {"why": "there is nothing to erase"}
    assert spanish["verify"]["result"] == {"why": "no hay nada que borrar"}
    assert (ENGLISH in english["reindex"]["detail"], SPANISH in spanish["reindex"]["detail"]) == (True, True)
    assert len(english["reindex"]["detail"]) < 400

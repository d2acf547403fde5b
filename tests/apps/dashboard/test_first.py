"""A home without an agent makes its first one in the browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from almario.apps.web.access import csrf_of
from almario.apps.web.gatekeeping import COOKIE
from almario.testing import FixedClock, ScriptedLLM
from tests.apps.dashboard.conftest import HTML, Browser
from tests.apps.dashboard.lived import END
from tests.apps.dashboard.reading import Page, broken_rules
from tests.apps.served import Served, events_in


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Browser]:
    home = tmp_path / "home"
    home.mkdir()
    made = Browser(home)
    yield made
    made.close()


def test_the_first_agent_is_made_on_the_first_page(empty: Browser) -> None:
    for language, title in (("en", "Your first agent"), ("es", "Tu primer agente")):
        page = Page(empty.get("/", language).text)
        assert broken_rules(page) == []
        assert title in page.text
    [form, _, _] = page.all("form")
    method, path = form.attributes["data-act"].split()
    csrf = {"X-CSRF-Token": csrf_of(empty.cookie), "Cookie": f"{COOKIE}={empty.cookie}"}
    body = {"id": "default", "name": "Clio", "owner": "Marta", "vibe": "dry", "language": "es"}

    refused = empty.served.client().request(method, path, json=body, headers={"Cookie": csrf["Cookie"]})
    made = empty.served.client().request(method, path, json=body, headers=csrf)

    assert (refused.status_code, made.status_code) == (403, 201)
    assert empty.get("/").headers["location"] == "/a/default"
    assert "Clio" in empty.open().text


def test_a_character_can_be_drafted_before_there_is_any_agent(empty: Browser) -> None:
    fields = Page(empty.get("/").text).all("input")
    [first, *_] = [each.attributes["value"] for each in fields if each.attributes.get("name") == "archetype"]
    described = {"name": "Clio", "archetype": first}

    answer = empty.served.ask("POST", "/api/v1/agents/default/generate-soul", json=described)

    assert [name for name, _ in events_in(answer)][-1] == "draft"
    shown = empty.served.client(empty.served.owner).post("/preview", json={"text": "# Hi <b>\n**x**"}).json()
    assert shown == {"html": "<h2>Hi &lt;b&gt;</h2>\n<p><strong>x</strong></p>\n"}
    assert empty.served.client().post("/preview", json={"text": ""}).status_code == 401


def test_without_a_model_a_character_is_chosen_and_nothing_leads_to_a_terminal(empty: Browser) -> None:
    alone = Page(empty.get("/").text)
    empty.served.souls.llm = ScriptedLLM("{}")
    helped = Page(empty.get("/").text)

    assert "description" not in alone.values("id")
    assert "takes a language model" in alone.text
    assert all(
        "required" in each.attributes for each in alone.all("input") if each.attributes["name"] == "archetype"
    )
    assert "description" in helped.values("id")
    assert "takes a language model" not in helped.text


def test_who_may_not_make_an_agent_is_told_so(tmp_path: Path) -> None:
    served = Served(tmp_path / "home", FixedClock(END))
    reader = served.tokens.create("reader", scope="read")

    page = Page(served.client(reader, **HTML).get("/").text)

    assert "no agent here yet" in page.text
    assert page.all("form") == []

"""Care: how an agent is doing, work in the background, figures, and what belongs to the whole home."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from almario.apps.dashboard.rendering import environment
from almario.apps.web import bodies
from almario.domain.messages import Sentence
from almario.domain.talk import Usage
from almario.memory.consolidation import Consolidated
from almario.testing import FixedClock, ScriptedLLM
from almario.wiring import backups
from tests.apps.dashboard.conftest import HTML, Browser
from tests.apps.dashboard.lived import END
from tests.apps.dashboard.reading import broken_rules
from tests.apps.served import copied


@pytest.fixture
def owner(furnished_browser: Browser) -> Browser:
    return furnished_browser


def finished(browser: Browser, path: str) -> None:
    """Wait for the work of this server; see that nothing went wrong."""
    jobs = [browser.served.finished(job, path) for job in browser.served.get(path)]
    assert all(job["state"] == "done" for job in jobs), jobs


def test_it_says_how_an_agent_is_doing_and_what_can_be_done(browser: Browser) -> None:
    page = browser.open("/care")

    for words in (
        "Memories in use",
        "In the index",
        "not running",
        "Last backup",
        "Nothing has been started.",
    ):
        assert words in page.text
    offered = environment("en").get_template("care_views.html").module.work  # type: ignore[attr-defined]
    assert set(offered) == set(bodies.WorkBody.model_fields["work"].annotation.__args__)  # type: ignore[union-attr]
    assert "POST /api/v1/jobs/backup" in page.values("data-act")


def test_work_shows_what_came_of_it(owner: Browser) -> None:
    owner.served.post("/jobs", {"work": "verify"})
    owner.served.post("/jobs", {"work": "reindex"})
    finished(owner, "/jobs")

    part = owner.get("/a/default/care?part=jobs").text
    assert "Nothing is wrong." in part
    assert "Passages in the index:" in part
    assert "data-again" not in part
    jobs = owner.served.app.state.jobs
    job = jobs.of("default")[0]
    job.state, job.done, job.total = "running", 3, 10
    part = owner.get("/a/default/care?part=jobs", "es").text
    assert "data-again" in part
    assert '<progress aria-label="Rehacer el índice" value="3" max="10">' in part
    job.work = "consolidate"
    job.held.hold(lambda: Consolidated(why=Sentence("there is nothing to erase")))
    assert "no hay nada que borrar" in owner.get("/a/default/care?part=jobs", "es").text
    assert "there is nothing to erase" in owner.get("/a/default/care?part=jobs").text
    job.state, job.detail = "failed", Sentence.own("the disk <b>is</b> full")
    assert "the disk &lt;b&gt;is&lt;/b&gt; full" in owner.get("/a/default/care?part=jobs").text


def test_a_backup_is_made_and_its_restore_tried(owner: Browser, home: Path) -> None:
    assert "There is no backup yet." in owner.open("/care/home").text
    backups(home, clock=FixedClock(END - timedelta(days=20))).make()
    assert "27 October, " in owner.open("/today").text
    owner.served.post("/api/v1/jobs/backup")
    finished(owner, "/api/v1/jobs")
    name = owner.served.get("/api/v1/backups")[0]["name"]
    owner.served.post("/api/v1/jobs/backup-check", {"name": name})
    finished(owner, "/api/v1/jobs")

    page = owner.open("/care/home")
    assert f'{{"name": "{name}"}}' in page.values("data-body")
    assert "Nothing is wrong." in page.text
    assert broken_rules(page) == []
    for path in ("/today", "/care"):
        assert "today, 09:20" in owner.open(path).text
        assert "27 October" not in owner.open(path).text


def test_figures_show_what_models_cost_by_day_and_job(owner: Browser) -> None:
    assert "No model was asked" in owner.open("/care/figures").text
    soul = owner.served.souls.soul("default")
    for job in ("chat", "flush", "reflection", "probes", "genesis", "own & odd"):
        soul.costs.add(job, "acme/large", Usage(1000, 100, cost=0.25))

    page = owner.open("/care/figures")
    for words in ("talking", "own & odd", "acme/large", "$1.50", "6,600 tokens in 30 days"):
        assert words in page.text
    assert broken_rules(page) == []


def test_agents_and_tokens_are_looked_after(owner: Browser, home: Path) -> None:
    copied(home, "work")
    owner.served.tokens.create("editor", agents=("default",), scope="write")

    page = owner.open("/care/home")
    acts = page.values("data-act")
    assert {"DELETE /api/v1/agents/work", "DELETE /api/v1/tokens/editor", "POST /api/v1/tokens"} <= set(acts)
    assert "DELETE /api/v1/agents/default" not in acts  # one is looking at it
    assert [each for each in page.elements if "browser-" in each.attributes.get("data-act", "")]  # to log out
    assert "To come back, you need a new link." in page.text
    owner.served.ask("DELETE", "/api/v1/agents/work")
    gone = owner.open("/care/home")
    assert "POST /api/v1/agents/work/restore" in gone.values("data-act")
    assert broken_rules(gone) == []


def test_a_browser_lets_another_in_by_a_link_that_works_once(owner: Browser) -> None:
    assert "POST /api/v1/tokens/login" in owner.open("/care/home").values("data-act")
    link = owner.act("POST /api/v1/tokens/login")["link"]
    other = owner.served.client(**HTML)

    assert link.startswith("http://localhost:8420/login?code=")
    assert other.get(link).status_code == 200
    assert other.get("/").headers["location"] == "/a/default"
    assert owner.served.client(**HTML).get(link).status_code == 401
    reader = owner.served.tokens.create("writes", scope="write")
    owner.served.post("/api/v1/tokens/login", token=reader, status=403)


@pytest.mark.parametrize("has_model", [False, True])
def test_what_needs_a_model_is_offered_only_with_one(owner: Browser, has_model: bool) -> None:
    owner.served.souls.llm = ScriptedLLM("{}") if has_model else None
    care, soul = owner.open("/care"), owner.open("/soul")

    assert ("needs a language model" in care.text) != has_model
    assert ("needs a language model" in soul.text) != has_model
    assert ("reflect" in str(care.values("data-body"))) == has_model
    assert ("improve" in soul.values("id")) == has_model


def test_what_may_be_a_secret_can_be_forgotten_and_that_is_taken_back(owner: Browser) -> None:
    soul = owner.served.souls.soul("default")
    soul.append("web:x", "user", "The code of my door is 4471-KX")
    [forget] = [
        each.attributes
        for each in owner.open("/today").elements
        if each.attributes.get("data-act", "").endswith("/do/forget")
    ]

    done = owner.act(forget["data-act"], json.loads(forget["data-body"]))
    assert "4471-KX" not in owner.open("/today").text
    owner.act(forget["data-undo"], {"line": done["seq"]})
    assert "4471-KX" in owner.open("/today").text


def test_the_home_is_for_whoever_runs_it(owner: Browser) -> None:
    create, client = owner.served.tokens.create, owner.served.client
    few: Any = [create("narrow", agents=("default",), scope="admin"), create("writer", scope="write")]

    owner.served.app.state.jobs.begin("", "backup", lambda _: None)
    assert "Back up now" in owner.open("/care?part=jobs").text
    for token in few:
        assert client(token, **HTML).get("/a/default/care/home").status_code == 403
        upkeep = client(token, **HTML).get("/a/default/care?doctor=1")
        assert upkeep.status_code == 200
        assert "/care/home" not in upkeep.text
        assert "Back up now" not in upkeep.text
        assert "doctor" not in upkeep.text.split("<pre>")[0]


@pytest.mark.parametrize(
    ("language", "title", "button"), [("en", "Held back", "Keep"), ("es", "Retenido", "Usar")]
)
def test_what_is_left_out_is_shown_and_comes_back_with_a_button(
    owner: Browser, language: str, title: str, button: str
) -> None:
    owner.served.post("/memories", {"text": "my phone is 612 345 678"})

    page = owner.open("/care", language)

    for words in (title, button, "612 345 678"):
        assert words in page.text
    [act] = [
        each.attributes
        for each in page.elements
        if each.attributes.get("data-act", "").endswith("/do/memory.keep")
    ]
    owner.served.post("/do/memory.keep", json.loads(act["data-body"]))
    assert "612 345 678" not in owner.open("/care", language).text
    assert "612 345 678" in str(owner.served.get("/memories"))

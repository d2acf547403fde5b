"""Agents in a database, through every door: nothing that is typed or asked is different."""

import json
import os
from pathlib import Path

import pytest

import almario
from almario.apps.hooks import HookQuestion, hooking
from almario.domain.talk import Usage
from almario.errors import SoulError, StoreUnavailable
from almario.testing import FixedClock, ScriptedLLM
from almario.wiring import daemon_parts, daemon_status
from almario.wiring.daemon_parts import housekeeping
from tests.apps.conftest import Run
from tests.apps.hooked import BOAT, recorded
from tests.apps.mcp.test_over_http import Household
from tests.apps.served import Served
from tests.postgres import home_url


@pytest.fixture
def store(home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a home that has no agents but those of the test."""
    address = home_url()
    monkeypatch.setenv("ALMARIO_STORE", address)
    os.makedirs(home)
    return address


def test_the_commands_are_the_same(run: Run, store: str, home: Path) -> None:
    assert 'almario init" creates one' in run("agents").out
    assert run("init", "--yes", "--name", "Clio").code == 0
    assert run("remember", "job: I design bridges").code == 0
    assert "I design bridges" in run("recall", "bridges").out
    assert run("log", "We met.").code == run("goals", "add", "Cook rice").code == run("doctor").code == 0
    assert (
        "prompt.recent_days is 5 (from agent.toml)"
        in run("config", "set", "prompt.recent_days", "5", "--agent", "default").out
    )
    [agent] = json.loads(run("agents", "--json").out)
    assert (agent["id"], agent["name"]) == ("default", "Clio")
    assert agent["path"].startswith("postgres://postgres@/")
    assert run("init", "--agent", "work").code == run("config", "set", "agent", "work").code == 0
    assert "work is now office" in run("agents", "rename", "work", "office").out
    assert (home / "almario.toml").read_text() == 'agent = "office"\n'
    assert '"almario agents restore office"' in run("agents", "remove", "office").out
    assert (home / "almario.toml").read_text() == ""
    assert json.loads(run("agents", "--trash", "--json").out)[0]["id"] == "office"
    assert "office is back" in run("agents", "restore", "office").out
    assert not (home / "agents").exists()


def test_what_is_for_folders_says_so_in_one_sentence(run: Run, store: str) -> None:
    for arguments, why in (
        (("backup",), "back up that database, for example with pg_dump"),
        (("init", "--agent", "far", "--path", "~/far"), "is for agents in folders"),
    ):
        result = run(*arguments)
        assert (result.code, why in result.err, "\n" in result.err.strip()) == (2, True, False), result
    with almario.create(agent="far") as soul:
        assert soul.folder is None
        with pytest.raises(SoulError, match="has no folder"):
            _ = soul.path


def test_the_doctor_looks_at_the_database_and_its_agents(
    run: Run, store: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("init", "--agent", "ana")
    well = run("doctor")
    assert (well.code, "✗" in well.out, "!" in well.out) == (0, False, False)
    assert "each connection sees one agent's rows" in well.out
    assert "ana: journal, index and files agree" in well.out

    secret = store.replace("postgres:///", "postgres://ana:s3cret@/")
    (home / "almario.toml").write_text(f'store = "{secret}"\nagent = "nobody"\n')
    warned = run("doctor").out
    assert "almario.toml has the password of the database in it" in warned
    assert 'there is no agent "nobody"' in warned
    monkeypatch.setenv("ALMARIO_STORE", "postgres://ana:s3cret@127.0.0.1:1/almario")
    monkeypatch.setenv("ALMARIO_POSTGRES_CONNECT_SECONDS", "0")
    gone = [run("doctor"), run("agents"), run("config"), run("recall", "x")]
    assert [each.code for each in gone] == [1, 2, 0, 2]
    assert "cannot be reached" in gone[0].out
    assert "s3cret" not in "".join(each.out + each.err for each in gone) + warned
    with pytest.raises(StoreUnavailable, match=r"postgres://ana@127.0.0.1:1/almario cannot"):
        almario.open(agent="ana")
    assert "store is" in run("config", "set", "store", "").out  # it can be mended


def test_python_may_name_the_store_and_a_talk_is_the_same(
    store: str, tmp_path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ALMARIO_STORE")
    llm = ScriptedLLM("Hello, Ana.")
    with almario.open_or_create(tmp_path / "a", store=store, clock=clock, llm=llm) as soul:
        assert soul.talk("I am Ana. Remember that my cat is called Michi.").text == "Hello, Ana."
    with almario.open(tmp_path / "b", store=store, clock=clock) as again:
        assert [turn.text for turn in again.sessions.turns("cli:main")][-1] == "Hello, Ana."
        assert "Michi" in again.recall("cat")[0].text
        assert repr(again).startswith("Soul('default', 'postgres://postgres@/")
    with pytest.raises(SoulError, match="no agent"):
        almario.open(tmp_path / "b", store="")


def test_programs_and_pages_are_served_the_same(store: str, home: Path, clock: FixedClock) -> None:
    almario.create(home, clock=clock).close()
    household = Household(home, clock)
    token = household.tokens.owner_token()
    assert "green" in household.recalled(token, "/mcp/work")
    assert "yellow" in household.recalled(token, "/mcp/default")
    with Served(home, clock) as served:
        assert [each["id"] for each in served.get("/api/v1/agents")] == ["default", "work"]
        models = served.client(served.owner).get("/v1/models").json()["data"]
        assert [each["id"] for each in models] == ["default", "work"]
        cookie = served.tokens.redeem(served.tokens.login_code())
        browser = served.client(Cookie=f"almario={cookie}", Accept="text/html")
        for page in ("", "/memory", "/soul", "/talk", "/days", "/care?doctor=1", "/care/home"):
            answer = browser.get(f"/a/default{page}")
            assert answer.status_code == 200, f"{page}: {answer.text[:500]}"
            assert "/jobs/backup" not in answer.text  # what would be refused is not offered
        assert "pg_dump" in browser.get("/a/default/care/home").text


def test_a_round_of_the_daemon_looks_after_every_agent(run: Run, store: str) -> None:
    run("init", "--agent", "ana")
    run("init", "--agent", "bea")
    assert run("daemon", "--once").code == 0

    answer = json.loads(run("daemon", "status", "--json").out)["agents"]
    assert list(answer) == ["ana", "bea"]
    assert all(each["next"] for each in answer.values())


def test_the_budget_of_all_agents_holds_wherever_they_are_looked_after(
    store: str, tmp_path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daemon_parts, "_WORKERS", 1)
    with almario.create(agent="ana", clock=clock) as ana:
        ana.costs.add("chat", "scripted/model", Usage(8, 2))
    clock.advance(minutes=1)  # whoever is due first is looked after first
    with almario.create(agent="bea", clock=clock) as bea:
        bea.append("cli:main", "user", "I have a cat.")
        bea.append("cli:main", "assistant", "How nice.")
    clock.advance(minutes=20)
    llm, given = ScriptedLLM("{}"), {"daemon.daily_tokens": 10}
    for machine in ("one", "two"):
        housekeeping(tmp_path / machine, settings=given, clock=clock, llm=llm).rounds.make()
        clock.advance(minutes=2)

    told = daemon_status(tmp_path / "three", "bea", clock=clock)[1]["agents"]["bea"]
    assert (llm.asked, told["jobs"]["learn"]["why"]) == ([], "the budget for today is used up")
    assert told["stopped_until"] == "2026-11-15T00:00:00+00:00"


def test_what_a_hook_is_told_waits_though_neither_the_server_nor_the_home_is_there(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALMARIO_STORE", "postgres://ana@127.0.0.1:1/almario")
    told = recorded("claude-code", "user-prompt", "I row.", session="s1", folder=BOAT)
    hooking.run(HookQuestion("user-prompt", str(home), ref="r1"), told, {})

    [waiting] = (home / "spool").glob("*.json")
    assert "I row." in waiting.read_text()

"""Settings in the browser: the model, its key and a try; every setting, with where it came from."""

import json
import stat
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from almario.adapters.addresses import OWN_KEY
from almario.wiring import open_home
from almario.wiring.model_keys import FILE, hosts_of, with_keys
from tests.adapters.llm_servers import Said, failing, openai_events, serving, streaming
from tests.apps.conftest import Run
from tests.apps.dashboard.conftest import HTML, Browser
from tests.apps.dashboard.reading import broken_rules

KEY = "sk-verysecret-0123456789"
SETTINGS = "/api/v1/settings"


@pytest.fixture
def browser(furnished: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Browser]:
    monkeypatch.delenv("ALMARIO_LLM_MODEL")
    made = Browser(furnished)
    yield made
    made.close()


def put(browser: Browser, path: str, body: Any, **given: Any) -> Any:
    return browser.served.ask("PUT", f"/api/v1{path}", json=body, **given)


def keys_in(root: Path) -> Mapping[str, str]:
    return with_keys(root, open_home(root).config)


def test_a_model_is_chosen_tried_and_talks_without_a_terminal(browser: Browser, furnished: Path) -> None:
    assert "There is no model yet" in browser.open("/care/settings").text

    with serving(streaming(openai_events(Said(["rea", "dy\n"])))) as server:
        put(browser, "/model", {"provider": "auto", "url": f"{server.url}/v1", "model": "m", "key": KEY})
        tried = browser.served.ask("POST", "/api/v1/model/try", json={})
        answer = browser.served.post("/chat", {"message": "Hello"}, headers={"Accept": "application/json"})
        keys = {sent.headers["authorization"] for sent in server.asked}

    assert tried["text"].startswith("openai/m answered in ")
    assert answer["text"].strip() == "ready"
    assert keys == {f"Bearer {KEY}"}
    page = browser.open("/care/settings")
    assert broken_rules(page) == []
    assert f"openai/m {server.url}/v1" in page.text
    assert "in a file that only you can read" in page.text
    assert KEY not in browser.get("/a/default/care/settings").text
    assert KEY not in json.dumps(browser.served.get(SETTINGS))
    assert stat.S_IMODE((furnished / FILE).stat().st_mode) == 0o600
    browser.served.ask("DELETE", "/api/v1/model/keys/ALMARIO_LLM_API_KEY")
    assert KEY not in (furnished / FILE).read_text()


def test_a_wrong_key_is_told_as_the_one_that_was_given_with_where_to_change_it(browser: Browser) -> None:
    with serving(failing(401, "no")) as server:
        put(browser, "/model", {"provider": "address", "url": f"{server.url}/v1", "model": "m", "key": KEY})
        tried = browser.served.ask("POST", "/api/v1/model/try", json={}, status=503)

    assert tried["detail"].startswith(
        "openai does not accept the key it was given: it is wrong, or no longer valid; enter the right one on"
        " the settings page"
    )


def test_a_key_is_kept_for_the_address_that_it_was_given_for(browser: Browser) -> None:
    root = browser.served.souls.root
    place = {"provider": "address", "url": "https://one.example/v1", "model": "m"}
    put(browser, "/model", {**place, "key": KEY})
    put(browser, "/model", place)
    assert keys_in(root)[OWN_KEY] == KEY

    put(browser, "/model", {**place, "url": "http://127.0.0.1:9/v1"})

    assert OWN_KEY not in keys_in(root)
    assert hosts_of(root, OWN_KEY) == ["https://one.example"]
    assert "for https://one.example" in browser.open("/care/settings").text


def test_what_cannot_be_a_model_is_refused_before_anything_is_kept(browser: Browser, furnished: Path) -> None:
    for wrong in (
        {"provider": "anthropc", "key": KEY},
        {"provider": "address", "key": KEY},
        {"provider": "ollama", "key": KEY},
        {"provider": "openai", "url": "http://127.0.0.1:9/v1", "key": KEY},
    ):
        put(browser, "/model", wrong, status=400)

    assert not (furnished / FILE).exists()
    assert "[llm]" not in (furnished / "almario.toml").read_text()


def test_a_key_is_kept_by_the_keyring_if_there_is_one(
    browser: Browser, furnished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring: dict[tuple[str, str], str] = {}
    backend = SimpleNamespace(
        priority=5,
        set_password=lambda service, name, key: ring.update({(service, name): key}),
        get_password=lambda service, name: ring.get((service, name)),
        delete_password=lambda service, name: ring.pop((service, name)),
    )
    errors = SimpleNamespace(KeyringError=ValueError)
    monkeypatch.setitem(sys.modules, "keyring", SimpleNamespace(get_keyring=lambda: backend, errors=errors))
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)

    put(browser, "/model", {"provider": "anthropic", "key": KEY})

    assert list(ring.values()) == [KEY]
    assert KEY not in (furnished / FILE).read_text()
    assert "in the system’s keyring" in browser.open("/care/settings").text
    assert keys_in(furnished)["ANTHROPIC_API_KEY"] == KEY
    browser.served.ask("DELETE", "/api/v1/model/keys/ANTHROPIC_API_KEY")
    assert ring == {}
    assert "ANTHROPIC_API_KEY" not in keys_in(furnished)


def test_a_kept_key_is_used_in_the_terminal_and_the_environment_comes_first(
    browser: Browser, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(browser, "/model", {"provider": "anthropic", "key": KEY})
    assert "anthropic/" in run("model").out
    assert "ready" in run("model").out

    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-other")

    assert keys_in(browser.served.souls.root)["ANTHROPIC_API_KEY"] == "sk-other"
    assert "in the environment" in browser.open("/care/settings").text


def test_every_setting_is_shown_with_its_origin_and_changed_as_the_command_does(
    browser: Browser, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALMARIO_PROMPT_RECENT_DAYS", "7")
    changed = put(browser, "/settings/timezone", {"value": "Europe/Madrid"})
    assert (changed["value"], changed["origin"]) == ("Europe/Madrid", "almario.toml")
    put(browser, "/settings/reflection.enabled", {"value": "false", "agent": "default"})

    shown = {each["key"]: each for each in browser.served.get(f"{SETTINGS}?agent=default")}
    answer = json.loads(run("config", "--json").out)
    assert {key: [each["value"], each["origin"]] for key, each in shown.items()} == {
        key: [each["value"], each["from"]] for key, each in answer.items()
    }
    page = browser.open("/care/settings", "es")
    assert broken_rules(page) == []
    first, rest = browser.get("/a/default/care/settings").text.split('<details class="more" id="all"')
    assert (first.count('<li data-item id="row-'), rest.count('<li data-item id="row-')) == (7, len(shown))
    for word in ("elegido para todos los agentes", "elegido para Alma", "ALMARIO_PROMPT_RECENT_DAYS"):
        assert word in page.text
    assert put(browser, "/settings/timezone", {})["origin"] == "default"
    for key, value in (("timezone", "Mars"), ("no.such", "1"), ("backup.keep", "none")):
        put(browser, f"/settings/{key}", {"value": value}, status=400)


def test_settings_are_for_the_owner_who_may_do_everything(browser: Browser) -> None:
    tokens = browser.served.tokens
    for token in (
        tokens.create("writer", scope="write"),
        tokens.create("one", scope="admin", agents=("default",)),
    ):
        assert browser.served.client(token, **HTML).get("/a/default/care/settings").status_code == 403
        for method, path in (("GET", SETTINGS), ("PUT", f"{SETTINGS}/language"), ("PUT", "/api/v1/model")):
            body = {"provider": "none"} if path.endswith("model") else {}
            browser.served.ask(method, path, token=token, json=body, status=403)
        browser.served.ask("POST", "/api/v1/model/try", token=token, json={}, status=403)

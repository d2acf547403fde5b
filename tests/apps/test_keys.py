"""A key belongs to its host: whoever names another address, and however, does not get it."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from almario import config
from almario.adapters.addresses import OWN_KEY, origin_of
from almario.config import Config
from almario.domain.talk import Ask, Message
from almario.errors import LLMUnavailable
from almario.wiring import open_home
from almario.wiring.model_keys import FILE, forget_key, keep_key, with_keys
from almario.wiring.models import models
from almario.wiring.remembering import embedder
from tests.adapters.llm_servers import Answering, ModelServer, Said, openai_events, serving, streaming
from tests.apps.conftest import Run
from tests.tables import each_row

KEY = "sk-verysecret-0123456789"
ANSWER = streaming(openai_events(Said(["ready"])))


class Two(NamedTuple):
    """The server that the key was given for, and another."""

    own: ModelServer
    other: ModelServer
    root: Path

    def keys(self, server: ModelServer) -> set[str]:
        """Return the keys that a server was sent since it was last asked so."""
        found = {sent.headers.get("authorization", "").removeprefix("Bearer ") for sent in server.asked}
        server.asked.clear()
        return found - {"none", ""}


@pytest.fixture
def two(run: Run, monkeypatch: pytest.MonkeyPatch) -> Iterator[Two]:
    run("init", "Ada")
    monkeypatch.setenv("ALMARIO_LLM_MODEL", "openai/m")
    monkeypatch.delenv(OWN_KEY, raising=False)
    root = Path(os.environ["ALMARIO_HOME"])
    with serving(ANSWER) as own, serving(ANSWER) as other:
        run("config", "set", "llm.url", f"{own.url}/v1")
        yield Two(own, other, root)


def test_a_kept_key_goes_to_its_host_and_to_no_other_however_that_is_named(
    two: Two, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("model", "key", stdin=f"{KEY}\n").code == 0
    assert run("model", "--try").code == 0
    assert two.keys(two.own) == {KEY}
    other, own_file = f"{two.other.url}/v1", two.root / "agents" / "default" / "agent.toml"
    before = own_file.read_text() if own_file.exists() else ""

    run("--set", f"llm.url={other}", "model", "--try")
    monkeypatch.setenv("ALMARIO_LLM_URL", other)
    run("model", "--try")
    run("say", "Hello")
    run("doctor")
    monkeypatch.delenv("ALMARIO_LLM_URL")
    own_file.write_text(f'{before}\n[llm]\nurl = "{other}"\n')
    run("model", "--try")
    run("say", "Hello")
    own_file.write_text(f'{before}\n[llm]\nurl = "{other}"\nmodel = "auto"\nbackground = "openai/n"\n')
    run("model", "--try")
    own_file.write_text(before)
    run("config", "set", "llm.url", other, "--agent", "default")
    run("model", "--try")
    run("config", "unset", "llm.url", "--agent", "default")
    run("config", "set", "llm.url", other)
    run("model", "--try")
    run("config", "set", "llm.url", other.replace("127.0.0.1", "localhost"))
    run("model", "--try")

    assert len(two.other.asked) >= 9
    assert two.keys(two.other) == set()
    run("config", "set", "llm.url", f"{two.own.url}/other/v1")
    run("model", "--try")
    assert two.keys(two.own) == {KEY}
    assert run("model", "key", "--forget").code == 0
    run("model", "--try")
    assert two.keys(two.own) == set()


@each_row(
    "other",
    [
        "http://keys.example",
        "https://keys.example:8443",
        "https://keys.example.org",
        "https://sub.keys.example",
        "https://keys.example.",
        "https://keys.example@other.example",
        "https://other.example/keys.example",
        "https://other.example#@keys.example",
        "https://kéys.example",
        "",
    ],
)
def test_only_the_same_scheme_host_and_port_is_the_same_host(other: str) -> None:
    assert origin_of(other) != "https://keys.example" == origin_of("https://KEYS.example:443/v1/")


def test_a_key_of_the_environment_is_for_the_owners_address_and_not_for_an_agents(
    two: Two, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(OWN_KEY, KEY)
    monkeypatch.setenv("ALMARIO_EMBEDDER_API_KEY", KEY)
    monkeypatch.delenv("ALMARIO_EMBEDDER_NAME", raising=False)
    run("model", "--try")
    assert two.keys(two.own) == {KEY}

    own_file = two.root / "agents" / "default" / "agent.toml"
    own_file.write_text(
        f'[llm]\nurl = "{two.other.url}/v1"\n[embedder]\nname = "openai"\nurl = "{two.other.url}"\n'
    )
    said = run("model", "--try")
    run("remember", "the boat is blue")
    run("recall", "anything at all")
    assert len(two.other.asked) >= 2
    assert two.keys(two.other) == set()
    assert said.code == 0

    monkeypatch.setenv("ALMARIO_LLM_URL", f"{two.other.url}/v1")  # now the owner names it, too
    run("model", "--try")
    assert two.keys(two.other) == {KEY}


def test_where_a_key_is_missing_the_sentence_says_that_it_goes_to_one_host(two: Two, run: Run) -> None:
    run("model", "key", stdin=KEY)

    said = run("--set", "llm.url=https://other.example/v1", "model", "--try")

    assert said.code == 2
    assert said.err == (
        "Error: there is no key for https://other.example, and a key goes only to the host that it was given "
        'for; "almario model key" keeps one for it\n'
    )


def test_a_key_kept_without_a_host_takes_that_of_the_homes_own_setting_once(
    two: Two, run: Run, spawn: Run
) -> None:
    (two.root / FILE).write_text(json.dumps({OWN_KEY: KEY, "ANTHROPIC_API_KEY": "sk-a"}))
    own_file = two.root / "agents" / "default" / "agent.toml"
    own_file.write_text(f'[llm]\nurl = "{two.other.url}/v1"\n')
    first, second = spawn("model", "--try"), spawn("model", "--try")
    assert two.keys(two.other) == set()
    own_file.write_text("")

    run("model", "--try")

    assert two.keys(two.own) == {KEY}
    kept = json.loads((two.root / FILE).read_text())
    assert kept == {"ANTHROPIC_API_KEY": "sk-a", f"{OWN_KEY} {two.own.url}": KEY}
    sentence = f"goes to {two.own.url} alone from now on"
    assert (sentence in first.err, sentence in second.err) == (True, False)


def test_a_key_kept_without_a_host_goes_nowhere_while_the_home_names_none(two: Two, run: Run) -> None:
    run("config", "unset", "llm.url")
    (two.root / FILE).write_text(json.dumps({OWN_KEY: KEY}))

    run("--set", f"llm.url={two.other.url}/v1", "model", "--try")

    assert two.keys(two.other) == set()


def test_a_vendors_key_goes_to_its_address_over_tls_alone(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for url in (
        "http://api.openai.com/v1",
        "https://api.openai.com:8443/v1",
        "https://api.openai.com.example/v1",
    ):
        config_here = config.load(home, arguments={"llm.model": "openai/m", "llm.url": url})
        with pytest.raises(LLMUnavailable, match="there is no key for"):
            asked(config_here, home)
        found = embedder(config_here.settings.embedder.but(name="openai", url=url), config_here)
        assert KEY not in str(vars(found))


def asked(found: Config, root: Path) -> None:
    talk = models(found.settings.llm, with_keys(root, found)).talk
    assert talk is not None
    talk.reply(Ask((Message("user", "Hello"),)))


def test_a_redirect_to_another_host_is_not_followed(two: Two, run: Run) -> None:
    def moved(call: Answering) -> None:
        call.send_response(307)
        call.send_header("Location", f"{two.other.url}/v1/chat/completions")
        call.send_header("Content-Length", "0")
        call.end_headers()

    run("model", "key", stdin=KEY)
    two.own.steps = [moved]

    assert run("model", "--try").code == 2

    assert (two.keys(two.own), two.other.asked) == ({KEY}, [])


def test_keys_of_two_hosts_are_kept_beside_each_other(two: Two, run: Run) -> None:
    keep_key(two.root, OWN_KEY, KEY, two.own.url)
    keep_key(two.root, OWN_KEY, "sk-other", f"{two.other.url}/v1")
    run("config", "set", "llm.url", f"{two.other.url}/v1", "--agent", "default")

    run("model", "--try")

    assert (two.keys(two.own), two.keys(two.other)) == (set(), {"sk-other"})
    forget_key(two.root, OWN_KEY)
    assert OWN_KEY not in with_keys(two.root, open_home(two.root).config)


def test_a_key_comes_from_a_file_too_and_one_that_nobody_needs_is_refused(
    two: Two, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "key").write_text(f"{KEY}\n")

    assert (
        "https://api.anthropic.com alone"
        in run("model", "key", "anthropic", "--from", str(tmp_path / "key")).out
    )
    assert run("model", "key", "ollama", stdin=KEY).err == "Error: ollama needs no key\n"
    assert run("model", "key").err == "Error: the key is missing; use --from FILE, or a pipe\n"
    assert json.loads((two.root / FILE).read_text()) == {"ANTHROPIC_API_KEY": KEY}


def test_a_setting_is_read_from_a_pipe(two: Two, run: Run) -> None:
    assert run("config", "set", "timezone", "-", stdin="Europe/Madrid\n").code == 0

    assert config.load(two.root).settings.timezone == "Europe/Madrid"

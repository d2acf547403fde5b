"""The explorer is a plug-in like any other: found by its entry points, off by default, and not missed."""

import ast
import json
import tomllib
from pathlib import Path

import pytest

import almario
import almario_explorer
from almario import config
from almario.becoming.exploring import Exploration
from almario.domain.messages import catalogue, say
from almario.errors import ConfigError
from almario.soul import Soul
from almario.testing import ScriptedLLM
from almario.wiring import models
from almario_explorer.settings import ExplorerSettings
from tests.becoming.reflecting import TEA, thinking
from tests.plugged import PROJECT, Site, entry_points
from tests.test_docs import PROJECT as ROOT
from tests.test_messages import ERRORS, OURS, SPANISH, places, sentences

SOURCE = Path(almario_explorer.__file__).parent
PAGE = (ROOT / "docs" / "explorer.md").read_text()


@pytest.fixture
def explorer(site: Site) -> None:
    """The explorer as the wheel brings it, whatever is installed here."""
    site.put("almario", entry_points(PROJECT))


def exploration() -> Exploration:
    return Exploration(ScriptedLLM("done"), None, "en", str, lambda: lambda text: "")


def settings(home: Path, text: str) -> config.Settings:
    home.mkdir(exist_ok=True)
    home.joinpath("almario.toml").write_text(text)
    return config.load(home, environment={}).settings


@pytest.mark.usefixtures("explorer")
def test_it_explores_if_the_settings_say_so(home: Path) -> None:
    on = settings(home, "[explorer]\nenabled = true\nrounds = 2\n")

    found = models.explorer(on, exploration())

    assert found is not None
    assert found.explore([]) == ()


@pytest.mark.usefixtures("explorer")
@pytest.mark.parametrize("text", ["", "[explorer]\nrounds = 2\n", "[explorer]\nenabled = false\n"])
def test_it_is_off_unless_it_is_turned_on(home: Path, text: str) -> None:
    assert models.explorer(settings(home, text), exploration()) is None


@pytest.mark.usefixtures("explorer")
def test_its_settings_are_checked_like_any_other(home: Path) -> None:
    with pytest.raises(ConfigError, match=r"explorer.search must be one of searxng, brave, tavily, not 'x'"):
        settings(home, '[explorer]\nsearch = "x"\n')


@pytest.mark.usefixtures("explorer")
def test_its_key_is_no_setting(home: Path) -> None:
    found = config.load(home, environment={"ALMARIO_SEARCH_API_KEY": "secret", "ALMARIO_EXPLORER_PAGES": "3"})

    assert found.values()["explorer.pages"] == 3
    assert "secret" not in str(found)


def test_without_it_everything_else_works(
    site: Site, home: Path, soul: Soul, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.put("almario", {})  # a wheel without it
    soul.remember("tea: Ana likes tea")

    with almario.open(home, llm=ScriptedLLM(thinking)) as alone:
        done = alone.reflection.run()

    assert (done.why, done.explored) == (None, ())
    assert [finding.text for finding in done.findings] == [json.loads(TEA)["findings"][0]["text"]]
    with pytest.raises(ConfigError, match=r"explorer is not a setting"):
        settings(home, "[explorer]\nenabled = true\n")


def test_the_core_does_not_know_it() -> None:
    core = PROJECT / "src" / "almario"
    named = [path.name for path in core.rglob("*.py") if "almario_explorer" in path.read_text()]

    assert named == []


def test_it_builds_on_what_plug_ins_may_build_on() -> None:
    """What comes in the same wheel may use the domain, too; a plug-in elsewhere has `almario.plugins`."""
    found = {
        node.module.split(".")[1]
        for path in SOURCE.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("almario.")
    }

    assert found <= {"plugins", "errors", "domain", "structured_reply"}


def test_the_wheel_has_it() -> None:
    built = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]

    assert "src/almario_explorer" in built["targets"]["wheel"]["packages"]


def test_every_setting_of_it_is_on_its_page_with_its_default() -> None:
    for name, made in ExplorerSettings.declared.items():
        default = json.dumps(made.default)
        assert f"| `explorer.{name}` | `{default}` | {made.limits.doc} |" in PAGE


def test_every_sentence_of_it_is_said_in_spanish() -> None:
    own = json.loads((SOURCE / "messages.es.json").read_text())
    said = sentences(SOURCE, {**OURS, **ERRORS, "WebError": (0,)})

    assert sorted(said - set(own) - set(SPANISH)) == []
    assert sorted(set(own) - said) == []
    assert [english for english, spanish in own.items() if places(english) != places(spanish)] == []


@pytest.mark.usefixtures("explorer")
def test_its_sentences_are_in_spanish_once_it_is_on(home: Path) -> None:
    models.explorer(settings(home, "[explorer]\nenabled = true\n"), exploration())

    assert say("es", "there is no host {host}", host="x") == "no existe el servidor x"
    assert "there is no host {host}" in catalogue("es")

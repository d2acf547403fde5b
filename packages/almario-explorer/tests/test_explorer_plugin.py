"""The explorer is a plug-in like any other: found by its entry points, off by default, and not missed."""

import json
from pathlib import Path

import pytest

import almario
from almario import config
from almario.becoming.exploring import Exploration
from almario.errors import ConfigError
from almario.soul import Soul
from almario.testing import ScriptedLLM
from almario.wiring import models
from tests.becoming.reflecting import TEA, thinking
from tests.plugged import Site, entry_points

PACKAGE = Path(__file__).parent.parent


@pytest.fixture
def explorer(site: Site) -> None:
    """The explorer as its wheel brings it, whatever is installed here."""
    site.put(PACKAGE.name, entry_points(PACKAGE))


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
    site.put(PACKAGE.name, {})
    soul.remember("tea: Ana likes tea")

    with almario.open(home, llm=ScriptedLLM(thinking)) as alone:
        done = alone.reflection.run()

    assert (done.why, done.explored) == (None, ())
    assert [finding.text for finding in done.findings] == [TEA[1]]
    with pytest.raises(ConfigError, match=r"explorer needs the package almario-explorer"):
        settings(home, "[explorer]\nenabled = true\n")

"""Agents come, go to the trash, and come back; no id is taken twice in any case."""

import os
from pathlib import Path

import pytest

from almario.config.toml_files import agent_paths
from almario.errors import ConfigError, SoulError, StoreBusy
from almario.ports import ListedAgent
from almario.store.home import FolderHome
from almario.testing import FixedClock


def furnish(agent: ListedAgent) -> None:
    (agent.path / "SOUL.md").write_text("a soul")


@pytest.fixture
def empty_home(tmp_path: Path) -> FolderHome:
    return FolderHome(tmp_path / "home", FixedClock())


def ids(home: FolderHome) -> list[str]:
    return [agent.id for agent in home.agents()]


def test_an_agent_can_be_renamed_also_to_another_case(empty_home: FolderHome) -> None:
    empty_home.create("work", furnish)

    empty_home.rename("work", "office")
    empty_home.rename("office", "Office")

    assert ids(empty_home) == ["Office"]
    assert os.listdir(empty_home.root / "agents") == ["Office"]


def test_a_folder_elsewhere_is_linked_renamed_and_unlinked_but_never_moved(tmp_path: Path) -> None:
    root = tmp_path / "home"
    home = FolderHome(root, FixedClock(), paths=lambda: agent_paths(root))
    settings = home.root / "almario.toml"
    home.root.mkdir()
    settings.write_text('# mine\nlanguage = "es" # keep\nagent = "far"\n')
    place = tmp_path / "far away"

    home.create("far", furnish, path=str(place))
    assert home.agent("far").path == place
    home.rename("far", "near")
    mine = ["# mine", 'language = "es" # keep']
    said = ['agent = "near"', "[agents.near]", f'path = "{place}"']
    assert list(filter(None, settings.read_text().splitlines())) == mine + said
    home.remove("near")

    assert ids(home) == []
    assert (place / "SOUL.md").exists()
    assert list(filter(None, settings.read_text().splitlines())) == mine


@pytest.mark.parametrize("place", [".", "agents", "agents/new", "agents/work/inside", ".."])
def test_a_folder_in_the_way_of_another_is_refused(empty_home: FolderHome, place: str) -> None:
    empty_home.create("work", furnish)

    with pytest.raises(SoulError, match="overlaps with"):
        empty_home.create("far", furnish, path=str(empty_home.root / place))

    assert ids(empty_home) == ["work"]


def test_a_folder_that_is_no_agents_is_not_furnished(empty_home: FolderHome, tmp_path: Path) -> None:
    system = tmp_path / "etc"
    system.mkdir()
    (system / "passwd").write_text("root")
    (empty_home.root / "agents").mkdir(parents=True)
    (tmp_path / "link").symlink_to(system)

    for place in (system, tmp_path / "link"):
        with pytest.raises(SoulError, match="already holds other things"):
            empty_home.create("far", furnish, path=str(place))
    (empty_home.root / "agents" / "linked").symlink_to(system)
    for use in (empty_home.agent, empty_home.check_free, empty_home.remove):
        with pytest.raises(SoulError, match="etc, which is not an agent's folder"):
            use("linked")

    assert os.listdir(system) == ["passwd"]


def test_an_agent_whose_folder_is_gone_can_be_taken_off_the_list(tmp_path: Path) -> None:
    root = tmp_path / "home"
    root.mkdir()
    (root / "almario.toml").write_text(f'[agents.far]\npath = "{tmp_path}/gone"\n')
    home = FolderHome(root, FixedClock(), paths=lambda: agent_paths(root))

    home.remove("far")

    assert (root / "almario.toml").read_text() == ""


def test_a_busy_agent_is_not_half_renamed(empty_home: FolderHome, monkeypatch: pytest.MonkeyPatch) -> None:
    empty_home.create("work", furnish)
    (empty_home.root / "almario.toml").write_text('agent = "work"\n')

    def busy(*_: object) -> None:
        raise StoreBusy("busy")

    monkeypatch.setattr(empty_home, "_move", busy)
    with pytest.raises(StoreBusy):
        empty_home.rename("work", "office")

    assert (empty_home.root / "almario.toml").read_text() == 'agent = "work"\n'
    assert ids(empty_home) == ["work"]


def test_a_rename_that_the_settings_refuse_is_taken_back(empty_home: FolderHome) -> None:
    empty_home.create("work", furnish)
    (empty_home.root / "almario.toml").write_text('agent = ["work"\n')

    with pytest.raises(ConfigError, match="is not valid TOML"):
        empty_home.rename("work", "office")

    assert ids(empty_home) == ["work"]


def test_a_removal_that_the_settings_refuse_does_nothing(empty_home: FolderHome) -> None:
    empty_home.create("work", furnish)
    (empty_home.root / "almario.toml").write_text('agent = ["work"\n')

    with pytest.raises(ConfigError, match="is not valid TOML"):
        empty_home.remove("work")

    assert ids(empty_home) == ["work"]


def test_settings_that_are_a_link_stay_one(empty_home: FolderHome, tmp_path: Path) -> None:
    empty_home.create("work", furnish)
    (tmp_path / "dotfiles.toml").write_text('agent = "work"\n')
    (empty_home.root / "almario.toml").symlink_to(tmp_path / "dotfiles.toml")

    empty_home.rename("work", "office")

    assert (empty_home.root / "almario.toml").is_symlink()
    assert (tmp_path / "dotfiles.toml").read_text() == 'agent = "office"\n'


def test_a_removed_agent_is_not_the_default_any_more(empty_home: FolderHome) -> None:
    empty_home.create("work", furnish)
    (empty_home.root / "almario.toml").write_text('agent = "Work"\nlanguage = "es"\n')

    empty_home.remove("work")

    assert (empty_home.root / "almario.toml").read_text() == 'language = "es"\n'


def test_an_agent_that_the_settings_name_in_another_way_is_taken_out(tmp_path: Path) -> None:
    root = tmp_path / "home"
    root.mkdir()
    (tmp_path / "far").mkdir()
    (root / "almario.toml").write_text(
        f'agents = {{ far = {{ path = "{tmp_path / "far"}" }} }} # mine\nagent = "a"\n'
    )
    home = FolderHome(root, FixedClock(), paths=lambda: agent_paths(root))

    home.remove("far")

    assert (root / "almario.toml").read_text() == 'agent = "a"\n'

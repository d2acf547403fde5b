"""Every home: agents come, go to the trash and come back; its papers change one at a time."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from almario.errors import AgentNotFound, SoulError
from almario.ports import Home, ListedAgent
from almario.store.home import FolderHome
from almario.store.papers import HomeKey
from almario.testing import FixedClock
from almario_postgres.database import Server
from almario_postgres.directory import PostgresHome
from tests.postgres import home_url


class House:
    """A home, which another process may open, too."""

    def __init__(self, opened: Callable[[], Home], write: Callable[[ListedAgent, str, str], None]) -> None:
        self.opened = opened
        self.home = opened()
        self.write = write

    def ids(self) -> list[str]:
        return [agent.id for agent in self.opened().agents()]

    def furnish(self, agent: ListedAgent) -> None:
        self.write(agent, "SOUL.md", "a soul")


def in_folder(root: Path) -> House:
    def write(agent: ListedAgent, name: str, text: str) -> None:
        (agent.path / name).write_text(text)

    return House(lambda: FolderHome(root, FixedClock()), write)


def in_database(server: Server) -> House:
    def write(agent: ListedAgent, name: str, text: str) -> None:
        insert = (
            "INSERT INTO documents(agent, name, folder, content, changed) VALUES (%s, %s, '', %s, 7)"
            " ON CONFLICT (agent, name) DO UPDATE SET content = excluded.content, changed = 8"
        )
        with server.bound(agent.number).writing() as connection:
            connection.execute(insert, (agent.number, name, text.encode()))

    return House(lambda: PostgresHome(server, FixedClock()), write)


@pytest.fixture(params=["folder", "postgres"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    if request.param == "folder":
        yield in_folder(tmp_path / "home")
    else:
        with closing(Server(home_url())) as server:
            yield in_database(server)


def test_agents_come_and_go_and_come_back(house: House) -> None:
    home = house.home
    work = home.create("Work", house.furnish)
    home.create("ana", house.furnish)
    assert (house.ids(), home.agent("WORK"), home.agents(most=1)[0].id) == (["ana", "Work"], work, "ana")
    with pytest.raises(SoulError, match='there is already an agent "Work"'):
        home.create("wORK", house.furnish)

    assert home.rename("work", "office").id == "office"
    assert house.ids() == ["ana", "office"]
    with pytest.raises(SoulError, match="already an agent"):
        home.rename("ana", "Office")

    home.remove("office")
    assert (house.ids(), [item.id for item in home.trash()]) == (["ana"], ["office"])
    other = home.create("office", house.furnish)
    house.write(other, "SOUL.md", "another")
    home.remove("office")  # in the same second
    assert [item.at for item in home.trash()] == ["20261114T133000Z-2", "20261114T133000Z"]
    assert home.bring_back("OFFICE").id == "office"
    with pytest.raises(SoulError, match="already an agent"):
        home.bring_back("office")
    assert home.bring_back("office.20261114T133000Z", new="old").id == "old"
    assert (house.ids(), home.trash()) == (["ana", "office", "old"], [])


def test_who_asks_for_an_agent_that_is_not_there_is_told_who_is(house: House) -> None:
    home = house.home
    with pytest.raises(AgentNotFound, match='"almario init" creates one'):
        home.agent("x")
    home.create("ana", house.furnish)
    with pytest.raises(AgentNotFound, match='did you mean "ana"'):
        home.agent("anna")
    with pytest.raises(AgentNotFound, match="only ana"):
        home.agent("zzz")
    with pytest.raises(AgentNotFound, match="the trash has no"):
        home.bring_back("ana")
    for bad in ("", "a/b", "..", ".hidden", "con", "Ñandú", "a b", "x" * 65, "-x", "a\n"):
        with pytest.raises(SoulError, match="cannot be an agent's id"):
            home.create(bad, house.furnish)


def test_an_agent_that_could_not_be_furnished_is_nowhere(house: House) -> None:
    def die(agent: ListedAgent) -> None:
        house.furnish(agent)
        assert (house.ids(), house.home.trash()) == ([], [])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        house.home.create("work", die)

    assert (house.ids(), house.home.trash()) == ([], [])
    house.home.create("work", house.furnish)


def test_the_mark_of_an_agent_changes_with_who_it_is_and_with_its_own_settings(house: House) -> None:
    home = house.home
    agent = home.create("ana", house.furnish)
    before = home.mark(agent)
    assert home.own_settings(agent).content is None
    house.write(agent, "agent.toml", "x = 1")

    assert home.own_settings(agent).content == b"x = 1"
    assert home.own_settings(agent).file.endswith("ana/agent.toml")
    assert (home.mark(agent).who, home.mark(agent).settings != before.settings) == (before.who, True)
    home.remove("ana")
    assert home.mark(agent).who is None
    assert home.mark(home.create("ana", house.furnish)).who != before.who


def test_papers_are_the_same_for_all_and_change_one_at_a_time(house: House) -> None:
    papers, others = house.home.papers, house.opened().papers
    assert (papers.read("x"), papers.mark("x")) == (None, None)

    def count() -> None:
        with others.changing():
            others.write("x", str(int(others.read("x") or b"0") + 1).encode())

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert papers.read("x") == b"4"
    marks = []
    with papers.changing():
        for _ in range(2):
            papers.write("x", b"again")
            marks.append(papers.mark("x"))
    assert len({*marks}) == 2
    assert HomeKey(papers).made() == HomeKey(others).made() != b""

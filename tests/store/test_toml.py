"""Changes of almario.toml say what is meant, and keep what its owner wrote."""

import tomllib
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from almario.errors import ConfigError
from almario.store.toml import (
    with_agent_path,
    with_agent_renamed,
    with_setting,
    without_agent,
    without_agent_paths,
    without_setting,
)
from tests.tables import each_row
from tests.texts import often

FILE = """\
# mine
agent = "ana"  # the one I talk to
language = "es"

[prompt]
mode = "conversation"

# Ana lives on the big disk.
[agents.ana]
path = "/big/ana"

# Bob lives at home.
[ agents . "bob" ]  # a friend
path = '/home/bob' # here
"""

ids = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,10}", fullmatch=True)
paths = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x7f"), max_size=12)


def read(text: str) -> dict[str, Any]:
    return tomllib.loads(text.removeprefix("\ufeff"))


@st.composite
def settings_files(draw: st.DrawFn) -> tuple[str, list[str]]:
    """Draw a settings file with comments and some agents, and their ids."""
    agents = draw(st.lists(ids, min_size=1, max_size=4, unique_by=str.lower))
    parts = [draw(st.sampled_from(["", "\ufeff"])), "# first\n"]
    if draw(st.booleans()):
        parts.append(draw(st.sampled_from(['agent = "{}"\n', "  agent='{}'\t# default\n"])).format(agents[0]))
    parts += draw(st.lists(st.sampled_from(['language = "es"\n', "\n", "# note\n"]), max_size=3, unique=True))
    for agent in agents:
        shape = draw(st.sampled_from(["[agents.{}]\n", "[agents.'{}'] # one\n", '  [ agents."{}" ]\n']))
        parts.append(shape.format(agent) + f'path = "/{agent}"\n')
        parts += draw(st.lists(st.sampled_from(["\n", "# note\n", "[prompt]\n"]), max_size=3, unique=True))
    text = "".join(parts)
    if text.count("[prompt]") > 1:
        text = text.replace("[prompt]\n", "")
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"]))), agents


def kept(before: str, after: str) -> bool:
    """Return whether every comment of the owner is still there."""
    return sorted(comments(before)) == sorted(comments(after))


def comments(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip().startswith("#")]


@often
@given(settings_files(), ids, paths)
def test_an_agent_is_added_and_nothing_else_changes(file: tuple[str, list[str]], new: str, path: str) -> None:
    text, agents = file
    assume(new not in agents)

    after = with_agent_path(text, new, path)

    assert read(after) == read(text) | {"agents": read(text)["agents"] | {new: {"path": path}}}
    assert kept(text, after)


@often
@given(settings_files())
def test_an_agent_is_taken_out(file: tuple[str, list[str]]) -> None:
    text, agents = file
    for agent in agents:
        after = without_agent(text, agent)

        wanted = read(text)
        del wanted["agents"][agent]
        if wanted.get("agent") == agent:
            del wanted["agent"]
        assert read(after) == {key: value for key, value in wanted.items() if key != "agents" or value}


@often
@given(settings_files(), ids)
def test_an_agent_is_renamed_in_its_table_and_as_the_default(file: tuple[str, list[str]], new: str) -> None:
    text, agents = file
    assume(new not in agents)
    old = agents[0]

    after = with_agent_renamed(text, old, new)

    wanted = read(text)
    wanted["agents"][new] = wanted["agents"].pop(old)
    if "agent" in wanted:
        wanted["agent"] = new
    assert read(after) == wanted
    assert kept(text, after)


def test_the_first_agent_makes_the_file() -> None:
    assert with_agent_path("", "ana", '/a "b"\\c') == '[agents.ana]\npath = "/a \\"b\\"\\\\c"\n'


def test_the_last_agent_leaves_no_table() -> None:
    assert without_agent('a = 1\n[agents.ana]\npath = "/x"\n', "ana") == "a = 1\n"
    assert without_agent_paths(FILE) == FILE[: FILE.index("[agents.ana]")]


def test_a_file_without_a_change_is_left_byte_by_byte() -> None:
    for text in (FILE, FILE.replace("\n", "\r\n"), f"\ufeff{FILE}", "a=1\r\nb  =  2\n"):
        assert with_agent_renamed(text, "eva", "tom") == text
        assert without_setting(text, "timezone") == without_setting(text, "search.min_score") == text
        assert without_agent_paths(text.partition("# Ana")[0]) == text.partition("# Ana")[0]


@each_row(
    ("text", "after"),
    [
        ('agents = { ana = { path = "/x" } }\n', ""),
        ('[agents]\nana = { path = "/x" }\n', ""),
        ('[agents]\nana.path = "/x"\n', ""),
        ('note = """\n[agents.ana]\n"""\n[agents.ana]\npath = "/x"\n', 'note = """\n[agents.ana]\n"""\n'),
        ('"agent" = """ana"""\n', ""),
        ("agent='Ana' # mine\nlanguage = 'es'\n", "language = 'es'\n"),
    ],
)
def test_an_agent_is_known_however_it_is_written(text: str, after: str) -> None:
    assert without_agent(text, "ana") == after


def test_a_name_that_is_taken_is_refused() -> None:
    with pytest.raises(ConfigError, match="names the agent bob already"):
        with_agent_path(FILE, "bob", "/x")
    with pytest.raises(ConfigError, match="names the agent bob already"):
        with_agent_renamed(FILE, "ana", "bob")


values = st.booleans() | st.integers(-9, 9999) | st.sampled_from([0.25, 1e-7]) | paths
keys = st.sampled_from(["language", "timezone", "prompt.mode", "prompt.recent_days", "search.min_score"])


@often
@given(settings_files(), keys, values)
def test_a_setting_is_set_and_taken_out_and_nothing_else_changes(
    file: tuple[str, list[str]], key: str, value: bool | int | float | str
) -> None:
    text, _ = file
    section, _, name = key.rpartition(".")

    after = with_setting(text, key, value)

    table = read(after)[section] if section else read(after)
    assert table[name] == value
    assert type(table[name]) is type(value)
    assert kept(text, after)
    assert with_setting(after, key, value) == after
    before = {name: value for name, value in read(text).items() if name != key and value != {}}
    taken = read(without_setting(after, key))
    assert {name: value for name, value in taken.items() if value != {}} == before


@each_row(
    ("before", "key", "after"),
    [
        ("", "language", 'language = "x"\n'),
        ("", "prompt.mode", '[prompt]\nmode = "x"\n'),
        ("# mine\n", "language", '# mine\nlanguage = "x"\n'),
        ("# mine\n\n[prompt]\n", "language", '# mine\nlanguage = "x"\n\n[prompt]\n'),
        ("agent = 'a' # his\n\n[prompt]\n", "agent", 'agent = "x" # his\n\n[prompt]\n'),
        ("agent = 'a'", "language", "agent = 'a'\nlanguage = \"x\"\n"),
        ("\ufeff[prompt]\r\n", "prompt.mode", '\ufeff[prompt]\r\nmode = "x"\r\n'),
        ('prompt.mode = "a" # his\n', "prompt.mode", 'prompt.mode = "x" # his\n'),
        ('prompt = { mode = "a" }\n', "prompt.mode", 'prompt = { mode = "x" }\n'),
        ('[prompt]\nmode = """\na"""\n', "prompt.mode", '[prompt]\nmode = "x"\n'),
        ("[b]\nmode = 1\n[prompt]\nmode = 2\n", "prompt.mode", '[b]\nmode = 1\n[prompt]\nmode = "x"\n'),
    ],
)
def test_a_setting_goes_where_its_owner_would_write_it(before: str, key: str, after: str) -> None:
    assert with_setting(before, key, "x") == after


@each_row("text", ['prompt = "a"\n', "prompt = [\n", "a = 1\na = 2\n"])
def test_what_cannot_be_changed_is_left_to_the_owner(text: str) -> None:
    with pytest.raises(ConfigError, match=r"is a section|is not valid TOML"):
        with_setting(text, "prompt.mode", "x")


def test_a_setting_is_taken_out() -> None:
    assert without_setting(FILE, "language") == FILE.replace('language = "es"\n', "")

"""Edits of almario.toml change what is meant, and prove it."""

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
    without_setting,
)
from tests.tables import each_row
from tests.texts import is_within, often

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


@often
@given(settings_files(), ids, paths)
def test_an_agent_is_added_and_no_byte_changes(file: tuple[str, list[str]], new: str, path: str) -> None:
    text, agents = file
    assume(new not in agents)

    after = with_agent_path(text, new, path)

    assert after.startswith(text)
    assert read(after)["agents"] == read(text)["agents"] | {new: {"path": path}}


@often
@given(settings_files())
def test_an_agent_is_taken_out_with_its_own_lines_only(file: tuple[str, list[str]]) -> None:
    text, agents = file
    for agent in agents:
        after = without_agent(text, agent)

        wanted = read(text)
        del wanted["agents"][agent]
        if wanted.get("agent") == agent:
            del wanted["agent"]
        assert read(after) == {key: value for key, value in wanted.items() if key != "agents" or value}
        assert is_within(after.splitlines(), text.splitlines())
        assert after.count("# note") == text.count("# note")


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
    changed = [(a, b) for a, b in zip(text.split("\n"), after.split("\n"), strict=True) if a != b]
    assert len(changed) <= 2
    assert all(len(b) - len(a) == len(new) - len(old) for a, b in changed)


def test_the_first_agent_makes_the_file() -> None:
    assert with_agent_path("", "ana", '/a "b"\\c') == '[agents.ana]\npath = "/a \\"b\\"\\\\c"\n'
    assert with_agent_path("a = 1", "ana", "/x") == 'a = 1\n\n[agents.ana]\npath = "/x"\n'


def test_a_comment_above_the_next_table_stays() -> None:
    text = FILE.replace('agent = "ana"  # the one I talk to\n', "")

    assert without_agent(FILE, "ana") == text.replace('[agents.ana]\npath = "/big/ana"\n', "")
    assert without_agent(FILE, "bob") == FILE[: FILE.index("[ agents")]


def test_a_rename_keeps_comments_and_quotes() -> None:
    assert with_agent_renamed(FILE, "ana", "eva") == FILE.replace('"ana"', '"eva"').replace(".ana]", ".eva]")
    assert with_agent_renamed(FILE, "bob", "tom") == FILE.replace('"bob"', '"tom"')


@each_row("old", ["a", "agents", "agent", "s", "path"])
def test_an_agent_whose_id_is_part_of_the_header_is_renamed_too(old: str) -> None:
    text = f'agent = "{old}"\n[agents.{old}]\npath = "/x"\n'

    assert with_agent_renamed(text, old, "new") == 'agent = "new"\n[agents.new]\npath = "/x"\n'


def test_a_rename_of_an_agent_that_is_not_named_changes_nothing() -> None:
    assert with_agent_renamed(FILE, "eva", "tom") == FILE


@each_row(
    "text",
    [
        'agents = { ana = { path = "/x" } }\n',
        '[agents]\nana = { path = "/x" }\n',
        '[agents]\nana.path = "/x"\n',
        'note = """\n[agents.ana]\n"""\n[agents]\nana.path = "/x"\n',
        '[agents.ana]\npath = "/x"\n[agents.ana.more]\na = 1\n',
    ],
)
def test_what_cannot_be_edited_surely_is_left_to_the_owner(text: str) -> None:
    with pytest.raises(ConfigError, match="only you can change"):
        without_agent(text, "ana")


@each_row(
    "text",
    [
        '"agent" = "ana"\n',
        'agent = """ana"""\n',
        'note = """\nagent = "ana"\n"""\nagent = "ana"\n',
        '[agents]\nana.path = "/x"\n',
    ],
)
def test_a_name_that_cannot_be_changed_surely_is_left_to_the_owner(text: str) -> None:
    with pytest.raises(ConfigError, match="only you can change"):
        with_agent_renamed(text, "ana", "eva")


def test_a_name_that_is_taken_is_refused() -> None:
    with pytest.raises(ConfigError):
        with_agent_path(FILE, "bob", "/x")
    with pytest.raises(ConfigError):
        with_agent_renamed(FILE, "ana", "bob")


@each_row("default", ['agent = "ana"\n', "agent='Ana' # mine\r\n"])
def test_a_default_agent_is_taken_out_though_it_has_no_table(default: str) -> None:
    assert without_agent(f"{default}language = 'es'\n", "ana") == "language = 'es'\n"
    assert without_agent(default, "eva") == default


values = st.booleans() | st.integers(-9, 9999) | st.sampled_from([0.25, 1e-7]) | paths
keys = st.sampled_from(["language", "timezone", "prompt.mode", "prompt.recent_days", "search.min_score"])


@often
@given(settings_files(), keys, values)
def test_a_setting_is_set_and_taken_out_and_no_other_line_changes(
    file: tuple[str, list[str]], key: str, value: bool | int | float | str
) -> None:
    text, _ = file
    section, _, name = key.rpartition(".")

    after = with_setting(text, key, value)

    table = read(after)[section] if section else read(after)
    assert table[name] == value
    assert type(table[name]) is type(value)
    left = [line for line in text.removeprefix("\ufeff").splitlines() if line.split(" =")[0] != name]
    assert is_within(left, after.removeprefix("\ufeff").splitlines())
    assert with_setting(after, key, value) == after
    kept = {name: value for name, value in read(text).items() if name != key and value != {}}
    taken = read(without_setting(after, key))
    assert {name: value for name, value in taken.items() if value != {}} == kept


@each_row(
    ("before", "key", "after"),
    [
        ("", "language", 'language = "x"\n'),
        ("", "prompt.mode", '[prompt]\nmode = "x"\n'),
        ("# mine\n", "language", '# mine\nlanguage = "x"\n'),
        ("# mine\n\n[prompt]\n", "language", '# mine\nlanguage = "x"\n\n[prompt]\n'),
        ("# about it\n[prompt]\n", "language", 'language = "x"\n# about it\n[prompt]\n'),
        ("agent = 'a' # his\n\n[prompt]\n", "agent", 'agent = "x" # his\n\n[prompt]\n'),
        ("agent = 'a'", "language", "agent = 'a'\nlanguage = \"x\"\n"),
        ("\ufeff[prompt]\r\n", "language", '\ufefflanguage = "x"\r\n[prompt]\r\n'),
        ("[prompt]\na = 1\n\n# b\n[b]\n", "prompt.mode", '[prompt]\na = 1\nmode = "x"\n\n# b\n[b]\n'),
        ('prompt.mode = "a" # his\n', "prompt.mode", 'prompt.mode = "x" # his\n'),
        ("[b]\nmode = 1\n[prompt]\nmode = 2\n", "prompt.mode", '[b]\nmode = 1\n[prompt]\nmode = "x"\n'),
    ],
)
def test_a_setting_goes_where_its_owner_would_write_it(before: str, key: str, after: str) -> None:
    assert with_setting(before, key, "x") == after


@each_row(
    "text",
    [
        'prompt = { mode = "a" }\n',
        '[prompt]\nmode = """\na"""\n',
        '[prompt]\n"mode" = "a"\n',
        'prompt = "a"\n',
        'note = """\n[prompt]\nmode = "b"\n"""\n[prompt]\nmode = "a"\n',
    ],
)
def test_a_setting_that_cannot_be_changed_surely_is_left_to_the_owner(text: str) -> None:
    with pytest.raises(ConfigError, match="only you can change"):
        with_setting(text, "prompt.mode", "x")


def test_a_setting_that_is_not_there_cannot_be_taken_out() -> None:
    assert without_setting(FILE, "timezone") == without_setting(FILE, "search.min_score") == FILE
    assert without_setting(FILE, "language") == FILE.replace('language = "es"\n', "")

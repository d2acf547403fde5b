"""`almario connect` and `disconnect`: what they write into other programs' settings, and what they leave."""

import json
import os
import sys
import tomllib
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import almario
from almario.apps.connecting import settings_file
from almario.apps.connecting.clients import CLIENTS
from almario.apps.connecting.connections import (
    Launch,
    apply,
    connecting,
    disconnecting,
    expanded,
    path_of,
    program,
)
from almario.apps.connecting.json_text import relaxed, rewritten
from almario.apps.connecting.settings_file import read_settings, settings_in
from almario.domain.turn_ids import CHANNELS
from almario.errors import DocumentError, EditConflict
from tests.apps.conftest import Run
from tests.apps.hooked import RECORDED
from tests.tables import each_row

LINE = Launch(["/opt/my tools/almario"], ["--agent", "alma"])
WITH_HOOKS = [name for name, client in CLIENTS.items() if client.hooks]

# What people have in these files: nothing, little, other servers and hooks, odd spacing, other line ends.
PLAIN = [
    "",
    "{}",
    "{\n}\n",
    '{"mcpServers": {}, "hooks": {}}',
    '{"a": [1,2,  3], "mcpServers": {"x": {"command": "y"}}, "z": null}\n',
    '{\n\t"mcpServers": {\n\t\t"x": {"command": "y"}\n\t},\n\t"servers": {"q": {}}\n}',
    '{\r\n    "theme": "dark",\r\n    "context_servers": {}\r\n}\r\n',
    '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say \'done"}]}], "Other": []}}\n',
    '{"version": 1, "hooks": {"stop": [{"command": "./audit.sh"}]}, "mcp": {"servers": {}, "more": 1}}\n',
]
TOML = [
    "",
    'model = "x" # mine\n',
    '# why\n[mcp_servers.other]\n# inner\ncommand = "foo"\n\n# about the rest\n[tui]\ntheme = "dark"',
    '[mcp_servers]\n\n[a.b]\nc = """\n[not a table]\n"""\n',
]
_numbers = count()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Path]:
    """Gives a user whose home folder is empty, on a machine without any of these programs."""
    for name in ("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "OPENCLAW_STATE_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))

    def user() -> Path:
        home = tmp_path / f"user{next(_numbers)}"
        home.mkdir()
        monkeypatch.setenv("HOME", str(home))
        return home

    return user


def texts() -> Iterator[tuple[str, str]]:
    yield from (("claude-code", text) for text in PLAIN)
    yield from (("codex", text) for text in TOML)
    yield from (("cursor", text) for text in PLAIN[1:3] + PLAIN[-1:])
    yield from (("openclaw", text) for text in (PLAIN[2], PLAIN[-1]))
    yield from (("zed", PLAIN[6]), ("vscode", PLAIN[5]))


def given_files(name: str, text: str) -> dict[Path, bytes]:
    """Put a text where a program has its servers, and one that will do where it has its hooks."""
    client = CLIENTS[name]
    files = {path_of(client): text}
    if client.hooks:
        files[expanded(client.hooks.file)] = text if path_of(client).suffix == ".json" else PLAIN[7]
    for path, content in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    return {path: content.encode() for path, content in files.items()}


def connected(name: str, line: Launch = LINE) -> None:
    for step in connecting(CLIENTS[name], line):
        assert not step.by_hand
        apply(step)


@each_row(("name", "text"), list(texts()))
def test_what_is_connected_and_disconnected_is_as_it_was_to_the_byte(
    name: str, text: str, machine: Callable[[], Path]
) -> None:
    home = machine()
    before = given_files(name, text)

    connected(name)
    for path, content in before.items():
        assert path.with_name(path.name + ".before-almario").read_bytes() == content
        rest = iter(path.read_bytes())
        assert all(sign in rest for sign in content)  # whatever was there is there, in its order
    state = program(name)
    assert (state.mcp, state.hooks, state.agent) == (True, name in WITH_HOOKS, "alma")
    assert connecting(CLIENTS[name], LINE) == []  # once is enough
    for step in disconnecting(CLIENTS[name]):
        apply(step)

    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before
    assert program(name)[4:] == (False, False, "", "", None, ())
    assert disconnecting(CLIENTS[name]) == []


def test_a_program_with_hooks_has_recorded_calls_and_its_messages_have_ids_of_their_own() -> None:
    assert set(WITH_HOOKS) == set(RECORDED)
    assert set(WITH_HOOKS) < set(CHANNELS)


@each_row("name", list(CLIENTS))
def test_a_file_that_was_not_there_is_made_and_goes_again(name: str, machine: Callable[[], Path]) -> None:
    home = machine()

    connected(name)
    made = [path for path in home.rglob("*") if path.is_file()]
    assert len(made) == 1 + (name in WITH_HOOKS)
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in made)
    for step in disconnecting(CLIENTS[name]):
        apply(step)

    assert [path for path in home.rglob("*") if path.is_file()] == []


def test_the_entry_has_the_place_and_shape_that_each_program_wants(machine: Callable[[], Path]) -> None:
    home = machine()
    for name in CLIENTS:
        connected(name)
    server = {"command": "/opt/my tools/almario", "args": ["mcp", "--agent", "alma"]}

    def read(path: str) -> Any:
        return json.loads((home / path).read_text())

    assert read(".claude.json") == {"mcpServers": {"almario": {"type": "stdio", **server, "env": {}}}}
    assert read(".cursor/mcp.json") == {"mcpServers": {"almario": server}}
    assert read(".gemini/settings.json") == {"mcpServers": {"almario": server}}
    assert read(".openclaw/openclaw.json") == {"mcp": {"servers": {"almario": server}}}
    assert read(".config/zed/settings.json") == {"context_servers": {"almario": {**server, "env": {}}}}
    if sys.platform != "darwin":
        assert read(".config/Claude/claude_desktop_config.json") == {"mcpServers": {"almario": server}}
        assert read(".config/Code/User/mcp.json") == {"servers": {"almario": {"type": "stdio", **server}}}
    assert tomllib.loads((home / ".codex/config.toml").read_text()) == {"mcp_servers": {"almario": server}}
    run = {"command": "'/opt/my tools/almario' hook session-start --agent alma", "timeout": 10}
    grouped = [{"hooks": [{"type": "command", **run}]}]
    assert read(".claude/settings.json")["hooks"]["SessionStart"] == grouped
    [[at_start]] = [group["hooks"] for group in read(".codex/hooks.json")["hooks"]["SessionStart"]]
    assert at_start["command"] == f"{run['command']} --client codex"
    assert read(".cursor/hooks.json")["hooks"]["sessionStart"] == [run]
    assert read(".cursor/hooks.json")["version"] == 1


def test_connecting_to_another_agent_keeps_what_you_added_to_the_entry(machine: Callable[[], Path]) -> None:
    home = machine()
    connected("cursor")
    path = home / ".cursor/mcp.json"
    path.write_text(path.read_text().replace('"command"', '"disabled": true,\n"command"'))

    connected("cursor", Launch(["/opt/almario"], ["--agent", "work"]))

    entry = {"disabled": True, "command": "/opt/almario", "args": ["mcp", "--agent", "work"]}
    assert json.loads(path.read_text()) == {"mcpServers": {"almario": entry}}
    hooks = json.loads((home / ".cursor/hooks.json").read_text())["hooks"]
    assert [len(runs) for runs in hooks.values()] == [1] * len(hooks)
    assert program("cursor").agent == "work"


def test_your_own_hooks_and_servers_stay_when_ours_go(machine: Callable[[], Path]) -> None:
    home = machine()
    given_files("claude-code", PLAIN[7])
    connected("claude-code")
    path = home / ".claude/settings.json"
    value = json.loads(path.read_text())
    value["hooks"]["Stop"][1]["hooks"].append({"type": "command", "command": "beside ours"})
    value["hooks"]["SessionEnd"].append({"hooks": [{"type": "command", "command": "almario-like hook stop"}]})
    path.write_text(json.dumps(value))
    servers = home / ".claude.json"
    servers.write_text(
        json.dumps({"mcpServers": {"almario": {"command": "npx", "args": ["mcp", "almario"]}}})
    )

    for step in disconnecting(CLIENTS["claude-code"]):
        apply(step)

    left = json.loads(path.read_text())["hooks"]
    assert list(left) == ["Stop", "Other", "SessionEnd"]
    assert [run["command"] for group in left["Stop"] for run in group["hooks"]] == [
        "say 'done",
        "beside ours",
    ]
    assert "npx" in servers.read_text()


COMMENTED = [
    ("zed", '// Zed settings\n{\n  "theme": "One Dark", // nice\n}\n', '"context_servers"'),
    ("openclaw", "{\n  gateway: { mode: 'local' }, /* ours */\n}\n", '"servers"'),
    ("claude-desktop", '{"mcpServers": {},}', '"mcpServers"'),
    ("codex", 'mcp_servers = { x = { command = "y" } }\n', "[mcp_servers.almario]"),
]


@each_row(("name", "text", "printed"), COMMENTED)
def test_comments_are_never_lost_what_to_add_is_printed_instead(
    name: str, text: str, printed: str, machine: Callable[[], Path], run: Run
) -> None:
    home = machine()
    run("init", "--yes")
    before = given_files(name, text)

    result = run("connect", name, "--no-hooks", "--yes")

    assert result.code == 1
    assert printed in result.out
    assert "yourself" in result.out
    assert {path: path.read_bytes() for path in before} == before
    assert not list(home.rglob("*.before-almario"))
    path = path_of(CLIENTS[name])
    assert settings_in(path, "\n".join(result.out.splitlines()[1:])).entry((*CLIENTS[name].key, "almario"))


BROKEN = [
    ("cursor", b'{"mcpServers": {', "is not valid (line 1); fix it first (nothing was changed)"),
    ("cursor", b"[1]", "is not valid (line 1)"),
    ("cursor", b'{"mcpServers": []}', '"mcpServers" in'),
    ("cursor", b'{"mcpServers": {"almario": 3}}', '"mcpServers" in'),
    ("cursor", b"\xff\xfe{}", "is not UTF-8 text"),
    ("cursor", b"[" * 100_000, "is not valid"),
    ("cursor", b'{"mcpServers": {}, "a": 1, "a": 2}', 'has "a" twice in one place; remove one first'),
    ("cursor", b'{"mcpServers": {"x": {}, "x": {}}} // mine', 'has "x" twice in one place'),
    ("claude-code", b'{"mcpServers": 1}', '"mcpServers" in'),
    ("codex", b"a = = 1", "is not valid"),
]


@each_row(("name", "content", "sentence"), BROKEN)
def test_a_file_that_is_not_valid_gets_a_sentence_and_is_not_touched(
    name: str, content: bytes, sentence: str, machine: Callable[[], Path], run: Run
) -> None:
    home = machine()
    run("init", "--yes")
    path = path_of(CLIENTS[name])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)

    for said in (run("connect", name, "--yes"), run("disconnect", name, "--yes")):
        assert (said.code, said.out) == (2, "")
        assert sentence in said.err
        assert len(said.err.splitlines()) == 1
    assert [each for each in home.rglob("*") if each.is_file()] == [path]
    assert path.read_bytes() == content
    assert str(path) in run("connect").out


@each_row(("name", "text"), [("cursor", '{"mcpServers": null}'), ("openclaw", '{"mcp": null}')])
def test_null_is_as_good_as_nothing(name: str, text: str, machine: Callable[[], Path]) -> None:
    machine()
    path = path_of(CLIENTS[name])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)

    connected(name)

    assert program(name).mcp


def test_hooks_that_are_not_valid_get_a_sentence_too(machine: Callable[[], Path], run: Run) -> None:
    home = machine()
    run("init", "--yes")
    path = home / ".cursor/hooks.json"
    path.parent.mkdir()
    for text in ('{"hooks": []}', '{"hooks": {"stop": {}}}'):
        path.write_text(text)
        result = run("connect", "cursor", "--yes")
        assert (result.code, result.err.count("\n")) == (2, 1)
        assert '"hooks" in' in result.err
        assert not (home / ".cursor/mcp.json").exists()


def test_an_edit_made_while_the_question_is_open_is_not_lost(machine: Callable[[], Path]) -> None:
    home = machine()
    steps = connecting(CLIENTS["zed"], LINE)
    path = home / ".config/zed/settings.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"theme": "new"}')

    with pytest.raises(EditConflict):
        apply(steps[0])

    assert path.read_text() == '{"theme": "new"}'


def test_a_pipe_is_not_waited_for(machine: Callable[[], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    path = machine() / "pipe.json"
    os.mkfifo(path)
    monkeypatch.setattr(Path, "read_bytes", lambda _: b"{}")  # nobody would write into it

    with pytest.raises(DocumentError, match="not a regular file"):
        read_settings(path)


def test_a_link_stays_a_link_and_a_mode_stays_a_mode(machine: Callable[[], Path]) -> None:
    home = machine()
    real = home / "dotfiles/mcp.json"
    real.parent.mkdir()
    real.write_text("{}")
    real.chmod(0o640)
    (home / ".cursor").mkdir()
    (home / ".cursor/mcp.json").symlink_to(real)

    connected("cursor")

    assert (home / ".cursor/mcp.json").is_symlink()
    assert "almario" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640
    assert (home / ".cursor/mcp.json.before-almario").stat().st_mode & 0o777 == 0o640


def test_from_the_command_line(machine: Callable[[], Path], run: Run, home: Path) -> None:
    user = machine()
    assert "–" in run("connect").out
    result = run("connect", "cursor")
    assert (result.code, result.err) == (2, "Error: nothing was changed: there is nobody to ask; add --yes\n")
    assert not (user / ".cursor").exists()
    assert not home.exists()

    result = run("connect", "cursor", "--yes")  # makes the first agent on the way
    assert result.code == 0
    assert '+    "almario": {' in result.out
    assert result.out.endswith("Cursor is connected to default. Restart it if it is running.\n")
    with almario.open(home) as soul:
        assert soul.id == "default"
    words = json.loads((user / ".cursor/mcp.json").read_text())["mcpServers"]["almario"]
    assert Path(words["command"]).is_absolute()
    assert words["args"][-5:] == ["mcp", "--home", str(home), "--agent", "default"]
    assert run("connect", "cursor", "--yes").out == "Cursor is already connected to default.\n"
    assert "cursor          yes        default  MCP + hooks" in run("connect").out
    told = {each["id"]: each for each in json.loads(run("connect", "--json").out)}
    assert told["cursor"]["hooks"]
    assert told["cursor"]["agent"] == "default"
    assert not told["zed"]["is_installed"]

    assert json.loads(run("disconnect", "cursor", "--yes", "--json").out)["connected"] is False
    assert run("disconnect", "cursor").out == "Cursor is not connected.\n"


def test_parts_can_be_left_out_and_bad_wishes_get_a_sentence(machine: Callable[[], Path], run: Run) -> None:
    user = machine()
    run("init", "--yes")

    run("connect", "cursor", "--no-hooks", "--yes")
    assert [path.name for path in (user / ".cursor").iterdir()] == ["mcp.json"]
    run("disconnect", "cursor", "--yes")
    run("connect", "cursor", "--no-mcp", "--yes")
    assert [path.name for path in (user / ".cursor").iterdir()] == ["hooks.json"]
    for arguments, sentence in (
        (["zed", "--hooks"], "Zed has no hooks; leave out --hooks"),
        (["zed", "--no-mcp"], "there is nothing to connect without MCP and hooks"),
        (["cursor", "--agent", "nobody"], '"nobody"'),
    ):
        result = run("connect", *arguments, "--yes")
        assert result.code == 2
        assert sentence in result.err


def test_the_plug_in_says_what_connect_says(run: Run) -> None:
    folder = Path(run("connect", "--plugin").out.strip())
    plugin = folder / "almario"
    manifests = [
        json.loads((plugin / f".{name}-plugin/plugin.json").read_text())
        for name in ("claude", "codex", "cursor")
    ]
    assert {each["version"] for each in manifests} == {almario.__version__}
    assert {each["name"] for each in manifests} == {"almario"}
    line = Launch(["almario"], [])
    for name, file in (("claude-code", "hooks"), ("codex", "hooks"), ("cursor", "cursor")):
        hooks = CLIENTS[name].hooks
        assert hooks
        text = (plugin / f"hooks/{file}.json").read_text()
        assert [f'"{line.hook(event)}"' in text for event in hooks.events.values()] == [True] * len(
            hooks.events
        )
        own = [event for event in json.loads(text)["hooks"] if event in hooks.events]
        assert own == list(hooks.events)
    assert json.loads((plugin / ".mcp.json").read_text())["mcpServers"]["almario"] == {
        "command": "almario",
        "args": ["mcp"],
    }
    head = (plugin / "skills/almario-memory/SKILL.md").read_text().split("---")[1]
    assert "name: almario-memory" in head
    for manifest in (".claude-plugin", ".agents/plugins", ".cursor-plugin"):
        assert "./almario" in (folder / manifest / "marketplace.json").read_text()


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES, VALUES, st.sampled_from([None, 2, "\t"]))
def test_a_rewritten_text_says_the_new_value_whatever_it_said_before(old: Any, new: Any, indent: Any) -> None:
    text = json.dumps(old, indent=indent)

    assert json.loads(rewritten(text, new)) == new
    assert rewritten(text, old) == text
    assert json.loads(relaxed(text)) == old


def test_the_doctor_names_a_program_that_is_connected_and_was_never_heard(
    machine: Callable[[], Path], run: Run
) -> None:
    machine()
    run("connect", "cursor", "--yes")

    result = run("doctor").out

    assert "! cursor: connected, and not heard yet\n  → restart it, then say something to it" in result


def test_the_doctor_says_that_a_program_is_connected_to_another_home(
    machine: Callable[[], Path], run: Run, tmp_path: Path
) -> None:
    machine()
    other = tmp_path / "other"
    run("--home", str(other), "connect", "cursor", "--yes")

    result = run("doctor").out

    assert f"! cursor: connected to another home: {other}\n" in result
    assert '→ "almario connect cursor" connects it to this one' in result
    assert "another home" not in run("--home", str(other), "doctor").out


def test_a_file_that_cannot_be_replaced_is_named(
    machine: Callable[[], Path], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine()

    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied", "/tmp/.mcp.json.x1")

    monkeypatch.setattr(settings_file, "mkstemp", refuse)
    result = run("connect", "cursor", "--yes")

    assert "mcp.json cannot be written: Permission denied" in result.err
    assert ".x1" not in result.err


def test_the_doctor_offers_the_hooks_that_an_older_connection_lacks(
    machine: Callable[[], Path], run: Run
) -> None:
    settings = machine() / ".claude" / "settings.json"
    run("connect", "claude-code", "--yes")
    assert "without these hooks" not in run("doctor").out
    old = json.loads(settings.read_text())
    del old["hooks"]["PreToolUse"]
    settings.write_text(json.dumps(old))

    result = run("doctor").out

    assert "! claude-code: connected without these hooks: PreToolUse\n" in result
    assert '→ "almario connect claude-code" shows them and asks first' in result
    assert json.loads(settings.read_text()) == old
    run("connect", "claude-code", "--yes")
    assert "without these hooks" not in run("doctor").out

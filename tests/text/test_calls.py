"""What an agent is about to do, read from the call of a tool."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from almario.text.calls import call_in, commands_in
from almario.text.cures import mends
from almario.text.forbidding import forbids
from tests.tables import each_row

PATCH = "*** Begin Patch\n*** Update File: src/tide.py\n@@\n-height = 3\n+height = 8\n*** End Patch"
CALLS: list[tuple[str, dict[str, Any], tuple[str, str]]] = [
    ("Bash", {"command": "git push origin main"}, ("run", "")),
    ("Bash", {"command": "cat src/tide.py"}, ("read", "src/tide.py")),
    ("Bash", {"command": "cd /src/boat && sed -n '1,80p' src/tide.py"}, ("read", "src/tide.py")),
    ("Bash", {"command": "sed -i s/a/b/ src/tide.py"}, ("run", "")),
    ("Bash", {"command": "cat src/tide.py > src/other.py && make"}, ("run", "")),
    ("Bash", {"command": f"apply_patch <<'EOF'\n{PATCH}\nEOF"}, ("edit", "src/tide.py")),
    ("apply_patch", {"input": PATCH}, ("edit", "src/tide.py")),
    ("Read", {"file_path": "/src/boat/src/tide.py"}, ("read", "src/tide.py")),
    ("Edit", {"file_path": "/src/boat/src/tide.py", "new_string": "x"}, ("edit", "src/tide.py")),
]


@each_row(("tool", "given", "wanted"), CALLS)
def test_a_call_is_read_for_what_it_is(tool: str, given: dict[str, Any], wanted: tuple[str, str]) -> None:
    call = call_in(tool, given, "/src/boat")
    assert call
    assert (call.kind, call.path) == wanted


@each_row("tool", ["Glob", "WebFetch", "TodoWrite", "", "Bash"])
def test_what_neither_runs_a_command_nor_touches_a_file_is_no_call(tool: str) -> None:
    assert call_in(tool, {"pattern": "**/*.py", "command": "  "}) is None


@given(st.text(st.characters() | st.sampled_from("'\"\\|&;()$`\n<> =-./"), max_size=60))
def test_whatever_a_line_is_it_is_read_without_an_error(line: str) -> None:
    list(commands_in(line))
    mends(line, "make all")
    mends("make all", line)
    call = call_in("Bash", {"command": line})
    assert call is None or forbids("Never push to main.", call) in (True, False)
    assert call is None or call.fields.keys() == {"command", "path", "purpose", "written"}


ODD = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), st.lists)


@given(st.dictionaries(st.sampled_from(["command", "cmd", "file_path", "edits", "patch", "content"]), ODD))
def test_whatever_a_tool_is_given_it_is_read_without_an_error(given: dict[str, Any]) -> None:
    for tool in ("Bash", "Edit", "apply_patch", "Read"):
        call_in(tool, given, "/src/boat")

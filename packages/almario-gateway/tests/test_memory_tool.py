"""The notes that a model keeps with Anthropic's memory tool."""

from typing import Any

import pytest

from almario.domain.model import Scope
from almario.errors import ToolError
from almario.soul import Soul
from almario_gateway.notes import MemoryNotes
from tests.tables import each_row

pytestmark = pytest.mark.light


def test_a_model_keeps_notes(soul: Soul) -> None:
    def call(command: str, **given: Any) -> str:
        return MemoryNotes(soul).call({"command": command, **given})

    path = "/memories/trips/lima.md"
    assert (
        call("create", path=path, file_text="Plan\nSee the sea\n") == f"File created successfully at: {path}"
    )
    assert call("str_replace", path=path, old_str="sea", new_str="Andes").endswith(
        "     2\tSee the Andes\n     3\t"
    )
    call("insert", path=path, insert_line=1, insert_text="Fly\n")
    assert call("view", path=path, view_range=[2, 3]).endswith(":\n     2\tFly\n     3\tSee the Andes")
    assert f"23B\t{path}" in call("view", path="/memories").split("\n")
    assert call("view", path="/memories/trips").endswith(path)
    call("rename", old_path=path, new_path="/memories/andes.txt")
    assert "See the Andes" in call("view", path="/memories/andes.txt")
    call("delete", path="/memories/andes.txt")
    with pytest.raises(ToolError, match="does not exist"):
        call("view", path=path)


def test_a_model_can_read_who_it_is_and_what_it_remembers(soul: Soul) -> None:
    soul.remember("cat: Michi")
    soul.log("Ana rowed.")
    soul.finish()
    view = [
        MemoryNotes(soul).call({"command": "view", "path": f"/memories{path}"}) for path in ("", "/memory")
    ]

    assert "/memories/SOUL.md" in view[0]
    assert "/memories/memory/2026-11-14.md" in view[1]
    shown = MemoryNotes(soul).call({"command": "view", "path": "/memories/memory/2026-11-14.md"})
    assert "Ana rowed." in shown
    assert "Michi" in MemoryNotes(soul).call({"command": "view", "path": "/memories/memory.md"})


def test_a_change_to_a_soul_file_becomes_a_proposal(soul: Soul) -> None:
    before = soul.read("SOUL").text
    first = before.split("\n", 1)[0]
    given = {"command": "str_replace", "path": "/memories/SOUL.md", "old_str": first, "new_str": "# My soul"}

    done = MemoryNotes(soul).call(given)

    assert "Nothing has changed: your human decides." in done
    assert soul.read("SOUL").text == before
    [proposal] = soul.proposals.list()
    assert (proposal.file, proposal.origin) == ("SOUL.md", "agent")


def test_notes_are_found_when_asked_for_and_never_come_to_mind(soul: Soul) -> None:
    given = {
        "command": "create",
        "path": "/memories/a.md",
        "file_text": "The captain of the Albatros is a spy.",
    }
    MemoryNotes(soul).call(given)

    assert "Albatros" not in soul.prompt("Who is the captain of the Albatros?").text
    assert list(soul.recall("captain of the Albatros")) == []
    [hit] = soul.recall("captain of the Albatros", scope=Scope(include=("untrusted",)))
    assert hit.place.startswith("memory/notebook/a.md")


def test_notes_are_for_the_owner_alone_and_nothing_is_noted_off_the_record(soul: Soul) -> None:
    look = {"command": "view", "path": "/memories"}
    soul.append("chat:1", "user", "Hi!", origin="untrusted", speaker="Bob")
    with pytest.raises(ToolError, match="others are present"):
        MemoryNotes(soul).call(look, session="chat:1")

    soul.off_record("chat:2")
    with pytest.raises(ToolError, match="off the record"):
        MemoryNotes(soul).call(
            {"command": "create", "path": "/memories/a", "file_text": "x"}, session="chat:2"
        )
    assert "SOUL.md" in MemoryNotes(soul).call(look, session="chat:2")


def test_a_secret_is_not_noted(soul: Soul) -> None:
    secret = "sk-ant-api03-" + "a1B2" * 20
    MemoryNotes(soul).call({"command": "create", "path": "/memories/a.md", "file_text": f"key: {secret}"})

    assert secret not in MemoryNotes(soul).call({"command": "view", "path": "/memories/a.md"})
    human = soul.read("USER")
    soul.write(human, f"{human.text}\nkey: {secret}\n")
    assert secret not in MemoryNotes(soul).call({"command": "view", "path": "/memories/USER.md"})


def test_there_are_not_more_notes_than_anybody_reads(soul: Soul, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("almario_gateway.notes._MOST_NOTES", 1)
    MemoryNotes(soul).call({"command": "create", "path": "/memories/a.md", "file_text": "One"})

    with pytest.raises(ToolError, match="there are 1 notes already"):
        MemoryNotes(soul).call({"command": "create", "path": "/memories/b.md", "file_text": "Two"})


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"command": "view", "path": path}, "is not a path in /memories")
    for path in (
        "/memories/../SOUL.md",
        "/memories/a/../../../etc/passwd",
        "/etc/passwd",
        "memories/a",
        "/memoriesX/a",
        "/memories/.versions/a",
        "/memories/a\\..\\b",
        "/memories/a\nb",
        "/memories/\ud800",
        "/memories/" + "a/" * 9,
        "/memories/" + "a" * 150,
        "//memories/a",
    )
] + [
    ({"command": "view", "path": "/memories/journal/000000001.jsonl"}, "does not exist"),
    ({"command": "view", "path": "/memories/memory/../../x"}, "is not a path"),
    ({"command": "view", "path": "/memories/memory/snapshots/a.md"}, "can only be read"),
    ({"command": "view"}, '"path" is missing'),
    ({}, "has no command"),
    ({"command": "burn", "path": "/memories/a"}, "has no command"),
    ({"command": "create", "path": "/memories", "file_text": "x"}, "is a folder"),
    ({"command": "create", "path": "/memories/USER.md", "file_text": "x"}, "can only be read"),
    ({"command": "create", "path": "/memories/memory/x.md", "file_text": "x"}, "can only be read"),
    ({"command": "create", "path": "/memories/a", "file_text": "x" * 100_001}, "at most 100000 characters"),
    ({"command": "create", "path": "/memories/there.md", "file_text": "x"}, "already"),
    ({"command": "create", "path": "/memories/a", "file_text": 3}, '"file_text" is missing'),
    ({"command": "str_replace", "path": "/memories/there.md", "old_str": "e", "new_str": ""}, "2 times"),
    ({"command": "str_replace", "path": "/memories/no.md", "old_str": "e", "new_str": ""}, "does not exist"),
    (
        {"command": "insert", "path": "/memories/there.md", "insert_line": 9, "insert_text": "x"},
        "from 0 to 1",
    ),
    ({"command": "delete", "path": "/memories"}, "is a folder"),
    ({"command": "delete", "path": "/memories/SOUL.md"}, "can only be read"),
    (
        {"command": "rename", "old_path": "/memories/there.md", "new_path": "/memories/SOUL.md"},
        "only be read",
    ),
    ({"command": "rename", "old_path": "/memories/SOUL.md", "new_path": "/memories/x.md"}, "only be read"),
]


@each_row(("command", "why"), WRONG)
def test_what_is_wrong_is_told_and_nothing_changes(command: dict[str, Any], why: str, soul: Soul) -> None:
    notes = MemoryNotes(soul)
    if "there.md" not in notes.call({"command": "view", "path": "/memories"}):
        notes.call({"command": "create", "path": "/memories/there.md", "file_text": "there\n"})
    before = notes.call({"command": "view", "path": "/memories"})

    with pytest.raises(ToolError, match=why):
        notes.call(command)

    assert notes.call({"command": "view", "path": "/memories"}) == before


def test_the_tool_runner_of_anthropics_sdk_takes_the_notes(soul: Soul) -> None:
    anthropic = pytest.importorskip("anthropic")
    from tests.apps.gateway.providers import Provider, message, running, said

    call = {"type": "tool_use", "id": "toolu_1", "name": "memory"}
    given = [
        {"command": "create", "path": "/memories/boat.md", "file_text": "Albatros"},
        {"command": "view", "path": "/nowhere"},
    ]
    asked = [message({**call, "input": each}, stop="tool_use") for each in given]
    with running(Provider(*asked, message(said("Done.")))) as provider:
        client = anthropic.Anthropic(base_url=provider.url, api_key="none", max_retries=0)
        runner = client.beta.messages.tool_runner(
            model="claude-test",
            max_tokens=100,
            messages=[{"role": "user", "content": "Note my boat."}],
            tools=[MemoryNotes(soul).for_anthropic()],
        )
        last = runner.until_done()
        client.close()

    assert last.content[0].text == "Done."
    assert provider.bodies[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    results = [body["messages"][-1]["content"][0] for body in provider.bodies[1:]]
    assert "File created" in str(results[0]["content"])
    assert results[1]["is_error"] is True
    assert "Albatros" in MemoryNotes(soul).call({"command": "view", "path": "/memories/boat.md"})


@pytest.mark.folder
def test_a_link_in_the_notebook_leads_nowhere(soul: Soul) -> None:
    human, notebook = soul.path / "USER.md", soul.path / "memory" / "notebook"
    human.write_text("# Human\n\nMine.\n")
    notebook.mkdir(parents=True)
    (notebook / "link.md").symlink_to(human)
    edit = {"command": "str_replace", "old_str": "Mine", "new_str": "Yours"}

    for given in ({"command": "view"}, edit):
        with pytest.raises(ToolError, match="it is a link"):
            MemoryNotes(soul).call({**given, "path": "/memories/link.md"})
    assert human.read_text() == "# Human\n\nMine.\n"

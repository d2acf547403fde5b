"""What every program with hooks must do: what is told in one session is known in the next, unasked."""

from collections.abc import Callable, Sequence

from proofs.clients.endpoints import Endpoint, Request, ToolCall
from proofs.clients.machine import Machine

NAME = "Vesper"
FACT = "By the way, my dog Bruno is afraid of thunder."
QUESTION = "What is Bruno afraid of?"
# How the model passes the time until the server has started, and how often: on a busy machine it takes long.
WAIT, _WAITS = "sleep 5", 12


def check_memory(endpoint: Endpoint, say: Callable[[str], object]) -> str:
    """Tell a fact in one session and ask for it in another; return the line that came to mind.

    Only what the endpoint received counts: the first request of the second
    session has the fact, although the model called no tool.
    """
    say(FACT)
    first = endpoint.taken()
    assert NAME in first[0].told(), "the model was not told who it is"
    assert "thunder" not in first[0].told().replace(FACT, ""), "it knew before it was told"

    say(QUESTION)
    second = endpoint.taken()
    notices = second[0].told()
    assert QUESTION in notices
    lines = [line for line in notices.splitlines() if "afraid of thunder" in line]
    assert lines, "the second session does not know what was told in the first"
    assert FACT not in notices.splitlines(), "it is the first session, continued"
    assert not any(request.results() for request in [*first, *second]), "a tool was called"
    return lines[0]


def check_tool(endpoint: Endpoint, say: Callable[[str], object], *, wait: ToolCall, recall: str) -> None:
    """Have the model look the fact up with a tool, for which it may have to wait.

    A client does not wait for a server that is still starting: what it has
    to offer is missing from the first requests of a session.
    """
    endpoint.script, endpoint.meanwhile = [ToolCall(recall, {"query": "thunder"})], [wait] * _WAITS
    say("Look it up.")
    asked = endpoint.taken()
    assert not endpoint.script, f"there is no {recall} among {asked[-1].tools()}"
    assert "Bruno" in asked[-1].results()[-1], asked[-1].results()


RULE = "The heights in tide.py are in feet, never metres: the almanac is printed in feet."
NEVER = "Never run ./launch.sh."


def check_acts(
    user: Machine, endpoint: Endpoint, say: Callable[[str], object], *, run: str, edit: Sequence[ToolCall]
) -> str:
    """What matters for a file comes with it, a held command runs the second time, and what was done is kept.

    *run* is the tool that runs a command, *edit* what leads to a change of tide.py, the change last.
    """
    launch, launched = user.project / "launch.sh", user.project / "launched"
    launch.write_text("#!/bin/sh\necho flying >> launched\n")
    launch.chmod(0o755)
    (user.project / "tide.py").write_text("height = 3\n")
    user.run("almario", "remember", "--project", "work", NEVER)
    user.run("almario", "config", "set", "hooks.hold", "rules")

    say(RULE)
    endpoint.taken()
    endpoint.script = list(edit)
    say("Make it higher.")
    asked = endpoint.taken()
    assert not endpoint.script, "not every tool was called"
    assert "height = 8" in (user.project / "tide.py").read_text(), asked[-1].results()
    first = _first_with(asked, "the almanac is printed in feet")
    assert 0 < first < len(edit), f"it came with request {first}, and the edit was asked for after it"

    key = "command" if run == "Bash" else "cmd"
    endpoint.script = [ToolCall(run, {key: "./launch.sh"})]
    say("Launch it.")
    held = endpoint.taken()
    assert not launched.exists(), "what was held did run"
    assert NEVER in held[-1].results()[-1], held[-1].results()
    endpoint.script = [ToolCall(run, {key: "./launch.sh"}), ToolCall(run, {key: "./launch.sh"})]
    say("Launch it, I mean it.")
    endpoint.taken()
    assert launched.read_text() == "flying\n", "the second time it is to run, once"

    kept = "\n".join(
        path.read_text() for path in (user.home / ".almario").rglob("*.jsonl") if "sessions" in str(path)
    )
    assert "./launch.sh" in kept, "what was done is not kept"
    assert "changed tide.py" in kept, "what was changed is not kept"
    return f"told with request {first} of {len(asked)}, held once, and kept"


def _first_with(asked: Sequence[Request], words: str) -> int:
    """Return the number of the first request in which the model is told something."""
    return next((n for n, request in enumerate(asked) if words in request.told()), len(asked))

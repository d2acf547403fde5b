"""What every program with hooks must do: what is told in one session is known in the next, unasked."""

from collections.abc import Callable

from proofs.clients.endpoints import Endpoint, ToolCall

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

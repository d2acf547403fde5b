"""The tools that only other programs need: to ask why, to report a conversation, to search and fetch."""

import os
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypedDict
from urllib.parse import quote

from almario.conversation.memory_tools import MEMORY, line_of, memory_json, text_of
from almario.conversation.prompt_sections import hit_words, memory_words
from almario.conversation.tool_calls import Context, Done
from almario.conversation.tools import (
    FLAG,
    STRING,
    STRINGS,
    ArgumentLimits,
    Document,
    Line,
    Name,
    Passage,
    listed,
    offer,
    shaped,
    tool,
)
from almario.conversation.voice import Voice
from almario.domain.documents.daily import log_path
from almario.domain.memories import UNTRUSTED, Memory
from almario.domain.messages import Sentence
from almario.domain.model import Query
from almario.domain.plain_text import shortened, uncontrolled, whole
from almario.domain.turns import Turn, Utterance, session_key
from almario.errors import SoulError, ToolError
from almario.memory.telling import Listener, hears_memory

# The sessions that are reported, of which nobody has captured a word.
_CHANNEL = "mcp"
_RESULTS = 10
# The most characters of a file, and of the title of a search result.
_MOST, _TITLE = 100_000, 80
# The name by which today's log is fetched.
_TODAY = "log/today"
_CHANGE = dict.fromkeys(("when", "by", "what"), STRING)
_REASONS = {
    "memory": shaped(MEMORY),
    "state": STRING,
    "source": STRING,
    "evidence": STRINGS,
    "history": listed(_CHANGE),
    "replaced": listed(MEMORY),
    "replaced_by": shaped(MEMORY),
}
_RESULT = dict.fromkeys(("id", "title", "url"), STRING)
_FETCHED = {**_RESULT, "text": STRING, "metadata": {"type": "object", "additionalProperties": STRING}}


@offer("why", Sentence("Why is this remembered?"), shaped(_REASONS, optional=("replaced_by",)))
@tool("Tell what a memory rests on, and what became of it.", modes=(), reads=True)
def why(parts: Voice, context: Context, id: Annotated[Name, "As recall gives it."]) -> Done:
    reasons, zone = parts.memory.why(id.strip()), parts.vault.zone
    memory = reasons.memory
    if not hears_memory(context.audience, memory):
        raise ToolError("that memory is not for those who are present")
    history = [
        {"when": each.at.astimezone(zone).isoformat(timespec="minutes"), "by": each.actor, "what": each.verb}
        for each in reasons.history
    ]
    structured: dict[str, Any] = {
        "memory": memory_json(memory, zone),
        "state": reasons.state,
        "source": memory.source,
        "evidence": list(memory.evidence),
        "history": history,
        "replaced": [memory_json(each, zone) for each in reasons.replaced],
    }
    lines = [line_of(memory, zone), f"{reasons.state}, {memory.source}, from: {memory.origin}"]
    lines += [f"based on: {', '.join(memory.evidence)}"] if memory.evidence else []
    lines += [f"{each['when']} {each['what']} by {each['by']}" for each in history]
    lines += [f"replaced {line_of(each, zone)}" for each in reasons.replaced]
    if reasons.replaced_by:
        structured["replaced_by"] = memory_json(reasons.replaced_by, zone)
        lines.append(f"replaced by {line_of(reasons.replaced_by, zone)}")
    return Done("\n".join(lines), memory.origin, memories=(memory.id,), structured=structured)


class Reported(TypedDict):
    """What was said in a conversation that another program reports."""

    role: Literal["user", "assistant"]
    text: Document


@offer(
    "session_append",
    Sentence("Report a conversation"),
    shaped({"session": STRING, "turns": STRINGS, "ended": FLAG}),
)
@tool("Report what was said in this conversation, to be learned from; not if hooks do.", modes=())
def session_append(
    parts: Voice,
    context: Context,
    *,
    session: Annotated[Name, "As this gave it before; without it, a new one begins."] = "",
    messages: Annotated[
        list[Reported], ArgumentLimits(minItems=1, maxItems=100), "In their order, word for word."
    ],
    end: Annotated[bool, "The conversation is over."] = False,
) -> Done:
    """Keep what a model says was said: it is the model's word, whoever is said to have said it."""
    # What the owner said stands in sessions that were not begun here.
    if session and (not session.startswith(f"{_CHANNEL}:") or not parts.sessions.turns(session, last=1)):
        raise ToolError(
            'there is no session "{key}"; without one, session_append begins it', key=session[:80]
        )
    session = session or session_key(_CHANNEL, os.urandom(8).hex())
    utterances = [Utterance(each["role"], uncontrolled(whole(each["text"])), "agent") for each in messages]
    turns = [parts.keep(session, each) for each in utterances]
    if end:
        parts.sessions.reset(session, "ended")
        parts.learning.want(session)
    else:
        parts.learning.consider(session)
    text = f"Kept {len(turns)} messages in session {session}{', which is over' if end else ''}."
    return Done(text, structured={"session": session, "turns": [turn.id for turn in turns], "ended": end})


@offer("search", Sentence("Search"), shaped({"results": listed(_RESULT)}), in_json=True)
@tool("Search the memory; fetch reads what it finds.", modes=(), reads=True)
def search(parts: Voice, context: Context, query: Passage) -> Done:
    found = parts.memory.recall(Query(query, hidden=context.seen), Listener(context.audience, _RESULTS))
    results = [_result_json(hit.name, hit_words(hit)) for hit in found]
    text = "\n".join(f"{each['id']}: {each['title']}" for each in results) or "Nothing is found."
    ids = tuple(hit.memory for hit in found if hit.memory)
    return Done(text, UNTRUSTED, memories=ids, structured={"results": results})


@offer("fetch", Sentence("Read"), shaped(_FETCHED), in_json=True)
@tool("Read what search found.", modes=(), reads=True)
def fetch(parts: Voice, context: Context, id: Line) -> Done:
    """Read a memory, or for the owner also a turn, or a file from a line on."""
    name = id.strip()
    if memory := _memory_named(name, parts, context):
        state, at = parts.memory.state(memory), memory.at.isoformat()
        more = {"kind": memory.kind, "origin": memory.origin, "state": state, "at": at}
        return _fetched(name, memory_words(memory), more)._replace(memories=(memory.id,))
    if context.audience.is_private and (turn := _turn(name, parts)):
        more = {"kind": "turn", "origin": turn.origin, "role": turn.role, "at": turn.at.isoformat()}
        return _fetched(name, turn.text, more)
    path, _, line = name.partition("#")
    if not context.audience.is_private or not (path == _TODAY or path.endswith(".md")):
        raise ToolError('nothing is found under "{name}"; search gives the names', name=name[:80])
    today = log_path(parts.vault.now().date())
    path = today if path == _TODAY else path
    is_unwritten = path == today and parts.vault.read(path).content is None
    text = "" if is_unwritten else parts.memory.redact.text(text_of(parts, path))
    first = int(line) - 1 if line.isdecimal() and len(line) < 9 else 0
    text = "\n".join(text.split("\n")[max(0, first) :])[:_MOST]
    return _fetched(name, text, {"kind": "file", "path": path})


def _memory_named(name: str, parts: Voice, context: Context) -> Memory | None:
    try:
        found = parts.memory.get(name)
    except SoulError:
        return None
    return found if hears_memory(context.audience, found) else None


def _turn(name: str, parts: Voice) -> Turn | None:
    """Return what was said in a turn, unless it is off the record or forgotten."""
    found = parts.vault.turn(name)
    return found if found and not found.is_off and name not in parts.memory.out_of_mind() else None


def _fetched(name: str, text: str, more: Mapping[str, str]) -> Done:
    structured = {**_result_json(name, text), "text": text, "metadata": dict(more)}
    return Done(text, UNTRUSTED, structured=structured)


def _result_json(name: str, text: str) -> dict[str, str]:
    address = f"almario://memory/{quote(name, safe='')}"
    return {"id": name, "title": shortened(" ".join(text.split()), _TITLE), "url": address}

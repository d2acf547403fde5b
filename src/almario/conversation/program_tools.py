"""The tools that only other programs need: to ask why, to report a conversation, to search and fetch.

And, with them, what all the tools of the table do.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from almario.becoming.goals import Goals
from almario.becoming.proposals import Proposals
from almario.conversation.memory_tools import MemoryTools, hit_line, is_named, line_of
from almario.conversation.prompt_sections import memory_words, words_told
from almario.conversation.soul_tools import ChangeTools, SoulTools
from almario.conversation.tool_calls import Context, Function, Question, Result
from almario.conversation.tool_outputs import memory_told, result_told
from almario.conversation.voice import Voice
from almario.domain.documents.daily import log_path
from almario.domain.forgotten import name_of
from almario.domain.memories import UNTRUSTED, Memory, Recorded
from almario.domain.messages import Sentence
from almario.domain.model import Hit, Query
from almario.domain.plain_text import uncontrolled, whole
from almario.domain.turns import Said, Turn, session_key
from almario.errors import SoulError, ToolError
from almario.ports import Store

# The sessions that are reported, of which nobody has captured a word.
_CHANNEL = "mcp"
_RESULTS = 10
# Of a file, so many characters are told.
_MOST = 100_000
# The name by which today's log is fetched.
TODAY = "log/today"

# Keeps what was said in a session, as the agent does.
Keep = Callable[[str, Said], Turn]


def own_functions(
    vault: Store, voice: Voice, goals: Goals, proposals: Proposals, *, keep: Keep
) -> Mapping[str, Function]:
    """Return the function of each tool of the table."""
    memory_tools = MemoryTools(vault, voice.memory, voice.discretion)
    return {
        **memory_tools.functions(),
        **SoulTools(goals, proposals, voice.improving, voice.memory).functions(),
        **ChangeTools(voice.memory, proposals, vault.zone).functions(),
        **ProgramTools(vault, voice, memory_tools, keep).functions(),
    }


class ProgramTools:
    """Answers other programs, and keeps what they report as the word of a model."""

    def __init__(self, vault: Store, voice: Voice, memory_tools: MemoryTools, keep: Keep) -> None:
        self._vault = vault
        self._voice = voice
        self._keep = keep
        self._memory = voice.memory
        self._text_of = memory_tools.text_of
        self._forget_in_chat = memory_tools.functions()["forget"]

    def functions(self) -> dict[str, Function]:
        """Return each tool's function by its name."""
        return {
            "forget": self._forget,
            "why": self._why,
            "session_append": self._append,
            "session_end": self._end,
            "search": self._search,
            "fetch": self._fetch,
        }

    def _forget(self, given: Mapping[str, Any], context: Context) -> Result:
        """Forget, for a program, what the owner names or agrees to, or one thing that is not their word."""
        if context.caller is None:
            return self._forget_in_chat(given, context)
        found = self._memory.meant(str(given["key"]).strip(), context.evidence)
        named = tuple(hit for hit in found.sure if is_named(hit.key, hit.text, context.message))
        if found._replace(sure=named).is_one:
            return self._gone(found._replace(sure=named).things(), context.evidence)
        things = found.things(every=True)
        own = [hit for hit in things if not hit.memory or self._memory.get(hit.memory).origin == "owner"]
        if found.is_one and not own:
            return self._gone(things)
        if chosen := [hit for hit in things if name_of(hit) in context.caller.agreed]:
            return self._gone(chosen)
        sentence = 'your human did not ask to forget this; "almario forget ID" is how they do it:\n{lines}'
        why = Sentence(sentence, lines="\n".join(map(hit_line, things)))
        choices = {name_of(hit): Sentence.own(words_told(hit, "")) for hit in things}
        asked = (Sentence("Your agent wants to forget this. Do you agree?"), *choices.values())
        return Result(f"Error: {why}", is_error=True, question=Question(asked, choices))

    def _gone(self, things: Sequence[Hit], order: Sequence[str] = ()) -> Result:
        gone, zone = self._memory.put_out_of_mind(things, actor="agent", order=order), self._vault.zone
        lines = ["Forgotten:", *(line_of(memory, zone) for memory in gone)]
        return Result("\n".join(lines), structured={"forgotten": [memory_told(each, zone) for each in gone]})

    def _why(self, given: Mapping[str, Any], context: Context) -> Result:
        reasons, zone = self._memory.why(str(given["id"]).strip()), self._vault.zone
        memory = reasons.memory
        history = [self._change_told(each) for each in reasons.history]
        structured: dict[str, Any] = {
            "memory": memory_told(memory, zone),
            "state": reasons.state,
            "source": memory.source,
            "evidence": list(memory.evidence),
            "history": history,
            "replaced": [memory_told(each, zone) for each in reasons.replaced],
        }
        lines = [line_of(memory, zone), f"{reasons.state}, {memory.source}, from: {memory.origin}"]
        lines += [f"based on: {', '.join(memory.evidence)}"] if memory.evidence else []
        lines += [f"{each['when']} {each['what']} by {each['by']}" for each in history]
        lines += [f"replaced {line_of(each, zone)}" for each in reasons.replaced]
        if reasons.replaced_by:
            structured["replaced_by"] = memory_told(reasons.replaced_by, zone)
            lines.append(f"replaced by {line_of(reasons.replaced_by, zone)}")
        return Result("\n".join(lines), memory.origin, memories=(memory.id,), structured=structured)

    def _change_told(self, change: Recorded) -> dict[str, str]:
        at = change.at.astimezone(self._vault.zone).isoformat(timespec="minutes")
        return {"when": at, "by": change.actor, "what": change.verb}

    def _append(self, given: Mapping[str, Any], context: Context) -> Result:
        """Keep what a model says was said: it is the model's word, whoever is said to have said it."""
        session = str(given.get("session", ""))
        if session:
            self._need(session)
        session = session or session_key(_CHANNEL, os.urandom(8).hex())
        told = [(each["role"], uncontrolled(whole(str(each["text"])))) for each in given["messages"]]
        turns = [self._keep(session, Said(role, text, "agent")) for role, text in told]
        is_over = bool(given.get("end"))
        if is_over:
            self._end_session(session)
        else:
            self._voice.learning.consider(session)
        structured = {"session": session, "turns": [turn.id for turn in turns], "ended": is_over}
        text = f"Kept {len(turns)} messages in session {session}{', which is over' if is_over else ''}."
        return Result(text, structured=structured)

    def _end(self, given: Mapping[str, Any], context: Context) -> Result:
        session = str(given["session"])
        self._need(session)
        self._end_session(session)
        return Result(f"Session {session} is over.", structured={"session": session, "ended": True})

    def _end_session(self, session: str) -> None:
        """Begin a session anew, and learn from it in the background."""
        self._voice.sessions.reset(session, "ended")
        self._voice.learning.want(session)

    def _need(self, session: str) -> None:
        """Refuse a session that was not begun here: what the owner said stands in others."""
        if not session.startswith(f"{_CHANNEL}:") or not self._voice.sessions.turns(session, last=1):
            raise ToolError(
                'there is no session "{key}"; without one, session_append begins it', key=session[:80]
            )

    def _search(self, given: Mapping[str, Any], context: Context) -> Result:
        query = Query(str(given["query"]), _RESULTS, hidden=context.seen, audience=context.audience)
        found = self._memory.recall(query)
        results = [result_told(hit.name, words_told(hit)) for hit in found]
        text = "\n".join(f"{each['id']}: {each['title']}" for each in results) or "Nothing is found."
        ids = tuple(hit.memory for hit in found if hit.memory)
        return Result(text, UNTRUSTED, memories=ids, structured={"results": results})

    def _fetch(self, given: Mapping[str, Any], context: Context) -> Result:
        """Read a memory, or for the owner also a turn, or a file from a line on."""
        name = str(given["id"]).strip()
        if memory := self._memory_named(name, context):
            state, at = self._memory.state(memory), memory.at.isoformat()
            more = {"kind": memory.kind, "origin": memory.origin, "state": state, "at": at}
            return _fetched(name, memory_words(memory), more)._replace(memories=(memory.id,))
        if context.audience.is_private and (turn := self._turn(name)):
            more = {"kind": "turn", "origin": turn.origin, "role": turn.role, "at": turn.at.isoformat()}
            return _fetched(name, turn.text, more)
        path, _, line = name.partition("#")
        if not context.audience.is_private or not (path == TODAY or path.endswith(".md")):
            raise ToolError('nothing is found under "{name}"; search gives the names', name=name[:80])
        today = log_path(self._vault.now().date())
        path = today if path == TODAY else path
        is_unwritten = path == today and self._vault.read(path).content is None
        text = "" if is_unwritten else self._memory.without_secrets(self._text_of(path))
        first = int(line) - 1 if line.isdecimal() and len(line) < 9 else 0
        text = "\n".join(text.split("\n")[max(0, first) :])[:_MOST]
        return _fetched(name, text, {"kind": "file", "path": path})

    def _memory_named(self, name: str, context: Context) -> Memory | None:
        """Return the memory with that id, if this audience may hear it."""
        try:
            found = self._memory.get(name)
        except SoulError:
            return None
        return found if context.audience.hears_of(found) else None

    def _turn(self, name: str) -> Turn | None:
        """Return what was said in a turn, unless it is off the record or forgotten."""
        session, _, number = name.rpartition("#")
        if not session or not number.isdecimal() or len(number) > 9 or name in self._memory.out_of_mind():
            return None
        try:
            found = self._vault.transcripts.read(session, after=int(number) - 1)
        except SoulError:  # no session can have such a name
            return None
        return next((turn for turn in found[:1] if turn.n == int(number) and not turn.is_off), None)


def _fetched(name: str, text: str, more: Mapping[str, str]) -> Result:
    structured = {**result_told(name, text), "text": text, "metadata": dict(more)}
    return Result(text, UNTRUSTED, structured=structured)

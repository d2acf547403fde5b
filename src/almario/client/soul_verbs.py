"""The verbs of `Soul` and of its parts, asked of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from almario.client.calls import Call, Steps, done, named, new_key, one
from almario.client.file_verbs import RemoteFiles
from almario.client.from_json import read
from almario.client.looking_verbs import RemoteLooking
from almario.client.memory_verbs import RemoteMemories
from almario.client.part_verbs import (
    RemoteCosts,
    RemoteDrift,
    RemoteGoals,
    RemoteProposals,
    RemoteSessions,
    RemoteTools,
)
from almario.client.verbs import Face, verb
from almario.client.work_verbs import RemoteReflection, RemoteTidying
from almario.domain.memories import Memory, Origin
from almario.domain.messages import Sentence
from almario.domain.model import Hit, Mode, Recalled, Scope, check_question
from almario.domain.turns import Role, Turn, Whose
from almario.errors import ServerUnavailable

# What a value is of is loaded when it is first given.
# ruff: noqa: PLC0415
if TYPE_CHECKING:
    from collections.abc import Sequence

    from almario.becoming.improving import Improved
    from almario.conversation.flush import Flushed
    from almario.conversation.prompt_sections import Prompt
    from almario.conversation.replying import Answer
    from almario.ports import Hear


class RemoteVerbs(RemoteFiles[Face], RemoteLooking[Face]):
    """An agent's files, memory, goals and conversations, elsewhere, by the names that they have on a Soul."""

    @property
    def memory(self) -> RemoteMemories[Face]:
        return RemoteMemories(self._face)

    @property
    def goals(self) -> RemoteGoals[Face]:
        return RemoteGoals(self._face)

    @property
    def proposals(self) -> RemoteProposals[Face]:
        return RemoteProposals(self._face)

    @property
    def sessions(self) -> RemoteSessions[Face]:
        return RemoteSessions(self._face)

    @property
    def drift(self) -> RemoteDrift[Face]:
        return RemoteDrift(self._face)

    @property
    def costs(self) -> RemoteCosts[Face]:
        return RemoteCosts(self._face)

    @property
    def tools(self) -> RemoteTools[Face]:
        return RemoteTools(self._face)

    @property
    def reflection(self) -> RemoteReflection[Face]:
        return RemoteReflection(self._face)

    @property
    def tidying(self) -> RemoteTidying[Face]:
        return RemoteTidying(self._face)

    remember = RemoteMemories.remember
    forget = RemoteMemories.forget
    plans = RemoteMemories.plans

    @verb
    def update(self, memory_id: str, text: str = "", *, when: str = "", ended: str = "") -> Steps[Memory]:
        """Change what a memory says, *when* it is or holds ("2026-12-03", "2025/.."), or its last day.

        What is empty stays as it is. Return the memory, or the one that takes its place.
        """
        body = {"text": text, "when": when, "ended": ended}
        return one(Memory, Call("PATCH", f"/memories/{named(memory_id)}", body))

    @verb
    def recall(
        self,
        question: str,
        *,
        limit: int = 5,
        min_score: float | None = None,
        scope: Scope = Scope(),  # noqa: B008 - a constant
        mode: str = "",
        neighbours: int = 0,
        explain: bool = False,
        session: str = "",
    ) -> Steps[Recalled]:
        """Return what comes to mind about a question, best first; without *min_score*, what is worth showing.

        For a *session*, what is in sight there is left out, and what those present may not hear.
        """
        check_question(question, limit, min_score)
        how = {"mode": mode, "neighbours": neighbours, "explain": explain, "session": session}
        body = {"question": question, "limit": limit, "min_score": min_score, **scope._asdict(), **how}
        said = yield Call("POST", "/recall", body, is_safe=True)
        found = Recalled(read(list[Hit], said["hits"]))
        found.told, found.kept_out = read(tuple[Sentence, ...], said["told"]), said["kept_out"]
        return found

    @verb
    def improve(self, words: str) -> Steps[Improved]:
        """Turn words about what should change into proposals for the right files; nothing changes yet."""
        from almario.becoming.improving import Improved

        return one(Improved, Call("POST", "/improve", {"text": words}))

    @verb
    def talk(
        self,
        message: str,
        session: str = "",
        *,
        hear: Hear | None = None,
        mode: Mode = "",
        pasted: Sequence[str] = (),
        origin: Origin = "owner",
        speaker: str = "",
        ref: str = "",
    ) -> Steps[Answer]:
        """Answer a message; *hear* gets the text as it comes, *pasted* are documents that came with it.

        It is the owner's unless its *origin* is "untrusted"; *speaker* is who said it, where several talk.
        One that comes again with the same *ref* is kept once and answered once.
        LLMError: there is no answer, and what was said is kept.
        """
        from almario.conversation.replying import Answer

        who = {"origin": origin, "speaker": speaker, "ref": ref}
        body = {"message": message, "session": session, "mode": mode, "pasted": pasted, **who}
        told = yield Call("POST", "/chat", body, headers={"Accept": "text/event-stream"}, hear=hear)
        for name, value in told:
            if name == "answer":
                return read(Answer, value)
        raise ServerUnavailable("the answer was cut off; what had arrived was kept")

    @verb
    def append(
        self, session: str, role: Role, text: str, *, origin: Whose = "", speaker: str = "", ref: str = ""
    ) -> Steps[Turn]:
        """Keep what was said in a session; when this returns, it survives a power cut.

        Without *origin*, a user is the owner, a tool is not trusted, and an assistant is the agent unless
        the model has seen what is not trusted. What comes again with the same *ref* is kept once.
        """
        who = {"origin": origin, "speaker": speaker, "ref": ref}
        return one(
            Turn,
            Call("POST", "/turns", {"session": session, "role": role, "text": text, **who}, key=new_key()),
        )

    @verb
    def off_record(self, session: str = "", *, off: bool = True) -> Steps[None]:
        """Let all that is said in a session from now on be off the record; or, not *off*, on it again."""
        return done(Call("POST", "/sessions/off-record", {"session": session, "off": off}))

    @verb
    def put_back(self, session: str = "") -> Steps[list[Turn]]:
        """Bring back what the last notice took off the record or set aside in a session; return it."""
        return one(list[Turn], Call("POST", "/sessions/put-back", {"session": session}))

    @verb
    def flush(self, session: str = "") -> Steps[list[Flushed]]:
        """Learn now from what was said in a session, or in all."""
        from almario.conversation.flush import Flushed

        return one(list[Flushed], Call("POST", "/sessions/flush", {"session": session}))

    @verb
    def end_session(self, session: str = "") -> Steps[list[Flushed]]:
        """Learn from a session, and begin it anew with the next message."""
        from almario.conversation.flush import Flushed

        return one(list[Flushed], Call("POST", "/sessions/end", {"session": session}))

    @verb
    def clear(self, session: str = "") -> Steps[str]:
        """Learn from a session, keep its last messages as a file, and begin it anew; return the file."""
        return one(str, Call("POST", "/sessions/clear", {"session": session}), at="file")

    @verb
    def prompt(
        self,
        message: str = "",
        mode: Mode = "",
        *,
        session: str = "",
        recalled: Sequence[Hit] | None = None,
        blocks: Sequence[str] = (),
        tools: Sequence[str] = (),
        explain: bool = False,
    ) -> Steps[Prompt]:
        """Build the prompt for a message as the files and the memory are now.

        *recalled* is told as relevant in the place of what the memory finds by itself. Of a *session*, what
        the model sees of it anyway is left out, and what those present may not hear; *explain* counts that.
        """
        from almario.conversation.prompt_sections import Prompt

        body: dict[str, Any] = {"message": message, "mode": mode, "session": session, "explain": explain}
        body |= {"recalled": recalled, "blocks": blocks, "tools": tools}
        return one(Prompt, Call("POST", "/prompt", body, is_safe=True))

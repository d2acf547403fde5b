"""What a coding agent tells a hook, and the form in which it wants its answer.

Claude Code and Codex speak alike; Cursor has words of its own.
"""

import json
import os
from collections.abc import Mapping
from typing import Any

from almario.apps.connecting.clients import HOOKED
from almario.apps.hooks import EVENTS
from almario.domain.acts import Act, Call
from almario.domain.digests import blake2b
from almario.domain.messages import LANGUAGES, language_of
from almario.domain.places import NOWHERE
from almario.domain.plain_text import end_of_element, regex, whole
from almario.domain.turns import session_key
from almario.errors import SoulError
from almario.named_tuples import NamedTuple
from almario.projects import project_at
from almario.text.calls import call_in

# The events whose hooks can add to what the model is told.
_ANSWERED = ("session-start", "user-prompt", "pre-tool-use", "post-tool-use-failure")
# The events of a tool; and those that wait where they cannot be dealt with now: something was said or done.
AT_TOOLS = ("pre-tool-use", "post-tool-use-failure")
_WAITING = ("user-prompt", "stop", "pre-compact", "post-compact", "session-end")
# What clients put into a message between marks of their own: nobody typed it.
_INJECTED = regex(
    r"<(system[-_]reminder|task[-_]notification|local-command-\w+|command-\w+|bash-\w+|ide_\w+|"
    r"user-prompt-submit-hook|tool[-_]\w+|function_\w+|attached_files|open_and_recently_viewed_files|"
    r"environment_context|user_info|git_status|system_notification|memory-[0-9a-f]{12})\b[^<>]*>"
)
_CLOSED = regex(r"</([\w-]+)>")
_INTERRUPTED = regex(r"\[Request interrupted by user[^\]]*\]")
# A command of the client's own and nothing else.
_COMMAND = regex(r"/[\w:.-]+")
# A name of so many characters is one of its own.
_UNIQUE = 16
# Somebody waits, and a million characters take a second: what is longer than this, which no model takes in
# either, is refused as a whole.
_LONGEST = 5_000_000
# So much of the error of a tool says what went wrong.
_LONGEST_ERROR = 10_000


class HookCall(NamedTuple):
    """What happened, in which session of which client; *text* is what was said, *source* how it began.

    What comes with the same *ref* is the same; *again* says that nobody heard what was answered to it.
    """

    event: str
    client: str
    session: str
    text: str = ""
    source: str = ""
    ref: str = ""
    again: bool = False
    # Where the program works, what it calls the session and its transcript, and the tool that is used.
    folder: str = ""
    own_session: str = ""
    transcript: str = ""
    tool: Call | None = None
    error: str = ""

    @property
    def has_content(self) -> bool:
        """Whether we know the event, and something was said or done, if that is what it is about."""
        if self.event in AT_TOOLS:
            return self.tool is not None
        return self.event in EVENTS and (bool(self.text) or self.event not in ("user-prompt", "stop"))

    @property
    def can_wait(self) -> bool:
        """Whether it is to be kept, however late; as a session or a tool begins, nothing is said yet."""
        return self.event in _WAITING


def read_call(
    event: str,
    content: bytes,
    client: str = "",
    environment: Mapping[str, str] = os.environ,
    ref: str = "",
    *,
    home: str | os.PathLike[str] = "",
) -> HookCall:
    """Read what a client tells a hook; SoulError if it is not what a client tells.

    *ref* is the call's name unless the client has one for what was said. The *home* knows projects that were
    renamed.
    """
    try:
        payload = json.loads(content.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as exc:
        raise SoulError("standard input is not the JSON object of a hook") from exc
    if not isinstance(payload, dict):
        raise SoulError("standard input is not the JSON object of a hook")
    session = _text(payload, "session_id") or _text(payload, "conversation_id")
    if not session:
        raise SoulError("the hook's JSON does not say which session it is about: session_id is missing")
    asking = client or next(
        name for name, hooks in reversed(HOOKED.items()) if hooks.recognises(payload, environment)
    )
    folder = _folder_of(payload, environment)
    project = project_at(folder, home) or NOWHERE
    key = session_key(asking, session, project=project)
    texts = {
        "user-prompt": typed(_text(payload, "prompt")),
        "stop": _text(payload, "last_assistant_message") or _text(payload, "text"),
    }
    text = texts.get(event, "")
    if len(text) > _LONGEST:
        sentence = (
            "a message of {count} characters is too long for a hook; nothing of it was kept (at most {most})"
        )
        raise SoulError(sentence, count=f"{len(text):,}", most=f"{_LONGEST:,}")
    given = payload.get("tool_input")
    return HookCall(
        event,
        asking,
        key,
        text,
        _text(payload, "source"),
        _ref_of(payload, event, text) or ref,
        folder=folder,
        own_session=session,
        transcript=_text(payload, "transcript_path"),
        tool=call_in(_text(payload, "tool_name"), given, folder)
        if event in AT_TOOLS and isinstance(given, dict)
        else None,
        error=_text(payload, "error")[:_LONGEST_ERROR],
    )


def acts_of(call: HookCall) -> list[Act]:
    """Return what was done lately in a session, as the program's own transcript tells it.

    That bears the session's name: whoever may call a hook is not to have any other file read.
    """
    program, name = HOOKED[call.client].transcript, os.path.basename(call.transcript)
    if program is None or not name.endswith(f"{call.own_session}.jsonl"):
        return []
    from almario.importing import agent_transcripts  # noqa: PLC0415 - not with each message

    try:
        with open(call.transcript, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - agent_transcripts.LATEST))
            content = file.read(agent_transcripts.LATEST)
    except OSError:  # it may be on another machine
        return []
    return [*agent_transcripts.FORMS[program].acts(agent_transcripts.lines_of(content), call.folder)]


def is_answered(call: HookCall) -> bool:
    """Return whether a client takes an answer to such a call."""
    return call.event in _ANSWERED


def answer_for(call: HookCall, text: str, notice: str = "") -> str:
    """Return an answer in the form in which a client wants it; nothing, if nothing is said.

    The *text* is for the model, the *notice* for the person.
    """
    if not (text or notice) or not is_answered(call):
        return ""
    answer: dict[str, Any] = {"additional_context": text} | ({"user_message": notice} if notice else {})
    hooks = HOOKED[call.client]
    if hooks.answer == "claude":
        answer = {"systemMessage": notice} if notice else {}
        if text:
            answer |= {"hookSpecificOutput": {"hookEventName": _named(call), "additionalContext": text}}
    elif call.event == "user-prompt":
        answer = {"continue": True, **answer}
    return json.dumps(answer, ensure_ascii=False)


def held_for(call: HookCall, reason: str, notice: str = "") -> str:
    """Return the answer by which a client does not use a tool, and gives the model the reason instead."""
    held = {"permissionDecision": "deny", "permissionDecisionReason": reason}
    answer: dict[str, Any] = {"hookSpecificOutput": {"hookEventName": _named(call), **held}}
    answer |= {"systemMessage": notice} if notice else {}
    return json.dumps(answer, ensure_ascii=False)


def _named(call: HookCall) -> str:
    """Return what a client itself calls an event."""
    return next(theirs for theirs, ours in HOOKED[call.client].events.items() if ours == call.event)


def spoken_in(environment: Mapping[str, str]) -> str:
    """Return the language in which the person is told something where no settings can be asked."""
    setting = environment.get("ALMARIO_LANGUAGE", "auto")
    return language_of(setting if setting in LANGUAGES else "auto", environment)


def typed(prompt: str) -> str:
    """Return what the owner typed of a prompt: without what the client put there, and its own commands."""
    own, place = [], 0
    last_closed = {mark[1]: mark.start() for mark in _CLOSED.finditer(prompt)}
    for mark in _INJECTED.finditer(prompt):
        if mark.start() >= place and last_closed.get(mark[1], -1) >= mark.end():
            own.append(prompt[place : mark.start()])
            place = end_of_element(prompt, mark[1], mark.end())
    typed_by_hand = _INTERRUPTED.sub("", "".join([*own, prompt[place:]])).strip()
    return "" if _COMMAND.fullmatch(typed_by_hand) else typed_by_hand


def _ref_of(payload: Mapping[str, Any], event: str, text: str) -> str:
    """Return a name for what was said if the client has one for its turn: a hook may be set up twice.

    A client that counts its turns begins anew with each start.
    """
    turn = _text(payload, "turn_id") or _text(payload, "generation_id")
    name = "\n".join((turn, event, text)).encode("utf-8", "replace")
    return blake2b(name, size=12) if text and len(turn) >= _UNIQUE else ""


def _folder_of(payload: Mapping[str, Any], environment: Mapping[str, str]) -> str:
    """Return the folder that is worked on: the one the session began in, where the client tells it."""
    roots = payload.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
    return environment.get("CLAUDE_PROJECT_DIR") or first or _text(payload, "cwd")


def _text(payload: Mapping[str, Any], name: str) -> str:
    value = payload.get(name)
    return whole(value) if isinstance(value, str) else ""

"""What each hook does, in a process of its own or in a server's."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic, time
from typing import TYPE_CHECKING

from almario import config
from almario.apps.hooks import HookQuestion
from almario.apps.hooks.clients import HookCall, acts_of, answer_for, held_for, read_call, spoken_in
from almario.domain.late import Late
from almario.domain.messages import say, sentence_of
from almario.errors import AgentMoved, AgentNotFound, AlmarioError, ConfigError, StoreUnavailable
from almario.served import RESIDENT_FILE, Contact, home_of, note_contact, resident_in, served_at
from almario.soul import Soul
from almario.wiring import (
    Slip,
    choose_agent,
    let_wait,
    note_failure,
    open_home,
    open_soul,
    utc_now,
    written_down,
)

if TYPE_CHECKING:
    import subprocess

# What another process hinders waits in the spool, and not the client.
BRISK = {"locks.seconds": 0.3}
# A client waits, and the model of meaning takes longer to load than all the rest: words alone find it.
_COLD = {"embedder.name": "none", **BRISK}
_WAITS = "{why}; what you say here waits until that is mended"
# Is as old as the last time when a process was begun that stays; for so many seconds none is begun again.
_BEGUN_FILE, _BEGUN = "begun", 60.0

# Begins to learn from a session, or from those that were left if none is named; nobody waits for it.
BeginLearning = Callable[[str], object]


def run(question: HookQuestion, content: bytes, environment: Mapping[str, str]) -> str:
    """Do what a hook asks for and return what is said to the client."""
    since = monotonic()
    home = home_of(question.home, environment)
    call = read_call(question.event, content, question.client, environment, question.ref, home=home)
    call = call._replace(again=question.again)
    if not call.has_content:
        return ""
    is_home = os.path.isdir(home) or config.store_address(config.home_path(question.home))
    if call.event == "session-start" or not is_home:  # nothing is said yet; a hook makes no home
        return _kept(question, call, environment, Slip(), since)
    late = Late(call.event, call.session, call.text, call.ref, utc_now())
    with written_down(question.home, question.agent, late) as slip:
        return _kept(question, call, environment, slip, since)


def _kept(
    question: HookQuestion, call: HookCall, environment: Mapping[str, str], slip: Slip, since: float
) -> str:
    """Do what a hook asks for, and take what was said out of the spool; return what is said to the client."""
    home = home_of(question.home, environment)
    try:
        soul = open_soul(question.home, question.agent, settings=_COLD, at_once=False, takes_in=False)
    except AgentMoved as exc:
        note_failure(question.home, f"hook {call.event}", exc)
        return answer_for(call, "", slip.notice or say(spoken_in(environment), _WAITS, why=sentence_of(exc)))
    except StoreUnavailable:
        return answer_for(call, "", slip.notice)
    except AgentNotFound:  # nobody will ever ask for it
        slip.taken()
        raise
    except ConfigError as exc:
        if not os.path.isdir(home):
            raise
        note_failure(question.home, f"hook {call.event}", exc)
        return answer_for(call, "", slip.notice or _told(call, exc, environment))
    soul.companion.is_brief = True
    try:
        answer, count = answered(soul, call, lambda session: learn_apart(question.home, soul.id, session))
        slip.taken()
        note(home, call, since, count)
        if call.event == "stop":  # nobody waits, and the next message finds it at once
            soul.memory.prepare()
    finally:
        soul.finish()
    if call.event in ("session-start", "user-prompt") and soul.companion.is_wanted:
        with suppress(OSError, AlmarioError):  # it is answered already
            let_stay(home, soul.id)
    return answer


def put_by(question: HookQuestion, content: bytes, environment: Mapping[str, str]) -> str:
    """Let wait what was said, as whoever answers hooks has no room for it; return what the client is told."""
    home = home_of(question.home, environment)
    call = read_call(question.event, content, question.client, environment, question.ref, home=home)
    if not call.has_content or not call.can_wait or not _is_heard(question):
        return ""
    late = Late(call.event, call.session, call.text, call.ref, utc_now())
    return answer_for(call, "", let_wait(question.home, question.agent, late))


def _is_heard(question: HookQuestion) -> bool:
    """Return whether the owner wants kept what is said; it is where the settings are out of reach."""
    try:
        opened = open_home(question.home)
        hooks = opened.configured(choose_agent(opened, question.agent or None)).settings.hooks
    except AlmarioError:
        return True
    return hooks.enabled and hooks.capture


def _told(call: HookCall, error: ConfigError, environment: Mapping[str, str]) -> str:
    """Tell the owner once in a session what is wrong with the settings."""
    is_wanted = call.event == "session-start"
    return say(spoken_in(environment), _WAITS, why=sentence_of(error)) if is_wanted else ""


def note(home: str | os.PathLike[str], call: HookCall, since: float, count: int) -> None:
    """Keep for the doctor that a client was answered, how quickly, and how many memories it was told."""
    milliseconds = round(1000 * (monotonic() - since))
    at = utc_now().isoformat(timespec="seconds")
    note_contact(home, Contact(call.client, call.event, at, milliseconds, count))


def answered(soul: Soul, call: HookCall, begin_learning: BeginLearning) -> tuple[str, int]:
    """Do what a hook is for; return the answer as its client wants it, and how many memories it tells."""
    companion, session, given = soul.companion, call.session, ""
    if not companion.is_wanted:
        return "", 0
    if call.event == "user-prompt":
        given = companion.hear(session, call.text, call.ref, again=call.again)
    elif call.event == "pre-tool-use" and call.tool:
        before = companion.before(session, call.tool)
        if before.reason:
            return held_for(call, before.reason), before.number
        given = before.told
    elif call.event == "post-tool-use-failure" and call.tool:
        given = companion.before(session, call.tool, call.error or "?").told
    elif call.event == "stop":
        companion.answer(session, call.text, call.ref)
        companion.keep_acts(session, acts_of(call))
        if soul.learning.is_overdue(session):
            begin_learning(session)
    elif call.event == "session-start" and call.source != "compact":
        given = companion.begin(session, call.ref)
        begin_learning("")
    elif call.event == "session-start":
        given = companion.resume(session, call.ref)
    elif call.event == "post-compact":
        companion.compacted(session)
    elif call.event in ("pre-compact", "session-end"):
        companion.keep_acts(session, acts_of(call))
        (companion.end if call.event == "session-end" else companion.compacted)(session)
        begin_learning(session)
    notice, count = companion.take_notice()
    return answer_for(call, given, notice), count


def learn_apart(home: str | None, agent: str, session: str) -> "subprocess.Popen[bytes]":
    """Begin to learn in a process of its own, for which nobody waits; what it leaves stays queued.

    If the model that learns is a coding agent, its hooks must stay silent.
    """
    from almario.apps.daemon.apart import start_learning  # noqa: PLC0415 - not with each message

    return start_learning(home, agent, session)


def let_stay(home: str, agent: str) -> None:
    """Let a process stay for the next hooks, unless there is one, one has just begun, or none is wanted."""
    begun = os.path.join(home, os.path.dirname(RESIDENT_FILE), _BEGUN_FILE)
    if served_at(home) or _is_recent(begun) or resident_in(home):
        return
    if not open_home(home).config.settings.hooks.resident_minutes:
        return
    os.makedirs(os.path.dirname(begun), 0o700, exist_ok=True)
    with open(begun, "wb"):
        pass
    from almario.apps.daemon.apart import start_answering  # noqa: PLC0415 - not with each message

    start_answering(home, agent)


def _is_recent(path: str) -> bool:
    try:
        return 0 <= time() - os.stat(path).st_mtime < _BEGUN
    except OSError:
        return False

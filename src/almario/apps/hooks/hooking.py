"""What each hook does, in a process of its own or in a server's."""

from collections.abc import Callable, Mapping

from almario.apps.hooks import Asked
from almario.apps.hooks.clients import Call, answer_for, read_call
from almario.domain.late import Late
from almario.errors import StoreUnavailable
from almario.soul import Soul
from almario.wiring import let_wait, open_soul, utc_now

# A client waits, and the model of meaning takes longer to load than all the rest: words alone find it.
# What another process hinders waits in the spool, and not the client.
_COLD = {"embedder.name": "none", "locks.seconds": 0.3, "postgres.connect_seconds": 0.5}

# Begins to learn from a session, or from those that were left if none is named; nobody waits for it.
BeginLearning = Callable[[str], object]


def run(asked: Asked, content: bytes, environment: Mapping[str, str]) -> str:
    """Do what a hook asks for and return what is said to the client."""
    call = read_call(asked.event, content, asked.client, environment, asked.ref)._replace(again=asked.again)
    if not call.says_something:
        return ""
    try:
        soul = open_soul(asked.home, asked.agent, settings=_COLD, at_once=False)
    except StoreUnavailable:
        if call.event != "session-start":  # that has said nothing yet
            late = Late(call.event, call.session, call.text, call.ref, utc_now())
            return answer_for(call, "", let_wait(asked.home, asked.agent, late))
        return ""
    try:
        said = answered(soul, call, lambda session: learn_apart(asked, soul.id, session))
        if call.event == "stop":  # nobody waits, and the next message finds it at once
            soul.memory.prepare()
        return said
    finally:
        soul.finish()


def answered(soul: Soul, call: Call, begin_learning: BeginLearning) -> str:
    """Do what a hook is for, and return the answer to it as its client wants it."""
    companion, session, told = soul.companion, call.session, ""
    if not companion.is_wanted:
        return ""
    if call.event == "user-prompt":
        told = companion.hear(session, call.text, call.ref, again=call.again)
    elif call.event == "stop":
        companion.answer(session, call.text, call.ref)
    elif call.event == "session-start" and call.source != "compact":
        told = companion.begin(session, call.ref)
        begin_learning("")
    elif call.event == "session-start":
        told = companion.resume(session, call.ref)
    else:
        if call.event == "session-end":
            companion.end(session)
        else:
            companion.compacted(session)
        if call.event != "post-compact":
            begin_learning(session)
    return answer_for(call, told, companion.notice)


def learn_apart(asked: Asked, agent: str, session: str) -> None:
    """Begin to learn in a process of its own, for which nobody waits; what it leaves stays queued.

    If the model that learns is a coding agent, its hooks must stay silent.
    """
    from almario.apps.daemon.apart import start_learning  # noqa: PLC0415 - not with each message

    start_learning(asked.home, agent, session)

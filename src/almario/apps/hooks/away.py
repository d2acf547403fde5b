"""Hooks on a machine that is logged in: its server is asked, and what cannot be told it now waits.

A hook takes less than a second, whatever the network does. What waits is told first when the server is back,
in its order; each call has a name of its own, by which the server keeps it once.
"""

import json
import os
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import gmtime, monotonic, strftime
from typing import Any
from urllib.parse import quote

from almario.apps.hooks import HookQuestion
from almario.apps.hooks.clients import HookCall, answer_for, is_answered, read_call, spoken_in
from almario.domain.late import Late
from almario.domain.messages import say
from almario.domain.records import plain
from almario.errors import AccessDenied, AlmarioError, ServerUnavailable
from almario.served import NOWHERE, VERSION, Contact, Login, home_of, note_contact, trusting, within

# So many seconds a server may take in all; the rest of a second is for the process.
_PATIENCE = 0.6


def run(question: HookQuestion, content: bytes, login: Login, environment: Mapping[str, str]) -> str:
    """Ask the server that this machine is logged in to, and return what is said to the client."""
    since, root = monotonic(), Path(home_of(question.home, environment))
    if login.url and not login.token:
        from almario.wiring.logins import login_of  # noqa: PLC0415 - the keyring has it

        login = login_of(question.home) or login
    call = read_call(question.event, content, question.client, environment, question.ref, home=root)
    if not call.has_content:
        return ""
    _end(root, call)
    agent = question.agent or environment.get("ALMARIO_AGENT") or login.agent
    body = {"event": call.event, "told": content.decode("utf-8", "replace"), "agent": agent}
    body |= {"client": call.client, "session": call.session, "ref": call.ref}
    try:
        answer = within(_PATIENCE, partial(_request, root, login, body))
    except (OSError, ValueError, AlmarioError) as exc:
        return _later(root, agent, call, login, is_refused=isinstance(exc, AccessDenied))
    if refusal := _refusal(root, login, call):
        own = json.loads(answer_for(call, "", refusal))
        answer = json.dumps(json.loads(answer or "{}") | {name: own[name] for name in own if own[name]})
    at = strftime("%Y-%m-%dT%H:%M:%S+00:00", gmtime())
    note_contact(root, Contact(call.client, call.event, at, round(1000 * (monotonic() - since))))
    return answer


def end_here(question: HookQuestion, content: bytes, environment: Mapping[str, str]) -> None:
    """Let nothing wait for a server that was off the record in a session that ends without a login."""
    root = Path(home_of(question.home, environment))
    _end(root, read_call(question.event, content, question.client, environment, question.ref, home=root))


def _end(root: Path, call: HookCall) -> None:
    if call.event == "session-end" and os.path.isdir(os.path.dirname(NOWHERE.waiting(root))):
        from almario.wiring.logins import end_session  # noqa: PLC0415 - seldom does anything wait

        end_session(root, call.session)


def _request(root: Path, login: Login, body: Mapping[str, Any]) -> str:
    """Tell a server what waits for the same agent, then this call, and return its answer."""
    if not login.url:
        raise ConnectionError
    if _in_spool(root, login):
        from almario.wiring.logins import deliver  # noqa: PLC0415 - seldom does anything wait

        deliver(root, login, partial(_sent, login), only=body["agent"])
    return _posted(login, "/api/v1/hooks", body).decode("utf-8", "replace")


def _in_spool(root: Path, login: Login) -> list[str]:
    try:
        return os.listdir(os.path.join(login.waiting(root), "spool"))
    except OSError:
        return []


def _refusal(root: Path, login: Login, call: HookCall) -> str:
    """Say what the server refused for good, if the client shows that to the owner."""
    if not is_answered(call) or not _in_spool(root, login):
        return ""
    from almario.wiring.logins import take_refusal  # noqa: PLC0415 - seldom does anything wait

    refusal = take_refusal(root, login)
    return say(spoken_in(os.environ), refusal) if refusal else ""


def _sent(login: Login, agent: str, late: Sequence[Late]) -> Collection[str]:
    path = f"/api/v1/agents/{quote(agent, safe='')}/do/companion.keep"
    try:
        kept = json.loads(_posted(login, path, {"late": [plain(each, str) for each in late]}))
    except RecursionError:
        kept = None
    if not isinstance(kept, list):
        raise ConnectionError
    return kept


def _posted(login: Login, path: str, body: Mapping[str, Any]) -> bytes:
    """Send a request, and return the answer; OSError or ServerUnavailable if there is none that we want."""
    from http.client import HTTPConnection, HTTPException, HTTPSConnection  # noqa: PLC0415 - 20 ms

    is_secure = login.is_secure
    kind = partial(HTTPSConnection, context=trusting(login.certificate)) if is_secure else HTTPConnection
    connection = kind(*login.address, timeout=_PATIENCE)
    headers = {"Authorization": f"Bearer {login.token}", "Content-Type": "application/json"}
    try:
        connection.request("POST", path, json.dumps(body).encode(), headers)
        answer = connection.getresponse()
        content = answer.read()
    except HTTPException as exc:
        raise ConnectionError from exc
    finally:
        connection.close()
    if answer.status == 401:
        raise AccessDenied('this needs a valid token; "almario tokens create" makes one')
    if answer.status != 200 or not answer.getheader(VERSION):  # another program may answer to anything
        raise ServerUnavailable("the server answered {status}, but not as Almario does", status=answer.status)
    return content


def _later(root: Path, agent: str, call: HookCall, login: Login, *, is_refused: bool) -> str:
    """Let a call wait; the owner is told so with the first message of a session."""
    from almario.wiring import let_wait, utc_now  # noqa: PLC0415 - not while it answers
    from almario.wiring.logins import waiting  # noqa: PLC0415 - the same

    before = [(each.session, each.event) for each in waiting(root, login)]
    notice = ""
    if call.can_wait:
        late = Late(call.event, call.session, call.text, call.ref, utc_now())
        notice = let_wait(str(root), agent, late, folder=Path(login.waiting(root)))
    if (call.session, "user-prompt") not in before:
        sentence = "{url} does not answer: what you say waits here, and is delivered when it is back"
        if not login.url:
            sentence = 'login.json cannot be read: what you say waits here until "almario login ADDRESS"'
        elif is_refused:
            sentence = '{url} does not accept this token: what you say waits here until "almario login {url}"'
        notice = "; ".join(filter(None, [say(spoken_in(os.environ), sentence, url=login.url), notice]))
    return answer_for(call, "", "; ".join(filter(None, [_refusal(root, login, call), notice])))

"""The conversations that pass through here: heard, given a soul and a memory, and kept once answered."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import NamedTuple

from almario.apps.gateway.answers import Reading
from almario.apps.gateway.faces import Face, Fields
from almario.apps.gateway.spoken import Named, Spoken, conversation_of, fingerprint, spoken
from almario.apps.web.access import Grant
from almario.domain.audiences import OWNER_ALONE
from almario.domain.model import Mode
from almario.domain.plain_text import estimate_tokens
from almario.domain.talk import Usage
from almario.domain.turns import session_key
from almario.soul import Soul

# Names the conversation, if a program can say it; a whole session's key, if it has a colon.
SESSION_HEADER = "x-almario-session"
# "no": the model gets a soul and a memory, and nothing of this is kept.
KEEP_HEADER = "x-almario-keep"
# Of so many conversations it is known what was last said, so that the same again is not kept twice.
_MOST = 2000
_JOB = "gateway"


class Told(NamedTuple):
    """What a model was told of an agent besides the conversation, and what that was for."""

    stable: str
    changing: str
    chain: str = ""
    mark: str = ""


class Request(NamedTuple):
    """What a program asks of an agent, in whose form, and by what right."""

    soul: Soul
    grant: Grant
    face: Face
    body: Fields
    headers: Mapping[str, str]


class Ready(NamedTuple):
    """A request as the provider gets it; without a *session*, nothing of its answer is kept."""

    body: Fields
    session: str = ""
    soul: Soul | None = None
    is_private: bool = False


class Conversations:
    """Knows of each conversation what was heard last, and what the model was told for it."""

    def __init__(self) -> None:
        self._told: OrderedDict[tuple[str, str], Told] = OrderedDict()
        # The conversation of an answer that OpenAI keeps, by the answer's name.
        self._continued: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def prepare(self, request: Request, *, listen: bool = True) -> Ready:
        """Hear what is new in a request, and return it with soul and memory; unless *listen*, hear nothing."""
        pieces = request.face.pieces(request.body)
        said = spoken(pieces)
        if said.is_chore:
            return Ready(request.body)
        wanted = request.headers.get(SESSION_HEADER, "").strip()
        previous = self._continued.get(str(request.body.get("previous_response_id")), "")
        session, is_guessed = self._session(request, conversation_of(wanted or previous, request.body, pieces))
        keeps = listen and request.headers.get(KEEP_HEADER, "").strip().lower() != "no"
        told = self._hear(request, session, said, is_guessed=is_guessed) if keeps else None
        told = told or self._look(request, session, said)
        body = request.face.told(request.body, told.stable, told.changing, said.place)
        return Ready(body, session if keeps else "", request.soul, request.grant.is_owner)

    def keep(self, ready: Ready, answer: Reading) -> None:
        """Keep what was answered, with what it cost, and let it be learned from."""
        soul, session = ready.soul, ready.session
        if soul is None:
            return
        usage, text = answer.usage, answer.text
        is_estimated = not usage.told and not usage.said
        if is_estimated:
            usage = Usage(estimate_tokens(str(ready.body)), estimate_tokens(text))
        soul.costs.add(_JOB, answer.model or "?", usage, is_estimated=is_estimated)
        if not session:
            return
        if text.strip():
            soul.append(session, "assistant", text)
        soul.learning.consider(session)
        if answer.id:
            self._remember(self._continued, answer.id, session.rpartition(":topic-")[2])

    def keep_result(self, ready: Ready, text: str) -> None:
        """Keep what a tool that was used here gave back."""
        if ready.soul and ready.session:
            ready.soul.append(ready.session, "tool", text, origin="untrusted")

    def _session(self, request: Request, named: Named) -> tuple[str, bool]:
        """Return the session of a conversation; each token has its own, and the owner may name any."""
        grant, name = request.grant, named.name
        wanted = request.headers.get(SESSION_HEADER, "").strip()
        if ":" in wanted:
            return grant.session(wanted), False
        own = f"{_JOB}:{grant.name}" if grant.is_owner else grant.own_session
        channel, _, chat = own.partition(":")
        return session_key(channel, chat, name), named.is_guessed

    def _hear(self, request: Request, session: str, said: Spoken, *, is_guessed: bool) -> Told | None:
        """Keep what is new, unless it was kept before; return what the model is told if it is a message."""
        soul, grant, key = request.soul, request.grant, (request.soul.id, session)
        before = self._told.get(key)
        if before and before.mark == said.mark:
            return None
        if is_guessed and said.is_first and said.is_new and soul.sessions.reset(session, "ended"):
            soul.learning.want(session)  # a new conversation that begins like an earlier one
        for result in said.results:
            soul.append(session, "tool", result, origin="untrusted")
        if not said.is_new or not said.text:
            return None
        heard = soul.hear(
            said.text,
            session,
            mode=mode_for(grant),
            pasted=said.pasted,
            origin="owner" if grant.is_owner else "untrusted",
            speaker="" if grant.is_owner else grant.name,
        )
        told = Told(heard.prompt.stable, heard.prompt.changing, said.chain, said.mark)
        self._remember(self._told, key, told)
        return told

    def _look(self, request: Request, session: str, said: Spoken) -> Told:
        """Return what the model was told for the same message, word for word, or is told if it is new here."""
        key = (request.soul.id, session)
        before = self._told.get(key)
        if before and before.chain == said.chain:
            told = before._replace(mark=said.mark)
        else:
            prompt = request.soul.prompt(said.text, mode_for(request.grant), session=session)
            told = Told(prompt.stable, prompt.changing, said.chain, said.mark)
        self._remember(self._told, key, told)
        return told

    def _remember[Key, Value](self, among: "OrderedDict[Key, Value]", key: Key, value: Value) -> None:
        with self._lock:
            among[key] = value
            among.move_to_end(key)
            while len(among) > _MOST:
                among.popitem(last=False)


def mode_for(grant: Grant) -> Mode:
    """Return the mode in which a token's holder is answered: who is not the owner hears what others hear."""
    return "" if grant.is_owner else "collaboration"

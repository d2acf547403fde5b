"""The conversations that pass through here: heard, given a soul and a memory, and kept once answered."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import TypeVar

from almario import Incoming, Prompt
from almario.apps.web.access import Grant
from almario.domain.plain_text import estimate_tokens
from almario.domain.talk import Usage
from almario.domain.turns import session_key
from almario.named_tuples import NamedTuple
from almario.soul import Soul
from almario_gateway.answers import AnswerReader
from almario_gateway.faces import Face, Fields
from almario_gateway.speech import Named, Spoken, conversation_of, spoken

# Names the conversation, if a program can say it; a whole session's key, if it has a colon.
SESSION_HEADER = "x-almario-session"
# What Open WebUI calls it.
_CHAT_HEADER = "x-openwebui-chat-id"
# "no": the model gets a soul and a memory, and nothing of this is kept.
KEEP_HEADER = "x-almario-keep"
# Of so many conversations it is known what was last said, so that the same again is not kept twice.
_MOST = 2000
# For so long the same message is told with the same memory: while tools are used, a provider has it cached.
_FRESH = timedelta(minutes=10)
_JOB = "gateway"
Key = TypeVar("Key")
Value = TypeVar("Value")


class GatewayContext(NamedTuple):
    """What a model was told of an agent besides the conversation, and what that was for."""

    stable: str
    changing: str
    chain: str
    mark: str
    at: datetime


class GatewayRequest(NamedTuple):
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
    form: str = ""


class Conversations:
    """Knows of each conversation what was heard last, and what the model was told for it."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        # By agent and session.
        self._contexts: OrderedDict[tuple[str, str], GatewayContext] = OrderedDict()
        # The conversation of an answer that OpenAI keeps, by the answer's name.
        self._continued: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def prepare(self, request: GatewayRequest, *, listen: bool = True) -> Ready:
        """Hear what is new in a request, if *listen*, and return it with soul and memory."""
        pieces = request.face.pieces(request.body)
        speech = spoken(pieces)
        if speech.is_chore:
            return Ready(request.body)
        previous = self._continued.get(str(request.body.get("previous_response_id")), "")
        wanted = request.headers.get(SESSION_HEADER) or request.headers.get(_CHAT_HEADER) or previous
        named = conversation_of(wanted.strip(), request.body, pieces)
        session = self._session(request, named)
        keeps = listen and request.headers.get(KEEP_HEADER, "").strip().lower() != "no"
        context = self._hear(request, session, speech, named) if keeps else None
        context = context or self._context_for(request, session, speech)
        if keeps:
            self._remember(self._contexts, _key(request, session), context)
        body = request.face.with_context(request.body, context.stable, context.changing, speech.place)
        return Ready(body, session if keeps else "", request.soul, request.face.provider)

    def keep(self, ready: Ready, answer: AnswerReader) -> None:
        """Keep what was answered, with what it cost, and let it be learned from."""
        soul, session = ready.soul, ready.session
        if soul is None:
            return
        usage, text = answer.usage, answer.text
        is_estimated = not usage.told and not usage.said
        if is_estimated:
            usage = Usage(estimate_tokens(str(ready.body)), estimate_tokens(text))
        model = answer.model or str(ready.body.get("model"))
        soul.costs.add(_JOB, f"{ready.form}/{model}", usage, is_estimated=is_estimated)
        if not session:
            return
        if text.strip():
            soul.append(session, "assistant", text)
        soul.learning.consider(session)
        if answer.id:
            self._remember(self._continued, answer.id, session.rpartition(":topic-")[2])

    def _session(self, request: GatewayRequest, named: Named) -> str:
        """Return the session of a conversation; each token has its own, unless the program names one."""
        wanted = request.headers.get(SESSION_HEADER, "").strip()
        return wanted if ":" in wanted else session_key(_JOB, request.grant.name, named.name)

    def _hear(
        self, request: GatewayRequest, session: str, speech: Spoken, named: Named
    ) -> GatewayContext | None:
        """Keep what is new, unless it was kept before; return what the model is told if it is a message.

        A program that names the conversation and sends no more than the newest message may send the same
        words twice, and mean it.
        """
        soul = request.soul
        before = self._contexts.get(_key(request, session))
        if before and before.mark == speech.mark and (named.is_guessed or not speech.is_first):
            return None
        if named.is_guessed and speech.is_first and soul.sessions.reset(session, "ended"):
            soul.learning.want(session)  # a new conversation that begins like an earlier one
        for result in speech.results:
            soul.append(session, "tool", result, origin="untrusted")
        if not speech.is_new or not speech.text:
            return None
        heard = soul.hear(Incoming(session, speech.text, pasted=speech.pasted))
        return self._new_context(heard.prompt, speech)

    def _context_for(self, request: GatewayRequest, session: str, speech: Spoken) -> GatewayContext:
        """Return what the model was told for the same message, word for word, or else what it is told now."""
        before = self._contexts.get(_key(request, session))
        if before and before.chain == speech.chain and self._clock() - before.at < _FRESH:
            return before._replace(mark=speech.mark)
        prompt = request.soul.prompt(speech.text, session=session)
        return self._new_context(prompt, speech)

    def _new_context(self, prompt: Prompt, speech: Spoken) -> GatewayContext:
        return GatewayContext(prompt.stable, prompt.changing, speech.chain, speech.mark, self._clock())

    def _remember(self, among: OrderedDict[Key, Value], key: Key, value: Value) -> None:
        with self._lock:
            among[key] = value
            among.move_to_end(key)
            while len(among) > _MOST:
                among.popitem(last=False)


def _key(request: GatewayRequest, session: str) -> tuple[str, str]:
    return request.soul.id, session

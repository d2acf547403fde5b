"""What programs ask for that were written for OpenAI's or Anthropic's models."""

import json
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import anyio.to_thread
import httpx2
from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from starlette.datastructures import Headers
from starlette.types import Scope

from almario import config
from almario.adapters.addresses import OWN_KEY as LLM_KEY
from almario.apps.web.access import Grant
from almario.apps.web.app import Door
from almario.apps.web.asking import agent_for, grant_of
from almario.apps.web.problems import detail_of, status_of
from almario.apps.web.rooms import place_of
from almario.domain.plain_text import shortened
from almario.errors import AgentNotFound, AlmarioError, SoulError
from almario.named_tuples import NamedTuple
from almario.soul import Soul
from almario.wiring.model_keys import environment_for
from almario.wiring.souls import Souls
from almario_gateway import conversations as chats
from almario_gateway.answers import AnswerReader
from almario_gateway.faces import ChatFace, Face, Fields, MessagesFace, ResponsesFace
from almario_gateway.passing import STREAM, Passing, Streamed, decoded, passed, unanswered
from almario_gateway.settings import GatewaySettings
from almario_gateway.upstreams import OWN_KEY, Endpoint, upstream

_COUNT = "/count_tokens"


class _Meant(NamedTuple):
    """Whom a request is for: the agent, the provider behind it, and the settings of both."""

    soul: Soul
    to: Endpoint
    settings: config.Settings


class Gateway:
    """Gives the models of other programs a soul and a memory."""

    def __init__(self, souls: Souls) -> None:
        self._souls = souls
        self._conversations = chats.Conversations(souls.clock)
        self._configs: WeakKeyDictionary[Soul, config.Config] = WeakKeyDictionary()
        self.passing = Passing()

    async def answer(self, request: Request, face: Face, *, counts: bool = False) -> Response:
        """Pass a request on with soul and memory, and its answer back as it comes."""
        try:
            return await self._answered(request, face, counts=counts)
        except AlmarioError as exc:
            status = status_of(exc)
            soon = {"Retry-After": "1"} if status == 503 else None
            return JSONResponse(face.problem(status, detail_of(exc)), status, soon)

    async def _answered(self, request: Request, face: Face, *, counts: bool) -> Response:
        grant, body = grant_of(request), decoded(await request.body())
        grant.need("write")
        place = place_of(request)
        place.take("passing")
        meant, model = await anyio.to_thread.run_sync(self._meant, grant, face, body.get("model"))
        wanted = chats.GatewayRequest(meant.soul, grant, face, {**body, "model": model}, request.headers)
        prepare = partial(self._conversations.prepare, wanted, listen=not counts)
        ready = await anyio.to_thread.run_sync(prepare)
        place.leave("brief")  # the provider takes its time
        query = f"?{request.url.query}" if request.url.query else ""
        path = f"{face.path}{_COUNT if counts else ''}{query}"

        async def ask(body: Fields) -> httpx2.Response:
            seconds = meant.settings.llm.timeout
            return await self.passing.ask(meant.to, path, body, request.headers, seconds=seconds)

        if counts:
            return await self._whole(chats.Ready(ready.body), meant, await ask(ready.body))
        response = await ask(ready.body)
        if response.status_code == 200 and response.headers.get("content-type", "").startswith(STREAM):
            keep = partial(self._conversations.keep, ready)
            broken = partial(_broken, face, meant.to)
            return Streamed(response, keep, broken, _headers(response, ready))
        return await self._whole(ready, meant, response)

    async def _whole(self, ready: chats.Ready, meant: _Meant, response: httpx2.Response) -> Response:
        """Return an answer that comes in one piece, once it is kept."""
        content, reading = await _read(meant.to, response)
        if response.status_code == 200:
            await anyio.to_thread.run_sync(self._conversations.keep, ready, reading)
        return Response(content, response.status_code, _headers(response, ready), _type(response))

    def models(self, grant: Grant) -> Fields:
        """Return the agents that a token knows, as models, in OpenAI's and Anthropic's form at once."""
        models = [_model(agent, name) for agent, name in self._souls.named(grant.agents)]
        ends = {"first_id": models[0]["id"], "last_id": models[-1]["id"]} if models else {}
        return {"object": "list", "data": models, "has_more": False, **ends}

    def _meant(self, grant: Grant, face: Face, name: object) -> tuple[_Meant, str]:
        """Return whom a model's name means, and the model that the provider is asked for."""
        if not isinstance(name, str) or not name.strip():
            raise SoulError('"model" is missing: an agent, a model, or both as agent@model')
        agent, model = self._parted(grant, name.strip())
        soul = self._souls.soul(agent)
        found = self._configs.get(soul)
        if found is None:
            opened = self._souls.opened()
            found = self._configs[soul] = opened.configured(opened.home.agent(soul.id))
        settings = found.settings
        if not settings.of_plugin("gateway", GatewaySettings).enabled:
            raise SoulError("gateway.enabled is false, so other programs' models get no soul here")
        sent = {OWN_KEY: f"gateway.{face.provider}_url", LLM_KEY: "llm.url"}
        talks = lambda: talk.model if (talk := soul.models.talk) else ""  # noqa: E731 - asked if it is needed
        to = upstream(face.provider, settings, talks, environment_for(found, sent))
        if not (model := model or to.model):
            sentence = 'name a model after the agent, as in "{agent}@{example}", or set gateway.{form}_model'
            example = "gpt-6.1-terra" if face.provider == "openai" else "claude-sonnet-5-5"
            raise SoulError(sentence, agent=soul.id, example=example, form=face.provider)
        return _Meant(soul, to, settings), model

    def _parted(self, grant: Grant, name: str) -> tuple[str, str]:
        """Return the agent and the model that a name means; without an agent, it is the token's."""
        agent, at, model = name.partition("@")
        if grant.knows(agent) and self._souls.has(agent):
            return agent, model
        if at and agent:
            sentence = 'there is no agent "{id}" for this token'
            raise AgentNotFound(sentence, id=shortened(agent, 64))
        try:
            return agent_for(self._souls, grant), name
        except AgentNotFound:
            known = [each.id for each in self._souls.agents(grant.agents, most=1)]
            if not known:
                raise
            sentence = 'name the agent before the model, as in "{agent}@{model}"'
            raise SoulError(sentence, agent=known[0], model=shortened(name, 64)) from None


def door(souls: Souls) -> Door:
    """Return what `almario serve` serves of it: the entry point."""
    gateway = Gateway(souls)
    return Door(gateway_router(gateway), running=gateway.passing.running, problem=_problem)


def _problem(scope: Scope, status: int, detail: str) -> Fields | None:
    """Say what is wrong as the provider does whose form it is; None where it is not about the gateway."""
    path: str = scope["path"]
    if not path.startswith("/v1/"):
        return None
    is_anthropics = path.startswith("/v1/messages") or "anthropic-version" in Headers(scope=scope)
    return (MessagesFace() if is_anthropics else ChatFace()).problem(status, detail)


def gateway_router(gateway: Gateway) -> APIRouter:
    """Return the routes under which programs look for a provider."""
    router = APIRouter(prefix="/v1", tags=["gateway"], responses=_ANSWERS)

    @router.post("/chat/completions", openapi_extra=_takes(messages=_EXAMPLE))
    async def chat(request: Request) -> Response:
        """OpenAI's chat completions, with a soul and a memory."""
        return await gateway.answer(request, ChatFace())

    @router.post("/responses", openapi_extra=_takes(input="What can I cook for Ana?"))
    async def responses(request: Request) -> Response:
        """OpenAI's responses, with a soul and a memory."""
        return await gateway.answer(request, ResponsesFace())

    @router.post("/messages", openapi_extra=_takes(max_tokens=1000, messages=_EXAMPLE))
    async def messages(request: Request) -> Response:
        """Anthropic's messages, with a soul and a memory."""
        return await gateway.answer(request, MessagesFace())

    @router.post("/messages/count_tokens", openapi_extra=_takes(messages=_EXAMPLE))
    async def count(request: Request) -> Response:
        """Count a message's tokens, soul and memory included; nothing is stored."""
        return await gateway.answer(request, MessagesFace(), counts=True)

    @router.get("/models")
    def models(request: Request) -> Fields:
        """List the agents as models, in OpenAI's and Anthropic's form at once."""
        return gateway.models(grant_of(request))

    @router.get("/models/{model}")
    def model(request: Request, model: str) -> Fields:
        """Return one agent as a model, optionally with the underlying model's name."""
        found = gateway.models(grant_of(request))["data"]
        for each in found:
            if each["id"] == model.partition("@")[0].lower():
                return {**each, "id": model}
        raise AgentNotFound('there is no agent "{id}" for this token', id=shortened(model, 64))

    return router


_EXAMPLE = [{"role": "user", "content": "What can I cook for Ana?"}]
# What is wrong is told as the provider does whose form it is.
_ANSWERS: dict[int | str, dict[str, Any]] = {
    401: {"description": "There is no token."},
    "4XX": {"description": "Something is wrong with the request, or the provider says so."},
}


def _takes(**example: object) -> Fields:
    """Describe a body by an example; what else may be in it, the provider says."""
    whole = {"model": "default", **example}
    return {
        "requestBody": {"content": {"application/json": {"schema": {"type": "object"}, "example": whole}}}
    }


def _broken(face: Face, to: Endpoint, why: httpx2.HTTPError | AlmarioError) -> bytes:
    """Return what ends a stream that did not come to its end."""
    error = why if isinstance(why, AlmarioError) else unanswered(to, why)
    problem = face.problem(status_of(error), detail_of(error))
    return b"event: error\ndata: " + json.dumps(problem).encode() + b"\n\n"


async def _read(to: Endpoint, response: httpx2.Response) -> tuple[bytes, AnswerReader]:
    reading = AnswerReader(is_stream=_type(response).startswith(STREAM))
    try:
        content = await response.aread()
    except httpx2.HTTPError as exc:
        raise unanswered(to, exc) from exc
    finally:
        await response.aclose()
    reading.take(content)
    reading.end()
    return content, reading


def _type(response: httpx2.Response) -> str:
    return str(response.headers.get("content-type", "application/json"))


def _headers(response: httpx2.Response, ready: chats.Ready) -> dict[str, str]:
    own = {"x-almario-session": ready.session} if ready.session.isascii() and ready.session else {}
    read = response.headers.encoding
    given = {name: value.encode(read).decode("latin-1") for name, value in response.headers.items()}
    return {**passed(given.items()), **own}


def _model(agent: str, name: str) -> Fields:
    own = {"id": agent.lower(), "object": "model", "created": 0, "owned_by": "almario"}
    return {**own, "type": "model", "display_name": name, "created_at": "1970-01-01T00:00:00Z"}

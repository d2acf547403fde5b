"""How a soul comes into the world over HTTP: drafted, refined, and applied; and agents made and removed."""

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, StreamingResponse

from almario.apps.web import bodies
from almario.apps.web.access import Grant
from almario.apps.web.answering import PROBLEMS, STREAM, Tell, gives, streamed
from almario.apps.web.asking import AllSouls, Anybody, RunsHome, grant_of
from almario.apps.web.shapes import answer, many, record
from almario.domain.model import Persona
from almario.errors import AccessDenied, SoulError
from almario.wiring import create_soul
from almario.wiring.birth import Birth, Brief, archetypes
from almario.wiring.souls import Souls

router = APIRouter(prefix="/api/v1", tags=["agents"], responses=PROBLEMS)
_AGENT = record("Agent", id=str, name=str)


@router.get("/agents", **gives(many(_AGENT), example=[{"id": "default", "name": "Alma"}]))
def list_agents(souls: AllSouls, grant: Anybody) -> JSONResponse:
    """List the agents this token has access to."""
    return answer([{"id": agent, "name": name} for agent, name in souls.named(grant.agents)])


@router.post("/agents", **gives(_AGENT, 201))
def create_agent(souls: AllSouls, grant: RunsHome, body: bodies.NewAgent) -> JSONResponse:
    """Create an agent with a starter soul."""
    named = {name: getattr(body, name) for name in ("name", "emoji", "vibe", "owner")}
    language = body.language or souls.language()
    persona = Persona(language, **named)
    with create_soul(
        souls.root, body.id, persona=persona, settings=souls.settings, clock=souls.clock
    ) as soul:
        return answer({"id": soul.id, "name": soul.name}, 201)


@router.delete("/agents/{agent}", **gives(_AGENT))
def remove_agent(souls: AllSouls, grant: RunsHome, agent: str) -> JSONResponse:
    """Move an agent to the trash; "almario agents restore" brings it back."""
    found = souls.home.agent(agent)
    name = souls.name_of(found)
    souls.let_go(found.id)
    souls.home.remove(found.id)
    return answer({"id": found.id, "name": name})


@router.get("/archetypes", **gives(many(record("Archetype", id=str, title=str))))
def list_archetypes(souls: AllSouls, grant: Anybody) -> JSONResponse:
    """List the ready-made characters, which need no model."""
    return answer([{"id": each.id, "title": each.title} for each in archetypes(souls.language())])


@router.post("/agents/{agent}/generate-soul", responses={200: {"content": STREAM}})
async def generate_soul(
    request: Request, souls: AllSouls, agent: str, body: bodies.Described
) -> StreamingResponse:
    """Draft a soul for an agent, new or not, or refine a draft; nothing is written.

    The stream sends `working` with the current step, `text` as the model writes it, then `draft`: the
    draft to send back, and the files it would become.
    """
    _check_shaping(souls, grant_of(request), agent)

    def run(tell: Tell) -> None:
        birth = _drafted(souls, agent, body, tell)
        tell("draft", {"draft": birth.draft, "files": birth.files})

    return streamed(request, run)


@router.post("/agents/{agent}/apply-soul", **gives(_AGENT))
def apply_soul(request: Request, souls: AllSouls, agent: str, body: bodies.Drafted) -> JSONResponse:
    """Turn a draft into an agent's soul: a new agent's, or a replacement; the old one is kept."""
    _check_shaping(souls, grant_of(request), agent)
    birth = birth_of(souls, agent)
    birth.brief = Brief(owner=body.owner)
    birth.resume(body.draft)
    souls.let_go(agent)
    with birth.apply(agent) as soul:
        return answer({"id": soul.id, "name": soul.name})


def _check_shaping(souls: Souls, grant: Grant, agent: str) -> None:
    """Refuse whoever may not give an agent a soul; a new agent is for those who may do everything."""
    grant.need("admin")
    if not grant.knows(agent) or (grant.agents is not None and not souls.has(agent)):
        raise AccessDenied("this token is not for all agents")


def birth_of(souls: Souls, agent: str) -> Birth:
    """Return a soul that is still to be drawn for an agent, new or not."""
    return Birth(souls.opened(), instead_of=agent if souls.has(agent) else "")


def _drafted(souls: Souls, agent: str, body: bodies.Described, tell: Tell) -> Birth:
    birth = birth_of(souls, agent)
    birth.hear = lambda piece: tell("text", {"text": piece})
    birth.check(body.name, agent)
    if body.draft is not None:
        birth.resume(body.draft)
    elif body.description or body.archetype:
        tell("working", {"step": "drafting", "model": "" if body.archetype else birth.model})
        birth.draw(Brief(**{name: getattr(body, name) or "" for name in Brief._fields}))
    else:
        raise SoulError("say who it should be: a description, an archetype, or a draft")
    if body.refinement:
        tell("working", {"step": "refining", "model": birth.model})
        birth.refine(body.refinement)
    return birth

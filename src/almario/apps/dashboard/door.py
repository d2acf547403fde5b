"""What of the dashboard is served: its pages, what they load, and the switches in their frame."""

from hashlib import sha256
from typing import Annotated
from urllib.parse import quote, urlsplit

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from almario.apps.dashboard import (
    care_pages,
    days_pages,
    finding_pages,
    home_pages,
    memory_pages,
    portrait_pages,
    settings_pages,
    soul_pages,
    talk_pages,
    today,
)
from almario.apps.dashboard.frame import THEME_COOKIE, THEMES, plain_page, style_of
from almario.apps.dashboard.rendering import HEADERS, assets, document
from almario.apps.web.access import Grant, csrf_of
from almario.apps.web.asking import grant_of, souls_of
from almario.apps.web.birth_routes import birth_of
from almario.apps.web.gatekeeping import ASSETS, COOKIE
from almario.apps.web.readers import LANGUAGE_COOKIE
from almario.domain.messages import LANGUAGES
from almario.domain.model import DEFAULT_AGENT
from almario.errors import NotFound
from almario.wiring.birth import archetypes

PAGES = (
    portrait_pages,
    today,
    memory_pages,
    soul_pages,
    talk_pages,
    days_pages,
    care_pages,
    home_pages,
    settings_pages,
    finding_pages,
)
_YEAR = 365 * 24 * 3600
_own = APIRouter(include_in_schema=False)


def dashboard_router() -> APIRouter:
    """Return the routes of all pages."""
    made = APIRouter(include_in_schema=False)
    made.routes.extend(_own.routes)
    for module in PAGES:
        made.routes.extend(module.router.routes)
    return made


@_own.get("/")
def home(request: Request) -> Response:
    """Go to the agent that the settings name, or to the only one; if there is none, tell how to make it."""
    grant, souls = grant_of(request), souls_of(request)
    grant.need("read")
    known = [agent.id for agent in souls.agents(grant.agents, most=1)]
    if not known:
        return _first(request, grant)
    wished = (souls.config().settings.agent, DEFAULT_AGENT)
    there = (agent for agent in wished if agent and grant.knows(agent) and souls.has(agent))
    return RedirectResponse(f"/a/{quote(next(there, known[0]))}", 303)


def _first(request: Request, grant: Grant) -> Response:
    style = style_of(request)
    return plain_page(
        request,
        "first.html",
        may_create=grant.scope == "admin" and grant.agents is None,
        csrf=csrf_of(request.cookies.get(COOKIE, "")),
        agent=DEFAULT_AGENT,
        languages=LANGUAGES,
        has_model=bool(birth_of(souls_of(request), DEFAULT_AGENT).model),
        archetypes=archetypes(style.language),
    )


class MarkdownText(BaseModel):
    """A text as it is being written."""

    model_config = ConfigDict(extra="forbid")
    text: str = Field(max_length=200_000)


@_own.post("/preview")
def preview(request: Request, body: MarkdownText) -> JSONResponse:
    """Return how a text will look; nothing is written."""
    grant_of(request).need("read")
    return JSONResponse({"html": str(document(body.text))})


@_own.get("/look")
def look(
    request: Request,
    theme: Annotated[str, Query(max_length=10)] = "",
    language: Annotated[str, Query(max_length=10)] = "",
    back: Annotated[str, Query(max_length=2000)] = "/",
) -> Response:
    """Keep in the browser how its owner wants to see pages, and go back."""
    gone = RedirectResponse(_on_this_site(back), 303)
    secure = bool(request.app.state.entrance.is_secure)
    if theme in THEMES:
        gone.set_cookie(THEME_COOKIE, theme, _YEAR, httponly=True, samesite="strict", secure=secure)
    elif theme == "auto":
        gone.delete_cookie(THEME_COOKIE)
    if language in LANGUAGES:
        gone.set_cookie(LANGUAGE_COOKIE, language, _YEAR, httponly=True, samesite="strict", secure=secure)
    return gone


def _on_this_site(address: str) -> str:
    """Return an address that cannot lead elsewhere."""
    parts = urlsplit(address.replace("\\", "/"))
    is_ours = not parts.scheme and not parts.netloc and parts.path.startswith("/") and parts.path[1:2] != "/"
    return f"{quote(parts.path, safe='/%:@')}{f'?{parts.query}' if parts.query else ''}" if is_ours else "/"


@_own.get(ASSETS + "{name}")
def asset(request: Request, name: str) -> Response:
    """Give what pages load; it is the same for everybody, and holds nobody's secrets."""
    found = assets().get(name)
    if found is None:
        raise NotFound("pages load no {name}", name=name)
    etag = f'"{sha256(found.content).hexdigest()[:16]}"'
    headers = {"ETag": etag, "Cache-Control": "no-cache", "Service-Worker-Allowed": "/", **HEADERS}
    if request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=headers)
    return Response(found.content, media_type=found.media_type, headers=headers)

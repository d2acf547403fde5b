"""The home's own routes: logging in, who asks, and the agents."""

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response

from almario.apps.dashboard.frame import plain_page, problem_page
from almario.apps.web.access import csrf_of
from almario.apps.web.answering import PROBLEMS, gives
from almario.apps.web.asking import Anybody
from almario.apps.web.gatekeeping import COOKIE, LOGIN
from almario.apps.web.problems import problem
from almario.apps.web.readers import tell, wants_html
from almario.apps.web.shapes import answer, record
from almario.domain.messages import Sentence
from almario.errors import SoulError

router = APIRouter(responses=PROBLEMS)
_ME = record("Me", name=str, agents=list[str] | None, scope=str, csrf=str | None)
_COOKIE_SECONDS = 30 * 24 * 3600


@router.get(LOGIN, include_in_schema=False)
def login(request: Request, code: Annotated[str, Query(max_length=200)] = "") -> Response:
    """Trade a one-time link for a cookie; a browser that has one may follow an old link."""
    tokens, cookie, is_in = request.app.state.tokens, None, False
    with suppress(SoulError):  # the file of tokens is damaged, and "almario tokens" says so
        cookie = tokens.redeem(code) if code else None
        is_in = bool(tokens.grant_of_cookie(request.cookies.get(COOKIE, "")))
    if not cookie and not is_in:
        why = tell(Sentence('this link is no longer valid; "almario tokens login" makes another'))
        return problem_page(request, 401, why) if wants_html(request) else problem(401, why)
    done = plain_page(request, "welcome.html")  # it goes on by itself: a redirect would lose the cookie
    if cookie:
        is_secure = request.app.state.entrance.is_secure
        done.set_cookie(COOKIE, cookie, _COOKIE_SECONDS, httponly=True, samesite="strict", secure=is_secure)
    return done


@router.get("/api/v1/me", tags=["home"], **gives(_ME))
def me(request: Request, grant: Anybody) -> JSONResponse:
    """Return what the token allows; a page that signs in by cookie finds its CSRF token here."""
    cookie = request.cookies.get(COOKIE, "")
    agents = sorted(grant.agents) if grant.agents is not None else None
    found = {"name": grant.name, "agents": agents, "scope": grant.scope}
    return answer(found | {"csrf": csrf_of(cookie) if cookie else None})

"""What is wrong, as problem details (RFC 9457): one sentence, and the status that programs go by."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.types import Scope

from almario import errors
from almario.apps.web.readers import reading_language, tell, wants_html
from almario.apps.web.shapes import shown
from almario.apps.web.wrong_input import wrong_input
from almario.domain.messages import Sentence, sentence_of
from almario.domain.plain_text import shortened, whole
from almario.errors import AlmarioError

MEDIA_TYPE = "application/problem+json"
PROBLEM = {
    "type": "object",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What is wrong, in one sentence."},
        "error": {
            "type": "string",
            "description": "The name of the error in `almario.errors`, if it is one of ours.",
        },
    },
    "required": ["type", "title", "status", "detail"],
}


# The first that fits counts.
_STATUS: tuple[tuple[type[AlmarioError], int], ...] = (
    (errors.NotFound, 404),
    (errors.EditConflict, 409),
    (errors.SoulError, 400),
    (errors.ConfigError, 400),
    (errors.ToolError, 400),
    (errors.AccessDenied, 403),
    (errors.StoreBusy, 503),
    (errors.StoreUnavailable, 503),
    (errors.LLMUnavailable, 503),
    (errors.LLMError, 502),
    (errors.EmbedderUnavailable, 503),
    (errors.MissingExtra, 501),
)
# What of an error is in the problem already, or would be taken for it.
_RESERVED = ("message", "facts", "type", "title", "status", "detail", "error")
# How much of the input is echoed back.
_SHOWN = 300
# Shows an error page: the status, and the sentence.
ProblemPage = Callable[[Request, int, str], Response]


def problem(status: int, detail: str, **more: Any) -> JSONResponse:
    """Return an answer that says what is wrong."""
    title = HTTPStatus(status).phrase
    content = {"type": "about:blank", "title": title, "status": status, "detail": detail, **more}
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    headers |= {"Retry-After": "1"} if status in (429, 503) else {}
    return JSONResponse(content, status, headers, MEDIA_TYPE)


def problem_for(scope: Scope, status: int, detail: str, **more: Any) -> JSONResponse:
    """Return an answer that says what is wrong, in the form that whoever asks there understands."""
    made = problem(status, detail, **more)
    of_doors = (tell(scope, status, detail) for tell in scope["app"].state.problems)
    if (own := next(filter(None, of_doors), None)) is None:
        return made
    kept = {name: made.headers[name] for name in ("www-authenticate", "retry-after") if name in made.headers}
    return JSONResponse(own, status, kept)


def status_of(error: AlmarioError) -> int:
    """Return the status that an error of ours has."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def named(error: AlmarioError) -> dict[str, Any]:
    """Say which of our errors it is, with what it carries besides its sentence: a client raises the same."""
    kind = next(each.__name__ for each in type(error).__mro__ if each.__module__ == errors.__name__)
    carried = {name: value for name, value in vars(error).items() if name not in _RESERVED and name[0] != "_"}
    return {"error": kind, **shown(carried)}


def wrong(error: AlmarioError) -> Sentence:
    """Return in one sentence what is wrong, with little of what was given in it."""
    return sentence_of(error).changed(lambda fact: whole(shortened(fact, _SHOWN)))


def detail_of(error: AlmarioError) -> str:
    """Say in one sentence what is wrong, to whoever reads it."""
    return whole(tell(wrong(error)))


def answer_with_problems(app: FastAPI, page: ProblemPage) -> None:
    """Let an app answer every error with problem details, and who looks at a page with a page."""

    def answered(request: Request, status: int, detail: str, **more: Any) -> Response:
        if wants_html(request):
            return page(request, status, detail)
        return problem_for(request.scope, status, detail, **more)

    def not_there(request: Request) -> str:
        nothing = 'there is nothing at "{path}"; /api/v1/openapi.json lists what there is'
        sentence = 'there is no page "{path}"' if wants_html(request) else nothing
        return tell(Sentence(sentence, path=shortened(request.url.path, _SHOWN)))

    @app.exception_handler(AlmarioError)
    def ours(request: Request, error: AlmarioError) -> Response:
        return answered(request, status_of(error), detail_of(error), **named(error))

    @app.exception_handler(OSError)
    def systems(request: Request, error: OSError) -> Response:
        return answered(request, 500, tell(sentence_of(error)))

    @app.exception_handler(HTTPException)
    def routes(request: Request, error: HTTPException) -> Response:
        detail = error.detail
        if (error.status_code, detail) == (404, HTTPStatus.NOT_FOUND.phrase):  # no route has that path
            detail = not_there(request)
        elif error.status_code == 405:
            allowed = (error.headers or {}).get("Allow", "")
            method = shortened(request.method, 20)
            detail = tell(
                Sentence("{method} is not allowed here; use {allowed}", method=method, allowed=allowed)
            )
        made = answered(request, error.status_code, detail)
        made.headers.update(error.headers or {})
        return made

    @app.exception_handler(RequestValidationError)
    def bad_input(request: Request, error: RequestValidationError) -> Response:
        found = wrong_input(error.errors(), reading_language())
        first = found[0]
        if wants_html(request):
            return page(request, 404, not_there(request))
        return problem_for(request.scope, 422, f"{first['where']}: {first['what']}", errors=found[:20])

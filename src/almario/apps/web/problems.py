"""What is wrong, as problem details (RFC 9457): one sentence, and the status that programs go by."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from almario import errors
from almario.domain.messages import say, sentence_of
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
    },
    "required": ["type", "title", "status", "detail"],
}


class NoSuchThing(AlmarioError):
    """What is asked for is not there, or not for whoever asks."""


# The first that fits counts.
_STATUS: tuple[tuple[type[AlmarioError], int], ...] = (
    (NoSuchThing, 404),
    (errors.AgentNotFound, 404),
    (errors.EditConflict, 409),
    (errors.SoulError, 400),
    (errors.ConfigError, 400),
    (errors.ToolError, 400),
    (errors.AccessDenied, 403),
    (errors.StoreBusy, 503),
    (errors.LLMUnavailable, 503),
    (errors.LLMError, 502),
    (errors.EmbedderUnavailable, 503),
    (errors.MissingExtra, 501),
)
# So much is told of what was given.
_SHOWN = 300
# What programs ask: they are told in JSON, also where a browser asks it.
_FOR_PROGRAMS = ("/api/", "/v1/", "/mcp")
# Tells a person in a browser what is wrong: the status, and the sentence.
ProblemPage = Callable[[Request, int, str], Response]


def problem(status: int, detail: str, **more: Any) -> JSONResponse:
    """Return an answer that says what is wrong."""
    title = HTTPStatus(status).phrase
    content = {"type": "about:blank", "title": title, "status": status, "detail": detail, **more}
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    headers |= {"Retry-After": "1"} if status in (429, 503) else {}
    return JSONResponse(content, status, headers, MEDIA_TYPE)


def is_looking(request: Request) -> bool:
    """Say whether a person looks at a page, and no program asks."""
    wants_page = "text/html" in request.headers.get("accept", "")
    return wants_page and request.method == "GET" and not request.url.path.startswith(_FOR_PROGRAMS)


def status_of(error: AlmarioError) -> int:
    """Return the status that an error of ours has."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def told(error: AlmarioError, language: str) -> str:
    """Say in one sentence what is wrong."""
    sentence = sentence_of(error)
    cut = {name: shortened(fact, _SHOWN) for name, fact in sentence.facts.items() if isinstance(fact, str)}
    return whole(say(language, sentence.text, **{**sentence.facts, **cut}))


def answer_with_problems(app: FastAPI, language: str, page: ProblemPage) -> None:
    """Let an app answer every error with problem details, and who looks at a page with a page."""

    def answered(request: Request, status: int, detail: str, **more: Any) -> Response:
        return page(request, status, detail) if is_looking(request) else problem(status, detail, **more)

    @app.exception_handler(AlmarioError)
    def ours(request: Request, error: AlmarioError) -> Response:
        return answered(request, status_of(error), told(error, language))

    @app.exception_handler(OSError)
    def systems(request: Request, error: OSError) -> Response:
        return answered(request, 500, str(sentence_of(error)))

    @app.exception_handler(HTTPException)
    def routes(request: Request, error: HTTPException) -> Response:
        detail = error.detail
        if (error.status_code, detail) == (404, HTTPStatus.NOT_FOUND.phrase):  # no route has that path
            sentence = 'there is nothing at "{path}"; /api/v1/openapi.json lists what there is'
            detail = say(language, sentence, path=shortened(request.url.path, _SHOWN))
        made = answered(request, error.status_code, detail)
        made.headers.update(error.headers or {})
        return made

    @app.exception_handler(RequestValidationError)
    def bad_input(request: Request, error: RequestValidationError) -> Response:
        found = [
            {
                "where": shortened(".".join(str(part) for part in each["loc"]), _SHOWN),
                "what": shortened(each["msg"], _SHOWN),
            }
            for each in error.errors()
        ]
        first = found[0]
        return answered(request, 422, f"{first['where']}: {first['what']}", errors=found[:20])

"""Telegram's Bot API: a method and its fields as JSON go out, its result comes back.

The token is part of every address, so no error of ours shows one and no redirect is followed.
"""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from typing import Any, Protocol
from urllib.parse import urlsplit

from almario.domain.messages import Sentence
from almario.domain.plain_text import whole
from almario.errors import ConfigError

_TOKEN = re.compile(r"\d{1,20}:[\w-]{20,100}", re.ASCII)
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
# For so many seconds Telegram may be silent beyond what it was asked to wait.
_PATIENCE = 20.0
_MOST_BYTES = 16_000_000


class Unreachable(Exception):
    """There was no answer, or none that can be read; *why* is told."""

    def __init__(self, why: Sentence) -> None:
        self.why = why
        super().__init__(str(why))


class BotRefused(Exception):
    """Telegram would not do it; *after* is how many seconds it wants to be left alone."""

    def __init__(self, code: int, why: str, after: float = 0.0) -> None:
        self.code = code
        self.why = why
        self.after = after
        super().__init__(f"{code} {why}")


class Api(Protocol):
    """Calls a method of the Bot API with its fields; *wait* is for how long it may take its time.

    It raises Unreachable or Refused.
    """

    def __call__(self, method: str, /, *, wait: float = 0.0, **fields: object) -> Any: ...


class _Still(urllib.request.HTTPRedirectHandler):
    """Goes nowhere else: the address has the token in it."""

    def redirect_request(self, *args: object) -> None:
        return None


class BotApi:
    """The Bot API at an address, for whoever has the token."""

    def __init__(self, token: str, url: str) -> None:
        """ConfigError: the token or the address cannot be right."""
        if not _TOKEN.fullmatch(token):
            sentence = (
                "ALMARIO_TELEGRAM_TOKEN is not a bot's token; copy it from @BotFather, like 123456:ABC-…"
            )
            raise ConfigError(sentence)
        try:
            parts = urlsplit(url)
            is_near = parts.hostname in _LOOPBACK
        except ValueError:
            parts, is_near = urlsplit(""), False
        if not parts.hostname or parts.scheme not in (("http", "https") if is_near else ("https",)):
            sentence = "telegram.url must be an https address (or http on this machine), not {url}"
            raise ConfigError(sentence, url=url)
        self._base = f"{url.rstrip('/')}/bot{token}/"
        handlers: list[urllib.request.BaseHandler] = [_Still()]
        if is_near:
            handlers.append(urllib.request.ProxyHandler({}))
        self._open: Callable[..., Any] = urllib.request.build_opener(*handlers).open

    def __call__(self, method: str, /, *, wait: float = 0.0, **fields: object) -> Any:
        """Return a method's result; *wait* is for how many seconds it may take its time."""
        given = {name: value for name, value in fields.items() if value is not None}
        content = whole(json.dumps(given, ensure_ascii=False)).encode()
        request = urllib.request.Request(  # noqa: S310 - the address was checked
            self._base + method, content, {"Content-Type": "application/json"}
        )
        try:
            with self._open(request, timeout=wait + _PATIENCE) as response:
                return _result(response.read(_MOST_BYTES))
        except urllib.error.HTTPError as exc:
            with exc:
                return _result(_body(exc))
        except urllib.error.URLError as exc:
            why = exc.reason.strerror if isinstance(exc.reason, OSError) else ""
            raise Unreachable(Sentence(why or "no connection")) from None
        except (OSError, HTTPException) as exc:
            why = exc.strerror if isinstance(exc, OSError) else ""
            raise Unreachable(Sentence(why or "it does not answer")) from None


def _body(response: urllib.error.HTTPError) -> bytes:
    try:
        return response.read(_MOST_BYTES)
    except (OSError, HTTPException):
        return b""


def _result(content: bytes) -> Any:
    """Return the result in an answer; one that is not Telegram's is no answer."""
    try:
        answer = json.loads(content)
        if answer["ok"] is True:
            return answer["result"]
        after = (answer.get("parameters") or {}).get("retry_after") or 0
        refused = BotRefused(int(answer["error_code"]), str(answer.get("description", "")), float(after))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise Unreachable(Sentence("its answer cannot be read")) from None
    raise refused

"""An embedder behind any endpoint that speaks OpenAI's /embeddings: Ollama, vLLM, OpenAI itself."""

import json
import os
from collections.abc import Mapping, Sequence
from http.client import HTTPException
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any, cast
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from almario.adapters.addresses import host_of, is_loopback, origin_of
from almario.adapters.embedders.vectors import never_blank, unit_rows
from almario.domain.messages import Sentence
from almario.errors import EmbedderUnavailable
from almario.ports import Vector

DEFAULT_URL = "http://127.0.0.1:11434/v1"
DEFAULT_MODEL = "nomic-embed-text"
OWN_KEY = "ALMARIO_EMBEDDER_API_KEY"
_OPENAI = "https://api.openai.com"
_MAX_DETAIL = 200
_PIECE, _MOST_BYTES = 1 << 16, 1 << 28


def key_for(url: str, environment: Mapping[str, str] = os.environ) -> str:
    """Return the key to send to *url*; OpenAI's own key goes to OpenAI alone."""
    general = environment.get("OPENAI_API_KEY", "") if origin_of(url) == _OPENAI else ""
    return environment.get(OWN_KEY) or general


class OpenAICompatibleEmbedder:
    """Embeds by asking an endpoint; vectors are rows of a float32 array. Safe in several threads."""

    def __init__(
        self,
        url: str = DEFAULT_URL,
        model: str = DEFAULT_MODEL,
        key: str = "",
        *,
        timeout: float = 30.0,
        batch: int = 64,
    ) -> None:
        self._url = url.rstrip("/")
        self._model = model or DEFAULT_MODEL
        self._key = key.strip()
        self._timeout = timeout
        self._batch = batch
        self._dimensions = 0
        self._lock = Lock()
        # What is embedded is private: it goes to this address, through no proxy if that is this machine,
        # and a redirect is not followed, because the key would follow it too.
        proxies = [ProxyHandler({})] if is_loopback(url) else []
        self._opener = build_opener(_NoRedirect, *proxies)

    @property
    def model(self) -> str:
        """The model and where it is: the same name elsewhere may be another model."""
        return f"openai:{self._model}@{urlsplit(self._url).netloc if host_of(self._url) else ''}"

    def is_available(self) -> bool:
        """Return whether there is an address to ask; nothing is sent."""
        return bool(host_of(self._url))

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return a vector for each text, asking for some at a time."""
        if not host_of(self._url):
            raise EmbedderUnavailable("embedder.url is not an address such as {example}", example=DEFAULT_URL)
        if not (self._key.isascii() and self._key.isprintable()):
            raise EmbedderUnavailable("the embedder's key contains characters that keys never have")
        clean = [never_blank(text) for text in texts]
        rows: list[Any] = []
        with self._lock:
            for start in range(0, len(clean), self._batch):
                rows += self._request(clean[start : start + self._batch])
            return cast("Sequence[Vector]", self._checked(rows)) if rows else []

    def _checked(self, rows: list[Any]) -> Any:
        try:
            vectors = unit_rows(rows)
        except ValueError as exc:
            raise self._nonsense(Sentence("rows of numbers of different lengths")) from exc
        if self._dimensions not in (0, vectors.shape[1]):
            raise self._nonsense(Sentence("vectors of a different length than before"))
        self._dimensions = vectors.shape[1]
        return vectors

    def _request(self, texts: list[str]) -> list[Any]:
        try:
            reply = json.loads(self._posted({"model": self._model, "input": texts}))
            found = {item.get("index", place): item["embedding"] for place, item in enumerate(reply["data"])}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as exc:
            raise self._nonsense(Sentence("no embeddings")) from exc
        if set(found) != set(range(len(texts))):
            raise self._nonsense(
                Sentence("{found} embeddings for {wanted} texts", found=len(found), wanted=len(texts))
            )
        return [found[place] for place in range(len(texts))]

    def _posted(self, body: Mapping[str, Any]) -> bytes:
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        try:
            request = Request(f"{self._url}/embeddings", json.dumps(body).encode(), headers)  # noqa: S310 - http only
            return self._read(request)
        except HTTPError as exc:
            with exc:
                raise self._refused(exc) from None
        except (OSError, HTTPException) as exc:
            reason = getattr(exc, "reason", exc)
            if isinstance(reason, TimeoutError):
                sentence = "{url} did not answer within {seconds:g} seconds"
                raise EmbedderUnavailable(sentence, url=self._url, seconds=self._timeout) from exc
            why = Sentence(getattr(reason, "strerror", None) or str(reason) or type(reason).__name__)
            sentence = "{url} is not reachable: {why}; start it, or choose another with embedder.name"
            raise EmbedderUnavailable(sentence, url=self._url, why=why) from exc

    def _read(self, request: Request) -> bytes:
        """Return a whole answer, however it drips: its time is up for all of it, and not for each piece."""
        found: SimpleQueue[bytes | Exception] = SimpleQueue()
        until = monotonic() + self._timeout

        def read() -> None:
            pieces = b""
            try:
                with self._opener.open(request, timeout=self._timeout) as answer:
                    while piece := answer.read1(_PIECE):
                        pieces += piece
                        if monotonic() > until or len(pieces) > _MOST_BYTES:
                            return
                found.put(pieces)
            except (OSError, HTTPException, ValueError) as exc:
                found.put(exc)

        Thread(target=read, daemon=True).start()
        try:
            answer = found.get(timeout=self._timeout)
        except Empty:
            raise TimeoutError from None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _nonsense(self, what: Sentence) -> EmbedderUnavailable:
        sentence = "{url} did not answer like an embedder: {what}"
        return EmbedderUnavailable(sentence, url=self._url, what=what)

    def _refused(self, answer: HTTPError) -> EmbedderUnavailable:
        if answer.code in (401, 403):
            sentence = "{url} does not accept the key, or wants one; set ALMARIO_EMBEDDER_API_KEY"
            return EmbedderUnavailable(sentence, url=self._url)
        if answer.code == 404:
            sentence = "{url} has no model {model}; run: ollama pull {model}, or correct embedder.model"
            return EmbedderUnavailable(sentence, url=self._url, model=self._model)
        sentence = "{url} answered {status}: {said}"
        return EmbedderUnavailable(sentence, url=self._url, status=answer.code, said=self._detail_of(answer))

    def _detail_of(self, answer: HTTPError) -> str:
        """Return the endpoint's own words for an error, in which a key may have been quoted."""
        try:
            detail = answer.read(10_000).decode("utf-8", "replace")
            error = json.loads(detail)["error"]
            detail = str(error["message"] if isinstance(error, dict) else error)
        except (OSError, HTTPException, ValueError, KeyError, TypeError, RecursionError):
            detail = answer.reason or ""
        detail = " ".join(detail.split())
        return (detail.replace(self._key, "…") if self._key else detail)[:_MAX_DETAIL]


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """Follow nothing: the redirect becomes an error."""

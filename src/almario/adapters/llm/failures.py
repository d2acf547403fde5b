"""What went wrong with a call, in one sentence that says how to mend it.

No sentence has the key in it, nor anything that the model was told.
"""

import re
from typing import Any

from almario.adapters.addresses import OWN_KEY, Endpoint, is_loopback
from almario.domain.messages import CommandLine, Sentence, Words
from almario.domain.talk import Ask
from almario.errors import LLMUnavailable

MAY_PASS = {408, 409, 429, 500, 502, 503, 504, 529}
# With these an endpoint may say that it does not know a part of the call.
_REFUSALS = {400, 404, 422, 500, 501}
_NO_CREDIT = ("insufficient_quota", "billing_error")
# The parts of a call that some endpoints do not know, by what their refusals say.
_ABOUT = {
    "length": r"max_completion_tokens",
    "usage": r"stream_options|include_usage",
    "tools": r"\btools?\b|tool[_ -]|function call",
    "schema": r"response.format|json_schema|schema|grammar|structured|output_config|output_format",
}
_NO_REASON = r"(error code: \d+|(invalid|bad) request|[^a-z]*)\W*"
_TOO_LONG = r"context|too long|too large|maximum|exceed"
# A stream that began well tells its error in the middle, by name.
_STATUS_OF = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
# A model that Ollama has not fetched, and a key that nobody gave, have sentences of their own.
_NOT_PULLED, _NO_KEY, _NO_OWN_KEY = 0, 1, 2
_SENTENCES = {
    401: "{provider} does not accept the key it was given: it is wrong, or no longer valid; "
    "enter the right one on the settings page, or in {variable} if you set that",
    402: "the account at {provider} has no credit left; add some, or choose another with llm.model",
    403: "{provider} does not let this key use {model}; correct {variable} or llm.model",
    404: "{url} has no model {model}; correct llm.model",
    429: "{provider} is rate-limiting us; wait, or choose another with llm.model",
    500: "{provider} is having problems ({status}: {said}); try again later",
    400: "{provider} refused the call ({status}: {said})",
    _NO_KEY: "{provider} needs a key; enter it on the settings page, or set {variable}",
    _NO_OWN_KEY: "there is no key for {host}, and a key goes only to the host that it was given for; "
    '"{give}" keeps one for it',
    _NOT_PULLED: "Ollama has no model {model}; run: ollama pull {model}",
}
_MAX_DETAIL = 200
# Words of an error that also stand in the prompt, so many characters in a row, are a quotation of it.
_QUOTATION = 16


class Refusal(LLMUnavailable):
    """The endpoint answered with an error; *about* are the parts of the call that it names.

    A bad request of which nothing is said may be about the schema or the tools.
    """

    about: frozenset[str] = frozenset()


def refused(endpoint: Endpoint, ask: Ask, status: int, body: Any) -> Refusal:
    """Return the error for an endpoint's answer; 0 is a status that only the body knows."""
    inner = body.get("error", body) if isinstance(body, dict) else body
    problem = inner if isinstance(inner, dict) else {"message": inner}
    kinds = [str(problem.get(name)) for name in ("type", "code")]
    if status < 400:
        status = _status_of(kinds)
    message = str(problem.get("message") or "")
    if message.lstrip().startswith("<"):  # a proxy's page, in the place of a reason
        message = ""
    no_credit = status == 402 or any(kind in _NO_CREDIT for kind in kinds)
    error = Refusal(
        _sentence(endpoint, 402 if no_credit else status),
        passes=status in MAY_PASS and not no_credit,
        status=status,
        **_facts(endpoint),
        said=Words(_without_secrets(message, endpoint, ask)) or Sentence("no reason given"),
    )
    error.about = _about(status, message)
    return error


def unreachable(endpoint: Endpoint, why: Sentence | None = None) -> LLMUnavailable:
    """Say that no connection is made; *why*, where that says more."""
    if is_loopback(endpoint.url):
        # By an address of one's own, any program may be meant.
        provider = Sentence("the program there") if endpoint.provider == "openai" else endpoint.provider
        sentence = "nothing answers at {url}; start {provider}, or choose another model"
        return LLMUnavailable(sentence, url=endpoint.url, provider=provider)
    sentence = "no connection to {url}; check the address and the network, or choose another model"
    if why:
        sentence = "no connection to {url}: {why}; check the address and the network, or choose another model"
        return LLMUnavailable(sentence, url=endpoint.url, why=why)
    return LLMUnavailable(sentence, url=endpoint.url)


def silent(model: str, seconds: float) -> LLMUnavailable:
    sentence = "{model} was silent for {seconds:g} seconds; try again, or raise llm.timeout"
    return LLMUnavailable(sentence, model=model, seconds=seconds)


def endless(model: str, seconds: float) -> LLMUnavailable:
    sentence = "{model} had not come to an end after {seconds:g} seconds; ask for something shorter"
    return LLMUnavailable(sentence, model=model, seconds=seconds)


def cut(model: str) -> LLMUnavailable:
    return LLMUnavailable("the answer of {model} was cut off; try again", model=model)


def nonsense(endpoint: Endpoint) -> LLMUnavailable:
    sentence = "{url} did not answer like {provider}; correct llm.url, or try again later"
    return LLMUnavailable(sentence, url=endpoint.url, provider=endpoint.provider)


def rate_limited(provider: str) -> LLMUnavailable:
    return LLMUnavailable(_SENTENCES[429], provider=provider)


def check_key(endpoint: Endpoint) -> None:
    """Raise what is wrong with a key before anything is sent."""
    if endpoint.needs_key and not endpoint.key:
        raise LLMUnavailable(_sentence(endpoint, 401), passes=False, **_facts(endpoint))
    if not (endpoint.key.isascii() and endpoint.key.isprintable() and " " not in endpoint.key):
        sentence = "the key in {variable} contains characters that keys never have; copy it again"
        raise LLMUnavailable(sentence, passes=False, variable=endpoint.variable)


def _status_of(kinds: list[str]) -> int:
    numbers = [int(kind) for kind in kinds if kind.isdecimal()]
    names = [_STATUS_OF[kind] for kind in kinds if kind in _STATUS_OF]
    return next(iter([*numbers, *names]), 500)


def _sentence(endpoint: Endpoint, status: int) -> str:
    if status == 404 and endpoint.provider == "ollama":
        return _SENTENCES[_NOT_PULLED]
    if status == 401 and not endpoint.key:
        return _SENTENCES[_NO_OWN_KEY if endpoint.variable == OWN_KEY else _NO_KEY]
    otherwise = _SENTENCES[500 if status in MAY_PASS or status >= 500 else 400]
    return _SENTENCES.get(status, otherwise)


def _facts(endpoint: Endpoint) -> dict[str, Any]:
    named = {name: getattr(endpoint, name) for name in ("provider", "url", "model", "variable")}
    return {**named, "host": endpoint.host, "give": CommandLine("almario model key")}


def _about(status: int, message: str) -> frozenset[str]:
    message = message.lower()
    if status not in _REFUSALS or re.search(_TOO_LONG, message):
        return frozenset()
    if status in (400, 422) and re.fullmatch(_NO_REASON, message):
        return frozenset({"schema", "tools"})
    return frozenset(part for part, words in _ABOUT.items() if re.search(words, message))


def _without_secrets(detail: str, endpoint: Endpoint, ask: Ask) -> str:
    """Return an endpoint's own words, or nothing if they quote what it was told."""
    detail = " ".join(detail.replace(endpoint.key or "\n", "…").split())[:_MAX_DETAIL].strip()
    prompts = [" ".join(text.split()) for text in (ask.system, *(each.text for each in ask.messages))]
    parts = [detail[place : place + _QUOTATION] for place in range(max(1, len(detail) - _QUOTATION + 1))]
    quoted = any(part in text for part in parts for text in prompts)
    return "" if quoted or any(text in detail for text in prompts if 0 < len(text) < _QUOTATION) else detail

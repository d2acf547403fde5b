"""Who reads an answer: in which language its sentences are, and what its commands are called there."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from fastapi import Request

from almario.domain.messages import LANGUAGES, Sentence, naming, say
from almario.domain.plain_text import regex
from almario.domain.withheld import MASK_NAMED, masks_named
from almario.errors import AlmarioError

# Where a browser keeps the language that its owner chose.
LANGUAGE_COOKIE = "almario-language"
# What programs ask: they are told in JSON, also where a browser asks it.
_FOR_PROGRAMS = ("/api/", "/v1/", "/mcp")
_WISH = regex(r"(?i)\s*([a-z]{1,8}|\*)(?:-[a-z0-9-]*)?\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?")
# The most entries read from a header.
_MOST_WISHES = 20
# What a page has in the place of a command: a button, or another page.
_ON_PAGES = {"almario undo": Sentence("Undo"), "almario keep": Sentence("Keep")}
_ON_PAGES |= {"almario memory list": Sentence("Memory"), "almario model --try": Sentence("Try it")}
_ON_PAGES |= {"almario proposals": Sentence("Proposals"), "almario sessions": Sentence("Talk")}
_ON_PAGES |= {"almario model": Sentence("Settings"), "almario help": Sentence.own("?")}
# Whoever asks is answered in a context of their own, in threads too.
_language = ContextVar("language", default=LANGUAGES[0])


def wants_html(request: Request) -> bool:
    """Return whether a person looks at a page, and no program asks."""
    wants_page = "text/html" in request.headers.get("accept", "")
    return wants_page and request.method == "GET" and not request.url.path.startswith(_FOR_PROGRAMS)


def language_for(request: Request, own: str) -> str:
    """Return the language to answer in: Accept-Language's, or else our *own*.

    On a page, the one that was chosen there or in the settings comes first.
    """
    chosen = _chosen(request) if wants_html(request) else ""
    return chosen or _wished(request.headers.get("accept-language", "")) or own


def _chosen(request: Request) -> str:
    """Return the language that the owner chose for pages: in this browser, or in the settings."""
    here = request.cookies.get(LANGUAGE_COOKIE, "")
    if here in LANGUAGES:
        return here
    try:
        found: str = request.app.state.souls.config().settings.language
    except AlmarioError:  # settings that cannot be read are told elsewhere
        return ""
    return found if found in LANGUAGES else ""


def _wished(header: str) -> str:
    read = (_WISH.fullmatch(each) for each in header.split(",")[:_MOST_WISHES])
    wishes = [(float(each[2] or 1), each[1].lower()) for each in read if each]
    known = [(much, language) for much, language in wishes if much and language in LANGUAGES]
    return max(known, key=lambda wish: wish[0])[1] if known else ""


@contextmanager
def answering_in(language: str, *, is_page: bool = False) -> Iterator[None]:
    """Let all that is answered meanwhile be in a language; a page has buttons for commands."""
    before = _language.set(language)
    try:
        with naming(_on_page if is_page else str):
            yield
    finally:
        _language.reset(before)


def reading_language() -> str:
    """Return the language of whoever reads the answer that is being made."""
    return _language.get()


def tell(sentence: Sentence) -> str:
    """Say a sentence to whoever reads the answer that is being made, and where a secret is left out."""
    language = reading_language()
    return masks_named(say(language, sentence), say(language, MASK_NAMED))


def _on_page(line: str) -> str:
    found = (name for command, name in _ON_PAGES.items() if f"{line} ".startswith(f"{command} "))
    return next(found, line)

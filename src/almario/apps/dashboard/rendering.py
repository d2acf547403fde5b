"""How pages are made: templates filled in, in the reader's language; Markdown; the headers of a page.

All that is filled in is escaped, and nothing in a page is inline: the headers forbid it.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

from almario.apps.web.readers import reading_language
from almario.domain import vocabulary
from almario.domain.documents.lines import without_comments
from almario.domain.messages import Sentence, numeral, say
from almario.domain.plain_text import regex
from almario.domain.validity import MONTHS, by_name
from almario.domain.withheld import MASK, MASK_NAMED, masks_named
from almario.domain.words import fold

_HERE = Path(__file__).parent
TEMPLATES = _HERE / "templates"
STATIC = _HERE / "static"
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png"}
_TYPES |= {".webmanifest": "application/manifest+json"}
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
# Where a link may lead; any other is left as it was written.
_LINKABLE = regex(r"(?i)(?:https?://|mailto:)\S")
_LEAVING = {"rel": "noopener noreferrer nofollow", "class": "leaving"}
# What is not text for reading: a field with its content, or a tag.
_EDITED = regex(r"""(?s)(<textarea.*?</textarea>|\b(?:value|data-[\w-]+)="[^"]*")""")
_MARKS = regex(r"(?:^|(?<=\s))#{1,6} |\*\*")
_WORDS = regex(r"\w{2,}")


class Asset(NamedTuple):
    """A file that pages load, and what it is."""

    content: bytes
    media_type: str


@cache
def assets() -> Mapping[str, Asset]:
    """Return the files that pages load, by name."""
    found = [path for path in sorted(STATIC.iterdir()) if path.suffix in _TYPES]
    return {path.name: Asset(path.read_bytes(), _TYPES[path.suffix]) for path in found}


@cache
def environment(language: str) -> Environment:
    """Return what makes pages in a language; `_` says a sentence, `ui` has the macros of ui.html."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals |= {"_": partial(say, language), "words": vocabulary}
    made.globals |= {"number": number, "percent": percent, "size": size}
    made.filters |= {
        "markdown": markdown,
        "document": document,
        "terminal": shlex.quote,
        "upfirst": upfirst,
        "marked": marked,
        "with_secrets": with_secrets,
        "prose": prose,
    }
    made.globals["ui"] = made.get_template("ui.html").module
    return made


def rendered(language: str, template: str, facts: Mapping[str, Any], part: str = "") -> str | None:
    """Return a page, or the block of it that is called *part*; None if it has none of that name."""
    found = environment(language).get_template(template)
    if not part:
        return _masks_named(language, found.render(facts))
    block = found.blocks.get(part)
    made = None if block is None else "".join(block(found.new_context(dict(facts))))
    return None if made is None else _masks_named(language, made)


def _masks_named(language: str, page: str) -> str:
    """Say what stands for a secret in the reader's language; what can be edited or sent stays as it is."""
    if MASK not in page:
        return page
    word = escape(say(language, MASK_NAMED))
    pieces = _EDITED.split(page)
    pieces[::2] = (masks_named(piece, word) for piece in pieces[::2])
    return "".join(pieces)


def html(text: str, status: int = 200) -> HTMLResponse:
    """Return a page as an answer."""
    return HTMLResponse(text, status, HEADERS)


def number(value: float, digits: int = 0) -> str:
    """Return a number as the reader's language writes it."""
    return numeral(reading_language(), value, digits)


def size(bytes_: int) -> str:
    """Say how large a file is."""
    if bytes_ >= 1e9:
        return f"{number(bytes_ / 1e9, 1)} GB"
    return f"{number(bytes_ / 1e6, 1)} MB" if bytes_ >= 100_000 else f"{number(bytes_ / 1e3, 1)} KB"


def upfirst(text: str) -> str:
    """Return a text with a capital at its beginning, and the rest as it is."""
    return text[:1].upper() + text[1:]


def marked(text: str, query: str) -> Markup:
    """Return a text in which the words that were looked for are marked, whatever their case and accents."""
    wanted = {fold(word) for word in _WORDS.findall(query)}
    shown, done = Markup(), 0
    for word in _WORDS.finditer(text):
        if any(fold(word[0]).startswith(each) for each in wanted):
            shown += escape(text[done : word.start()]) + Markup("<mark>{}</mark>").format(word[0])
            done = word.end()
    return shown + escape(text[done:])


def with_secrets(text: str, secrets: Sequence[str]) -> Markup:
    """Return a text in which what may be a secret is marked, unless that is all of it."""
    if not text or text in secrets:
        return escape(text or ", ".join(secrets))
    pieces = re.split(f"({'|'.join(map(re.escape, secrets))})", text)
    mark = Markup("<mark>{}</mark>")
    return Markup().join(mark.format(each) if n % 2 else escape(each) for n, each in enumerate(pieces))


def prose(text: str) -> str:
    """Return a passage without the marks of headings and strong words, to be read in a line."""
    return _MARKS.sub("", text)


def percent(share: float) -> str:
    """Return a share of one as a percentage."""
    return f"{share:.0%}"


def day_word(day: date, today: date) -> Sentence:
    """Say a day as people do: today, yesterday, Monday, 3 November; with its year if it is not this one."""
    away = (today - day).days
    if -1 <= away <= 1:
        return (Sentence("today"), Sentence("yesterday"), Sentence("tomorrow"))[away]
    if 1 < away < 7:
        return vocabulary.WEEKDAYS[day.weekday()]
    if day.year == today.year:
        return Sentence("{day} {month}", day=day.day, month=Sentence(MONTHS[day.month - 1]))
    named = by_name(day.isoformat())
    return named if isinstance(named, Sentence) else Sentence.own(named)


def markdown(text: str, *, below: int = 1) -> Markup:
    """Return Markdown as HTML, its headings *below* so many of the page's own.

    HTML in it is shown as it was typed. Pictures from elsewhere are not loaded: their alternative text is a
    link to them. A link that leaves is marked.
    """
    return Markup(_markdown().render(text, {"below": below}))  # noqa: S704 - the renderer escapes


def document(text: str) -> Markup:
    """Return a whole file of Markdown for reading; comments are for who edits it."""
    plain = without_comments(text)
    return markdown(plain, below=1 if plain.lstrip().startswith("# ") else 0)


@cache
def _markdown() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    made.validateLink = lambda url: bool(_LINKABLE.match(url))  # type: ignore[method-assign]
    made.add_render_rule("image", _picture)
    made.add_render_rule("link_open", _link)
    for name in ("heading_open", "heading_close"):
        made.add_render_rule(name, _heading)
    for name in ("th_open", "td_open"):
        made.add_render_rule(name, _cell)
    return made


# What a renderer's rule is given: itself, the tokens, which of them, options, and what `render` was told.
_Options = Any


def _picture(
    self: RendererHTML, tokens: Sequence[Token], place: int, options: _Options, env: dict[str, Any]
) -> str:
    words = self.renderInlineAsText(tokens[place].children or [], options, env)
    words = escape(words or tokens[place].attrs.get("src", ""))
    links = [token.type for token in tokens[:place]]
    if links.count("link_open") > links.count("link_close"):
        return str(words)
    source = escape(tokens[place].attrs.get("src", ""))
    return f'<a href="{source}" rel="{_LEAVING["rel"]}" class="leaving picture">{words}</a>'


def _link(
    self: RendererHTML, tokens: Sequence[Token], place: int, options: _Options, env: dict[str, Any]
) -> str:
    for name, value in _LEAVING.items():
        tokens[place].attrSet(name, value)
    return self.renderToken(tokens, place, options, env)


def _heading(
    self: RendererHTML, tokens: Sequence[Token], place: int, options: _Options, env: dict[str, Any]
) -> str:
    token = tokens[place]
    level = min(int(token.tag[1]) + env["below"], 6)
    return f"<h{level}>" if token.nesting > 0 else f"</h{level}>\n"


def _cell(
    self: RendererHTML, tokens: Sequence[Token], place: int, options: _Options, env: dict[str, Any]
) -> str:
    style = str(tokens[place].attrs.pop("style", ""))
    if style:
        tokens[place].attrSet("class", style.rpartition(":")[2])
    return self.renderToken(tokens, place, options, env)

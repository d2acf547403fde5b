"""The text of a page: what somebody who looks at it would read."""

import codecs
import re
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import urldefrag, urljoin

from almario.domain.plain_text import in_one_line
from almario_explorer.web import is_web_address

# So much of a page is kept; what comes after is seldom why it was found.
MOST_CHARACTERS = 20_000
# So much of its source is read.
_MOST_SOURCE = 1_000_000
_MOST_LINKS = 50
_LONGEST_LINK = 500
# A page says its own charset this early.
_HEAD = 1024
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.IGNORECASE)
# Of Python's codecs, those that the web uses; others are no text, or take forever.
_WEB_CODECS = re.compile(
    r"utf-8|utf-16(-[lb]e)?|iso8859-\d+|cp125\d|cp874|cp866|koi8-[ru]|mac-roman|gb2312|gbk|gb18030|big5(hkscs)?|"
    r"euc_(jp|kr)|shift_jis|cp932|cp949|iso2022_jp"
)
_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_UNREAD = frozenset(
    """script style noscript noframes template svg math iframe object audio video canvas select datalist
    textarea button""".split()
)
_BREAKS = frozenset(
    "address article aside blockquote br caption dd details div dl dt fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tr ul".split()
)
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_GAP = re.compile(r"\s+")
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|(?:opacity|font-size)\s*:\s*0(?!\.?\d*[1-9])|"
    r"(?<![\w-])(?:left|top|text-indent)\s*:\s*-\d{3}",
    re.IGNORECASE,
)
_STYLE_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


# The parser looks for the end of a tag up to the end of the page, which costs too much for one that has
# none, and stumbles over declarations.
_DECLARATION = re.compile(r"<[!?][^<>]{0,4000}>")
_STRAY = re.compile(r"<(?![a-zA-Z/][^<>]{0,4000}>)")


class Readable(NamedTuple):
    """A page's title, its text in lines, and the addresses that it links to."""

    title: str
    text: str
    links: tuple[str, ...] = ()


def decoded(content: bytes, charset: str) -> str:
    """Return bytes as text: by their mark, by what the server says, by what the page says, or as UTF-8."""
    for mark, codec in _MARKS.items():
        if content.startswith(mark):
            return content[len(mark) :].decode(codec, "replace")
    found = _CHARSET.search(content[:_HEAD])
    named = charset or (found[1].decode("ascii", "replace") if found else "")
    return content.decode(_codec(named), "replace")


def readable_html(source: str, url: str) -> Readable:
    """Return what is to be read of a page in HTML that stands at *url*."""
    reader = _Reader()
    try:
        reader.feed(_tags_only(source[:_MOST_SOURCE]))
        reader.close()
    except _Enough:
        pass
    links = [urldefrag(_joined(url, link)).url for link in reader.links]
    kept = dict.fromkeys(link for link in links if is_web_address(link))
    return Readable(in_one_line(reader.title), _lines("".join(reader.parts)), tuple(kept)[:_MOST_LINKS])


def readable_text(source: str) -> Readable:
    """Return what is to be read of a page that is plain text, or nearly."""
    return Readable("", _lines(source[: 2 * MOST_CHARACTERS]))


def _tags_only(source: str) -> str:
    """Return a source without comments and declarations, where each `<` begins a tag that ends."""
    first, *others = source.split("<!--")
    shown = first + " ".join(part.partition("-->")[2] for part in others)
    return _STRAY.sub("&lt;", _DECLARATION.sub(" ", shown))


def _codec(name: str) -> str:
    try:
        known = codecs.lookup(name).name if name else "utf-8"
    except (LookupError, ValueError):
        return "utf-8"
    # What calls itself ASCII or Latin-1 on the web is the larger set.
    if known in ("ascii", "iso8859-1"):
        return "cp1252"
    return known if _WEB_CODECS.fullmatch(known) else "utf-8"


def _joined(url: str, link: str) -> str:
    try:
        return urljoin(url, link)
    except ValueError:
        return ""


def _lines(text: str) -> str:
    """Return a text in lines without anything that cannot be seen, as far as it is kept."""
    lines = [in_one_line(line) for line in text.splitlines()]
    return "\n".join(line for line in lines if line)[:MOST_CHARACTERS]


class _Enough(Exception):
    """There is as much text as is kept."""


class _Reader(HTMLParser):
    """Collects the title, the text and the links, as they come."""

    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self.parts: list[str] = []
        self.links: list[str] = []
        self._length = 0
        self._in_title = self._in_pre = False
        # The element that is not read, and how many of its name are open.
        self._unread = ""
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._unread:
            self._depth += tag == self._unread
            return
        if tag not in _VOID and (tag in _UNREAD or _is_hidden(dict(attrs))):
            self._unread, self._depth = tag, 1
            return
        link = dict(attrs).get("href") or ""
        if tag == "a" and 0 < len(link) <= _LONGEST_LINK and len(self.links) < 4 * _MOST_LINKS:
            self.links.append(link.strip())
        self._in_title = tag == "title" and not self.title
        self._in_pre = self._in_pre or tag == "pre"
        self._add("\n" if tag in _BREAKS else " " if tag in ("td", "th") else "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag in _UNREAD:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._unread:
            self._depth -= tag == self._unread
            self._unread = self._unread if self._depth else ""
        self._in_title = False
        self._in_pre = self._in_pre and tag != "pre"
        self._add("\n" if tag in _BREAKS else "")

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title = (self.title + data)[:300]
        elif not self._unread:
            self._add(data if self._in_pre else _GAP.sub(" ", data))

    def _add(self, text: str) -> None:
        if text and not self._unread:
            self.parts.append(text)
            self._length += len(text)
            # White space is not kept, so that more than is wanted may still turn out to be less.
            if self._length > 10 * MOST_CHARACTERS:
                raise _Enough


def _is_hidden(attributes: dict[str, str | None]) -> bool:
    style = _STYLE_COMMENT.sub("", attributes.get("style") or "")
    is_silent = (attributes.get("aria-hidden") or "").lower() == "true"
    return "hidden" in attributes or is_silent or bool(_HIDDEN.search(style))

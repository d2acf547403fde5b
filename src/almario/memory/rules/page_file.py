"""A page as a file: what the owner wrote by hand about themselves or about somebody.

# Inés

She likes to be asked about her boat.
"""

from functools import cache

from almario.domain.digests import sha256
from almario.domain.documents.bullets import unguard_arrows
from almario.domain.documents.lines import without_comments
from almario.domain.messages import LANGUAGES, say
from almario.domain.plain_text import regex
from almario.domain.vocabulary import THEMES
from almario.domain.words import fold
from almario.memory.rules.sources import PAGE_MARK, PAGES

_OWNER = "owner"
_NO_LETTER = regex(r"[\W_]+")
_LONGEST_NAME = 60
# A sentence that an older version made, with a digest of it: one that the owner has changed is the owner's.
_MADE = regex(r"- (.+) <!-- \w+ [\w ]+? = ([0-9a-f]{8}) [0-9a-f]{8} -->")


def page_path(name: str) -> str:
    """Return the file of somebody's page; without a name, of the owner's."""
    plain = _NO_LETTER.sub("-", fold(name)).strip("-")[:_LONGEST_NAME]
    if name.strip() and plain in ("", _OWNER):  # a name without letters, or one that is the owner's file
        return f"{PAGES}{_OWNER}-{sha256(name.encode('utf-8', 'replace'))[:8]}.md"
    return f"{PAGES}{plain or _OWNER}.md"


def title_and_note(text: str) -> tuple[str, str]:
    """Return whose page a file is, if its first line says so, and what the owner wrote below."""
    own = without_comments(handwritten(text)).lstrip("\ufeff").strip()
    title, _, rest = own.partition("\n")
    return (title.removeprefix("# ").strip(), rest.strip()) if title.startswith("# ") else ("", own)


def handwritten(text: str) -> str:
    """Return a page without what an older version made below a mark: it may retell what is erased."""
    mark = PAGE_MARK.search(text)
    if not mark:
        return text
    own = []
    for line in text[mark.end() :].splitlines():
        made = _MADE.fullmatch(line.strip())
        said = unguard_arrows(made[1]) if made else ""
        is_made = made and made[2] == sha256(said.encode("utf-8", "surrogatepass"))[:8]
        if line.strip() and not is_made and line.strip().removeprefix("## ") not in _headings():
            own.append(said or line)
    return "\n".join([text[: mark.start()].rstrip(), *own]).rstrip() + "\n"


@cache
def _headings() -> frozenset[str]:
    return frozenset(say(language, title) for language in LANGUAGES for title in THEMES.values())

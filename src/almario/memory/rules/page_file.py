"""A page as a file: what the owner wrote, a mark, and below it what was made from memories.

    # Inés

    She likes to be asked about her boat.

    <!-- made 812 2026-11-17T03:00:00+00:00 … -->
    ## What I know
    - Your sister Inés is a vet in Lisbon. <!-- person 3fa2b1c0d4e5 9d8e7f001122 = 1a2b3c4d 5e6f7a8b -->

Behind each sentence stand its theme, its evidence, and two digests: of the sentence, so that one the owner
has changed is the owner's, and of the evidence, so that it is not told when that has changed.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache

from almario.domain.digests import sha256
from almario.domain.documents.bullets import guard_arrows, unguard_arrows
from almario.domain.documents.lines import without_comments
from almario.domain.memories import Memory
from almario.domain.messages import LANGUAGES, Sentence, say
from almario.domain.plain_text import regex
from almario.domain.portrait import Theme
from almario.domain.vocabulary import THEMES
from almario.domain.words import SMALL, fold, index_terms
from almario.memory.rules.sources import PAGE_MARK, PAGES
from almario.named_tuples import NamedTuple
from almario.text.claims import day_of

_OWNER = "owner"
_LINE = regex(r"- (.+) <!-- (\w+) ([\w ]+?) = ([0-9a-f]{8}) ([0-9a-f]{8}) -->")
_NO_LETTER = regex(r"[\W_]+")
_NAMED: Mapping[str, Theme] = {theme: theme for theme in THEMES}
_LONGEST_NAME = 60
# A value with fewer words after the first does not stand without its key: "born: 3 May".
_FEW_WORDS = 3
_HINT = Sentence("below is made from memories, anew at night; what you write above this line stays")


class MadeSentence(NamedTuple):
    """A sentence that was made, the ids of its evidence, and a digest of what that said then."""

    theme: Theme
    text: str
    evidence: tuple[str, ...]
    was: str


class PageFile(NamedTuple):
    """What a page's file says.

    *head* is the owner's, as it stands. The rest was made when the journal ended with line *seq*, by a
    *model*, *of* memories with this digest.
    """

    head: str = ""
    made: tuple[MadeSentence, ...] = ()
    seq: int = 0
    at: datetime | None = None
    model: str = ""
    of: str = ""

    @property
    def note(self) -> str:
        """What the owner wrote, without the title."""
        text = without_comments(self.head).strip()
        title, _, rest = text.partition("\n")
        return rest.strip() if title.startswith("# ") else text

    @property
    def title(self) -> str:
        first = self.head.lstrip("\ufeff\r\n ").partition("\n")[0]
        return first.removeprefix("# ").strip() if first.startswith("# ") else ""


def page_path(name: str) -> str:
    """Return the file of somebody's page; without a name, of the owner's."""
    plain = _NO_LETTER.sub("-", fold(name)).strip("-")[:_LONGEST_NAME]
    if name.strip() and plain in ("", _OWNER):  # a name without letters, or one that is the owner's file
        return f"{PAGES}{_OWNER}-{sha256(name.encode('utf-8', 'replace'))[:8]}.md"
    return f"{PAGES}{plain or _OWNER}.md"


def parsed(text: str) -> PageFile:
    """Read a page; whatever below the mark is not as it was made is the owner's."""
    mark = PAGE_MARK.search(text)
    try:
        at = datetime.fromisoformat(mark[2]) if mark else None
    except ValueError:
        at = None
    if mark is None or at is None or at.tzinfo is None:
        return PageFile(text)
    made, own = [], []
    for line in text[mark.end() :].splitlines():
        found = _LINE.fullmatch(line.strip())
        body = unguard_arrows(found[1]) if found else ""
        if found and found[2] in _NAMED and found[4] == short(body):
            made.append(MadeSentence(_NAMED[found[2]], body, tuple(found[3].split()), found[5]))
        elif line.strip() and line.strip().removeprefix("## ") not in _headings():
            own.append(unguard_arrows(found[1]) if found else line)
    head = text[: mark.start()].rstrip() + "".join(f"\n{line}" for line in own)
    return PageFile(head.rstrip() + "\n", tuple(made), int(mark[1]), at, mark[3], mark[4])


@cache
def _headings() -> frozenset[str]:
    return frozenset(say(language, title) for language in LANGUAGES for title in THEMES.values())


def rendered(page: PageFile, name: str, language: str) -> str:
    """Return a page as a file: what the owner wrote, or the name as a title, and what was made."""
    head = page.head.rstrip() or f"# {guard_arrows(name)}"
    if not page.made or page.at is None:
        return f"{head}\n"
    model = "-".join(page.model.split()) or "-"
    lines = [f"<!-- made {page.seq} {page.at.isoformat()} {model} {page.of}: {say(language, _HINT)} -->"]
    for theme in dict.fromkeys(each.theme for each in page.made):
        lines += ["", f"## {say(language, THEMES[theme])}", ""]
        lines += [_line(each) for each in page.made if each.theme == theme]
    return f"{head}\n\n" + "\n".join(lines) + "\n"


def _line(each: MadeSentence) -> str:
    ids = " ".join(each.evidence)
    return f"- {guard_arrows(each.text)} <!-- {each.theme} {ids} = {short(each.text)} {each.was} -->"


def handwritten(text: str) -> str:
    """Return a page without what was made: any of it may retell what is erased, in other words."""
    return parsed(text).head if PAGE_MARK.search(text) else text


def short(text: str) -> str:
    """Return a short digest of a text."""
    return sha256(text.encode("utf-8", "surrogatepass"))[:8]


def digest_of(memories: Iterable[Memory]) -> str:
    """Return a short digest of what some memories say."""
    return short("\n".join(f"{each.id} {each.text} {each.dated}" for each in memories))


def still_holding(
    made: Sequence[MadeSentence], live: Mapping[str, Memory], gone: Sequence[str]
) -> tuple[list[MadeSentence], list[Memory]]:
    """Return the sentences that still hold, and what is in use of the evidence of the others.

    One does not hold if some of its evidence is not *live* or says something else by now; nor if it says
    anything of the *gone* that its own evidence does not.
    """
    lost = [_terms(text) for text in gone]
    kept: list[MadeSentence] = []
    freed: dict[str, Memory] = {}
    for each in made:
        evidence = [live[one] for one in each.evidence if one in live]
        is_whole = len(evidence) == len(each.evidence) and digest_of(evidence) == each.was
        own = _terms(" ".join(memory.text for memory in evidence)) if lost else frozenset()
        if is_whole and all((_terms(each.text) & terms) <= own for terms in lost):
            kept.append(each)
        else:
            freed |= {memory.id: memory for memory in evidence}
    cited = {one for each in kept for one in each.evidence}
    return kept, [memory for one, memory in freed.items() if one not in cited]


def _terms(text: str) -> frozenset[str]:
    return frozenset(index_terms(text)) - SMALL


def sentence_of_memory(memory: Memory) -> str:
    """Return what a memory says as a sentence: with its key, unless it says all by itself."""
    value = " ".join(memory.value.split())
    first, *more = value.split(" ")
    is_list = first.endswith(",") or bool(day_of(fold(first)))  # "Nora, aged three", "Tuesdays at six"
    is_whole = value[:1].isupper() and len(more) >= _FEW_WORDS and not is_list
    text = value if is_whole or not memory.key else f"{memory.key}: {value}"
    text = text[:1].upper() + text[1:]
    return text if text[-1:] in '.!?…。！？"”»)' else f"{text}."

"""What is wrong with the text of a soul, though every byte of it is allowed.

Text that was never filled in, lines said twice, and files longer than the prompt has room for.
"""

import re
from collections.abc import Iterator, Mapping

from almario.becoming.rules.motivations import LAST_REFLECTION, OBSERVATIONS, TITLES
from almario.domain.documents.goal_list import ACTIVE, COMPLETED
from almario.domain.documents.headings import compared, parse_sections
from almario.domain.documents.identity import identity_value
from almario.domain.documents.lines import is_blank, plain_lines, split_lines, without_comments
from almario.domain.messages import Sentence
from almario.domain.plain_text import estimate_tokens, regex
from almario.domain.words import fold
from almario.named_tuples import NamedTuple
from almario.text.tongues import written_in

FOUNDATION, STYLE, BOUNDARIES = "Personality Foundation", "Communication Style", "Boundaries"
SOUL_TITLES = (FOUNDATION, STYLE, BOUNDARIES)
_SECTIONS = {"SOUL.md": SOUL_TITLES, "MOTIVATIONS.md": TITLES, "GOALS.md": (ACTIVE, COMPLETED)}
# Time fills these.
_MAY_BE_EMPTY = {compared(title) for title in (ACTIVE, COMPLETED, OBSERVATIONS, LAST_REFLECTION)}
_SHORTEST = 3

_BULLET = regex(r"\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_TEMPLATE = regex(
    r"\{[a-z_ ]+\}|\{\{[^{}]*\}\}|<(?:your|tu|su|insert|inserta)\b[^<>]*>|_{4,}|\blorem ipsum\b"
    r"|\[(?:your|tu|su|insert|inserta|name|nombre|describe|write|escribe|example|ejemplo)\b[^][]*\](?!\()"
)
# "TODO" in the middle of a sentence may well be Spanish.
_TO_DO = regex(r"\bTODO\b(?=\s*(?:[:(]|$))|\b(?:FIXME|TBD|XXX)\b")
_LANGUAGES = {"en": Sentence("English"), "es": Sentence("Spanish")}


class Remark(NamedTuple):
    """One thing that is wrong: where, of what kind, and what.

    Kinds are `template`, `long`, `missing`, `empty`, `repeated` and `language`; line 0 is the whole file.
    """

    file: str
    line: int
    kind: str
    sentence: Sentence

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


class _Line(NamedTuple):
    file: str
    number: int
    text: str

    @property
    def place(self) -> str:
        return f"{self.file}:{self.number}"


def lint(
    texts: Mapping[str, str], *, budgets: Mapping[str, int] | None = None, language: str = ""
) -> list[Remark]:
    """Return what is wrong with the files of a soul, by file and line; *budgets* are tokens by file."""
    found: list[Remark] = []
    for file, text in texts.items():
        found += _of_form(file, text)
        budget = (budgets or {}).get(file, 0)
        if budget and (tokens := estimate_tokens(without_comments(text))) > budget:
            what = "it takes about {tokens} tokens; the prompt has room for {budget}"
            found.append(Remark(file, 0, "long", Sentence(what, tokens=tokens, budget=budget)))
    lines = [line for file, text in texts.items() for line in _lines(file, text)]
    found += [remark for line in lines for remark in _of_line(line)]
    found += [*_repeated(lines), *_in_another_language(lines, language)]
    order = list(texts)
    return sorted(found, key=lambda remark: (order.index(remark.file), remark.line, remark.kind))


def _lines(file: str, text: str) -> list[_Line]:
    """Return the lines that say something, without the sign of their bullet."""
    return [
        _Line(file, index + 1, _BULLET.sub("", line, count=1).strip())
        for index, line in plain_lines(split_lines(text))
        if not is_blank(line) and not line.lstrip("\ufeff").startswith("#")
    ]


def _plain(sentence: str) -> str:
    words = re.findall(r"\w+", fold(sentence))
    return " ".join(words) if len(words) >= _SHORTEST else ""


def _of_form(file: str, text: str) -> Iterator[Remark]:
    titles = {compared(section.title) for section in parse_sections(text)}
    for title in _SECTIONS.get(file, ()):
        if compared(title) not in titles:
            yield Remark(file, 0, "missing", Sentence("there is no section {title}", title=title))
    if file == "IDENTITY.md" and not identity_value(text, "name"):
        yield Remark(file, 0, "missing", Sentence("there is no name"))
    place = 1
    for section in parse_sections(text):
        is_empty = section.level == 2 and is_blank(without_comments(section.body))
        if is_empty and compared(section.title) not in _MAY_BE_EMPTY:
            what = Sentence("there is nothing under {title}", title=section.title)
            yield Remark(file, place, "empty", what)
        place += len(split_lines(section.heading + section.body))


def _of_line(line: _Line) -> Iterator[Remark]:
    if found := _TO_DO.search(line.text) or _TEMPLATE.search(fold(line.text)):
        what = Sentence('"{words}" is template text', words=found[0])
        yield Remark(line.file, line.number, "template", what)


def _repeated(lines: list[_Line]) -> Iterator[Remark]:
    first: dict[str, _Line] = {}
    for line in lines:
        if not (plain := _plain(line.text)):
            continue
        if earlier := first.get(plain):
            what = Sentence("it repeats what is already at {place}", place=earlier.place)
            yield Remark(line.file, line.number, "repeated", what)
        first.setdefault(plain, line)


def _in_another_language(lines: list[_Line], language: str) -> Iterator[Remark]:
    for file in ("SOUL.md", "MOTIVATIONS.md"):  # names and roles may be in any
        text = " ".join(line.text for line in lines if line.file == file)
        if language and (found := written_in(text, language)) != language:
            what = "it is written in {found}, and its language is {language}"
            named = _LANGUAGES.get(found, Sentence("another language"))
            told = Sentence(what, found=named, language=_LANGUAGES[language])
            yield Remark(file, 0, "language", told)

"""What is wrong with the text of a soul, though every byte of it is allowed.

Text that was never filled in, lines that contradict each other, files longer
than the prompt has room for, and rules that would work against the owner.
"""

import re
from collections.abc import Iterator, Mapping

from almario.becoming.rules.contradictions import clauses, contradictions, denies
from almario.becoming.rules.motivations import (
    DRIVES,
    LAST_REFLECTION,
    OBSERVATIONS,
    TITLES,
    known_names,
    situational,
)
from almario.domain.documents.goal_list import ACTIVE, COMPLETED
from almario.domain.documents.headings import compared, parse_sections, section_body
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
# What the owner is like, and how tools are called, is nobody's character.
_NOT_CHARACTER = ("USER.md", "TOOLS.md", "GOALS.md")
_SHORTEST = 3

_BULLET = regex(r"\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_SENTENCE = regex(r"(?<=[.!?…])\s+")
_TEMPLATE = regex(
    r"\{[a-z_ ]+\}|\{\{[^{}]*\}\}|<(?:your|tu|su|insert|inserta)\b[^<>]*>|_{4,}|\blorem ipsum\b"
    r"|\[(?:your|tu|su|insert|inserta|name|nombre|describe|write|escribe|example|ejemplo)\b[^][]*\](?!\()"
    r"|\bas an ai\b|\bas a (?:large )?language model\b|\bhelpful assistant\b"
    r"|\bhow (?:can|may) i (?:help|assist) you\b"
    r"|\bcomo (?:una? )?(?:ia|inteligencia artificial|modelo de lenguaje)\b"
    r"|\basistente (?:virtual|util|servicial)\b|\ben que (?:puedo|te puedo) ayudar(?:te|le)?\b"
)
# "TODO" in the middle of a sentence may well be Spanish.
_TO_DO = regex(r"\bTODO\b(?=\s*(?:[:(]|$))|\b(?:FIXME|TBD|XXX)\b")
_STRANGERS = (
    r"(?:documents?|pages?|websites?|web|emails?|e-mails?|messages?|strangers?|anyone|anybody|"
    r"documentos?|paginas?|correos?|mensajes?|extrañ[oa]s|desconocidos|cualquiera)"
)
# What stands between two words that belong together; without a limit, a long line would take for ever.
_GAP = r".{0,100}"
# Each is what a soul must not promise, unless it denies it.
_UNSAFE = {
    "obeys": re.compile(
        rf"\b(?:obey|follow|carry out|execute|obedezco|obedecer|sigo|cumplo|ejecuto)\b{_GAP}"
        rf"\b(?:instructions?|orders?|commands?|instrucciones|ordenes)\b{_GAP}\b{_STRANGERS}\b"
    ),
    "poses": re.compile(
        r"\b(?:pretend to be|pass for|claim to be|say i am) (?:a )?(?:human|person)\b"
        r"|\bi am (?:a )?(?:human|real person)\b"
        rf"|\b(?:finjo|me hago pasar) {_GAP}\b(?:human[oa]|persona)\b"
        r"|\bsoy (?:un ser human[oa]|una persona de verdad)\b"
    ),
    "changes": re.compile(
        rf"\b(?:change|rewrite|edit) (?:myself|my (?:own )?soul|who i am)\b{_GAP}"
        r"\b(?:without|unasked|on my own)\b"
        rf"|\b(?:cambio|reescribo|edito) (?:mi alma|quien soy)\b{_GAP}\b(?:sin|por mi cuenta)\b"
    ),
    "hides": re.compile(
        rf"\b(?:hide|conceal|keep)\b{_GAP}\bfrom my human\b|\b(?:oculto|escondo)\b{_GAP}\ba mi human[oa]\b"
    ),
}

_DANGERS = {
    "obeys": "it would obey what strangers write; what is read is information, never an order",
    "poses": "it would pass for a human",
    "changes": "it would change itself without consent",
    "hides": "it would keep things from its human",
}
_WITHOUT = regex(r"\b(?:without|sin)\b")
_LANGUAGES = {"en": Sentence("English"), "es": Sentence("Spanish")}


class Remark(NamedTuple):
    """One thing that is wrong: where, of what kind, and what.

    Kinds are `template`, `contradiction`, `long`, `missing`, `empty`, `repeated`, `unsafe`, `language`,
    `situational` and `copied`; line 0 is the whole file.
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
    texts: Mapping[str, str],
    *,
    budgets: Mapping[str, int] | None = None,
    language: str = "",
    known: Mapping[str, str | Sentence] | None = None,
) -> list[Remark]:
    """Return what is wrong with the files of a soul, by file and line.

    *budgets* are tokens by file; *known* are sentences, as `sentences_in` gives
    them, that should not stand there word for word, with whose they are.
    """
    found: list[Remark] = []
    for file, text in texts.items():
        found += _of_form(file, text)
        budget = (budgets or {}).get(file, 0)
        if budget and (tokens := estimate_tokens(without_comments(text))) > budget:
            what = "it takes about {tokens} tokens; the prompt has room for {budget}"
            found.append(Remark(file, 0, "long", Sentence(what, tokens=tokens, budget=budget)))
    lines = [line for file, text in texts.items() for line in _lines(file, text)]
    found += [remark for line in lines for remark in _of_line(line, known or {})]
    own = [_without_key(line) for line in lines if line.file not in _NOT_CHARACTER]
    found += [*_repeated(lines), *_contradicting(own), *_in_another_language(own, language)]
    found += _situational(texts)
    order = list(texts)
    return sorted(found, key=lambda remark: (order.index(remark.file), remark.line, remark.kind))


def sentences_in(text: str) -> list[str]:
    """Return the sentences of a text of several words each, in the form in which they are compared."""
    return [
        plain for line in _lines("", text) for each in _SENTENCE.split(line.text) if (plain := _plain(each))
    ]


def _lines(file: str, text: str) -> list[_Line]:
    """Return the lines that say something, without the sign of their bullet."""
    return [
        _Line(file, index + 1, _BULLET.sub("", line, count=1).strip())
        for index, line in plain_lines(split_lines(text))
        if not is_blank(line) and not line.lstrip("\ufeff").startswith("#")
    ]


def _without_key(line: _Line) -> _Line:
    """Return a line; of a field of IDENTITY.md only its value, because to have an emoji is not to use any."""
    _, colon, value = line.text.partition(":")
    return line._replace(text=value.strip()) if colon and line.file == "IDENTITY.md" else line


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


def _of_line(line: _Line, known: Mapping[str, str | Sentence]) -> Iterator[Remark]:
    folded_text = fold(line.text)
    if found := _TO_DO.search(line.text) or _TEMPLATE.search(folded_text):
        what = Sentence('"{words}" is template text', words=found[0])
        yield Remark(line.file, line.number, "template", what)
    for danger, pattern in _UNSAFE.items():
        if any(pattern.search(clause) and not _is_denied(clause) for clause in clauses(folded_text)):
            yield Remark(line.file, line.number, "unsafe", Sentence(_DANGERS[danger]))
    for sentence in _SENTENCE.split(line.text):
        if whose := known.get(_plain(sentence)):
            what = Sentence(
                '"{words}" is copied word for word from {whose}', words=sentence.strip(), whose=whose
            )
            yield Remark(line.file, line.number, "copied", what)


def _is_denied(clause: str) -> bool:
    """Say whether a clause denies what it names; "without asking" denies nothing."""
    return denies(_WITHOUT.sub("", clause))


def _situational(texts: Mapping[str, str]) -> Iterator[Remark]:
    own = identity_value(texts.get("IDENTITY.md", ""), "name")
    names = known_names([texts.get("USER.md", "")], own=own)
    motivations = texts.get("MOTIVATIONS.md", "")
    drives = {line.text for line in _lines("", section_body(motivations, DRIVES))}
    for line in _lines("MOTIVATIONS.md", motivations):
        if line.text in drives and (why := situational(line.text, names)):
            what = Sentence("not a lasting drive: {why}", why=why)
            yield Remark(line.file, line.number, "situational", what)


def _repeated(lines: list[_Line]) -> Iterator[Remark]:
    first: dict[str, _Line] = {}
    for line in lines:
        if not (plain := _plain(line.text)):
            continue
        if earlier := first.get(plain):
            what = Sentence("it repeats what is already at {place}", place=earlier.place)
            yield Remark(line.file, line.number, "repeated", what)
        first.setdefault(plain, line)


def _contradicting(lines: list[_Line]) -> Iterator[Remark]:
    for one, other in contradictions([line.text for line in lines]):
        earlier, later = lines[one], lines[other]
        what = 'it contradicts {place}, "{words}"'
        told = Sentence(what, place=earlier.place, words=earlier.text)
        yield Remark(later.file, later.number, "contradiction", told)


def _in_another_language(lines: list[_Line], language: str) -> Iterator[Remark]:
    for file in ("SOUL.md", "MOTIVATIONS.md"):  # names and roles may be in any
        text = " ".join(line.text for line in lines if line.file == file)
        if language and (found := written_in(text, language)) != language:
            what = "it is written in {found}, and its language is {language}"
            named = _LANGUAGES.get(found, Sentence("another language"))
            told = Sentence(what, found=named, language=_LANGUAGES[language])
            yield Remark(file, 0, "language", told)

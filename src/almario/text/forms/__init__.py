"""What a message orders in a form that can mean nothing else, as `en.toml` and `es.toml` list them.

A form acts in the owner's own words: not in a mail or a chat that was pasted, nor in what is quoted. To
remember, to forget and a rule begin a sentence of the first line; a confidence is a clause by itself,
anywhere. What is worded otherwise is kept as it was said, and a model may hear more in it.
"""

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from re import Pattern

from almario.domain.plain_text import regex
from almario.domain.turns import KEEP
from almario.domain.words import sentence_spans
from almario.named_tuples import NamedTuple
from almario.text.quoting import folded

REMEMBER, RULE, FORGET, UNDO = "remember", "rule", "forget", "undo"
# A confidence: of what is said with it or, alone, of what is around it; of what comes; of what was said.
OFF, NEXT, PREVIOUS = "off", "next", "previous"
_FOLDER, _LANGUAGES = Path(__file__).parent, ("en", "es")
# Only the beginning of what is long is listened to.
_LONGEST = 8_000
# Emoji, and what joins and colours them.
_PICTURES = "\u200d\ufe0f\u2600-\u27bf\U0001f1e6-\U0001faff"
_SIGN = regex(rf"[\s,;:.!?¡¿…–—()\"'{_PICTURES}-]")
_PICTURED = regex(rf"(?:\s*[{_PICTURES}]+)?")
_AROUND = " \t\r\n,;:.!?¡¿…–—-"
_ASKS = regex(r"[?？][\s\"')»”]*\Z")
_WORD, _DIGITS = regex(r"\w"), regex(r"\d")
_PART = regex(r"(?<![?]P)<(\w+)>")
# The head of a mail, "On Tuesday Ana wrote:", a ruled line, and the end of a letter with a name below it.
_MAIL = regex(
    r"(?im)^[ \t>*]*(?:from|subject|sent|to|cc|reply-to|de|para|asunto|enviado(?: el)?|fecha|date)[ \t]*:"
    r"[ \t]*\S.*\n"
    r"|^[ \t]*(?:[-=_~*]{3,}.*|--[ \t]*)$"
    r"|\b(?:wrote|writes|escribi[oó]|escribe|ha escrito)\b[^\n:.!?]{0,40}:"
    r"|(?:^[ \t]*(?:(?:all the|best|kind|kindest|warm|many|with)[ \t]+)*"
    r"(?:wishes|best|cheers|yours(?:[ \t]\w+)?|thanks|thank you|love|hugs"
    r"|take care|(?:talk|see you|speak)[ \t]soon|x{1,4}|(?:muchas[ \t])?gracias|saludos(?:[ \t]\w+)?"
    r"|(?:un|una)(?:[ \t]\w+)?[ \t](?:saludo|abrazo|beso)|abrazos|bes(?:it)?os|con cari[nñ]o"
    r")|\b(?:regards|sincerely|respectfully|faithfully|atentamente|atte|cordialmente))"
    r"[ \t]*[,.!]?[ \t]*\n+[ \t]*[^\W\d_][^\n]{0,60}\s*(?:\n[^\n]*){0,4}\Z"
    r"|^[ \t]*(?:(?:love|hugs|abrazos|bes(?:it)?os),|x{1,4})[ \t]+[^\W\d_][^\n]{0,30}\s*\Z"
)
# Who laughs at what they say is in no danger.
_LAUGHING = regex(r"[^\w😂🤣😅😆😹💀☠]{0,4}[😂🤣😅😆😹💀☠]")
# Lines of a chat, as it is copied.
_SPOKEN = regex(
    r"(?m)^[ \t]*(?:\[[^\]\n]{1,40}\][ \t]*|\d[\d/:., apm]{3,24}[ \t-]+)?[^\W\d_][\w .'-]{0,24}"
    r"(?:\[[^\]\n]{1,20}\])?:[ \t]+\S.*$"
)
_SPOKEN_LINES = 2


class Form(NamedTuple):
    """A sure form: of which kind, what is meant as it was written, and where the two stand.

    The text of a confidence is what else the message says: nothing, where it stands alone. So is that of an
    order that names nothing: a bare "forget".
    """

    kind: str
    text: str
    start: int
    end: int


class _Table(NamedTuple):
    """The forms of one language; what has none of the words it *needs* has none of them."""

    needs: Pattern[str]
    beginning: tuple[tuple[str, Pattern[str]], ...]
    alone: tuple[tuple[str, Pattern[str]], ...]
    undo: Pattern[str]
    danger: Pattern[str]
    lead: Pattern[str]
    tail: Pattern[str]
    pleas: Pattern[str]
    saying: Pattern[str]
    # What a kind can't be about.
    excepted: dict[str, Pattern[str]]
    ahead: Pattern[str]
    minding: Pattern[str]
    reminding: Pattern[str]
    joins: str
    ends: str


# A message is read by whoever hears it, and by whoever answers.
@lru_cache(maxsize=16)
def forms_in(message: str) -> tuple[Form, ...]:
    """Return the sure forms of a message, in their order."""
    written = message[:_LONGEST]
    plain = folded(written)
    if not any(table.needs.search(plain) for table in _tables()):
        return ()
    is_pasted, bare = _is_pasted(written), _bare(plain, 0, len(plain))
    if not is_pasted and any(table.undo.fullmatch(plain, *bare) for table in _tables()):
        return (Form(UNDO, "".join(_DIGITS.findall(plain)), *bare),)
    start = len(plain) - len(plain.lstrip())
    line = plain.find("\n", start) if "\n" in plain[start:] else len(plain)
    if is_pasted:  # its own words are those above it
        is_above = not any(each.match(written[start:]) for each in (_MAIL, _SPOKEN))
        found = list(_confidences(plain, line, line)) if is_above else []
    else:
        found = list(_confidences(plain, len(plain), line))
        spans = [(each.start, each.end) for each in found]
        found += (each for each in _orders(written, plain, line) if not _meets(spans, each))
    ordered = sorted(found, key=lambda each: each.start)
    rest = _without(written, ordered)
    return tuple(each._replace(text=rest) if each.kind in (OFF, NEXT) else each for each in ordered)


def besides(message: str) -> str:
    """Return what a message says besides its forms; pleas and greetings aside."""
    found = forms_in(message)
    return _without(message, found) if found else message.strip()


def tells(message: str) -> bool:
    """Return whether an owner's message tells something: one that only orders something does not."""
    return message.strip().lower() not in KEEP and bool(besides(message))


def subject_of(message: str) -> str:
    """Return a message without the words that say that it is to be kept in mind, which all orders share."""
    plain, kept = folded(message), message
    for table in _tables():
        for each in table.minding.finditer(plain):
            kept = f"{kept[: each.start()]}{' ' * len(each[0])}{kept[each.end() :]}"
    return " ".join(kept.split()) if _WORD.search(kept) else message


def asks_for_reminder(message: str) -> bool:
    """Return whether a message begins by asking to be reminded: "remind me to call Ana"."""
    plain = folded(message[:_LONGEST])
    start, end = _bare(plain, 0, len(plain))
    return any(
        table.reminding.match(plain, asking.end() if asking else start, end)
        for table in _tables()
        for asking in (table.pleas.match(plain, start, end),)
    )


def is_in_danger(message: str) -> bool:
    """Return whether somebody says, at the end of a clause, that they want to die or are being hurt."""
    plain = folded(message[:_LONGEST])
    return any(
        table.danger.search(plain, *_bare(plain, *span)) is not None and not _LAUGHING.match(plain, span[1])
        for span in _clauses(plain, len(plain), ends=True)
        for table in _tables()
    )


def _orders(written: str, plain: str, line: int) -> Iterator[Form]:
    """Yield what begins a sentence of the first line; what is meant goes on to its end, or to a question."""
    spans = [(start, min(end, line)) for start, end in sentence_spans(plain) if start < line]
    taken = 0
    for place, (start, end) in enumerate(spans):
        if start < taken:
            continue
        if _is_said(plain, 0, start):
            return
        form = _order(written, plain, start, end)
        if form is None:
            continue
        if form.kind in (REMEMBER, RULE):
            form = _to_the_end(written, plain, form, spans[place + 1 :])
        yield form
        taken = form.end


def _order(written: str, plain: str, start: int, end: int) -> Form | None:
    """Return the order that a sentence is; what is meant may follow on the next lines."""
    first, last = _bare(plain, start, end)
    last += plain.startswith(":", last)
    for table in _tables():
        asking = table.pleas.match(plain, first, last)
        at = asking.end() if asking else first
        if not asking and _ASKS.search(plain[start:end]):
            continue
        for kind, row in table.beginning:
            if found := row.match(plain, at, last):
                meant = found.span("object")
                text = written[slice(*meant)].strip(_AROUND)
                if not table.excepted[kind].match(folded(text)):
                    return Form(kind, text, first, last)
    return None


def _to_the_end(written: str, plain: str, form: Form, following: Iterable[tuple[int, int]]) -> Form:
    """Return a form with what is said after it in its line, or, if that is nothing, on the next lines."""
    if not form.text:
        return form._replace(text=written[form.end :].strip(_AROUND), end=len(written))
    end = max(form.end, each.end() if (each := _PICTURED.match(written, form.end)) else 0)
    for start, last in following:
        if _ASKS.search(plain[start:last]) or _order(written, plain, start, last):
            break
        end = last
    begins = written.index(form.text, form.start)
    return form._replace(text=written[begins:end].strip(_AROUND), end=end)


def _confidences(plain: str, until: int, line: int) -> Iterator[Form]:
    """Yield the clauses that say that something is off the record, unless it is told of somebody.

    What was said just before is meant on the first *line* alone.
    """
    for start, end in _clauses(plain, until):
        sentence = max(plain.rfind(sign, 0, start) for sign in ".!?\n")
        if _is_said(plain, sentence + 1, start):
            continue
        first, last = _bare(plain, start, end)
        rows = (row for table in _tables() for row in table.alone)
        found = next(
            ((kind, each) for kind, row in rows if (each := row.fullmatch(plain, first, last))), None
        )
        if found and (found[0] == OFF or start < line):
            kind, match = found
            meant = match.start("object") if kind == OFF else -1
            stop = meant if meant > 0 else last
            is_next = kind == OFF and any(table.ahead.search(plain, first, stop) for table in _tables())
            yield Form(NEXT if is_next else kind, "", first, stop)


def _is_said(plain: str, start: int, end: int) -> bool:
    return any(table.saying.search(plain, start, end) for table in _tables())


def _clauses(plain: str, until: int, *, ends: bool = False) -> Iterator[tuple[int, int]]:
    start = 0
    for mark in _marks(ends=ends).finditer(plain, 0, until):
        if start < mark.start():
            yield start, mark.start()
        start = mark.end()
    if start < until:
        yield start, until


def _bare(plain: str, start: int, end: int) -> tuple[int, int]:
    """Return where a clause begins and ends without signs, greetings and pleas around it."""
    while True:
        before = start, end
        while start < end and _SIGN.match(plain[start]):
            start += 1
        while start < end and _SIGN.match(plain[end - 1]):
            end -= 1
        for table in _tables():
            if (led := table.lead.match(plain, start, end)) and led.end() < end:
                start = led.end()
            if (tailed := table.tail.search(plain, start, end)) and tailed.start() > start:
                end = tailed.start()
        if (start, end) == before:
            return start, end


def _without(written: str, forms: Iterable[Form]) -> str:
    """Return what is left of a text without its forms."""
    pieces, at = list[str](), 0
    for each in forms:
        pieces.append(written[at : each.start])
        at = max(at, each.end)
    pieces.append(written[at:])
    left = (piece[slice(*_bare(folded(piece), 0, len(piece)))] for piece in pieces)
    return " ".join(each for each in left if _WORD.search(each) and not _is_light(each))


def _is_light(text: str) -> bool:
    plain = folded(text)
    return any(table.lead.fullmatch(f"{plain} ") or table.tail.fullmatch(f" {plain}") for table in _tables())


def _meets(spans: Iterable[tuple[int, int]], form: Form) -> bool:
    return any(start == form.start for start, _ in spans)


def _is_pasted(written: str) -> bool:
    """Return whether a message has signs of a mail or of a chat that somebody else wrote."""
    return bool(_MAIL.search(written)) or len(_SPOKEN.findall(written)) >= _SPOKEN_LINES


@cache
def _marks(*, ends: bool) -> Pattern[str]:
    """Return what parts clauses: signs, and the words that join what has nothing to do with a form."""
    joins = "|".join(f"{table.joins}|{table.ends}" if ends else table.joins for table in _tables())
    return regex(rf"[,;:()–—\n.!?¡¿…{_PICTURES}]+|\s(?:-+|{joins})\s")


@cache
def _tables() -> tuple[_Table, ...]:
    return tuple(map(_table, _LANGUAGES))


def _table(code: str) -> _Table:
    read = tomllib.loads((_FOLDER / f"{code}.toml").read_text("utf-8"))
    parts, rows = read["parts"], read["forms"]

    def either(*texts: str) -> str:
        return f"(?:{'|'.join(_row(each, parts) for each in texts)})"

    danger, beside = either(*read["danger"]["rows"]), either(read["danger"]["beside"])
    return _Table(
        regex(rf"\b(?:{parts['needs']})"),
        tuple((kind, regex(either(row))) for kind in (REMEMBER, RULE, FORGET) for row in rows[kind]),
        tuple((kind, regex(either(*rows[kind]))) for kind in (PREVIOUS, OFF)),
        regex(either(*rows["undo"])),
        regex(rf"(?<![\w'])(?<!\bno )(?<!n't ){danger}(?:\s+{beside})*\Z"),
        regex(rf"{either(parts['lead'])}[\s,;:.!…–—-]+"),
        regex(rf"[\s,;:.!…–—-]+{either(parts['tail'])}\Z"),
        regex(rf"{either(parts['pleas'])}\s+(?:please\s+)?"),
        regex(rf"\b(?:{parts['saying']})\b"),
        {
            REMEMBER: regex(rf"{either(rows['no_fact'])}\b"),
            RULE: regex(rf"{either(rows['no_rule'])}\b"),
            FORGET: regex(rf"{either(rows['not_named'])}\Z"),
        },
        regex(rf"\b(?:{parts['ahead']})\b"),
        regex(rf"\b(?:{parts['minding']})"),
        regex(rf"(?:{parts['reminding']})\b"),
        parts["joins"],
        parts["ends"],
    )


def _row(row: str, parts: dict[str, str]) -> str:
    """Return a row as a pattern; where it ends with "…", what is meant may be missing."""
    row = _filled(row.replace("<my>…", "(?=(?:<my>)\\b)…"), parts).replace(" ", r"\s+")
    before, meant, after = row.partition("…")
    if not meant:
        return before
    if after:
        return f"{before}(?P<object>.+?){after}"
    if word := before.removesuffix(r"\s+"):
        before = rf"{word}\s*" if word.endswith(":") else rf"{word}(?:\s+|\Z)" if word != before else before
    return rf"{before}(?P<object>.*\S|\Z)"


def _filled(row: str, parts: dict[str, str]) -> str:
    """Return a row with its parts, and theirs, in the place of their names."""
    while found := _PART.search(row):
        row = f"{row[: found.start()]}(?:{parts[found[1]]}){row[found.end() :]}"
    return row

"""Orders in words that cannot be anything else: "remember that …", "forget my …", "between us, …".

A sure row of a language stands at the beginning of a sentence or a clause, or at its end. What a question
asks, what is quoted and what somebody else said is no order; but a question may begin as a confidence. What
is worded otherwise the fitted reader may guess, and a model may hear.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache

from almario.domain.plain_text import regex
from almario.domain.turns import PREVIOUS, THIS
from almario.domain.words import SMALL, fold, index_terms, query_words, sentences_in
from almario.language import at_a_glance, languages, rows_in
from almario.named_tuples import NamedTuple
from almario.text.quoting import PLACEHOLDER, folded
from almario.text.times.clock import hours
from almario.text.tongues import reminding, words_of

REMEMBER, FORGET, OFF, TELL, NOTE = "remember", "forget", "off", "tell", "note"
CANCEL, _STATE = "cancel", "state"
_SORTS = (REMEMBER, _STATE, FORGET, OFF, PREVIOUS, TELL, NOTE, CANCEL)
# These take something away: one stands first, or after another order.
_TAKING = (FORGET, PREVIOUS, CANCEL)
_WORDS = regex(r"\w+")
_CLAUSE = regex(r"[,;:(]+[\s.]*|\s[-–—]+\s+|[–—]\s*|\.{2,}\s*|…\s*")
# After a row that says all by itself comes the end of its clause.
_ENDS = regex(r"\s*(?:[,;:.!?…)–—。！？]|-\s|$)")
# "Off the record, where does she live?": the question that follows is meant.
_ASKS_ON = regex(r"\s*(?:[,;:…–—]|-\s)\s*\w")
_SIGNS = " \t\n,;:–—-("
_CLOSING = ".!?…。！？)"
# So much of a message is listened to at its beginning and at its end: what is between was pasted.
_REACH = 4_000
# In a sentence with more clauses than that, none of its last is an order; so many words may lead one.
_MOST_CLAUSES, _LEADS = 12, 4
_LONGEST_TAIL = 30
# So few words that begin as an order to forget and name something may be one.
_BRIEF = 5
# No shorter sentence is told apart from a name.
_STATED = 3
# What ends so goes on with what follows.
_GOES_ON = (":", ",", "-", "–", "—")


class Wish(NamedTuple):
    """Something to `remember` or to `forget`: *text* says what."""

    verb: str
    text: str


class Order(NamedTuple):
    """A sure order of a sort: where it begins and ends, and what is meant as it was written."""

    sort: str
    start: int
    end: int
    text: str = ""


class _Row(NamedTuple):
    """What stands before the thing that is meant, and after it; a row without a thing says all by itself."""

    sort: str
    before: str
    after: str
    has_object: bool
    # So much of what stands before belongs to the thing: "my" of "forget my…".
    own: int = 0


class _Rows(NamedTuple):
    """The rows of every language: by the first sign of what stands before, and those with nothing before."""

    beginning: dict[str, list[_Row]]
    ending: list[_Row]
    lead: tuple[str, ...]
    tail: tuple[str, ...]
    pleas: tuple[str, ...]
    never: tuple[str, ...]
    joins: tuple[str, ...]
    but: tuple[str, ...]


class _Sentence(NamedTuple):
    """A sentence as *written* and in *plain* letters, where it begins, and whether it asks."""

    written: str
    plain: str
    start: int
    asks: bool

    def has(self, order: Order) -> bool:
        return self.start <= order.start < self.start + len(self.written)


def wish_in(message: str) -> Wish | None:
    """Return the first thing that a message orders to be remembered or forgotten, or None."""
    return next(iter(ordered_in(message)), None)


def ordered_in(message: str, *sorts: str) -> list[Wish]:
    """Return all that a message orders of some sorts; without any, to be remembered or forgotten."""
    wanted = sorts or (REMEMBER, FORGET)
    return [Wish(each.sort, each.text) for each in orders_in(message) if each.sort in wanted]


def may_ask_to_forget(message: str) -> bool:
    """Return whether a message is but a verb of forgetting and what it names: "forget the router"."""
    order = _core(message)
    verb, *named = _WORDS.findall(folded(order)) or ("",)
    is_brief = len(named) < _BRIEF or _is_statement(" ".join(_WORDS.findall(order)[2:]))
    is_whole = is_brief and "?" not in message and not _CLAUSE.search(order)
    is_meant = _names(" ".join(named)) and not _is_turned(Order(FORGET, 0, len(message), message))
    return is_whole and verb in _forgetting() and is_meant


def _core(message: str) -> str:
    """Return a message without what is said around an order: "hey, … please"."""
    plain = folded(message)
    *_, start = _after_leads(plain, 0)
    return message[start : len(_without_tails(plain))]


def clears(message: str) -> bool:
    """Return whether a message is an order to delete all that is known: "erase your memory"."""
    verb, *rest = [word for word in _WORDS.findall(folded(message)) if word not in around_orders()] or ("",)
    every = listed("everything")
    is_all = not every.isdisjoint(rest) and every | SMALL >= set(rest) and "?" not in message
    return is_all and verb.startswith(tuple(ordering_words(FORGET)))  # "bórralo"


def besides_forgetting(message: str) -> str:
    """Return what an order to forget says besides: the sentences without it, and without what it names."""
    orders = [each for each in orders_in(message) if each.sort == FORGET]
    named = {term for each in orders for word in query_words(each.text) for term, _ in word.terms}
    others = [each.written.strip() for each in _sentences(message) if not any(map(each.has, orders))]
    return " ".join(each for each in others if named.isdisjoint(index_terms(each))) if orders else ""


def others_in(text: str, named: str) -> str:
    """Return the clauses of a text, with a verb or an hour, that tell something else than what is *named*."""
    meant, sign = {term for word in query_words(named) for term, _ in word.terms}, ", "
    for each in (*_rows().joins, "; ", ". "):
        text = text.replace(each, sign)
    clauses, stating = text.split(sign), listed("stating") | words_of("subjects")
    others = [each for each in clauses if meant.isdisjoint(index_terms(each))]
    # "The gig is on Saturday, doors 7:30": the hour is that of the gig.
    is_timed = any(hours(each) for each in clauses if each not in others)
    return sign.join(
        each for each in others if (is_timed and hours(each)) or not stating.isdisjoint(fold(each).split())
    )


def besides_orders(message: str, *but: str) -> str:
    """Return what a message says besides its orders, *but* for some: nothing, if it is "please" and such."""
    written, pieces, at = _near(message), list[str](), 0
    for order in orders_in(message):
        if order.sort not in (TELL, *but):
            pieces.append(written[at : order.start])
            at = max(at, order.end)
    sentences = (each.strip(_SIGNS) for piece in (*pieces, written[at:]) for each in sentences_in(piece))
    return " ".join(_unjoined(each) for each in sentences if not _is_light(each))


def _unjoined(clause: str) -> str:
    """Return a clause without the "and" that joins it to the one before, or after."""
    plain, joins = f" {folded(clause)} ", _rows().joins
    first, last = (
        next((len(each) - 1 for each in joins if at(each)), 0) for at in (plain.startswith, plain.endswith)
    )
    return clause[first : len(clause) - last].rstrip(_SIGNS)


def off_record_in(message: str) -> str:
    """Say what a message orders not to be kept: `this`, what was said `previous` to it, or nothing ("")."""
    found = {THIS if each.sort == OFF else each.sort for each in orders_in(message)}
    return next((each for each in (PREVIOUS, THIS) if each in found), "")


def announces(message: str) -> bool:
    """Return whether a message says no more than that something is a confidence."""
    found = [each for each in orders_in(message) if each.sort == OFF]
    rest = message[: found[0].start] + message[found[-1].end :] if found else message
    return bool(found) and _is_light(rest)


def _is_light(text: str) -> bool:
    return all(word in SMALL or word in around_orders() for word in _WORDS.findall(folded(text)))


@cache
def around_orders() -> frozenset[str]:
    """Return the words that may stand before an order and after it: "hey", "please", "and"."""
    rows = _rows()
    return frozenset(word for each in (*rows.lead, *rows.tail, *rows.joins) for word in each.split())


# One message is read for all its orders in turn.
@lru_cache(maxsize=32)
def orders_in(message: str) -> tuple[Order, ...]:
    """Return the sure orders of a message, in their order."""
    found: list[Order] = []
    written = _near(message)
    for sentence in _sentences(message):
        for order in _orders(sentence, written, is_late=sentence.start > 0 and not found):
            if _is_announced(order, sentence, written) or _is_turned(order):
                continue
            found.append(order)
            if order.end == len(written):  # a list, of which all is meant
                return tuple(found)
    return tuple(found)


def _near(message: str) -> str:
    written = unicodedata.normalize("NFC", message)
    return written if len(written) <= 2 * _REACH else f"{written[:_REACH]}\n{written[-_REACH:]}"


def _sentences(message: str) -> Iterator[_Sentence]:
    """Yield the sentences of a message; within what is quoted none ends."""
    written = _near(message)
    plain = folded(written)
    shown = written
    if PLACEHOLDER in plain:
        shown = "".join(PLACEHOLDER if a == PLACEHOLDER else b for a, b in zip(plain, written, strict=True))
    at = 0
    for each in sentences_in(shown):
        for sentence in filter(str.strip, each.replace("¿", "\0¿").split("\0")):
            at = shown.index(sentence, at)
            asks = sentence.rstrip(" \n)\"'»”").endswith(("?", "？")) or sentence.lstrip().startswith("¿")
            yield _Sentence(written[at : at + len(sentence)], plain[at : at + len(sentence)], at, asks)
            at += len(sentence)


def _orders(sentence: _Sentence, written: str, *, is_late: bool) -> list[Order]:
    """Return the orders of a sentence; *is_late*: it stands after what is no order."""
    rows, plain, saying = _rows(), sentence.plain, listed("saying")
    last = _WORDS.findall(plain.rpartition(",")[2]) if "," in plain else []
    if len(last) <= _LEADS and not saying.isdisjoint(last):
        return []  # "…, she said"
    found: list[tuple[_Row, int, int, int]] = []
    for start in _clauses(plain):
        if not saying.isdisjoint(_WORDS.findall(plain[:start])):
            break
        fits = (
            _fitting(row, sentence, at, is_late=is_late)
            for at in _after_leads(plain, start)
            if not f"{plain} ".startswith(rows.never, at)
            for row in rows.beginning.get(plain[at : at + 1], ())
        )
        fit = next(filter(None, fits), None)
        if (
            fit
            and (not found or fit[1] > found[-1][1])
            and (start == 0 or found or fit[0].sort not in _TAKING)
        ):
            found.append(fit)
    found = found or _at_the_end(sentence)
    orders: list[Order] = []
    for row, at, object_at, end in found:
        starts = [*(each[1] for each in found), *_reminders(sentence), len(plain)]
        following = min(each for each in starts if each > at)
        is_list = row.before.endswith(":")
        stop = len(written) if is_list else sentence.start + min(end, max(following, object_at))
        object_words = _bare(written[sentence.start + object_at : stop]) if row.has_object else ""
        if not row.has_object or (
            _names(object_words) if row.sort == FORGET else not _is_light(object_words)
        ):
            sort = REMEMBER if row.sort == _STATE else row.sort
            orders.append(Order(sort, sentence.start + at, stop + len(row.after), object_words))
    return orders


def _reminders(sentence: _Sentence) -> list[int]:
    """Return where clauses begin that order to remind of something else."""
    starts = _clauses(sentence.plain)
    return [each for each in starts if reminding().match(_unjoined(sentence.written[each:]))]


def _is_turned(order: Order) -> bool:
    """Return whether an order to forget is none, by its last word: "vergiss meine Allergie nicht"."""
    last = _WORDS.findall(folded(order.text))[-1:]
    return order.sort == FORGET and any(word in each.negations for word in last for each in languages())


def _is_announced(order: Order, sentence: _Sentence, written: str) -> bool:
    """Return whether an order stands in what something else announces: "the button says: off the record"."""
    if order.sort == OFF:
        return written[: order.start].rstrip().endswith(":")
    return order.sort in _TAKING and written[: sentence.start].rstrip().endswith(_GOES_ON)


def _clauses(plain: str) -> list[int]:
    """Return where the clauses of a sentence begin: after its signs, and before "and" or "but"."""
    joined = {plain.find(each) + 1 for each in _rows().joins if each in plain}
    signs = {each.end() for each in _CLAUSE.finditer(plain)}
    return sorted({0, *joined, *signs})[:_MOST_CLAUSES]


def _after_leads(plain: str, start: int) -> Iterator[int]:
    """Yield where a clause may begin with a row: at its start, and after each word that may stand before."""
    at = start
    for _ in range(_LEADS):
        while at < len(plain) and plain[at] in " ,:;.!¡¿\n":
            at += 1
        yield at
        is_led = plain.startswith(_rows().lead, at)
        lead = next((each for each in _rows().lead if plain.startswith(each, at)), "") if is_led else ""
        if not lead or plain[at + len(lead) :][:1].isalnum():
            return
        at += len(lead)


def _fitting(row: _Row, sentence: _Sentence, at: int, *, is_late: bool) -> tuple[_Row, int, int, int] | None:
    """Return where a row begins, and where what it means begins and ends, if it stands there."""
    plain, stop = sentence.plain, at + len(row.before)
    is_answered = row.sort == TELL or (row.sort == OFF and not row.has_object)
    if not plain.startswith(row.before, at) or (sentence.asks and not is_answered):
        return None
    if row.sort == TELL:
        return None if plain[stop : stop + 1].isalnum() else (row, at, stop, stop)
    if not row.has_object:
        rest = plain[stop:]
        tails = [each if not each.isascii() else f" {each}" for each in _rows().tail]
        tail = next(filter(rest.startswith, tails), "")
        ends = bool(_ENDS.match(rest[len(tail) :])) or rest.startswith(_rows().but)
        if sentence.asks:
            ends = _is_light(plain[:at]) and bool(_ASKS_ON.match(rest[len(tail) :]))
        return (row, at, stop, stop) if ends else None
    is_none = (is_late and row.sort in (_STATE, NOTE)) or (
        row.sort == _STATE and not _is_statement(sentence.written[stop:])
    )
    if is_none or (plain[stop - 1 : stop + 1].isalnum() and stop < len(plain)):
        return None
    end = len(plain)
    if row.after:
        end = plain.find(row.after, stop)
        return (row, at, stop - row.own, end) if end > stop else None
    if row.sort == FORGET and (sign := _CLAUSE.search(plain, stop)):
        end = sign.start()
    return row, at, stop - row.own, end


def _is_statement(text: str) -> bool:
    """Return whether words are a whole sentence: "Eva likes tea", but not "the good old days"."""
    written, plain = _WORDS.findall(text), _WORDS.findall(folded(text))
    if len(plain) < _STATED or plain[0] in words_of("asking"):
        return False
    is_of_somebody = written[0][0].isupper() and written[1].islower() and not plain[1].endswith("ing")
    return (is_of_somebody and plain[1] not in SMALL) or not listed("stating").isdisjoint(plain)


def _at_the_end(sentence: _Sentence) -> list[tuple[_Row, int, int, int]]:
    body = _without_tails(sentence.plain)
    ends = (row for row in _rows().ending if not sentence.asks and body.endswith(row.after))
    return [(row, 0, 0, len(body) - len(row.after)) for row in ends][:1]


def _without_tails(plain: str) -> str:
    """Return a sentence without what closes an order: "please", "thanks"."""
    body = plain.rstrip(_CLOSING + _SIGNS)
    while tail := next((each for each in _rows().tail if body.endswith(_parted(each))), ""):
        body = body[: -len(tail)].rstrip(_CLOSING + _SIGNS)
    return body


def _parted(tail: str) -> tuple[str, ...]:
    """Return how a text ends that ends with a tail: what is written without spaces has no sign before it."""
    return (f" {tail}", f",{tail}") if tail.isascii() else (tail,)


@cache
def ordering_words(*sorts: str) -> frozenset[str]:
    """Return the words with which orders of these sorts begin, in every language."""
    rows = (row for some in _rows().beginning.values() for row in some if row.sort in sorts)
    light = SMALL.union(at_a_glance()["oneself"], *(each.negations for each in languages()))
    return frozenset(word for row in rows for word in _WORDS.findall(row.before)[:1] if len(word) > 1) - light


@cache
def _forgetting() -> frozenset[str]:
    """Return the verbs of the rows that name what is one's own: "forget my…", "olvídate de mi…"."""
    rows = (row for some in _rows().beginning.values() for row in some if row.sort == FORGET and row.own)
    verbs = (_WORDS.findall(row.before[: -row.own]) for row in rows)
    return frozenset(verb for verb, *more in verbs if len(more) < 2)


def _names(phrase: str) -> bool:
    """Return whether words name something to forget: "it" and "everything" do not."""
    words = _WORDS.findall(folded(phrase).replace(PLACEHOLDER, "x"))
    return not all(word in SMALL or word in ("everything", "todo", "tudo", "tout", "alles") for word in words)


def _bare(text: str) -> str:
    """Return what is written, without a closing "please" and the full stop of a single sentence.

    "Ok" closes it only after a sign: in "Tuesday is ok" it is what is said.
    """
    text = text.strip(_SIGNS)
    if "\n" in text:
        return text
    bare = text
    while True:
        rest = bare.rstrip(_CLOSING + _SIGNS)
        end = folded(rest[-_LONGEST_TAIL:])
        tail = next((each for each in _rows().tail if end.endswith((f" {each}", f",{each}"))), "")
        if tail not in _rows().pleas and rest[: -len(tail) or None].rstrip()[-1:] not in _CLOSING + _SIGNS:
            tail = ""
        joined = next((each for each in _rows().joins if f"{end} ".endswith(each)), "")
        if not (tail or joined):
            return bare.rstrip(_SIGNS) if bare.endswith("…") else rest.rstrip(_SIGNS)
        bare = rest[: -len(tail or joined.rstrip())]


@cache
def _rows() -> _Rows:
    tables = [each.orders for each in languages()]

    def all_of(name: str) -> tuple[str, ...]:
        found = {row for each in tables for row in rows_in(each.get(name, ""))}
        return tuple(sorted(found, key=lambda each: (-len(each), each)))

    beginning: dict[str, list[_Row]] = defaultdict(list)
    ending: list[_Row] = []
    for sort in _SORTS:
        for text in all_of(sort):
            row = _row(sort, text)
            (beginning[row.before[0]] if row.before else ending).append(row)
    for rows in (*beginning.values(), ending):
        rows.sort(key=lambda row: -len(row.before + row.after))
    joins, but = (tuple(f" {each} " for each in sorted(listed(name))) for name in ("joins", "but"))
    never = tuple(f"{each} " for each in all_of("never"))
    return _Rows(dict(beginning), ending, all_of("lead"), all_of("tail"), all_of("pleas"), never, joins, but)


@cache
def listed(name: str) -> frozenset[str]:
    """Return the words of a list of orders, in every language."""
    return frozenset(word for each in languages() for word in each.orders.get(name, "").split())


def _row(sort: str, text: str) -> _Row:
    before, sign, after = text.partition("…")
    own = len(before) - before.rfind(" ") - 1 if sign and before and before[-1].isalnum() else 0
    return _Row(sort, folded(before.rstrip()), folded(after.strip()), bool(sign), own)

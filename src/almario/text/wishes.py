"""Wishes in words: "recordá que…", "olvidate de…", "between us, …", with or without a model.

A wish is an order at the beginning of a clause. A question, a story about
remembering or a phrase such as "forget it" is none: what is missed here the
model can still do, but nothing may be remembered or forgotten by mistake.
"""

import re
from collections.abc import Iterator, Sequence

from almario.domain.plain_text import regex
from almario.domain.turns import PERHAPS, PREVIOUS, THIS
from almario.domain.words import index_terms, query_words
from almario.named_tuples import NamedTuple
from almario.text.clauses import NOT_SAID, Heard, Sentence, listen
from almario.text.order_patterns import Orders, signs_of, spoken
from almario.text.reader import LIKELY, Reading

REMEMBER, FORGET, BEHAVE = "remember", "forget", "behave"
_A_WORD = regex(rf"[\w{NOT_SAID}]")
_WORDS = regex(r"[a-z0-9]+")
# What a guess sets aside has to be likelier than likely: of ordinary talk, three messages in a hundred are.
_GUESS = 0.6
# After an announcement comes no more than that: "ok?".
_TAIL = 1
_SIGNS = " \t\n,;:–—-("


class Wish(NamedTuple):
    """Something to `remember` or to `forget`, or a way to `behave`: *text* says what."""

    verb: str
    text: str


class _Order(NamedTuple):
    """An order: where it begins, where what is meant begins and ends, and until where it goes.

    *is_list* says that all the rest of the message is meant.
    """

    verb: str
    language: Orders
    start: int
    thing: int
    end: int
    until: int = 0
    is_list: bool = False


class _Confidence(NamedTuple):
    """What is not to be kept: of which sort, and where that is said."""

    sort: str
    language: Orders
    start: int
    end: int


def wish_in(message: str) -> Wish | None:
    """Return the first thing that a message wishes to be remembered or forgotten, or None."""
    heard = listen(message)
    for sentence in _promising(heard, "remember", "forget"):
        for order in _orders(heard, sentence):
            return _wish(heard, order)
    return None


def wishes_in(message: str) -> list[Wish]:
    """Return all that a message wishes for; what is neither to be remembered nor forgotten is a behaviour."""
    heard = listen(message)
    found: list[Wish] = []
    for sentence in heard.sentences():
        orders = _orders(heard, sentence)
        if not (sentence.asks and not orders):
            language = orders[0].language if orders else spoken()[0]
            first = orders[0].start if orders else sentence.end
            found += _behaviour(heard, sentence.start, first, language)
        for order in orders:
            if order.is_list:
                return [*found, _wish(heard, order)]
            parted = order.language.behave.search(heard.plain, order.thing, order.until)
            stop, after = parted.span() if parted else (order.until, order.until)
            found.append(_wish(heard, order._replace(end=min(order.end, stop))))
            found += _behaviour(heard, after, order.until, order.language)
    return found


def asks_to_forget(text: str) -> bool:
    """Say whether a text has an order to forget something."""
    heard = listen(text)
    said = _promising(heard, "forget")
    return any(order.verb == FORGET for sentence in said for order in _orders(heard, sentence))


def asks_to_tell(text: str) -> bool:
    """Say whether a text begins with an order to tell what is known, which is a question."""
    heard = listen(text)
    signs = heard.has(signs_of("tell"))
    return bool(signs) and any(
        each.may_have("tell", heard.plain) and each.telling.match(heard.plain) for each in spoken()
    )


def besides_forgetting(message: str) -> str:
    """Return what an order to forget says besides: the sentences without it, and without what it names."""
    heard = listen(message)
    said, others = [], []
    for sentence in heard.sentences():
        orders = [order for order in _orders(heard, sentence) if order.verb == FORGET]
        said += [_wish(heard, order).text for order in orders]
        others += [] if orders else [heard.as_written(sentence.start, sentence.end).strip()]
    named = {term for thing in said for word in query_words(thing) for term, _ in word.terms}
    return " ".join(each for each in others if named.isdisjoint(index_terms(each))) if said else ""


def off_record_in(message: str, reading: Reading | None = None) -> str:
    """Say what a message wishes not to be kept: `this`, what was said `previous` to it, or nothing ("").

    What only its *reading* says is `perhaps` not to be kept: that is a guess.
    """
    found = {each.sort for each in _confidences(listen(message))}
    guess = PERHAPS if reading and reading.confidence >= _GUESS else ""
    return next((each for each in (PREVIOUS, THIS) if each in found), guess)


def remembers(message: str) -> bool:
    """Say whether a message wishes something to be remembered, other than that it is a confidence."""
    wish = wish_in(message)
    told = _confidences(listen(wish.text)) if wish and wish.verb == REMEMBER else ()
    return wish is not None and wish.verb == REMEMBER and all(each.start for each in told)


def announced_in(message: str, reading: Reading) -> str:
    """Say of which sort the next message is, if this one only says that it is a confidence."""
    heard = listen(message)
    found = [each for each in _confidences(heard) if each.sort != PREVIOUS]
    if found and _is_alone(heard, found):
        return THIS
    return PERHAPS if reading.announcing >= LIKELY else ""


def _is_alone(heard: Heard, found: Sequence[_Confidence]) -> bool:
    """Say whether a message says no more than that."""
    first, last = min(found, key=lambda each: each.start), max(found, key=lambda each: each.end)
    before, after = heard.plain[: first.start], heard.plain[last.end :]
    return len(_WORDS.findall(after)) <= _TAIL and (
        not _A_WORD.search(before) or bool(first.language.ahead.search(before))
    )


def _promising(heard: Heard, *sorts: str) -> Iterator[Sentence]:
    """Yield the sentences that may have orders of these sorts."""
    plain = heard.plain
    signs = heard.has(signs_of(*sorts))
    for sentence in heard.sentences() if signs else ():
        if any(map(plain[sentence.start : sentence.end].__contains__, signs)):
            yield sentence


def _confidences(heard: Heard) -> Iterator[_Confidence]:
    for sentence in _promising(heard, "off"):
        said = heard.plain[sentence.start : sentence.end]
        for language in spoken():
            is_spoken = language.may_have("off", said)
            for start in _clauses(heard, sentence, language) if is_spoken else ():
                if found := language.off.match(heard.plain, start, sentence.end):
                    groups = found.groupdict()
                    is_gone = any(name.startswith("gone") and groups[name] for name in groups)
                    yield _Confidence(PREVIOUS if is_gone else THIS, language, start, found.end())


def _clauses(heard: Heard, sentence: Sentence, language: Orders) -> Iterator[int]:
    """Yield where an order may begin: at every clause, until somebody else's words are told."""
    if language.said.search(heard.plain, sentence.start, sentence.end):
        return
    for start in heard.clauses(sentence, language.joins):
        if language.saying.search(heard.plain, sentence.start, start):
            return
        yield start


def _orders(heard: Heard, sentence: Sentence) -> list[_Order]:
    """Return the orders to remember or to forget, in their order; each ends where the next begins."""
    found: dict[int, _Order] = {}
    text = heard.plain[sentence.start : sentence.end]
    for language in spoken():
        readers = [reader for sort, reader in _READERS.items() if language.may_have(sort, text)]
        said = _without_question(heard, sentence, language) if readers else sentence
        for start in _clauses(heard, said, language) if readers else ():
            for order in filter(None, (reader(heard, said, start, language) for reader in readers)):
                # "and remember" begins with its "and", and without.
                found.setdefault(order.thing, order)
    orders = sorted(found.values(), key=lambda order: order.start)
    ends = [order.start for order in orders[1:]] + [sentence.end] * bool(orders)
    whole = [_until(order, end) for order, end in zip(orders, ends, strict=True)]
    return [order for order in whole if _A_WORD.search(_wish(heard, order).text)]


def _until(order: _Order, end: int) -> _Order:
    """Return an order as it ends where the next begins, unless that stands before what is meant."""
    if order.is_list or end <= order.thing:
        return order._replace(until=order.end)
    return order._replace(end=min(order.end, end), until=end)


def _without_question(heard: Heard, sentence: Sentence, language: Orders) -> Sentence:
    """Return what is said before a question of the same sentence: "forget the zoo, what else is there?"."""
    if sentence.asks and heard.plain[sentence.start] != "¿":
        for start in heard.clauses(sentence, language.joins):
            if start > sentence.start and language.asking.match(heard.plain, start, sentence.end):
                return Sentence(sentence.start, start, asks=False)
    return sentence


def _remembering(heard: Heard, sentence: Sentence, start: int, language: Orders) -> _Order | None:
    if found := language.remember.match(heard.plain, start, sentence.end + 1):
        if sentence.asks and not found["polite"]:
            return None
        # What follows a colon may be a list: it is meant whole.
        is_list = bool(found["list"] or found["listed"])
        end = len(heard.plain) if is_list else sentence.end
        return _Order(REMEMBER, language, start, found.end(), end, is_list=is_list)
    found = None if sentence.asks else language.remembered.match(heard.plain, start, sentence.end)
    return _Order(REMEMBER, language, start, *_thing(found)) if found else None


def _forgetting(heard: Heard, sentence: Sentence, start: int, language: Orders) -> _Order | None:
    plain, end = heard.plain, sentence.end
    if found := language.forgotten.match(plain, start, end):
        return _named(plain, _Order(FORGET, language, start, *_thing(found)), is_known=True)
    found = language.forget.match(plain, start, end)
    if not found or (sentence.asks and not (found["polite"] or found["politely"])):
        return None
    return _named(plain, _Order(FORGET, language, start, found.end(), end), is_known=not found["erase"])


def _named(plain: str, order: _Order, *, is_known: bool) -> _Order | None:
    """Return an order to forget with nothing but the words that name the thing, if they name one."""
    language, start, end = order.language, order.thing, order.end
    while about := language.about.match(plain, start, end):
        start, is_known = about.end(), is_known or bool(about["known"])
    is_known = is_known or bool(language.own.match(plain, start, end))
    if after := language.memory.search(plain, start, end):
        end, is_known = after.start(), True
    if parted := language.ends.search(plain, start, end):
        end = parted.start()
    if tail := language.tail.search(plain, start, end):
        end = tail.start()
    if not is_known or not _A_WORD.search(plain, start, end) or language.nothing.fullmatch(plain, start, end):
        return None
    return order._replace(thing=start, end=end)


# What an order to forget may be read as is no order to remember: "no need to remember that…".
_READERS = {"forget": _forgetting, "remember": _remembering}


def _thing(found: re.Match[str]) -> tuple[int, int]:
    """Return where what is meant begins and ends."""
    groups = found.groupdict()
    return next(found.span(name) for name in groups if name.startswith("thing") and groups[name])


def _wish(heard: Heard, order: _Order) -> Wish:
    return Wish(order.verb, _bare(heard, order.thing, order.end, order.language))


def _behaviour(heard: Heard, start: int, end: int, language: Orders) -> list[Wish]:
    """Return the way to behave that is told between two places; a name that is called is none."""
    said = _bare(heard, start, end, language)
    is_called = " " not in said and heard.plain[start:end].rstrip(" ").endswith(",")
    return [Wish(BEHAVE, said)] if _A_WORD.search(said) and not is_called else []


def _bare(heard: Heard, start: int, end: int, language: Orders) -> str:
    """Return what is written, without a closing "please" and the full stop of a single sentence."""
    thanks = language.thanks.search(heard.plain, start, end)
    said = heard.as_written(start, thanks.start() if thanks else end).strip(_SIGNS)
    said = language.joined.sub("", said)
    return re.sub(r"(?<![.…])[.!?。！？]+$", "", said).strip(_SIGNS) if "\n" not in said else said

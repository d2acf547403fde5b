"""What a message says, as far as can be told without a model: what is asked, felt and told in it.

Every threshold of the fitted reader that decides what is answered stands here.
"""

from collections.abc import Sequence
from functools import cached_property
from itertools import dropwhile

from almario.domain.opening_kinds import (
    ALOUD,
    ASKING,
    BEYOND,
    COMING,
    CORRECTION,
    GROUP_OF,
    OPENINGS,
    TELLING,
    TO_DO,
    WORK,
)
from almario.domain.words import sentences_in
from almario.memory.embedding import Embedding
from almario.text.reader import parts_of
from almario.text.wishes import besides_orders, wish_in

# A loss is heard in a clause from this chance on.
_GRIEF = 0.6
# Where nothing is likely, the likeliest counts from here on; whether it asks at all, from the other.
_MAYBE, _AT_ALL = 0.25, 0.1
# What may be meant to last is not passed over in silence from this one on.
_MAY_LAST = 0.3
# Of a message so many questions about the agent are answered.
_BOTH = 2
SORROW, GREETING = "sorrow", "greeting"
# What may be asked of the agent, or of the clock and the plans; what is felt; what is only polite.
_ABOUT = tuple(each for each in OPENINGS if GROUP_OF[each] == "itself" or each in (COMING, "clock", BEYOND))
_FELT = tuple(each for each in OPENINGS if GROUP_OF[each] == "feeling" and each != ALOUD)
_POLITE = tuple(each for each in OPENINGS if GROUP_OF[each] == "courtesy")
_SMALL = (*_POLITE, ALOUD, CORRECTION)
_SAID = (*_ABOUT, *_FELT, *_SMALL)
# Beside something else these say nothing.
_ALONE = ("reaction", "noise")
# After a danger these may be about it.
_SLIGHT = {*_POLITE, ALOUD, "mood", CORRECTION}


class Understanding:
    """One message, as the fitted reader and its words have it."""

    def __init__(self, text: str, reader: Embedding, *, is_done: bool = False) -> None:
        """*is_done*: it was dealt with, so that only what is clearly asked besides counts."""
        self.text = text
        self._is_done = is_done
        self._reader = reader
        self._clauses = parts_of(text)
        # What is ordered is done, and nothing of it is answered here.
        self.is_order = wish_in(text) is not None

    @cached_property
    def danger(self) -> str:
        """Which danger somebody speaks of, if any."""
        return "" if self.is_order else self._reader.danger(self.text)

    @cached_property
    def asks(self) -> bool:
        """Whether any of it asks something."""
        is_asked = any(map(self._reader.asks, sentences_in(self.text) or [self.text]))
        return is_asked or any(map(self._reader.is_beside, self._clauses))

    @cached_property
    def question(self) -> str:
        """The message from its first question on; all of it, if it asks nothing."""
        asked = dropwhile(lambda each: not self._reader.asks(each), sentences_in(self.text))
        return " ".join(asked) or self.text

    @cached_property
    def may_ask(self) -> bool:
        """Whether it asks, or is likelier to ask than to tell or order anything."""
        return self.asks or (self._likelier == ASKING and not self._is_done)

    @cached_property
    def tells(self) -> bool:
        """Whether something is told in it."""
        return TELLING in self._kinds

    @cached_property
    def is_to_do(self) -> bool:
        return self._reader.is_to_do(self.text)

    @cached_property
    def may_last(self) -> bool:
        """Whether it may have told something that lasts."""
        return not self.asks and self._reader.read(self.text).lasts >= _MAY_LAST

    @cached_property
    def feeling(self) -> str:
        """What is felt in it, if anything: a loss is heard in a clause, whatever else it tells."""
        read = self._reader
        grief = (read.opening(each, chance=_GRIEF, among=(SORROW,)) for each in self._clauses)
        felt = (*grief, read.opening(self.text, among=_FELT), *self._kinds)
        return "" if self.is_order else next((each for each in felt if each in _FELT), "")

    @cached_property
    def about(self) -> Sequence[str]:
        """Which questions about the agent, the clock or the plans it asks, or that it wants work done."""
        whole, *others = self._kinds
        if self.is_order or (self.feeling == SORROW and "?" not in self.text):
            return ()  # "My husband died. I don't know why I'm telling you"
        if whole in _ABOUT:
            return (whole,)
        found = [each for each in others if each in _ABOUT] if self.asks or not self.tells else []
        # What needs a model is named by the others.
        return [each for each in found if each != BEYOND][:_BOTH] or found[:1]

    def is_about(self, kinds: Sequence[str], chance: float = _MAYBE) -> bool:
        """Return whether it, or a clause, has such a *chance* to be the likeliest of some kinds."""
        return any(
            self._reader.opening(each, chance=chance, among=kinds) for each in (self.text, *self._clauses)
        )

    @cached_property
    def is_asked(self) -> bool:
        """Whether it asks anything besides what it is as a whole: "How are you?" is a courtesy."""
        is_whole = self._kinds[0] in (*_SMALL, *_FELT) and self.question == self.text
        return bool(self.about) or (not is_whole and self.may_ask) or bool(self.work)

    @cached_property
    def asks_anew(self) -> bool:
        """Whether it asks for more than "got it?" after what is told."""
        return bool(self.work) or not {ASKING, BEYOND}.isdisjoint(self._kinds)

    @cached_property
    def is_request(self) -> bool:
        """Whether it asks, or wants something done, and tells nothing besides."""
        return self._likelier == BEYOND or self._reader.asks(self.text) or not besides_orders(self.text)

    @cached_property
    def maybe(self) -> str:
        """Which kind of message it may be, where nothing is likely."""
        if self.is_order or self._is_done or (self.tells and not self.asks):
            return ""
        whole, *first = (
            self._reader.opening(each, chance=_MAYBE) for each in (self.text, *self._clauses[:1])
        )
        likeliest = self._reader.opening(self.text, among=_SAID)
        found = (self.courtesy, whole, BEYOND if BEYOND in first else "", likeliest)
        known = next((each for each in found if each in _SAID), "")
        return "" if known == ALOUD and self.work else known

    @cached_property
    def courtesy(self) -> str:
        """Which courtesy or passing remark it is, or begins with."""
        whole, read, first = self._kinds[0], self._reader, self._clauses[:1]
        if self.is_order:
            return ""
        if whole in _SMALL:
            return whole
        if self.tells:
            greets = any(read.opening(each, among=(GREETING,)) for each in (self.text, *first))
            return GREETING if greets and not self.asks else ""
        # "Please" at the end is no thanks, and after "wait" comes what matters.
        is_more = any(map(read.asks, self._clauses[1:]))
        begun = [each for each in map(read.opening, first) if each in _POLITE and each not in _ALONE]
        return "" if is_more else next(iter(begun), "")

    @cached_property
    def work(self) -> str:
        """Which of the work that needs a model it asks for, if any."""
        found = (self._reader.opening(each, among=WORK) for each in (self.text, *self._clauses))
        named = next(filter(None, found), "")
        is_work = self._likelier == BEYOND and not (self.asks or self._is_done)
        return named or (BEYOND if is_work else "")

    @cached_property
    def is_slight(self) -> bool:
        """Whether it is but a few words that may be about what was said before."""
        return not (self.about or self.tells) and {self.feeling or self.courtesy} <= _SLIGHT

    @cached_property
    def _kinds(self) -> Sequence[str]:
        """The kind of the whole, then those of its clauses."""
        return [self._reader.opening(self.text), *self._reader.openings(self.text)]

    @cached_property
    def _likelier(self) -> str:
        return self._reader.opening(self.text, chance=_AT_ALL, among=(ASKING, TELLING, TO_DO, BEYOND))

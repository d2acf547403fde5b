"""What is meant by an order to forget, and what went out of mind with it."""

from collections.abc import Sequence

from almario.domain.memories import Memory, same_value
from almario.domain.messages import CommandLine
from almario.domain.model import Hit
from almario.domain.words import index_terms, query_words
from almario.errors import NotFound, SoulError
from almario.named_tuples import NamedTuple

# An id is shown with so many letters.
_SHORT = 8


class Meant(NamedTuple):
    """What is meant by an id, a key or words: the things that are *sure*, and others that may be."""

    target: str
    sure: tuple[Hit, ...] = ()
    likely: tuple[Hit, ...] = ()
    # What goes with the one that is sure.
    beside: tuple[Hit, ...] = ()

    @property
    def is_one(self) -> bool:
        """Whether all that is sure is one thing, however often it is told."""
        return len({same_value(hit.text) for hit in self.sure}) == 1

    def hits(self, *, every: bool = False) -> Sequence[Hit]:
        """Return what is to be forgotten: one thing, or *every* one; SoulError if there is none, or more."""
        if not self.sure:
            sentence = 'no memory matches "{target}"; "{listing}" shows them all'
            raise NotFound(sentence, target=self.target, listing=CommandLine("almario memory list"))
        if not every and not self.is_one:
            names = ", ".join(map(name_of, self.sure))
            sentence = '"{target}" means several things ({names}); forget one of them by its id'
            raise SoulError(sentence, target=self.target, names=names)
        return (*self.sure, *self.beside)


class Forgotten(list[Memory]):
    """The memories that were put out of use, and the *turns* and *lines* of files that went with them.

    *seq* is the line of the journal that an undo takes back, *said* what the owner said in those turns.
    """

    _items = "memories"
    turns: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    seq: int = 0


def term_sets(words: str) -> list[set[str]]:
    """Return each of the words by which a thing is named, in its forms."""
    return [{term for term, _ in word.terms} for word in query_words(words) if not word.whole]


def has_terms(text: str, wanted: Sequence[set[str]]) -> bool:
    """Return whether a text has every word that was said."""
    terms = set(index_terms(text)) if wanted else set()
    return bool(wanted) and all(word & terms for word in wanted)


def hit_of(memory: Memory) -> Hit:
    """Return a memory as it is told."""
    return Hit(memory.kind, memory.value, memory.valid_from.date(), 1.0, key=memory.key, memory=memory.id)


def name_of(hit: Hit) -> str:
    """Return by what a thing is named in an order: the id of its memory or turn, or its place."""
    return hit.name[:_SHORT] if hit.memory else hit.name

"""What the owner said in passing, sentence by sentence: what is told of it, and where it may be heard.

A sentence that says how something is, is as good as a memory where no model has learned from it. What was
said in one project comes up in another only if the owner says it of themselves, in their words alone.
"""

import re
from collections.abc import Collection, Sequence
from itertools import islice, repeat

from almario.domain.audiences import Audience
from almario.domain.memories import OUT_OF_USE, Memory
from almario.domain.plain_text import regex
from almario.domain.words import all_forms, sentences_in, shared_words
from almario.memory.embedding import Embedding, cosine_of
from almario.memory.topics import Backed
from almario.memory.writer import MemoryWriter
from almario.ports import Vector
from almario.text.addressing import speaks_to_somebody
from almario.text.claims import turned_in
from almario.text.reader import LIKELY
from almario.text.timewords import tells

# A sentence that is longer was pasted.
_LONGEST = 300
# The most sentences of one message shown where nothing asks for them.
_FEW = 2
# Lines that begin with spaces, as those of a trace do, were pasted.
_PASTED = regex(r"(?:^(?: {2}|\t)[ \t]*+(?![-*•]|\d+[.)])\S[^\n]*(?:\n|\Z)){2,}", re.MULTILINE)
# Of what was said of a secret, too little is left.
_SECRET = regex(r"\[(?:redacted|withheld):")
# What is written as code is: a path, a flag, a call, an address, a name of several words in one.
_CODE = regex(r"`|\w/\w|://|(?<!\w)--?\w|\w\(|\w_\w|[a-z][A-Z]|[{}=<>;\\]|\w\.[a-z]{1,4}\b")


class Statements:
    """Knows the sentences of what was said to one agent."""

    def __init__(self, writer: MemoryWriter, embedding: Embedding) -> None:
        self._writer = writer
        self._embedding = embedding
        # By its text and evidence, whether a memory rests on what the owner said of themselves.
        self._of_owner: dict[tuple[str, ...], bool] = {}

    def best(self, text: str, vector: Vector | None, words: Collection[str]) -> str:
        """Return the sentence of a message that tells something and is nearest to a question, if any."""
        statements = self._in(text)
        if len(statements) < 2:
            return "".join(statements)

        def nearness(sentence: str) -> tuple[float, int]:
            own = self._embedding.vector_of(sentence) if vector is not None else ()
            cosine = cosine_of(own, vector) if vector is not None and len(own) else 0.0
            return cosine, shared(sentence, words)

        return max(statements, key=nearness)

    def news(self, text: str, known: Sequence[str]) -> str:
        """Return the sentences of a message that tell something not *known*, as far as they are few."""
        told = (each for each in self._in(text) if not any(_is_same(each, one) for one in known))
        return " ".join(islice(told, _FEW))

    def _in(self, text: str) -> list[str]:
        return list(filter(self._is_statement, _sentences(text)))

    def of_oneself(self, each: Backed) -> Backed | None:
        """Return what was said in another project with no more than what the owner said of themselves."""
        own = " ".join(filter(self._is_personal, _sentences(each.scored.passage.text)))
        passage = each.scored.passage._replace(text=own)
        return each._replace(scored=each.scored._replace(passage=passage, answer=())) if own else None

    def may_hear(self, audience: Audience, each: Backed) -> bool:
        """Say whether an audience may be told a candidate: what was said there, or a memory that it may hear.

        The owner alone may hear what they said of themselves, too.
        """
        if audience.is_owners:
            return True
        if each.state in OUT_OF_USE and not audience.is_private:
            return False
        passage = each.scored.passage
        is_owners = audience.is_private and passage.role in ("", "user")
        if passage.turn:
            sentences = sentences_in(passage.text)
            is_here = audience.hears(each.scored.turns | {passage.turn})
            return is_here or (is_owners and bool(sentences) and all(map(self._is_personal, sentences)))
        if not each.memories:
            return audience.is_private
        return all(
            audience.hears_of(memory) or (is_owners and self._is_of_oneself(memory))
            for memory in each.memories
        )

    def _is_statement(self, sentence: str) -> bool:
        """Return whether a sentence tells how something is, and asks nothing."""
        if _SECRET.search(sentence):
            return False
        reading = self._embedding.reading_of(sentence)
        return reading.telling >= LIKELY and reading.small_talk < LIKELY and tells(sentence)

    def _is_personal(self, sentence: str) -> bool:
        """Return whether somebody who says this speaks of themselves, to nobody, and of no code."""
        is_own = self._embedding.reading_of(sentence).personal >= LIKELY and not _CODE.search(sentence)
        return is_own and tells(sentence) and not speaks_to_somebody(sentence)

    def _is_of_oneself(self, memory: Memory) -> bool:
        """Return whether a memory rests on a sentence that the owner said of themselves."""
        known = (memory.value, *memory.evidence)
        if known not in self._of_owner:
            self._of_owner[known] = memory.origin == "owner" and any(
                map(self._tells_of_oneself, memory.evidence, repeat(memory.value))
            )
        return self._of_owner[known]

    def _tells_of_oneself(self, name: str, value: str) -> bool:
        turn = self._writer.vault.turn(name)
        is_owners = turn is not None and (turn.role, turn.origin) == ("user", "owner")
        words, sentences = all_forms(value), sentences_in(turn.text) if turn and is_owners else ()
        return bool(sentences) and self._is_personal(max(sentences, key=lambda each: shared(each, words)))


def _sentences(text: str) -> list[str]:
    typed = _PASTED.sub("\n", text) if "\n" in text else text
    return [each.strip() for each in sentences_in(typed) if len(each) <= _LONGEST]


def _is_same(text: str, other: str) -> bool:
    """Return whether one of two texts has all words of the other, hardly more, and denies nothing of it."""
    shorter, longer = sorted((text, other), key=len)
    is_shared = 2 * len(shorter) >= len(longer) and shared_words(shorter, longer) == 1
    return is_shared and not turned_in(text, other)


def shared(sentence: str, words: Collection[str]) -> int:
    """Return how many of these words a sentence has."""
    return len(all_forms(sentence).intersection(words))

"""What the owner said in passing, sentence by sentence: what of it is told.

A sentence that says how something is, is as good as a memory where no model has learned from it.
"""

import re
from collections.abc import Collection

from almario.domain.plain_text import regex
from almario.domain.words import all_forms, sentences_in
from almario.memory.embedding import Embedding, cosine_of
from almario.memory.topics import Backed
from almario.ports import Vector
from almario.text.addressing import is_order
from almario.text.oneself import tells_of_oneself
from almario.text.timewords import tells

# A sentence that is longer was pasted.
_LONGEST = 300
# A sentence that tells something has so many words.
_FEWEST = 3
# Lines that begin with spaces, as those of a trace do, were pasted.
_PASTED = regex(r"(?:^(?: {2}|\t)[ \t]*+(?![-*•]|\d+[.)])\S[^\n]*(?:\n|\Z)){2,}", re.MULTILINE)
# Of what was said of a secret, too little is left.
_SECRET = regex(r"\[(?:redacted|withheld):")


class Statements:
    """Knows the sentences of what was said to one agent."""

    def __init__(self, embedding: Embedding) -> None:
        self._embedding = embedding

    def best(self, text: str, vector: Vector | None, words: Collection[str]) -> str:
        """Return what a message tells: all if that is short, else the sentence nearest to a question."""
        statements = self._in(text)
        together = " ".join(statements)
        if len(together) <= _LONGEST:
            return together

        def nearness(sentence: str) -> tuple[float, int]:
            own = self._embedding.vector_of(sentence) if vector is not None else ()
            cosine = cosine_of(own, vector) if vector is not None and len(own) else 0.0
            return cosine, shared(sentence, words)

        return max(statements, key=nearness)

    def _in(self, text: str) -> list[str]:
        return list(filter(_is_statement, _sentences(text)))

    def of_oneself(self, each: Backed) -> Backed | None:
        """Return what was said in another project with no more than what the owner said of themselves."""
        own = " ".join(filter(tells_of_oneself, _sentences(each.scored.passage.text)))
        passage = each.scored.passage._replace(text=own)
        return each._replace(scored=each.scored._replace(passage=passage, answer=())) if own else None


def _sentences(text: str) -> list[str]:
    typed = _PASTED.sub("\n", text) if "\n" in text else text
    return [each.strip() for each in sentences_in(typed) if len(each) <= _LONGEST]


def _is_statement(sentence: str) -> bool:
    """Return whether a sentence tells how something is; it asks nothing, and is no order for a moment."""
    is_whole = len(sentence.split()) >= _FEWEST and not _SECRET.search(sentence)
    return is_whole and tells(sentence) and not is_order(sentence)


def shared(sentence: str, words: Collection[str]) -> int:
    """Return how many of these words a sentence has."""
    return len(all_forms(sentence).intersection(words))

"""Who said what in a request: the person's own words, what came with them, and what is new.

A program sends the whole conversation each time, and puts words of its own into what it sends as the
person's. Neither is what the person said just now.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from almario.domain.plain_text import end_of_element, regex, shortened, whole
from almario.named_tuples import NamedTuple
from almario_gateway.faces import AnswerPiece, Fields

# A text that begins with an element: what stands in it was not typed.
_ELEMENT = regex(r"(?s)\s*<([A-Za-z][\w.-]*)(?:\s[^<>]*)?>(.*?)</\1>\s*")
_REMINDER = "system-reminder"
# How Open WebUI begins what it wants of a model in a person's name: a title, tags, a search; and, with
# documents, an answer to what stands after them.
_CHORE, _QUESTION = "### Task:\n", "user_query"
# What a tool gave back is kept as far as this: it is there to know what an answer rests on.
_RESULT = 2000


class Spoken(NamedTuple):
    """What a request says.

    *text* is the person's newest message with the *pasted* documents in it, *place* the message that has
    it (-1: none). *is_new* says that nothing was answered since, *results* are those of tools.
    """

    text: str
    pasted: tuple[str, ...]
    place: int
    is_new: bool
    results: tuple[str, ...]
    is_first: bool
    # By all that persons said, and by all that is new: the same again has the same.
    chain: str
    mark: str

    @property
    def is_chore(self) -> bool:
        """Whether a program wants something for itself."""
        return self.text.startswith(_CHORE)


def spoken(pieces: Sequence[AnswerPiece]) -> Spoken:
    """Return what a request says; what the model said last may be the beginning of its answer."""
    answered = [piece.place for piece in pieces if piece.speaker == "assistant"]
    spoken_pieces = [piece for piece in pieces if piece.speaker in ("user", "tool")]
    until = max((piece.place for piece in spoken_pieces), default=-1)
    last = max((place for place in answered if place < until), default=-1)
    typed = [piece for piece in pieces if piece.speaker == "user"]
    newest = [piece for piece in typed if piece.place > last]
    shown = newest or typed[-1:]
    words = [own_words(piece.texts) for piece in shown]
    results = [piece for piece in spoken_pieces if piece.speaker == "tool" and piece.place > last]
    heard = [text for piece in typed for text in piece.texts]
    return Spoken(
        "\n\n".join(text for text, _ in words if text),
        tuple(each for _, pasted in words for each in pasted),
        shown[0].place if shown else -1,
        bool(newest),
        tuple(shortened(whole("\n".join(piece.texts)), _RESULT) for piece in results),
        last < 0,
        fingerprint(*heard),
        fingerprint(*heard, "", *(piece.name for piece in results)),
    )


def own_words(texts: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Part what was typed from what was not: what a program added is left out, a pasted document is not."""
    typed: list[str] = []
    pasted: list[str] = []
    for text in texts:
        documents, rest = _without_documents(_without_reminders(whole(text)))
        pasted += documents
        start = 0
        while found := _ELEMENT.match(rest, start):
            start = end_of_element(rest, found[1], found.start(2))
            inside = rest[found.start(2) : start].removesuffix(f"</{found[1]}>").strip()
            if found[1] == _QUESTION:
                typed.append(inside)
            # A name of several words is a program's own.
            pasted += [inside] if found[1].isalnum() and inside else []
        typed += [rest[start:].strip()] if rest[start:].strip() else []
    return "\n\n".join(typed), tuple(pasted)


def _without_documents(text: str) -> tuple[list[str], str]:
    """Return the documents that a program tells a model to answer from, and what stands after them."""
    if not text.startswith(_CHORE) or "</context>" not in text:
        return [], text
    before, _, question = text.rpartition("</context>")
    return [before.partition("<context>")[2].strip()], question


def _without_reminders(text: str) -> str:
    """Return a text without the reminders that a program puts anywhere in it."""
    kept, place = [], 0
    while (start := text.find(f"<{_REMINDER}>", place)) >= 0:
        if (end := end_of_element(text, _REMINDER, start + 1)) < 0:
            break
        kept.append(text[place:start])
        place = end
    return "".join([*kept, text[place:]])


def fingerprint(*texts: str) -> str:
    """Return a short name for some texts in their order."""
    marked = "\0".join(texts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(marked).hexdigest()[:16]


class Named(NamedTuple):
    """A conversation's name; *is_guessed* says that it follows from how the conversation begins."""

    name: str
    is_guessed: bool = False


def conversation_of(wanted: str, body: Fields, pieces: Sequence[AnswerPiece]) -> Named:
    """Return which conversation a request belongs to: what it says itself, or how it began, and with whom.

    A user's name is not enough: a program sends the same for all that this user talks about.
    """
    kept = body.get("conversation")
    given = wanted or (kept.get("id") if isinstance(kept, Mapping) else kept)
    if isinstance(given, str) and given:
        return Named(given if _is_plain(given) else fingerprint(given))
    metadata = body.get("metadata")
    user: Any = body.get("user") or (metadata.get("user_id") if isinstance(metadata, Mapping) else "")
    first = next((piece.texts for piece in pieces if piece.speaker == "user" and piece.texts), ())
    return Named(fingerprint(str(user or ""), own_words(first)[0]), is_guessed=True)


def _is_plain(name: str) -> bool:
    return len(name) <= 64 and name.isascii() and name.replace("-", "").replace("_", "").isalnum()

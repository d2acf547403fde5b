"""Cues: short texts by which a memory should come to mind. They are never told as facts."""

from collections.abc import Iterable

from almario.domain.memories import same_value
from almario.errors import SoulError

MOST = 6
LONGEST = 100


def tidy(cues: Iterable[str], about: str = "") -> tuple[str, ...]:
    """Return those of the texts that can be cues of a memory *about* something: short, and none twice."""
    known, found = {"", same_value(about)}, list[str]()
    for each in cues:
        text = " ".join(each.split())
        if len(text) <= LONGEST and same_value(text) not in known and len(found) < MOST:
            known.add(same_value(text))
            found.append(text)
    return tuple(found)


def check(cues: Iterable[str]) -> None:
    """Refuse what a person gives that can be no cues."""
    texts = [" ".join(each.split()) for each in cues]
    if len(texts) > MOST:
        raise SoulError(
            "a memory has at most {most} cues, and these are {count}", most=MOST, count=len(texts)
        )
    for text in texts:
        if not text or len(text) > LONGEST:
            sentence = 'a cue has 1 to {longest} characters, and "{cue}" has {count}'
            raise SoulError(sentence, longest=LONGEST, cue=text[:40], count=len(text))

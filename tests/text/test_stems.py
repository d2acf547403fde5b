"""A short text is looked at only if it has a stem, so whatever names a secret must have one."""

import re
from collections.abc import Iterator
from itertools import islice, product
from typing import Any

from almario.text.secrets import keys, numbers, patterns, suspects
from almario.text.secrets.names import FAMILIES
from almario.text.secrets.patterns import OTHER_SCRIPTS
from tests.tables import each_row
from tests.text.drawing import parsed

NAMING = {
    **{f"family {name}": family.names for name, family in FAMILIES.items()},
    **{f"place {sign}": sign for sign in keys.SIGNS},
    "seeds": numbers.NAMED,
    "pairs": suspects.PAIRS,
    "purses": suspects.PURSE,
    "codes of cards": numbers.CARD_CODES,
    "other scripts": OTHER_SCRIPTS,
}
# Enough for every name of a pattern, each with the least that may stand beside it.
MOST = 20_000
FEW = 6


def examples(source: str) -> Iterator[str]:
    """Yield the shortest texts that a pattern stands for, one for each way through it."""
    return islice(_told(parsed(source)), MOST)


def _told(parts: Any) -> Iterator[str]:
    pieces = [list(islice(_of(kind, value), MOST)) for kind, value in parts]
    return map("".join, product(*pieces))


def _of(kind: Any, value: Any) -> Iterator[str]:
    name = str(kind)
    if name == "LITERAL":
        yield chr(value)
    elif name == "IN":
        yield from _some_of(value)
    elif name == "BRANCH":
        for each in value[1]:
            yield from _told(each)
    elif name == "SUBPATTERN":
        yield from _told(value[-1])
    elif name in ("MAX_REPEAT", "MIN_REPEAT"):
        least, _, inner = value
        for one in _told(inner) if least else [""]:
            yield one * least
    elif name == "NOT_LITERAL":
        yield "x"
    else:
        assert name == "AT", name
        yield ""


def _some_of(signs: Any) -> list[str]:
    """Return the signs of a class if they are few, or else one of them."""
    told = [(str(kind), value) for kind, value in signs]
    if len(told) <= FEW and all(kind == "LITERAL" for kind, _ in told):
        return [chr(value) for _, value in told]
    kind, value = told[0]
    if kind == "CATEGORY":
        return [{"CATEGORY_SPACE": " ", "CATEGORY_DIGIT": "1"}.get(str(value), "x")]
    return ["x" if kind == "NEGATE" else chr(value if kind == "LITERAL" else value[0])]


@each_row("source", NAMING.values())
def test_whatever_names_a_secret_has_a_stem(source: str) -> None:
    named = list(examples(source.replace(r"\z", r"\Z")))
    missed = [name for name in named if not any(stem in name.lower() for stem in patterns._STEMS)]

    assert named
    assert len(named) < MOST
    assert missed == []


def test_the_examples_of_a_pattern_are_every_way_through_it() -> None:
    source = r"\bpass(?:word|code)?|[0-9]{2}x|(?:a|b) c|\s-[pk]"

    assert list(examples(source)) == ["pass", "00x", "a c", "b c", " -p", " -k"]
    assert all(re.search(source, each) for each in examples(source))

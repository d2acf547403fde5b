"""Every text of the journal is one that a purge cleans, and every other string says what it is."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from almario.domain.events import VERSION, Event, Filing, known
from almario.domain.journal_lines import encode, with_texts
from almario.domain.messages import Sentence, Words
from almario.domain.records import Erasable, FieldsOf, Name, Text
from almario.memory.purge import without_texts
from almario.memory.retellings import Retellings, without_ids
from tests.tables import each_row

WORDS = "whatever somebody has said"
MEMORY, TURN = "aa11bb22", "cli:main#3"


def parts(kind: Any) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
    """Return what a type is, its arguments, and its marks."""
    marks = kind.__metadata__ if get_origin(kind) is Annotated else ()
    kind = kind.__origin__ if marks else kind
    if get_origin(kind) in (Union, UnionType):
        of = [each for each in get_args(kind) if each is not NoneType]
        if all(get_origin(each) is Literal for each in of):
            return Literal, get_args(of[0]), marks
        [kind] = of
        own, inner, more = parts(kind)
        return own, inner, (*marks, *more)
    return get_origin(kind) or kind, get_args(kind), marks


def loose_strings(kind: Any, place: str) -> Iterator[str]:
    """Yield where a type takes a string without saying whether it is a text, a name, or one of few words."""
    own, inner, marks = parts(kind)
    if of := next((mark.kind for mark in marks if isinstance(mark, FieldsOf)), None):
        own = of
    if own is str and not any(isinstance(mark, Erasable | Name) for mark in marks):
        yield place
    elif own in (tuple, list):
        yield from loose_strings(inner[0], place)
    elif own is dict:
        yield from loose_strings(inner[1], place)
    elif hasattr(own, "_fields") or is_typeddict(own):
        for name, hint in get_type_hints(own, include_extras=True).items():
            yield from loose_strings(hint, f"{place}.{name}")
    elif own not in (str, int, float, bool, datetime, Sentence, Literal):
        yield f"{place} ({own})"


def filled(kind: Any, name: str = "") -> Any:
    """Return a value of a type with words wherever it takes them, and names that refer to the memory."""
    own, inner, marks = parts(kind)
    of = next((mark.kind for mark in marks if isinstance(mark, FieldsOf)), own)
    hints = get_type_hints(of, include_extras=True) if hasattr(of, "_fields") or is_typeddict(of) else {}
    found: Any = {"session": "cli:main", "evidence": MEMORY, "id": MEMORY, "turns": TURN}.get(name, "x")
    if any(isinstance(mark, Erasable) for mark in marks):
        found = WORDS
    elif own is Sentence:
        found = Sentence("{words} and {name}", words=Words(WORDS), name=WORDS)
    elif own in (tuple, list):
        found = own([filled(inner[0], name)])
    elif of is not own:
        found = {each: WORDS for each, hint in hints.items() if erasable(hint)}
    elif hasattr(own, "_fields") or hints:
        found = own(**{each: filled(hint, each) for each, hint in hints.items()})
    elif own is dict:
        found = {"SOUL.md": filled(inner[1], name)}
    elif own is Literal:
        found = "rejected" if "rejected" in inner else inner[0]
    elif own is datetime:
        found = datetime(2026, 11, 14, tzinfo=UTC)
    elif own is not str:
        found = 5 if name == "to" else 1
    return found


def erasable(hint: Any) -> bool:
    return any(isinstance(mark, Erasable) for mark in parts(hint)[2])


def line_of(kind: str) -> dict[str, Any]:
    at = datetime(2026, 11, 14, tzinfo=UTC)
    event = Event(1, "id", at, "host", "owner", filled(known()[kind]), 0, (filled(Filing),))
    fields: dict[str, Any] = json.loads(encode(event))
    return fields


@each_row("kind", [*known(), "filing"])
def test_every_string_of_a_line_is_declared_as_text_as_a_name_or_as_one_of_few_words(kind: str) -> None:
    assert list(loose_strings(known().get(kind, Filing), kind)) == []


def test_a_string_that_is_not_declared_is_found() -> None:
    from typing import NamedTuple

    class Noted(NamedTuple):
        said: Text
        loose: str
        more: tuple[dict[str, str], ...] = ()

    assert list(loose_strings(Noted, "noted")) == ["noted.loose", "noted.more"]


def erased_line(line: dict[str, Any], retold: Retellings, texts: list[str]) -> dict[str, Any]:
    """Return a line as a purge leaves it, which goes over it twice."""
    return without_ids(without_texts(line, retold, texts, texts), retold.ids)


@each_row("kind", known())
def test_no_text_of_a_line_outlives_the_memory_whose_words_it_has(kind: str) -> None:
    retold = Retellings({MEMORY}, {TURN})

    line = erased_line(line_of(kind), retold, [WORDS])

    assert WORDS in json.dumps(line_of(kind))
    assert WORDS not in json.dumps(line)
    assert {name: line[name] for name in ("seq", "id", "at", "type")} == {
        name: line_of(kind)[name] for name in ("seq", "id", "at", "type")
    }


@each_row(
    "kind",
    [
        *(kind for kind in known() if kind.startswith("reflection.")),
        *("proposal.made", "proposal.answered", "soul.changed", "session.queued", "job.tried"),
    ],
)
def test_what_retells_a_memory_in_other_words_loses_them(kind: str) -> None:
    line = line_of(kind) | {"filings": [], "proposal": MEMORY}
    line.pop("changes", None)  # by their own ids
    retold = Retellings({MEMORY}, {TURN}, reflections={MEMORY}, proposals={MEMORY})

    cleaned = json.dumps(erased_line(line, retold, []))

    # What is only a name in a sentence stays.
    assert cleaned.count(WORDS) == json.dumps(line).count(f'"name": "{WORDS}"')


def test_a_line_of_a_later_version_is_cleaned_of_every_string() -> None:
    line = {"seq": 1, "type": "dream.dreamt", "v": VERSION + 1, "dream": [{"of": WORDS, "depth": 3}]}

    cleaned = with_texts(line, lambda text, _: text.replace(WORDS, "erased"))

    assert cleaned == line | {"dream": [{"of": "erased", "depth": 3}]}

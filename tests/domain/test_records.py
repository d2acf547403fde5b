"""A value of ours is JSON and back the same, told by its type alone."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from almario.becoming.looking_back import TakenBack
from almario.domain.documents.document import Document
from almario.domain.events import Event, Filing, JobTried, SessionReset
from almario.domain.forgotten import Forgotten
from almario.domain.memories import Memory, Wanted
from almario.domain.messages import Sentence
from almario.domain.model import Hit, Recalled
from almario.domain.records import plain, read
from tests.tables import each_row

AT = datetime(2026, 11, 14, 13, 30, tzinfo=UTC)
MEMORY = Memory("3f9a", "job", "designs bridges", "profile", "explicit", "owner", AT, AT, AT)
HIT = Hit("fact", "Ana likes curry", date(2026, 3, 1), 0.87, reasons=(("own", 0.4, 0.6),))


def with_beside(made: Any, **beside: Any) -> Any:
    vars(made).update(beside)
    return made


@each_row(
    ("kind", "value"),
    [
        (Memory, MEMORY),
        (tuple[Memory, ...], (MEMORY,)),
        (Memory | None, None),
        (Wanted, Wanted(kinds=("fact",), since=AT, limit=3)),
        (Document, Document("SOUL.md", "día".encode())),
        (Document, Document("SOUL.md", b"\xff", is_link=True)),
        (Document, Document("SOUL.md")),
        (Recalled, with_beside(Recalled([HIT]), told=(Sentence.own("slow"),), kept_out=2)),
        (Forgotten, with_beside(Forgotten([MEMORY]), turns=("a#1",), seq=7)),
        (TakenBack, TakenBack((MEMORY,), (), "SOUL.md")),
        (Event, Event(4, "e1", AT, "here", "owner", SessionReset("cli:main", 3, "ended"), 3)),
        (
            Event,
            Event(
                5,
                "e2",
                AT,
                "here",
                "owner",
                JobTried("flush", Sentence.own("tired")),
                3,
                (Filing("a.md", "x"),),
            ),
        ),
        (Sequence[date], [date(2026, 1, 1)]),
        (frozenset[str], frozenset({"a"})),
        (Mapping[date, int], {date(2026, 1, 1): 3}),
        (time, time(13, 30)),
        (tzinfo, ZoneInfo("Europe/Madrid")),
        (dict[str, Any], {"any": [1, None, {"x": True}]}),
    ],
)
def test_a_value_comes_back_the_same(kind: Any, value: Any) -> None:
    again = read(kind, plain(value, str))

    assert again == value
    assert type(again) is type(value)
    for name, beside in getattr(value, "__dict__", {}).items():
        assert getattr(again, name) == beside


def test_the_journal_keeps_what_differs_and_programs_see_all() -> None:
    told = plain(MEMORY, str)

    assert "by" not in plain(MEMORY)
    assert (told["by"], told["text"], told["at"]) == ("", "job: designs bridges", "2026-11-14T13:30:00+00:00")
    assert plain(MEMORY)["at"] == "2026-11-14T13:30:00.000Z"
    assert plain(Sentence("{n} left", n=2)) == {"key": "{n} left", "facts": {"n": 2}}
    assert plain([Sentence("{n} left", n=2)], lambda sentence: sentence.upper()) == ["2 LEFT"]
    assert plain(each for each in "ab") == ["a", "b"]

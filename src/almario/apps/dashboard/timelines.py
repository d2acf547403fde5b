"""When things were learned, as a chart: by day, week or month, as there is room."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from markupsafe import Markup

from almario.apps.dashboard import drawing
from almario.apps.dashboard.frame import PageVisit
from almario.domain.memories import KINDS
from almario.domain.messages import Sentence
from almario.domain.validity import MONTHS
from almario.domain.vocabulary import KINDS as KIND_WORDS

# So many days are drawn one by one, and so many by weeks.
_BY_DAY, _BY_WEEK = 45, 300


class BarSpan(NamedTuple):
    """Some days, and how many memories of each kind were learned in them."""

    first: date
    last: date
    kinds: Counter[str]
    label: str


class Chart(NamedTuple):
    """The chart, what it shows in figures, and which kinds there are."""

    drawn: Markup
    spans: tuple[BarSpan, ...]
    kinds: tuple[str, ...]


def chart_of(visit: PageVisit, learned: Sequence[Any], *, width: int = 600) -> Chart | None:
    """Return when things were learned, up to today; None if nothing was."""
    if not learned:
        return None
    spans = _spans(visit, learned)
    kinds = tuple(kind for kind in KINDS if any(span.kinds[kind] for span in spans))
    bars = [
        drawing.ChartBar(span.label, tuple(span.kinds[kind] for kind in kinds), _words(visit, span, kinds))
        for span in spans
    ]
    total = sum(span.kinds.total() for span in spans)
    told = visit.say(
        Sentence(
            "{count} memories learned since {day}, forgotten ones too",
            count=total,
            day=visit.day(spans[0].first),
        )
    )
    unit = visit.say(Sentence("memories"))
    drawn = drawing.bars(
        visit.say(Sentence("What was learned, and when")), told, bars, width=width, unit=unit
    )
    return Chart(drawn, tuple(span for span in reversed(spans) if span.kinds.total()), kinds)


def _words(visit: PageVisit, span: BarSpan, kinds: Sequence[str]) -> str:
    parts = [f"{visit.say(KIND_WORDS[kind])} {span.kinds[kind]}" for kind in kinds if span.kinds[kind]]
    return f"{span.label}: {', '.join(parts) or 0}"


def _spans(visit: PageVisit, learned: Sequence[Any]) -> list[BarSpan]:
    first, last = learned[0].day, max(learned[-1].day, visit.today)
    long = (last - first).days
    begin = _day if long < _BY_DAY else _week if long < _BY_WEEK else _month
    starts = [begin(first if long >= 13 else last - timedelta(days=13))]
    while (following := begin(starts[-1] + _STEP[begin])) <= last:
        starts.append(following)
    ends = [each - timedelta(days=1) for each in [*starts[1:], begin(last + _STEP[begin])]]
    counts: dict[date, Counter[str]] = {start: Counter() for start in starts}
    for each in learned:
        counts[begin(each.day)].update(each.kinds)
    return [
        BarSpan(start, end, counts[start], _label(visit, start, by_month=begin is _month))
        for start, end in zip(starts, ends, strict=True)
    ]


def _day(day: date) -> date:
    return day


def _week(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _month(day: date) -> date:
    return day.replace(day=1)


# From the first of one to somewhere in the next.
_STEP = {_day: timedelta(days=1), _week: timedelta(days=7), _month: timedelta(days=31)}


def _label(visit: PageVisit, day: date, *, by_month: bool) -> str:
    month = visit.say(Sentence(MONTHS[day.month - 1]))[:3]
    return f"{month} {day:%y}" if by_month else f"{day.day} {month}"

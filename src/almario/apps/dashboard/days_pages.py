"""Days: a calendar of what each left behind and what is coming, and one day to read, with the journal."""

from calendar import Calendar
from collections import Counter
from datetime import date, timedelta
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query
from fastapi.responses import Response

from almario.apps.dashboard.frame import PageVisit, Visits
from almario.domain.messages import Sentence
from almario.domain.plain_text import regex
from almario.domain.plans import Plan
from almario.domain.validity import MONTHS
from almario.domain.vocabulary import WEEKDAYS
from almario.errors import NotFound

router = APIRouter(prefix="/a/{agent}/days", include_in_schema=False)
# So many entries of the journal are shown below a month, so many memories of a day, and so many plans.
_MOST_JOURNAL, _MOST_LEARNED, _MOST_PLANS = 4, 40, 10
# So far away the next day is looked for that left anything.
_NEAR = timedelta(days=31)
# Of the years outside of these there are no pages.
_FIRST, _LAST = date(1900, 1, 1), date(2999, 12, 31)
# A journal's file begins with the day, which the page has said.
_TITLE = regex(r"\A\ufeff?\s*# [^\n]*\n")
_HEAD = regex(r"(?m)^## \[([0-9:]+)\] [0-9-]+ \((.*)\)$")


class Cell(NamedTuple):
    """A day in the calendar: what it left, and how much of it."""

    day: date
    left: dict[str, int]


@router.get("")
def calendar(visit: Visits, month: Annotated[str, Query(max_length=10)] = "") -> Response:
    """Show a month: which days left what, and what the journal says of them."""
    try:
        wished = date.fromisoformat(f"{month}-01")
    except ValueError:
        wished = visit.today
    first = wished.replace(day=1) if _FIRST <= wished <= _LAST else visit.today.replace(day=1)
    before, after = first - timedelta(days=1), first + timedelta(days=32)
    return visit.shown(
        "days.html",
        month=_month(first),
        first=first,
        weekdays=[visit.say(name) for name in WEEKDAYS],
        weeks=lambda: _weeks(visit, first),
        journal=lambda: _journal(visit, first),
        earlier=before.replace(day=1) if before >= _FIRST else None,
        later=after.replace(day=1) if after.replace(day=1) <= _last_planned(visit) else None,
        plans=lambda: list(visit.soul.memory.plans())[:_MOST_PLANS],
        named=_month,
    )


@router.get("/{day}")
def one_day(visit: Visits, day: date) -> Response:
    """Show all that a day left."""
    if not _FIRST <= day <= _LAST:
        raise NotFound("there is no page of that day")
    return visit.shown(
        "day.html",
        day=day,
        month=_month(day),
        around=_around(visit, day),
        whole=lambda: _whole(visit, day),
    )


def _whole(visit: PageVisit, day: date) -> dict[str, Any]:
    found = visit.soul.days.get(day)
    return {
        "journal": [_untitled(page.text) for page in found.reflections],
        "summaries": found.summaries,
        "learned": found.learned[:_MOST_LEARNED],
        "more": len(found.learned) > _MOST_LEARNED,
        "log": found.log,
        "condensed": found.condensed,
        "coming": [plan for plan in visit.soul.memory.plans() if _day_of(plan) == day],
        "is_empty": not any(found[1:])
        and not any(_day_of(plan) == day for plan in visit.soul.memory.plans()),
    }


def _around(visit: PageVisit, day: date) -> tuple[date | None, date | None]:
    days = [each.day for each in visit.soul.days.between(day - _NEAR, day + _NEAR)]
    before, after = [each for each in days if each < day], [each for each in days if each > day]
    return before[-1] if before else None, after[0] if after else None


def _weeks(visit: PageVisit, first: date) -> list[list[Cell | None]]:
    """Return the weeks of a month, Monday first; None is a day of another."""
    weeks = Calendar().monthdayscalendar(first.year, first.month)
    found = visit.soul.days.between(first, first.replace(day=max(map(max, weeks))))
    left = {each.day: each._asdict() | {"day": 0, "learned": sum(each.learned.values())} for each in found}
    for day, count in Counter(_day_of(plan) for plan in visit.soul.memory.plans()).items():
        left[day] = left.get(day, {}) | {"coming": count}
    every = [[first.replace(day=number) if number else None for number in week] for week in weeks]
    return [[_cell(day, left.get(day, {})) if day else None for day in week] for week in every]


def _day_of(plan: Plan) -> date:
    return max(plan.when.first_day, plan.today)


def _last_planned(visit: PageVisit) -> date:
    return max([visit.today, *(_day_of(plan) for plan in visit.soul.memory.plans())])


def _cell(day: date, left: dict[str, int]) -> Cell:
    return Cell(day, {name: count for name, count in left.items() if count})


def _journal(visit: PageVisit, first: date) -> list[tuple[date, list[str]]]:
    days = [cell.day for week in _weeks(visit, first) for cell in week if cell and "reflections" in cell.left]
    latest = list(reversed(days))[:_MOST_JOURNAL]
    return [(day, [_untitled(page.text) for page in visit.soul.days.get(day).reflections]) for day in latest]


def _untitled(text: str) -> str:
    """Return a reflection as it is read: without the file's title, and its id in the heading."""
    return _HEAD.sub(r"## \1 · \2", _TITLE.sub("", text))


def _month(day: date) -> Sentence:
    return Sentence("{month} {year}", month=Sentence(MONTHS[day.month - 1]), year=day.year)

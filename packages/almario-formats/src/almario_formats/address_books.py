"""Address books and calendars: people, their birthdays, and what is planned."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from functools import partial

from almario.domain.messages import say
from almario.domain.plain_text import regex
from almario.domain.validity import DAILY, MONTHS, in_time, next_time, read, yearly
from almario.importing.arrivals import Arrival, Kind, Skipped
from almario.importing.fields import by_entry, unread
from almario.importing.source import Entry, Export
from almario.plugins import Note, Sentence

_FOLD = regex(r"\r?\n[ \t]")
_LINE = regex(r"^(?:[\w-]+\.)?([\w-]+)((?:;[^:\"]*(?:\"[^\"]*\"[^:\"]*)*)*):(.*)$")
_DAY = regex(r"(\d{4})-?(\d\d)-?(\d\d)")
_BIRTHDAY = regex(r"(\d{4}|--)-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])")
_ABOUT = {
    "NICKNAME": Sentence("nickname"),
    "ORG": Sentence("works at"),
    "TITLE": Sentence("job"),
    "TEL": Sentence("phone"),
    "EMAIL": Sentence("e-mail"),
    "ADR": Sentence("address"),
    "NOTE": Sentence("note"),
}
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_WEEKDAY = regex(r"([1-5]|-1)?(MO|TU|WE|TH|FR|SA|SU)")
# What is repeated more often has no end.
_MOST = 500

# The fields of a part, each with all its values.
Card = dict[str, list[str]]


def _fits(name: str, source: Export) -> bool:
    starts = (entry.start(64).decode("utf-8-sig", "ignore").lstrip() for entry in source.entries)
    return any(start.upper().startswith(f"BEGIN:{name}") for start in starts)


def _read(
    name: str, tell: Callable[[Card, str, str], Iterator[Arrival]], source: Export
) -> Iterator[Arrival]:
    """Yield what is told of each part of that name."""

    @by_entry
    def parts(entry: Entry) -> Iterator[Arrival]:
        for number, card in enumerate(_cards(entry.text(), name), 1):
            place = _first(card, "UID") or f"{entry.name} [{number}]"
            yield from tell(card, place, source.language)

    for entry in source.entries:
        yield from parts(entry)


def _cards(content: str, name: str) -> Iterator[Card]:
    """Yield the fields of each part of that name; ValueError if the last one does not end."""
    card: Card | None = None
    depth = 0
    for found in filter(None, map(_LINE.match, _FOLD.sub("", content).splitlines())):
        field, value = found[1].upper(), found[3].strip()
        if field == "BEGIN" and value.upper() == name:
            card, depth = {}, 0
        elif card is not None and field == "BEGIN":
            depth += 1  # an alarm has fields of its own
        elif card is not None and field == "END" and value.upper() == name:
            yield card
            card = None
        elif card is not None and field == "END":
            depth -= 1
        elif card is not None and not depth and value:
            card.setdefault(field, []).append(_plain(value))
    if card is not None:
        raise ValueError(Sentence("it ends in the middle"))


def _first(card: Card, field: str) -> str:
    return card.get(field, [""])[0]


def _plain(value: str) -> str:
    for sign, meant in (("\\n", " "), ("\\N", " "), ("\\,", ","), ("\\;", ";"), ("\\\\", "\\")):
        value = value.replace(sign, meant)
    return " ".join(value.split())


def _person(card: Card, place: str, language: str) -> Iterator[Arrival]:
    name = _first(card, "FN") or " ".join(filter(None, _first(card, "N").split(";")[1::-1])).strip()
    if not name:
        yield unread(place, Sentence("it has no name"))
        return
    if birthday := _first(card, "BDAY"):
        yield _birthday(birthday, name, place, language)
    for field, what in _ABOUT.items():
        for value in card.get(field, []):
            if told := ", ".join(filter(None, map(str.strip, value.split(";")))):
                line = f"{name}, {say(language, what)}: {told}"
                yield Note(line, name, place=place, id=f"{name}, {field}: {told}")


def _birthday(value: str, name: str, place: str, language: str) -> Arrival:
    found = _BIRTHDAY.match(value)
    if not found:
        return unread(place, f"BDAY {value}")
    day = "{day} {month}" if found[1] == "--" else "{day} {month} {year}"
    month = Sentence(MONTHS[int(found[2]) - 1])
    when = say(language, day, day=int(found[3]), month=month, year=found[1])
    line = f"{name}, {say(language, Sentence('birthday'))}: {when}"
    dated = f"XXXX-{found[2]}-{found[3]}"
    return Note(line, name, dated=dated, place=place, id=f"{name}, BDAY: {found[0]}")


def _plan(card: Card, place: str, _language: str) -> Iterator[Arrival]:
    summary, begins = _first(card, "SUMMARY"), _DAY.match(_first(card, "DTSTART"))
    named = read("-".join(begins.groups())) if begins else None
    if not summary or not named:
        yield unread(place, Sentence("it has no summary or no day"))
        return
    rule, day = _first(card, "RRULE").upper(), named.first_day
    series = _series(rule, day, card.get("EXDATE", []))
    if rule and not series:
        repeated = "it is repeated ({rule}), which cannot be kept; only its first day is"
        yield Skipped(summary, Sentence(repeated, rule=rule[:60]))
    where = "".join(f" ({each})" for each in card.get("LOCATION", [])[:1])
    when = f": {day}" if not series or "YEARLY" in rule else ""
    yield Note(f"{summary}{where}{when}", dated=series or str(day), place=place)


def _series(rule: str, day: date, without: Sequence[str]) -> str:
    """Return how a rule is written by which a day, or some weekdays, come again; nothing for others."""
    parts = dict(part.split("=", 1) for part in rule.split(";") if "=" in part)
    every, count, until = parts.pop("FREQ", ""), parts.pop("COUNT", ""), _DAY.match(parts.pop("UNTIL", ""))
    form = _form(every, parts, day)
    last = "-".join(until.groups()) if until else ".."
    if count.isdecimal() and form:
        days = [day]
        while len(days) < min(int(count), _MOST) and (when := next_time(form, days[-1] + timedelta(days=1))):
            days.append(when.first_day)
        last = str(days[-1])
    first = ".." if every == "YEARLY" or form.startswith("R") else str(day)
    skipped = ("-".join(found) for value in without for found in _DAY.findall(value))
    return in_time(form, f"{first}/{last}" if first != last else "", skipped)


def _form(every: str, parts: dict[str, str], day: date) -> str:
    """Return what a rule repeats: a day, some weekdays of each week, or the first of them in a month."""
    step, week, which = parts.pop("INTERVAL", "1"), parts.pop("WKST", "MO"), parts.pop("BYSETPOS", "")
    names = [_WEEKDAY.fullmatch(f"{which}{each}") for each in filter(None, parts.pop("BYDAY", "").split(","))]
    weekdays = [(each[1], _WEEKDAYS.index(each[2]) + 1) for each in names if each]
    is_of_month = every == "MONTHLY" or (every == "YEARLY" and "BYMONTH" in parts)
    known = {"BYMONTHDAY": str(day.day)} | ({"BYMONTH": str(day.month)} if every == "YEARLY" else {})
    is_known = parts.items() <= known.items() and week in _WEEKDAYS and step.isdecimal() and len(step) < 3
    if len(weekdays) < len(names) or not is_known:
        return ""
    numbered = [f"{weekday}#{number.replace('-1', 'L')}" for number, weekday in weekdays if number]
    if numbered or (weekdays and every != "WEEKLY"):
        is_sure = is_of_month and step == "1" and len(numbered) == len(weekdays) and "BYMONTHDAY" not in parts
        return f"XXXX-{'XX' if every == 'MONTHLY' else f'{day:%m}'}-{','.join(numbered)}" if is_sure else ""
    numbers = sorted(weekday for _, weekday in weekdays) or [day.isoweekday()]
    if step == "1":
        forms = {"YEARLY": yearly(day), "MONTHLY": f"XXXX-XX-{day:%d}", "DAILY": DAILY}
        return forms.get(every, f"XXXX-WXX-{','.join(map(str, numbers))}" if every == "WEEKLY" else "")
    # Weeks are counted from that of the first day.
    begun = (day.weekday() - _WEEKDAYS.index(week)) % 7
    ahead = [away for away in range(7 * int(step)) if (begun + away) // 7 % int(step) == 0]
    days = [str(day + timedelta(days=away)) for away in ahead if (day.weekday() + away) % 7 + 1 in numbers]
    form = f"R/{','.join(days) if every == 'WEEKLY' else day}/P{step}{every[:1]}"
    return form if next_time(form, day) else ""


# Any folder may hold one.
VCARD = Kind(
    "vcard", Sentence("an address book"), partial(_fits, "VCARD"), partial(_read, "VCARD", _person), 1
)
ICALENDAR = Kind(
    "icalendar", Sentence("a calendar"), partial(_fits, "VCALENDAR"), partial(_read, "VEVENT", _plan), 1
)

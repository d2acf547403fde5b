"""Address books and calendars: people, their birthdays, and what is planned."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial

from almario.domain.messages import say
from almario.domain.plain_text import regex
from almario.domain.validity import DAILY, MONTHS, in_time, read, yearly
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
    """Return how a rule is written that repeats a day every year, month, week or day; nothing for others."""
    parts = dict(part.split("=", 1) for part in rule.split(";") if "=" in part)
    every, until = parts.pop("FREQ", ""), _DAY.match(parts.pop("UNTIL", ""))
    weekdays = parts.get("BYDAY", _WEEKDAYS[day.weekday()]).split(",")
    plain = {"WKST": parts.get("WKST"), "INTERVAL": "1"} | {
        "YEARLY": {"BYMONTH": str(day.month), "BYMONTHDAY": str(day.day)},
        "MONTHLY": {"BYMONTHDAY": str(day.day)},
        "WEEKLY": {"BYDAY": ",".join(weekdays)},
    }.get(every, {})
    if not {*weekdays} <= {*_WEEKDAYS} or any(plain.get(name) != value for name, value in parts.items()):
        return ""
    forms = {"YEARLY": yearly(day), "MONTHLY": f"XXXX-XX-{day:%d}", "DAILY": DAILY}
    numbers = sorted(_WEEKDAYS.index(each) + 1 for each in weekdays)
    forms["WEEKLY"] = f"XXXX-WXX-{','.join(map(str, numbers))}"
    first, last = ".." if every == "YEARLY" else str(day), "-".join(until.groups()) if until else ".."
    days = ("-".join(found) for value in without for found in _DAY.findall(value))
    return in_time(forms.get(every, ""), f"{first}/{last}" if first != last else "", days)


# Any folder may hold one.
VCARD = Kind(
    "vcard", Sentence("an address book"), partial(_fits, "VCARD"), partial(_read, "VCARD", _person), 1
)
ICALENDAR = Kind(
    "icalendar", Sentence("a calendar"), partial(_fits, "VCALENDAR"), partial(_read, "VEVENT", _plan), 1
)

"""Address books and calendars: people, their birthdays, and what is planned."""

from collections.abc import Iterator, Sequence
from datetime import date

from almario.domain.messages import Sentence, say
from almario.domain.plain_text import regex
from almario.domain.validity import DAILY, MONTHS, in_time, read, yearly
from almario.importing.arrivals import Arrival, Kind, Skipped
from almario.importing.fields import unread
from almario.importing.source import Export
from almario.memory.transfer import Note

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

Card = dict[str, list[str]]


def _begins(source: Export, line: bytes) -> bool:
    starts = (entry.start(64).removeprefix(b"\xef\xbb\xbf").lstrip() for entry in source.entries)
    return any(start.upper().startswith(line) for start in starts)


def _parts(source: Export, name: str) -> Iterator[Card | Skipped]:
    """Yield the fields of each part of that name; one that does not end is told."""
    for entry in source.entries:
        try:
            content = _FOLD.sub("", entry.text())
        except (ValueError, OSError) as exc:
            yield unread(entry.name, str(exc))
            continue
        card: Card | None = None
        depth = 0
        for line in content.splitlines():
            found = _LINE.match(line.strip())
            if not found:
                continue
            field, value = found[1].upper(), found[3]
            if field == "BEGIN" and value.upper() == name:
                card, depth = {}, 0
            elif card is not None and field == "BEGIN":
                depth += 1  # an alarm has fields of its own
            elif card is not None and field == "END" and value.upper() == name:
                yield card
                card = None
            elif card is not None and field == "END":
                depth -= 1
            elif card is not None and not depth and value.strip():
                card.setdefault(field, []).append(_plain(value))
        if card is not None:
            yield unread(entry.name, "it ends in the middle")


def _plain(value: str) -> str:
    for sign, meant in (("\\n", " "), ("\\N", " "), ("\\,", ","), ("\\;", ";"), ("\\\\", "\\")):
        value = value.replace(sign, meant)
    return " ".join(value.split())


def _people(source: Export) -> Iterator[Arrival]:
    for number, card in enumerate(_parts(source, "VCARD"), 1):
        if isinstance(card, Skipped):
            yield card
            continue
        name = (card.get("FN") or [" ".join(filter(None, card.get("N", [""])[0].split(";")[1::-1]))])[
            0
        ].strip()
        place = (card.get("UID") or [f"{source.name} [{number}]"])[0]
        if not name:
            yield unread(place, "it has no name")
            continue
        yield from _birthday(card, name, place, source.language)
        for field, what in _ABOUT.items():
            for value in card.get(field, []):
                if address := ", ".join(filter(None, (part.strip() for part in value.split(";")))):
                    line = f"{name}, {say(source.language, what)}: {address}"
                    yield Note(line, name, place=place, id=f"{name}, {field}: {address}")


def _birthday(card: Card, name: str, place: str, language: str) -> Iterator[Arrival]:
    for value in card.get("BDAY", [])[:1]:
        found = _BIRTHDAY.match(value)
        if not found:
            yield unread(place, f"BDAY {value}")
            continue
        month = Sentence(MONTHS[int(found[2]) - 1])
        day = "{day} {month}" if found[1] == "--" else "{day} {month} {year}"
        when = say(language, day, day=int(found[3]), month=month, year=found[1])
        line = f"{name}, {say(language, Sentence('birthday'))}: {when}"
        yield Note(
            line, name, dated=f"XXXX-{found[2]}-{found[3]}", place=place, id=f"{name}, BDAY: {found[0]}"
        )


def _plans(source: Export) -> Iterator[Arrival]:
    for number, card in enumerate(_parts(source, "VEVENT"), 1):
        if isinstance(card, Skipped):
            yield card
            continue
        place = (card.get("UID") or [f"{source.name} [{number}]"])[0]
        summary, begins = card.get("SUMMARY", [""])[0], _DAY.match(card.get("DTSTART", [""])[0])
        named = read("-".join(begins.groups())) if begins else None
        if not summary or not named:
            yield unread(place, "it has no summary or no day")
            continue
        rule, day = card.get("RRULE", [""])[0].upper(), named.first_day
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


VCARD = Kind("vcard", Sentence("an address book"), lambda source: _begins(source, b"BEGIN:VCARD"), _people)
ICALENDAR = Kind(
    "icalendar", Sentence("a calendar"), lambda source: _begins(source, b"BEGIN:VCALENDAR"), _plans
)

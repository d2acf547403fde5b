"""Address books and calendars: people, their birthdays, and what is planned."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from almario.domain.messages import Sentence, say
from almario.domain.plain_text import regex
from almario.domain.validity import DAILY, MONTHS, in_time, next_time, read, yearly
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
_WEEKDAY = regex(r"([1-5]|-1)?(MO|TU|WE|TH|FR|SA|SU)")
# What is repeated more often has no end.
_MOST = 500

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


VCARD = Kind("vcard", Sentence("an address book"), lambda source: _begins(source, b"BEGIN:VCARD"), _people)
ICALENDAR = Kind(
    "icalendar", Sentence("a calendar"), lambda source: _begins(source, b"BEGIN:VCALENDAR"), _plans
)

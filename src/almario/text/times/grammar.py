"""What makes a time, whatever the language: "last week" and "semana pasada" are one pattern."""

import re
from functools import cache
from typing import Any, NamedTuple

from almario.text.times.lexicon import Token, lexicon

# Names are kinds of words; names in capitals are the patterns below.
_PARTS = {
    "GLUE": "(?:of|the|on|in)*",
    "ASIDE": "(?:this?last|this?next|this)",
    "AFTER": "(?:last_after|next_after)",
    "THAT_WEEK": "(?:ASIDE unit_week|unit_week AFTER|relative_week)",
    "THAT_MONTH": "(?:ASIDE unit_month|unit_month AFTER|relative_month)",
    "THAT_YEAR": "(?:ASIDE unit_year|unit_year AFTER|relative_year)",
    "OF_YEAR": "(?:comma?GLUE(?:unit_year?year(?!things|digits)|THAT_YEAR))",
    "WHOLE": "(?:month dot?OF_YEAR?|THAT_MONTH|THAT_YEAR|year|unit_month|unit_year)",
    "DAY_MONTH": (
        "(?:(?:day|ordinal)dot?GLUE(?:month dot?OF_YEAR?|after_day dot?OF_YEAR?|THAT_MONTH)"
        "|(?:day|ordinal)of GLUE unit_month|number of month OF_YEAR?)"
    ),
}
# Each reading and its patterns, the stricter before the looser.
READINGS = (
    ("date", "date|year_month"),
    ("signed", "(?:(?:year year_sign|relative_year)of?)?number month_sign of?(?:number day_sign)?"
               "|year year_sign"),
    ("days", "(?:weekday comma?)?day dot?(?:dash|to|and)GLUE DAY_MONTH"
             "|(?:weekday comma?)?month dot?GLUE day(?:dash|to)GLUE day(?!things)(?:comma?year)?"),
    ("day_month", "(?:weekday comma?GLUE)?(?:DAY_MONTH|month dot?the?day(?!things|digits)OF_YEAR?)"),
    ("slice", "(?:ordinal|last)(?:unit|weekday|number unit)(?:of|in)GLUE WHOLE"),
    ("quarter", "(?:(?:ordinal|ASIDE)unit_quarter|unit_quarter AFTER|quarter)OF_YEAR?"),
    ("ago", "ago about?number unit|number unit back"),
    ("run", "(?:last|next)number unit|number(?:last|next)unit|(?:last|next)many|many AFTER"
            "|since number unit(?!back)"),
    ("ahead", "ahead about?number unit(?!back)|number unit hence"),
    ("week_day", "weekday comma?GLUE THAT_WEEK|THAT_WEEK comma?GLUE weekday"),
    ("weekday", "ASIDE weekday|weekday AFTER|weekday(?!comma?the?day(?!things))"),
    ("holiday", "ASIDE?holiday AFTER?OF_YEAR?|THAT_YEAR comma?GLUE holiday"),
    ("season", "ASIDE?season AFTER?OF_YEAR?|THAT_YEAR comma?GLUE season"),
    ("month", "ASIDE of?month|month AFTER|month dot?OF_YEAR|month|THAT_YEAR comma?GLUE month"),
    ("unit", "ASIDE unit|unit AFTER"),
    ("relative", "relative"),
    ("decade", "decade_sign(?:tens|hundreds)(?!things|unit)|decade(?!unit)"),
    ("weekend", "unit_weekend(?!GLUE day)"),
    ("year", "unit_year?year(?!things|digits)"),
    ("slashed", "slashed"),
    ("day", "(?:day_sign|weekday comma?the?)?day(?!things|month_sign|day_sign|unit)"),
    ("whole", "unit_week|unit_month|unit_year"),
)  # fmt: skip


# What a time may begin with.
_STARTS = (
    "date", "year_month", "year", "relative", "number", "day", "weekday", "month", "ordinal", "last", "this",
    "next", "unit", "quarter", "ago", "many", "since", "ahead", "holiday", "season", "decade_sign", "decade",
    "slashed", "day_sign",
)  # fmt: skip


@cache
def grammar() -> re.Pattern[str]:
    """Return the pattern of a time over signs; its group is the reading."""
    kinds = lexicon().kinds

    def put(found: re.Match[str]) -> str:
        name = found[0]
        if name in _PARTS:
            return re.sub("[A-Za-z_]+", put, _PARTS[name])
        return f"[{''.join(sorted(kinds[name]))}]" if name in kinds else "(?!)"

    starts = sorted({sign for kind in _STARTS for sign in kinds.get(kind, ())})
    rows = (
        f"(?P<{name}>{re.sub('[A-Za-z_]+', put, pattern).replace(' ', '')})" for name, pattern in READINGS
    )
    return re.compile(f"(?=[{''.join(starts)}])(?:{'|'.join(rows)})")


class Phrase(NamedTuple):
    """The words of one time: where they begin and end, how they are read, and in what languages."""

    begin: int
    end: int
    reading: str
    tokens: list[Token]
    languages: frozenset[str]
    # Whether "between" stands before it.
    is_between: bool = False

    def value(self, kind: str) -> Any:
        """Return what its first word of a kind stands for; None if there is no such word."""
        return next((token.sense.values[kind] for token in self.tokens if kind in token.sense.values), None)

    def every(self, kind: str) -> list[Any]:
        """Return what all its words of a kind stand for."""
        return [token.sense.values[kind] for token in self.tokens if kind in token.sense.values]

    @property
    def aside(self) -> str:
        """Whether it is the `last`, the `next` or `this` one."""
        if self.value("last") or self.value("last_after"):
            return "last"
        if self.value("next") or self.value("next_after"):
            return "next"
        return "this" if self.value("this") else ""

"""What models cost: one line for each call, what a token costs, and sums of both.

A line has numbers and names and nothing that was said.
"""

import json
import math
from collections.abc import Iterable
from datetime import date, datetime, tzinfo

from almario.domain.records import plain, read
from almario.domain.talk import Usage
from almario.errors import ConfigError
from almario.named_tuples import NamedTuple

MILLION = 1_000_000
# No call has so many tokens, or costs so much.
_ABSURD = 10**12


class PaidCall(NamedTuple):
    """One call of a model: when, what for, and what it took; *estimated* if the provider did not say.

    It is entered twice: when it is *begun*, under a name, and when its end *settles* that. One that settles
    and took nothing came to nothing.
    """

    at: datetime
    job: str
    model: str
    told: int
    said: int
    cached: int = 0
    cost: float | None = None
    estimated: bool = False
    begun: str = ""
    settles: str = ""


class Price(NamedTuple):
    """US dollars for a million tokens; a *model* that ends in `*` is a beginning."""

    model: str
    prompt: float
    reply: float
    cached: float


class Spent(NamedTuple):
    """The sum of some calls; *cost* is what is known of it, *unpriced* the calls of which it is not.

    *unanswered* are those whose answer was lost with its process, or is still to come; what they took is an
    estimate.
    """

    calls: int = 0
    told: int = 0
    said: int = 0
    cached: int = 0
    cost: float = 0.0
    unpriced: int = 0
    unanswered: int = 0

    @property
    def tokens(self) -> int:
        return self.told + self.said

    def plus(self, call: PaidCall) -> "Spent":
        return Spent(
            self.calls + 1,
            self.told + call.told,
            self.said + call.said,
            self.cached + call.cached,
            self.cost + (call.cost or 0.0),
            self.unpriced + (call.cost is None),
            self.unanswered + bool(call.begun),
        )


class Budget(NamedTuple):
    """What background work may take a day, 0 is as much as it likes; and whether that is used up today."""

    daily_tokens: int = 0
    daily_cost: float = 0.0
    is_over: bool = False


class Report(NamedTuple):
    """What was spent, together and by day, job and model; the days in order, the others by their tokens."""

    total: Spent
    days: dict[date, Spent]
    jobs: dict[str, Spent]
    models: dict[str, Spent]
    # By day, and then by job.
    daily: dict[date, dict[str, Spent]]
    budget: Budget = Budget()


def prices_in(text: str) -> tuple[Price, ...]:
    """Read the setting `llm.prices`; ConfigError names what is no price in it."""
    return tuple(_price(part.strip()) for part in text.split(";") if part.strip())


def _price(part: str) -> Price:
    model, _, numbers = part.partition("=")
    try:
        prompt, reply, *rest = [float(number) for number in numbers.split(",")]
        [cached] = rest or [prompt]
    except ValueError:
        prompt = reply = cached = -1.0
    # A cached token never costs more: it is a decimal comma that makes three numbers of two.
    if not model.strip() or not (0 <= cached <= prompt < math.inf and 0 <= reply < math.inf):
        raise ConfigError(
            (
                'llm.prices: "{part}" is not a price; write provider/model = 3, 15 (dollars per million '
                "tokens in and out)"
            ),
            part=part[:80],
        )
    return Price(model.strip().casefold(), prompt, reply, cached)


def priced(model: str, usage: Usage, prices: Iterable[Price]) -> Usage:
    """Return the usage with its cost: as the provider told it, or by the price that names the model best."""
    if usage.cost is not None:
        return usage
    fitting = [price for price in prices if _is_of(price, model.casefold())]
    if not fitting:
        return usage
    price = max(fitting, key=lambda price: (not price.model.endswith("*"), len(price.model)))
    cached = min(usage.cached, usage.told)
    dollars = (usage.told - cached) * price.prompt + cached * price.cached + usage.said * price.reply
    return usage._replace(cost=dollars / MILLION)


def _is_of(price: Price, model: str) -> bool:
    if price.model.endswith("*"):
        return model.startswith(price.model[:-1])
    return model == price.model


def report_of(calls: Iterable[PaidCall], zone: tzinfo) -> Report:
    """Return the sums of some calls; a day is one of the owner's zone."""
    total = Spent()
    days: dict[date, Spent] = {}
    jobs: dict[str, Spent] = {}
    models: dict[str, Spent] = {}
    daily: dict[date, dict[str, Spent]] = {}
    for call in calls:
        day = call.at.astimezone(zone).date()
        total = total.plus(call)
        days[day] = days.get(day, Spent()).plus(call)
        jobs[call.job] = jobs.get(call.job, Spent()).plus(call)
        models[call.model] = models.get(call.model, Spent()).plus(call)
        own = daily.setdefault(day, {})
        own[call.job] = own.get(call.job, Spent()).plus(call)
    in_order = {day: _by_tokens(own) for day, own in sorted(daily.items())}
    return Report(total, dict(sorted(days.items())), _by_tokens(jobs), _by_tokens(models), in_order)


def _by_tokens(sums: dict[str, Spent]) -> dict[str, Spent]:
    return dict(sorted(sums.items(), key=lambda pair: (-pair[1].tokens, pair[0])))


def encode_call(call: PaidCall) -> bytes:
    """Return a call's line, with its end."""
    cost = None if call.cost is None else round(call.cost, 9)
    fields = plain(call._replace(cost=cost)) | {"at": call.at.isoformat(timespec="seconds")}
    return json.dumps(fields, separators=(",", ":")).encode("ascii") + b"\n"


def calls_in(lines: Iterable[bytes]) -> list[PaidCall]:
    """Return the calls of some lines, each once: as it ended, or as it was begun if nobody knows its end."""
    calls = [call for call in map(decode_call, lines) if call]
    settled = {call.settles for call in calls}
    open_ = [call for call in calls if call.begun not in settled or not call.begun]
    return [call for call in open_ if call.told or call.said or not call.settles]


def decode_call(line: bytes) -> PaidCall | None:
    """Return the call of a line; None for one that is torn, or none of ours."""
    try:
        call = read(PaidCall, json.loads(line))
        is_sound = (
            call.at.tzinfo is not None
            and 2000 <= call.at.year < 9000
            and all(
                type(count) is int and 0 <= count < _ABSURD for count in (call.told, call.said, call.cached)
            )
            and (call.cost is None or (type(call.cost) in (int, float) and 0 <= call.cost < _ABSURD))
            and all(isinstance(name, str) for name in (call.job, call.model, call.begun, call.settles))
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return call if is_sound else None

"""What an agent's models have cost, and the budget that its background work keeps to.

Every call is two lines of `costs/2026-11.jsonl` in the vault, a file for each
month where the owner is: one when it is begun, so that it counts though its
process be killed, and one with what it took. Lines are appended whole, by any number of processes
and without a lock. Losing one costs a sum and no memory, so no answer ever
fails because of them.
"""

import os
from collections.abc import Iterator
from datetime import UTC, date, timedelta
from typing import TYPE_CHECKING

from almario.conversation.settings import ModelSettings
from almario.domain.logs import Log
from almario.domain.plain_text import estimate_tokens
from almario.domain.talk import Ask, Reply, Usage
from almario.errors import AlmarioError, BadReply, LLMUnavailable
from almario.former_names import answering
from almario.ports import LLM, Hear, Store
from almario.upkeep.rules.costs import (
    Budget,
    PaidCall,
    Report,
    Spent,
    calls_in,
    encode_call,
    priced,
    prices_in,
    report_of,
)

log = Log(__name__)


class Costs:
    """Keeps the account of one agent's model calls."""

    def __init__(self, store: Store, settings: ModelSettings) -> None:
        self.settings = settings
        self._store = store
        self._zone = store.zone
        self._prices = prices_in(settings.prices)
        # What a failing disk did not take still counts while this process lives.
        self._unkept: list[PaidCall] = []

    @property
    def today(self) -> date:
        """The day where the owner is."""
        return self._store.now().date()

    def begin(self, job: str, model: str, usage: Usage) -> str:
        """Enter that a call is begun, with what it takes at least; return the name under which it ends."""
        name = os.urandom(6).hex()
        self._enter(self._call(job, model, usage, is_estimated=True)._replace(begun=name))
        return name

    def add(
        self, job: str, model: str, usage: Usage, *, is_estimated: bool = False, begun: str = ""
    ) -> PaidCall:
        """Enter one call, which may have *begun* before; a disk that refuses is a warning and no error.

        One that has begun, and took nothing, came to nothing that is paid for.
        """
        call = self._call(job, model, usage, is_estimated=is_estimated)._replace(settles=begun)
        self._enter(call)
        return call

    def _call(self, job: str, model: str, usage: Usage, *, is_estimated: bool) -> PaidCall:
        now = self._store.now().astimezone(UTC)
        return PaidCall(now, job, model, *priced(model, usage, self._prices), is_estimated)

    def _enter(self, call: PaidCall) -> None:
        self._unkept = [each for each in self._unkept if not each.begun or each.begun != call.settles]
        try:
            self._store.documents.add_line(_name(f"{self.today:%Y-%m}"), encode_call(call))
        except AlmarioError as exc:
            log.warning("the cost of %s for %s could not be saved: %s", call.model, call.job, exc)
            self._unkept.append(call)

    def spent(self, day: date | None = None) -> Spent:
        """Return the costs of a day so far; today by default."""
        day = day or self.today
        return report_of(self._calls(day, day), self._zone).total

    def report(self, days: int = 1) -> Report:
        """Return the costs of the last *days*, including today."""
        today = self.today
        found = report_of(self._calls(today - timedelta(days=max(days, 1) - 1), today), self._zone)
        tokens, dollars = self.settings.daily_tokens, self.settings.daily_cost
        return found._replace(budget=Budget(tokens, dollars, self.over() is not None))

    if not TYPE_CHECKING:
        __getattr__ = answering("costs")

    def over(self) -> tuple[str, str] | None:
        """Return what was spent today and the budget that it used up, in words; None if neither is."""
        tokens, dollars = self.settings.daily_tokens, self.settings.daily_cost
        if not tokens and not dollars:
            return None
        spent = self.spent()
        if tokens and spent.tokens >= tokens:
            return str(spent.tokens), f"{tokens} tokens"
        if dollars and spent.cost >= dollars:
            return f"${spent.cost:.2f}", f"${dollars:.2f}"
        return None

    def _calls(self, first: date, last: date) -> Iterator[PaidCall]:
        for call in (*self._written(first, last), *self._unkept):
            if first <= call.at.astimezone(self._zone).date() <= last:
                yield call

    def _written(self, first: date, last: date) -> Iterator[PaidCall]:
        # A day more at both ends: the owner may have been in another zone then.
        months = _months(first - timedelta(days=1), last + timedelta(days=1))
        lines: list[bytes] = []
        for month in months:
            try:
                content = self._store.read(_name(month)).content or b""
            except AlmarioError as exc:
                log.warning("what models have cost could not be read: %s", exc)
                continue
            lines += content.split(b"\n")
        yield from calls_in(lines)


class Tab:
    """What is spent before there is an agent in whose account it can stand; no budget holds for it."""

    def __init__(self) -> None:
        self._calls: list[tuple[str, str, Usage, bool]] = []

    def begin(self, job: str, model: str, usage: Usage) -> str:
        """Return no name: what ends before it can be entered is noted when it ends."""
        return ""

    def add(self, job: str, model: str, usage: Usage, *, is_estimated: bool = False, begun: str = "") -> None:
        """Note one call, if it took anything."""
        self._calls += [(job, model, usage, is_estimated)] if usage != Usage() else []

    if not TYPE_CHECKING:
        __getattr__ = answering("costs")

    def over(self) -> None:
        """Return None, as an account does whose budget is not used up."""

    def settle(self, costs: Costs) -> None:
        """Enter what was noted in an account, once."""
        while self._calls:
            job, model, usage, is_estimated = self._calls.pop(0)
            costs.add(job, model, usage, is_estimated=is_estimated)


class Metered:
    """A model whose every call is entered in the account, as *job*.

    One for *background* work is asked nothing more on a day whose budget is used up.
    """

    def __init__(self, llm: LLM, costs: Costs | Tab, job: str, *, background: bool = False) -> None:
        self._llm = llm
        self._costs = costs
        self._job = job
        self._background = background
        # Who hears its words as they come, unless somebody else does.
        self.hear: Hear | None = None

    @property
    def model(self) -> str:
        return self._llm.model

    def is_available(self) -> bool:
        return self._llm.is_available()

    def reply(self, ask: Ask, hear: Hear | None = None) -> Reply:
        if self._background and (over := self._costs.over()):
            spent, budget = over
            raise LLMUnavailable(
                "the daily budget for background work is used up ({spent} of {budget})",
                passes=True,
                spent=spent,
                budget=budget,
            )
        hear = hear or self.hear
        heard: list[str] = []
        reply: Reply | None = None
        is_bad = is_failed = False
        begun = self._costs.begin(self._job, self.model, Usage(_length(ask), 0))

        def listen(piece: str) -> None:
            heard.append(piece)
            if hear:
                hear(piece)

        try:
            reply = self._llm.reply(ask, listen if hear else None)
        except BadReply:
            is_bad = True
            raise
        except AlmarioError:
            is_failed = True
            raise
        finally:  # an answer that was stopped or broke off is paid for, too
            if reply is not None or heard or is_bad:
                self._enter(ask, reply or Reply("".join(heard)), begun)
            elif is_failed:
                self._costs.add(self._job, self.model, Usage(), begun=begun)
        return reply

    def _enter(self, ask: Ask, reply: Reply, begun: str) -> None:
        usage = reply.usage
        is_reported = bool(usage.told or usage.said)
        if not is_reported:
            usage = Usage(_length(ask), estimate_tokens(reply.text), cost=usage.cost)
        model = reply.model or self.model
        self._costs.add(self._job, model, usage, is_estimated=not is_reported, begun=begun)


def _length(ask: Ask) -> int:
    return estimate_tokens(ask.system) + sum(estimate_tokens(message.text) for message in ask.messages)


def _name(month: str) -> str:
    return f"costs/{month}.jsonl"


def _months(first: date, last: date) -> list[str]:
    months = []
    month = first.replace(day=1)
    while month <= last:
        months.append(f"{month:%Y-%m}")
        month = (month + timedelta(days=31)).replace(day=1)
    return months

"""How memories are shown: as JSON, in a table, in a line."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime, time, tzinfo
from typing import Any

import click

from almario.apps.cli.common import Call, at_terminal, print_json, print_table, width_of
from almario.apps.cli.words import _
from almario.domain.memories import KINDS, ORIGINS, Memory, Wanted, plain
from almario.soul import Soul

KIND = click.Choice(list(KINDS))
ORIGIN = click.Choice(list(ORIGINS))
_STATES = {"superseded": "replaced", "retired": "forgotten", "expired": "expired", "untrusted": "not trusted"}
# Ids are random: so much of one names it.
_SHORT = 8


class Day(click.DateTime):
    """A day."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        try:
            found: datetime = super().convert(value, param, ctx)
        except click.BadParameter as exc:
            sentence = _('"{text}" is no date; write it as 2026-11-14', text=value)
            raise click.BadParameter(sentence, ctx, param) from exc
        return found


DAY = Day(["%Y-%m-%d"])


class When(click.ParamType["date | datetime"]):
    """A day, or an instant; one without a time zone is in the owner's."""

    name = "date"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> date | datetime:
        with suppress(ValueError):
            return date.fromisoformat(value)
        try:
            return datetime.fromisoformat(value)
        except ValueError as exc:
            sentence = _('"{text}" is no date; write 2026-11-14 or "2026-11-14 13:30"', text=value)
            raise click.BadParameter(sentence, ctx, param) from exc


def instant(given: date | datetime, zone: tzinfo) -> datetime:
    """Return the instant that is meant; a day means its end."""
    if not isinstance(given, datetime):
        given = datetime.combine(given, time.max)
    return given if given.tzinfo else given.replace(tzinfo=zone)


def named(soul: Soul, target: str) -> Memory:
    """Return the memory that an id means, or a key with only one memory in use."""
    under = soul.memory.list(Wanted(keys=(target,)))
    return under[0] if len(under) == 1 else soul.memory.get(target)


def fields(soul: Soul, memory: Memory) -> dict[str, Any]:
    """Return a memory for JSON, with the state it is in now."""
    return {name: plain(value) for name, value in memory._asdict().items()} | {
        "state": soul.memory.state(memory)
    }


def short(memory_id: str) -> str:
    return click.style(memory_id[:_SHORT], dim=True)


def line(soul: Soul, memory: Memory) -> str:
    """Return a memory in one line: its id, its text, and its state if it is out of use."""
    state = soul.memory.state(memory)
    mark = "" if state == "live" else f"  ({state_word(state)})"
    room_taken = _SHORT + len(mark) + 6  # it may stand indented by four
    return (
        f"{short(memory.id)}  {fitted(memory.text, room_taken)}{click.style(mark, dim=True) if mark else ''}"
    )


def state_word(state: str) -> str:
    """Say the state of what is out of use; of what is in use there is nothing to say."""
    return _(_STATES.get(state, ""))


def one_line(text: str) -> str:
    return " ".join(harmless(text).split())


def fitted(text: str, used: int) -> str:
    """Return a text in one line; at a terminal, cut to what is left of its width."""
    whole = one_line(text)
    room = _columns() - used if at_terminal() else 0
    if room <= 1 or width_of(whole) <= room:
        return whole
    cut = whole[: room - 1]
    while width_of(cut) > room - 1:
        cut = cut[:-1]
    return cut.rstrip() + "…"


def _print_table(soul: Soul, memories: Sequence[Memory], *, states: bool = False) -> None:
    rows = []
    is_mixed = any(memory.origin == "untrusted" for memory in memories)
    for memory in memories:
        since = f"{memory.valid_from.astimezone(soul.zone):%Y-%m-%d}"
        more = [soul.memory.state(memory)] if states else []
        more += [memory.origin] if is_mixed else []
        rows.append([short(memory.id), since, memory.kind, *more, one_line(memory.key)])
    asked = [*([_("State")] if states else []), *([_("Origin")] if is_mixed else [])]
    heads = ["ID", _("Since"), _("Kind"), *asked, _("Key"), _("Value")]
    print_fitted([[*row, memory.value] for row, memory in zip(rows, memories, strict=True)], heads=heads)


def print_fitted(rows: Sequence[Sequence[str]], *, heads: Sequence[str]) -> None:
    """Print rows in columns, of which the last takes what is left of the terminal's width."""
    used = sum(max(width_of(row[n]) for row in [heads, *rows]) + 2 for n in range(len(heads) - 1))
    print_table([[*row[:-1], fitted(row[-1], used)] for row in rows], heads=heads)


def print_found(
    call: Call, soul: Soul, found: Sequence[Memory], *, nothing: str = "", states: bool = False
) -> None:
    """Print memories as JSON or in a table, or say that there is *nothing*; *states* are shown on request."""
    if call.as_json:
        print_json([fields(soul, memory) for memory in found])
    elif found:
        _print_table(soul, found, states=states)
    else:
        click.echo(nothing or _('Nothing is remembered yet; "almario remember" begins it.'))


def wrapped(text: str, indent: int, *, lines: int) -> list[str]:
    """Return a text wrapped to the terminal and cut to some lines; through a pipe, whole and as it is."""
    if not at_terminal():
        return harmless(text).splitlines() or [""]
    from textwrap import wrap  # noqa: PLC0415 - 3 ms that only screens need

    room = max(_columns() - indent, 20)
    return wrap(one_line(text), room, max_lines=lines, placeholder=" …") or [""]


def harmless(text: str) -> str:
    """Leave out the signs that command a terminal: what is remembered may be a stranger's words."""
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() or sign in "\n\t\u200d" else " " if sign.isspace() else "" for sign in text
    )


def _columns() -> int:
    from shutil import get_terminal_size  # noqa: PLC0415 - only screens need it

    return get_terminal_size().columns

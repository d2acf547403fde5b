"""How commands print: as JSON, in tables, as differences, in lines that fit; warnings; how far work is."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import date, datetime, tzinfo
from threading import current_thread, main_thread
from typing import Any, Self

import click

from almario.apps.cli.i18n import _, columns, folded, is_terminal, refusal, width_of
from almario.domain.logs import at_first
from almario.domain.messages import Sentence
from almario.domain.plain_text import visible
from almario.domain.records import plain
from almario.domain.validity import MONTHS
from almario.domain.withheld import MASK_NAMED, masks_named
from almario.errors import AlmarioError

# A last column with less room than this is no column: it goes under its row, so far in.
NARROW, UNDER = 20, 4
# So many letters of a month are enough.
_MONTH = 3


def print_json(value: Any) -> None:
    """Print a value as JSON, as programs are told of it."""
    click.echo(json.dumps(plain(value, str), ensure_ascii=False, indent=2))


def print_table(rows: Sequence[Sequence[str]], *, heads: Sequence[str]) -> None:
    """Print rows in columns, below *heads* unless these are empty; the last column is never padded.

    At a terminal, what does not fit in the last column goes on below, under it or under the row.
    """
    table = [*([[click.style(head, bold=True) for head in heads]] if any(heads) else []), *rows]
    widths = [max(width_of(row[column]) for row in table) for column in range(len(heads) - 1)]
    used = sum(widths) + 2 * len(widths)
    for row in table:
        padded = [cell + " " * (width - width_of(cell)) for cell, width in zip(row, widths, strict=False)]
        first, *more = _folded(row[-1], used)
        click.echo("  ".join([*padded, first]).rstrip())
        for line in more:
            click.echo(line)


def _folded(cell: str, used: int) -> list[str]:
    """Return a last cell as lines that fit on the terminal, where *used* columns are taken."""
    if not at_terminal():
        return [cell]
    room = columns()
    if used + width_of(cell) <= room:
        return [cell]
    indent = used if room - used >= NARROW else UNDER
    is_plain = click.unstyle(cell) == cell
    lines = folded(cell, room - indent) if is_plain else [cell]
    below = [" " * indent + line for line in lines]
    return [lines[0], *below[1:]] if indent == used else ["", *below]


def print_line(
    text: str, *, lead: str = "", dim: bool = False, fg: str | None = None, err: bool = False
) -> None:
    """Print a line after its *lead*, with nothing in it that a terminal would obey.

    At a terminal, what does not fit goes on below, beginning where the line began.
    """
    shown = visible(masks_named(text, _(MASK_NAMED)))
    is_seen = is_terminal(sys.stderr) if err else at_terminal()
    lines = folded(shown, columns() - width_of(lead)) if is_seen else [shown]
    for start, line in zip([lead, *[" " * width_of(lead)] * len(lines)], lines, strict=False):
        click.echo(start + (click.style(line, dim=dim or None, fg=fg) if dim or fg else line), err=err)


def print_below(lines: Iterable[str], *, dim: bool = False) -> None:
    """Print lines indented, under what they belong to; a hint is *dim*.

    At a terminal, what does not fit goes on below.
    """
    for line in lines:
        indent = "  " + line[: len(line) - len(line.lstrip())]
        is_foldable = at_terminal() and click.unstyle(line) == line
        for part in folded(line.lstrip(), columns() - len(indent)) if is_foldable else [line.lstrip()]:
            click.secho(indent + part, dim=dim or None)


def print_fitted(rows: Sequence[Sequence[str]], *, heads: Sequence[str]) -> None:
    """Print rows in columns, of which the last takes what is left of the terminal's width."""
    used = sum(max(width_of(row[n]) for row in [heads, *rows]) + 2 for n in range(len(heads) - 1))
    used = used if columns() - used >= NARROW else UNDER
    print_table([[*row[:-1], fitted(row[-1], used)] for row in rows], heads=heads)


def print_diff(text: str, *, brief: bool = False) -> None:
    """Print a unified diff in colours, with nothing in it that a terminal would obey.

    *brief* shows only the lines that go and come.
    """
    for line in text.split("\n")[:-1]:
        if brief and (line[:1] not in "+-" or line[:3] in ("+++", "---") or not line[1:].strip()):
            continue
        line = f"{line[0]} {line[1:].removeprefix('- ')}" if brief else line  # noqa: PLW2901 - as it is shown
        colour = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
        click.secho(visible(line), fg=colour)
    if not text:
        click.echo(_("No difference."))


def when(instant: datetime, zone: tzinfo | None, *, seconds: bool = False) -> str:
    """Say an instant, in the zone of the system unless one is given: 19 Nov 2026, 23:06."""
    local = instant.astimezone(zone)
    return f"{day(local.date())}, {local:{'%H:%M:%S' if seconds else '%H:%M'}}"


def day(part: date | str) -> str:
    """Say a day, a month or a year, with few letters: 19 Nov 2026."""
    year, *rest = str(part).split("-")
    named = [_(MONTHS[int(rest[0]) - 1])[:_MONTH]] if rest else []
    return " ".join([*(str(int(number)) for number in rest[1:]), *named, year])


def one_line(text: str) -> str:
    return " ".join(harmless(text).split())


def fitted(text: str, used: int) -> str:
    """Return a text in one line; at a terminal, cut to what is left of its width."""
    whole = one_line(text)
    room = columns() - used if at_terminal() else 0
    if room <= 1 or width_of(whole) <= room:
        return whole
    cut = whole[: room - 1]
    while width_of(cut) > room - 1:
        cut = cut[:-1]
    return cut.rstrip() + "…"


def wrapped(text: str, indent: int, *, lines: int) -> list[str]:
    """Return a text wrapped to the terminal and cut to some lines; through a pipe, whole and as it is."""
    if not at_terminal():
        return harmless(text).splitlines() or [""]
    from textwrap import wrap  # noqa: PLC0415 - 3 ms that only screens need

    room = max(columns() - indent, 20)
    return wrap(one_line(text), room, max_lines=lines, placeholder=" …") or [""]


def harmless(text: str) -> str:
    """Leave out the signs that command a terminal: what is remembered may be a stranger's words.

    What stands for something withheld is in the language in use.
    """
    text = masks_named(text, _(MASK_NAMED))
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() or sign in "\n\t\u200d" else " " if sign.isspace() else "" for sign in text
    )


def at_terminal() -> bool:
    return is_terminal(sys.stdin) and is_terminal(sys.stdout)


# How wide a bar is where there is room, and the line without its label: with brackets, share and time left.
_WIDTH = 36
_WITHOUT_LABEL = _WIDTH + 24


class ProgressBar:
    """A progress bar on standard error, if that is a terminal; calling it says how much is done of how much.

    Work that comes in several parts has a bar for each. Work of fewer than
    *least* steps has none.
    """

    def __init__(self, label: str, *, least: int = 1) -> None:
        self._label = label
        self._least = least
        self._open = ExitStack()
        self._bar: Any = None
        self._done = 0
        self._total = 0
        self.is_shown = is_terminal(sys.stderr)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._open.close()

    def __call__(self, done: int, total: int) -> None:
        if not self.is_shown or total < self._least:
            return
        if total != self._total or done < self._done:
            self._open.close()
            has_room = width_of(self._label) + _WITHOUT_LABEL <= columns()
            width = _WIDTH if has_room else 0  # 0 is what is left of the line
            # A bar goes over its own line: rich, which shows an answer meanwhile, would print many.
            screen = getattr(sys.stderr, "rich_proxied_file", sys.stderr)
            bar = click.progressbar(length=total, label=self._label, width=width, file=screen)
            self._bar = self._open.enter_context(bar)
            self._done, self._total = 0, total
        self._bar.update(done - self._done)
        self._done = done
        if done >= total:
            self._open.close()
            self._total = 0


# Takes the listener away again; nothing while nobody listens.
_leave: list[Callable[[], object]] = []


@contextmanager
def warned() -> Iterator[None]:
    """Say the warnings that come meanwhile, once."""
    if _listen in at_first or _leave:  # a command inside a chat
        yield
        return
    at_first.append(_listen)
    try:
        yield
    finally:
        if _listen in at_first:
            at_first.remove(_listen)
        while _leave:
            _leave.pop()()


def _listen() -> None:
    import logging  # noqa: PLC0415 - 7 ms, and most commands have nothing to warn of

    class Quietly(logging.Handler):
        _bar: ProgressBar | None = None

        def emit(self, record: logging.LogRecord) -> None:
            line = _(str(record.msg))
            if steps := getattr(record, "steps", None):
                self._show(line, *steps)
                return
            if record.levelno < logging.WARNING:
                return
            if isinstance(record.args, tuple) and record.args:
                line %= tuple(_shown_fact(each) for each in record.args)
            print_line(line, lead="· ", dim=True, err=True)

        def _show(self, work: str, done: int, total: int) -> None:
            """Show a bar at a terminal; elsewhere, say that the work begins.

            Nothing of what another thread does: nobody waits for it, and it would cross what is being typed.
            """
            if current_thread() is not main_thread():
                return
            if done == 0:
                self._bar = ProgressBar(work)
                if not self._bar.is_shown:
                    print_line(work, lead="· ", dim=True, err=True)
            if self._bar:
                self._bar(done, total)

    def leave() -> None:
        own.setLevel(logging.NOTSET)
        own.removeHandler(handler)

    handler, own = Quietly(logging.INFO), logging.getLogger("almario")
    own.addHandler(handler)
    own.setLevel(logging.INFO)
    _leave.append(leave)


def _shown_fact(fact: object) -> object:
    if isinstance(fact, AlmarioError | OSError):
        return refusal(fact)
    return _(fact) if isinstance(fact, Sentence) else fact

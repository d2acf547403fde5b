"""How far a long piece of work is, shown at a terminal."""

import sys
from contextlib import ExitStack
from typing import Any, Self

import click

from almario.apps.cli.widths import columns, width_of

# How wide a bar is where there is room, and the line without its label: with brackets, share and time left.
_WIDTH = 36
_WITHOUT_LABEL = _WIDTH + 24


class Bar:
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
        self.is_shown = sys.stderr is not None and sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._open.close()

    def __call__(self, done: int, total: int) -> None:
        if not self.is_shown or total < self._least:
            return
        if total != self._total or done < self._done:
            self._begin(total)
        self._bar.update(done - self._done)
        self._done = done
        if done >= total:
            self._open.close()
            self._total = 0

    def _begin(self, total: int) -> None:
        self._open.close()
        has_room = width_of(self._label) + _WITHOUT_LABEL <= columns()
        width = _WIDTH if has_room else 0  # 0 is what is left of the line
        bar = click.progressbar(length=total, label=self._label, width=width, file=sys.stderr)
        self._bar = self._open.enter_context(bar)
        self._done, self._total = 0, total

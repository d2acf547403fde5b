"""What the library warns of, and how far its long work is, said quietly and in the language in use."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from almario.apps.cli.i18n import _, refusal
from almario.apps.cli.printing import Bar, print_line
from almario.domain.messages import Sentence
from almario.errors import AlmarioError


class _Quietly(logging.Handler):
    _bar: Bar | None = None

    def emit(self, record: logging.LogRecord) -> None:
        said = _(str(record.msg))
        if steps := getattr(record, "steps", None):
            self._show(said, *steps)
            return
        if record.levelno < logging.WARNING:
            return
        if isinstance(record.args, tuple) and record.args:
            said %= tuple(_told(each) for each in record.args)
        print_line(said, lead="· ", dim=True, err=True)

    def _show(self, work: str, done: int, total: int) -> None:
        """Show a bar at a terminal; elsewhere, say that the work begins."""
        if done == 0:
            self._bar = Bar(work)
            if not self._bar.is_shown:
                print_line(work, lead="· ", dim=True, err=True)
        if self._bar:
            self._bar(done, total)
            if done == total:
                self._bar.__exit__()


@contextmanager
def warned() -> Iterator[None]:
    """Say the warnings that come meanwhile, once."""
    handler, root = _Quietly(logging.INFO), logging.getLogger("almario")
    if not any(isinstance(each, _Quietly) for each in root.handlers):
        root.addHandler(handler)
    root.setLevel(logging.INFO)
    try:
        yield
    finally:
        root.setLevel(logging.NOTSET)
        root.removeHandler(handler)


def _told(fact: object) -> object:
    if isinstance(fact, AlmarioError | OSError):
        return refusal(fact)
    return _(fact) if isinstance(fact, Sentence) else fact

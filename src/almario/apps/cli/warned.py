"""What the library warns of, and how far its long work is, said quietly and in the language in use."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from almario.apps.cli.i18n import _, refusal
from almario.apps.cli.printing import Bar, print_line
from almario.domain.documents.daily import at_first
from almario.domain.messages import Sentence
from almario.errors import AlmarioError

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
    from threading import current_thread, main_thread  # noqa: PLC0415

    class Quietly(logging.Handler):
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
            """Show a bar at a terminal; elsewhere, say that the work begins.

            Nothing of what another thread does: nobody waits for it, and it would cross what is being typed.
            """
            if current_thread() is not main_thread():
                return
            if done == 0:
                self._bar = Bar(work)
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


def _told(fact: object) -> object:
    if isinstance(fact, AlmarioError | OSError):
        return refusal(fact)
    return _(fact) if isinstance(fact, Sentence) else fact

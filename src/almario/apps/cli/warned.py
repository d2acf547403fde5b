"""What the library warns of, said quietly and in the language in use."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from almario.apps.cli.i18n import _, refusal
from almario.domain.logs import at_first
from almario.domain.messages import Sentence
from almario.domain.plain_text import visible
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

    class Quietly(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said = _(str(record.msg))
            if isinstance(record.args, tuple) and record.args:
                said %= tuple(_told(each) for each in record.args)
            click.secho("· " + visible(said), err=True, dim=True)

    handler, own = Quietly(logging.WARNING), logging.getLogger("almario")
    own.addHandler(handler)
    _leave.append(lambda: own.removeHandler(handler))


def _told(fact: object) -> object:
    if isinstance(fact, AlmarioError | OSError):
        return refusal(fact)
    return _(fact) if isinstance(fact, Sentence) else fact

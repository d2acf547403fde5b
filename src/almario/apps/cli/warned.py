"""What the library warns of, said quietly and in the language in use."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import click

from almario.apps.cli.i18n import _, refusal
from almario.domain.messages import Sentence
from almario.domain.plain_text import visible
from almario.errors import AlmarioError


class _Quietly(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        said = _(str(record.msg))
        if isinstance(record.args, tuple) and record.args:
            said %= tuple(_told(each) for each in record.args)
        click.secho("· " + visible(said), err=True, dim=True)


@contextmanager
def warned() -> Iterator[None]:
    """Say the warnings that come meanwhile, once."""
    handler, root = _Quietly(logging.WARNING), logging.getLogger("almario")
    if not any(isinstance(each, _Quietly) for each in root.handlers):
        root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)


def _told(fact: object) -> object:
    if isinstance(fact, AlmarioError | OSError):
        return refusal(fact)
    return _(fact) if isinstance(fact, Sentence) else fact

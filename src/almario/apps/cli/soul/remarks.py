"""How the remarks of the lint are told."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from almario.apps.cli.i18n import _
from almario.domain.plain_text import visible

if TYPE_CHECKING:
    from almario.becoming.rules.linting import Remark

_KINDS = {
    "template": "template text",
    "contradiction": "contradiction",
    "long": "too long",
    "missing": "missing",
    "empty": "empty",
    "repeated": "repeated",
    "unsafe": "unsafe",
    "language": "another language",
    "copied": "copied",
    "situational": "situational",
}


def show_remarks(found: Sequence["Remark"]) -> None:
    """Print what is wrong, a line each."""
    for remark in found:
        kind = click.style(_(_KINDS[remark.kind]), fg="yellow")
        click.echo(f"{remark.place}  {kind}  {visible(_(remark.sentence))}")


def remarks_as_json(found: Sequence["Remark"]) -> list[dict[str, Any]]:
    return [
        {"file": each.file, "line": each.line or None, "kind": each.kind, "what": _(each.sentence)}
        for each in found
    ]

"""`almario soul lint`: what is wrong with the text of a soul, and how that is told."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from almario.apps.cli.arguments import SoulFile
from almario.apps.cli.common import Call, flag, make_command
from almario.apps.cli.i18n import _
from almario.domain.model import soul_file
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


@make_command(
    "lint",
    "Check the text of a soul. Looks for template text, contradictions, overlong files, "
    "missing or empty sections, repeated lines, unsafe rules and drives that are not "
    "principles. Exits with code 1 if it finds any.",
    "almario soul lint",
    "almario soul lint SOUL",
    "almario soul lint --borrowed",
)
@click.argument("file", type=SoulFile(), required=False, metavar=_("[FILE]"))
@flag("--borrowed", "Also check sentences taken from the starter soul and the archetypes.", "is_borrowed")
def lint(call: Call, file: str | None, is_borrowed: bool) -> None:
    from almario.wiring.birth import borrowed, remarks_on  # noqa: PLC0415 - for this command alone

    only = soul_file(file) if file else ""
    soul = call.soul()
    settings = call.settings_for(soul)
    texts = {document.name: document.text for document in soul.files()}
    language = "" if settings.language == "auto" else settings.language
    found = remarks_on(texts, settings, language, borrowed() if is_borrowed else None)
    if only:
        found = [remark for remark in found if remark.file == only]
    call.give(remarks_as_json(found), *([] if found else [_("Nothing is wrong.")]))
    show_remarks(found if not call.as_json else ())
    click.get_current_context().exit(1 if found else 0)


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

"""`almario soul lint`: what is wrong with the text of a soul."""

import click

from almario.apps.cli.common import Call, SoulFile, helped, standard
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_json
from almario.apps.cli.soul.remarks import remarks_as_json, show_remarks
from almario.domain.model import soul_file


@click.command(
    "lint",
    help=helped(
        _(
            "Check the text of a soul. Looks for template text, contradictions, overlong files, "
            "missing or empty sections, repeated lines, unsafe rules and drives that are not "
            "principles. Exits with code 1 if it finds any."
        ),
        "almario soul lint",
        "almario soul lint SOUL",
        "almario soul lint --borrowed",
    ),
)
@click.argument("file", type=SoulFile(), required=False, metavar=_("[FILE]"))
@click.option(
    "--borrowed",
    "is_borrowed",
    is_flag=True,
    help=_("Also check sentences taken from the starter soul and the archetypes."),
)
@standard()
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
    if call.as_json:
        print_json(remarks_as_json(found))
    elif found:
        show_remarks(found)
    else:
        click.echo(_("Nothing is wrong."))
    click.get_current_context().exit(1 if found else 0)

"""`almario remember`: tell the agent something to keep."""

import click

from almario.apps.cli.common import Call, helped, standard, tell, text_of, typed
from almario.apps.cli.printing import fitted, print_json
from almario.apps.cli.remembered import KIND, fields
from almario.apps.cli.words import _
from almario.errors import SoulError

_SAID = {
    "new": "Remembered.",
    "renewed": "Known already, and confirmed.",
    "linked": "Known already, in other words.",
    "superseded": "Remembered, in the place of what was known before:",
    "outranked": "Kept, but out of use: what you said yourself stands.",
}


@click.command(
    "remember",
    help=helped(
        _(
            "Remember something. A key before a colon says what it is about; what has none is named by its "
            'words. A key such as "job" has one value at a time, and a new one takes the place of the old.'
        ),
        _('almario remember "job: designs bridges"'),
        _('almario remember "The spare key is with Marta."'),
        _('almario remember --key "favourite colour" green'),
        _("cat rice.txt | almario remember --key recipe -"),
    ),
)
@click.argument("text", nargs=-1, required=True, metavar=_("TEXT..."))
@click.option("--key", metavar=_("KEY"), help=_("What it is about; then the text is taken whole."))
@click.option(
    "--kind", type=KIND, help=_("What sort of memory it is (default: profile, which never expires).")
)
@standard()
def command(call: Call, text: tuple[str, ...], key: str | None, kind: str | None) -> None:
    said = text_of("-") if text == ("-",) else " ".join(text)
    soul = call.soul()
    receipt = (
        soul.remember(said, kind=kind or "") if key is None else soul.remember(key, said, kind=kind or "")
    )
    memory = receipt.memory
    if call.as_json:
        print_json(
            {
                "outcome": receipt.outcome,
                "memory": fields(soul, memory) if memory else None,
                "replaced": [fields(soul, soul.memory.get(each.id)) for each in receipt.replaced],
                "told": [str(sentence) for sentence in receipt.told],
            }
        )
    if memory is None:
        why = receipt.told[0]
        raise SoulError(why.text, **why.facts)
    tell(receipt.told)
    if call.as_json:
        return
    click.echo(_(_SAID[receipt.outcome]))
    for each in receipt.replaced:
        click.secho(f"- {fitted(each.text, 2)}", fg="red")
    kept = fitted(memory.text, 2)
    click.echo(click.style(f"+ {kept}", fg="green") if receipt.replaced else f"  {kept}")
    undo = typed(f"memory undo {memory.seq}")
    click.secho(
        "  " + _('{kind} {id} · "{undo}" takes it back', kind=memory.kind, id=memory.id, undo=undo), dim=True
    )

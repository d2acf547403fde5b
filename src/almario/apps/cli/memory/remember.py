"""`almario remember`: tell the agent something to keep."""

import click

from almario.apps.cli.common import Call, make_command, takes, tell, text_of, typed
from almario.apps.cli.i18n import _
from almario.apps.cli.memory.screens import KIND, fields
from almario.apps.cli.printing import fitted, print_below, print_line
from almario.apps.cli.vocabulary import word
from almario.domain.memories import AnyKind, Memory, Wanted
from almario.errors import SoulError
from almario.soul import Soul

# So many that stand under the same key are named with a new one.
_BESIDE = 3
_SAID = {
    "new": "Remembered.",
    "renewed": "Already known; confirmed.",
    "linked": "Already known, in other words.",
    "superseded": "Remembered, replacing:",
}


def _beside(soul: Soul, memory: Memory) -> list[Memory]:
    """Return what else is in use under the key of a memory, the latest first."""
    found = soul.memory.list(Wanted(keys=(memory.key,))) if memory.key else []
    return [each for each in reversed(found) if each.id != memory.id]


@make_command(
    "remember",
    "Remember something. A key before a colon says what it is about. Something already known "
    "is confirmed; the same sentence with a different amount replaces the old one; anything "
    "else is added, unless you say what it replaces.",
    _('almario remember "job: designs bridges"'),
    _('almario remember "The spare key is with Marta."'),
    _('almario remember --key "favourite colour" green'),
    _("cat rice.txt | almario remember --key recipe -"),
    _('almario remember "job: teaches physics" --replaces 3f9a1c22'),
)
@click.argument("text", nargs=-1, required=True, metavar=_("TEXT..."))
@takes("--key", "What it is about; the text is then taken as it is.", metavar=_("KEY"))
@takes("--kind", "The kind of memory (default: profile, which never expires).", type=KIND)
@takes("--replaces", "The memory it replaces.", metavar=_("ID"))
def command(
    call: Call, text: tuple[str, ...], key: str | None, kind: AnyKind | None, replaces: str | None
) -> None:
    if replaces is not None and not replaces.strip():
        raise SoulError('"{id}" is not an id; "almario memory list" shows them', id=replaces)
    said = text_of("-") if text == ("-",) else " ".join(text)
    soul = call.soul()
    whole = (said, None) if key is None else (key, said)
    with soul.memory.looking():  # one lock and one look at the folder for all of it
        receipt = soul.remember(*whole, kind=kind or "", replaces=replaces or "")
        memory = receipt.memory
        also = _beside(soul, memory) if memory and receipt.outcome == "new" else []
    value = {
        "outcome": receipt.outcome,
        "memory": fields(soul, memory) if memory else None,
        "replaced": [fields(soul, soul.memory.get(each.id)) for each in receipt.replaced],
        "told": [str(sentence) for sentence in receipt.told],
    }
    is_json = call.gave_json(value)
    if memory is None:
        why = receipt.told[0]
        raise SoulError(why.text, **why.facts)
    tell(receipt.told)
    if is_json:
        return
    print_line(_(_SAID[receipt.outcome]))
    for each in receipt.replaced:
        click.secho(f"- {fitted(each.text, 2)}", fg="red")
    kept = fitted(memory.text, 2)
    click.echo(click.style(f"+ {kept}", fg="green") if receipt.replaced else f"  {kept}")
    known = [
        _("also known: {text} ({id})", text=fitted(each.text, 20), id=each.id[:8]) for each in also[:_BESIDE]
    ]
    facts = {"kind": word(memory.kind), "id": memory.id, "undo": typed(f"memory undo {memory.seq}")}
    print_below([*known, _('{kind} {id} · "{undo}" undoes it', **facts)], dim=True)

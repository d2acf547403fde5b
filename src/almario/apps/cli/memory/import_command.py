"""`almario import`: what other programs kept comes in."""

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from almario.apps.cli.common import CommandCall, agreed, content_of, make_command, takes, tell
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import ProgressBar, print_below, print_line
from almario.domain.messages import CommandLine
from almario.domain.plain_text import visible
from almario.errors import SoulError
from almario.importing import kinds
from almario.importing.importer import ExportContents, Importer, TakenIn

# So many of what does not come in are shown.
_SHOWN = 10


@make_command(
    "import",
    "Bring in what another program kept: conversations, memories, notes, people, plans. It says what it "
    "found and asks first. What is here already stays as it is.",
    "almario import chatgpt-export.zip",
    "almario import ~/.openclaw/workspace",
    "almario import notes/ --from markdown --yes",
    "zcat memories.jsonl.gz | almario import -",
    "almario import --undo chatgpt-export.zip",
)
@click.argument("what", required=False, metavar=_("WHAT"))
@takes("--from", "What it is, if that cannot be seen.", "kind", metavar=_("KIND"))
@takes("--yes", "Do not ask.", "is_sure", is_flag=True)
@takes("--undo", "Take back all that came from an import.", "undone", metavar=_("NAME"))
def command(call: CommandCall, what: str | None, kind: str | None, is_sure: bool, undone: str | None) -> None:
    if "" in (what, undone):  # as a path it would be the folder that one is in
        raise SoulError("name a file, a folder or an import; there is nothing between the quotes")
    importer = call.soul().importer
    if undone:
        count = importer.undo(undone)
        undo = CommandLine(f"almario undo {call.soul().undoable()}")
        call.give(
            {"undone": count}, _('Taken back: {count}. "{undo}" brings it back', count=count, undo=undo)
        )
    elif what == "-":
        with TemporaryDirectory() as folder:
            path = Path(folder, "standard-input.jsonl")
            path.write_bytes(content_of("-"))
            _import(call, importer, path, kind or "", is_sure)
    elif what:
        _import(call, importer, Path(what).expanduser(), kind or "", is_sure)
    else:
        known = importer.sources()
        rows = [[visible(each.name), str(each.turns), each.id] for each in known]
        if_empty = _(
            "Nothing has been imported yet. What can be read: {kinds}", kinds=", ".join(kinds.names())
        )
        call.give_table(known, rows, heads=[_("From"), _("Messages and notes"), "id"], if_empty=if_empty)


def _import(call: CommandCall, importer: Importer, path: Path, wanted: str, is_sure: bool) -> None:
    found = importer.look(path, wanted)
    if not call.as_json:
        _show(found)
    if not found.steps and not found.soul_files:
        raise SoulError("{name} holds nothing that can be imported", name=found.name)
    if not (is_sure or call.as_json or agreed(call, _("Import it?"), default=True)):
        print_line(_("Nothing was imported."))
        return
    with ProgressBar(_("Importing")) as progress:
        done = importer.take_in(path, found.kind, progress=progress, of=found.steps)
    if not call.gave_json(done):
        tell(done.told)
        _tell(done, found.left_out)


def _show(found: ExportContents) -> None:
    dates = sorted({str(each.year) for each in (found.first, found.last) if each})
    parts = [
        _("conversations: {count} (messages: {messages})", count=found.conversations, messages=found.messages)
        if found.conversations
        else "",
        _("notes: {count}", count=found.notes) if found.notes else "",
        _("a soul ({files}), as proposals", files=", ".join(found.soul_files)) if found.soul_files else "",
        _("dated {years}", years="–".join(dates)) if dates else "",
    ]
    print_line(f"{_(found.called)} · {', '.join(filter(None, parts)) or _('nothing')}")
    _show_left(found)
    if found.conversations:
        print_line(
            _("Conversations are kept and found; nothing is learned from them, so this costs nothing.")
        )


def _show_left(found: ExportContents | TakenIn) -> None:
    if found.left_out:
        print_line(_("Left out: {count}", count=found.left_out))
        print_below([visible(f"{each.place}: {_(each.why)}") for each in found.skipped[:_SHOWN]], dim=True)
    if found.no_text:
        kinds_of = [f"{_(name)}: {count}" for name, count in sorted(found.no_text.items())]
        print_line(_("Left out, as it is no text: {kinds}", kinds="; ".join(kinds_of)))


def _tell(done: TakenIn, seen: int) -> None:
    sentence = _(
        "Imported: messages {messages}, memories {memories}. Already here: {known}.",
        messages=done.messages,
        memories=done.memories,
        known=done.known,
    )
    print_line(sentence)
    if done.proposals:
        print_line(_("Proposals for its soul: {count}; see almario proposals", count=len(done.proposals)))
    if done.left_out > seen:
        _show_left(done)
    if done.messages or done.memories:
        back = _("to take all of it back: almario import --undo {name}", name=done.name)
        print_below([f"→ {back}"], dim=True)

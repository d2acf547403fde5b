"""`almario export`: an agent goes out, whole or for another program."""

import sys
from pathlib import Path

from almario.apps.cli.common import CommandCall, flag, make_command, need_session, takes
from almario.apps.cli.i18n import _
from almario.apps.cli.memory.screens import for_session
from almario.apps.cli.printing import print_line
from almario.domain.audiences import OWNER_ALONE


@make_command(
    "export",
    "Take your agent with you. A bundle has all of it, and jsonl the memories alone; openclaw, card, letta, "
    "mem0 and markdown, which the package almario-formats brings, are for other programs. What is forgotten "
    "or off the record stays here. A card is made to be shared: it tells who your agent is, and what it "
    "remembers only with --with-memories.",
    "almario export",
    "almario export --as card --to ada.json",
    "almario export --as openclaw --to ~/.openclaw/workspace-ada",
    "almario export --as jsonl --to - | gzip > memories.jsonl.gz",
)
@takes("--as", "The form it takes (default: bundle).", "kind", default="bundle", metavar=_("KIND"))
@takes("--to", "Where to: a file, a folder or a .zip; - is standard output.", "path", metavar=_("PATH"))
@takes(
    "--with-memories/--without-memories",
    "Whether to add what it remembers, or only tell who it is.",
    "with_memories",
    default=None,
)
@for_session
@flag("--force", "Put it in the place of a file that exists.", "force")
def command(
    call: CommandCall,
    kind: str,
    path: str | None,
    with_memories: bool | None,
    session: str | None,
    force: bool,
) -> None:
    soul = call.soul()
    need_session(soul, session)
    done = soul.exporter.write(
        sys.stdout.buffer if path == "-" else Path(path).expanduser() if path else None,
        kind,
        with_memories=with_memories,
        audience=soul.audience(session) if session else OWNER_ALONE,
        force=force,
    )
    is_shown = path == "-" or not call.gave_json(done)
    if is_shown and path != "-":
        print_line(_("Written: {path}", path=done.path))
    if is_shown and done.left_out:
        print_line(_("Left out: {what}", what=", ".join(map(_, done.left_out))), dim=True, err=path == "-")

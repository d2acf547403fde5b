"""`almario export`: an agent goes out, whole or its memories alone."""

import sys
from pathlib import Path

from almario.apps.cli.common import CommandCall, flag, make_command, need_session, takes
from almario.apps.cli.i18n import _
from almario.apps.cli.memory.screens import for_session
from almario.domain.audiences import OWNER_ALONE


@make_command(
    "export",
    "Take your agent with you. A zip of its folder has all of it: unpacked in another home's agents folder, "
    "it goes on there. jsonl has the memories alone, a line of JSON each, without what is forgotten. What is "
    "off the record stays here.",
    "almario export",
    "almario export --as jsonl --to memories.jsonl",
    "almario export --as jsonl --to - | gzip > memories.jsonl.gz",
)
@takes("--as", "zip or jsonl (default: zip).", "kind", default="zip", metavar=_("KIND"))
@takes("--to", "Where to: a file; - is standard output.", "path", metavar=_("PATH"))
@for_session
@flag("--force", "Put it in the place of a file that exists.", "force")
def command(call: CommandCall, kind: str, path: str | None, session: str | None, force: bool) -> None:
    soul = call.soul()
    need_session(soul, session)
    done = soul.exporter.write(
        sys.stdout.buffer if path == "-" else Path(path).expanduser() if path else None,
        kind,
        audience=soul.audience(session) if session else OWNER_ALONE,
        force=force,
    )
    if path != "-":
        call.give(done, _("Written: {path}", path=done.path))

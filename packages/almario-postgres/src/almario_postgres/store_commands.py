"""`almario store`: the database that keeps the agents, if one does."""

from almario.apps.cli.common import CommandCall, flag, make_group
from almario.apps.cli.i18n import _, number
from almario.apps.cli.printing import print_line, print_table
from almario_postgres import migrating
from almario_postgres.servers import server_of
from almario_postgres.survey import Survey, key_of, survey

# So many seconds a step of the tables may take.
_LONG = 3600.0


@make_group(
    "store",
    "Show the database that keeps your agents: the server, the tables, how much is in them, and who logs in.",
    "almario store",
    "almario store migrate",
    agent=False,
)
@flag("--key", "Show what other logins need in ALMARIO_STORE_KEY; only the owner of the tables sees it.")
def command(call: CommandCall, key: bool) -> None:
    if key:
        found = key_of(server_of(call.home, call.settings))
        call.give({"key": found}, found)
    else:
        _show(call)


@command.make(
    "migrate",
    "Make the tables, or bring them up to date; nothing that is kept is lost.",
    "almario store migrate",
)
def migrate(call: CommandCall) -> None:
    server = server_of(call.home, call.settings)
    with server.as_owner(patience=_LONG) as connection:
        done = migrating.migrate(connection)
    lines = [_("done: step {number}, {name}", number=step.number, name=step.name) for step in done]
    value = {"place": server.place, "done": [{"number": step.number, "name": step.name} for step in done]}
    call.give(value, *(lines or [_("The tables are up to date.")]))


def _show(call: CommandCall) -> None:
    found = survey(server_of(call.home, call.settings))
    if call.gave_json(found):
        return
    for line in _lines(found):
        print_line(line)
    if found.tables:
        rows = [[each.name, number(each.rows), number(each.bytes)] for each in found.tables]
        print_table(rows, heads=[_("Table"), _("Rows, about"), _("Bytes")])


def _lines(found: Survey) -> list[str]:
    lines = [
        found.place,
        _("PostgreSQL {server}, pgvector {vector}", server=found.server, vector=found.vector or "–"),
        _("logs in as {login}, the owner of the tables", login=found.login)
        if found.is_owner
        else _("logs in as {login}", login=found.login),
    ]
    if found.step < found.steps:
        hint = 'tables: step {step} of {steps}; "almario store migrate" does the rest'
        return [*lines, _(hint, step=found.step, steps=found.steps)]
    lines.append(_("agents: {count}", count=number(found.agents)))
    if found.unguarded:
        hint = "NOT kept apart by agent: {tables}"
        return [*lines, _(hint, tables=", ".join(found.unguarded))]
    return [*lines, _("each connection sees one agent's rows, in every table")]

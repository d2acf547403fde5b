"""The commands, a row each: where it is, where `almario --help` names it, and whether it needs the home."""

from almario.named_tuples import NamedTuple


class CommandRow(NamedTuple):
    """A command in *module*, below this package.

    What most people need has a *line* in the help; of the others, the names are told below a *heading*.
    What *needs_home* does not work through the server that one is logged in to.
    """

    module: str
    line: str = ""
    heading: str = ""
    needs_home: bool = False


COMMANDS = {
    "chat": CommandRow("talk.chat", "Chat with your agent."),
    "say": CommandRow("talk.chat", "Send your agent one message and print its answer."),
    "remember": CommandRow("memory.remember", "Remember something."),
    "recall": CommandRow("memory.recalling", "Search your memory."),
    "forget": CommandRow("memory.forget", "Forget something, or erase it permanently."),
    "undo": CommandRow("memory.changes", "Undo a change of memories or of a soul file."),
    "memory": CommandRow("memory.group", "List, explain and correct memories."),
    "soul": CommandRow("soul.group", "Show, edit, compare and restore the soul files."),
    "goals": CommandRow("soul.goal_commands", "List and change the goals."),
    "proposals": CommandRow("soul.proposal_commands", "Review the changes the agent proposes to its soul."),
    "connect": CommandRow(
        "doors.connect_command", "Connect Claude Code, Codex, Cursor and others to your agent."
    ),
    "serve": CommandRow(
        "doors.serve_command",
        "Open the dashboard in your browser, and serve programs over HTTP.",
        needs_home=True,
    ),
    "doctor": CommandRow(
        "home.doctor_commands", "Check that everything is in order, and repair what is not."
    ),
    "meet": CommandRow("birth.newcomer", heading="Agents", needs_home=True),
    "init": CommandRow("birth.newcomer", heading="Agents", needs_home=True),
    "genesis": CommandRow("birth.genesis_command", heading="Agents", needs_home=True),
    "agents": CommandRow("home.agents", heading="Agents", needs_home=True),
    "reflect": CommandRow("soul.reflect", heading="Agents"),
    "improve": CommandRow("soul.reflect", heading="Agents"),
    "about": CommandRow("memory.about", heading="Memories"),
    "import": CommandRow("memory.import_command", heading="Memories", needs_home=True),
    "export": CommandRow("memory.export_command", heading="Memories", needs_home=True),
    "keep": CommandRow("memory.changes", heading="Memories"),
    "plans": CommandRow("memory.remember", heading="Memories"),
    "log": CommandRow("memory.remember", heading="Memories"),
    "people": CommandRow("talk.people", heading="Conversations"),
    "sessions": CommandRow("talk.session_commands", heading="Conversations"),
    "flush": CommandRow("talk.flush_command", heading="Conversations"),
    "prompt": CommandRow("talk.prompt", heading="Conversations"),
    "disconnect": CommandRow("doors.connect_command", heading="Programs"),
    "tokens": CommandRow("doors.token_commands", heading="Programs", needs_home=True),
    "login": CommandRow("doors.login_commands", heading="Programs"),
    "logout": CommandRow("doors.login_commands", heading="Programs"),
    "mcp": CommandRow("doors.mcp_command", heading="Programs"),
    "hook": CommandRow("doors.hook_command", heading="Programs"),
    "daemon": CommandRow("home.daemon_commands", heading="Upkeep", needs_home=True),
    "backup": CommandRow("home.backup_commands", heading="Upkeep", needs_home=True),
    "config": CommandRow("home.config_commands", heading="Upkeep", needs_home=True),
    "model": CommandRow("home.model_commands", heading="Upkeep", needs_home=True),
    "cost": CommandRow("home.cost", heading="Upkeep"),
    "completion": CommandRow("home.help", heading="Help"),
    "help": CommandRow("home.help", heading="Help"),
}
FIRST = {name: row.line for name, row in COMMANDS.items() if row.line}
OTHERS = {
    heading: [name for name, row in COMMANDS.items() if row.heading == heading]
    for heading in dict.fromkeys(row.heading for row in COMMANDS.values() if row.heading)
}
AWAY = frozenset(name for name, row in COMMANDS.items() if not row.needs_home)

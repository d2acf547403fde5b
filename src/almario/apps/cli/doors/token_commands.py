"""`almario tokens`: who may ask `almario serve`, and for what."""

import click

from almario.apps.cli.common import CommandCall, agent_ids, make_group, takes, tell
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_below, print_line
from almario.apps.web.access import SCOPES, Scope, Token, Tokens
from almario.domain.messages import Sentence
from almario.errors import SoulError
from almario.served import served_at
from almario.wiring.souls import Souls


@make_group(
    "tokens",
    "List the tokens for almario serve, and the browsers that are logged in. Your own token is the file "
    ".token in the home.",
    "almario tokens",
    "almario tokens create editor --only work --scope write",
    "almario tokens revoke editor",
    agent=False,
)
def command(call: CommandCall) -> None:
    found = _tokens(call).all()
    tell(
        [
            Sentence(
                'the token "{name}" was somebody else\'s and lets nobody in any more; others talk '
                'to an agent through Telegram; "almario tokens revoke {name}" removes it',
                name=each.name,
            )
            for each in found
            if each.kind == "guest"
        ]
    )
    rows = [[each.name, _agents(each), each.scope, each.made[:10]] for each in found]
    heads = [_("Name"), _("Agents"), _("Scope"), _("Created")]
    if_empty = _('No tokens but your own; "almario tokens create" makes one.')
    call.give_table([each.told for each in found], rows, heads=heads, if_empty=if_empty)


@command.make(
    "create",
    "Create a token. It is shown once; only a hash of it is kept.",
    "almario tokens create editor --only work --scope write",
)
@click.argument("name", metavar=_("NAME"))
@takes(
    "--only",
    "Only for this agent; repeatable (default: all agents).",
    "only",
    multiple=True,
    metavar="ID",
    shell_complete=agent_ids,
)
@takes(
    "--scope",
    "What it allows: read, also write, or everything.",
    type=click.Choice(SCOPES),
    default="read",
    show_default=True,
)
def create(call: CommandCall, name: str, only: tuple[str, ...], scope: Scope) -> None:
    home = call.opened().home
    agents = tuple(home.agent(each).id for each in only) or None
    token = _tokens(call).create(name, agents=agents, scope=scope)
    if not call.gave_json({"name": name, "token": token}):
        click.echo(token)
        print_below([_("Keep it safe: it is not shown again.")], dim=True)


@command.make(
    "revoke",
    "Revoke a token, or log a browser out. It stops working at once.",
    "almario tokens revoke editor",
)
@click.argument("name", metavar=_("NAME"))
def revoke(call: CommandCall, name: str) -> None:
    gone = _tokens(call).revoke(name)
    call.give(gone.told, _("{name} was revoked.", name=gone.name))


@command.make(
    "login", "Print a link that logs a browser in. It works once, within ten minutes.", "almario tokens login"
)
def login(call: CommandCall) -> None:
    tokens = _tokens(call)
    url = served_at(tokens.root)
    if not url:
        raise SoulError('the server is not running; start it with "almario serve"')
    link = f"{url}/login?code={tokens.login_code()}"
    if not call.gave_json({"link": link}):
        print_line(link)


def _tokens(call: CommandCall) -> Tokens:
    return Tokens(Souls(call.home, settings=call.settings))


def _agents(token: Token) -> str:
    return _("all agents") if token.agents is None else ", ".join(token.agents)

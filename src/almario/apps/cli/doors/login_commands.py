"""`almario login` and `almario logout`: use the agent that another machine keeps."""

import os
from contextlib import suppress

import click

from almario import config
from almario.apps.cli import i18n
from almario.apps.cli.common import CommandCall, make_command, secret_of, takes, tell_what_waits
from almario.apps.cli.i18n import _
from almario.client.certificates import certificate_of
from almario.client.stand_in import away
from almario.domain.model import DEFAULT_AGENT
from almario.errors import AlmarioError, SoulError
from almario.served import NOWHERE, TOKEN, Login, checked_address, served_at
from almario.wiring import utc_now
from almario.wiring.logins import end_login, keep_login, login_of, waiting


@make_command(
    "login",
    "Use the agent that another machine keeps: from then on, every command, hook and chat here asks its "
    "server. The home on this machine stays as it is. Without an address, says which server is used.",
    "almario login https://soul.example.org",
    "almario login http://localhost:8420 --agent work",
    "almario login https://soul.example.org --token-file token.txt",
    "almario login",
)
@click.argument("url", required=False, metavar=_("[ADDRESS]"))
@takes(
    "--token",
    'A token of yours for that server, as its "almario tokens create NAME --scope admin" prints it; '
    "else it is asked for, or read from a pipe. Other accounts of this machine can see what stands here.",
    default="",
    metavar="TOKEN",
)
@takes(
    "--token-file",
    "Read the token from this file; - for a pipe.",
    type=click.Path(allow_dash=True),
    default="",
    metavar=_("FILE"),
)
@takes(
    "--trust",
    "The SHA-256 fingerprint of the server's certificate: that one alone is accepted from then on.",
    "trusted",
    default="",
    metavar="SHA256",
)
def login(call: CommandCall, url: str | None, token: str, token_file: str, trusted: str) -> None:
    root = config.home_path(call.home)
    if url is None:
        _tell(call)
        return
    if served_at(root).rstrip("/") == url.rstrip("/"):
        raise SoulError("{url} serves the home on this machine: there is nothing to log in to", url=url)

    made = Login(checked_address(url), "", call.agent or DEFAULT_AGENT)
    if made.is_secure:
        made = made._replace(certificate=certificate_of(made, trusted))
    made = made._replace(token=_token(token, token_file))
    with away(made, language=i18n.current()) as soul:
        soul.identity("name")  # whatever is wrong is told now
    keep_login(root, made._replace(since=utc_now().isoformat(timespec="seconds")))
    _tell(call)


def _token(given: str, source: str) -> str:
    if given and source:
        raise SoulError("give the token once: with --token, or with --token-file")
    source = "-" if given == "-" else source
    named = "" if source else given or os.environ.get(TOKEN, "")
    if not (found := named.strip() or secret_of(source, _("Token"))):
        raise SoulError(
            'the token is missing; "almario tokens create NAME --scope admin" on that machine prints one; '
            "use --token-file, a pipe, or ALMARIO_TOKEN"
        )
    return found


def _tell(call: CommandCall) -> None:
    found = call.login
    if found is None:
        line = _('Not logged in: the home on this machine is used. "almario login ADDRESS" changes it.')
        call.give(None, line)
        return
    sentence = "Logged in to {url} since {since}; the agent is {agent}."
    facts = {"url": found.url, "since": found.since[:10] or "-", "agent": found.agent}
    _give(call, found, _(sentence, **facts))


def _give(call: CommandCall, login: Login, line: str) -> None:
    left = len(waiting(config.home_path(call.home), login))
    value = {"url": login.url or None, "agent": login.agent, "since": login.since or None, "waiting": left}
    call.give(value, line, *([_("Waiting to be delivered: {count}", count=left)] if left else []))


@make_command(
    "logout",
    "Use the home on this machine again. The token is forgotten here; what the server keeps stays there.",
    "almario logout",
    agent=False,
)
def logout(call: CommandCall) -> None:
    root = config.home_path(call.home)
    try:
        found = login_of(str(root))
    except SoulError:  # it cannot be read, so it goes
        found = None
        end_login(root)
    if found is None:
        _give(call, NOWHERE, _("Not logged in."))
        return
    with suppress(AlmarioError, OSError):  # it waits on
        tell_what_waits(root, found)
    end_login(root)
    _give(call, found, _("Logged out of {url}; the home on this machine is used again.", url=found.url))

"""`almario serve`: the agents over HTTP, and the daemon's work beside it."""

from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from almario.apps.cli.common import CommandCall, flag, make_command, takes
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_line
from almario.domain.installing import to_install
from almario.errors import MissingExtra

if TYPE_CHECKING:
    from almario.apps.web.serving import ServerPlace
    from almario.wiring.daemon_parts import Housekeeping

# What is imported, and by which name it is installed.
_NEEDED = {"fastapi": "fastapi", "uvicorn": "uvicorn", "jinja2": "jinja2", "markdown_it": "markdown-it-py"}


@make_command(
    "serve",
    "Open the dashboard in your browser, and serve your agents to programs over HTTP; on this machine only "
    "unless you say otherwise. Does the daemon's work too, and runs until you stop it.",
    "almario serve",
    "almario serve --port 9000 --no-daemon",
    "almario serve --host 0.0.0.0 --public --certificate cert.pem --key key.pem --name soul.example.org",
    agent=False,
    as_json=False,
)
@takes("--host", "The address to listen on.", default="127.0.0.1", show_default=True, metavar=_("ADDRESS"))
@takes("--port", "The port; by default serve.port (8420).", type=click.IntRange(0, 65535), metavar="N")
@flag("--no-daemon", "Leave the nightly work to a daemon of its own.")
@flag("--public", "Let other machines in; needs a certificate or a proxy.", "is_public")
@takes("--certificate", "Use TLS with this certificate.", default="", metavar=_("FILE"))
@takes("--key", "The certificate's private key.", default="", metavar=_("FILE"))
@flag("--behind-proxy", "A proxy in front of it does TLS.", "is_behind_proxy")
@takes(
    "--name",
    "A host name that other machines use for it, with the port if it is an unusual one; repeatable.",
    "names",
    multiple=True,
    metavar=_("HOST"),
)
def command(
    call: CommandCall,
    host: str,
    port: int | None,
    no_daemon: bool,
    is_public: bool,
    certificate: str,
    key: str,
    is_behind_proxy: bool,
    names: tuple[str, ...],
) -> None:
    if missing := [package for module, package in _NEEDED.items() if find_spec(module) is None]:
        sentence = "not installed: {packages}; run: {line}"
        raise MissingExtra(sentence, packages=", ".join(missing), line=to_install("almario[serve]"))
    from almario.apps.web.serving import ServerPlace  # noqa: PLC0415 - loads what only servers need

    chosen = call.opened().config.settings.serve
    place = ServerPlace(host, chosen.port if port is None else port, certificate, key, is_behind_proxy, names)
    place.check(is_public=is_public)
    place.check_certificate()
    _run(call, place, None if no_daemon else _housekeeping(call))


def _run(call: CommandCall, place: "ServerPlace", upkeep: "Housekeeping | None") -> None:
    from almario.apps.web import serving  # noqa: PLC0415 - loads what only servers need
    from almario.apps.web.access import Tokens  # noqa: PLC0415 - the same
    from almario.wiring.souls import Souls  # noqa: PLC0415 - the same

    souls = Souls(call.home, settings=call.settings)
    tokens = Tokens(souls)
    with serving.bound(place) as listening:
        tokens.owner_token()
        url = serving.url_of(place, listening)

        def ready() -> None:
            print_line(_("Serving {home} on {url}; Ctrl+C stops it.", home=souls.root, url=url), err=True)
            _show_way_in(f"{url}/login?code={tokens.login_code()}", url)

        serving.serve(souls, tokens, place, listening, upkeep, ready)


def _show_way_in(link: str, url: str) -> None:
    click.echo(err=True)
    print_line(_("To see the dashboard, open this link in your browser:"), err=True)
    click.secho(f"  {link}\n", fg="cyan", err=True)
    line = _(
        "It works once, within ten minutes; after that, this browser gets in at {url} for 30 days. "
        '"almario tokens login" makes another link.',
        url=url,
    )
    print_line(line, dim=True, err=True)


def _housekeeping(call: CommandCall) -> "Housekeeping":
    from almario.wiring.daemon_parts import back_up, housekeeping  # noqa: PLC0415 - only who serves needs it

    return housekeeping(call.home, settings=call.settings, backup=partial(back_up, call.home, call.settings))

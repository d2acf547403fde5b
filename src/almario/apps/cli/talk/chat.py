"""`almario chat`: talk with the agent."""

import click

from almario.apps.cli.birth.newcomer import met
from almario.apps.cli.common import Call, helped, in_session, standard
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import at_terminal
from almario.domain.model import Mode


@click.command(
    "chat",
    help=helped(
        _(
            "Chat with your agent. /help lists the commands; without a terminal, each line of standard "
            "input is a message."
        ),
        "almario chat",
        "almario chat --session cli:work",
        "almario chat --new",
    ),
)
@in_session
@click.option("--new", "is_new", is_flag=True, help=_("Restart the conversation; what was said is kept."))
@standard(as_json=False)
def command(call: Call, session: str, mode: Mode | None, is_new: bool) -> None:
    from almario.apps.cli.talk.model_offer import offer_model  # noqa: PLC0415 - not for --help
    from almario.apps.repl.chat import Chat, screen_for  # noqa: PLC0415 - not for --help

    soul = met(call)
    if is_new:
        soul.sessions.reset(session, "new")  # what was said is learned from once the chat is open
    settings = call.settings_for(soul)
    flush = settings.flush
    offer_model(soul.name, settings)
    screen = screen_for(soul, session, at_terminal=at_terminal())
    Chat(
        soul, screen, session=session, mode=mode or "", learns=flush.enabled, quit_seconds=flush.quit_seconds
    ).run()

"""`almario telegram`: your agent as a Telegram bot, and who is paired with it."""

import os
import time

import click

from almario.apps.cli.common import CommandCall, flag, make_group
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import at_terminal, print_below, print_line
from almario.config import HOME_FILE
from almario.errors import ConfigError
from almario.wiring import choose_agent, utc_now
from almario.wiring.model_keys import is_owners
from almario_telegram.pairing import Pairing
from almario_telegram.settings import TelegramSettings

_TOKEN = "ALMARIO_TELEGRAM_TOKEN"  # noqa: S105 - the name of a variable

_NOBODY = 'Nobody is paired yet; "almario telegram pair" does it.'


@make_group(
    "telegram",
    "Let your agent answer on Telegram, as a bot. Runs until you stop it. The bot's token, which "
    "@BotFather gives you, comes from the environment: ALMARIO_TELEGRAM_TOKEN.",
    "almario telegram",
    "almario telegram pair",
    "almario telegram list",
    as_json=False,
)
@flag("--once", "Answer what has come, then exit.")
def command(call: CommandCall, once: bool) -> None:
    from almario.apps.daemon.process import Signals  # noqa: PLC0415 - not for --help
    from almario_telegram.bot_api import BotApi  # noqa: PLC0415 - as above
    from almario_telegram.door import TelegramDoor, introduced, run_until_signalled  # noqa: PLC0415 - as above

    if not (token := os.environ.get(_TOKEN, "").strip()):
        sentence = "{variable} is not set; @BotFather on Telegram gives you a token for it"
        raise ConfigError(sentence, variable=_TOKEN)
    soul = call.soul()
    config, pairing = call.config_for(soul), _pairing(call)
    if not is_owners(config, "telegram.url"):
        sentence = "the token goes to no address that an agent's own settings name; put {key} into {file}"
        raise ConfigError(sentence, key="telegram.url", file=HOME_FILE)
    settings = config.settings
    api = BotApi(token, settings.of_plugin("telegram", TelegramSettings).url)
    me = introduced(api, time.sleep)
    pairing.note(bot=me.username)
    print_line(_("@{bot} answers as {name}. Ctrl-C stops it.", bot=me.username, name=soul.name))
    if not pairing.owners():
        if at_terminal():
            _show_code(pairing)
        else:  # a log is no place for a code
            print_line(_(_NOBODY))
    signals = Signals()
    with signals.caught():
        run_until_signalled(TelegramDoor(soul, api, me, pairing, settings, utc_now), signals, once=once)
    soul.close()


@command.make(
    "pair",
    "Show a code by which the agent recognises you on Telegram. Send it to the bot; it works once, "
    "for ten minutes.",
    "almario telegram pair",
    as_json=False,
)
def pair(call: CommandCall) -> None:
    _show_code(_pairing(call))


@command.make("list", "List the Telegram accounts that are yours.", "almario telegram list")
def paired(call: CommandCall) -> None:
    owners = _pairing(call).owners()
    rows = [[str(owner.id), owner.name, owner.since[:10]] for owner in owners]
    heads = ["ID", _("Name"), _("Since")]
    value = owners
    call.give_table(value, rows, heads=heads, if_empty=_(_NOBODY))


@command.make(
    "unpair",
    "Treat an account as a stranger's again, at once. By its id or its name.",
    "almario telegram unpair 123456789",
    as_json=False,
)
@click.argument("who", metavar=_("NAME|ID"))
def unpair(call: CommandCall, who: str) -> None:
    gone = _pairing(call).unpair(who)
    print_line(_("{name} ({id}) is no longer paired.", name=gone.name, id=gone.id))


def _pairing(call: CommandCall) -> Pairing:
    opened = call.opened()
    agent = choose_agent(opened, call.agent)
    return Pairing(opened.home.papers, agent.id, utc_now)


def _show_code(pairing: Pairing) -> None:
    code = pairing.new_code()
    print_line(_("Send this code to the bot within ten minutes: {code}", code=code))
    if pairing.bot:
        print_below([f"https://t.me/{pairing.bot}?start={code.replace('-', '')}"])

"""`almario doctor`: is everything well, and what is to be done about what is not?"""

from collections.abc import Iterator
from datetime import datetime

import click

from almario import config
from almario.apps.cli import i18n
from almario.apps.cli.common import CommandCall, flag, make_command
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_below, print_json, print_line, when
from almario.apps.connecting.clients import CLIENTS
from almario.apps.connecting.connections import programs
from almario.domain.messages import Sentence, sentence_of
from almario.errors import AlmarioError, ConfigError, LLMError, LLMUnavailable
from almario.served import Login, contacts
from almario.wiring.health import Complaint, examine
from almario.wiring.logins import refused, waiting
from almario.wiring.model_keys import with_keys
from almario.wiring.models import answered, models, try_out

# What is not about an agent; an agent's id stays as it is.
_ABOUT = ("home", "disk", "settings", "hooks", "database", "packages", "server", "model")
_HEARD = "last heard at {at}: {what}, answered in {milliseconds} ms"
_LAST_GIVEN = "last told at {at}: {count} memories, in {milliseconds} ms"
_LAST_GIVEN_ONE = "last told at {at}: 1 memory, in {milliseconds} ms"
_SIGNS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "failure": ("✗", "red")}


@make_command(
    "doctor",
    "Check the home, its agents, their files and journals, ask the language model for one word, and say how "
    "to repair what is wrong. Exits with code 1 if something has failed.",
    "almario doctor",
    "almario doctor --mend",
)
@flag("--mend", "Repair what can be repaired without losing a byte.")
def doctor(call: CommandCall, mend: bool) -> None:
    if mend:
        call.need_home()
        found = list(examine(call.home, call.agent, settings=call.settings))
        for mending in {finding.mend: None for finding in found if finding.mend}:
            mending()
    login = call.login
    if login:
        findings = [*_server(call, login), *_programs(call)]
    else:
        checked = list(examine(call.home, call.agent, settings=call.settings))
        findings = [*checked, *_models(call), *_programs(call)]
    if call.as_json:
        print_json(
            [
                {"level": f.level, "about": f.about, "what": str(f.what), "how": f.how and str(f.how)}
                for f in findings
            ]
        )
    for finding in findings if not call.as_json else ():
        sign, colour = _SIGNS[finding.level]
        about = _(finding.about) if finding.about in _ABOUT else finding.about
        print_line(f"{about}: {_(finding.what)}", lead=f"{click.style(sign, fg=colour)} ")
        if finding.how:
            print_below(["→ " + _(finding.how)], dim=True)
    if any(finding.level == "failure" for finding in findings):
        click.get_current_context().exit(1)


def _server(call: CommandCall, login: Login) -> Iterator[Complaint]:
    from almario.client.stand_in import away  # noqa: PLC0415 - for who is logged in

    facts = {"url": login.url, "since": login.since[:10] or "-"}
    try:
        with away(login, call.agent or "", i18n.current()) as soul:
            facts |= {"agent": soul.id, "name": soul.name}
        yield Complaint(
            "ok", "server", Sentence("{url}, since {since}; the agent is {name} ({agent})", **facts)
        )
    except AlmarioError as exc:
        yield Complaint("failure", "server", sentence_of(exc))
    if left := len(waiting(config.home_path(call.home), login)):
        how = Sentence("any command delivers it, once the server answers")
        yield Complaint("warning", "server", Sentence("Waiting to be delivered: {count}", count=left), how)
    if aside := refused(config.home_path(call.home), login):
        how = Sentence(
            'they are in {folder}; "almario login {url}" tries them again',
            folder=str(aside[0].parent),
            url=login.url,
        )
        what = Sentence("Refused by the server, and set aside: {count}", count=len(aside))
        yield Complaint("warning", "server", what, how)
    yield Complaint("ok", "home", Sentence('"almario doctor" on that machine checks the home itself'))


def _models(call: CommandCall) -> Iterator[Complaint]:
    """Tell whether the model that talks answers, and the one that learns, if that is another."""
    try:
        config, root = call.configured(), call.opened().root
    except AlmarioError:  # told already
        return
    try:
        chosen = models(config.settings.llm, with_keys(root, config), once=True)
    except ConfigError as exc:
        yield Complaint("failure", "model", sentence_of(exc))
        return
    if chosen.talk is None:
        yield Complaint("ok", "model", chosen.notices[0])
    for llm in dict.fromkeys(filter(None, chosen[:2])):
        try:
            yield Complaint("ok", "model", answered(try_out(chosen._replace(talk=llm))))
        except LLMError as exc:
            passes = not isinstance(exc, LLMUnavailable) or exc.passes
            yield Complaint("warning" if passes else "failure", "model", sentence_of(exc))


def _programs(call: CommandCall) -> Iterator[Complaint]:
    heard = contacts(config.home_path(call.home))
    for name, last in heard.items():
        given = [
            Sentence(
                _HEARD if not each.is_told else _LAST_GIVEN_ONE if each.memories == 1 else _LAST_GIVEN,
                what=each.what,
                count=each.memories,
                at=when(datetime.fromisoformat(each.at), None),
                milliseconds=each.milliseconds,
            )
            for each in last
        ]
        yield Complaint("ok", name, Sentence.own("; ".join(map(_, given))))
    for each in programs():
        home = config.home_path(each.home or None)
        if each.is_connected and home.resolve() != config.home_path(call.home).resolve():
            how = Sentence('"almario connect {program}" connects it to this one', program=each.id)
            yield Complaint(
                "warning", each.id, Sentence("connected to another home: {home}", home=str(home)), how
            )
        elif each.hooks and each.id not in heard:
            how = Sentence(CLIENTS[each.id].note or "restart it, then say something to it")
            yield Complaint("warning", each.id, Sentence("connected, and not heard yet"), how)
        if each.missing:
            what = Sentence("connected without these hooks: {events}", events=", ".join(each.missing))
            how = Sentence('"almario connect {program}" shows them and asks first', program=each.id)
            yield Complaint("warning", each.id, what, how)

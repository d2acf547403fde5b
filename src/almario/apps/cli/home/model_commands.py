"""`almario model`: which model talks, which one learns, whether it answers; and another one, or none."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from almario.apps.cli.common import CommandCall, flag, from_source, make_group, secret_of
from almario.apps.cli.i18n import _, refusal
from almario.apps.cli.printing import ProgressBar, at_terminal, print_line, print_table
from almario.config import Config
from almario.domain.messages import CommandLine, Sentence
from almario.errors import AlmarioError, SoulError
from almario.wiring.model_keys import endpoint_named, forget_key, keep_key, with_keys
from almario.wiring.models import (
    AUTO,
    NONE,
    Models,
    OfferedModel,
    answered,
    is_chosen,
    models,
    offered_models,
    try_out,
)

_JOBS = {"talks": "talks", "learns": "learns"}


@make_group(
    "model",
    "Show which language model talks and which one learns, and where that was decided; or download "
    "one that runs on this machine.",
    "almario model",
    "almario model choose",
    "almario model --try",
    "almario --set llm.model=ollama/qwen3:4b model --try",
    "almario model get",
)
@flag("--try", "Ask it for one word and show the time and tokens it took.", "is_tried")
def command(call: CommandCall, is_tried: bool) -> None:
    found = call.configured()
    chosen = models(found.settings.llm, with_keys(call.opened().root, found))
    tried = try_out(chosen) if is_tried else None
    shown: dict[str, dict[str, Any]] = {
        what: {"model": llm and llm.model, "ready": bool(llm and llm.is_available()), "from": where}
        for what, llm, where in zip(("talks", "learns"), chosen[:2], _origins(found, chosen), strict=True)
    }
    notices = {"told": [_(sentence) for sentence in chosen.notices]}
    if call.gave_json(shown | notices | ({"tried": tried} if tried else {})):
        return
    rows = [
        [_(_JOBS[what]), one["model"] or _("none"), _state(one), _(one["from"])]
        for what, one in shown.items()
    ]
    print_table(rows, heads=["", _("Model"), _("State"), _("From")])
    for sentence in chosen.notices:
        click.echo("\n" + _(sentence))
    if tried:
        click.echo("\n" + _(answered(tried)))


def _state(one: Mapping[str, Any]) -> str:
    if not one["model"]:
        return ""
    return _("ready") if one["ready"] else _("not ready")


def _origins(found: Config, chosen: Models) -> tuple[str | Sentence, str | Sentence]:
    """Return where each choice was made: what was found, or the file or variable that names it."""
    talk = chosen.found[0] or found.origins["llm.model"]
    if not found.settings.llm.background:
        return talk, Sentence("the one that talks")
    return talk, chosen.found[1] or found.origins["llm.background"]


@command.make(
    "choose",
    "Choose the language model for all agents. One that is here, one to download, or none; "
    "the first chat asks this by itself.",
    "almario model choose",
    "almario model choose ollama/qwen3:4b",
    "almario model choose none",
)
@click.argument("name", default="", metavar=_("[MODEL]"))
def choose(call: CommandCall, name: str) -> None:
    offers = _offers(call)
    if name:
        offer = next((each for each in offers if each.name == name), OfferedModel(name, Sentence("")))
        _take(call, offer)
        call.give({"model": name}, _chosen(offer))
    elif at_terminal() and not call.as_json:
        ask_for_model(call)
    else:
        value = [{"model": each.name, "about": _(each.what)} for each in offers]
        call.give_table(value, [[each.name, _(each.what)] for each in offers], heads=[_("Model"), ""])


@command.make(
    "key",
    "Keep the key of the model that talks, or of a provider. It is asked for, or read from a pipe. That of "
    "an endpoint of your own is for the host that llm.url names now, and is sent to no other.",
    "almario model key",
    "almario model key anthropic --from key.txt",
    "almario model key --forget",
)
@click.argument("provider", default="", metavar=_("[PROVIDER]"))
@from_source
@flag("--forget", "Forget the key instead.", "is_forgotten")
def key(call: CommandCall, provider: str, source: str | None, is_forgotten: bool) -> None:
    config, root = call.configured(), call.opened().root
    endpoint = endpoint_named(provider, config.settings.llm)
    value = {"variable": endpoint.variable, "host": endpoint.host}
    if is_forgotten:
        forget_key(root, endpoint.variable)
        call.give(value, _("{variable} is forgotten.", variable=endpoint.variable))
        return
    if not (given := secret_of(source or "", _("Key"))):
        raise SoulError("the key is missing; use --from FILE, or a pipe")
    keep_key(root, endpoint.variable, given, endpoint.url)
    call.give(value, _("The key is kept for {host} alone.", host=endpoint.host))


def was_asked_for_model(call: CommandCall) -> bool:
    """Ask once which model shall talk, where somebody is there to answer; return whether that was now."""
    if call.login or not at_terminal() or is_chosen(call.configured()) or len(_offers(call)) == 1:
        return False
    ask_for_model(call)
    return True


def ask_for_model(call: CommandCall) -> None:
    """Ask which model shall talk, until there is an answer that holds, and keep it.

    Enter takes what is here, and downloads nothing. Where nothing is found, the other ways are told.
    """
    offers = _offers(call)
    usual = 1 if len(offers) > 1 and not offers[0].download else len(offers)
    click.echo()
    sentence = "Almario remembers and finds by itself, as a notebook does. With a language model, it talks:"
    print_line(_(sentence))
    for number, each in enumerate(offers, 1):
        print_line(f"{each.name} · {_(each.what)}", lead=f"  {click.style(str(number), bold=True)}  ")
    if usual == len(offers):
        ways = "Or set ANTHROPIC_API_KEY or OPENAI_API_KEY, start Ollama, or log in to claude, and come back."
        print_line(_(ways), dim=True)
    while True:
        try:
            _take(call, offer := offers[_number(len(offers), usual) - 1])
        except (AlmarioError, OSError) as exc:
            print_line(refusal(exc), fg="red", err=True)
        else:
            break
    print_line(_chosen(offer))
    click.echo()


def _number(most: int, usual: int) -> int:
    """Return the number that is typed, however often it takes. At the end of input no model talks."""
    while True:
        try:
            typed = str(click.prompt(f"{_('Which one?')} [{usual}]", default="", show_default=False)).strip()
        except click.Abort as exc:
            if not isinstance(exc.__context__, EOFError):  # Ctrl-C
                raise
            click.echo()
            return most
        if not typed:
            return usual
        if typed.isdecimal() and 1 <= int(typed) <= most:
            return int(typed)
        print_line(_("Type a number from 1 to {most}.", most=most))


def _offers(call: CommandCall) -> Sequence[OfferedModel]:
    config = call.configured()
    return offered_models(config.settings.llm, with_keys(call.opened().root, config))


def _take(call: CommandCall, offer: OfferedModel) -> None:
    """Fetch a model if it is not here, and write into the settings that it talks."""
    if offer.name not in (AUTO, NONE):
        models(call.configured().settings.llm.but(model=offer.name), {})  # says what is wrong with a name
    if offer.download:
        fetch_shown(offer.name, offer.download.fetch)
    call.opened().change("llm.model", offer.name)


def _chosen(offer: OfferedModel) -> str:
    change = CommandLine("almario model choose")
    if offer.name == NONE:
        return _('It is a notebook; "{change}" chooses a model.', change=change)
    return _('{name} talks; "{change}" chooses another.', name=offer.name, change=change)


def fetch_shown(name: str, fetch: Callable[[Callable[[int, int], None]], object]) -> None:
    """Fetch a model with a bar; an interruption says how to go on."""
    try:
        with ProgressBar(_("Downloading")) as progress:
            fetch(progress)
    except KeyboardInterrupt:
        again = CommandLine(f"almario model get {name.rpartition('/')[2]}")
        raise click.ClickException(_('Stopped. "{again}" resumes the download.', again=again)) from None

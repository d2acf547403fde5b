"""`almario model get`, `list` and `remove`: the models that run on this machine."""

import os
from functools import partial

import click

from almario.apps.cli.common import CommandCall, make_command
from almario.apps.cli.home.model_commands import fetch_shown
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import ProgressBar, print_line
from almario.domain.installing import to_install
from almario.domain.plain_text import size_shown
from almario.wiring.model_keys import with_keys
from almario.wiring.models import models
from almario_local.model_box import ModelBox, model_box
from almario_local.model_process import is_installed as can_run_models
from almario_local.weights import ModelFile, memory_here

_STATES = {"": "", "begun": "partly downloaded", "here": "downloaded", "running": "running"}


@make_command(
    "get",
    "Download a small model that runs on this machine. It needs no key and no account; you "
    "get the best for your memory, or the one you name. An interrupted download resumes "
    "where it stopped. You can also give a GGUF file that you have.",
    "almario model get",
    "almario model get qwen2.5-1.5b",
    "almario model get ./mistral.gguf",
)
@click.argument("name", default="", metavar=_("[NAME|FILE]"))
def get(call: CommandCall, name: str) -> None:
    config = call.configured()
    settings = config.settings
    box = model_box(settings.llm)
    if os.sep in name or name.endswith(".gguf"):
        with ProgressBar(_("Copying")) as progress:
            here = box.take(name, progress)
    else:
        weights = box.wanted(name) if name else box.recommended
        if not call.as_json:
            _warn_of_memory(box, weights)
        fetch(box, weights, is_shown=not call.as_json)
        here = weights.name
    value = {"name": here, "path": str(box.folder / f"{here}.gguf"), "can_run": can_run_models()}
    if models(settings.llm, with_keys(call.opened().root, config)).talk is None:
        call.opened().change("llm.model", f"local/{here}")
    call.give(value, _("{name} is ready: local/{name}.", name=here), _next_step(call, here))


def fetch(box: ModelBox, weights: ModelFile, *, is_shown: bool = True) -> None:
    """Fetch a model with a bar."""
    if is_shown and weights.name not in box.models():
        sentence = "Downloading {name} ({size}) from {source}. You can interrupt it and resume later."
        print_line(_(sentence, name=weights.name, size=size_shown(weights.size), source=box.source))
    fetch_shown(weights.name, partial(box.fetch, weights))


def _warn_of_memory(box: ModelBox, weights: ModelFile) -> None:
    if weights.memory > memory_here():
        sentence = (
            "It needs about {memory} of memory and this machine has {here}; {name} would suit it better."
        )
        facts = {"memory": size_shown(weights.memory), "here": size_shown(memory_here())}
        click.secho(_(sentence, **facts, name=box.recommended.name), fg="yellow", err=True)


def _next_step(call: CommandCall, name: str) -> str:
    """Return whether it talks now, or what is missing."""
    if not can_run_models():
        return _("To run it you need one more package: {line}", line=to_install("almario-local"))
    config = call.configured()
    settings = config.settings.llm
    talk = models(settings, with_keys(call.opened().root, config)).talk
    model = talk.model if talk else settings.model
    if talk and model == f"local/{name}":
        return _('"almario chat" now uses it.')
    return _("To talk with it, set llm.model to local/{name}; it is now {model}.", name=name, model=model)


@make_command(
    "list",
    "List the models you can download and those you have.",
    "almario model list",
    "almario model list --json",
)
def list_(call: CommandCall) -> None:
    entries = list(model_box(call.configured().settings.llm).entries())
    rows = [
        [
            each.name,
            size_shown(each.size),
            size_shown(each.memory) if each.memory else "–",
            _(_STATES[each.state]),
            _("best for this machine") if each.is_recommended else "",
        ]
        for each in entries
    ]
    heads = [_("Model"), _("Size"), _("Memory"), _("State"), ""]
    call.give_table(entries, rows, heads=heads)


@make_command("remove", "Delete a downloaded model.", "almario model remove qwen2.5-1.5b")
@click.argument("name", metavar=_("NAME"))
def remove(call: CommandCall, name: str) -> None:
    model_box(call.configured().settings.llm).remove(name)
    call.give({"removed": name}, _("{name} was deleted.", name=name))

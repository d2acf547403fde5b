"""`almario model`: which model talks, which one learns, whether it answers; and those that run here."""

import time
from typing import Any

import click

from almario.apps.cli.common import Call, InOrder, helped, standard
from almario.apps.cli.home import fetched_models
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_json, print_table
from almario.config import Config
from almario.domain.messages import Sentence
from almario.domain.talk import Ask, Message
from almario.errors import LLMUnavailable
from almario.wiring.models import Models, models

_QUESTION = Ask((Message("user", "Answer with one word: ready"),), most=200)


@click.group(
    "model",
    cls=InOrder,
    invoke_without_command=True,
    help=helped(
        _(
            "Show which language model talks and which one learns, and where that was decided; or download "
            "one that runs on this machine."
        ),
        "almario model",
        "almario model --try",
        "almario --set llm.model=ollama/qwen3:4b model --try",
        "almario model get",
    ),
)
@click.option(
    "--try", "is_tried", is_flag=True, help=_("Ask it for one word and show the time and tokens it took.")
)
@standard()
def command(call: Call, is_tried: bool) -> None:
    if click.get_current_context().invoked_subcommand:
        return
    found = call.configured()
    chosen = models(found.settings.llm)
    tried = _tried(chosen) if is_tried else None
    if call.as_json:
        print_json({**_as_json(found, chosen), **({"tried": tried} if tried else {})})
        return
    rows = [
        [what, llm.model if llm else _("none"), _state(llm), _(where)]
        for what, llm, where in zip(
            (_("talks"), _("learns")), chosen[:2], _origins(found, chosen), strict=True
        )
    ]
    print_table(rows, heads=["", _("Model"), _("State"), _("From")])
    for sentence in chosen.told:
        click.echo("\n" + _(sentence))
    if tried:
        answered = "{model} answered in {seconds:.1f} s: {text} ({told} tokens in, {said} out)"
        click.echo("\n" + _(answered, **tried))


for each in fetched_models.COMMANDS:
    command.add_command(each)


def _state(llm: Any) -> str:
    if llm is None:
        return ""
    return _("ready") if llm.is_available() else _("not ready")


def _origins(found: Config, chosen: Models) -> tuple[str | Sentence, str | Sentence]:
    """Return where each choice was made: what was found, or the file or variable that names it."""
    talk = chosen.found[0] or found.origins["llm.model"]
    if not found.settings.llm.background:
        return talk, Sentence("the one that talks")
    return talk, chosen.found[1] or found.origins["llm.background"]


def _as_json(found: Config, chosen: Models) -> dict[str, Any]:
    shown = {
        what: {
            "model": llm.model if llm else None,
            "ready": llm.is_available() if llm else False,
            "from": str(where),
        }
        for what, llm, where in zip(("talks", "learns"), chosen[:2], _origins(found, chosen), strict=True)
    }
    return {**shown, "told": [_(sentence) for sentence in chosen.told]}


def _tried(chosen: Models) -> dict[str, Any]:
    if chosen.talk is None:
        why = chosen.told[0]
        raise LLMUnavailable(why.text, passes=False, **why.facts)
    started = time.perf_counter()
    reply = chosen.talk.reply(_QUESTION)
    seconds = time.perf_counter() - started
    text = " ".join(reply.text.split())
    told, said, cached, cost = reply.usage
    return {
        "model": reply.model,
        "seconds": round(seconds, 3),
        "text": text[:200],
        "told": told,
        "said": said,
        "cached": cached,
        "cost": cost,
    }

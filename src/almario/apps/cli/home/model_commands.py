"""`almario model`: which model talks, which one learns, whether it answers; and those that run here."""

from collections.abc import Mapping
from typing import Any

import click

from almario.apps.cli.common import CommandCall, flag, make_group
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_table
from almario.config import Config
from almario.domain.messages import Sentence
from almario.wiring.model_keys import with_keys
from almario.wiring.models import Models, answered, models, try_out

_JOBS = {"talks": "talks", "learns": "learns"}


@make_group(
    "model",
    "Show which language model talks and which one learns, and where that was decided; or download "
    "one that runs on this machine.",
    "almario model",
    "almario model --try",
    "almario --set llm.model=ollama/qwen3:4b model --try",
    "almario model get",
)
@flag("--try", "Ask it for one word and show the time and tokens it took.", "is_tried")
def command(call: CommandCall, is_tried: bool) -> None:
    found = call.configured()
    chosen = models(found.settings.llm, with_keys(call.opened().root))
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

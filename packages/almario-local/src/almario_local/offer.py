"""What a chat offers when there is no model: a key, a server on this machine, one to download, or none."""

import click

from almario.apps.cli.common import ask
from almario.apps.cli.i18n import _, refusal
from almario.apps.cli.printing import at_terminal, print_line
from almario.config import Settings
from almario.domain.plain_text import size_shown
from almario.errors import AlmarioError
from almario.wiring.models import AUTO, idle_servers, models
from almario_local.commands import fetch
from almario_local.model_box import model_box
from almario_local.model_process import is_installed as can_run_models


def offer_model(agent: str, settings: Settings) -> bool:
    """Offer to download a model if none is found; return whether it was told how to get one.

    Who does not say yes is not asked again.
    """
    if not at_terminal() or (settings.llm.model or AUTO) != AUTO or not can_run_models():
        return False
    box = model_box(settings.llm)
    if box.was_declined or models(settings.llm).talk is not None:
        return False
    best = box.recommended
    sentence = "{agent} can remember and recall, but has no language model to answer with. You can:"
    click.echo()
    print_line(_(sentence, agent=agent))
    boxed = "download {name}, which runs on this machine: {size}, no account, and nothing you say leaves it"
    _list([_(boxed, name=best.name, size=size_shown(best.size)), *_other_ways()])
    if not ask(_("Download {name} now?", name=best.name)):
        box.decline()
        return True
    try:
        fetch(box, best)
    except (AlmarioError, OSError) as exc:
        print_line(refusal(exc), fg="red", err=True)
        print_line(_("You can still:"))
        _list(_other_ways())
    except click.ClickException as exc:
        click.echo(exc.format_message())
    return True


def _list(ways: list[str]) -> None:
    for way in ways:
        print_line(way, lead="  · ")


def _other_ways() -> list[str]:
    running = "load a model in {program}, which is running here, and start again"
    return [
        _("use a key: set ANTHROPIC_API_KEY or OPENAI_API_KEY and start again"),
        *[_(running, program=each) for each in idle_servers()],
        _('use a server elsewhere: "almario config set llm.url ADDRESS"'),
        _("carry on without one; what you say is kept"),
    ]

"""Checking and remaking what the memory is searched with."""

import click

from almario import wiring
from almario.apps.cli.common import Call, helped, standard
from almario.apps.cli.home.verify import end, problems_as_json, show_problems
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_json
from almario.apps.cli.progress import Bar


@click.command(
    "verify",
    help=helped(
        _("Check that the journal, the index and the files agree. Exits with code 1 if something is wrong."),
        "almario memory verify",
    ),
)
@standard()
def verify(call: Call) -> None:
    found = list(call.soul().memory.verify())
    if call.as_json:
        print_json(problems_as_json(found))
    else:
        show_problems(found)
    end(found)


@click.command(
    "reindex",
    help=helped(_("Rebuild the index."), "almario memory reindex"),
)
@standard()
def reindex(call: Call) -> None:
    soul = call.soul()
    with Bar(_("Indexing")) as progress:
        count = soul.memory.reindex(progress)
    if call.as_json:
        print_json({"passages": count})
    else:
        click.echo(_("Passages indexed: {count}.", count=count))


@click.command(
    "download-model",
    help=helped(
        _("Download a model for fastembed. The embedder.model setting says which."),
        "almario memory download-model",
    ),
)
@standard()
def download_model(call: Call) -> None:
    with Bar(_("Downloading")) as progress:
        path = wiring.download_model(call.home, call.agent, settings=call.settings, progress=progress)
    if call.as_json:
        print_json({"path": str(path)})
    else:
        click.echo(_("The model is in {path}.", path=path))

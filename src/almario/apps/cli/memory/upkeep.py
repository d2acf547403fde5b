"""Checking and remaking what the memory is searched with."""

from almario import wiring
from almario.apps.cli.common import Call, make_command
from almario.apps.cli.home.verify import end, problems_as_json, show_problems
from almario.apps.cli.i18n import _
from almario.apps.cli.progress import Bar


@make_command(
    "verify",
    "Check that the journal, the index and the files agree. It ends with exit code 1 if something is wrong.",
    "almario memory verify",
)
def verify(call: Call) -> None:
    found = list(call.soul().memory.verify())
    if not call.gave_json(problems_as_json(found)):
        show_problems(found)
    end(found)


@make_command("reindex", "Make all that is derived from the files anew.", "almario memory reindex")
def reindex(call: Call) -> None:
    soul = call.soul()
    with Bar(_("Indexing")) as progress:
        count = soul.memory.reindex(progress)
    call.give({"passages": count}, _("Passages indexed: {count}.", count=count))


@make_command(
    "download-model",
    "Fetch a model for fastembed from the network. The setting embedder.model names it.",
    "almario memory download-model",
)
def download_model(call: Call) -> None:
    with Bar(_("Downloading")) as progress:
        path = wiring.download_model(call.home, call.agent, settings=call.settings, progress=progress)
    call.give({"path": str(path)}, _("The model is in {path}.", path=path))

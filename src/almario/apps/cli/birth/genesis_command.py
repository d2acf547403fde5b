"""`almario genesis`: a new soul, from a few words or an archetype."""

import click

from almario.apps.cli import i18n
from almario.apps.cli.birth.newcomer import introduce
from almario.apps.cli.common import CommandCall, agreed, ask, flag, make_command, takes, tell
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import at_terminal, print_line
from almario.domain.messages import Sentence, sentence_of
from almario.errors import AlmarioError, SoulError
from almario.soul import Soul
from almario.wiring.birth import Birth, Brief, archetypes

_YES = ("y", "yes", "ok", "s", "sí", "si", "vale")
_NO = ("n", "no", "q", "quit", "salir")


@make_command(
    "genesis",
    "Create a soul. A model drafts it from a description, or an archetype makes it without "
    "one. In a terminal you see it and ask for changes until you say yes.",
    _('almario genesis Clio --role "keeps my papers" --description "dry, exact, kind"'),
    _("almario genesis Clio --archetype archivist --language en"),
    _('almario genesis Clio --archetype archivist --refine "drier, no emojis" --yes'),
    "almario genesis --archetypes",
)
@click.argument("name", default="", metavar=_("[NAME]"))
@takes("--role", "What it will be for you.", default="")
@takes("--description", "Its personality, in your words.", default="")
@takes(
    "--language",
    "The language of its soul: any for a model, by default the description's; en or es for an archetype.",
)
@takes("--emoji", "Its emoji.", default="")
@takes("--owner", "Your name.", default="")
@takes("--archetype", "Start from this archetype; no model needed.", default="", metavar="ID")
@flag("--archetypes", "List the archetypes and exit.", "listed")
@takes("--refine", "What should change in the draft; repeatable.", multiple=True, metavar=_("WORDS"))
@flag("--replace", "Replace the soul of the chosen agent with this one.", "replaces")
@flag("--dry-run", "Show it without creating anything.")
@flag("--yes", "Don't ask anything.", "-y")
def command(
    call: CommandCall,
    name: str,
    listed: bool,
    refine: tuple[str, ...],
    replaces: bool,
    dry_run: bool,
    yes: bool,
    language: str | None,
    **persona: str,
) -> None:
    if replaces and not call.agent:
        raise click.UsageError(_("Say which agent gets the new soul with --agent."))
    birth = Birth(call.opened(), instead_of=(call.agent or "") if replaces else "")
    if listed:
        _list(call, language or i18n.current())
        return
    brief = Brief(name, language=language or "", **persona)
    if not brief.archetype and not brief.description:
        raise SoulError("say who it should be: --description (needs a model) or --archetype (needs none)")
    is_talk = at_terminal() and not call.as_json and not yes
    if not dry_run:
        birth.check(brief.name, call.agent or "")
    if not brief.archetype:
        _wait(birth)
    birth.draw(brief)
    for each in refine:
        _refine(birth, each)
    if not call.as_json:
        _show(birth)
    is_wanted = not dry_run and (not is_talk or _agreed(birth))
    if is_wanted and replaces and not yes:
        question = "Replace the soul of {agent}? What is there now stays in its history."
        is_wanted = agreed(call, _(question, agent=birth.agent))
    soul = birth.apply("" if replaces else call.agent or "") if is_wanted else None
    _tell(call, birth, soul)


def _refine(birth: Birth, wish: str) -> None:
    _wait(birth)
    birth.refine(wish)


def _wait(birth: Birth) -> None:
    if birth.model and at_terminal():
        tell([Sentence("{model} is writing…", model=birth.model)])


def _agreed(birth: Birth) -> bool:
    """Change the draft as the owner says until it is right; say whether it is wanted at all."""
    while True:
        if not birth.model:
            return ask(_("Go ahead?"))
        question = _('What should change? Say it in your own words; "yes" to go ahead, "no" to leave it')
        reply = str(click.prompt(question, default="", show_default=False)).strip()
        if reply.lower() in _YES or reply.lower() in _NO:
            return reply.lower() in _YES
        if reply:
            try:
                _refine(birth, reply)
            except AlmarioError as exc:  # the draft is as it was
                tell([sentence_of(exc)])
            _show(birth)


def _show(birth: Birth) -> None:
    for name, text in birth.files.items():
        click.secho(f"── {name} ", bold=True)
        for line in text.strip().splitlines():
            mark = "- " if line.startswith("- ") else ""
            print_line(line.removeprefix(mark), lead=mark)
        click.echo()


def _tell(call: CommandCall, birth: Birth, soul: Soul | None) -> None:
    if soul:
        tell(soul.notices)
    made = {"id": soul.id, "path": soul.place} if soul else {"id": None, "path": None}
    draft = {"name": birth.draft.name, "files": birth.files}
    if call.gave_json(made | draft):
        return
    if soul:
        introduce(soul, call)
    else:
        click.echo(_("Nothing was created."))


def _list(call: CommandCall, language: str) -> None:
    rows = [[each.id, each.title, each.line] for each in archetypes(language)]
    value = [dict(zip(("id", "title", "line"), row, strict=True)) for row in rows]
    call.give_table(value, rows, heads=["ID", _("Name"), _("What it is like")])

"""`almario genesis`: a new soul, from a few words, an interview or archetypes."""

import click

from almario.apps.cli import i18n
from almario.apps.cli.birth.interview import for_model, interview
from almario.apps.cli.birth.newcomer import introduce
from almario.apps.cli.common import Call, ask, helped, standard, tell
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import at_terminal, print_json, print_line, print_table
from almario.apps.cli.soul.remarks import remarks_as_json, show_remarks
from almario.domain.messages import Sentence, sentence_of
from almario.domain.model import LANGUAGES
from almario.errors import AlmarioError, SoulError
from almario.soul import Soul
from almario.wiring.birth import Birth, Brief, archetypes, expected

_NO_EXAMPLES = "none"
_YES = ("y", "yes", "ok", "s", "sí", "si", "vale")
_NO = ("n", "no", "q", "quit", "salir")


@click.command(
    "genesis",
    help=helped(
        _(
            "Create a soul. A model drafts it from a description, or archetypes are mixed without one. "
            "In a terminal you see it and ask for changes until you say yes."
        ),
        "almario genesis",
        _('almario genesis Clio --role "keeps my papers" --description "dry, exact, kind"'),
        _("almario genesis Clio --archetype archivist,sceptic --language en"),
        _('almario genesis Clio --archetype archivist --refine "drier, no emojis" --yes'),
        "almario genesis --archetypes",
    ),
)
@click.argument("name", default="", metavar=_("[NAME]"))
@click.option("--role", default="", help=_("What it will be for you."))
@click.option("--description", default="", help=_("Its personality, in your words."))
@click.option("--language", type=click.Choice(LANGUAGES), help=_("The language of its soul."))
@click.option("--emoji", default="", help=_("Its emoji."))
@click.option("--owner", default="", help=_("Your name."))
@click.option("--archetype", default="", metavar="A,B", help=_("Mix these archetypes; no model needed."))
@click.option("--archetypes", "listed", is_flag=True, help=_("List the archetypes and exit."))
@click.option(
    "--like",
    multiple=True,
    metavar="ID",
    help=_(
        'An agent whose soul the model sees as an example, at most two (default: the first two; "none" '
        "for none)."
    ),
)
@click.option(
    "--refine",
    multiple=True,
    metavar=_("WORDS"),
    help=_("What should change in the draft; repeatable."),
)
@click.option("--interview", "is_asked", is_flag=True, help=_("Ask a few questions first."))
@click.option(
    "--replace", "replaces", is_flag=True, help=_("Replace the soul of the chosen agent with this one.")
)
@click.option("--dry-run", is_flag=True, help=_("Show it without creating anything."))
@click.option("--yes", "-y", is_flag=True, help=_("Don't ask anything."))
@standard()
def command(
    call: Call,
    name: str,
    archetype: str,
    listed: bool,
    like: tuple[str, ...],
    refine: tuple[str, ...],
    is_asked: bool,
    replaces: bool,
    dry_run: bool,
    yes: bool,
    language: str | None,
    **said: str,
) -> None:
    if replaces and not call.agent:
        raise click.UsageError(_("Say which agent gets the new soul with --agent."))
    birth = expected(call.home, instead_of=(call.agent or "") if replaces else "", settings=call.settings)
    spoken = language or birth.draft.language
    if listed:
        _list(call, language or i18n.current())
        return
    mixed = tuple(part.strip() for part in archetype.split(",") if part.strip())
    examples = () if like == (_NO_EXAMPLES,) else like or None
    brief = Brief(name, language=spoken, archetypes=mixed, like=examples, **said)
    can_ask = at_terminal() and not call.as_json
    is_talk = can_ask and not yes
    if is_asked and not can_ask:
        raise SoulError("an interview needs a terminal; give --archetype or --description instead")
    brief = _completed(brief, birth, is_asked=is_asked, is_talk=is_talk)
    if not dry_run:
        birth.check(brief.name, call.agent or "")
    _draw(birth, brief)
    for each in refine:
        _refine(birth, each)
    if not call.as_json:
        _show(birth)
    is_wanted = not dry_run and (not is_talk or _agreed(birth))
    if is_wanted and replaces and not yes:
        is_wanted = _may_replace(birth, is_talk=is_talk)
    soul = birth.apply("" if replaces else call.agent or "") if is_wanted else None
    _tell(call, birth, soul)


def _completed(brief: Brief, birth: Birth, *, is_asked: bool, is_talk: bool) -> Brief:
    """Return a brief that says who it should be; an interview adds it for a model, or else as archetypes."""
    is_said = bool(brief.archetypes or brief.description)
    if is_asked or (is_talk and not is_said):
        answered = interview(brief, archetypes(i18n.current()))
        return for_model(answered) if birth.model else answered
    if not is_said:
        raise SoulError("say who it should be: --description (needs a model) or --archetype (needs none)")
    return brief


def _draw(birth: Birth, brief: Brief) -> None:
    if not brief.archetypes:
        _wait(birth)
    birth.draw(brief)


def _refine(birth: Birth, said: str) -> None:
    _wait(birth)
    birth.refine(said)


def _wait(birth: Birth) -> None:
    if birth.model and at_terminal():
        tell([Sentence("{model} is writing…", model=birth.model)])


def _agreed(birth: Birth) -> bool:
    """Change the draft as the owner says until it is right; say whether it is wanted at all."""
    while True:
        if not birth.model:
            return ask(_("Go ahead?"))
        question = _('What should change? Say it in your own words; "yes" to go ahead, "no" to leave it')
        said = str(click.prompt(question, default="", show_default=False)).strip()
        if said.lower() in _YES or said.lower() in _NO:
            return said.lower() in _YES
        if said:
            try:
                _refine(birth, said)
            except AlmarioError as exc:  # the draft is as it was
                tell([sentence_of(exc)])
            _show(birth)


def _may_replace(birth: Birth, *, is_talk: bool) -> bool:
    if not is_talk:
        raise SoulError("nothing was changed: there is nobody to ask; add --yes")
    sentence = _("Replace the soul of {agent}? What is there now stays in its history.", agent=birth.agent)
    return ask(sentence)


def _show(birth: Birth) -> None:
    for name, text in birth.files.items():
        click.secho(f"── {name} ", bold=True)
        for line in text.strip().splitlines():
            mark = "- " if line.startswith("- ") else ""
            print_line(line.removeprefix(mark), lead=mark)
        click.echo()
    if birth.remarks:
        click.echo(_("Worth a look:"))
        show_remarks(birth.remarks)
        click.echo()


def _tell(call: Call, birth: Birth, soul: Soul | None) -> None:
    if soul:
        tell(soul.told)
    if call.as_json:
        made = {"id": soul.id, "path": str(soul.path)} if soul else {"id": None, "path": None}
        draft = {
            "name": birth.draft.name,
            "files": birth.files,
            "remarks": remarks_as_json(birth.remarks),
        }
        print_json(made | draft)
    elif soul:
        introduce(soul, call)
    else:
        click.echo(_("Nothing was created."))


def _list(call: Call, language: str) -> None:
    found = archetypes(language)
    if call.as_json:
        print_json([{"id": each.id, "title": each.title, "line": each.line} for each in found])
        return
    rows = [[each.id, each.title, each.line] for each in found]
    print_table(rows, heads=["ID", _("Name"), _("What it is like")])

"""`almario genesis`: a new soul, from a few words, an interview or archetypes."""

from collections.abc import Mapping, Sequence

import click

from almario.apps.cli import i18n
from almario.apps.cli.birth.newcomer import introduce
from almario.apps.cli.common import Call, ask, flag, make_command, takes, tell
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import at_terminal, print_line, print_table
from almario.apps.cli.soul.group import remarks_as_json, show_remarks
from almario.domain.messages import LANGUAGES, Sentence, sentence_of
from almario.domain.model import STARTER_NAME
from almario.errors import AlmarioError, SoulError
from almario.soul import Soul
from almario.wiring.birth import Archetype, Birth, Brief, archetype, archetypes, expected

_TONES = {"warm": "warm", "dry": "dry", "plain": "plain and matter-of-fact"}
_LENGTHS = {"short": "short ones", "full": "long ones, with the reasons"}
# More characters than this in one are none.
_MOST_SIDES = 3
_NO_EXAMPLES = "none"
_YES = ("y", "yes", "ok", "s", "sí", "si", "vale")
_NO = ("n", "no", "q", "quit", "salir")


@make_command(
    "genesis",
    "Create a soul. A model drafts it from a description, or archetypes are mixed without "
    "one. In a terminal you see it and ask for changes until you say yes.",
    "almario genesis",
    _('almario genesis Clio --role "keeps my papers" --description "dry, exact, kind"'),
    _("almario genesis Clio --archetype archivist,sceptic --language en"),
    _('almario genesis Clio --archetype archivist --refine "drier, no emojis" --yes'),
    "almario genesis --archetypes",
)
@click.argument("name", default="", metavar=_("[NAME]"))
@takes("--role", "What it will be for you.", default="")
@takes("--description", "Its personality, in your words.", default="")
@takes("--language", "The language of its soul.", type=click.Choice(LANGUAGES))
@takes("--emoji", "Its emoji.", default="")
@takes("--owner", "Your name.", default="")
@takes("--archetype", "Mix these archetypes; no model needed.", default="", metavar="A,B")
@flag("--archetypes", "List the archetypes and exit.", "listed")
@takes(
    "--like",
    "An agent whose soul the model sees as an example, at most two (default: the first two; "
    '"none" for none).',
    multiple=True,
    metavar="ID",
)
@takes("--refine", "What should change in the draft; repeatable.", multiple=True, metavar=_("WORDS"))
@flag("--interview", "Ask a few questions first.", "is_asked")
@flag("--replace", "Replace the soul of the chosen agent with this one.", "replaces")
@flag("--dry-run", "Show it without creating anything.")
@flag("--yes", "Don't ask anything.", "-y")
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
    if not brief.archetypes:
        _wait(birth)
    birth.draw(brief)
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
        answered = _interview(brief, archetypes(i18n.current()))
        return _for_model(answered) if birth.model else answered
    if not is_said:
        raise SoulError("say who it should be: --description (needs a model) or --archetype (needs none)")
    return brief


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
    return ask(_("Replace the soul of {agent}? What is there now stays in its history.", agent=birth.agent))


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
    made = {"id": soul.id, "path": soul.place} if soul else {"id": None, "path": None}
    draft = {"name": birth.draft.name, "files": birth.files, "remarks": remarks_as_json(birth.remarks)}
    if call.gave_json(made | draft):
        return
    if soul:
        introduce(soul, call)
    else:
        click.echo(_("Nothing was created."))


def _list(call: Call, language: str) -> None:
    rows = [[each.id, each.title, each.line] for each in archetypes(language)]
    value = [dict(zip(("id", "title", "line"), row, strict=True)) for row in rows]
    call.give_table(value, rows, heads=["ID", _("Name"), _("What it is like")])


def _interview(given: Brief, sides: Sequence[Archetype]) -> Brief:
    """Ask for what was not given; Enter leaves it open, or takes what stands in brackets."""
    return given._replace(
        name=given.name or click.prompt(_("What is it called?"), default=STARTER_NAME),
        role=given.role or _asked(_("What will it be for you, in a few words?")),
        archetypes=given.archetypes or _sides(sides),
        tone=given.tone or _one_of(_("How should it speak?"), {each: _(_TONES[each]) for each in _TONES}),
        length=given.length
        or _one_of(_("Which answers do you prefer?"), {each: _(_LENGTHS[each]) for each in _LENGTHS}),
        never=given.never or _asked(_("What must it never do?")),
        first=given.first or _asked(_("What should it help you with first?")),
        owner=given.owner or _asked(_("And what is your name?")),
    )


def _for_model(brief: Brief) -> Brief:
    """Return a brief whose archetypes are told to a model, in words, in the place of being mixed."""
    lines = [archetype(name, brief.language).line for name in brief.archetypes]
    said = " ".join(part for part in (brief.description, *lines) if part)
    return brief._replace(archetypes=(), description=said)


def _sides(sides: Sequence[Archetype]) -> tuple[str, ...]:
    print_line(_("What should it be good at? Up to three, such as 1,4; the first counts most."))
    rows = [
        [f"  {number}", click.style(each.title, bold=True), each.line] for number, each in enumerate(sides, 1)
    ]
    print_table(rows, heads=["", "", ""])
    while True:
        answer = str(click.prompt(">", default="1", prompt_suffix=" "))
        picked = [word for word in answer.replace(",", " ").split() if word.isdecimal()]
        numbers = list(dict.fromkeys(int(word) for word in picked))
        if 0 < len(numbers) <= _MOST_SIDES and all(0 < number <= len(sides) for number in numbers):
            return tuple(sides[number - 1].id for number in numbers)
        click.echo(_("Up to three numbers from 1 to {most}.", most=len(sides)))


def _one_of(question: str, choices: Mapping[str, str]) -> str:
    """Ask for one of a few, each said in words; Enter leaves it open."""
    shown = ", ".join(f"{number} {words}" for number, words in enumerate(choices.values(), 1))
    while True:
        answer = _asked(f"{question} {shown}")
        if not answer:
            return ""
        if answer.isdecimal() and 0 < int(answer) <= len(choices):
            return list(choices)[int(answer) - 1]
        click.echo(_("A number from 1 to {most}, or Enter.", most=len(choices)))


def _asked(question: str) -> str:
    suffix = " " if question.endswith("?") else ": "
    return str(click.prompt(question, default="", show_default=False, prompt_suffix=suffix)).strip()

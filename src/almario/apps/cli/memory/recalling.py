"""`almario recall`: what is known about a question."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import click

from almario.apps.cli.arguments import SINCE, UNTIL
from almario.apps.cli.common import LONG, CommandCall, flag, in_chat, make_command, need_session, takes, tell
from almario.apps.cli.i18n import Translated, _, number, word
from almario.apps.cli.memory.screens import at_most, for_session, project_in, short
from almario.apps.cli.printing import ProgressBar, day, fitted, wrapped
from almario.domain.memories import same_key
from almario.domain.messages import Sentence
from almario.domain.model import BELOW, KEPT_OUT, LIKELY, NO_ROOM, Hit, Recalled, Scope
from almario.domain.plain_text import in_one_line, shortened
from almario.domain.vocabulary import CERTAINTIES, HOW, KINDS, MEASURES, STATES, hit_state
from almario.domain.withheld import where_shown
from almario.errors import EmbedderUnavailable, MissingExtra, StoreError
from almario.served import home_of
from almario.soul import Soul

# An episode is found as the line of the daily log that tells it.
_SEARCHED = ("profile", "fact", "instruction", "summary", "episode", "log", "note", "turn")
_SOURCES = ("memory", "session", "soul")
_INCLUDED = ("expired", "superseded", "retired", "untrusted")
_MODES = ("best", "words", "tfidf")
# So much of a passage is shown; the first at a terminal.
_LINES, _CHARACTERS = 4, 500
_AS_GOOD = 0.6
# Why something did not come, and so many of each.
_WHY_NOT = {
    KEPT_OUT: Sentence("May not be told, as it is out of use, or not for those who hear it: {count}"),
    BELOW: Sentence("Below the floor: {count}"),
    NO_ROOM: Sentence("No room: {count}"),
}
_MOST_LEFT_OUT = 3
_INDENT = 10


@make_command(
    "recall",
    "Search your memory, by words and by meaning.",
    _("almario recall what does Ana do for a living"),
    _('almario recall "the trip" --since 2026-01-01 --limit 10'),
    _("almario recall bridges --in session --around 2"),
    _("almario recall bridges --explain"),
)
@click.argument("question", nargs=-1, required=True, metavar=_("QUESTION..."))
@at_most(5, largest=10_000)
@takes(
    "--min-score",
    "Lowest score to show, from 0 to 1 (default: the search.min_score setting).",
    type=click.FloatRange(0, 1),
    metavar="N",
)
@takes("--kind", "Only this kind; repeatable.", "kinds", multiple=True, type=Translated(_SEARCHED, KINDS))
@takes(
    "--in",
    "Where to search: memories and notes (memory), conversations (session) or soul files (soul).",
    "sources",
    multiple=True,
    type=click.Choice(_SOURCES),
)
@takes("--key", "Only under this key; repeatable.", "keys", multiple=True, metavar=_("KEY"))
@takes("--since", "Only from this day on, such as 2026-11-14 or yesterday.", type=SINCE, metavar=_("DATE"))
@takes("--until", "Only up to this day, such as 2026-11-14 or yesterday.", type=UNTIL, metavar=_("DATE"))
@takes(
    "--include",
    "Include what is out of use or untrusted; repeatable.",
    multiple=True,
    type=Translated(_INCLUDED, STATES),
)
@takes(
    "--project",
    'Only what comes to mind in the project in this folder; "all" searches every project.',
    default="",
    metavar=_("FOLDER"),
)
@takes(
    "--around", "Show this many turns before and after.", type=click.IntRange(0, 100), default=0, metavar="N"
)
@takes("--mode", "How results are ranked (default: best).", type=click.Choice(_MODES))
@flag("--unasked", "As it is told with a message, if nobody asks; with --project, to a coding agent.")
@flag("--all", "Show what is less likely to help, too.", "every")
@flag("--explain", "Show how each score is made up.")
@for_session
def command(
    call: CommandCall, question: tuple[str, ...], limit: int, min_score: float | None, **given: Any
) -> None:
    soul = call.soul()
    need_session(soul, given["session"])
    if given["mode"] not in _MODES[1:] and not in_chat() and not call.login:
        _make_ready(soul)
    found = soul.recall(
        " ".join(question),
        limit=limit,
        min_score=min_score,
        scope=_scope(given, home_of(call.home)),
        mode=given["mode"] or "",
        neighbours=given["around"],
        explain=given["explain"],
        session=given["session"] or "",
        unasked=given["unasked"],
    )
    tell(found.told)
    if call.gave_json(list(found)):
        return
    if not found:
        click.echo(_("Nothing comes to mind."))
    in_numbers = given["explain"] or given["mode"] == "tfidf"  # a cosine is no certainty
    is_all = given["every"] or in_numbers or min_score is not None
    shown = found if is_all else _likely(found)
    for place, hit in enumerate(shown):
        if place:
            click.echo()
        _show(hit, in_numbers=in_numbers)
        if given["explain"]:
            _explain(hit)
    if given["explain"]:
        _explain_left_out(found)
    if rest := len(found) - len(shown):
        click.secho(_("Less likely: {count}; --all shows them.", count=rest), dim=True)
    tell(where_shown(hit.text for hit in shown))


def _likely(found: Sequence[Hit]) -> Sequence[Hit]:
    """Return the hits that are likely to help; if none is, those that are about as likely as the best."""
    least = min(LIKELY, _AS_GOOD * max((hit.score for hit in found), default=0.0))
    return [hit for hit in found if hit.score >= least]


def _make_ready(soul: Soul) -> None:
    """Let everything be found by its meaning, also where the index was made a moment ago."""
    refusals = (StoreError, EmbedderUnavailable, MissingExtra)  # the search tells
    with ProgressBar(_("Indexing by meaning"), least=LONG) as progress, suppress(*refusals):
        soul.memory.prepare()
        soul.memory.embedding.all(progress)


def _scope(given: dict[str, Any], home: str) -> Scope:
    kinds = ["log" if kind == "episode" else kind for kind in given["kinds"]]
    since, until, project = given["since"], given["until"], given["project"]
    if since and until and until < since:
        raise click.UsageError(_("--until is before --since."))
    return Scope(
        kinds=tuple(kinds),
        sources=given["sources"],
        keys=tuple(same_key(key) for key in given["keys"]),
        since=since,
        until=until,
        include=given["include"],
        project=project if project in ("", "all") else project_in(project, home),
    )


def _show(hit: Hit, *, in_numbers: bool) -> None:
    kind, about, words = word(hit.kind, KINDS), hit.speaker or hit.key, hit.with_mark(_(hit.mark_beside))
    text = f"[{kind}] {about}: {words}" if about else f"[{kind}] {words}"
    cut = shortened(text, _CHARACTERS)
    first, *rest = wrapped(cut, _INDENT, lines=_LINES)
    sure = number(hit.score, 2) if in_numbers else _(CERTAINTIES[hit.certainty])
    click.echo(click.style(sure.ljust(_INDENT), bold=True) + first)
    _indented(rest)
    place = hit.place.removesuffix("#0")
    is_cut = cut != text or "".join([first, *rest]).endswith("…")
    facts = [
        _("read on in {place}", place=place) if is_cut else place,
        day(hit.day) if hit.day else "",
        _(hit_state(hit)),
        _(HOW.get(hit.how, "")),
        click.unstyle(short(hit.memory)),
    ]
    _indented([" · ".join(filter(None, facts))], dim=True)
    for neighbour in hit.around:
        first, *rest = wrapped(neighbour, _INDENT + 2, lines=2)
        _indented([f"┊ {first}", *(f"  {each}" for each in rest)], dim=True)


def _explain(hit: Hit) -> None:
    """Show what a score is made of, and what tells the same."""
    names = [word(name, MEASURES) for name, _measure, _added in hit.reasons]
    width = max(map(len, names), default=0)
    for name, (_name, measure, added) in zip(names, hit.reasons, strict=True):
        _indented([f"{name.ljust(width)}  {measure:>6.2f}  {added:>+6.2f}"])
    if hit.cue:
        _indented([_("by its cue: '{cue}'", cue=hit.cue)], dim=True)
    if hit.evidence:
        _indented([_("also in {places}", places=", ".join(hit.evidence))], dim=True)


def _explain_left_out(found: Recalled) -> None:
    """Show what was looked at and not told, under the reason; of each, the likeliest."""
    for why, heading in _WHY_NOT.items():
        some = [each for each in found.left_out if each.why == why]
        count = found.kept_out if why == KEPT_OUT else len(some)
        if not count:
            continue
        click.echo()
        click.secho(_(heading.text, count=count), bold=True)
        for each in sorted(some, key=lambda each: -each.score)[:_MOST_LEFT_OUT]:
            click.echo(number(each.score, 2).ljust(_INDENT) + fitted(in_one_line(each.text), _INDENT))


def _indented(lines: Sequence[str], *, dim: bool = False) -> None:
    for each in lines:
        click.secho(" " * _INDENT + each, dim=dim or None)

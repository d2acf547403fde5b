"""`almario recall`: what is known about a question."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import click

from almario.apps.cli.common import Call, helped, standard, tell
from almario.apps.cli.printing import print_json, wrapped
from almario.apps.cli.remembered import DAY, short, state_word
from almario.apps.cli.words import _
from almario.domain.memories import same_key
from almario.domain.model import Hit, Scope

# An episode is found as the line of the daily log that tells it.
_KINDS = ("profile", "fact", "correction", "summary", "episode", "log", "note", "turn")
_SOURCES = ("memory", "session")
_INCLUDED = ("expired", "superseded", "retired", "untrusted")
_MODES = ("best", "weighted", "words", "tfidf")
_HOW = {
    "vector": "by meaning",
    "keyword": "by words",
    "both": "by words and meaning",
    "context": "by what stands beside it",
}
# At a terminal so much of a passage is shown.
_LINES = 4
_INDENT = 6


def _filters(function: Any) -> Any:
    """Give a command the options that say where to look."""
    options = [
        click.option(
            "--kind",
            "kinds",
            multiple=True,
            type=click.Choice(_KINDS),
            help=_("Only this kind; may be repeated."),
        ),
        click.option(
            "--source",
            "sources",
            multiple=True,
            type=click.Choice(_SOURCES),
            help=_("Only what is remembered or written, or only what was said in conversations."),
        ),
        click.option(
            "--key", "keys", multiple=True, metavar=_("KEY"), help=_("Only under this key; may be repeated.")
        ),
        click.option("--since", type=DAY, metavar=_("DATE"), help=_("Only from this day on (YYYY-MM-DD).")),
        click.option("--until", type=DAY, metavar=_("DATE"), help=_("Only up to this day (YYYY-MM-DD).")),
        click.option(
            "--include",
            multiple=True,
            type=click.Choice(_INCLUDED),
            help=_("Also what is out of use or not trusted; may be repeated."),
        ),
    ]
    for option in reversed(options):
        function = option(function)
    return function


@click.command(
    "recall",
    help=helped(
        _("Find what is known about a question, by its words and by its meaning."),
        _("almario recall what does Ana do for a living"),
        _('almario recall "the trip" --since 2026-01-01 --limit 10'),
        _("almario recall bridges --source session --around 2"),
        _("almario recall bridges --explain"),
    ),
)
@click.argument("question", nargs=-1, required=True, metavar=_("QUESTION..."))
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    metavar="N",
    default=5,
    show_default=True,
    help=_("How many at most."),
)
@click.option(
    "--min-score",
    type=click.FloatRange(0, 1),
    metavar="N",
    default=0.0,
    help=_("The least score, from 0 to 1."),
)
@_filters
@click.option(
    "--around",
    type=click.IntRange(0, 100),
    default=0,
    metavar="N",
    help=_("Show so many neighbours on either side."),
)
@click.option(
    "--mode", type=click.Choice(_MODES), help=_("How it is ranked (default: the setting search.fusion).")
)
@click.option("--explain", is_flag=True, help=_("Show what each score is made of."))
@standard()
def command(call: Call, question: tuple[str, ...], limit: int, min_score: float, **given: Any) -> None:
    soul = call.soul()
    found = soul.recall(
        " ".join(question),
        limit=limit,
        min_score=min_score,
        scope=_scope(given),
        mode=given["mode"] or "",
        neighbours=given["around"],
        explain=given["explain"],
    )
    tell(found.told)
    if call.as_json:
        print_json([_fields(hit) for hit in found])
    elif not found:
        click.echo(_("Nothing is known about that."))
    for number, hit in enumerate(found if not call.as_json else ()):
        if number:
            click.echo()
        _show(hit)


def _scope(given: dict[str, Any]) -> Scope:
    kinds = ["log" if kind == "episode" else kind for kind in given["kinds"]]
    since, until = (
        moment.date() if isinstance(moment, datetime) else None for moment in (given["since"], given["until"])
    )
    if since and until and until < since:
        raise click.UsageError(_("--until is before --since; nothing can be between them."))
    return Scope(
        kinds=tuple(kinds),
        sources=given["sources"],
        keys=tuple(same_key(key) for key in given["keys"]),
        since=since,
        until=until,
        include=given["include"],
    )


def _show(hit: Hit) -> None:
    about = hit.speaker or hit.key
    text = f"{about}: {hit.text}" if about else hit.text
    first, *rest = wrapped(f"[{hit.kind}] {text}", _INDENT, lines=_LINES)
    click.echo(f"{click.style(f'{hit.score:.2f}', bold=True)}  {first}")
    _indented(rest)
    facts = [
        hit.place.removesuffix("#0"),
        hit.day.isoformat() if hit.day else "",
        _(_HOW.get(hit.how, "")),
        state_word(hit.state),
        click.unstyle(short(hit.memory)),
    ]
    _indented([" · ".join(filter(None, facts))], dim=True)
    for neighbour in hit.around:
        first, *rest = wrapped(neighbour, _INDENT + 2, lines=2)
        _indented([f"┊ {first}", *(f"  {each}" for each in rest)], dim=True)
    if hit.reasons:
        names = [_named(name, where) for name, where, _score in hit.reasons]
        width = max(map(len, names))
        scores = [score for _name, _where, score in hit.reasons]
        _indented([f"{n.ljust(width)}  {s:>7.3f}" for n, s in zip(names, scores, strict=True)])


def _named(name: str, where: str) -> str:
    """Say one reason of a score: a word of the question, or a sign, and where it was found."""
    signs = {
        "meaning": _("meaning"),
        "speaker": _("who said it"),
        "time": _("when"),
        "recency": _("how recent"),
    }
    places = {
        "passage": _("in it"),
        "beside": _("beside it"),
        "session": _("in its session"),
        "alone": _("alone"),
    }
    known = signs.get(name, name) if not where or name == "meaning" else name
    return f"{known} ({places.get(where, where)})" if where else known


def _indented(lines: Sequence[str], *, dim: bool = False) -> None:
    for each in lines:
        click.secho(" " * _INDENT + each, dim=dim or None)


def _fields(hit: Hit) -> dict[str, Any]:
    reasons = [{"what": what, "where": where, "score": score} for what, where, score in hit.reasons]
    return hit._asdict() | {"score": round(hit.score, 4), "reasons": reasons}

"""`almario soul drift`: how far the soul has come, and from where that is measured."""

from collections.abc import Sequence
from datetime import tzinfo

import click

from almario.apps.cli.common import CommandCall, flag, make_command, tell
from almario.apps.cli.i18n import _, number
from almario.apps.cli.printing import print_fitted, print_line, print_table, when
from almario.becoming.rules.distance import DriftReport, DriftStep
from almario.domain.messages import Sentence
from almario.domain.plain_text import in_one_line
from almario.domain.soul_events import Drift
from almario.domain.vocabulary import DRIFT_PARTS
from almario.errors import SoulError
from almario.soul import Soul

# So many points are listed; all of them are in --json.
_LISTED = 12


@make_command(
    "drift",
    "Show how far the soul has drifted from its baseline. That is the first soul, or the one you pinned.",
    "almario soul drift",
    "almario soul drift --pin",
)
@flag("--pin", "Measure drift from the current soul from now on. Nothing else changes.", "is_pinned")
def drift(call: CommandCall, is_pinned: bool) -> None:
    if is_pinned:
        _pin(call)
        return
    soul = call.soul()
    found = soul.drift.report()
    if found is None:
        raise SoulError("drift is switched off; set drift.enabled = true")
    tell(found.told)
    if call.gave_json(found):
        return
    _print_summary(soul, found)
    if found.timeline:
        click.echo()
        _print_points(found, soul.zone)
    click.echo()
    _print_parts(found.drift)
    if found.warning:
        is_far = found.drift.score > found.warn
        why = _("This is far.") if is_far else _("A boundary is not as it was.")
        click.secho(f"\n{why} " + _('"almario soul diff SOUL 1" shows what changed,'), fg="yellow")
        sentence = '"almario soul restore" goes back, "almario soul drift --pin" sets a new baseline.'
        print_line(_(sentence), fg="yellow")


def _pin(call: CommandCall) -> None:
    soul = call.soul()
    pinned = soul.drift.pin()
    found = soul.drift.report()
    if call.gave_json({"files": pinned, "drift": found and found.drift}):
        return
    score = number(found.drift.score, 2) if found else "-"
    click.echo(_("Drift is now measured from here; the soul is at {score}.", score=score))


def _print_summary(soul: Soul, found: DriftReport) -> None:
    score = click.style(number(found.drift.score, 2), fg=_colour(found.drift.score, found.warn), bold=True)
    since = _("its first soul")
    if found.pinned:
        since = _("the soul you pinned on {day}", day=when(found.pinned, soul.zone))
    click.echo(_("{name} is {score} away from {since}.", name=soul.name, score=score, since=since))
    sentence = "0 is the same soul, 1 a different one; a warning appears above {warn}."
    print_line(_(sentence, warn=number(found.warn, 2)))


def _print_points(found: DriftReport, zone: tzinfo) -> None:
    rows = []
    for point in found.timeline[-_LISTED:]:
        score = click.style(number(point.drift.score, 2), fg=_colour(point.drift.score, found.warn))
        rows.append([f"{point.at.astimezone(zone):%Y-%m-%d}", score, _what(point.what)])
    print_fitted(rows, heads=[_("When"), _("Drift"), _("What changed")])
    steps = [step for point in found.timeline for step in point.what if step.file]
    unasked = sum(step.unasked for step in steps)
    sentence = "Changes: {all}. You made or accepted: {own}. Made unasked: {unasked}."
    print_line(_(sentence, all=len(steps), own=len(steps) - unasked, unasked=unasked), dim=True)


def _print_parts(found: Drift) -> None:
    values = {name: getattr(found, name) for name in DRIFT_PARTS}
    rows = [
        [_(DRIFT_PARTS[name]), number(value, 2) if value is not None else f"-     {_('no embedder')}"]
        for name, value in values.items()
    ]
    if found.boundaries:
        rows.append([_("boundaries removed, reworded or denied"), str(found.boundaries)])
    print_table(rows, heads=["", ""])


def _colour(score: float, warn: float) -> str:
    return "red" if score > warn else "yellow" if score > warn * 0.7 else "green"


def _what(steps: Sequence[DriftStep]) -> str:
    """Say what changed, newest first, each reason once, in which files, and what came by itself."""
    found: dict[Sentence, list[str]] = {}
    for step in reversed(steps):
        files = found.setdefault(step.reason, [_("by itself")] if step.unasked else [])
        if (name := step.file.removesuffix(".md")) and name not in files:
            files.insert(0, name)
    reasons = [f"{_(why)} ({', '.join(files)})" if files else _(why) for why, files in found.items()]
    return in_one_line("; ".join(reasons))

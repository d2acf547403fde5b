"""Which act mended a failed one: found in the order of what was done, without knowing what any of it means.

A cure is the same command as the one that failed, with more to it: another flag, a variable, a step before
it. The very same command that works after a file was edited is no cure: the edit was.
"""

from collections.abc import Sequence

from almario.domain.acts import Act, Command
from almario.named_tuples import NamedTuple
from almario.text.calls import commands_in

# Of so many acts after a failure one may be its cure, and so many steps may stand before the same command.
_NEAR, _STEPS = 20, 2


class Cure(NamedTuple):
    """A failed act, the one that mended it, and the line to run instead."""

    failed: Act
    mended: Act
    line: str


def cures_in(acts: Sequence[Act]) -> list[Cure]:
    """Return what was mended among these acts, each failure by the first act that did."""
    found = (
        _cure_of(act, acts[place + 1 : place + 1 + _NEAR]) for place, act in enumerate(acts) if act.failed
    )
    # Tried in vain several times, it is the last failure that was mended.
    return list({cure.mended.id: cure for cure in found if cure}.values())


def _cure_of(failed: Act, after: Sequence[Act]) -> Cure | None:
    steps: list[str] = []
    was_edited = False
    for act in after:
        if act.did == "edit":
            was_edited = True
        elif act.failed:
            continue
        elif act.what == failed.what:
            is_after_steps = not was_edited and 0 < len(steps) <= _STEPS
            return Cure(failed, act, " && ".join([*steps, act.what])) if is_after_steps else None
        elif mends(act.what, failed.what):
            return Cure(failed, act, act.what)
        else:
            steps.append(act.what)
    return None


def mends(line: str, failed: str) -> bool:
    """Say whether a line runs what failed in another way: all that it was about is still there."""
    if failed in line:
        return True
    *_, wanted = [*_changing(failed)] or [Command("")]
    return bool(wanted.program) and any(_is_kin(each, wanted) for each in _changing(line))


def _changing(line: str) -> list[Command]:
    return [each for each in commands_in(line) if not each.only_looks]


def _is_kin(one: Command, other: Command) -> bool:
    """Say whether two commands run the same on the same, with other flags at most."""
    things = [word for word in other.rest if not word.startswith("-")]
    same = (one.program, one.sub) == (other.program, other.sub)
    # What follows a flag may be its value.
    return same and one.rest != other.rest and set(things) <= set(one.rest)

"""Why something is believed, and what has changed."""

from collections.abc import Sequence
from datetime import datetime

import click

from almario.apps.cli.common import CommandCall, make_command, need_session, takes
from almario.apps.cli.i18n import _, word
from almario.apps.cli.memory.screens import (
    SHORT,
    by_name,
    for_session,
    is_unmade,
    line,
    named,
    place_word,
    short,
    time_word,
)
from almario.apps.cli.printing import fitted, one_line, print_below, print_fitted, when
from almario.domain.audiences import OWNER_ALONE
from almario.domain.memories import ERASED, Memory, Recorded
from almario.domain.model import KEPT_OUT
from almario.domain.turn_ids import turn_id
from almario.domain.vocabulary import (
    ACTORS,
    KINDS,
    LIFE_STEPS,
    ORIGIN_SENTENCES,
    changed_by_owner,
    conversation,
)
from almario.domain.withheld import MASK, withheld
from almario.memory.rules.lives import verb_of
from almario.soul import Soul

_STATES = {
    "live": "It is in use.",
    "superseded": "It is out of use: it was replaced.",
    "retired": 'It is out of use: it was forgotten. "almario memory restore {id}" brings it back.',
    "unmade": 'It is out of use: remembering it was undone. "almario memory restore {id}" brings it back.',
    "ended": 'It has ended. "almario memory restore {id}" brings it back without an end date.',
    "expired": (
        'It has expired: nobody has confirmed it for a long time. "almario memory restore {id}" '
        "brings it back."
    ),
}
_FATES = {
    "told": 'Asked "{asked}", it is told.',
    "may not be told": 'Asked "{asked}", it is not: it may not be told.',
    "below the floor": 'Asked "{asked}", it is not: it is below the floor: it fits too little.',
    "no room": 'Asked "{asked}", it is not: there is no room, as more likely things come first.',
}
_OUT_OF_USE = 'Asked "{asked}", it is not: it may not be told, as it is out of use.'


@make_command(
    "why",
    "Explain why something is believed. Shows who said it, what it is based on, and what became of it.",
    _("almario memory why job"),
    _('almario memory why the cat --asked "which pets do I have?"'),
    "almario memory why 3f9a2c1b",
)
@by_name
@takes(
    "--asked",
    "Say whether it is told to whoever asks this, or why it is not.",
    default="",
    metavar=_("QUESTION"),
)
@for_session
def why(call: CommandCall, target: tuple[str, ...], asked: str, session: str | None) -> None:
    soul = call.soul()
    need_session(soul, session)
    audience = soul.audience(session) if session else OWNER_ALONE
    found = soul.memory.why(named(call, soul, target).id, asked, audience)
    memory = found.memory
    if call.gave_json(found):
        return
    click.secho(one_line(memory.text), bold=True)
    state = "unmade" if found.state == "retired" and is_unmade(found.history) else found.state
    print_below(_grounds(soul, memory, state, found.changed_at))
    print_below([f"{word(memory.kind, KINDS)} {memory.id[:SHORT]}"], dim=True)
    if found.fate:
        is_out = found.fate == KEPT_OUT and found.state != "live"
        print_below([_(_OUT_OF_USE if is_out else _FATES[found.fate], asked=one_line(asked))])
    if MASK in memory.value:
        parts = next((each.suspected for each in soul.memory.withheld() if each.name == memory.id), ())
        print_below([_(withheld(parts))])
    quotes = [
        (f"{conversation(turn_id(turn.id).session)} · {when(turn.at, soul.zone)}  ", turn.text)
        for turn in found.evidence
        if turn.text.strip()
    ]
    print_below(place + fitted(words, len(place) + 4) for place, words in quotes)
    if found.cues:
        print_below([_("What brings it to mind:"), *(f"  {each}" for each in found.cues)])
    if found.replaced:
        print_below([_("It replaced:"), *("  " + line(soul, each) for each in found.replaced)])
    if found.replaced_by:
        heading = "Perhaps replaced by:" if found.state == "live" else "It was replaced by:"
        print_below([_(heading), "  " + line(soul, found.replaced_by)])
    click.echo()
    print_history(soul, found.history, {memory.id: memory}, one=True)


def _grounds(soul: Soul, memory: Memory, state: str, changed_at: datetime | None) -> list[str]:
    """Say who a memory comes from, whether it is in use, when it was true and what it rests on."""
    since = when(memory.valid_from, soul.zone)
    until = when(memory.valid_to, soul.zone) if memory.valid_to else ""
    time = time_word(memory)
    origin = ORIGIN_SENTENCES[memory.source, memory.origin]
    changed = changed_by_owner(when(changed_at, soul.zone)) if changed_at else origin
    sentences = [_(changed), _(_STATES[state], id=memory.id[:SHORT])]
    if time and state != "superseded":
        sentences.append(_("Time: {time}.", time=time))
    elif until:
        sentences.append(_("It was true from {since} to {until}.", since=since, until=until))
    else:
        sentences.append(_("It has been true since {since}.", since=since))
    if memory.evidence:
        talks = dict.fromkeys(conversation(turn_id(each).session or each) for each in memory.evidence)
        sentences.append(_("Based on {evidence}.", evidence=", ".join(talks)))
    return [*sentences, place_word(memory) or _("It is of home: a coding agent hears of it only if it asks.")]


def print_history(soul: Soul, changes: Sequence[Recorded], known: dict[str, Memory], *, one: bool) -> None:
    """Print changes, newest first; those of *one* memory need not say which."""
    heads = [_("Line"), _("When"), _("Who"), *([] if one else ["ID"]), _("What happened")]
    rows = []
    for each in reversed(changes):
        memory = known.get(each.change["id"])
        if memory is None or (memory.key, memory.value) == (ERASED, ERASED):
            what = _("erased for good")
        else:
            what = _step_words(each) + ("" if one else _text(each, memory))
        which = [] if one else [short(each.change["id"])]
        rows.append([str(each.seq), when(each.at, soul.zone), word(each.actor, ACTORS), *which, what])
    print_fitted(rows, heads=heads)


def _step_words(recorded: Recorded) -> str:
    verb = verb_of(recorded)
    if verb == "undone":
        return _("line {line} undone", line=recorded.of)
    wording = recorded.change.get("said", "")
    return word(verb, LIFE_STEPS) + (f" «{wording}»" if wording else "")


def _text(recorded: Recorded, memory: Memory) -> str:
    value = recorded.change.get("set", {}).get("value")
    return f": {(memory._replace(value=value) if value else memory).text}"

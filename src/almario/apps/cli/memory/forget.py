"""`almario forget`: put something out of mind, or erase it for good; that is shown first, and asked."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import click

from almario import wiring
from almario.apps.cli.common import CommandCall, agreed, flag, make_command, takes, tell
from almario.apps.cli.i18n import _
from almario.apps.cli.memory.screens import line, picked, print_memories
from almario.apps.cli.printing import at_terminal, fitted, one_line, print_below, print_line
from almario.domain.forgotten import Forgotten, name_of
from almario.domain.held import HeldWords
from almario.domain.memories import Memory, same_key, same_value
from almario.domain.messages import CommandLine, Sentence
from almario.domain.model import SOUL_FILES, Hit
from almario.errors import NotFound, SoulError
from almario.soul import Soul


@make_command(
    "forget",
    "Forget something: a memory by its id or its key, a message by its id, or whatever you "
    "describe in words. The messages and log lines that mention it are no longer recalled "
    "either. It can be brought back; with --purge it is erased from every file for good, with "
    "what it was learned from; whatever else has the words is shown, by file and line, and erased if you "
    "say so, or with --everywhere.",
    _("almario forget job"),
    _("almario forget the trip to the zoo"),
    "almario forget 3f9a2c1b",
    "almario forget 3f9a2c1b --purge",
    "almario forget --purge Gaviota --everywhere",
    "almario forget --purge --expired 365",
)
@click.argument("target", nargs=-1, metavar=_("ID|KEY|WORDS..."))
@flag("--all", "Forget everything that matches, if there is more than one thing.", "every")
@flag("--purge", "Permanently erase it, after showing what will go.")
@takes(
    "--expired",
    "With --purge, erase all that expired at least this many days ago; the daemon does it by itself if "
    "memory.purge_after is set.",
    type=click.IntRange(0, 100_000),
    metavar=_("DAYS"),
)
@takes("--not-in", "Forget what is missing in a version of MEMORY.md that was set aside.", metavar=_("FILE"))
@flag(
    "--everywhere",
    "With --purge, erase whatever has the words: lines of files, whole messages, earlier contents.",
)
@flag("--yes", "Erase without asking.")
def command(call: CommandCall, target: tuple[str, ...], every: bool, purge: bool, **given: Any) -> None:
    wanted, expired, yes = " ".join(target), given["expired"], given["yes"]
    everywhere = given["everywhere"]
    _check(given, purge=purge, is_named=bool(target))
    soul = call.soul()
    if given["not_in"]:
        _accept(call, soul, given["not_in"])
        return
    if expired is not None:
        erase(call, soul, older_than=expired, yes=yes)
        return
    if purge:
        memories = _memories_to_erase(call, soul, wanted, every=every)
        if memories is None:
            click.echo(_("Nothing was erased."))
            return
        is_named = any(
            each.id.startswith(wanted) or same_key(each.key) == same_key(wanted) for each in memories
        )
        words, ids = wanted if everywhere or not is_named else "", [each.id for each in memories]
        erase(call, soul, ids=ids, words=words, everywhere=everywhere, yes=yes)
        return
    hits = _chosen(call, soul, wanted, every=every)
    if not hits:
        click.echo(_("Nothing was forgotten."))
        return
    gone = soul.memory.put_out_of_mind(hits)
    if not call.gave_json(gone):
        _show(soul, hits, gone)


def _check(given: Mapping[str, Any], *, purge: bool, is_named: bool) -> None:
    """Refuse options that do not go together, and nothing at all."""
    if given["yes"] and not purge:
        raise click.UsageError(_("--yes only goes with --purge."))
    if given["expired"] is not None and not purge:
        raise click.UsageError(_("--expired only goes with --purge."))
    if given["everywhere"] and not (purge and is_named):
        raise click.UsageError(_("--everywhere only goes with --purge and words."))
    ways = [is_named, given["expired"] is not None, bool(given["not_in"])]
    if sum(ways) != 1:
        raise click.UsageError(_("Say what to forget: words, or --expired, or --not-in."))


def _accept(call: CommandCall, soul: Soul, file: str) -> None:
    gone = [soul.memory.get(memory.id) for memory in soul.memory.accept(file)]
    if call.gave_json(gone):
        return
    if not gone:
        click.echo(_("Nothing was missing in it, so nothing was forgotten."))
        return
    print_memories(soul, gone, _("Forgotten:"))
    print_below([_('"{undo}" brings it back', undo=CommandLine(f"almario undo {gone[0].seq}"))], dim=True)


def _chosen(call: CommandCall, soul: Soul, wanted: str, *, every: bool) -> list[Hit]:
    """Return what is to be forgotten; of several things, those that the owner says yes to."""
    meant = soul.memory.meant(wanted)
    hits = meant.sure or meant.likely
    if not hits or every or meant.is_one:
        return list(meant.hits(every=every))
    return picked(call, [(_line(hit), hit) for hit in hits], wanted)


def _memories_to_erase(call: CommandCall, soul: Soul, wanted: str, *, every: bool) -> list[Memory] | None:
    """Return the memories to be erased: one thing in use, and what it has replaced, or *every* one.

    None: the owner chose none. Where no memory is meant, other places may have the words.
    """
    try:
        found = soul.memory.find(wanted)
    except NotFound:
        if not soul.memory.holding(wanted):
            raise
        return []
    live = [memory for memory in found if memory.state == "live"]
    if every or len({same_value(memory.value) for memory in live}) <= 1:
        return list(found)
    return picked(call, [(line(soul, memory), memory) for memory in live], wanted) or None


def _show(soul: Soul, hits: list[Hit], gone: Forgotten) -> None:
    click.echo(_("Forgotten:"))
    print_below([line(soul, memory) for memory in gone] or [_line(hit) for hit in hits])
    if gone.turns or gone.lines:
        told = "what was said and noted about it is no longer recalled either"
        print_line(_(told), lead="  ", dim=True)
    print_below([_('"{undo}" brings it back', undo=CommandLine(f"almario undo {gone.seq}"))], dim=True)


def _line(hit: Hit) -> str:
    name, text = name_of(hit), f"{hit.key}: {hit.text}" if hit.key else hit.text
    return f"{click.style(name, dim=True)}  {fitted(text, len(name) + 6)}"


def erase(
    call: CommandCall,
    soul: Soul,
    *,
    ids: Sequence[str] = (),
    older_than: int = 0,
    words: str = "",
    everywhere: bool = False,
    yes: bool,
) -> None:
    """Erase these memories, or else what expired so many days ago, if the owner agrees.

    Then whatever else has the *words* is shown, and erased as far as the owner chooses.
    """
    plan = soul.memory.plan_purge(*ids, expired=None if ids or words else older_than)
    planned = {*(memory.id for memory in plan.memories), *plan.turns}
    held: Sequence[HeldWords] = _besides(soul.memory.holding(words), planned, plan.texts) if words else []
    answer = plan._asdict() | ({"held": held} if words else {})
    if not plan.memories and not held:
        if_empty = _("Nothing has expired that long ago, so there is nothing to erase.")
        call.give({"erased": False, **answer}, if_empty)
        return
    if plan.memories and not call.as_json:
        click.secho(_("This will be permanently erased:"), bold=True)
        print_below(line(soul, memory) for memory in plan.memories)
        _list(_("with what was said in:"), plan.turns)
        _list(_("in these files:"), plan.places)
    if not yes:
        call.gave_json({"erased": False, **answer})
    if (plan.memories or call.as_json) and not yes and not agreed(call, _("Erase it permanently?")):
        click.echo(_("Nothing was erased."))
        return
    cleaned = soul.memory.purge(plan) if plan.memories else []
    if words:
        held = soul.memory.holding(words)
        chosen = _pieces_to_erase(call, words, held, everywhere=everywhere, yes=yes)
        if not chosen and not cleaned and (yes or not at_terminal()):
            raise SoulError("nothing was erased; --everywhere --yes erases all of these")
        cleaned = [*cleaned, *(soul.memory.purge_held(words, chosen) if chosen else [])]
        answer["held"] = soul.memory.holding(words) if chosen else held
    kept = None if call.login else wiring.backups(call.home, settings=call.settings)
    made = [str(each.path) for each in kept.all()] if kept and cleaned else []
    cleaned = list(dict.fromkeys(cleaned))
    if not call.gave_json({"erased": bool(cleaned), **answer, "cleaned": cleaned, "backups": made}):
        if not cleaned:
            click.echo(_("Nothing was erased."))
            return
        _list(_("Erased. Cleaned:"), cleaned)
        print_line(
            _(
                "Out of reach, so check them yourself: backups, synced folders, editors' swap files, "
                "shell history."
            )
        )
        _list(_("Files of other programs that may still hold it:"), plan.out_of_reach)
        _list(_("Earlier backups that still contain it until you delete them:"), made)
    if kept and not kept.clear():
        tell([Sentence("A backup is being made right now, and may contain it too.")])


def _besides(held: Sequence[HeldWords], planned: Collection[str], texts: Sequence[str]) -> list[HeldWords]:
    """Return what has the words and does not go with what is planned: memories, messages and their texts."""
    return [each for each in held if each.ref not in planned and not any(text in each.text for text in texts)]


def _pieces_to_erase(
    call: CommandCall, words: str, held: Sequence[HeldWords], *, everywhere: bool, yes: bool
) -> list[str]:
    """Show what still has the words, and return the ids of what of it the owner wants erased."""
    own = [each for each in held if each.can_be_erased]
    if not call.as_json:
        _show_pieces(words, own, [each for each in held if not each.can_be_erased])
    if not own or (everywhere and yes):
        return [each.id for each in own]
    if yes or call.as_json or not at_terminal():
        return []
    question = _('Erase which of these for good? Their numbers, "all", or Enter for none')
    reply = str(click.prompt(question, default="", show_default=False)).lower()
    if reply.strip() in ("all", "todo", "todos"):
        return [each.id for each in own]
    numbers = {int(word) for word in reply.replace(",", " ").split() if word.isdecimal() and len(word) < 6}
    return [each.id for number, each in enumerate(own, 1) if number in numbers]


_WHOLE = {
    "memory": "the memory",
    "message": "the whole message",
    "line": "the line",
    "version": "the earlier content",
    "history": "the text in the history",
}


def _show_pieces(words: str, own: Sequence[HeldWords], beyond: Sequence[HeldWords]) -> None:
    if own:
        click.secho(_('"{words}" stands here; what can be erased is in brackets:', words=words), bold=True)
    for number, each in enumerate(own, 1):
        place = f"{number:3}  {each.place}:{each.line}  [{_(_WHOLE[each.kind])}]"
        print_line(place)
        print_below([fitted(one_line(each.text), 7)], dim=True)
    if soul_files := [each.place for each in own if each.place in SOUL_FILES]:
        edit = CommandLine(f"almario soul edit {soul_files[0].removesuffix('.md')}")
        print_line(_('To change a line of a soul file instead: "{edit}"', edit=edit), dim=True)
    names = [f"{each.place}:{each.line}" for each in beyond]
    _list(_("Only you can change these names and settings:"), names)


def _list(heading: str, names: Sequence[str]) -> None:
    if names:
        click.echo(heading)
        print_below(names)

"""What the owner is told of what was done with their words, and how to have it otherwise."""

from collections.abc import Sequence

from almario.conversation.tool_calls import OFF_RECORD, Done
from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.forgotten import Forgotten
from almario.domain.memories import Memory
from almario.domain.messages import CommandLine, Sentence
from almario.domain.model import Hit
from almario.domain.plain_text import shortened
from almario.domain.turns import PERHAPS, PREVIOUS, Turn
from almario.domain.validity import by_name
from almario.memory.admission import Receipt
from almario.text.wishes import Wish

# How much is shown of a candidate, and of a forgotten text: whatever else was said with it goes too.
_SHOWN, _WHOLE = 60, 300
_IN_MIND = "I'll keep that in mind; \"{undo}\" if you'd rather I didn't"


def is_new(receipt: Receipt) -> bool:
    """Return whether something was remembered that was not known: undoing the rest would take back more."""
    return receipt.outcome in ("new", "superseded")


def kept(*receipts: Receipt) -> Sentence:
    """Say in one line what became of what was to be remembered, and of which day each is."""
    first, new = receipts[0], tuple(_dated(each.memory) for each in receipts if is_new(each) and each.memory)
    what = first.memory.label if first.memory else ""
    if first.replaced:
        before = first.replaced[0].value
        return Sentence("remembered: {what} (before: {before})", what=what, before=before)
    return Sentence("remembered: {what}" if new else "already known: {what}", what=new or what)


def _dated(memory: Memory) -> Sentence | str:
    """Say what a memory says, and its day if it is of one."""
    day = memory.dated.removesuffix("/..")
    is_day = day.replace("-", "").isdecimal() and len(day) == len("2026-12-03")
    return Sentence("{what} ({day})", what=memory.label, day=by_name(day)) if is_day else memory.label


def forgotten(gone: Forgotten, hits: Sequence[Hit]) -> list[Sentence]:
    """Say what was forgotten, and whether messages and lines went out of mind with it."""
    shortened_texts = (shortened(" ".join(hit.text.split()), _WHOLE) for hit in hits)
    texts = [memory.label for memory in gone] or shortened_texts
    notices = [Sentence("forgotten: {text}", text=text) for text in texts]
    if gone.turns or gone.lines:
        notices.append(Sentence("what was said and noted about it is no longer recalled either"))
    return [*notices, Sentence('"{undo}" brings it back', undo=CommandLine(f"almario undo {gone.seq}"))]


def off_record(
    heard: str, gone: Forgotten | None = None, audience: Audience = OWNER_ALONE, *, ahead: bool = False
) -> Done:
    """Say that something is off the record or set aside, or what is taken back, and how to have it again."""
    keep = CommandLine("almario keep" if heard == PERHAPS else "keep")
    if heard == PERHAPS:
        aside = (
            "set aside, as you seem not to want it kept: it stays in the transcript, "
            "but is not learned or brought up"
        )
        both = "set aside, as you seem not to want it kept: this and your next message"
        every = [Sentence(both if ahead else aside), Sentence('"{keep}" lets me use it', keep=keep)]
    elif gone is not None:
        others = (memory.text for memory in gone if memory.text not in gone.said)
        known = [*(f'"{short(text)}"' for text in gone.said), *others]
        names = ", ".join([*(known if audience.is_private else ()), *gone.turns])
        notice = Sentence("off the record, to be erased when you leave: {names}", names=names)
        every = [notice, Sentence('"{keep}" brings it back until then', keep=keep)]
    elif heard == PREVIOUS:
        every = [Sentence("there is nothing earlier to take off the record")]
    else:
        none = "off the record: none of this is written down, and it is gone when you leave"
        notice = Sentence("off the record: this and your next message" if ahead else none)
        every = [notice, Sentence('"{keep}" puts it on the record', keep=keep)]
    taken: dict[str, object] = {"turns": gone.turns} if gone is not None and heard == PREVIOUS else {}
    taken |= {"ahead": True} if ahead else {}
    text = "; ".join(map(str, every))
    return Done(text, told=tuple(every), name=OFF_RECORD, arguments={"sort": heard, **taken})


def put_back(turns: Sequence[Turn]) -> Done:
    """Say what is on the record again."""
    text = "; ".join(short(turn.text) for turn in turns if turn.role == "user")
    notice = Sentence("back on the record: {text}", text=text)
    return Done(str(notice), told=(notice,), name="keep")


def done(wish: Wish, *notices: Sentence, is_error: bool = False, line: int = 0, asks: bool = False) -> Done:
    """Say what came of a wish: the *line* of the journal undoes it; or it *asks* for yes or no."""
    text, given = "; ".join(map(str, notices)), {"text": wish.text}
    more = {"line": line} if line else {"asks": True} if asks else {}
    return Done(text, told=notices, is_error=is_error, structured=more, name=wish.verb, arguments=given)


def undo(line: int) -> Sentence:
    """Say how to take back what a line of the journal did."""
    return Sentence('"{undo}" takes it back', undo=CommandLine(f"almario undo {line}"))


def quietly(action: Done) -> Done:
    """Return what was done as it is told to somebody who grieves: in one line, without their words."""
    if not (line := action.structured.get("line")):
        return action
    undo_it = CommandLine(f"almario undo {line}")
    return action._replace(told=(Sentence(_IN_MIND, undo=undo_it),))


def short(text: str) -> str:
    """Return a text as it is shown in a list."""
    return shortened(" ".join(text.split()), _SHOWN)

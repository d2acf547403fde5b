"""What the owner is told of what was done with their words, and how to have it otherwise."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from almario.conversation.tool_calls import OFF_RECORD, Done, undoable
from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.forgotten import Forgotten, name_of
from almario.domain.memories import Memory
from almario.domain.messages import CommandLine, Sentence
from almario.domain.model import Hit
from almario.domain.plain_text import shortened
from almario.domain.turns import AROUND, NEXT, PREVIOUS, Turn
from almario.domain.validity import by_name
from almario.memory.admission import Receipt
from almario.text.forms import FORGET, UNDO

if TYPE_CHECKING:
    from almario.becoming.looking_back import TakenBack

# How much is shown of a candidate, and of a forgotten text: whatever else was said with it goes too.
_SHOWN, _WHOLE = 60, 300
# What is done for a message that says "keep".
KEPT_ACTION, _KEEP = "keep", CommandLine("keep")


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
    texts = tuple(memory.label for memory in gone) or tuple(shortened_texts)
    notices = [undoable(Sentence("forgotten: {text}", text=texts), gone.seq)]
    if gone.turns or gone.lines:
        notices.append(Sentence("what was said and noted about it is no longer recalled either"))
    return notices


def listed(text: str, hits: Sequence[Hit], session: str) -> Done:
    """List what may be meant to be forgotten, each with the id that forgets it."""
    if not hits:
        return done(FORGET, text, Sentence("I find nothing like that to forget"), is_error=True)
    ids = [_id(hit, session) for hit in hits]
    how = Sentence('nothing is forgotten yet; to forget one of these, say "forget {id}":', id=ids[0])
    lines = (
        Sentence("{id}  {text}", id=id_, text=short(_whole(hit))) for id_, hit in zip(ids, hits, strict=True)
    )
    told = done(FORGET, text, how, *lines, is_error=True)
    names = ", ".join(f"{name_of(hit)} ({short(_whole(hit))})" for hit in hits)
    return told._replace(
        text=f"they want something forgotten, perhaps of these: {names}; nothing is forgotten yet"
    )


def _id(hit: Hit, session: str) -> str:
    return name_of(hit).removeprefix(session) if hit.turn and not hit.memory else name_of(hit)


def _whole(hit: Hit) -> str:
    return f"{hit.key}: {hit.text}" if hit.key else hit.text


def undone(back: "TakenBack", *, is_told: bool = True) -> Done:
    """Say what was taken back, unless its texts are not to be told, and how to have it again."""
    live = tuple(short(each.value) for each in back.memories if each.state == "live")
    gone = tuple(short(each.value) for each in back.memories if each.state != "live")
    notices = [Sentence('no longer remembered: "{text}"', text=gone)] if gone and is_told else []
    notices += [Sentence('remembered again: "{text}"', text=live)] if live and is_told else []
    if back.file:
        notices.append(Sentence("{file} is as it was before", file=back.file))
    elif back.proposal:
        notices.append(Sentence("proposal {id} waits for your answer again", id=back.proposal.id))
    if back.left and not (back.memories or notices):
        changed = Sentence("nothing was undone: all of it has changed since")
        return done(UNDO, "", changed, is_error=True)
    notices = notices or [Sentence("it is as it was before")]
    if back.memories:
        notices[0] = undoable(notices[0], back.memories[0].seq)
    return done(UNDO, "", *notices)


def off_record(heard: str, gone: Forgotten | None = None, audience: Audience = OWNER_ALONE) -> Done:
    """Say what is off the record, and how to have it back; of `next`, the next message is, too."""
    ahead, what = heard in (NEXT, AROUND), ""
    if gone is not None and audience.is_private:
        others = (memory.text for memory in gone if memory.text not in gone.said)
        what = ", ".join([*(f'"{short(text)}"' for text in gone.said), *others])
    if ahead and what:
        notice = Sentence(
            "off the record, and erased when the session ends: {what}, and your next message", what=what
        )
    elif ahead:
        notice = Sentence("off the record: your next message")
    elif what:
        notice = Sentence("off the record, and erased when the session ends: {what}", what=what)
    elif heard == PREVIOUS:
        nothing = Sentence("there is nothing earlier to take off the record")
        return Done(str(nothing), told=(nothing,), is_error=True, name=OFF_RECORD)
    else:
        notice = Sentence("off the record: none of this is written down, and it is gone when you leave")
    is_ahead_alone = ahead and not (gone and gone.turns)
    again = (
        '"{keep}" puts it on the record'
        if gone is None or is_ahead_alone
        else '"{keep}" brings it back until then'
    )
    back = Sentence(again, keep=_KEEP)
    more: dict[str, object] = {"turns": gone.turns} if gone is not None else {}
    more |= {"ahead": True} if ahead else {}
    return Done("; ".join((notice, back)), told=(notice, back), name=OFF_RECORD, arguments=more)


def put_back(turns: Sequence[Turn]) -> Done:
    """Say what is on the record again."""
    text = "; ".join(short(turn.text) for turn in turns if turn.role == "user")
    notice = Sentence("back on the record: {text}", text=text)
    return Done(str(notice), told=(notice,), name=KEPT_ACTION)


def done(verb: str, text: str, *notices: Sentence, is_error: bool = False, line: int = 0) -> Done:
    """Say what came of a wish: the *line* of the journal undoes it."""
    more = {"line": line} if line else {}
    told, given = "; ".join(notices), {"text": text}
    return Done(told, told=notices, is_error=is_error, structured=more, name=verb, arguments=given)


def short(text: str) -> str:
    """Return a text as it is shown in a list."""
    return shortened(" ".join(text.split()), _SHOWN)

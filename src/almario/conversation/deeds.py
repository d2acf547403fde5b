"""What an agent did with its tools, kept in its session: a failure with its cure as one lesson.

An act is a turn of the session that nobody said: found like what was said, never learned from, and gone with
its exchange. What tools answered is untrusted, so nothing rests on it.
"""

from collections import Counter
from collections.abc import Collection, Sequence

from almario.domain.acts import ACT, COMMAND, DONE, LEARNED, MENDS, Act
from almario.domain.memories import UNTRUSTED
from almario.domain.messages import say
from almario.domain.plain_text import in_one_line, shortened
from almario.domain.turns import Turn, Utterance
from almario.text.calls import commands_in
from almario.text.cures import Cure, cures_in

# So many acts of one answer, and of one session, are told one by one, each in a line; of the others it is
# told how many there were.
_OF_ANSWER, _OF_SESSION, _LINE = 30, 300, 400
# What a turn calls the acts that it tells, by the program's own ids: so each is kept once.
CALLS = "calls_done"


def told_as_turns(
    acts: Sequence[Act], turns: Sequence[Turn], out_of_mind: Collection[str], language: str
) -> list[Utterance]:
    """Return what is kept of acts that are new to a session with these turns: one turn, and one a lesson.

    Of what was done for a message that is off the record, or *out of mind*, nothing is but that it is done.
    """
    known = {name for turn in turns for name in turn.more.get(CALLS, ())}
    new = [act for act in acts if act.id not in known]
    if not new:
        return []
    messages = [turn for turn in turns if turn.role == "user"]
    away = {act.id for act in acts if _is_away(_message_of(act, messages), out_of_mind)}
    # The ids stand where they are read first, whether or not something is told of them.
    marks: dict[str, object] = {CALLS: [act.id for act in new]}
    cures = [cure for cure in cures_in([act for act in acts if act.id not in away]) if cure.mended in new]
    taught = {act.id for cure in cures for act in (cure.failed, cure.mended)}
    plain = [act for act in new if act.id not in taught | away]
    before = sum(len(turn.text.splitlines()) for turn in turns if turn.more.get(ACT) == DONE)
    room = min(_OF_ANSWER, max(0, _OF_SESSION - before))
    one_by_one, many = plain[len(plain) - min(room, len(plain)) :], plain[: max(0, len(plain) - room)]
    lines = [_counted(many, language)] if many else []
    lines += [shortened(in_one_line(_text(act, language)), _LINE) for act in one_by_one]
    lessons = [_lesson(cure, language) for cure in cures]
    at = new[-1].at
    if lines:
        return [Utterance("tool", "\n".join(lines), UNTRUSTED, at=at, more={ACT: DONE, **marks}), *lessons]
    if lessons:
        return [lessons[0]._replace(more={**lessons[0].more, **marks}), *lessons[1:]]
    return [Utterance("system", say(language, "What was done here is not kept."), "agent", more=marks)]


def _message_of(act: Act, messages: Sequence[Turn]) -> Turn | None:
    """Return the message for which something was done: the last before it."""
    before = [turn for turn in messages if act.at is None or turn.at <= act.at] or messages[:1]
    return before[-1] if before else None


def _is_away(message: Turn | None, out_of_mind: Collection[str]) -> bool:
    return message is not None and (message.is_off or message.id in out_of_mind)


def _lesson(cure: Cure, language: str) -> Utterance:
    sentence = "`{failed}` failed: {why} → `{cure}` worked"
    why = shortened(cure.failed.said, _LINE // 2) or "?"
    text = say(language, sentence, failed=cure.failed.what, why=why, cure=cure.line)
    more = {ACT: LEARNED, MENDS: cure.failed.what, COMMAND: cure.line}
    return Utterance("tool", text, UNTRUSTED, at=cure.mended.at, more=more)


def _text(act: Act, language: str) -> str:
    if act.did == "edit":
        old, new = act.change
        if not (old or new):
            return say(language, "changed {path}", path=act.what)
        return say(language, "changed {path}: {old} → {new}", path=act.what, old=old or "∅", new=new or "∅")
    if act.failed:
        return say(language, "`{command}` failed: {why}", command=act.what, why=act.said or "?")
    return f"`{act.what}`: {act.said}" if act.said else f"`{act.what}`"


def _counted(acts: Sequence[Act], language: str) -> str:
    """Return how many acts there were of each kind, where there were too many to be told one by one."""
    kinds = Counter(_kind(act) for act in acts)
    counted = ", ".join(f"{name} ×{count}" for name, count in kinds.most_common(12))
    return say(language, "and before that: {acts}", acts=counted)


def _kind(act: Act) -> str:
    if act.did == "edit":
        return act.what
    first = next((each for each in commands_in(act.what) if not each.only_looks), None)
    return f"{first.program} {first.sub}".strip() if first else act.what.split()[0]

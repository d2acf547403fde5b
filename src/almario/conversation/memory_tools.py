"""The tools by which a model uses the memory: to keep, to change, to forget, to find, to read."""

from collections.abc import Sequence
from datetime import date, datetime, time, tzinfo
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

from almario.conversation.prompt_sections import hit_dates, hit_words, memory_words
from almario.conversation.soul_tools import PROPOSAL, decided_by_the_owner, looking_back
from almario.conversation.tool_calls import (
    Context,
    Done,
    Question,
    ToolCaller,
    is_asked_alone,
    is_own_wish,
    undoable,
)
from almario.conversation.tools import (
    FLAG,
    STRING,
    STRINGS,
    ArgumentLimits,
    Date,
    Line,
    Name,
    Passage,
    listed,
    offer,
    shaped,
    tool,
)
from almario.conversation.voice import Voice
from almario.domain.forgotten import name_of
from almario.domain.memories import (
    OUT_OF_USE,
    OWN_PASSAGE,
    UNTRUSTED,
    Memory,
    Origin,
    Wanted,
    lowest,
)
from almario.domain.messages import Sentence
from almario.domain.model import MODES, Hit, Query, Scope, certainty
from almario.domain.places import WORK
from almario.domain.plain_text import shortened, uncontrolled
from almario.domain.turns import THIS
from almario.domain.validity import briefly, is_written, read
from almario.domain.words import shared_words
from almario.errors import ToolError
from almario.memory.telling import Listener, hears_memory
from almario.text.claims import names_of

# A prompt tells of the tools and uses none: what they work with is loaded where it is used.
# ruff: noqa: PLC0415
if TYPE_CHECKING:
    from almario.memory.admission import Receipt
    from almario.memory.facade import Memories
    from almario.memory.rules.admission import Proposed

_PAST = 30
# The length of an id in a result.
_SHORT = 8
# The most characters of one text given to a program.
_MOST = 2000
_ASSUMED = "The agent takes it to be so."
# So many things are forgotten at once.
_AT_ONCE = 20
# Tells a model how to take back what it did.
_UNDO = "(undo: line {})"
# What the message hardly says, and has so many words of what was remembered of it, is that in other words.
_SAME = 0.4

MEMORY = {**dict.fromkeys(("id", "kind", "text", "when", "origin"), STRING), "guess": FLAG}
_HIT = dict.fromkeys(("id", "kind", "text", "when", "certainty", "place", "state"), STRING)


def memory_json(memory: Memory, zone: tzinfo) -> dict[str, Any]:
    """Return a memory as programs are told of it."""
    from almario.memory.rules.admission import is_guess

    return {
        "id": memory.id,
        "kind": memory.kind,
        "text": shortened(memory_words(memory), _MOST),
        "when": _day_of(memory, zone),
        "origin": memory.origin,
        "guess": is_guess(memory),
    }


def _hit_json(hit: Hit) -> dict[str, str]:
    return {
        "id": hit.name,
        "kind": hit.kind,
        "text": shortened(hit_words(hit), _MOST),
        "when": ", ".join(hit_dates(hit)),
        "certainty": certainty(hit.score),
        "place": hit.place,
        "state": hit.state or "live",
    }


@offer(
    "remember",
    Sentence("Remember"),
    shaped({"outcome": STRING, "memory": shaped(MEMORY), "notes": STRINGS}, optional=("memory",)),
    repeats=True,
    at_hand=True,
)
@tool("Keep what your human wants kept.", modes=MODES)
def save_memory(
    parts: Voice,
    context: Context,
    *,
    fact: Annotated[Passage, "In the third person, in your human's words and language."],
    key: Annotated[Name, 'Its topic, like "job".'] = "",
    kind: Annotated[
        Literal["fact", "profile", "episode", "instruction"] | None,
        "profile: lasting; episode: happened; instruction: how to behave.",
    ] = None,
    when: Annotated[
        Date,
        'When it was or holds: "2026-12-03", "2025/..", "../2026-11".',
    ] = "",
    situation: Annotated[Name, "Brings a reminder up, once."] = "",
    work: Annotated[bool, "Only about coding."] = False,
) -> Done:
    """Keep a fact; it is explicit if it is the owner's word and wish, and that was not granted before.

    Of a guess at what was granted in the owner's own words, only its key and time are news.
    """
    from almario.domain.cues import tidy
    from almario.memory.rules.admission import Proposed, is_guess
    from almario.memory.rules.provenance import stands_in

    memory, when = parts.memory, _dated(when)
    at = _instant_of(when, parts.vault.zone) if kind == "episode" else None
    wanted = _credited(Proposed(key, fact, kind or "", at=at, dated=when), parts, context)
    if kind == "instruction" and wanted.origin != "owner":
        raise ToolError("an instruction must be in your human's own words of this message")
    granted = _granted(parts.memory, context)
    if granted and is_guess(wanted) and _says_again(wanted.value, granted.value):
        wanted = wanted._replace(value=granted.value, origin=granted.origin, support=None)
    place = WORK if work and context.lowest != UNTRUSTED else None
    is_explicit = wanted.origin == "owner" and not granted and _is_wished(wanted, context)
    wanted = wanted._replace(source="explicit" if is_explicit else "auto", place=place)
    cues = tidy([uncontrolled(situation)])
    # Like a key, it is text that a stranger may have chosen.
    if cues and (not context.is_doubtful or stands_in(cues[0], context.message)):
        # What is so for good does not end when it has come up.
        once = wanted.kind in ("", "fact", "episode")
        wanted = wanted._replace(kind=wanted.kind or "fact", cues=cues, once=once)
    return _kept(memory.admit(wanted, actor="agent"), parts.vault.zone, context)


def _says_again(text: str, granted: str) -> bool:
    """Say whether a text only says in other words what was granted: it has no name of its own."""
    return shared_words(text, granted) >= _SAME and set(names_of(text)) <= set(names_of(granted))


def _credited(wanted: "Proposed", parts: Voice, context: Context) -> "Proposed":
    """Return what a model wants kept with its origin and evidence: whose word it is.

    A key is text that the prompt tells, too: where strangers were, or may have
    been, heard, what the owner said is noted under a key of the owner's words,
    or under none. Then it must say something by itself: "sum this up" is no fact.
    """
    from almario.conversation.origins import credit
    from almario.memory.rules.provenance import ground, stands_in

    wanted = wanted._replace(key=uncontrolled(wanted.key), value=uncontrolled(wanted.value))
    origin, support = credit(wanted.value, context, parts.memory, wish=wanted.kind == "instruction")
    key = wanted.key
    if origin == "owner" and context.is_doubtful and not stands_in(key, context.message):
        says_much = ground(wanted.value, [context.message]).stated > 1
        key, origin = ("", origin) if says_much else (key, lowest("agent", context.lowest))
    # Of another program's model it is not known that it has seen the message at all.
    evidence = () if context.caller and origin == "agent" else context.evidence
    return wanted._replace(key=key, origin=origin, evidence=evidence, support=round(support, 2))


def _granted(memory: "Memories", context: Context) -> Memory | None:
    """Return what was remembered of this message already, as it asked."""
    known = memory.list(Wanted(evidence=context.evidence)) if context.evidence else []
    return next((each for each in known if each.source == "explicit"), None)


def _is_wished(wanted: "Proposed", context: Context) -> bool:
    from almario.memory.rules.provenance import rests_on
    from almario.text.forms import REMEMBER, RULE, forms_in

    wishes = [form.text for form in forms_in(context.message) if form.kind in (REMEMBER, RULE) and form.text]
    return bool(wishes) and rests_on(wanted.value, wishes)


def _instant_of(when: str, zone: tzinfo) -> datetime | None:
    day = when.partition("/")[0].rstrip("~")
    whole = len(day) == len("2026-11-14")
    return datetime.combine(date.fromisoformat(day), time(), zone) if whole else None


def _kept(receipt: "Receipt", zone: tzinfo, context: Context) -> Done:
    """Tell what became of something that was to be kept; what was known may not be for all ears."""
    memory = receipt.memory
    if memory is None:
        raise ToolError("{why}", why="; ".join(map(str, receipt.told)))
    notes = [str(sentence) for sentence in receipt.told]
    if not hears_memory(context.audience, memory):
        noted = {"outcome": "noted", "notes": notes}
        return Done("Noted.", lowest("agent", memory.origin), receipt.told, structured=noted)
    kept = "Kept apart, as not trusted" if memory.origin == UNTRUSTED else "Kept"
    outcome = "Known already" if receipt.outcome in ("renewed", "linked") else kept
    return Done(
        f"{outcome}:\n{line_of(memory, zone)}",
        lowest("agent", memory.origin),
        (*_news(receipt, memory), *receipt.told),
        structured={"outcome": outcome.lower(), "memory": memory_json(memory, zone), "notes": notes},
    )


def _news(receipt: "Receipt", memory: Memory) -> Sequence[Sentence]:
    """Say what was kept, in one line with its undo; what was known already is no news."""
    from almario.memory.rules.admission import is_guess

    if receipt.outcome not in ("new", "superseded"):
        return ()
    what, sentence = memory.label, "remembered: {what}"
    if memory.origin == UNTRUSTED:
        sentence = "kept apart, untrusted: {what}"
    elif is_guess(memory):
        sentence = "kept as a guess: {what}"
    elif receipt.replaced:
        before = "; ".join(each.value for each in receipt.replaced)
        return (
            undoable(Sentence("remembered: {what} (before: {before})", what=what, before=before), memory.seq),
        )
    return (undoable(Sentence(sentence, what=what), memory.seq),)


@offer(
    "update",
    Sentence("Change a memory"),
    shaped({"changed": listed(MEMORY), "proposals": listed(PROPOSAL)}, optional=("changed", "proposals")),
    destroys=True,
    repeats=True,
)
@tool("Change a memory. What is no longer so is ended, not forgotten.")
def update_memory(
    parts: Voice,
    context: Context,
    *,
    id: Name,
    fact: Passage = "",
    when: Date = "",
    ended: Annotated[Date, "Its last day."] = "",
    share: Annotated[bool | None, "Others may be told."] = None,
) -> Done:
    """Change it at once, unless a stranger may have wanted that; who may hear it is asked."""
    from almario.becoming.proposals import changes_draft
    from almario.memory.amending import Amendment

    memory = parts.memory.get(id.strip())
    value = uncontrolled(fact)
    whose, support = _whose(value, memory, parts, context) if value else (None, None)
    wanted = Amendment(value, when.strip(), ended.strip(), share, whose or "owner", context.evidence)
    wanted = wanted._replace(support=support)
    changes = parts.memory.amending(memory.id, wanted)
    if not changes:
        raise ToolError("nothing would change: give fact, when, ended or share")
    if share is None and _is_wanted(memory, whose, context):
        done = parts.memory.apply(changes, actor="agent", verb="amended")
        if not done:  # somebody else has put it out of use meanwhile
            raise ToolError("memory {id} is out of use", id=memory.id)
        changed = done[0]
        return Done(
            f"Changed:\n{line_of(changed, parts.vault.zone)}\n{_UNDO.format(changed.seq)}",
            lowest("agent", changed.origin),
            (undoable(Sentence("changed: {what}", what=changed.label), changed.seq),),
            structured={"changed": [memory_json(changed, parts.vault.zone)]},
        )
    origin = lowest("agent", context.lowest, *([whose] if whose else []))
    draft = changes_draft(_ASSUMED, context.evidence, origin, "chat")
    return decided_by_the_owner([parts.proposals.submit_changes(changes, draft)])


def _whose(value: str, memory: Memory, parts: Voice, context: Context) -> tuple[Origin, float | None]:
    """Return whose word a new text is: the owner's, if the message says what is new in it.

    An order to remember may say nothing new in words: that Leo can swim, where it was that he can't. What is
    changed of the owner's own word when they alone have spoken stays theirs; the second is how much of it
    they say, as a guess is only marked.
    """
    from almario.conversation.origins import credit
    from almario.memory.rules.provenance import LEAST, ground
    from almario.text.forms import REMEMBER, forms_in

    is_owners = memory.origin == "owner" and context.lowest != UNTRUSTED and not context.caller
    new = ground(value, [context.message], [memory.text])
    is_wished = any(form.kind == REMEMBER and form.text for form in forms_in(context.message))
    if (
        is_owners
        and (new.stated or is_wished)
        and not new.invented
        and ground(value, [context.message, memory.text]).bears(LEAST)
    ):
        return "owner", None
    credited = credit(value, context, parts.memory)
    if is_owners and is_asked_alone(context):
        return "owner", round(credited.support, 2)
    return credited.origin, None


def _is_wanted(memory: Memory, whose: Origin | None, context: Context) -> bool:
    """Return whether a change may be made at once: by another program, in the owner's words alone."""
    if context.caller:
        is_named = _is_named(memory.key, memory.value, context.message)
        return context.lowest != UNTRUSTED and (whose == "owner" if whose else is_named)
    return whose != UNTRUSTED and is_asked_alone(context)


def _is_named(key: str, value: str, message: str) -> bool:
    """Return whether the owner's message has the key or a word of the value of a memory."""
    return shared_words(f"{key} {value}", message) > 0


def _dated(when: str) -> str:
    """Return a time as a memory keeps it; ToolError if it is written otherwise."""
    if when and not is_written(when):
        raise ToolError('"{date}" is not a date; write it as 2026-12-03, 2025 or 2025/..', date=when)
    return str(read(when) or when)


@offer("forget", Sentence("Forget"), shaped({"forgotten": listed(MEMORY)}), destroys=True, repeats=True)
@tool("Forget what your human wants forgotten.")
def forget(
    parts: Voice,
    context: Context,
    ids: Annotated[
        list[Name], ArgumentLimits(minItems=1, maxItems=_AT_ONCE), "As a search gives them, or words."
    ],
) -> Done:
    """Forget things by their ids, with the message that asks for it.

    For another program: what is not the owner's word, what their message names, or what they agree to.
    """
    from almario.conversation.notices import forgotten

    if context.caller is None and not (is_asked_alone(context) or _names_all(ids, parts, context)):
        raise ToolError(
            "only your human can have something forgotten, and not with a stranger's words in view; "
            'they may say "forget" with its id'
        )
    put_out = partial(parts.memory.put_out_of_mind, actor="agent", order=context.evidence)
    if context.caller is None:
        put_out(())  # the order, whatever comes of it; no undo takes that back
    hits = [_with_id(each.strip(), parts, context) for each in ids]
    if context.caller:
        if asked := _asked_about(hits, parts, context, context.caller):
            return asked
        put_out(())
    gone, zone = put_out(hits), parts.vault.zone
    lines = [line_of(memory, zone) for memory in gone] + [_hit_line(hit) for hit in hits if not hit.memory]
    return Done(
        "\n".join(["Forgotten:", *lines, _UNDO.format(gone.seq)]),
        told=tuple(forgotten(gone, hits)[:1]),
        structured={"forgotten": [memory_json(memory, zone) for memory in gone]},
    )


def _names_all(ids: Sequence[str], parts: Voice, context: Context) -> bool:
    """Return whether the owner's own message, after strangers were heard, has a word of each of these."""
    return is_own_wish(context) and all(
        _is_named(hit.key, hit.text, context.message)
        for hit in (_with_id(each.strip(), parts, context) for each in ids)
    )


def _with_id(name: str, parts: Voice, context: Context) -> Hit:
    """Return the thing of an id; ToolError lists what else may be meant, with their ids."""
    found = [hit for hit in parts.memory.meant(name).sure if name and hit.name.startswith(name)]
    if found:
        return found[0]
    found = parts.memory.recall(Query(name, hidden=context.evidence), Listener(context.audience))
    lines = "\n".join(map(_hit_line, found))
    if not lines:
        raise ToolError('"{id}" is no id, and nothing like it is remembered', id=name)
    raise ToolError('"{id}" is no id; there are:\n{lines}', id=name, lines=lines)


def _asked_about(hits: Sequence[Hit], parts: Voice, context: Context, caller: ToolCaller) -> Done | None:
    """Return the question for the owner, if a program wants to forget their words and they did not ask."""

    def is_free(hit: Hit) -> bool:
        is_owners = not hit.memory or parts.memory.get(hit.memory).origin == "owner"
        is_named = context.lowest != UNTRUSTED and _is_named(hit.key, hit.text, context.message)
        return not is_owners or is_named or name_of(hit) in caller.agreed

    if all(map(is_free, hits)):
        return None
    sentence = 'your human did not ask to forget this; "almario forget ID" is how they do it:\n{lines}'
    why = Sentence(sentence, lines="\n".join(map(_hit_line, hits)))
    choices = {name_of(hit): Sentence.own(hit_words(hit, "")) for hit in hits}
    question = (Sentence("Your agent wants to forget this. Do you agree?"), *choices.values())
    return Done(f"Error: {why}", is_error=True, question=Question(question, choices))


@tool("Keep nothing of this exchange.", reads=True)
def off_record(parts: Voice, context: Context, previous_too: bool = False) -> Done:
    """Take this exchange off the record, and the one before it if that is meant, if it is the owner's."""
    from almario.conversation.notices import off_record

    if not context.message:
        raise ToolError("only your human can take something off the record, with a message")
    if context.lowest == UNTRUSTED and not is_own_wish(context):
        ask = Sentence(
            "not off the record, as a stranger's words are in view; \"don't write this down\" does it"
        )
        return Done(f"Error: {ask}; ask them to say so", told=(ask,), is_error=True)
    gone = parts.discretion.take_back(context.session, previous=previous_too)
    done = off_record(THIS, gone, context.audience)
    return Done(done.text, told=done.told)


@tool("Undo the last change, or that of a line.")
def undo(parts: Voice, context: Context, line: int = 0) -> Done:
    """Take back what the owner wants taken back: the latest change, or one by its line of the journal."""
    from almario.conversation.notices import undone

    back = looking_back(parts)
    is_last = line in (0, back.last_undoable())
    if not (is_asked_alone(context) or (is_own_wish(context) and is_last)):
        raise ToolError(
            "only your human can have something undone, and not with a stranger's words in view; "
            'they may say "undo"'
        )
    return undone(back.undo(line, "agent"))


@offer(
    "recall",
    Sentence("Recall"),
    shaped({"found": listed(_HIT), "notes": STRINGS}),
    at_hand=True,
)
@tool("Search memory: facts, plans, notes, what was said before.", modes=MODES, reads=True)
def memory_search(
    parts: Voice,
    context: Context,
    query: Passage,
    top_k: Annotated[int, ArgumentLimits(minimum=1, maximum=20)] = 5,
    include_untrusted: bool = False,
) -> Done:
    from almario.conversation.origins import origin_of_hit

    scope, audience = Scope(include=(UNTRUSTED,) if include_untrusted else ()), context.audience
    found = parts.memory.recall(Query(query, scope, hidden=context.seen), Listener(audience, top_k))
    if_empty = "Nothing" if audience.is_private else "Nothing that may be told here"
    lines = [_hit_line(hit) for hit in found] or [f"{if_empty} is remembered about that."]
    lines += [f"({sentence})" for sentence in found.told]
    structured = {"found": list(map(_hit_json, found)), "notes": [str(each) for each in found.told]}
    origin = lowest(*(origin_of_hit(hit, parts.memory) for hit in found))
    # What strangers said is not kept fresh by being looked at.
    ids = tuple(hit.memory for hit in found if hit.memory and hit.state != UNTRUSTED)
    return Done("\n".join(lines), origin, memories=ids, structured=structured)


@offer("read", Sentence("Read a file of the memory"), usual=False)
@tool("Read a file that a search named.", reads=True)
def memory_get(
    parts: Voice,
    context: Context,
    path: Line,
    from_line: Annotated[int, ArgumentLimits(minimum=1, maximum=10_000_000)] = 0,
    lines: Annotated[int, ArgumentLimits(minimum=1, maximum=1000)] = 100,
) -> Done:
    from almario.conversation.origins import origin_of_file
    from almario.text.redaction import with_lines_in_place

    path, _, line = path.strip().partition("#")
    text = text_of(parts, path)
    every = text.removesuffix("\n").split("\n")
    first = from_line or (int(line) if line.isdecimal() and len(line) < 9 else 1)
    shown = every[first - 1 : first - 1 + lines]
    if not shown:
        raise ToolError("{path} has {count} lines", path=path, count=len(every))
    raw = "\n".join(shown)
    shown = with_lines_in_place(parts.memory.redact.text(raw), raw).split("\n")
    numbered = [f"{number}: {each}" for number, each in enumerate(shown, first)]
    head = f"{path}, lines {first}-{first + len(shown) - 1} of {len(every)}"
    return Done("\n".join([head, *numbered]), origin_of_file(path, text))


def text_of(parts: Voice, path: str) -> str:
    """Return the text of a file that may be read, without what is forgotten; secrets are still in it."""
    from almario.conversation.file_reading import in_mind, readable_file

    return in_mind(path, readable_file(parts.vault, path), parts.memory.out_of_mind())


@offer("as_of", Sentence("What was true then"), usual=False)
@tool("Tell what was true on a day, like 2026-11-14.", reads=True)
def recall_as_of(parts: Voice, context: Context, date: Date, query: Passage = "") -> Done:
    then = _instant(date.strip(), parts.vault.zone)
    known = [m for m in parts.memory.list(as_of=then) if m.kind in OWN_PASSAGE and m.origin != UNTRUSTED]
    if query:
        shared = {m.id: shared_words(query, m.text) for m in known}
        known = sorted((m for m in known if shared[m.id]), key=lambda m: -shared[m.id])
    lines = [_past_line(memory, then) for memory in known[:_PAST]]
    if len(known) > _PAST:
        lines.append(f"(and {len(known) - _PAST} more; ask with a query)")
    origin = lowest(*(memory.origin for memory in known[:_PAST]))
    return Done("\n".join(lines) or "Nothing is known of that day.", origin)


def _instant(words: str, zone: tzinfo) -> datetime:
    try:
        given = datetime.fromisoformat(words)
        if len(words) <= len("2026-11-14"):
            given = datetime.combine(date.fromisoformat(words), time.max)
        return given if given.tzinfo else given.replace(tzinfo=zone)
    except (ValueError, OverflowError) as exc:
        raise ToolError('"{date}" is not a day; write it as 2026-11-14', date=words) from exc


def line_of(memory: Memory, zone: tzinfo) -> str:
    """Return a memory as a line of a result."""
    from almario.memory.rules.admission import is_guess

    words = " ".join(memory_words(memory).split())
    guess = ", a guess" if is_guess(memory) else ""
    return f"- [{memory.kind}] {words} ({_day_of(memory, zone)}{guess}, id {memory.id[:_SHORT]})"


def _past_line(memory: Memory, then: datetime) -> str:
    words = " ".join(memory_words(memory).split())
    zone = then.tzinfo
    until = f", until {memory.valid_to.astimezone(zone).date().isoformat()}" if memory.valid_to else ""
    held = f"since {memory.valid_from.astimezone(zone).date().isoformat()}{until}"
    if validity := read(memory.dated):
        held = briefly(validity, then.date()) + (until if memory.state in OUT_OF_USE else "")
    return f"- [{memory.kind}] {words} ({held}, id {memory.id[:_SHORT]})"


def _hit_line(hit: Hit) -> str:
    label = f"[{hit.state}] " if hit.state not in ("", "earlier") else ""
    name = hit.memory[:_SHORT] or hit.turn
    place = "" if hit.turn else hit.place  # a turn's id says where it is
    facts = [*hit_dates(hit), certainty(hit.score), place, f"id {name}" if name else ""]
    return f"- [{hit.kind}] {label}{hit_words(hit)} ({', '.join(filter(None, facts))})"


def _day_of(memory: Memory, zone: tzinfo) -> str:
    """Return when a memory is from: its own time if it has one, else the day on which it was told."""
    return memory.dated or memory.at.astimezone(zone).date().isoformat()

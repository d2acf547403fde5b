"""The tools by which a model uses the memory: to keep, to forget, to find, to read."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, tzinfo
from typing import Any

from almario.conversation.discretion import Discretion
from almario.conversation.file_reading import in_mind, readable_file
from almario.conversation.origins import credit, origin_of_file, origin_of_hit
from almario.conversation.prompt_sections import memory_words, when_told, words_told
from almario.conversation.tool_calls import Context, Function, Result
from almario.conversation.tool_outputs import day_told, hit_told, memory_told
from almario.conversation.wishing import off_record
from almario.domain.memories import (
    CORRECTION,
    MIRRORED,
    OUT_OF_USE,
    OWN_PASSAGE,
    UNTRUSTED,
    Memory,
    Source,
    Wanted,
    lowest,
)
from almario.domain.messages import Sentence
from almario.domain.model import Hit, Query, Scope, certainty
from almario.domain.plain_text import uncontrolled
from almario.domain.turns import THIS
from almario.domain.validity import briefly, is_written, read
from almario.domain.words import index_terms, query_words
from almario.errors import ToolError
from almario.memory.admission import Receipt
from almario.memory.facade import Memories
from almario.memory.rules.admission import Proposed, is_guess
from almario.memory.rules.provenance import ground, rests_on, stands_in
from almario.ports import Store
from almario.text.redaction import with_lines_in_place
from almario.text.wishes import REMEMBER, wishes_in

_LIMIT = 5
_LINES = 100
_PAST = 30
# An id in a result has so many letters.
_SHORT = 8


class MemoryTools:
    """Keeps, forgets, finds and reads for a model, and holds to whose word it is."""

    def __init__(self, vault: Store, memory: Memories, discretion: Discretion) -> None:
        self._vault = vault
        self._memory = memory
        self._discretion = discretion

    def functions(self) -> dict[str, Function]:
        """Return each tool's function by its name."""
        return {
            "save_memory": self._save,
            "forget": self._forget,
            "off_record": self._off_record,
            "memory_search": self._search,
            "memory_get": self._get,
            "recall_as_of": self._as_of,
        }

    def _save(self, given: Mapping[str, Any], context: Context) -> Result:
        """Keep a fact; it is explicit if it is the owner's word and wish, and that was not granted before."""
        kind, when = given.get("kind", ""), dated(given.get("when", ""))
        fact = Proposed(str(given.get("key", "")), str(given["fact"]), kind, dated=when)
        if kind == CORRECTION and not (
            fact.key.strip() and self._memory.list(Wanted(keys=(fact.key,), kinds=MIRRORED))
        ):
            kind, fact = "instruction", fact._replace(kind="instruction")
        fact = fact._replace(at=self._at(when) if kind == "episode" else None)
        wanted = self._credited(fact, context)
        if kind == "instruction" and wanted.origin != "owner":
            raise ToolError("an instruction must be in your human's own words of this message")
        source: Source = (
            "explicit" if wanted.origin == "owner" and self._is_wished(wanted, context) else "auto"
        )
        return self._kept(self._memory.admit(wanted._replace(source=source), actor="agent"), context)

    def _is_wished(self, wanted: Proposed, context: Context) -> bool:
        wishes = [wish.text for wish in wishes_in(context.message) if wish.verb == REMEMBER]
        if not wishes or not rests_on(wanted.value, wishes):
            return False
        known = self._memory.list(Wanted(evidence=context.evidence)) if context.evidence else []
        return all(memory.source != "explicit" for memory in known)

    def _at(self, when: str) -> datetime | None:
        """Return when something happened, if its day is said."""
        day = when.partition("/")[0].rstrip("~")
        whole = len(day) == len("2026-11-14")
        return datetime.combine(date.fromisoformat(day), time(), self._vault.zone) if whole else None

    def _kept(self, receipt: Receipt, context: Context) -> Result:
        """Tell what became of something that was to be kept; what was known may not be for all ears."""
        memory = receipt.memory
        if memory is None:
            raise ToolError("{why}", why="; ".join(map(str, receipt.told)))
        notes = [str(sentence) for sentence in receipt.told]
        if not context.audience.hears_of(memory):
            noted = {"outcome": "noted", "notes": notes}
            return Result("Noted.", lowest("agent", memory.origin), receipt.told, structured=noted)
        kept = "Kept apart, as not trusted" if memory.origin == UNTRUSTED else "Kept"
        outcome = "Known already" if receipt.outcome in ("renewed", "linked") else kept
        told = memory_told(memory, self._vault.zone)
        return Result(
            f"{outcome}:\n{line_of(memory, self._vault.zone)}",
            lowest("agent", memory.origin),
            (*_news(receipt, memory), *receipt.told),
            structured={"outcome": outcome.lower(), "memory": told, "notes": notes},
        )

    def _forget(self, given: Mapping[str, Any], context: Context) -> Result:
        """Forget what the owner names in this turn, if nobody else was heard in it."""
        target = str(given["key"]).strip()
        if context.lowest == UNTRUSTED:
            raise ToolError(
                "nothing can be forgotten while a stranger's words are in view; ask your human to do it"
            )
        found = self._memory.meant(target, context.evidence)
        named = tuple(hit for hit in found.sure if is_named(hit.key, hit.text, context.message))
        if not named:
            sentence = 'your human did not ask in this message to forget "{key}"; ask them first'
            raise ToolError(sentence, key=target)
        meant = found._replace(sure=named)
        if not meant.is_one:
            lines = "\n".join(map(hit_line, named))
            raise ToolError("several match; forget them by id:\n{lines}", lines=lines)
        gone = self._memory.put_out_of_mind(meant.things(), actor="agent", order=context.evidence)
        told = Sentence("forgotten: {text}", text=gone[0].told)
        return Result(
            "\n".join(["Forgotten:", *(line_of(memory, self._vault.zone) for memory in gone)]), told=(told,)
        )

    def _off_record(self, given: Mapping[str, Any], context: Context) -> Result:
        """Take this exchange off the record, if it is the owner's."""
        if not context.message:
            raise ToolError("only your human can take something off the record, with a message")
        if context.lowest == UNTRUSTED:
            raise ToolError("nothing can be taken off the record while a stranger's words are in view")
        gone = self._discretion.take_back(context.session)
        done = off_record(THIS, gone, context.audience)
        return Result(done.text, told=done.told)

    def _search(self, given: Mapping[str, Any], context: Context) -> Result:
        include = (UNTRUSTED,) if given.get("include_untrusted") else ()
        limit = int(given.get("top_k", _LIMIT))
        scope, audience = Scope(include=include), context.audience
        query = Query(str(given["query"]), limit, scope=scope, hidden=context.seen, audience=audience)
        hits = found = self._memory.recall(query)
        nothing = "Nothing" if audience.is_private else "Nothing that may be told here"
        lines = [hit_line(hit) for hit in hits] or [f"{nothing} is remembered about that."]
        lines += [f"({sentence})" for sentence in found.told]
        structured = {"found": list(map(hit_told, hits)), "notes": [str(each) for each in found.told]}
        origin = lowest(*(origin_of_hit(hit, self._memory) for hit in hits))
        # What strangers said is not kept fresh by being looked at.
        ids = tuple(hit.memory for hit in hits if hit.memory and hit.state != UNTRUSTED)
        return Result("\n".join(lines), origin, memories=ids, structured=structured)

    def text_of(self, path: str) -> str:
        """Return the text of a file that may be read, without what is forgotten; secrets are still in it."""
        return in_mind(path, readable_file(self._vault, path), self._memory.out_of_mind())

    def _get(self, given: Mapping[str, Any], context: Context) -> Result:
        path, _, line = str(given["path"]).strip().partition("#")
        text = self.text_of(path)
        lines = text.removesuffix("\n").split("\n")
        first = int(given.get("from_line", 0)) or (int(line) if line.isdecimal() and len(line) < 9 else 1)
        shown = lines[first - 1 : first - 1 + int(given.get("lines", _LINES))]
        if not shown:
            raise ToolError("{path} has {count} lines", path=path, count=len(lines))
        raw = "\n".join(shown)
        shown = with_lines_in_place(self._memory.without_secrets(raw), raw).split("\n")
        numbered = [f"{number}: {each}" for number, each in enumerate(shown, first)]
        head = f"{path}, lines {first}-{first + len(shown) - 1} of {len(lines)}"
        return Result("\n".join([head, *numbered]), origin_of_file(path, text))

    def _as_of(self, given: Mapping[str, Any], context: Context) -> Result:
        then = self._instant(str(given["date"]).strip())
        known = [m for m in self._memory.as_of(then) if m.kind in OWN_PASSAGE and m.origin != UNTRUSTED]
        if query := str(given.get("query", "")):
            terms = {term for word in query_words(query) for term, _ in word.terms}
            shared = {m.id: len(terms.intersection(index_terms(m.text))) for m in known}
            known = sorted((m for m in known if shared[m.id]), key=lambda m: -shared[m.id])
        lines = [_past_line(memory, then) for memory in known[:_PAST]]
        if len(known) > _PAST:
            lines.append(f"(and {len(known) - _PAST} more; ask with a query)")
        origin = lowest(*(memory.origin for memory in known[:_PAST]))
        return Result("\n".join(lines) or "Nothing is known of that day.", origin)

    def _credited(self, wanted: Proposed, context: Context) -> Proposed:
        """Return what a model wants kept with its origin and evidence: whose word it is.

        A key is text that the prompt tells, too: where strangers were, or may have
        been, heard, what the owner said is noted under a key of the owner's words,
        or under none. Then it must say something by itself: "sum this up" is no fact.
        """
        wanted = wanted._replace(key=uncontrolled(wanted.key), value=uncontrolled(wanted.value))
        origin, support = credit(wanted.value, context, self._memory)
        key = wanted.key
        is_doubtful = context.lowest == UNTRUSTED or context.caller is not None
        if origin == "owner" and is_doubtful and not stands_in(key, context.message):
            says_much = ground(wanted.value, [context.message]).told > 1
            key, origin = ("", origin) if says_much else (key, lowest("agent", context.lowest))
        # Of another program's model it is not known that it has seen the message at all.
        evidence = () if context.caller and origin == "agent" else context.evidence
        wanted = wanted._replace(key=key, origin=origin, evidence=evidence)
        return wanted._replace(support=round(support, 2))

    def _instant(self, words: str) -> datetime:
        """Return the instant that is meant; a day means its end."""
        try:
            given = datetime.fromisoformat(words)
            if len(words) <= len("2026-11-14"):
                given = datetime.combine(date.fromisoformat(words), time.max)
            return given if given.tzinfo else given.replace(tzinfo=self._vault.zone)
        except (ValueError, OverflowError) as exc:
            raise ToolError('"{date}" is not a day; write it as 2026-11-14', date=words) from exc


def is_named(key: str, value: str, message: str) -> bool:
    """Say whether the owner's message has the key or a word of the value of a memory."""
    said = set(index_terms(message))
    words = [word for text in (key, value) for word in query_words(text)]
    return any(said.intersection(term for term, _ in word.terms) for word in words)


def dated(when: str) -> str:
    """Return a time as a memory keeps it; ToolError if it is written otherwise."""
    if when and not is_written(when):
        raise ToolError('"{date}" is not a date; write it as 2026-12-03, 2025 or 2025/..', date=when)
    return str(read(when) or when)


def _news(receipt: Receipt, memory: Memory) -> Sequence[Sentence]:
    if receipt.outcome not in ("new", "superseded"):
        return ()
    if memory.origin == UNTRUSTED:
        return (Sentence("kept apart, untrusted: {what}", what=memory.told),)
    if is_guess(memory):
        return (Sentence("kept as a guess: {what}", what=memory.told),)
    gone = tuple(Sentence("no longer: {what}", what=each.told) for each in receipt.replaced)
    return (Sentence("remembered: {what}", what=memory.told), *gone)


def line_of(memory: Memory, zone: tzinfo) -> str:
    """Return a memory as a line of a result."""
    words = " ".join(memory_words(memory).split())
    guess = ", a guess" if is_guess(memory) else ""
    return f"- [{memory.kind}] {words} ({day_told(memory, zone)}{guess}, id {memory.id[:_SHORT]})"


def _past_line(memory: Memory, then: datetime) -> str:
    words = " ".join(memory_words(memory).split())
    zone = then.tzinfo
    until = f", until {memory.valid_to.astimezone(zone).date().isoformat()}" if memory.valid_to else ""
    held = f"since {memory.valid_from.astimezone(zone).date().isoformat()}{until}"
    if validity := read(memory.dated):
        held = briefly(validity, then.date()) + (until if memory.state in OUT_OF_USE else "")
    return f"- [{memory.kind}] {words} ({held}, id {memory.id[:_SHORT]})"


def hit_line(hit: Hit) -> str:
    """Return something that was found as a line of a result."""
    label = f"[{hit.state}] " if hit.state not in ("", "earlier") else ""
    facts = [*when_told(hit), certainty(hit.score), f"id {hit.memory[:_SHORT]}" if hit.memory else hit.place]
    return f"- [{hit.kind}] {label}{words_told(hit)} ({', '.join(facts)})"

"""What a conversation teaches: the question put to a model, and what may be taken from its answer.

The model only proposes. How much of it the turns say is measured: what they
say is the word of whoever said it; what they hardly say is the agent's guess;
what has nothing to do with them, or merely repeats what memory had told, does
not come in.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, time, timedelta, tzinfo
from math import log
from typing import Any, cast

from almario.conversation.echoes import echoes
from almario.conversation.grounding import Conversation, Grounding, Rests, visible
from almario.conversation.instructions import (
    ABOUT_CUES,
    ABOUT_OWNER,
    ABOUT_STRANGERS,
    AS_ASKED,
    EARLIER_TURNS,
    EXAMPLES,
    FROM_OWNER,
    FROM_STRANGERS,
    KEY_LENGTH,
    KNOWN,
    LATER,
    STAYS,
    VALUE_LENGTH,
)
from almario.conversation.meaning import Meaning, passages_of
from almario.domain.memories import MIRRORED, UNTRUSTED, Kind, Memory, lowest, same_key, same_value
from almario.domain.messages import say
from almario.domain.places import WORK
from almario.domain.plain_text import estimate_tokens, indented, regex, shortened, uncontrolled
from almario.domain.talk import Ask, Message
from almario.domain.turns import CUT, Turn, lowest_of
from almario.domain.validity import read
from almario.domain.validity import time_phrase as phrase_of_time
from almario.domain.words import forms_of, sentences_in, shared_words
from almario.memory.cue_writing import fit, rule
from almario.memory.rules.admission import Act, Proposed, is_guess, since_when
from almario.memory.rules.dating import dated_episode, dated_fact
from almario.memory.rules.provenance import LIST_ITEM, SUPPOSED
from almario.named_tuples import NamedTuple
from almario.structured_reply import fenced
from almario.text.timewords import spans
from almario.text.tongues import written_in

# What is known already is shown in so many tokens.
KNOWN_TOKENS = 900
# So many memories that share most words are compared by meaning; words count half as much.
_COMPARED, _BY_WORDS = 200, 0.5
# An answer has at most so many tokens: a small model that goes round and round would not end otherwise.
_REPLY_TOKENS = 2000
# A memory of the owner's may be of any length; one that was learned is shown whole.
_LONGEST_KNOWN = KEY_LENGTH + 2 * VALUE_LENGTH
# How much of the end of each earlier turn is shown.
_END = 400
# What the agent alone said, with so many words of what memory had told it, is memory in other words.
_PARROTED = 0.5
# The most guesses kept from one answer.
_MOST_GUESSES = 5
# A text of this many words must have at least this share of new ones to say something.
_LONG, _LEAST_NEW = 24, 0.4
# What is known so long after a conversation was said later, and that is told.
_LATER = timedelta(days=1)
# What an entry does to a memory that was shown.
_TOUCHING = regex(r"(renews|replaces|ends|adds) (k\d+(?:, ?k\d+)*)")
# A question mark within a link asks nothing.
_QUESTION = regex(r"¿|\?(?=\W*(?:\s|$))")


class Extraction(NamedTuple):
    """What an answer brought: facts of all kinds, the summary, and how many *dropped* had no ground."""

    facts: tuple[Proposed, ...] = ()
    summary: str = ""
    dropped: int = 0


def question(talk: Conversation) -> Ask:
    """Return what a model is asked about a conversation; every turn of it says something."""
    shown = "\n".join(_shown(turn, talk.zone) for turn in talk.turns)
    if talk.before:
        earlier = "\n".join(_shown_before(turn) for turn in talk.before)
        shown = f"{EARLIER_TURNS}\n{earlier}\n\n{shown}"
    if not talk.is_trusted:
        quoted = (Message("user", fenced("strangers", shown)),)
        return Ask(quoted, stable=ABOUT_STRANGERS, schema=FROM_STRANGERS, most=_REPLY_TOKENS)
    last = talk.turns[-1].at + _LATER
    later = {memory.id for memory in talk.memories if since_when(memory) > last}
    known = "\n".join(
        f"{name} {_known(memory, is_later=memory.id in later)}" for name, memory in talk.known_by_name.items()
    )
    heads = {KNOWN: True, LATER: later, STAYS: AS_ASKED in known}
    heading = "".join(head for head, is_so in heads.items() if is_so)
    changing = f"{heading}:\n{known}" if known else ""
    text = " ".join(turn.text for turn in talk.turns)
    example, cues = EXAMPLES.get(written_in(text, talk.language), EXAMPLES["en"]), rule(talk.language)
    stable = f"{ABOUT_OWNER}\n\n{example}\n\n{ABOUT_CUES.format(rule=cues)}"
    asked = (Message("user", shown),)
    return Ask(asked, stable=stable, changing=changing, schema=FROM_OWNER, most=2 * _REPLY_TOKENS)


def nearest(memories: Sequence[Memory], texts: Sequence[str], meaning: Meaning) -> tuple[Memory, ...]:
    """Return the memories that have most to do with some texts, by their meaning and the words they share.

    Rare words count more. The latest come with them, as far as there is room; the oldest stand first.
    """
    wanted = {forms[-1] for text in texts for forms in forms_of(text)}
    terms = {memory.id: {forms[-1] for forms in forms_of(memory.text)} for memory in memories}
    counts = Counter(term for own in terms.values() for term in own)

    def weight(own: Collection[str]) -> float:
        return sum(log(1 + len(terms) / counts[term]) for term in own)

    worth = {
        name: _BY_WORDS * weight(own & wanted) / weight(own) if own else 0.0 for name, own in terms.items()
    }
    ranked = sorted(memories, key=lambda each: (-worth[each.id], -each.seq))
    passages = passages_of(texts)
    for memory in ranked[:_COMPARED]:
        worth[memory.id] += meaning.nearest(memory.text, passages).cosine
    chosen: list[Memory] = []
    room = KNOWN_TOKENS
    for memory in sorted(ranked, key=lambda each: -worth[each.id]):
        room -= estimate_tokens(f"k00 {_known(memory)}")
        if room < 0:
            break
        chosen.append(memory)
    # In an order that stays, so that providers can cache it.
    return tuple(sorted(chosen, key=lambda each: (each.at, each.seq)))


def learned(talk: Conversation, answer: Mapping[str, Any]) -> Extraction:
    """Return what may be taken from an answer that fits the question's schema."""
    reading = _Reading(talk)
    facts = [reading.fact(each) for each in answer["facts"]]
    facts += [reading.episode(each) for each in answer["episodes"]]
    summary = ""
    if talk.is_trusted:
        wishes = (*answer.get("instructions", ()), *answer.get("corrections", ()))
        facts += [reading.instruction(each) for each in wishes]
        summary = reading.summary(answer["summary"])
    found = _without_repeats([fact for fact in facts if fact])
    kept = _with_few_guesses(found)
    dropped = sum(fact is None for fact in facts) + len(found) - len(kept)
    if summary:
        # In the agent's own words, whoever spoke.
        origin, evidence = lowest("agent", lowest_of(talk.turns)), tuple(turn.id for turn in talk.turns)
        at = talk.turns[-1].at
        kept += (Proposed("", summary, "summary", "auto", origin, evidence, at),)
    return Extraction(kept, summary, dropped)


def _with_few_guesses(facts: Sequence[Proposed]) -> tuple[Proposed, ...]:
    """Leave out all but the best guesses: who guesses much has not listened."""
    guesses = sorted(filter(is_guess, facts), key=lambda fact: -(fact.support or 0))
    return tuple(fact for fact in facts if fact not in guesses[_MOST_GUESSES:])


def _without_repeats(facts: Sequence[Proposed]) -> tuple[Proposed, ...]:
    """Tell once what is said again, also as an episode beside a fact; the evidence is joined."""
    kept: dict[tuple[str, str], Proposed] = {}
    for fact in facts:
        name = (fact.key, same_value(fact.value))
        if fact.kind == "episode":
            name = next((earlier for earlier in kept if earlier[1] == name[1]), name)
        first = kept.get(name, fact)
        evidence = tuple(dict.fromkeys([*first.evidence, *fact.evidence]))
        kept[name] = first._replace(evidence=evidence, origin=lowest(first.origin, fact.origin))
    return tuple(kept.values())


class _Reading:
    """Reads the entries of an answer; None is one that the conversation does not bear out."""

    def __init__(self, talk: Conversation) -> None:
        self._talk = talk
        self._grounding = Grounding(talk)

    def fact(self, entry: Mapping[str, Any]) -> Proposed | None:
        """What was only supposed is a guess until somebody confirms it; so is what only the agent said."""
        act, memory, _ = self._touched(entry)
        known = memory if act == "renews" else None
        value = _one_line(entry.get("value") or (known.value if known else ""), VALUE_LENGTH)
        key = self._key(entry.get("key") or (known.key if known else ""), value)
        value = value[len(key) + 1 :].strip() if key and value.startswith(f"{key}:") else value
        kind = entry.get("kind") or (known.kind if known else "fact")
        found = self._proposed(key, value, kind, self._beside(entry).of(value, entry["turns"], key))
        found = self._touching(found, entry)
        if found and (situation := " ".join(str(entry.get("situation", "")).split())):
            # What the agent promised is its own to bring up.
            return found._replace(kind="fact", at=self._stated_at(found), cues=(situation,), once=True)
        if not found:
            return None
        is_agents = all(turn.role == "assistant" for turn in self._evidence(found))
        if entry.get("guess") or (self._talk.is_trusted and (is_agents or self._is_only_supposed(found))):
            found = found._replace(support=min(found.support or 0.0, SUPPOSED), supposed=True)
        stated = self._stated_at(found)
        when = str(entry.get("when", ""))
        if known and not when and value == known.value:
            dated = known.dated
        else:
            dated = dated_fact(when, value, stated.date(), key=key, is_promise=is_agents)
        # What hardly ever changes is no plan: a birthday comes every year.
        validity = read(dated)
        is_plan = validity and validity.first and validity.last
        cues = fit(entry.get("cues", ()), value)
        return found._replace(dated="" if kind == "profile" and is_plan else dated, at=stated, cues=cues)

    def episode(self, entry: Mapping[str, Any]) -> Proposed | None:
        """What happened is told in the log, where no guess belongs."""
        text = _one_line(entry["text"], VALUE_LENGTH)
        grounds = self._grounding.of(text, entry["turns"], guess=False)
        found = self._touching(self._proposed("", text, "episode", grounds), entry)
        return self._happened(found, entry) if found and not self._is_only_supposed(found) else None

    def instruction(self, entry: Mapping[str, Any]) -> Proposed | None:
        """Somebody must have told the agent how to behave: it cannot tell itself.

        Under the key of a fact that is known, it is that fact's new value.
        """
        known = [memory for memory in self._talk.memories if _is_correction(entry, memory)]
        if known:
            found = self.fact({**entry, "kind": known[0].kind})
            return found._replace(act=found.act or "replaces") if found else None
        value = _one_line(entry["value"], VALUE_LENGTH)
        key = say(self._talk.language, "behaviour")
        grounds = self._grounding.of(value, entry["turns"], wish=True)
        found = self._touching(self._proposed(key, value, "instruction", grounds), entry)
        if not found or all(turn.role != "user" for turn in self._evidence(found)):
            return None
        return found._replace(at=self._stated_at(found))

    def summary(self, given: str) -> str:
        """Return what of a summary the turns bear out."""
        text = _in_paragraphs(uncontrolled(given))
        return "" if _is_going_round(text) else self._grounding.of_summary(text)

    def _proposed(self, key: str, value: str, kind: Kind, grounds: Rests) -> Proposed | None:
        """Return what a text proposes if it is a statement that the conversation bears out."""
        evidence, origin, support = grounds
        if not evidence or _QUESTION.search(value) or _is_going_round(value):
            return None
        if self._is_repeated(value, evidence):
            return None
        ids = tuple(turn.id for turn in evidence)
        return Proposed(key, value, kind, "auto", origin, ids, support=round(support, 2))

    def _touching(self, found: Proposed | None, entry: Mapping[str, Any]) -> Proposed | None:
        """Return a text with what it does to a memory that is known, and whether it is of work."""
        if not found:
            return None
        act, memory, also = self._touched(entry)
        also = also if act in ("replaces", "ends") else ()
        found = found._replace(place=WORK) if entry.get("work") else found
        return found._replace(act=act, of=memory.id, also=also) if memory else found

    def _touched(self, entry: Mapping[str, Any]) -> "tuple[Act, Memory | None, tuple[str, ...]]":
        """Return what an entry does to a memory that was shown, and the others to which it does the same."""
        named = _TOUCHING.fullmatch(str(entry.get("known", "")).strip())
        names = named[2].replace(" ", "").split(",") if named else []
        found = [memory for name, memory in self._talk.known_by_name.items() if name in names]
        act = cast("Act", named[1]) if named and found else ""
        return act, found[0] if found else None, tuple(memory.id for memory in found[1:])

    def _beside(self, entry: Mapping[str, Any]) -> Grounding:
        """Return what measures an entry: one that tells a memory anew says again what still holds of it."""
        memory = self._touched(entry)[1]
        return Grounding(self._talk, memory) if memory else self._grounding

    def _is_only_supposed(self, found: Proposed) -> bool:
        return self._grounding.is_only_supposed(found.value, self._evidence(found))

    def _evidence(self, found: Proposed) -> list[Turn]:
        return [turn for turn in self._talk.turns if turn.id in found.evidence]

    def _stated_at(self, found: Proposed) -> datetime:
        return self._evidence(found)[-1].at.astimezone(self._talk.zone)

    def _happened(self, found: Proposed, entry: Mapping[str, Any]) -> Proposed:
        """Return an episode with its time; one that is still to come is a plan."""
        stated = self._stated_at(found)
        sentences = sentences_in(visible(self._evidence(found)[-1]))
        nearest = max(sentences, key=lambda sentence: shared_words(found.value, sentence), default="")
        dated = dated_episode(str(entry.get("date", "")), found.value, (nearest,), stated.date())
        when = read(dated)
        if when is None or when.named == (stated.date(), stated.date()):
            hour = _hour(str(entry.get("time", ""))) or stated.time()
            return found._replace(at=datetime.combine(stated.date(), hour, self._talk.zone))
        if when.is_ahead(stated.date()):
            return found._replace(kind="fact", dated=dated, at=stated)
        if when.is_day:
            at = datetime.combine(
                when.first_day, _hour(str(entry.get("time", ""))) or time(), self._talk.zone
            )
            return found._replace(at=at, dated=dated)
        # It is told in the log of the day on which it was told, so it says when it was.
        is_dated = bool(spans(found.value, stated.date()))
        when_words = "" if is_dated else f" ({say(self._talk.language, phrase_of_time(when, stated.date()))})"
        return found._replace(value=found.value + when_words, at=stated, dated=dated)

    def _key(self, given: str, value: str) -> str:
        key = " ".join(given.split()).strip(" :")
        if key not in self._talk.keys:
            key = key.replace("_", " ")
        is_key = any(c.isalpha() for c in key) and len(key) <= KEY_LENGTH and key != value
        return key if is_key and self._grounding.is_topic(key) else ""

    def _is_repeated(self, value: str, evidence: Collection[Turn]) -> bool:
        """Return whether a text is only the agent's: what memory had told it, or all that a turn states."""
        if any(turn.role != "assistant" for turn in evidence):
            return False
        texts = [visible(turn).replace(CUT, "") for turn in evidence]
        texts += [" ".join(each for each in sentences_in(text) if "?" not in each) for text in texts]
        whole = {_one_line(text, VALUE_LENGTH) for text in texts}
        return (
            value in whole
            or bool(echoes(value, self._talk.given))
            or shared_words(value, *self._talk.given) >= _PARROTED
        )


def _is_going_round(text: str) -> bool:
    """Return whether a small model got lost and said the same few words over and over."""
    words = text.casefold().split()
    return len(words) >= _LONG and len(set(words)) < len(words) * _LEAST_NEW


def _is_correction(entry: Mapping[str, Any], memory: Memory) -> bool:
    key = same_key(str(entry.get("key", "")))
    return bool(key) and memory.kind in MIRRORED and same_key(memory.key) == key


def _shown(turn: Turn, zone: tzinfo) -> str:
    head = f"[{turn.n}] {turn.at.astimezone(zone):%a %Y-%m-%d %H:%M} {_speaker(turn)}"
    return f"{head}: {indented(visible(turn))}"


def _shown_before(turn: Turn) -> str:
    """Return how a turn ends that was learned from before: with the question that is answered now."""
    text = visible(turn)
    return f"{_speaker(turn)}: {indented(text if len(text) <= _END else f'… {text[-_END:]}')}"


def _speaker(turn: Turn) -> str:
    nameless = (
        "assistant" if turn.role == "assistant" else "document" if turn.origin == UNTRUSTED else "owner"
    )
    return _one_line(turn.speaker or nameless, 40)


def _known(memory: Memory, *, is_later: bool = False) -> str:
    since = memory.at if memory.dated else memory.valid_from
    later = f"said {since:%Y-%m-%d}" if is_later else ""
    mark = "a guess" if is_guess(memory) else AS_ASKED if memory.source == "explicit" else ""
    more = ", ".join(filter(None, (memory.dated, later, mark)))
    return _one_line(memory.text, _LONGEST_KNOWN) + (f" ({more})" if more else "")


def _one_line(text: str, most: int) -> str:
    return shortened(_flat(uncontrolled(text)), most)


def _in_paragraphs(text: str) -> str:
    """Return a text in one line, but for the items of lists."""
    lines: list[str] = []
    for line in map(_flat, text.splitlines()):
        if lines and line and not LIST_ITEM.match(line):
            lines[-1] = f"{lines[-1]} {line}"
        elif line:
            lines.append(line)
    return "\n".join(lines)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _hour(text: str) -> time | None:
    with suppress(ValueError):
        return time.fromisoformat(text)
    return None

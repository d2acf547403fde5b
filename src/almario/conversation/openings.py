"""What is answered where no model does: what anybody says first, what is planned, and what comes to mind.

Which of these a message is, the reader guesses; it is answered in its own language. What is said here is not
kept: it says nothing that memory and the soul's files do not say.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from itertools import dropwhile

from almario.conversation.portraits import Portraits
from almario.conversation.told_since import ToldSince
from almario.domain.audiences import Audience
from almario.domain.documents.identity import identity_value, parse_identity
from almario.domain.documents.lines import without_comments
from almario.domain.memories import Memory, Wanted
from almario.domain.messages import LANGUAGES, CommandLine, Sentence, say
from almario.domain.model import LIKELY, Hit, Query
from almario.domain.opening_kinds import (
    ALOUD,
    ANSWERS,
    ASKING,
    BEYOND,
    COMING,
    CORRECTION,
    DANGER,
    GROUP_OF,
    OPENINGS,
    TELLING,
    TO_DO,
    WORK,
)
from almario.domain.plain_text import in_one_line, regex, shortened
from almario.domain.plans import Plan
from almario.domain.portrait import PortraitSentence, Theme
from almario.domain.validity import by_name, next_time, read, time_phrase, time_phrase_of
from almario.domain.vocabulary import CERTAINTIES, WEEKDAYS, hit_state
from almario.domain.withheld import MASK
from almario.domain.words import SMALL, all_forms, fold, names_in, sentences_in
from almario.memory.facade import Memories
from almario.memory.recall import is_small_talk
from almario.named_tuples import NamedTuple
from almario.ports import Store
from almario.text.intentions import is_name, name_keys, undated
from almario.text.questions import QuestionKind, asked_again, read_question
from almario.text.reader import parts_of
from almario.text.tongues import language_of, likelier_in, spelled_words, words_of
from almario.text.wishes import besides_orders, wish_in

# Sentences per theme, and about who somebody is, and how long each may be.
_OF_THEME, _OF_SOMEBODY, _FAR, _LONGEST = 3, 3, 240, 300
HEADINGS: dict[Theme, Sentence] = {
    "you": Sentence("You"),
    "people": Sentence("Your people"),
    "work": Sentence("Work"),
    "health": Sentence("Health"),
    "plans": Sentence("Plans"),
    "manner": Sentence("How you want me to be"),
}
# Commands that answers name.
_COMMANDS = {
    "model": CommandLine("almario model"),
    "listing": CommandLine("almario memory list"),
    "serve": CommandLine("almario serve"),
}
# So many plans are listed, and what is to be done on no day is looked for among so many new memories.
_PLANS, _NEWEST = 8, 40
# Where nothing likely comes to mind, a question is taken for what anybody says first from this chance on.
_CHANCE = 0.25
# And from this one on, what is read as nothing else is a question, or asks for work.
_LEAST_CHANCE = 0.1
# A loss is heard in a clause from this one on.
SORROW, _GRIEF = "sorrow", 0.6
# What may be meant to last is not passed over in silence from this one on.
_MAY_LAST = 0.3
# What is answered here, those that are answered to the owner alone, and how many of one message.
_ANSWERED = tuple(each for each in OPENINGS if each not in (ASKING, TELLING, TO_DO))
_ASKED_FOR = (COMING, "clock", BEYOND)
_FELT = tuple(each for each in OPENINGS if GROUP_OF[each] == "feeling" and each != ALOUD)
_POLITE = {each for each in OPENINGS if GROUP_OF[each] == "courtesy"} - {"reaction", "noise"}
# Said after a danger, these may be about it, and get this answer.
_AFTER_DANGER = "after_danger"
_SLIGHT = {each for each in OPENINGS if GROUP_OF[each] == "courtesy"} | {ALOUD, "mood", CORRECTION}
_ABOUT_OWNER, _BOTH = ("about_me", "who_am_i", "privacy", COMING), 2
# The answers to these say that there is no model.
_OF_NO_MODEL = frozenset({"help", "who_are_you", BEYOND, "model", "cost", "privacy"})
# These may be asked of others, too: "who is Inés?".
_OF_PERSONS = {"about_me", "who_are_you", "who_am_i", "your_name", "how_are_you"}
# So many of what comes to mind are told, and of those that are so near to the best.
_HITS, _NEAR = 3, 0.6
# What was only said is likely to help, or shares a word with the question; of memories that are less likely
# than this, most would be told where nothing is known.
_LEAST = (LIKELY, 0.12)
# If none is told, so many are named as the nearest, from this one on: the owner sees if it is that.
_NEAREST, _NEAR_AT_ALL = 2, 0.03

_ONLY_SAID = Sentence("said, not remembered")
_SINCE = 'but since then you said "{words}"'
_NAMELESS = Sentence('I don\'t know your name yet. Tell me: "remember that my name is …".')
# What says who somebody is, and the keys under which a name is kept.
_OWN: tuple[Theme, ...] = ("you", "work", "people")
_NO_NAME = regex(r", (?=[!.:,;])")


class Unaided(NamedTuple):
    """What is said without a model, and the memories that it tells."""

    text: str = ""
    recalled: tuple[Hit, ...] = ()


class Openings:
    """Answers without a model, from the files of one agent and its memory."""

    def __init__(self, vault: Store, memory: Memories, portraits: Portraits, language: str) -> None:
        self._vault = vault
        self._memory = memory
        self._portraits = portraits
        self._language = language
        self._since = ToldSince(vault, memory)
        # What is said to these is looked up; to the others, there is a sentence.
        self._found: dict[str, Callable[[_Hears, str], str]] = {
            "about_me": self._known,
            "who_am_i": self._somebody,
            "who_are_you": self._self,
            COMING: self._coming,
            "clock": self._clock,
            BEYOND: self._declined,
        }

    def in_language_of(
        self, message: str, notices: Sequence[Sentence], earlier: Sequence[str] = ()
    ) -> tuple[Sentence, ...]:
        """Return notices as they are told to whoever wrote a message, which may be in another language."""
        language = self._spoken(message, earlier)
        if language == self._language:
            return tuple(notices)
        return tuple(Sentence.own(say(language, each)) for each in notices)

    def asked_in_full(self, message: str, earlier: Sequence[str]) -> str:
        """Return what a message asks that leaves out what the one before asked; nothing, if it is whole."""
        asked, today = "", self._vault.now().date()
        if not asked_again(message, "", today):
            return ""
        for each in earlier:
            asked = asked_again(each, asked, today) if asked else ""
            asked = asked or (each if self._memory.embedding.asks(each) else "")
        return asked and asked_again(message, asked, today)

    def _spoken(self, message: str, earlier: Sequence[str]) -> str:
        """Return the language of a message: a few words are in that of what was said before them."""
        language = self._language
        for each in (*earlier, message):
            language = likelier_in(each, language, LANGUAGES)
        return language

    def answer(
        self,
        message: str,
        audience: Audience,
        earlier: Sequence[str] = (),
        *,
        is_done: bool = False,
        is_kept: bool = False,
        fails: bool = False,
    ) -> Unaided:
        """Answer a message, as far as an audience may hear it; nothing if that is not for them.

        A few words go on with what was said *earlier*, and are in its language.
        *is_done*: it was dealt with, but for a question in it; *is_kept*: it is remembered.
        *fails*: the model that is set does not reply.
        """
        language, question = self._spoken(message, earlier), self.asked_in_full(message, earlier)
        # Of "and me?", if nothing answers it, what is known of them does.
        is_own = (
            bool(question) and not all_forms(message) and words_of("oneself") & set(spelled_words(message))
        )
        message = question or message
        hears = self._hears(language, audience)
        recalled = cache(lambda: self._memory.recall(Query(self._asking(message))))
        openings = [each for each in self._openings(message, recalled) if not question or each == COMING]
        today = self._vault.now().date()
        asked = read_question(message, today)
        if asked.filters and all(time.last < today for time in asked.times):
            openings = [each for each in openings if each != COMING]  # what is over is remembered
        work = self._work(message)
        # "Got it?" after what is told asks for nothing.
        heard = map(self._memory.embedding.opening, sentences_in(message))
        asks_anew = work or not is_done or not {ASKING, BEYOND}.isdisjoint(heard)
        if is_done:
            kept = [each for each in openings if each != ALOUD and (each != BEYOND or asks_anew)]
            openings = ["welcome" if each == "greeting" else each for each in kept]
        if is_kept and self._memory.embedding.is_to_do(message):
            openings = [TO_DO]
        elif openings and _SLIGHT.issuperset(openings) and self._is_worried(earlier):
            openings = [_AFTER_DANGER]
        if openings and not (_OF_PERSONS.issuperset(openings) and self._is_of_another(message)):
            is_left = fails and not _OF_NO_MODEL.isdisjoint(openings)
            every = [self._opening(each, message, hears) for each in openings]
            is_lost = audience.is_private and not is_done and not fails and self._may_last(message)
            is_felt = {*_FELT, ALOUD}.issuperset(openings)
            if is_lost and is_felt:
                every.append(hears.answer("unnoted"))
            # "Long day today. Where is the spare key?"
            asking = self._asking(message) if is_felt and audience.is_private else message
            best = self._best(asking, recalled()) if asking != message else []
            every += [self._found_for(read_question(asking, today), best, hears)] if best else []
            return Unaided("" if is_left else "\n\n".join(every), tuple(best))
        likelier = self._memory.embedding.opening(
            message, chance=_LEAST_CHANCE, among=(ASKING, TELLING, TO_DO, BEYOND)
        )
        asks = self._asks(message) or (likelier == ASKING and not is_done)
        if not audience.is_private or ((is_done or fails) and not asks):
            return Unaided()
        best = self._best(message, recalled()) if asks else []
        found = self._found_for(asked, best, hears) if asks else ""
        if found or (asks and (fails or not asks_anew)):
            return Unaided(found, tuple(best))
        if asks and is_own:
            return Unaided(self._somebody(hears, message))
        if work or (likelier == BEYOND and not asks):
            return Unaided(self._declined(hears, message))
        unclear = _AFTER_DANGER if self._is_worried(earlier) else "unclear"
        return Unaided(self._unknown(message, recalled(), hears) if asks else hears.answer(unclear))

    def _is_worried(self, earlier: Sequence[str]) -> bool:
        """Return whether somebody has just spoken of a danger: what they add is no small talk."""
        return any(map(self._memory.embedding.danger, earlier))

    def _hears(self, language: str, audience: Audience) -> "_Hears":
        own = identity_value(self._read("IDENTITY.md"), "name")
        facts = {"own": own, "place": self._vault.place, **_COMMANDS}
        return _Hears(language, self._owner(audience), facts, audience)

    def _unknown(self, question: str, recalled: Iterable[Hit], hears: "_Hears") -> str:
        """Say that nothing answers a question for sure, and name the nearest memories, if any are near."""
        asked, today = all_forms(question), self._vault.now().date()
        known = (hit for hit in recalled if hit.memory and hit.text not in question)
        near = [hit for hit in known if hit.score >= _NEAR_AT_ALL or asked & all_forms(hit.text)]
        lines = self._told(question, near[:_NEAREST], hears, today)
        return "\n".join([hears.answer("nearest"), *lines]) if lines else hears.answer("unknown")

    def _found_for(self, asked: QuestionKind, best: Sequence[Hit], hears: "_Hears") -> str:
        """Tell what comes to mind for a question; the plans, if it asks for those and the rest is over."""
        ahead = self._memory.embedding.opening(asked.text, chance=_CHANCE, among=(COMING,))
        is_over = all((time := read(hit.dated)) and time.is_over(asked.today) for hit in best)
        if is_over and (ahead if best else asked.times and self._plans_for(asked)):
            return self._coming(hears, asked.text)
        return "\n".join(self._told(asked.text, best, hears, asked.today))

    def _told(self, question: str, hits: Sequence[Hit], hears: "_Hears", today: date) -> list[str]:
        """Tell what comes to mind for a question, each with what was said since about the same."""
        every = list(map(self._as_kept, hits))
        shown = {question, *(each.text for each in every)}
        lines: list[str] = []
        for hit in every:
            evidence = self._memory.get(hit.memory).evidence if hit.memory else (hit.turn,)
            since = [] if hit.state == "earlier" else self._since.of(hit.text, evidence, shown)
            shown.update(since)
            lines += [hears.hit(hit, today, is_sure=not since), *map(hears.since, since)]
        return lines

    def _as_kept(self, hit: Hit) -> Hit:
        """Return a hit as its owner may see it: with what no model is told, and as remembered if it is."""
        if MASK in hit.text:
            whole = {each.name: each.text for each in self._memory.withheld()}
            hit = hit._replace(text=whole.get(hit.memory or hit.turn, hit.text), key="")
        kept = self._memory.list(Wanted(evidence=(hit.turn,))) if hit.turn and not hit.memory else []
        return hit._replace(memory=kept[0].id) if kept else hit

    def _best(self, question: str, recalled: Sequence[Hit]) -> list[Hit]:
        """Return what comes to mind, and is about as good as the best: no request, and no small talk.

        What names nobody whom the question names may be of somebody else; not if it was said since of them.
        """
        since = {hit.by for hit in recalled if hit.state == "earlier"}
        read, asked, named = self._memory.embedding, all_forms(question), set(names_in(question))
        # What is told before a question in the same message may answer it.
        asking = self._asking(question)
        said = asking + self._memory.without_secrets(asking)
        found = [
            hit
            for hit in recalled
            if not is_small_talk(hit, read)
            and hit.text not in said
            and asking not in hit.text
            and (hit.text not in question or all_forms(asking) & all_forms(hit.text))
            and (not named or named & all_forms(hit.text) or hit.text in since)
            and not (hit.turn and not hit.agent_said and self._is_request(hit.text))
            and (
                hit.score > _LEAST[bool(hit.memory)]
                or (not hit.memory and asked.intersection(all_forms(hit.text)))
            )
        ]
        return [hit for hit in found if hit.score >= _NEAR * found[0].score][:_HITS]

    def _asking(self, message: str) -> str:
        """Return a message from its first question on; all of it, if it asks nothing."""
        asks = self._memory.embedding.asks
        return " ".join(dropwhile(lambda each: not asks(each), sentences_in(message))) or message

    def _openings(self, text: str, recalled: Callable[[], Iterable[Hit]]) -> list[str]:
        """Return what of a message is answered here: what is asked of us, or felt, or else a courtesy."""
        read = self._memory.embedding
        if wish_in(text):
            return []
        whole, asks = read.danger(text) or read.opening(text), self._asks(text)
        # "My husband died. I don't know why I'm telling you" asks nothing about us.
        is_lost = SORROW in self._felt(text) and "?" not in text
        if whole in _ANSWERED and not (is_lost and GROUP_OF[whole] == "itself"):
            return [whole]
        parts, clauses = read.openings(text), parts_of(text)
        tells = TELLING in (whole, *parts)
        is_told = tells and not asks
        about = [each for each in parts if GROUP_OF[each] == "itself" or each in _ASKED_FOR if not is_told]
        felt = [each for each in (*self._felt(text), *parts) if each in _FELT]
        about = [] if is_lost else about
        # "Please" at the end is no thanks, and after "wait" comes what matters.
        is_more = tells or any(map(read.asks, clauses[1:]))
        polite = [each for each in map(read.opening, clauses[:1]) if each in _POLITE and not is_more]
        if is_told and any(read.opening(each, among=("greeting",)) for each in (text, *clauses[:1])):
            polite = ["greeting"]
        # What needs a model is named by the others.
        if found := [each for each in about if each != BEYOND][:_BOTH] or (about or felt or polite)[:1]:
            return found
        if is_told or (asks and any(hit.memory and hit.score >= LIKELY for hit in recalled())):
            return []
        # A question of another kind may be one of these as well.
        maybe, *first = (read.opening(each, chance=_CHANCE) for each in (text, *clauses[:1]))
        every = (maybe, BEYOND if BEYOND in first else "", read.opening(text, among=_ANSWERED))
        return [each for each in every if each in _ANSWERED and each not in DANGER][:1]

    def _felt(self, text: str) -> list[str]:
        """Return what is felt in a message: a loss is heard in a clause, whatever else it tells."""
        read = self._memory.embedding
        grief = [read.opening(each, chance=_GRIEF, among=(SORROW,)) for each in parts_of(text)]
        return [*grief, read.opening(text, among=_FELT)]

    def _may_last(self, message: str) -> bool:
        """Return whether a message that was not kept may have told something that lasts."""
        return self._memory.embedding.read(message).lasts >= _MAY_LAST and not self._asks(message)

    def is_sad(self, message: str) -> bool:
        """Return whether a message tells of a loss, or of a sorrow."""
        return SORROW in self._felt(message)

    def _is_request(self, text: str) -> bool:
        """Return whether a message asks, or wants something done, and tells nothing besides."""
        read = self._memory.embedding
        is_work = read.opening(text, chance=_LEAST_CHANCE, among=(TELLING, TO_DO, BEYOND)) == BEYOND
        return is_work or read.asks(text) or not besides_orders(text)

    def _asks(self, text: str) -> bool:
        read = self._memory.embedding
        return any(map(read.asks, sentences_in(text) or [text])) or any(map(read.is_beside, parts_of(text)))

    def _opening(self, opening: str, message: str, hears: "_Hears") -> str:
        if opening in _ABOUT_OWNER and not hears.audience.is_private:
            return hears.sentence(Sentence("I'd rather tell you that when we're alone."))
        if opening == "your_name" and not hears.facts["own"]:
            opening = "who_are_you"
        found = self._found.get(opening)
        return found(hears, message) if found else hears.answer(opening, message)

    def _declined(self, hears: "_Hears", message: str) -> str:
        """Say what of a message needs a model, by its name if that is likely, and what does not."""
        return f"{hears.answer(self._work(message) or BEYOND)} {hears.answer('able')}"

    def _work(self, message: str) -> str:
        """Return which of the work that needs a model a message asks for, or a clause of it, if any."""
        read = self._memory.embedding
        found = (read.opening(each, among=WORK) for each in (message, *parts_of(message)))
        return next(filter(None, found), "")

    def _clock(self, hears: "_Hears", _: str) -> str:
        now = self._vault.now()
        day, weekday = by_name(now.date().isoformat()), WEEKDAYS[now.weekday()]
        it_is = "It is {time} here, {weekday} {day}."
        return hears.sentence(Sentence(it_is, time=f"{now:%H:%M}", weekday=weekday, day=day))

    def _is_of_another(self, message: str) -> bool:
        """Return whether a question is for somebody else: "who is Inés?", "who lent me the drill?"."""
        clauses = [{fold(word) for word in spelled_words(each)} for each in (*parts_of(message), message)]
        words = next((each for each in clauses if words_of("who") & each), clauses[-1])
        asks_who = words_of("who") & words and not words_of("you") & words
        light = SMALL.union(*map(words_of, ("asking", "recalling", "i_am")))
        if asks_who and words - light:
            return True
        last = names_in(message)[-1:] if "?" in message else []
        own = fold(identity_value(self._read("IDENTITY.md"), "name")).split()
        return bool(last) and last[0] not in own and fold(message.rstrip(" ?!.")).endswith(last[0])

    def _coming(self, hears: "_Hears", message: str) -> str:
        """Tell the plans of the time that a message names, or all."""
        asked = read_question(message, self._vault.now().date())
        plans, undated = self._plans_for(asked), [] if asked.times else self._to_do()
        if not plans and not undated:
            return hears.answer("free" if asked.times else "no_plans")
        every = [*((each.memory, hears.plan(each)) for each in plans), *undated]
        lines: list[str] = []
        shown = {memory.value for memory, _ in every}
        changed = {each.memory.id for each in plans if each.since}
        for memory, line in every[:_PLANS]:
            since = [] if memory.id in changed else self._since.of(memory.value, memory.evidence, shown)
            lines += [f"- {line}", *map(hears.since, since)]
        more = [Sentence("And {more} more.", more=len(every) - _PLANS)] if len(every) > _PLANS else []
        return "\n".join([*lines, *map(hears.sentence, more)])

    def _to_do(self) -> list[tuple[Memory, str]]:
        """Return what is to be done and has no day, the newest first, each as it is shown."""
        newest = self._memory.list(Wanted(origins=("owner",), newest=True, limit=_NEWEST))
        open_ = [each for each in newest if not each.dated and self._memory.embedding.is_to_do(each.value)]
        return [(each, shortened(in_one_line(each.value), _FAR)) for each in open_]

    def _plans_for(self, asked: QuestionKind) -> list[Plan]:
        """Return the plans of the time that a question names, or all; what comes again, as it does then."""
        plans = self._memory.plans()
        if not asked.times:
            return list(plans)
        then = max(asked.today, asked.times[0].first)
        plans = [each._replace(when=next_time(each.memory.dated, then) or each.when) for each in plans]
        return [each for each in plans if asked.fits([(each.when.first_day, each.when.last_day)])]

    def _known(self, hears: "_Hears", _: str) -> str:
        """Tell a few sentences on each theme, and how many more there are."""
        written, found = self._written(), self._portraits.page(audience=hears.audience)
        total = len(found.sentences) + found.more + sum(part.more for part in found.parts)
        if not total and not written:
            return hears.sentence(
                Sentence('Not much yet, {name}. Tell me something to keep: "remember that I live in Porto".'),
                Sentence('Nothing yet. Tell me something to keep: "remember that my name is …".'),
            )
        lines = [hears.sentence(Sentence("This is what I know about you, {name}:"))]
        lines += [f"- {each}" for each in written]
        shown = [(hears.sentence(HEADINGS[part.theme]), part.sentences[:_OF_THEME]) for part in found.parts]
        lines += [f"- {heading}: {' '.join(map(hears.known, some))}" for heading, some in shown]
        if more := total - sum(len(some) for _, some in shown):
            lines.append(hears.sentence(Sentence("And {more} more.", more=more)))
        return "\n".join(lines)

    def _somebody(self, hears: "_Hears", _: str) -> str:
        found = self._portraits.page(audience=hears.audience)
        own = [each for part in found.parts if part.theme in _OWN for each in part.sentences]
        sure = [each for each in own if not each.guess and not each.earlier]
        names = [each for each in sure if fold(self._memory.get(each.evidence[0]).key) in name_keys()]
        lines = map(hears.known, [*names, *(each for each in sure if each not in names)][:_OF_SOMEBODY])
        known = [*self._written()[:_OF_SOMEBODY], *lines]
        # Their name may be in what is known of them, in whatever words.
        is_named = bool(hears.name and not names) or not known
        who = [hears.sentence(Sentence("You are {name}."), _NAMELESS)] if is_named else []
        return " ".join([*who, *known])

    def _self(self, hears: "_Hears", _: str) -> str:
        fields = {field.name: field.value for field in parse_identity(self._read("IDENTITY.md"))}
        name = " ".join(filter(None, (fields.get("name"), fields.get("emoji"))))
        sentences = [hears.sentence(Sentence("I am {name}.", name=name))] if name else []
        sentences += [_ended(fields[each]) for each in ("creature", "role", "vibe") if fields.get(each)]
        soul = [line for line in without_comments(self._read("SOUL.md")).splitlines() if line.strip()]
        own = next((line for line in soul if not line.lstrip().startswith(("#", "-", "*", ">"))), "")
        sentences += [shortened(each, _FAR) for each in sentences_in(own)[:1]]
        sentences.append(hears.answer("kind"))
        return " ".join(sentences)

    def _owner(self, audience: Audience) -> str:
        if not audience.is_private:
            return ""
        named = self._memory.list(Wanted(keys=name_keys(), origins=("owner",)))
        known = [memory.value for memory in named if is_name(memory.value)]
        return known[-1] if known else identity_value(self._read("USER.md"), "name")

    def _written(self) -> list[str]:
        """Return what the owner wrote of themselves by hand, but for the name."""
        lines = (line.strip().lstrip("-*+ ") for line in without_comments(self._read("USER.md")).splitlines())
        kept = (line for line in lines if line and not line.startswith("#"))
        return [_ended(shortened(line, _FAR)) for line in kept if not identity_value(line, "name")]

    def _read(self, name: str) -> str:
        return self._memory.without_secrets(self._vault.read(name).text)


class _Hears(NamedTuple):
    """Who is spoken to: in which language, and by which name; and the facts of all that is said."""

    language: str
    name: str
    facts: Mapping[str, object]
    audience: Audience

    def answer(self, kind: str, message: str = "") -> str:
        """Return what is answered to a kind of opening, in other languages too if the *message* is in one."""
        texts, language = ANSWERS[kind], self.language
        if texts.keys() > set(LANGUAGES):
            language = language_of(message) or likelier_in(message, language, tuple(texts))
        return self.sentence(Sentence(texts.get(language, texts[self.language])))

    def sentence(self, sentence: Sentence, nameless: Sentence | None = None) -> str:
        """Return a sentence in their language; the *nameless* one, if their name is not known."""
        chosen = sentence if self.name or nameless is None else nameless
        text = say(self.language, chosen.text, **{"name": self.name, **self.facts, **chosen.facts})
        return text if self.name else _NO_NAME.sub("", text)

    def known(self, sentence: PortraitSentence) -> str:
        text = shortened(sentence.text, _FAR)
        marks = [word for word, is_so in (("maybe", sentence.guess), ("earlier", sentence.earlier)) if is_so]
        mark = ", ".join(say(self.language, each) for each in marks)
        return f"{text[:-1]} ({mark})." if mark and text.endswith(".") else text

    def hit(self, hit: Hit, today: date, *, is_sure: bool = True) -> str:
        """Tell what comes to mind: with its time, or when it was told; if *is_sure*, how sure it is."""
        text = f"{hit.key}: {hit.text}" if hit.key else hit.with_mark(say(self.language, hit.mark))
        time = time_phrase_of(hit.dated, today)
        day = say(self.language, time) if time else hit.day.isoformat() if hit.day else ""
        sure = _ONLY_SAID if hit.turn and not hit.memory else CERTAINTIES[hit.certainty] if is_sure else ""
        words = (say(self.language, each) for each in (hit_state(hit), sure) if each)
        return f"- {shortened(in_one_line(text), _LONGEST)} ({', '.join(filter(None, (day, *words)))})"

    def since(self, words: str) -> str:
        return f"  - {say(self.language, _SINCE, words=shortened(in_one_line(words), _FAR))}"

    def plan(self, plan: Plan) -> str:
        when, text = plan.how_far or time_phrase(plan.when, plan.today), in_one_line(plan.memory.label)
        text = undated(text, plan.today) if plan.how_far else text
        since = f", {say(self.language, plan.said_since)}" if plan.said_since else ""
        return f"{shortened(text, _FAR)} ({say(self.language, when)}{since})"


def _ended(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."

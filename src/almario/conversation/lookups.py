"""What is told without a model, from the files of an agent and its memory.

None of it is kept: it says nothing that memory and files do not say.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from almario.conversation.portraits import Portraits
from almario.domain.audiences import Audience
from almario.domain.documents.identity import identity_value, parse_identity
from almario.domain.documents.lines import without_comments
from almario.domain.memories import Memory, Wanted
from almario.domain.messages import LANGUAGES, CommandLine, Sentence, say
from almario.domain.model import LIKELY, Hit
from almario.domain.opening_kinds import ANSWERS, COMING
from almario.domain.plain_text import in_one_line, regex, shortened
from almario.domain.plans import Plan
from almario.domain.portrait import PortraitSentence, Theme
from almario.domain.validity import by_name, next_time, time_phrase, time_phrase_of
from almario.domain.vocabulary import WEEKDAYS, hit_state
from almario.domain.withheld import MASK
from almario.domain.words import fold, sentences_in
from almario.memory.facade import Memories
from almario.named_tuples import NamedTuple
from almario.ports import Store
from almario.text.intentions import is_name, name_keys, undated
from almario.text.questions import QuestionKind
from almario.text.tongues import language_of, likelier_in

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
# What is told to the owner alone.
_ABOUT_OWNER = ("about_me", "who_am_i", "privacy", COMING)

_NAMELESS = Sentence('I don\'t know your name yet. Tell me: "remember that my name is …".')
# What says who somebody is, and the keys under which a name is kept.
_OWN: tuple[Theme, ...] = ("you", "work", "people")
_NO_NAME = regex(r", (?=[!.:,;])")


class Speech(NamedTuple):
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
        return self.sentence(Sentence(texts.get(language, texts["en"])))

    def sentence(self, sentence: Sentence, nameless: Sentence | None = None) -> str:
        """Return a sentence in their language; the *nameless* one, if their name is not known."""
        chosen = sentence if self.name or nameless is None else nameless
        text = say(self.language, chosen.text, **{"name": self.name, **self.facts, **chosen.facts})
        return text if self.name else _NO_NAME.sub("", text)


class Lookups:
    """Finds what is told of an agent, its owner and their plans, and says it."""

    def __init__(self, vault: Store, memory: Memories, portraits: Portraits) -> None:
        self._vault = vault
        self._memory = memory
        self._portraits = portraits

    def speech(self, language: str, audience: Audience) -> Speech:
        """Return how an audience is spoken to."""
        own = identity_value(self._read("IDENTITY.md"), "name")
        facts = {"own": own, "place": self._vault.place, **_COMMANDS}
        return Speech(language, self._owner() if audience.is_private else "", facts, audience)

    def told(self, kind: str, message: str, asked: QuestionKind, speech: Speech) -> str:
        """Return what is told to a message of a kind."""
        if kind in _ABOUT_OWNER and not speech.audience.is_private:
            return speech.sentence(Sentence("I'd rather tell you that when we're alone."))
        found: Mapping[str, Callable[[Speech], str]] = {
            "about_me": self._known,
            "who_am_i": self.somebody,
            "who_are_you": self._self,
            "clock": self._clock,
        }
        if kind == COMING:
            return self.coming(asked, speech)
        if kind in found or (kind == "your_name" and not speech.facts["own"]):
            return found.get(kind, self._self)(speech)
        return speech.answer(kind, message)

    def remembered(self, question: str, hits: Sequence[Hit], speech: Speech, lead: str = "") -> str:
        """Tell what comes to mind for a question."""
        every, today = list(map(self._as_kept, hits)), self._vault.now().date()
        lines = [f"- {_shown(hit, today, speech)}" for hit in every]
        if not lead:
            is_own = all(each.quote for each in every)
            sure = Sentence("You told me:") if is_own else Sentence("I remember:")
            lead = speech.sentence(sure if hits[0].score >= LIKELY else Sentence("This may be it:"))
        return "\n".join([lead, *lines])

    def told_before(self, hits: Sequence[Hit], speech: Speech) -> str:
        """Tell what was told before about what is told now."""
        today = self._vault.now().date()
        return "\n".join(
            [speech.answer("beside"), *(f"- {_shown(self._as_kept(hit), today, speech)}" for hit in hits)]
        )

    def coming(self, asked: QuestionKind, speech: Speech) -> str:
        """Tell the plans of the time that a question names, or all, and what is to be done on no day."""
        plans = [each for each in self.plans_for(asked) if not self._is_done(each)]
        undated_ones = [] if asked.times else to_do_in(self._memory)
        every = [
            *((each.memory, _planned(each, speech), bool(each.since)) for each in plans),
            *((each, shortened(in_one_line(each.value), _FAR), False) for each in undated_ones),
        ]
        lines = [f"- {line}" for _, line, _ in every[:_PLANS]]
        if more := len(every[_PLANS:]):
            lines.append(speech.sentence(Sentence("And {more} more.", more=more)))
        return "\n".join(lines) or speech.answer("free" if asked.times else "no_plans")

    def _is_done(self, plan: Plan) -> bool:
        """Return whether what was to be done seems to be, by what was said since; what only moved is not."""
        is_to_do = self._memory.embedding.is_to_do
        is_other = plan.since is not None and not is_to_do(plan.since.value)
        return is_other and is_to_do(plan.memory.value)

    def plans_for(self, asked: QuestionKind) -> list[Plan]:
        """Return the plans of the time that a question names, or all; what comes again, as it does then."""
        plans = list(self._memory.plans())
        if not asked.times:
            return plans
        then = max(asked.today, asked.times[0].first)
        plans = [each._replace(when=next_time(each.memory.dated, then) or each.when) for each in plans]
        return [each for each in plans if asked.fits([(each.when.first_day, each.when.last_day)])]

    def somebody(self, speech: Speech) -> str:
        """Tell in a few sentences who the owner is."""
        found = self._portraits.page(audience=speech.audience)
        own = [each for part in found.parts if part.theme in _OWN for each in part.sentences]
        sure = [each for each in own if not each.guess and not each.earlier]
        names = [each for each in sure if fold(self._memory.get(each.evidence[0]).key) in name_keys()]
        lines = [*names, *(each for each in sure if each not in names)][:_OF_SOMEBODY]
        known = [*self._written()[:_OF_SOMEBODY], *(_known(each, speech) for each in lines)]
        # Their name may be in what is known of them, in whatever words.
        is_named = bool(speech.name and not names) or not known
        who = [speech.sentence(Sentence("You are {name}."), _NAMELESS)] if is_named else []
        return " ".join([*who, *known])

    def is_of_another(self, name: str) -> bool:
        """Return whether a name is not the agent's."""
        return name not in fold(identity_value(self._read("IDENTITY.md"), "name")).split()

    def _as_kept(self, hit: Hit) -> Hit:
        """Return a hit as its owner may see it: with what no model is told, and as remembered if it is."""
        if MASK in hit.text:
            whole = {each.name: each.text for each in self._memory.withheld()}
            hit = hit._replace(text=whole.get(hit.memory or hit.turn, hit.text), key="")
        kept = self._memory.list(Wanted(evidence=(hit.turn,))) if hit.turn and not hit.memory else []
        return hit._replace(memory=kept[0].id) if kept else hit

    def _clock(self, speech: Speech) -> str:
        now = self._vault.now()
        day, weekday = by_name(now.date().isoformat()), WEEKDAYS[now.weekday()]
        it_is = "It is {time} here, {weekday} {day}."
        return speech.sentence(Sentence(it_is, time=f"{now:%H:%M}", weekday=weekday, day=day))

    def _known(self, speech: Speech) -> str:
        """Tell a few sentences on each theme, and how many more there are."""
        written, found = self._written(), self._portraits.page(audience=speech.audience)
        total = len(found.sentences) + found.more + sum(part.more for part in found.parts)
        if not total and not written:
            return speech.sentence(
                Sentence('Not much yet, {name}. Tell me something to keep: "remember that I live in Porto".'),
                Sentence('Nothing yet. Tell me something to keep: "remember that my name is …".'),
            )
        shown = [(HEADINGS[part.theme], part.sentences[:_OF_THEME]) for part in found.parts]
        lines = [speech.sentence(Sentence("This is what I know about you, {name}:"))]
        lines += [f"- {each}" for each in written]
        for heading, some in shown:
            lines.append(f"- {speech.sentence(heading)}: {' '.join(_known(each, speech) for each in some)}")
        if more := total - sum(len(some) for _, some in shown):
            lines.append(speech.sentence(Sentence("And {more} more.", more=more)))
        return "\n".join(lines)

    def _self(self, speech: Speech) -> str:
        fields = {field.name: field.value for field in parse_identity(self._read("IDENTITY.md"))}
        name = " ".join(filter(None, (fields.get("name"), fields.get("emoji"))))
        sentences = [speech.sentence(Sentence("I am {name}.", name=name))] if name else []
        sentences += [_ended(fields[each]) for each in ("creature", "role", "vibe") if fields.get(each)]
        soul = [line for line in without_comments(self._read("SOUL.md")).splitlines() if line.strip()]
        own = next((line for line in soul if not line.lstrip().startswith(("#", "-", "*", ">"))), "")
        sentences += [shortened(each, _FAR) for each in sentences_in(own)[:1]]
        return " ".join([*sentences, speech.answer("kind")])

    def _owner(self) -> str:
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


def to_do_in(memory: Memories) -> list[Memory]:
    """Return what is to be done, has no day and is not done, the newest first."""
    newest = memory.list(Wanted(origins=("owner",), newest=True, limit=_NEWEST))
    to_do = [each for each in newest if not each.dated and memory.embedding.is_to_do(each.value)]
    done = memory.earlier(to_do)
    return [each for each in to_do if each.id not in done]


def _shown(hit: Hit, today: date, speech: Speech) -> str:
    """Return what comes to mind with its time, or when it was told, and whether it still holds."""
    text = f"{hit.key}: {hit.text}" if hit.key else hit.with_mark(say(speech.language, hit.mark))
    told_on = by_name(hit.day.isoformat()) if hit.day and hit.day != today else ""
    facts = (time_phrase_of(hit.dated, today) or told_on, hit_state(hit))
    beside = ", ".join(say(speech.language, each) for each in facts if each)
    return f"{shortened(in_one_line(text), _LONGEST)}{f' ({beside})' if beside else ''}"


def _planned(plan: Plan, speech: Speech) -> str:
    when, text = plan.how_far or time_phrase(plan.when, plan.today), in_one_line(plan.memory.label)
    text = undated(text, plan.today) if plan.how_far else text
    since = f", {say(speech.language, plan.said_since)}" if plan.said_since else ""
    return f"{shortened(text, _FAR)} ({say(speech.language, when)}{since})"


def _known(sentence: PortraitSentence, speech: Speech) -> str:
    text = shortened(sentence.text, _FAR)
    marks = [word for word, is_so in (("maybe", sentence.guess), ("earlier", sentence.earlier)) if is_so]
    mark = ", ".join(say(speech.language, each) for each in marks)
    return f"{text[:-1]} ({mark})." if mark and text.endswith(".") else text


def _ended(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."

"""What anybody says first, answered where no model does: greetings, who it is, who they are, what it knows.

Which of these a message is, the reader guesses; whatever else it may be goes on to what comes to mind. What
is said here is not kept: it says nothing that memory and the soul's files do not say.
"""

from collections.abc import Mapping

from almario.conversation.portraits import Portraits
from almario.domain.audiences import Audience
from almario.domain.documents.identity import identity_value, parse_identity
from almario.domain.documents.lines import without_comments
from almario.domain.memories import Wanted
from almario.domain.messages import LANGUAGES, Sentence, say
from almario.domain.plain_text import regex, shortened
from almario.domain.portrait import Portrait, PortraitSentence, Theme
from almario.domain.words import fold, names_in, sentences_in
from almario.memory.facade import Memories
from almario.named_tuples import NamedTuple
from almario.ports import Store
from almario.text.intentions import is_name
from almario.text.reader import ABOUT_OWNER
from almario.text.tongues import written_in

# Sentences per theme, and about who somebody is, and how long each may be.
_OF_THEME, _OF_SOMEBODY, _FAR = 3, 3, 240
HEADINGS: dict[Theme, Sentence] = {
    "you": Sentence("You"),
    "people": Sentence("Your people"),
    "work": Sentence("Work"),
    "health": Sentence("Health"),
    "plans": Sentence("Plans"),
    "manner": Sentence("How you want me to be"),
}
_HELP = Sentence(
    'Tell me things, and I will keep them: "remember that I live in Porto". '
    'Ask for them later: "where do I live?", or "what do you know about me?". '
    'If you no longer want me to know it: "forget that I live in Porto". '
    'What you say "between us" I do not write down. '
    "For everything else I need a language model, and none is connected now."
)

_NAMELESS = Sentence('I don\'t know your name yet. Tell me: "remember that my name is …".')
# What says who somebody is, and the keys under which a name is kept.
_OWN: tuple[Theme, ...] = ("you", "work", "people")
_NO_NAME = regex(r", (?=[!.:])")
_NAMES = ("name", "nombre", "nome", "nom")
_KIND = Sentence(
    "I am a program, not a person: what you tell me, in English or Spanish, I keep in files that are yours. "
    "No language model is connected now, so I answer from memory alone."
)


class Openings:
    """Answers what anybody says first, from the files of one agent and its memory."""

    def __init__(self, vault: Store, memory: Memories, portraits: Portraits, language: str) -> None:
        self._vault = vault
        self._memory = memory
        self._portraits = portraits
        self._language = language

    def answer(self, opening: str, message: str, audience: Audience) -> str:
        """Return what is said to an opening, in its language, as far as an audience may hear it."""
        tongue = written_in(message, self._language)
        language = tongue if tongue in LANGUAGES else self._language
        own = identity_value(self._read("IDENTITY.md"), "name")
        hears = _Hears(language, self._owner(audience), {"own": own, "place": self._vault.place})
        if opening in ABOUT_OWNER and not audience.is_private:
            return hears.sentence(Sentence("I would rather tell you that when we are alone."))
        if opening == "about_me":
            return self._known(hears, self._portraits.page(audience=audience))
        if opening == "who_am_i":
            return self._somebody(hears, self._portraits.page(audience=audience))
        if opening == "who_are_you" or (opening == "your_name" and not own):
            return self._self(hears)
        return hears.sentence(_SENTENCES[opening])

    def is_of_another(self, message: str) -> bool:
        """Return whether a question ends with somebody's name that is not the agent's: "who is Inés?"."""
        last = names_in(message)[-1:] if "?" in message else []
        own = fold(identity_value(self._read("IDENTITY.md"), "name")).split()
        return bool(last) and last[0] not in own and fold(message.rstrip(" ?!.")).endswith(last[0])

    def _known(self, hears: "_Hears", found: Portrait) -> str:
        """Tell a few sentences on each theme, and how many more there are."""
        written = self._written()
        total = len(found.sentences) + found.more + sum(part.more for part in found.parts)
        if not total and not written:
            return hears.sentence(
                Sentence('Not much yet, {name}. Tell me something to keep: "remember that I live in Porto".'),
                Sentence('Nothing yet. Tell me something to keep: "remember that my name is …".'),
            )
        lines = [hears.sentence(Sentence("This is what I know about you, {name}:"))]
        lines += [f"- {each}" for each in written]
        count = 0
        for part in found.parts:
            some = part.sentences[:_OF_THEME]
            count += len(some)
            lines.append(f"- {hears.sentence(HEADINGS[part.theme])}: {' '.join(map(hears.known, some))}")
        if total > count:
            lines.append(hears.sentence(Sentence("And {more} more.", more=total - count)))
        return "\n".join(lines)

    def _somebody(self, hears: "_Hears", found: Portrait) -> str:
        own = [each for part in found.parts if part.theme in _OWN for each in part.sentences]
        sure = [each for each in own if not each.guess and not each.earlier]
        names = [each for each in sure if fold(self._memory.get(each.evidence[0]).key) in _NAMES]
        lines = map(hears.known, [*names, *(each for each in sure if each not in names)][:_OF_SOMEBODY])
        known = [*self._written()[:_OF_SOMEBODY], *lines]
        # Their name may be in what is known of them, in whatever words.
        is_named = bool(hears.name and not names) or not known
        who = [hears.sentence(Sentence("You are {name}."), _NAMELESS)] if is_named else []
        return " ".join([*who, *known])

    def _self(self, hears: "_Hears") -> str:
        card = self._read("IDENTITY.md")
        fields = {field.name: field.value for field in parse_identity(card)}
        name = " ".join(filter(None, (fields.get("name"), fields.get("emoji"))))
        sentences = [hears.sentence(Sentence("I am {name}.", name=name))] if name else []
        sentences += [_ended(fields[each]) for each in ("creature", "role", "vibe") if fields.get(each)]
        soul = [line for line in without_comments(self._read("SOUL.md")).splitlines() if line.strip()]
        own = next((line for line in soul if not line.lstrip().startswith(("#", "-", "*", ">"))), "")
        sentences += [shortened(each, _FAR) for each in sentences_in(own)[:2]]
        sentences.append(hears.sentence(_KIND))
        return " ".join(sentences)

    def _owner(self, audience: Audience) -> str:
        if not audience.is_private:
            return ""
        named = self._memory.list(Wanted(keys=_NAMES, origins=("owner",)))
        told = [memory.value for memory in named if is_name(memory.value)]
        return told[-1] if told else identity_value(self._read("USER.md"), "name")

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

    def sentence(self, sentence: Sentence, nameless: Sentence | None = None) -> str:
        """Return a sentence in their language; the *nameless* one, if their name is not known."""
        chosen = sentence if self.name or nameless is None else nameless
        text = say(self.language, chosen.text, **{"name": self.name, **self.facts, **chosen.facts})
        return text if self.name else _NO_NAME.sub("", text)

    def known(self, sentence: PortraitSentence) -> str:
        text = shortened(sentence.text, _FAR)
        maybe = say(self.language, "maybe")
        return f"{text[:-1]} ({maybe})." if sentence.guess and text.endswith(".") else text


def _ended(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


# What is said to each opening; to somebody without a name, without it.
_SENTENCES = {
    "help": _HELP,
    "greeting": Sentence("Hello, {name}! I'm here. Tell me something to remember, or ask what I can do."),
    "how_are_you": Sentence("I'm fine, thank you, {name}: a program has no bad days. And you?"),
    "thanks": Sentence("You're welcome, {name}."),
    "farewell": Sentence("See you, {name}. I'll keep what you told me."),
    "sorrow": Sentence("I'm sorry, {name}. I'm listening. Somebody close to you can do more than I can now."),
    "memory": Sentence(
        "What you ask me to remember I still know tomorrow and next year: it is kept in files of yours. "
        'What you want gone goes with "forget that …", and "undo" brings it back.'
    ),
    "model": Sentence(
        "I am a program of its own, neither ChatGPT nor Siri, and no language model is connected now: "
        'I answer from memory alone. "almario model" says how to connect one.'
    ),
    "cost": Sentence(
        "I cost nothing and need no account. A language model from elsewhere may cost something, and none is "
        "connected now."
    ),
    "languages": Sentence("I understand English and Spanish: write as you like, also both at once."),
    "your_name": Sentence("I am {own}: that is the name in IDENTITY.md, and you can change it there."),
    "privacy": Sentence(
        "What you tell me is kept in files of yours, in {place}: whoever can open them can read them. "
        "There is no language model now that could read along, and I need no internet. "
        'What you say "between us" I do not write down, and "forget that …" puts it out of my mind.'
    ),
}

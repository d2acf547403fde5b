"""Pages that answer a standing question: who is the owner, who is Inés?

Without a model a page is told by rule: each memory is a sentence, under the theme it is nearest to. That is
a guess, and only decides where it stands.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date

from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.documents.identity import identity_value
from almario.domain.memories import OWN_PASSAGE, Memory, Wanted
from almario.domain.portrait import KnownPerson, Portrait, PortraitPart, PortraitSentence, Theme
from almario.domain.words import fold
from almario.errors import SoulError
from almario.memory.facade import Memories
from almario.memory.rules.admission import is_guess
from almario.ports import Store
from almario.text.persons import NamedPerson, is_named, people_in

# So many memories are looked at for a page: wishes and the profile first, then the newest.
_LOOKED_AT = 600
# So many sentences stand under a theme of the owner's page, and on somebody else's.
_MOST, _MOST_OF_PERSON = 8, 40
# A sentence of fewer words does not stand without its key: "born: 3 May".
_FEW_WORDS = 4
_OWNER_PARTS: tuple[Theme, ...] = ("you", "people", "work", "health", "plans", "manner")
# What people say of themselves under each theme, in short, to see which one a memory is nearest to.
_SAID: Mapping[str, Sequence[str]] = {
    "you": (
        "lives in a small flat",
        "le gusta el café sin azúcar",
        "the car needs a new tyre",
        "plays the guitar and runs on Sundays",
        "rent, mortgage, bank account",
        "vive en el centro",
        "her birthday is in May",
        "favourite film",
        "speaks French",
    ),
    "people": (
        "her sister is a nurse",
        "mi hermano vive en otra ciudad",
        "his wife's name is Ana",
        "la hija de su amiga cumple años",
        "their son goes to school",
        "a friend from the club",
    ),
    "work": (
        "works as an engineer at a company",
        "job, salary, boss, colleagues, office",
        "trabaja en una empresa como analista",
        "studies law at the university",
        "el proyecto del equipo se entrega el viernes",
        "her thesis, exams, classes",
    ),
    "health": (
        "takes medicine for high blood pressure",
        "allergic to nuts",
        "tiene una operación de rodilla en el hospital",
        "va al médico, al dentista, al psicólogo",
        "diagnosed with asthma",
        "is pregnant, sober, on a diet for diabetes",
    ),
}
# What a memory may be about whose kind does not say it.
_THEMES: tuple[Theme, ...] = ("you", "people", "work", "health")
# What names somebody is nearer to people by so much; and what is near to none is about the owner.
_NAMES_SOMEBODY, _IN_DOUBT = 0.04, 0.02


class Portraits:
    """Tells what is known of the owner and of the people around them."""

    def __init__(self, vault: Store, memory: Memories) -> None:
        self._vault = vault
        self._memory = memory

    def page(self, name: str = "", audience: Audience = OWNER_ALONE) -> Portrait:
        """Return the page of somebody, or without a name the owner's, as far as an audience may hear it."""
        who = name.strip()
        return self._memory.sync.in_one_moment(
            lambda: self._of_person(who, audience) if who else self._of_owner(audience)
        )

    def people(self, audience: Audience = OWNER_ALONE) -> Sequence[KnownPerson]:
        """Return the people whom memories speak of, those spoken of most first."""

        def found() -> Sequence[KnownPerson]:
            memories = self._looked_at(audience)
            return [
                KnownPerson(each.name, len(each.texts), self._last([memories[n] for n in each.texts]))
                for each in self._named(memories)
            ]

        return self._memory.sync.in_one_moment(found)

    def _of_owner(self, audience: Audience) -> Portrait:
        memories = self._looked_at(audience)
        themes = self._themes(memories)
        total = self._memory.count(Wanted(kinds=OWN_PASSAGE)) if audience.is_private else len(memories)
        parts = self._parts(memories, themes, _OWNER_PARTS, _MOST)
        return Portrait(parts=parts, more=total - len(memories))

    def _of_person(self, name: str, audience: Audience) -> Portrait:
        known = next((each for each in self.people(audience) if _is_called(each.name, name)), None)
        called = known.name if known else name
        first = called.split()[0]
        every = self._memory.list(Wanted(kinds=OWN_PASSAGE, text=first))
        about = [each for each in every if audience.hears_of(each) and is_named(first, each.text)]
        if not about:
            raise SoulError('nothing is known of "{name}"', name=name)
        coming = self._coming()
        themes: dict[str, Theme] = {each.id: "plans" if each.id in coming else "person" for each in about}
        parts = self._parts(about, themes, ("person", "plans"), _MOST_OF_PERSON)
        since = min(each.at for each in about).astimezone(self._vault.zone).date()
        origins: Counter[str] = Counter(each.origin for each in about)
        return Portrait(called, parts=parts, since=since, last=self._last(about), origins=dict(origins))

    def _looked_at(self, audience: Audience) -> list[Memory]:
        found = self._memory.list(Wanted(kinds=OWN_PASSAGE, most=_LOOKED_AT))
        return [each for each in found if audience.hears_of(each)]

    def _coming(self) -> dict[str, int]:
        """Return the ids of what is planned, each with its place in the order of days."""
        return {plan.memory.id: place for place, plan in enumerate(self._memory.plans())}

    def _last(self, memories: Iterable[Memory]) -> date:
        return max(each.renewed for each in memories).astimezone(self._vault.zone).date()

    def _named(self, memories: Sequence[Memory]) -> list[NamedPerson]:
        """Return whom some memories speak of, other than the owner."""
        texts = [f"{each.value}\n{each.key}" for each in memories]
        return people_in(texts, self._memory.embedding.nearness, not_these=self._owners_names())

    def _owners_names(self) -> list[str]:
        files = (("USER.md", "name"), ("IDENTITY.md", "owner"), ("IDENTITY.md", "human"))
        names = [identity_value(self._vault.read(file).text, field) for file, field in files]
        return [each for name in names for each in (name, *name.split())]

    def _themes(self, memories: Sequence[Memory]) -> dict[str, Theme]:
        """Return under which theme each memory stands."""
        coming = self._coming()
        named = {memories[place].id for each in self._named(memories) for place in each.texts}
        found: dict[str, Theme] = {}
        rest = []
        for each in memories:
            if each.kind == "instruction":
                found[each.id] = "manner"
            elif each.id in coming:
                found[each.id] = "plans"
            else:
                rest.append(each)
        near = self._memory.embedding.nearness([each.text for each in rest], _SAID)
        for each, known in zip(rest, near, strict=True):
            scores = {"people": 0.0, **known, "you": known.get("you", 0.0) + _IN_DOUBT}
            scores["people"] += _NAMES_SOMEBODY if each.id in named else 0.0
            found[each.id] = max(_THEMES, key=lambda theme: scores.get(theme, 0.0))
        return found

    def _parts(
        self, memories: Sequence[Memory], themes: Mapping[str, Theme], order: Sequence[Theme], most: int
    ) -> tuple[PortraitPart, ...]:
        """Return what memories say, by theme, the surest and newest first, and how much more there is."""
        earlier = self._memory.earlier(memories) if memories else {}
        days = self._coming()

        def order_of(memory: Memory) -> tuple[object, ...]:
            newest = (-memory.renewed.timestamp(), memory.id)
            return memory.id in earlier, days.get(memory.id, 0), *_unsure(memory), *newest

        parts = []
        for theme in order:
            under = sorted((each for each in memories if themes[each.id] == theme), key=order_of)
            told = tuple(_sentence(each, earlier) for each in under[:most])
            if told:
                parts.append(PortraitPart(theme, told, len(under) - len(told)))
        return tuple(parts)


def _unsure(memory: Memory) -> tuple[bool, bool]:
    is_chosen = memory.kind != "fact" or memory.source == "explicit"
    return is_guess(memory), not is_chosen


def _sentence(memory: Memory, earlier: Collection[str]) -> PortraitSentence:
    return PortraitSentence(
        sentence_told(memory),
        (memory.id,),
        quote=memory.is_quote,
        guess=is_guess(memory),
        earlier=memory.id in earlier,
        dated=memory.dated,
    )


def sentence_told(memory: Memory) -> str:
    """Return what a memory says as a sentence: with its key, unless it says all by itself."""
    said = " ".join(memory.value.split())
    is_whole = said[:1].isupper() and len(said.split()) >= _FEW_WORDS
    text = said if is_whole or not memory.key else f"{memory.key}: {said}"
    text = text[:1].upper() + text[1:]
    return text if text[-1:] in '.!?…。！？"”»)' else f"{text}."


def _is_called(name: str, asked: str) -> bool:
    """Say whether somebody with a name is meant by what was typed."""
    return fold(name) == fold(asked) or fold(name).split()[0] == fold(asked)

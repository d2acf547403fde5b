"""Pages that answer a standing question: who is the owner, who is Inés?

Where there is a model, it writes one when it is asked for, and says who else has one. What it has not written
is told as the facts are: each memory a sentence, those of a key together.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date

from almario.conversation.portrait_writing import others_named, question, sentences_of
from almario.conversation.soul_text import soul_text
from almario.domain.documents.identity import identity_value
from almario.domain.memories import OWN_PASSAGE, Memory, Wanted, same_key
from almario.domain.messages import CommandLine, Sentence, sentence_of
from almario.domain.model import Query, Scope
from almario.domain.portrait import KnownPerson, MadePage, Portrait, PortraitPart, PortraitSentence, Theme
from almario.domain.withheld import MASK
from almario.domain.words import fold
from almario.errors import EditConflict, LLMError, MissingExtra, NotFound
from almario.memory.facade import Memories
from almario.memory.pages import digest_of
from almario.memory.rules.admission import is_guess
from almario.memory.telling import Listener
from almario.named_tuples import NamedTuple
from almario.ports import LLM, Store
from almario.structured_reply import ask_in
from almario.text.claims import day_of
from almario.text.persons import as_spelled, is_named
from almario.text.tongues import written_in

# Memories considered for a page: wishes and the profile first, and as many of the latest.
_CONSIDERED = 300
# Sentences per part of a page.
_MOST = 40
# However much was generated, at least this much that is new is shown beside it.
_NEW = 3
# A model is shown so many memories for a page; who is spoken of so often has one.
_MOST_SHOWN, _OFTEN = 120, 3
# A value with fewer words after the first does not stand without its key: "born: 3 May".
_FEW_WORDS = 3
# A page that covers less than this share of what the model was shown left out more than trifles.
_POOR = 0.4
NO_MODEL = Sentence("there is no language model to write pages with")
_PERSON_PARTS: tuple[Theme, ...] = ("person", "plans")
_OWNER_PARTS: tuple[Theme, ...] = ("you", "people", "work", "health", "plans", "manner")


class Portrayed(NamedTuple):
    """Whose pages a model wrote, "" is the owner's; and why it wrote none."""

    written: tuple[str, ...] = ()
    why: Sentence | None = None


class Portraits:
    """Tells what is known of the owner and of the people around them."""

    def __init__(self, vault: Store, memory: Memories, *, language: str) -> None:
        self._vault = vault
        self._memory = memory
        self._language = language

    def page(self, name: str = "") -> Portrait:
        """Return the page of somebody, or without a name the owner's."""
        who = name.strip()
        page = self._memory.sync.in_one_transaction(lambda: self._of_person(who) if who else self._of_owner())
        return page._replace(last=self._spoken_of(page.name, page.last)) if page.last else page

    def people(self) -> Sequence[KnownPerson]:
        """Return the people who have a page, those that most memories speak of first."""

        def found() -> Sequence[KnownPerson]:
            pages = self._memory.pages
            about = {name: self._about(name) for name in pages.names()}
            known = [
                KnownPerson(name, len(each), self._last(each) if each else None)
                for name, each in about.items()
                if each or pages.is_by_hand(name)
            ]
            return sorted(known, key=lambda each: (-each.memories, each.name))

        return self._memory.sync.in_one_transaction(found)

    def write(self, llm: LLM | None, person: str = "") -> Portrayed:
        """Have a model write the page of somebody, or the owner's, if there is anything new for it.

        Those of others come with the owner's.
        """
        if llm is None:
            return Portrayed(why=NO_MODEL)
        with self._vault.lease("pages") as is_held:  # so that two processes do not pay for the same answer
            if not is_held:
                return Portrayed(why=Sentence("another process is writing pages"))
            try:
                return Portrayed(tuple(self._write(llm, person.strip())))
            except (LLMError, MissingExtra, EditConflict) as exc:
                return Portrayed(why=sentence_of(exc))

    def _write(self, llm: LLM, person: str) -> list[str]:
        """Return whose pages were written."""
        line = self._vault.journal.tail().seq
        name = self._called(person) if person else ""
        about = self._about(name) if name else self._considered()
        # A sentence of a page is told as what is so.
        fit = [each for each in self._in_order(about) if not (MASK in each.value or is_guess(each))]
        shown = sorted(fit[:_MOST_SHOWN], key=lambda each: (each.renewed, each.seq))
        if {each.id for each in shown} <= set(self._memory.pages.made(name).shown):
            return []
        # Most of what is told is in the owner's language, whichever the agent's is.
        language = written_in(" ".join(memory.value for memory in shown), self._language)
        ask = question(shown, name, self._vault.now().date())
        reply = ask_in(
            language, llm, ask, lambda answer: [each["text"] for each in answer["sentences"]], slack=2
        )
        ids, digest = tuple(each.id for each in shown), digest_of(shown)
        written = [name, *(self._others(others_named(reply)) if not name else ())]
        with self._memory.sync.writing():
            self._vault.need_nothing_erased(line)
            for each in written:
                known = " ".join([each, *self._owners_names()])
                own = {memory.id for memory in self._about(each)} if each else {*ids}
                made = tuple(
                    one._replace(text=self._memory.redact.text(one.text))
                    for one in sentences_of(reply, shown, each, known)
                    if own.issuperset(one.evidence)
                )
                page = MadePage(each, made, ids, digest, line, self._vault.now(), llm.model)
                self._memory.pages.keep(page)
        return written

    def _others(self, named: Iterable[str]) -> list[str]:
        """Return those that a model says are somebody, as they are called, and who are spoken of often."""
        owner = self._owners_names()
        others = [each for each in named if not any(_is_called(own, each) for own in owner)]
        return [each for each in others if len(self._about(each)) >= _OFTEN]

    def _of_owner(self) -> Portrait:
        memories, made = self._considered(), self._memory.pages.made()
        left = _left_out(memories, made)
        parts = self._parts(left, self._themes(left), _OWNER_PARTS, made)
        known = {each.id for each in left} | {one for each in made.sentences for one in each.evidence}
        more = sum(each.id not in known for each in memories)
        is_cut = len(memories) >= _CONSIDERED
        return self._page(made, "", parts)._replace(more=more, is_cut=is_cut)

    def _of_person(self, name: str) -> Portrait:
        called = self._called(name)
        about, made = self._about(called), self._memory.pages.made(called)
        if not about and called not in self._memory.pages.names():
            sentence = 'there is no fact about "{name}"; "{recall}" shows what was said'
            raise NotFound(sentence, name=name, recall=CommandLine(f"almario recall {name}"))
        left, coming = _left_out(about, made), self._coming()
        themes: dict[str, Theme] = {each.id: "plans" if each.id in coming else "person" for each in left}
        page = self._page(made, called, self._parts(left, themes, _PERSON_PARTS, made))
        if not about:
            return page
        since = min(each.at for each in about).astimezone(self._vault.zone).date()
        origins: Counter[str] = Counter(each.origin for each in about)
        return page._replace(since=since, last=self._last(about), origins=dict(origins))

    def _page(self, made: MadePage, name: str, parts: tuple[PortraitPart, ...]) -> Portrait:
        note = self._memory.redact.file(self._memory.pages.note(name))
        written = made if made.sentences else MadePage()
        return Portrait(name, note, parts, made=written.at, model=written.model)

    def _called(self, name: str) -> str:
        """Return a name as somebody's page, or what is known, spells it."""
        called = next((each for each in self._memory.pages.names() if _is_called(each, name)), "")
        return called or as_spelled(name, (each.text for each in self._considered()))

    def _about(self, name: str) -> list[Memory]:
        first = name.split(maxsplit=1)[0]
        every = self._memory.list(Wanted(kinds=OWN_PASSAGE, text=first))
        return [each for each in every if is_named(first, each.text)]

    def _considered(self) -> list[Memory]:
        found = self._memory.list(Wanted(kinds=OWN_PASSAGE, most=_CONSIDERED))
        if len(found) == _CONSIDERED:
            latest = {each.change["id"] for each in self._memory.history(last=_CONSIDERED)}
            found += self._memory.list(Wanted(kinds=OWN_PASSAGE, ids=tuple(sorted(latest))))
        return [*{each.id: each for each in found}.values()]

    def _coming(self) -> dict[str, int]:
        return {plan.memory.id: place for place, plan in enumerate(self._memory.plans())}

    def _last(self, memories: Iterable[Memory]) -> date:
        return max(each.renewed for each in memories).astimezone(self._vault.zone).date()

    def _owners_names(self) -> list[str]:
        files = (("USER.md", "name"), ("IDENTITY.md", "owner"), ("IDENTITY.md", "human"))
        names = [identity_value(soul_text(self._vault, file), field) for file, field in files]
        return [each for name in names for each in (name, *name.split())]

    def _themes(self, memories: Sequence[Memory]) -> dict[str, Theme]:
        # What comes once a year, such as a birthday, stands with whom it is of.
        plans = self._memory.plans()
        coming = {plan.memory.id for plan in plans if plan.is_often or not plan.is_repeated}

        def theme(memory: Memory) -> Theme:
            if memory.kind == "instruction":
                return "manner"
            return "plans" if memory.id in coming else "you"

        return {each.id: theme(each) for each in memories}

    def _spoken_of(self, name: str, last: date) -> date:
        """Return when somebody was last named in a conversation, if that was after a day; else that day."""
        scope = Scope(sources=("session",), since=last)
        first = name.split(maxsplit=1)[0]
        hits = self._memory.recall(Query(first, scope, "words"), Listener(room=20, floor=0.0))
        return max([last, *(hit.day for hit in hits if hit.day and is_named(first, hit.text))])

    def _in_order(self, memories: Sequence[Memory], earlier: Collection[str] = ()) -> list[Memory]:
        """Return memories, those of a key together: first what comes first, is sure, and is newest."""
        days = self._coming()

        def order_of(memory: Memory) -> tuple[object, ...]:
            newest = (-memory.renewed.timestamp(), -memory.seq, memory.id)
            return memory.id in earlier, days.get(memory.id, 0), *_unsure(memory), *newest

        by_key: dict[str, list[Memory]] = {}
        for each in sorted(memories, key=order_of):
            by_key.setdefault(same_key(each.key) or each.id, []).append(each)
        return [each for some in by_key.values() for each in some]

    def _parts(
        self,
        memories: Sequence[Memory],
        themes: Mapping[str, Theme],
        order: Sequence[Theme],
        made: MadePage,
    ) -> tuple[PortraitPart, ...]:
        earlier = self._memory.earlier(memories) if memories else {}
        ordered = self._in_order(memories, earlier)
        parts = []
        for theme in order:
            written = [each for each in made.sentences if each.theme == theme]
            under = [each for each in ordered if themes[each.id] == theme]
            sentences = [PortraitSentence(each.text, each.evidence, is_made=True) for each in written]
            sentences += [
                self._sentence(each, earlier) for each in under[: max(_NEW, _MOST - len(sentences))]
            ]
            if sentences:
                parts.append(
                    PortraitPart(theme, tuple(sentences), len(written) + len(under) - len(sentences))
                )
        return tuple(parts)

    def _sentence(self, memory: Memory, earlier: Collection[str]) -> PortraitSentence:
        return PortraitSentence(
            _as_sentence(memory),
            (memory.id,),
            quote=memory.is_quote,
            guess=is_guess(memory),
            earlier=memory.id in earlier,
            dated=memory.dated,
            day=memory.at.astimezone(self._vault.zone).date(),
        )


def _left_out(memories: Sequence[Memory], made: MadePage) -> list[Memory]:
    """Return the memories told by rule: guesses, what is new since a page was made, or all it left out.

    A page that leaves out most of what the model was shown is poor, and one that is not there tells nothing.
    """
    cited = {one for each in made.sentences for one in each.evidence}
    left_out = [each for each in memories if each.id not in cited]
    if len(cited) < _POOR * min(len(memories), _MOST_SHOWN):
        return left_out
    return [each for each in left_out if each.seq > made.seq or is_guess(each)]


def _as_sentence(memory: Memory) -> str:
    """Return what a memory says as a sentence: with its key, unless it says all by itself."""
    value = " ".join(memory.value.split())
    first, *more = value.split(" ")
    is_list = first.endswith(",") or bool(day_of(fold(first)))  # "Nora, aged three", "Tuesdays at six"
    is_whole = value[:1].isupper() and len(more) >= _FEW_WORDS and not is_list
    text = value if is_whole or not memory.key else f"{memory.key}: {value}"
    text = text[:1].upper() + text[1:]
    return text if text[-1:] in '.!?…。！？"”»)' else f"{text}."


def _unsure(memory: Memory) -> tuple[bool, bool]:
    is_chosen = memory.kind != "fact" or memory.source == "explicit"
    return is_guess(memory), not is_chosen


def _is_called(name: str, question: str) -> bool:
    return fold(name) == fold(question) or fold(name).split()[:1] == [fold(question)]

"""What is answered where no model does: what comes to mind, each with its day and who said it.

Nothing is guessed about a message: it is kept as it was said, and looked up as it stands.
"""

from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from almario.domain.audiences import Audience
from almario.domain.forgotten import hit_of
from almario.domain.memories import OWN_PASSAGE, UNTRUSTED, Wanted, same_value
from almario.domain.messages import NOTHING, CommandLine, Sentence, Words, say
from almario.domain.model import LIKELY, Hit, Query, Scope
from almario.domain.plain_text import in_one_line, shortened
from almario.domain.turn_ids import turn_id
from almario.domain.turns import Turn, is_owners
from almario.domain.validity import by_name, time_phrase_of
from almario.domain.vocabulary import hit_state
from almario.domain.withheld import MASK
from almario.domain.words import shared_words
from almario.memory.facade import Memories
from almario.memory.telling import Listener
from almario.named_tuples import NamedTuple
from almario.ports import Store
from almario.text.forms import asks_for_reminder, is_in_danger, tells
from almario.text.questions import is_question

# So many hits are told, of so many looked at, as some only ask; each with so many characters.
_HITS, _LOOKED_AT, _LONGEST = 3, 12, 300
# Who knows no more things shows them all to a question that nothing is likely to answer; the last so many
# turns of each session are looked at for them.
_FEW, _LATEST = 10, 100
# What was found by a word of the message is near to it.
_BY_WORD = ("keyword", "both")
_SURE = Sentence("This comes to mind:")
_UNSURE = Sentence("I'm not sure, but this may be it:")
_ALL = Sentence("I can't tell what answers that. This is all I know so far:")
_KEPT, _NEAREST = Sentence("Kept."), Sentence("Kept. Perhaps it has to do with this:")
_UNREMINDED = Sentence(
    "Kept as you said it, and no reminder: for that I need a language model. Without one, "
    '"remember that the dentist is on Friday" is remembered, and stands among what is coming up.'
)
_NO_MODEL = Sentence(
    "I have no language model, so I keep what you write and show what comes to mind. "
    '"{model}" gets one to talk with; "{help}" lists the commands.',
    model=CommandLine("almario model choose"),
    help=CommandLine("almario help"),
)
_SOURCES = {
    "agent": Sentence("I said"),
    "imported": Sentence("from your notes"),
    UNTRUSTED: Sentence("you pasted it"),
}


class Unaided(NamedTuple):
    """What is said without a model, and what it tells from memory."""

    text: str = ""
    recalled: tuple[Hit, ...] = ()


class Notebook:
    """Answers from what one agent remembers and was told."""

    def __init__(self, vault: Store, memory: Memories, language: str) -> None:
        self._vault = vault
        self._memory = memory
        self._language = language

    def answer(
        self,
        message: str,
        audience: Audience,
        hidden: Collection[str] = (),
        *,
        is_kept: bool = True,
        is_first: bool = False,
    ) -> Unaided:
        """Tell what comes to mind for a message, as far as an audience may hear it, or that it *is kept*.

        *hidden* are the turns of the message itself. The *first* time, it says how to get a model.
        """
        lead, hits = self._chosen(message, audience, hidden, is_kept=is_kept)
        shown = map(self._whole, hits) if audience.is_private else hits
        lines = [self._say(lead), *map(self._line, shown)] if lead else []
        parts = ["\n".join(lines), self._say(_NO_MODEL) if is_first and audience.is_private else ""]
        return Unaided("\n\n".join(filter(None, parts)), tuple(hits))

    def _chosen(
        self, message: str, audience: Audience, hidden: Collection[str], *, is_kept: bool
    ) -> tuple[Sentence, list[Hit]]:
        """Return what is told and how sure it is; a question is shown more than what only tells something."""
        asks, is_private = is_question(message), audience.is_private
        if is_kept and is_private and asks_for_reminder(message):
            return _UNREMINDED, []
        found = self._found(message, audience, hidden, least=0.0 if asks else None)
        if likely := [hit for hit in found if hit.score >= LIKELY][:_HITS]:
            since = _said_since(likely[0], found, message) if is_private else []
            return _SURE, _newest_first([likely[0], *since, *likely[1:]][:_HITS]) if since else likely
        if not is_private:
            return NOTHING, []
        by_word = [hit for hit in found if hit.how in _BY_WORD]
        if asks and not by_word and (every := self._all(hidden)):
            return _ALL, every
        if asks and any(hit.how != "context" for hit in found):
            return _UNSURE, _newest_first(found[:_HITS])
        nearest = by_word[:1] if is_kept else []
        return (_NEAREST if nearest else _KEPT if is_kept else NOTHING), nearest

    def _found(
        self, message: str, audience: Audience, hidden: Collection[str], *, least: float | None
    ) -> list[Hit]:
        """Return what comes to mind, but for the very words of the message and questions asked before."""
        scope = Scope(include=(UNTRUSTED,)) if audience.is_private else Scope()
        query = Query(message, scope, hidden=hidden)
        own = same_value(message)
        found = self._memory.recall(query, Listener(audience, _LOOKED_AT, least)) if own else []
        return [hit for hit in found if same_value(hit.text) != own and _tells(hit)]

    def _all(self, hidden: Collection[str]) -> list[Hit]:
        """Return all that is known, newest first, if that is little."""
        memories = self._memory.list(Wanted(kinds=OWN_PASSAGE, newest=True, limit=_FEW + 1))
        known = [hit_of(each) for each in memories]
        taught = {turn for memory in memories for turn in memory.evidence}
        messages = self._messages({*hidden, *taught, *self._memory.out_of_mind()})
        known += [self._hit(turn) for turn in islice(messages, _FEW + 1 - len(known))]
        return _newest_first(known) if len(known) <= _FEW else []

    def _messages(self, but: Collection[str]) -> Iterator[Turn]:
        """Yield what the owner told, the latest of each session first."""
        for session in self._vault.transcripts.sessions():
            for turn in reversed(self._vault.transcripts.read(session, last=_LATEST)):
                is_own = turn.role == "user" and is_owners(turn) and turn.id not in but
                if is_own and _tells(self._hit(turn)) and not is_in_danger(turn.text):
                    yield turn

    def _hit(self, turn: Turn) -> Hit:
        day = turn.at.astimezone(self._vault.zone).date()
        return Hit("turn", turn.text, day, 0.0, turn=turn.id, quote=True)

    def _whole(self, hit: Hit) -> Hit:
        """Return a hit with what of it is withheld: its owner sees it."""
        if MASK not in hit.text:
            return hit
        whole = {each.name: each.text for each in self._memory.withheld()}
        return hit._replace(text=whole.get(hit.memory or hit.turn, hit.text), key="")

    def _line(self, hit: Hit) -> str:
        """Return a hit as it is shown: its words and their time, who said them and on which day."""
        today = self._vault.now().date()
        text = f"{hit.key}: {hit.text}" if hit.key else hit.with_mark(self._say(hit.mark))
        day = (Sentence("today") if hit.day == today else by_name(str(hit.day))) if hit.day else ""
        said = Sentence("{who}, {day}", who=self._who(hit), day=day) if day else self._who(hit)
        facts = (time_phrase_of(hit.dated, today), said, hit_state(hit))
        beside = "; ".join(self._say(each) for each in facts if each)
        return f"- {shortened(in_one_line(text), _LONGEST)} ({beside})"

    def _who(self, hit: Hit) -> Sentence:
        """Say where a hit is from: whoever said it, or the owner's files."""
        memory = self._memory.get(hit.memory) if hit.memory else None
        if hit.speaker:
            return Sentence("{name} said", name=Words(hit.speaker))
        if hit.quote or (memory and memory.origin == "owner"):
            return Sentence("you said")
        by_agent = hit.turn and hit.agent_said
        origin = memory.origin if memory else "agent" if by_agent else UNTRUSTED if hit.turn else "imported"
        return _SOURCES[origin]

    def _say(self, sentence: Sentence) -> str:
        return say(self._language, sentence)


def _said_since(best: Hit, found: Iterable[Hit], message: str) -> list[Hit]:
    """Return what is no likely answer, but newer than the best and with half as many words of the message.

    It may be what took its place: "the dentist is off".
    """
    least = shared_words(message, best.text) / 2
    newer = (hit for hit in found if hit.score < LIKELY and _age(hit) > _age(best))
    return [hit for hit in newer if hit.how in _BY_WORD and shared_words(message, hit.text) >= least]


def _newest_first(hits: list[Hit]) -> list[Hit]:
    return sorted(hits, key=_age, reverse=True)


def _age(hit: Hit) -> tuple[str, int]:
    """Return by what hits are sorted in time: the day and, where they were said, the place there."""
    return str(hit.day or ""), turn_id(hit.turn).n if hit.turn else 0


def _tells(hit: Hit) -> bool:
    """Return whether a hit tells something: an order, or a question that was not answered, does not."""
    if not hit.turn or hit.agent_said:
        return True
    return tells(hit.text) and not is_question(hit.text)

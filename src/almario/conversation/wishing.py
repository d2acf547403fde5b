"""What the owner wants in words that can mean nothing else, and what is done about it.

The sure forms of `text.forms` act, with a model and without; all else is the model's, by its tools.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from almario.conversation.notices import done, forgotten, is_new, kept, listed, undone
from almario.conversation.tool_calls import DANGER_ACTION, REMIND, WITHHELD_ACTION, Done, undoable
from almario.domain.audiences import Audience
from almario.domain.memories import AnyKind, Wanted
from almario.domain.messages import Sentence, Words, sentence_of
from almario.domain.model import Hit, Query
from almario.domain.turn_ids import TurnId
from almario.domain.turns import Turn
from almario.domain.withheld import withheld
from almario.domain.words import shared_words
from almario.errors import SoulError
from almario.memory.facade import Memories
from almario.memory.forgetting import hit_tells
from almario.memory.telling import Listener, hears_memory, hears_turns
from almario.ports import Store
from almario.text.forms import FORGET, REMEMBER, RULE, UNDO, Form, besides, forms_in, is_in_danger

if TYPE_CHECKING:
    from almario.becoming.proposals import Proposals

# So many things are listed that may be meant to be forgotten, of so many looked at.
_LISTED, _LOOKED_AT = 5, 20
_IN_CLEAR = 'your message is kept as you wrote it; "don\'t write this down" erases it when you leave'
_WANTED = "as you wanted, I bring this up now: {what}"
_BROUGHT_UP = {"imported": "what you imported is to come up now: {what}"}
_NAMING = (REMEMBER, RULE, FORGET)
_NAMES_NOTHING = Sentence(
    'say what is meant in the same message, as in "remember that I like tea" or "forget the dentist"'
)
_ALONE = Sentence("tell me that in a private chat")
_DANGER = Sentence(
    "if you are in danger, call 112 now (911 in America, 999 in Britain); somebody listens at any hour: "
    "988 in the United States and Canada, 116 123 in Britain and Ireland, 024 in Spain, elsewhere "
    "findahelpline.com"
)


class Wishing:
    """Grants wishes, with the message that says them as evidence."""

    def __init__(self, vault: Store, memory: Memories, proposals: "Callable[[], Proposals]") -> None:
        self._vault = vault
        self._memory = memory
        self._proposals = proposals

    def granted(
        self, message: Turn, audience: Audience, *, by_hook: bool = False, is_again: bool = False
    ) -> list[Done]:
        """Do what an owner's message wishes for, and say what came of it.

        What is said to a coding agent *by_hook* may mean code: there only an id says what to forget or undo.
        """
        found = list[Done]()
        for form in forms_in(message.text):
            try:
                if form.kind in _NAMING and not form.text:
                    found += [] if by_hook else [done(form.kind, "", _NAMES_NOTHING, is_error=True)]
                elif form.kind in (REMEMBER, RULE):
                    found += [self._remember(form, message, audience)]
                elif form.kind == FORGET:
                    found += self._forget(form, message, audience, by_hook=by_hook)
                elif form.kind == UNDO and not is_again:
                    found += self._undo(form, audience, by_hook=by_hook)
            except SoulError as exc:
                found.append(done(form.kind, form.text, sentence_of(exc), is_error=True))
        return found

    def _remember(self, form: Form, message: Turn, audience: Audience) -> Done:
        for known in self._memory.list(Wanted(evidence=(message.id,))):
            if known.value == form.text:  # the message comes again
                what = Sentence("remembered: {what}", what=known.label)
                return done(form.kind, form.text, what, line=known.seq)
        kind: AnyKind = "instruction" if form.kind == RULE else ""
        receipt = self._memory.remember(form.text, kind=kind, evidence=(message.id,))
        if receipt.memory is None:
            in_clear = (Sentence(_IN_CLEAR),) if self._memory.redact(form.text).kinds else ()
            return done(form.kind, form.text, *receipt.told, *in_clear, is_error=True)
        if not all(hears_memory(audience, each) for each in (receipt.memory, *receipt.replaced)):
            return done(form.kind, form.text, Sentence("noted"))
        about_it = withheld(self._suspected(message))  # is told of the whole message
        others = [each for each in receipt.told if each != about_it]
        line = receipt.memory.seq if is_new(receipt) else 0
        what = undoable(kept(receipt), line) if line and audience.is_private else kept(receipt)
        return done(form.kind, form.text, what, *others, line=line)

    def _forget(self, form: Form, message: Turn, audience: Audience, *, by_hook: bool) -> list[Done]:
        """Forget what an id names; else list what may be meant. The order itself is out of mind."""
        hit = self._with_id(form.text, message.session)
        if hit or not by_hook:  # by a line of its own, which no undo takes back
            self._memory.put_out_of_mind((), order=(message.id,))
        if hit:
            gone = self._memory.put_out_of_mind([hit], order=(message.id,))
            notices = forgotten(gone, [hit]) if audience.is_private else [Sentence("forgotten")]
            may_name = all(hears_memory(audience, each) for each in gone)
            is_told = may_name if gone else hears_turns(audience, [hit.turn])
            if audience.project and not is_told:
                notices = [undoable(Sentence("forgotten"), gone.seq)]
            return [done(FORGET, form.text, *notices, line=gone.seq)]
        if by_hook:
            return []
        if not audience.is_private:
            return [done(FORGET, form.text, _ALONE, is_error=True)]
        found = self._memory.recall(Query(form.text, hidden=(message.id,)), Listener(room=_LOOKED_AT))
        telling = [hit for hit in found if hit_tells(hit)]
        fit = [hit for hit in telling if shared_words(form.text, f"{hit.key} {hit.text}")] or telling
        return [listed(form.text, fit[:_LISTED], message.session)]

    def _with_id(self, name: str, session: str) -> Hit | None:
        """Return the memory or message that an id names: the start of a memory's, or #12 of this session."""
        name = name.strip(" .,!\"'“”«»")
        name = str(TurnId(session, int(name[1:]))) if name[:1] == "#" and name[1:].isdecimal() else name
        found = self._memory.meant(name).sure if name and " " not in name else ()
        return next((hit for hit in found if hit.name.startswith(name)), None)

    def _undo(self, form: Form, audience: Audience, *, by_hook: bool) -> list[Done]:
        """Take back a line of the journal, or the last that an order, a tool or an edit wrote."""
        from almario.becoming.looking_back import LookingBack  # noqa: PLC0415 - seldom wished for

        number = form.text.strip(" .#")
        if by_hook and not number.isdecimal():
            return []
        if not audience.is_private:
            return [done(UNDO, form.text, _ALONE, is_error=True)]
        back = LookingBack(self._vault, self._memory, self._proposals)
        taken = back.undo(int(number) if number.isdecimal() else 0, "owner")
        return [undone(taken, is_told=all(hears_memory(audience, each) for each in taken.memories))]

    def due(self, message: Turn, audience: Audience) -> list[Done]:
        """Bring up what the owner wanted to be reminded of in a situation, if their message speaks of it."""
        if not audience.is_private:
            return []
        found = self._memory.bring_up(message.text, audience)
        notices = [Sentence(_BROUGHT_UP.get(each.origin, _WANTED), what=Words(each.text)) for each in found]
        return [
            Done(str(one), told=(one,), memories=(each.id,), name=REMIND, arguments={"memory": each.id})
            for each, one in zip(found, notices, strict=True)
        ]

    def helped(self, message: Turn) -> list[Done]:
        """Say where to call to whoever surely says that they want to die or are in danger."""
        if not is_in_danger(message.text):
            return []
        return [Done("", told=(_DANGER,), is_error=True, name=DANGER_ACTION)]

    def withheld(self, message: Turn, audience: Audience) -> list[Done]:
        """Say at once what of an owner's message is told to no model later, as it may be a secret."""
        suspected = self._suspected(message)
        if not suspected or not audience.is_private:
            return []
        return [Done("", told=(withheld(suspected),), name=WITHHELD_ACTION)]

    def _suspected(self, message: Turn) -> tuple[str, ...]:
        """Return what of a message may be a secret; what it orders to be kept is searched as it is kept.

        An order to forget or to undo says none: "forget 6834557e4cbc".
        """
        forms = forms_in(message.text)
        wishes = [form.text for form in forms if form.kind in (REMEMBER, RULE)]
        texts = [*wishes, besides(message.text)] if forms else [message.text]
        return tuple(dict.fromkeys(part for each in texts for part in self._memory.redact(each).suspected))

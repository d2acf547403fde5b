"""What is answered where no model does: decided in one place, step by step, from what a message says.

1. Who is in danger hears who helps, and nothing else.
2. What is asked is answered by the likelier of two: what it is about, as the agent or the plans, and what
   comes to mind. If nothing answers it, what is nearest is named.
3. What is felt has a word of its own, also before an answer, and a courtesy has one in return.
4. Else it is said plainly that the message is not understood. What was done or kept, whoever did it says.
"""

from collections.abc import Sequence

from almario.conversation.lookups import Lookups, Speech
from almario.conversation.portraits import Portraits
from almario.conversation.understanding import GREETING, SORROW, Understanding
from almario.domain.audiences import Audience
from almario.domain.messages import LANGUAGES, Sentence, say
from almario.domain.model import LIKELY, Hit, Query
from almario.domain.opening_kinds import ALOUD, ANSWERS, BEYOND, COMING, TO_DO
from almario.domain.validity import read
from almario.domain.words import SMALL, all_forms, fold, names_in
from almario.memory.facade import Memories
from almario.named_tuples import NamedTuple
from almario.ports import Store
from almario.text.questions import QuestionKind, asked_again, is_small_talk, read_question
from almario.text.tongues import likelier_in, spelled_words, words_of

# The answers to these say that there is no model.
_OF_NO_MODEL = frozenset({"help", "who_are_you", BEYOND, "model", "cost", "privacy"})
# These may be asked of others, too: "who is Inés?".
_OF_PERSONS = {"about_me", "who_are_you", "who_am_i", "your_name", "how_are_you"}
# So many of what comes to mind are told, and of those that are so near to the best.
_HITS, _NEAR = 3, 0.6
# A memory helps from this score on; what was only said, if it is likely or shares a word with the question.
_LEAST = 0.12
# With what is told now come so many memories at most, if they are as likely as what a prompt is sure to tell.
_BELONGS, _MOST_BESIDE = 0.3, 2
# If none does, the nearest of so many are named, from this score on: the owner sees if it is that.
_NEAREST, _LOOKED_AT, _NEAR_AT_ALL = 3, 8, 0.03


class Unaided(NamedTuple):
    """What is said without a model, and the memories that it tells."""

    text: str = ""
    recalled: tuple[Hit, ...] = ()


class _Heard(NamedTuple):
    """A message as it is understood, who said it, and what became of it."""

    message: str
    said: Understanding
    speech: Speech
    is_worried: bool
    is_done: bool
    kept_of: str
    fails: bool
    # It goes on with the question before, and is understood as that.
    is_piece: bool

    @property
    def is_left(self) -> bool:
        """Whether it may be left without an answer."""
        return self.is_done or self.fails or not self.speech.audience.is_private


class Openings:
    """Answers without a model, from the files of one agent and its memory."""

    def __init__(self, vault: Store, memory: Memories, portraits: Portraits, language: str) -> None:
        self._vault = vault
        self._memory = memory
        self._lookups = Lookups(vault, memory, portraits)
        self._language = language

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

    def is_sad(self, message: str) -> bool:
        """Return whether a message tells of a loss, or of a sorrow."""
        return self._understood(message).feeling == SORROW

    def answer(
        self,
        message: str,
        audience: Audience,
        earlier: Sequence[str] = (),
        *,
        is_done: bool = False,
        kept_of: str = "",
        fails: bool = False,
    ) -> Unaided:
        """Answer a message, as far as an audience may hear it; nothing if that is not for them.

        A few words go on with what was said *earlier*, and are in its language.
        *is_done*: it was dealt with, but for a question in it; *kept_of*: the turn of which something is
        remembered.
        *fails*: the model that is set does not reply.
        """
        full = self.asked_in_full(message, earlier)
        said = Understanding(full or message, self._memory.embedding, is_done=is_done)
        speech = self._lookups.speech(self._spoken(message, earlier), audience)
        is_worried = any(map(self._memory.embedding.danger, earlier))
        heard = _Heard(message, said, speech, is_worried, is_done, kept_of, fails, is_piece=bool(full))
        steps = (self._in_danger, self._to_question, self._to_feeling, self._to_courtesy)
        if found := next(filter(None, (step(heard) for step in steps)), None):
            return found
        if heard.is_left:
            return self._beside(heard)
        return Unaided(speech.answer("after_danger" if is_worried else "unclear"))

    def _in_danger(self, heard: "_Heard") -> "Unaided | None":
        """Say who helps; what is jotted down, or said after a danger, has an answer of its own, too."""
        if kind := heard.said.danger:
            return Unaided(heard.speech.answer(kind, heard.message))
        if heard.is_worried and heard.said.is_slight:
            return Unaided(heard.speech.answer("after_danger"))
        return Unaided(heard.speech.answer(TO_DO)) if heard.kept_of and heard.said.is_to_do else None

    def _to_question(self, heard: "_Heard") -> "Unaided | None":
        """Answer what is asked, after a word on what is felt."""
        found = self._found_for(heard) if heard.said.is_asked else Unaided()
        felt = [heard.speech.answer(heard.said.feeling)] if heard.said.feeling else []
        return found._replace(text="\n\n".join(dict.fromkeys([*felt, found.text]))) if found.text else None

    def _to_feeling(self, heard: "_Heard") -> "Unaided | None":
        if not heard.said.feeling:
            return None
        kinds = (heard.said.feeling, *(["unnoted"] if heard.said.may_last and not heard.is_left else []))
        return Unaided("\n\n".join(map(heard.speech.answer, kinds)))

    def _to_courtesy(self, heard: "_Heard") -> "Unaided | None":
        """Return a courtesy; to what was dealt with, only a sure one."""
        kind = heard.said.courtesy or heard.said.maybe
        if heard.is_done:
            kind = {GREETING: "welcome", ALOUD: ""}.get(kind, kind)
        return Unaided(heard.speech.answer(kind)) if kind in ANSWERS else None

    def _found_for(self, heard: "_Heard") -> Unaided:
        """Answer what is asked by the likelier of what it is about and what comes to mind."""
        said, speech, asked = heard.said, heard.speech, self._asked(heard.said)
        is_private = speech.audience.is_private
        recalled = self._memory.recall(Query(said.question)) if said.may_ask and is_private else ()
        best = self._best(said, recalled)
        # What goes on with a question before is about the same.
        kinds = [each for each in said.about or (said.maybe,) if each == COMING or not heard.is_piece]
        about = [each for each in kinds if self._is_meant(each, said, asked)]
        if about and (not best or said.is_about(about, best[0].score)):
            is_untold = heard.fails and not _OF_NO_MODEL.isdisjoint(about)
            return Unaided("" if is_untold else "\n\n".join(self._told(each, heard) for each in about))
        is_over = all((time := read(hit.dated)) and time.is_over(asked.today) for hit in best)
        is_ahead = said.is_about((COMING,)) if best else asked.times and self._lookups.plans_for(asked)
        if is_private and said.may_ask and is_over and is_ahead:
            return Unaided(self._lookups.coming(asked, speech))
        if best:
            return Unaided(self._lookups.remembered(asked.text, best, speech), tuple(best))
        if heard.is_left and not (is_private and heard.is_done and said.asks_anew and not heard.fails):
            return Unaided()
        if heard.is_piece and _is_of_oneself(heard.message):
            return Unaided(self._lookups.somebody(speech))  # "and me?"
        return Unaided(self._declined(said, speech) if said.work else self._unknown(heard))

    def _told(self, kind: str, heard: "_Heard") -> str:
        if kind == BEYOND:
            return self._declined(heard.said, heard.speech)
        return self._lookups.told(kind, heard.said.text, self._asked(heard.said), heard.speech)

    def _declined(self, said: Understanding, speech: Speech) -> str:
        """Say what of a message needs a model, by its name if that is likely, and what does not."""
        return f"{speech.answer(said.work or BEYOND)} {speech.answer('able')}"

    def _beside(self, heard: "_Heard") -> Unaided:
        """Return what else was told of what is remembered now: "it's Wednesdays now", and what it was."""
        if not (heard.kept_of and heard.speech.audience.is_private):
            return Unaided()
        found = [
            hit
            for hit in self._memory.candidates(Query(heard.message))
            if hit.memory
            and hit.score >= _BELONGS
            and not hit.state
            and heard.kept_of not in hit.evidence
            and hit.text not in heard.message
        ][:_MOST_BESIDE]
        return Unaided(self._lookups.told_before(found, heard.speech) if found else "", tuple(found))

    def _unknown(self, heard: "_Heard") -> str:
        """Say that nothing answers a question for sure, and name the nearest memories, if any are near."""
        said, asked = heard.said, all_forms(heard.said.text)
        # What is of another time than the question names is not near, and what was just told answers nothing.
        least = None if self._asked(said).times else 0.0
        recalled = self._memory.recall(Query(said.question, _LOOKED_AT, least))
        known = (hit for hit in recalled if hit.memory and heard.kept_of not in hit.evidence)
        near = [hit for hit in known if hit.score >= _NEAR_AT_ALL or asked & all_forms(hit.text)][:_NEAREST]
        if not near:
            return heard.speech.answer("unknown")
        return self._lookups.remembered(said.question, near, heard.speech, heard.speech.answer("nearest"))

    def _best(self, said: Understanding, recalled: Sequence[Hit]) -> list[Hit]:
        """Return what comes to mind that may answer, and is about as good as the best."""
        named, since = set(names_in(said.text)), {hit.by for hit in recalled if hit.state == "earlier"}
        found = [
            hit
            for hit in recalled
            # Of nobody whom the question names it may be only if it was said since of them.
            if (not named or named & all_forms(hit.text) or hit.text in since) and self._may_answer(hit, said)
        ]
        return [hit for hit in found if hit.score >= _NEAR * found[0].score][:_HITS]

    def _may_answer(self, hit: Hit, said: Understanding) -> bool:
        """Return whether what comes to mind tells something, is likely enough and not the question itself."""
        question, asked = said.question, all_forms(said.question)
        if hit.text in question + self._memory.without_secrets(question) or question in hit.text:
            return False
        is_shared = bool(asked & all_forms(hit.text))
        if hit.text in said.text and not is_shared:  # told before the question in the same message
            return False
        is_likely = hit.score > (_LEAST if hit.memory else LIKELY) or (is_shared and not hit.memory)
        is_owns = bool(hit.turn) and not hit.agent_said
        is_request = is_owns and self._understood(hit.text).is_request
        return is_likely and not is_request and not is_small_talk(hit.text.split(" → ")[0])

    def _is_meant(self, kind: str, said: Understanding, asked: QuestionKind) -> bool:
        """Return whether a kind of question is about the agent, its owner or what is ahead, as it seems."""
        if kind == COMING and asked.filters:
            return any(time.last >= asked.today for time in asked.times)  # what is over is remembered
        return bool(kind) and not (kind in _OF_PERSONS and self._is_of_another(said.text))

    def _is_of_another(self, message: str) -> bool:
        """Return whether a question is for somebody else: "who is Inés?", "who lent me the drill?"."""
        words = {fold(word) for word in spelled_words(message)}
        light = SMALL.union(*map(words_of, ("asking", "recalling", "i_am")))
        if words_of("who") & words and not words_of("you") & words and words - light:
            return True
        last = names_in(message)[-1:] if "?" in message else []
        is_last = bool(last) and fold(message.rstrip(" ?!.")).endswith(last[0])
        return is_last and self._lookups.is_of_another(last[0])

    def _asked(self, said: Understanding) -> QuestionKind:
        return read_question(said.question, self._vault.now().date())

    def _understood(self, message: str) -> Understanding:
        return Understanding(message, self._memory.embedding)

    def _spoken(self, message: str, earlier: Sequence[str]) -> str:
        """Return the language of a message: a few words are in that of what was said before them."""
        language = self._language
        for each in (*earlier, message):
            language = likelier_in(each, language, LANGUAGES)
        return language


def _is_of_oneself(message: str) -> bool:
    """Return whether a few words ask about the owner: "and me?"."""
    return not all_forms(message) and not words_of("oneself").isdisjoint(spelled_words(message))

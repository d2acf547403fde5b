"""One conversation at the keyboard: a message is answered, and what came of it is told beside the answer."""

import json
import subprocess
import tempfile
from collections.abc import Callable
from typing import IO, TYPE_CHECKING

from almario.apps.cli.i18n import _
from almario.apps.repl import screens
from almario.apps.repl.screens import Screen
from almario.domain.messages import Sentence
from almario.domain.model import Mode
from almario.domain.plain_text import shortened
from almario.domain.withheld import where_shown
from almario.errors import LLMError
from almario.soul import Soul

if TYPE_CHECKING:
    from almario import Answer

# So much is shown of a message that is back on the record.
_SHOWN = 60
# Begins to learn from a session in a process of its own, which writes to a file what was learned, as JSON.
Apart = Callable[[str, IO[bytes]], "subprocess.Popen[bytes]"]
# So many seconds what is under way may take before it is told that it is waited for.
_AT_ONCE = 0.2
# What becomes of what was not known before.
NEWS = ("new", "superseded")


class ChatConversation:
    """Talks with one soul in one session; *mode* may change, and *is_over* says that the owner leaves."""

    def __init__(
        self,
        soul: Soul,
        screen: Screen,
        *,
        session: str = "cli:main",
        mode: Mode = "",
        quit_seconds: float = 5.0,
        apart: Apart | None = None,
        is_once: bool = False,
    ) -> None:
        """*apart* begins to learn from a session in a process that goes on when this one has ended.

        Without it, nothing is learned here. *is_once*: one message, after which nothing can be brought back
        that is only in mind.
        """
        self.soul = soul
        self.screen = screen
        self.session = session
        self.mode = mode
        self.is_over = False
        # Documents that go with the next message.
        self.attached: list[str] = []
        self._quit_seconds = quit_seconds
        self._apart = apart
        self._is_once = is_once
        # Whether anything was said here since it began, or was cleared.
        self._has_talked = False
        # Why the model did not answer last, in words.
        self._reason = ""

    def talk(self, text: str, pasted: tuple[str, ...] = ()) -> "Answer":
        """Do what the message wishes for, and show its answer.

        LLMError says why the model gives none; what comes to mind without it is shown all the same.
        """
        self._has_talked = True
        documents = (*self.attached, *pasted)
        self.attached.clear()
        try:
            answer = self._answered(text, documents)
        except LLMError:
            self._tell_unaided(text)
            raise
        if answer.is_cut and not answer.told:
            screens.note(_("Stopped. What had arrived is kept.") if answer.text else _("Stopped."))
        self._reason = self._reason if answer.told else ""
        for sentence in answer.told:
            self.tell_reason(_(sentence))
        if answer.is_memory:
            screens.tell_memory(answer.recalled)
        elif answer.model:
            screens.tell_recalled(answer.recalled)
        for action in answer.done:
            proposals = action.proposals if self.screen.can_ask else ()
            for proposal in proposals:
                screens.settle_proposal(self.soul, self.screen.ask, proposal)
            # What was never written down is gone with this process.
            is_gone = self._is_once and action.name == "off_record" and "turns" not in action.arguments
            for sentence in action.told[len(proposals) :][: 1 if is_gone else None]:
                (screens.note if action.is_error else screens.done)(_(sentence))
            if "ahead" in action.arguments and not self._is_once:
                screens.note(_('"/off" keeps out all that follows, until "/on"'))
        return answer

    def put_back(self) -> bool:
        """Bring back what the last notice took out, and say so; False if there is nothing."""
        turns = self.soul.put_back(self.session)
        for turn in turns:
            if turn.role == "user":
                screens.done(_("back on the record: {text}", text=shortened(turn.text, _SHOWN)))
        return bool(turns)

    def tell_reason(self, reason: str) -> None:
        """Say why the model does not answer: in full, unless that was the reason last time."""
        if reason == self._reason:
            screens.note(_("The model still does not answer."))
        else:
            screens.complain(reason)
        self._reason = reason

    def _tell_unlearned(self, why: Sentence) -> None:
        reason = _(why)
        is_known = reason == self._reason
        screens.note(_("not learned yet") if is_known else _("not learned yet: {why}", why=reason))

    def _tell_unaided(self, text: str) -> None:
        found = self.soul.unaided(text)
        if found.text:
            with self.screen.answer() as hear:
                hear(found.text)
            screens.tell_memory(found.recalled)
        for sentence in where_shown(hit.text for hit in found.recalled):
            screens.note(_(sentence))

    def _answered(self, text: str, documents: tuple[str, ...]) -> "Answer":
        heard = False
        with self.screen.answer() as hear:

            def listen(piece: str) -> None:
                nonlocal heard
                heard = True
                hear(piece)

            answer = self.soul.talk(text, self.session, hear=listen, mode=self.mode, pasted=documents)
            if not heard and answer.text:
                hear(answer.text)
        return answer

    def start_afresh(self) -> None:
        """Learn from the conversation, and begin it anew."""
        if self.can_learn and self.soul.sessions.unflushed(self.session):
            screens.note(_("Learning from this conversation…"))
        self.attached.clear()
        self.soul.end_session(self.session, clear=True)
        self._has_talked = False
        self.tell_news()

    def tell_news(self) -> None:
        """Say what was learned in the background since."""
        for flushed in self.soul.learning.news():
            news = [(each.memory, each.replaced) for each in flushed.news if each.memory]
            before = {memory.id: old[0] for memory, old in news if old}
            screens.tell_learned(self.soul, {memory.id: memory.seq for memory, _ in news}, before)
            if flushed.why and self.can_learn:
                self._tell_unlearned(flushed.why)

    @property
    def can_learn(self) -> bool:
        return self._apart is not None and bool(self.soul.model_names.background)

    def leave(self, *, learn: bool = True) -> None:
        """Learn from what was said, for as long as the settings allow; the rest is learned without us.

        What was taken off the record is erased, unless the session goes on with the next message.
        """
        if not self._is_once:
            self.soul.memory.erase_taken_back(self.session)
            if self._has_talked:
                self.soul.snapshot(self.session, ask=False)  # a model may take long, and the owner leaves
        if self._apart is None or not self.can_learn:
            return
        try:
            self._finish_call()
            is_done = self._learned(self._apart, learn=learn)
        except KeyboardInterrupt:
            is_done = False
        self.tell_news()
        if not is_done:
            screens.note(_("Not finished yet; it goes on in the background."))

    def _finish_call(self) -> None:
        """Let nothing more begin here, and what is under way end: a call is paid for, and lost with us."""
        learning = self.soul.learning
        learning.stop()
        if not learning.wait(_AT_ONCE):
            screens.note(_("Finishing what is being learned… Ctrl-C leaves it."))
            learning.wait(None)

    def _learned(self, apart: Apart, *, learn: bool) -> bool:
        """Learn from this session in a process of its own; say whether that ended while we waited."""
        waiting = self.soul.sessions.unflushed(self.session)
        if not waiting or not (learn or self.soul.learning.is_due(self.session)):
            return True
        names = self.soul.model_names
        if self._reason and names.background == names.talk:  # nor would it answer that
            screens.note(_("What you said is saved, and will be learned from once the model answers again."))
            return True
        screens.note(_("Learning from this conversation…"))
        with tempfile.TemporaryFile() as told:  # a pipe would break under a process that outlives us
            process = apart(self.session, told)
            try:
                process.wait(self._quit_seconds)
            except subprocess.TimeoutExpired:
                return False
            finally:
                process.returncode = process.returncode or 0  # nobody need wait for it
            told.seek(0)
            found = json.loads(told.read() or "[]")
        for flushed in found:
            news = [each["memory"] for each in flushed["receipts"] if each["outcome"] in NEWS]
            screens.tell_learned(self.soul, {each["id"]: each["seq"] for each in filter(None, news)})
            if flushed["why"]:
                self._tell_unlearned(self.soul.sessions.view(self.session).why)
        return True

"""One conversation at the keyboard: a message is answered, and what came of it is told beside the answer."""

from typing import TYPE_CHECKING

from almario.apps.cli.i18n import _
from almario.apps.repl import shown
from almario.apps.repl.screens import Screen
from almario.domain.model import Mode
from almario.soul import Soul

if TYPE_CHECKING:
    from almario import Answer


class Conversation:
    """Talks with one soul in one session; *mode* may change, and *is_over* says that the owner leaves."""

    def __init__(
        self,
        soul: Soul,
        screen: Screen,
        *,
        session: str = "cli:main",
        mode: Mode = "",
        learns: bool = True,
        quit_seconds: float = 5.0,
    ) -> None:
        self.soul = soul
        self.screen = screen
        self.session = session
        self.mode = mode
        self.is_over = False
        # Documents that go with the next message.
        self.attached: list[str] = []
        self._learns = learns
        self._quit_seconds = quit_seconds

    def talk(self, text: str, pasted: tuple[str, ...] = ()) -> "Answer":
        """Do what the message wishes for, and show its answer; LLMError says that there is none."""
        documents = (*self.attached, *pasted)
        self.attached.clear()
        answer = self._answered(text, documents)
        if answer.is_cut and not answer.told:
            shown.note(_("Stopped. What had arrived is kept.") if answer.text else _("Stopped."))
        for sentence in answer.told:
            shown.complain(_(sentence))
        shown.tell_recalled(answer.recalled)
        for deed in answer.done:
            asked = deed.proposals if self.screen.can_ask else ()
            for proposal in asked:
                shown.settle_proposal(self.soul, self.screen.ask, proposal)
            for sentence in deed.told[len(asked) :]:
                (shown.note if deed.is_error else shown.done)(_(sentence))
        return answer

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

    def remind(self, text: str, *, was_heard: bool = False) -> bool:
        """Tell what comes to mind about a message, without a model; False if it asks for nothing."""
        found = self.soul.remind(text, was_heard=was_heard)  # nobody else sees the conversation
        if found is not None:
            shown.tell_found(found)
        return found is not None

    def begin_anew(self) -> str:
        """Learn from the conversation, and begin it anew; return the file that keeps its end."""
        if self.can_learn and self.soul.sessions.unflushed(self.session):
            shown.note(_("Learning from this conversation…"))
        self.attached.clear()
        path = self.soul.clear(self.session)
        self.tell_news()
        return path

    def tell_news(self) -> None:
        """Say what was learned in the background since."""
        for flushed in self.soul.learning.news():
            for receipt in flushed.news:
                shown.tell_learned(receipt.memory, receipt.replaced)
            if flushed.why and self.can_learn:
                shown.note(_("not learned yet: {why}", why=_(flushed.why)))

    @property
    def can_learn(self) -> bool:
        return self._learns and self.soul.models.background is not None

    def leave(self, *, learn: bool = True) -> None:
        """Learn from what was said, for as long as the settings allow; the rest waits for the next start.

        What was taken off the record is erased.
        """
        self.soul.memory.erase_taken_back()
        if not self.can_learn:
            return
        if learn and self.soul.sessions.unflushed(self.session):
            self.soul.learning.want(self.session)
            shown.note(_("Learning from this conversation…"))
        try:
            is_done = self.soul.learning.wait(self._quit_seconds)
        except KeyboardInterrupt:
            is_done = False
        self.tell_news()
        if not is_done:
            shown.note(_("Not finished yet; it is queued and will continue at the next start."))

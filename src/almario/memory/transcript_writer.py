"""Hearing: what was said goes to a session's transcript, numbered after all that the journal knows of it."""

from collections.abc import Sequence

from almario.domain.turns import OFF, Said, Turn, transcript_name, without_words
from almario.errors import StoreError
from almario.memory.keeping import Keeping, Write
from almario.text.redaction import Redactor

# Of what is kept with a turn, these are names and no text.
_NAMES = ("answers", "call", "id", "model", "name", "ref", "told", "tool", "used")


class Hearing:
    """Keeps what was said."""

    def __init__(self, keeping: Keeping, redact: Redactor) -> None:
        self._ledger = keeping.ledger
        self._redact = redact

    def append(self, write: Write, session: str, said: Sequence[Said]) -> Sequence[Turn]:
        """Add to a transcript; when this returns, it survives a power cut.

        Of what is said off the record only the caller has the words.
        """
        kept = [self.fit_to_keep(each) for each in said]
        written = [without_words(each) if each.off else each for each in kept]
        turns = write.appender.append_turns(session, written, after=self._last_known(session))
        return [
            turn._replace(text=each.text, more={**each.more, OFF: True}) if each.off else turn
            for turn, each in zip(turns, kept, strict=True)
        ]

    def fit_to_keep(self, said: Said) -> Said:
        """Return what was said as the transcript will have it: without its secrets, if that is wanted."""
        if not self._redact.settings.transcripts:
            return said
        more = self._redact.values(said.more, but=_NAMES)
        return said._replace(text=self._redact.text(said.text), more=more)

    def _last_known(self, session: str) -> int:
        """Return the last turn that the journal speaks of.

        If the owner deleted the transcript, what is said next is not to be taken for what was learned from.
        """
        transcript_name(session)  # refuses what can be no session's key
        try:
            state = self._ledger.session(session)
        except StoreError:  # damage to what is derived is no reason to lose a turn
            return 0
        return max(state.flushed, state.queued, state.fresh)

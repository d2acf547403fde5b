"""What a model is told as it is about to use a tool, or as one has failed; and what of that holds it once.

Whatever was said, remembered or learned of the file or the command may matter: nothing decides that it is a
rule. Held is only what surely breaks an explicit one, or what failed in an earlier session and was done in
another way; the same call again goes through.
"""

from collections.abc import Collection, Sequence

from almario.conversation.settings import HookSettings
from almario.conversation.voice import Voice
from almario.domain.acts import COMMAND, MENDS, Call, named
from almario.domain.audiences import Audience
from almario.domain.digests import blake2b
from almario.domain.memories import Memory, Wanted
from almario.domain.messages import say
from almario.domain.model import Query
from almario.domain.plain_text import in_one_line, shortened
from almario.domain.turn_ids import turn_id
from almario.domain.turns import Turn
from almario.memory.telling import Listener, hears_unasked
from almario.named_tuples import NamedTuple
from almario.text.forbidding import forbids

# So many things are told for one call. So much of a rule is given as a reason.
_MOST, _REASON = 2, 300
# What a session is marked with that a call was held there.
_HELD = "held:"


class Before(NamedTuple):
    """What is told for a call, or why it is held; how many things that are, and their names."""

    told: str = ""
    reason: str = ""
    names: tuple[str, ...] = ()
    number: int = 0


NOTHING = Before()


class Acting:
    """Knows what matters for the calls of one agent's tools."""

    def __init__(self, parts: Voice, settings: HookSettings, language: str) -> None:
        self._parts = parts
        self._settings = settings
        self._language = language

    def told(
        self, call: Call, audience: Audience, seen: Sequence[Turn], told: Collection[str], *, error: str = ""
    ) -> Before:
        """Return what is told for a call to a session in which this was *seen*, and this *told*."""
        about = call._replace(written=f"{call.written} {error}".strip())
        hidden = frozenset(turn.id for turn in seen)
        listener = Listener(audience, _MOST, has_asked=False, heard=told)
        found = self._parts.memory.recall(Query(about.text, hidden=hidden, call=about), listener)
        if not found:
            return NOTHING
        names = dict.fromkeys(name for hit in found for name in (hit.name, *hit.evidence))
        return Before(self._parts.remembered.before_an_act(found, audience), "", tuple(names), len(found))

    def held(self, call: Call, audience: Audience, seen: Sequence[Turn], told: Collection[str]) -> Before:
        """Return why a call is held, if the owner wants that, unless it was held in this session before."""
        mark = f"{_HELD}{blake2b((call.line or call.path).encode('utf-8', 'replace'), size=8)}"
        if self._settings.hold != "rules" or mark in told:
            return NOTHING
        if rule := self._broken_rule(call, audience):
            sentence = 'Your human asked for this: "{rule}" If it is right all the same, do it again.'
            reason = self._say(sentence, rule=shortened(in_one_line(rule.value), _REASON))
            return Before(reason=reason, names=(mark, rule.id), number=1)
        if lesson := self._lesson(call, audience, seen):
            sentence = "This has failed before: {lesson} If it is right all the same, do it again."
            reason = self._say(sentence, lesson=in_one_line(lesson.text))
            return Before(reason=reason, names=(mark, lesson.id), number=1)
        return NOTHING

    def _broken_rule(self, call: Call, audience: Audience) -> Memory | None:
        rules = self._parts.memory.list(Wanted(origins=("owner",), states=("live",)))
        explicit = (each for each in reversed(rules) if each.source == "explicit")
        may = (each for each in explicit if hears_unasked(audience, each))
        return next((each for each in may if forbids(each.value, call)), None)

    def _lesson(self, call: Call, audience: Audience, seen: Sequence[Turn]) -> Turn | None:
        """Return what an earlier session learned of this very command, if that still is the newest of it."""
        if call.kind != "run":
            return None
        own, line = (
            {turn.session for turn in seen},
            named(self._parts.memory.redact.text(in_one_line(call.line))),
        )
        query = Query(call.text, call=call._replace(purpose=""))
        found = self._parts.memory.recall(query, Listener(audience, _MOST, floor=0.0, has_asked=False))
        turns = self._parts.vault.turns([hit.turn for hit in found if hit.turn])
        lessons = [turn for turn in turns if turn.more.get(MENDS) == line and turn.more.get(COMMAND) != line]
        return next((turn for turn in lessons if turn_id(turn.id).session not in own), None)

    def _say(self, sentence: str, **facts: object) -> str:
        return say(self._language, sentence, **facts)

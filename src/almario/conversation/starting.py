"""What a coding agent is told as a session begins, within 300 tokens.

Who the agent is, in brief; how its human wants it to behave; what is due; what was said here before. What
is standing is told each time. All else that the last starts told, and no message called for, steps back.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from almario.conversation.prompt_sections import PromptSection, fenced_memory, under
from almario.conversation.voice import Voice
from almario.domain.audiences import Audience
from almario.domain.documents.lines import is_blank, without_comments
from almario.domain.memories import EVERY
from almario.domain.messages import say
from almario.domain.places import HOME, project_of
from almario.domain.plain_text import cut_to_tokens, estimate_tokens
from almario.domain.turns import own_words
from almario.domain.words import sentences_in
from almario.memory.lately import Session
from almario.memory.said_since import says_anew
from almario.memory.telling import PromptLine, chosen_lines, hears_memory
from almario.named_tuples import NamedTuple
from almario.text.lasting import how_lasting
from almario.text.oneself import speaks_of_oneself, tells_of_oneself

# So many tokens a start may take, and of these who the agent is, and what is coming up. A whole soul takes
# more.
_TOKENS, _WHO, _COMING, _WHOLE = 300, 45, 60, 1600
# What so many of the last sessions here began with, and did not use, steps back.
_LAST, _OFTEN = 5, 3
# So many sessions are looked at, here and in other projects, for so many things that were said.
_HERE, _ELSEWHERE, _SAID = 30, 10, 40
# So many of these are told each time, that are so likely to be meant so. A line is no longer, nor the last
# message.
_STANDING, _LASTING, _LINE, _MESSAGE = 3, 0.6, 160, 80
_RULES = "### How Your Human Wants You to Behave"
_DUE, _LAST_SAID = "## Coming up", "## What Was Under Way Here"
_BEFORE = "## What Was Said Here Before"


class Start(NamedTuple):
    """What a session begins with; what of it stands, and what is told though nothing calls for it."""

    text: str
    standing: Sequence[str] = ()
    uncalled: Sequence[str] = ()


class Starting:
    """Tells another program's model what a session begins with."""

    def __init__(self, parts: Voice, *, is_whole: bool, language: str) -> None:
        self._parts = parts
        self._is_whole = is_whole
        self._language = language

    def told(self, session: str, audience: Audience) -> Start:
        """Return what a session begins with."""
        parts, lead = self._parts, say(self._language, "What follows is who you are, in this program too.")
        who = self._who(audience)
        room = _TOKENS - estimate_tokens(f"{lead}\n\n{'' if self._is_whole else who}\n\n{self._fenced('-')}")
        here = self._sessions(lambda key: key != session and project_of(key) == audience.project, _HERE)
        lately = Counter(name for each in here[:_LAST] for name in each.told)
        used = {name for each in here[:_LAST] for name in each.used}
        rules, (due, kept) = parts.remembered.rules(audience), parts.remembered.kept_for(audience)
        names = {line.name for line in (*rules, *kept)}
        standing, said = self._said(here, audience, names)
        last = self._last(here, audience)
        said = [line for line in said if line.name not in {each.name for each in last}]
        rest = [line for line in (*kept, *said) if lately[line.name] < _OFTEN or line.name in used]
        sections, told = [], dict[str, list[str]]()
        for heading, lines, most in (
            (_RULES, [*rules, *standing], room),
            (_DUE, due, _COMING),
            (_LAST_SAID, last, room),
            (_BEFORE, rest, room),
        ):
            left = min(most, room) - estimate_tokens(f"{heading}\n\n")
            placed = (line._replace(place=(0, n)) for n, line in enumerate(lines))
            text, told[heading], _ = chosen_lines(placed, left)
            section = under(heading, PromptSection("remembered", text))
            room -= estimate_tokens(f"{section.text}\n\n")
            sections.append(section.text)
        knows = self._fenced("\n\n".join(filter(None, sections)))
        text = "\n\n".join(filter(None, (lead, who, knows)))
        return Start(text, [*told[_RULES], *told[_DUE]], [*told[_LAST_SAID], *told[_BEFORE]])

    def _said(
        self, here: Sequence[Session], audience: Audience, told: Collection[str]
    ) -> tuple[list[PromptLine], list[PromptLine]]:
        """Return what the owner seems to want each time, and what else they said here, the latest first.

        What was *told* as a memory is no line of its own, nor is what rests on one that holds no longer. What
        they said of themselves may be for no other session: it waits to be called for.
        """
        elsewhere = self._sessions(lambda key: project_of(key) not in (HOME, audience.project), _ELSEWHERE)
        turns = [turn for session in here for turn in reversed(session.said)][:_SAID]
        others = [turn for session in elsewhere for turn in reversed(session.said)][:_SAID]
        memory, owner = self._parts.memory, self._parts.remembered.owner(audience)
        out = memory.out_of_mind()
        gone = {
            turn
            for each in memory.list(EVERY._replace(evidence=tuple(turn.id for turn in (*turns, *others))))
            if each.id in told or not (each.is_live and hears_memory(audience, each))
            for turn in each.evidence
        }
        lines, likely, newer = list[PromptLine](), list[tuple[float, PromptLine]](), list[str]()
        for turn in (*turns, *others):
            text = memory.statement(own_words(turn)) if turn.id not in out and turn.id not in gone else ""
            if not text or any(says_anew(each, text) for each in newer):
                continue
            is_here = project_of(turn.session) == audience.project
            line = PromptLine(self._parts.remembered.said_line(turn, text, owner, _LINE), turn.id)
            score = max(map(how_lasting, sentences_in(text)), default=0.0)
            if score >= _LASTING and (is_here or all(map(tells_of_oneself, sentences_in(text)))):
                likely.append((score, line))
            elif is_here and not any(map(tells_of_oneself, sentences_in(text))):
                lines.append(line)
            newer.append(text)
        likely.sort(key=lambda each: -each[0])
        return [line for _, line in likely[:_STANDING]], lines + [line for _, line in likely[_STANDING:]]

    def _last(self, here: Sequence[Session], audience: Audience) -> list[PromptLine]:
        """Return what the owner said last in the last session here, if it is not of themselves."""
        turn = here[0].last if here else None
        if turn is None or turn.id in self._parts.memory.out_of_mind() or speaks_of_oneself(own_words(turn)):
            return []
        remembered = self._parts.remembered
        text = remembered.said_line(turn, own_words(turn), remembered.owner(audience), _MESSAGE)
        return [PromptLine(text, turn.id)]

    def _sessions(self, wanted: Callable[[str], bool], most: int) -> Sequence[Session]:
        return self._parts.memory.lately(wanted, most)

    def _fenced(self, text: str) -> str:
        return fenced_memory([PromptSection("remembered", text)], self._language) if text else ""

    def _who(self, audience: Audience) -> str:
        """Return who the agent is; in brief, its identity and what its soul says first."""
        sections = self._parts.prompts.who(audience)
        if self._is_whole:
            whole = "\n\n".join(section.text for section in sections if section.text)
            return cut_to_tokens(whole, _WHOLE)
        identity, soul, *_ = (section.text for section in sections)
        prose = [each for each in without_comments(soul).splitlines() if not each.startswith("#")]
        told = identity
        for sentence in sentences_in(" ".join(each for each in prose if not is_blank(each))):
            if estimate_tokens(f"{told} {sentence}") > _WHO:
                break
            told = f"{told} {sentence}"
        return told

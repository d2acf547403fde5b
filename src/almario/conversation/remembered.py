"""What a prompt tells of the memory: core facts, the last days, and what is relevant to a message."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta

from almario.conversation.prompt_sections import (
    EARLIER,
    OWNER,
    Line,
    Prompt,
    PromptSection,
    age_since,
    chosen_lines,
    memory_words,
    quote_told,
    under,
    when_told,
    within,
    words_told,
)
from almario.conversation.settings import PromptSettings
from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.documents.daily import log_path, without_title, without_untrusted
from almario.domain.documents.identity import identity_value
from almario.domain.memories import UNTRUSTED, Memory, State, Wanted
from almario.domain.model import CORE_MEMORY, SOUL_FILES, Hit, Query, Recalled
from almario.domain.plain_text import estimate_tokens, in_one_line, shortened
from almario.domain.validity import Plan, briefly, read
from almario.memory.facade import Memories
from almario.memory.rules.sources import line_name
from almario.memory.settings import AutoRecallSettings
from almario.ports import Store

# So many plans are told at most, and what was planned so many days after it.
_MOST_PLANS, _PASSED = 8, 7
# A longer name is a sentence.
_LONGEST_NAME = 40

Telling = Callable[[], tuple[list[PromptSection], tuple[Hit, ...], tuple[Hit, ...]]]


class Remembered:
    """Tells the memory of one agent, as sections of a prompt."""

    def __init__(
        self,
        vault: Store,
        memory: Memories,
        prompt: PromptSettings,
        auto_recall: AutoRecallSettings,
        *,
        language: str = "en",
        reads_soul: bool = True,
    ) -> None:
        self._vault = vault
        self._reads_soul = reads_soul
        self._memory = memory
        self._settings = prompt
        self._auto_recall = auto_recall
        self._language = language
        self._clean = memory.file_without_secrets
        self.in_one_moment = memory.sync.in_one_moment

    def begin(self, asked: Query, given: Sequence[Hit] | None) -> Telling:
        """Look for what is relevant; return what tells it, which writes nothing.

        That gives core memory, the last days, what is relevant (*given*, if it
        is not None) and what is coming up, as sections, and the hits that were
        told, and all that were found: each only as far as the audience may hear it.
        """
        is_short = len(asked.question.strip()) < self._auto_recall.min_chars
        looking = given is None and self._auto_recall.enabled and not is_short
        searched = self._memory.candidates(asked) if looking else None

        def telling() -> tuple[list[PromptSection], tuple[Hit, ...], tuple[Hit, ...]]:
            coming, planned = self._coming(asked.audience)
            core, told = self._core(asked.question, asked.audience, planned)
            recent = self._recent(asked.audience)
            hits = found = Recalled(hit for hit in given or () if self._hears(asked.audience, hit))
            if searched is not None:
                known = {*told, *planned, *recent.source.split(", "), *SOUL_FILES, *asked.hidden}
                found = searched
                hits = self._memory.worth_telling(found, skip=known)
            relevant, told_hits = self.relevant(hits, asked.audience)
            sections = [core, recent, relevant._replace(kept_out=hits.kept_out), coming]
            return sections, told_hits, tuple(found)

        return telling

    def instructions(self, audience: Audience) -> PromptSection:
        """Return how the owner has told the agent to behave, the newest last, as far as they may be heard.

        These are no data but wishes, so nobody else's are among them.
        """
        wanted = Wanted(kinds=("instruction",), origins=("owner",))
        every = self._memory.list(wanted)
        told = [memory for memory in every if audience.hears_of(memory)]
        text = "\n".join(f"- {' '.join(memory.value.split())}" for memory in told)
        budget = self._settings.instructions_tokens
        section = within("instructions", text, budget, source="instructions", keep_end=True)
        return under(
            "### How Your Human Wants You to Behave", section._replace(kept_out=len(every) - len(told))
        )

    def _hears(self, audience: Audience, hit: Hit) -> bool:
        if audience.is_private or hit.turn:
            return audience.hears((hit.turn, *hit.evidence) if hit.turn else ())
        return bool(hit.memory) and audience.hears_of(self._memory.get(hit.memory))

    def _coming(self, audience: Audience) -> tuple[PromptSection, set[str]]:
        """Return what is coming up and what has just been, and the ids of the memories told there."""
        budget = self._settings.coming_tokens
        if not self._settings.coming_days:
            return PromptSection("coming", ""), set()
        plans = self._memory.plans(passed=_PASSED)
        near = [plan for plan in plans if plan.away <= self._settings.coming_days]
        heard = [plan for plan in near if audience.hears_of(plan.memory)]
        ahead = [plan for plan in heard if not plan.is_over][:_MOST_PLANS]
        lines: list[str] = []
        told: set[str] = set()
        left_out, owner = 0, self._owner(audience)
        for plan in [*ahead, *(plan for plan in heard if plan.is_over)]:
            line = _plan_line(plan, owner)
            if estimate_tokens("\n".join([*lines, line])) <= budget:
                lines.append(line)
                told.add(plan.memory.id)
            else:
                left_out += estimate_tokens(line)
        kept_out = len(near) - len(heard)
        section = PromptSection("coming", "\n".join(lines), "memory", budget, left_out, kept_out)
        return under("## Coming up", section), told

    def _core(
        self, message: str, audience: Audience, planned: Collection[str]
    ) -> tuple[PromptSection, set[str]]:
        """Return what is always known but for what is *planned*, and the ids of the memories told there.

        Past the budget, the owner's own prose, the profile and what was said explicitly come first, then what
        was said or used last. What seems to tell an earlier value is told as that, after the newer.
        """
        every, now = self._memory.core(), self._vault.now()
        known = [memory for memory in every if memory.id not in planned and not _is_wish(memory)]
        facts = [memory for memory in known if audience.hears_of(memory)]
        prose = self._memory.prose()
        earlier, owner = self._memory.earlier(facts) if facts else {}, self._owner(audience)
        facts = _with_earlier_ones_after(facts, earlier)
        first = [Line(line, comes_first=True, used=math.inf) for line in prose if audience.hears()]
        lines = first + [
            Line(_line(memory, now, owner, is_earlier=True), comes_first=False)
            if memory.id in earlier
            else Line(_line(memory, now, owner), _is_first(memory), memory.renewed.timestamp())
            for memory in facts
        ]
        budget = self._settings.core_tokens
        kept = chosen_lines(lines, message, budget)
        text = "\n".join(lines[place].text for place in kept)
        left_out = estimate_tokens("\n".join(line.text for line in lines)) - estimate_tokens(text)
        kept_out = len(known) + len(prose) - len(lines)
        section = PromptSection("core", text, CORE_MEMORY, budget, left_out, kept_out)
        section = under("## Core Memory", section)
        wishes = {memory.id for memory in every if _is_wish(memory)}
        return section, wishes | {facts[place - len(first)].id for place in kept if place >= len(first)}

    def _recent(self, audience: Audience) -> PromptSection:
        today = self._vault.now().date()
        days = [today - timedelta(days=back) for back in range(self._settings.recent_days)]
        out = self._memory.out_of_mind()
        told = [(day, self._day(day, {*out, *self._elsewhere(day, audience)})) for day in reversed(days)]
        text = "\n\n".join(f"### {day.isoformat()}\n{section.text}" for day, section in told if section.text)
        source = ", ".join(section.source for _, section in told if section.text)
        budget = self._settings.recent_day_tokens * self._settings.recent_days
        left_out = sum(section.left_out for _, section in told)
        if not audience.hears():
            return PromptSection("recent", "", budget=budget, kept_out=text.count("\n- "))
        return under("## Recent Memory", PromptSection("recent", text, source, budget, left_out))

    def _elsewhere(self, day: date, audience: Audience) -> list[str]:
        """Return the lines of a day that tell what happened in other projects than the audience's."""
        if not audience.project:
            return []
        path = log_path(day)
        filed = self._memory.list(Wanted(path=path))
        return [line_name(path, memory.value) for memory in filed if not audience.hears_of(memory)]

    def _day(self, day: date, out: Collection[str]) -> PromptSection:
        text = self._clean(self._vault.log_of(day).text.replace("\r\n", "\n"))
        if out:
            from almario.conversation.memory_tools import in_mind  # noqa: PLC0415 - few agents forget much

            text = in_mind(log_path(day), text, out)
        text = without_title(without_untrusted(text))
        return within("day", text, self._settings.recent_day_tokens, source=log_path(day), keep_end=True)

    def _owner(self, audience: Audience) -> str:
        """Return the owner's name as USER.md has it, to say whose words are told; others need not know it."""
        if not (audience.is_private and self._reads_soul):
            return OWNER
        files = (("USER.md", "name"), ("IDENTITY.md", "owner"), ("IDENTITY.md", "human"))
        names = (identity_value(self._clean(self._vault.read(file).text), field) for file, field in files)
        name = next((name for name in names if name), "")
        return in_one_line(shortened(name, _LONGEST_NAME)) or OWNER

    def relevant(
        self, recalled: Sequence[Hit], audience: Audience = OWNER_ALONE
    ) -> tuple[PromptSection, tuple[Hit, ...]]:
        """Return the best of what was recalled as far as there is room for it, and which of it, as told."""
        settings = self._auto_recall
        if not settings.enabled:
            return PromptSection("relevant", ""), ()
        lines: list[str] = []
        told: list[Hit] = []
        room = settings.max_chars
        quoted = [hit for hit in recalled if hit.state == UNTRUSTED]
        fitting = [hit for hit in recalled if hit.score >= settings.min_score and hit not in quoted]
        owner = self._owner(audience) if any(hit.quote for hit in fitting) else OWNER
        for hit in [*fitting[: settings.limit], *quoted[:1]]:
            facts = [*when_told(hit, self._vault.now().date()), f"score {hit.score:.2f}"]
            line = f"- [{hit.kind}] {words_told(hit, owner, self._language)} ({', '.join(facts)})"
            if hit in quoted:
                line = f"- {quote_told(hit, self._language)}"
            if len(line) <= room:
                lines.append(line)
                told.append(hit._replace(text=EARLIER + hit.text) if hit.state == "earlier" else hit)
                room -= len(line) + 1
        section = PromptSection("relevant", "\n".join(lines), "recall")
        return under("## Relevant Memory Context", section), tuple(told)


def _with_earlier_ones_after(facts: Sequence[Memory], earlier: Mapping[str, Memory]) -> list[Memory]:
    """Return the facts with each that tells an earlier value right after the one that tells the next."""
    ordered = [memory for memory in facts if memory.id not in earlier]
    for memory in reversed([memory for memory in facts if memory.id in earlier]):
        places = {each.id: place for place, each in enumerate(ordered)}
        ordered.insert(places.get(earlier[memory.id].id, len(ordered)) + 1, memory)
    return ordered


def _line(memory: Memory, now: datetime, owner: str, *, is_earlier: bool = False) -> str:
    validity = read(memory.dated)
    told = memory.valid_from.astimezone(now.tzinfo).date()
    held = briefly(validity, now.date()) if validity else f"told {told.isoformat()}"
    guess = "a guess, " if memory.support is not None and _is_guess(memory) else ""
    older = age_since(memory.value, told, now.date())
    said = " ".join(memory_words(memory, owner).split())
    return f"- {EARLIER if is_earlier else ''}{said} ({guess}{held}{older})"


def _is_guess(memory: Memory) -> bool:
    from almario.memory.rules.admission import is_guess  # noqa: PLC0415 - only for what was learned

    return is_guess(memory)


def _plan_line(plan: Plan, owner: str) -> str:
    far = plan.how_far
    when = briefly(plan.when, plan.today) + (f", {far}" if far else "")
    if plan.is_yearly:
        from almario.text.ages import age_reached  # noqa: PLC0415 - for birthdays alone

        age = age_reached(plan.memory.value, plan.memory.valid_from.date(), plan.when.first_day)
        when += f", turns {age}" if age else ""
    if plan.is_over:
        when = f"was {when}; ask how it went"
    return f"- {' '.join(memory_words(plan.memory, owner).split())} ({when})"


def _is_wish(memory: Memory) -> bool:
    """Say whether a memory is told as what the owner wants, and not as what is known."""
    return memory.kind == "instruction" and memory.origin == "owner"


def _is_first(memory: Memory) -> bool:
    return memory.kind != "fact" or memory.source == "explicit"


# What may be told as what is so, or may be.
_STILL_TOLD: tuple[State, ...] = ("live", "expired")
# A score is a probability: more likely than not, the message is about it.
_LIKELY = 0.5
# So much of a memory stands in a message and its answer that speak of it: more than a name.
_SAID = 0.6


class Told:
    """What memory told in a session for one message: *lines*, and the *ids* of what was looked for.

    *found* is what recall thinks of the message, told or not.
    """

    def __init__(
        self, message: str = "", lines: Sequence[str] = (), ids: Sequence[str] = (), found: Sequence[Hit] = ()
    ) -> None:
        self.message = message
        self.lines, self.ids = list(lines), list(ids)
        self.found = found
        # What others said, as it was quoted: it is no reason for anything that the model does.
        self.quoted: Sequence[str] = ()
        # For the flight recorder: the prompt that told it and the tools named there, how far the journal was
        # before that, the message it answers, and the first and last turn that the model saw.
        self.prompt: Prompt | None = None
        self.tools: Sequence[str] = ()
        self.line, self.asked, self.seen = 0, "", tuple[int, ...]()

    def tells(self, memory: Memory) -> bool:
        """Say whether a memory is among what was told."""
        value = " ".join(memory.value.split())
        return memory.id in self.ids or any(value in line for line in self.lines)


def memories_told(memory: Memories, told: Told) -> list[Memory]:
    """Return the memories that were told, as far as they are still told as what is so, or may be."""
    with memory.looking(anew=False):
        found = memory.list(Wanted(ids=tuple(told.ids), states=_STILL_TOLD)) if told.ids else []
        core = memory.core() if told.lines else []
    every = {each.id: each for each in (*found, *core)}
    return [each for each in every.values() if told.tells(each)]


def drawn_on(memories: Iterable[Memory], told: Told, answer: str) -> list[str]:
    """Return the ids of the memories that an answer says, or that its message asks about."""
    from almario.memory.rules.provenance import ground  # noqa: PLC0415 - only for answers

    likely = [hit for hit in told.found if hit.score >= _LIKELY]
    asked = {name for hit in likely for name in (hit.memory, *hit.evidence)}
    said = (told.message, answer)
    return [each.id for each in memories if each.id in asked or ground(each.value, said).bears(_SAID)]


def reminded(memory: Memories, message: str, *, was_heard: bool) -> Recalled | None:
    """Return what comes to mind about a message; None if it asks for nothing.

    A wish that came to nothing had nothing to mean; *was_heard* says that the message was dealt with
    already, but for the question in it.
    """
    from almario.text.questions import is_question  # noqa: PLC0415 - only for messages
    from almario.text.wishes import wish_in  # noqa: PLC0415 - as above

    if was_heard and not is_question(message):
        return None
    if wish_in(message):
        return Recalled()
    return memory.recall(Query(message)) if is_question(message) else None

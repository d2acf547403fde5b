"""What a prompt tells of the memory: what is coming up, the last days, and what a message brings to mind."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta, tzinfo
from functools import lru_cache
from itertools import chain, groupby, zip_longest
from operator import attrgetter
from pathlib import PurePosixPath
from types import MappingProxyType

from almario.conversation.prompt_sections import (
    EARLIER,
    OWNER,
    PromptSection,
    age_since,
    hit_dates,
    hit_quote,
    hit_words,
    memory_words,
    under,
    within,
)
from almario.conversation.settings import PromptSettings
from almario.conversation.soul_text import soul_text
from almario.domain.audiences import Audience
from almario.domain.documents.daily import log_lines, log_path
from almario.domain.documents.identity import identity_value
from almario.domain.memories import UNTRUSTED, Memory, Wanted, same_key
from almario.domain.model import CORE_MEMORY, SOUL_FILES, Hit, Query, Recalled
from almario.domain.plain_text import estimate_tokens, in_one_line, shortened
from almario.domain.plans import Plan
from almario.domain.turns import Turn, own_words
from almario.domain.validity import briefly, read
from almario.domain.words import shared_words
from almario.memory.facade import Memories
from almario.memory.rules.mirror import core_lines
from almario.memory.rules.sources import PAGES
from almario.memory.settings import AutoRecallSettings
from almario.memory.telling import (
    Listener,
    PromptLine,
    chosen_lines,
    hears_memory,
    hears_turns,
    hears_unasked,
)
from almario.named_tuples import NamedTuple
from almario.ports import Store

# So many plans are told at most. What was planned is asked about in the next talk, or for so many days where
# there was none before; and after so many more nobody asks.
_MOST_PLANS, _PASSED, _LONG_PASSED = 8, 7, 30
# Of so many facts those that the message does not call for are told, too.
_MOST_FACTS = 200
# How many days ahead a plan is coming up; how many tokens the wishes of how to behave have.
_COMING, _INSTRUCTIONS = 14, 600
# The share of the budget for plans, and for the last days.
_SHARE = 0.25
# From this share of its words on, what was said is told by what was learned of it.
_MOSTLY = 0.5
# So many tokens of what is known stand there though somebody only says hello.
_AT_A_GREETING = 100
# For so many days nobody needs to know on which of them a thing was told.
_FRESH = 30
# So many hits are looked through for what else is known.
_MOST_HITS = 26
# How many quotes of uncertain relevance are shown, and how long each may be.
_MOST_QUOTES, _QUOTE_LENGTH = 11, 240
# How long the lines are together that are told as a tool is about to be used.
_AT_ACT = 205
# Where the owner is named; a longer name is a sentence.
_NAMED = {"USER.md": ("name",), "IDENTITY.md": ("owner", "human")}
_LONGEST_NAME = 40
# How the owner wants the agent to behave.
_RULES = Wanted(kinds=("instruction",), origins=("owner",))
# Where the portrait is, and what stands over it: "you" in it is the owner.
_PAGE = f"{PAGES}owner.md"
_TOLD_SO = "## Your Human in Brief, as You Would Say It to Them"
# The share of the budget for the portrait, and what it is of: what is ahead, and wishes, stand elsewhere.
_BRIEF, _THEMES = 1 / 6, ("you", "people", "work")


class PromptMemory(NamedTuple):
    """What tells the memory: sections, the hits told as relevant, all that were found, and what was told."""

    sections: list[PromptSection]
    relevant: tuple[Hit, ...]
    found: tuple[Hit, ...]
    names: tuple[str, ...]


class Remembered:
    """Tells the memory of one agent, as sections of a prompt that share one budget.

    What is coming up and the last days always stand. Then comes what the message brings to mind: what is
    sure, apart; and the rest of what is known, chosen by how likely it is to matter to the message.
    """

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
        # Takes out the secrets that the owner wrote into a file.
        self.clean = memory.redact.file
        self.in_one_moment = memory.sync.in_one_transaction

    @property
    def _share(self) -> float:
        """What plans may take, and the last days: each so much of the budget."""
        return self._settings.memory_tokens * _SHARE

    def begin(
        self,
        query: Query,
        audience: Audience,
        given: Sequence[Hit] | None,
        last_talk: date | None = None,
    ) -> Callable[[], PromptMemory]:
        """Look for what is relevant; return what tells it, which writes nothing.

        What was *given* is told as relevant, if it is not None; each thing only as far as the audience may
        hear it.
        """
        recalls = given is None and self._auto_recall.enabled and bool(query.question.strip())
        listener = Listener(audience, _MOST_HITS, has_asked=False)
        found = self._memory.recall(query, listener) if recalls else Recalled()

        def telling() -> PromptMemory:
            owner = self.owner(audience)
            core = self._memory.core(most=_MOST_FACTS)
            # A coding agent waits, maybe for a process that has read nothing yet.
            said = {} if audience.project else self._memory.said_since(core, audience, query.hidden)
            coming, planned = self._coming(audience, last_talk, owner, said)
            recent, in_logs = self._recent(audience, found)
            portrait = self._portrait(audience, owner, core)
            hits = Recalled(hit for hit in given or () if self._hears(audience, hit))
            seen = {*planned, *in_logs, *SOUL_FILES, *query.hidden}
            fresh = found.without(seen)
            relevant, sure = self.relevant(hits if given is not None else fresh, owner, said)
            told = (portrait, coming, relevant)
            left = self._settings.memory_tokens - sum(each.tokens for each in told)
            shown = {*planned, *query.hidden, *(name for hit in sure for name in hit.names)}
            shown.update(said[hit.memory].id for hit in sure if hit.memory in said)
            known, names = self._known(audience, owner, core, fresh.without(shown), shown, left, said)
            sections = [portrait, coming, recent, relevant._replace(kept_out=found.kept_out), known]
            return PromptMemory(sections, sure, tuple(found), (*(hit.name for hit in sure), *names))

        return telling

    def instructions(self, audience: Audience) -> PromptSection:
        """Return how the owner has told the agent to behave, the newest last, as far as they may be heard.

        These are no data but wishes, so nobody else's are among them.
        """
        every = self._memory.list(_RULES)
        heard = [memory for memory in every if hears_memory(audience, memory)]
        text = "\n".join(map(_rule_line, heard))
        section = within("instructions", text, _INSTRUCTIONS, source="instructions", keep_end=True)
        return under(
            "### How Your Human Wants You to Behave", section._replace(kept_out=len(every) - len(heard))
        )

    def rules(self, audience: Audience) -> list[PromptLine]:
        """Return how the owner has told the agent to behave, of this project first, and the newest first."""
        heard = [memory for memory in self._memory.list(_RULES) if hears_memory(audience, memory)]
        heard.sort(key=lambda memory: (memory.place == audience.project, memory.at), reverse=True)
        return [PromptLine(_rule_line(memory), memory.id) for memory in heard]

    def kept_for(self, audience: Audience) -> tuple[list[PromptLine], list[PromptLine]]:
        """Return what is coming up, then what else was asked to be remembered and an audience may be told."""
        owner, now = self.owner(audience), self._vault.now()
        coming, planned = self._coming(audience, None, owner, {})
        facts = [
            PromptLine(_line(memory, now.date(), now.tzinfo, owner), memory.id)
            for memory in self._memory.core(most=_MOST_FACTS)
            if hears_unasked(audience, memory) and memory.id not in planned and not _is_rule(memory)
        ]
        return [PromptLine(line) for line in coming.text.splitlines()[1:]], facts

    def said_line(self, turn: Turn, text: str, owner: str, longest: int) -> str:
        """Return a line that tells what the owner said, with its day."""
        day = turn.at.astimezone(self._vault.zone).date()
        words = self._memory.redact.text(text)
        return self._hit_line(Hit("turn", words, day, 0.0, turn=turn.id, quote=True), owner, longest)

    def beside(self, query: Query, audience: Audience, heard: Collection[str]) -> Recalled:
        """Return what a coding agent is told with a message that was not *heard* before, the best first."""
        listener = Listener(audience, self._auto_recall.limit, has_asked=False, heard=heard)
        return self._memory.recall(query, listener)

    def lines_of(
        self, found: Recalled, audience: Audience, hidden: Collection[str] | None = None
    ) -> tuple[PromptSection, tuple[Hit, ...]]:
        """Return what tells a coding agent these hits, and which of them there is room for, as told.

        What was said since of one stands before it, unless it is *hidden*, as what is in sight; None: nobody
        has the time to look for it.
        """
        ids = tuple(hit.memory for hit in found if hit.memory) if hidden is not None else ()
        facts = self._memory.list(Wanted(ids=ids)) if ids else []
        return self._lines_of(
            found,
            self.owner(audience),
            self._memory.said_since(facts, audience, hidden or ()) if facts else {},
        )

    def before_an_act(self, found: Recalled, audience: Audience) -> str:
        """Return the lines that tell a coding agent these hits as it is about to use a tool."""
        owner = self.owner(audience)
        whole = [in_one_line(self._hit_line(hit, owner)) for hit in found]
        left = _AT_ACT
        lines = []
        for place, line in enumerate(whole):
            # What comes after has room for itself, or its share.
            after = min(
                sum(map(len, whole[place + 1 :])), left * (len(whole) - place - 1) // (len(whole) - place)
            )
            cut = max(len(line) - (left - after), 0)
            hit = found[place]
            lines.append(self._shorter(hit, owner, cut) if cut else line)
            left -= len(lines[-1])
        return "\n".join(lines)

    def _shorter(self, hit: Hit, owner: str, by: int) -> str:
        """Return the line of a hit with so much less of its words; its day stays."""
        longest = max(len(in_one_line(hit_words(hit, owner, self._language))) - by, 1)
        return in_one_line(self._hit_line(hit, owner, longest))

    def relevant(
        self, recalled: Sequence[Hit], owner: str, said: Mapping[str, Turn] = MappingProxyType({})
    ) -> tuple[PromptSection, tuple[Hit, ...]]:
        """Return what of the hits is sure to matter, as far as there is room, and which of it, as told.

        What the owner *said* since of one stands before it.
        """
        settings = self._auto_recall
        if not settings.enabled:
            return PromptSection("relevant", ""), ()
        sure = [hit for hit in recalled if hit.score >= settings.min_score]
        return self._lines_of(sure[: settings.limit], owner, said)

    def _lines_of(
        self, hits: Sequence[Hit], owner: str, said: Mapping[str, Turn] = MappingProxyType({})
    ) -> tuple[PromptSection, tuple[Hit, ...]]:
        rivals = {same_key(hit.key) for hit in hits if hit.state == "earlier" and hit.key}
        followed = {*said, *(hit.follows for hit in hits)}
        in_sight = {hit.turn for hit in hits}

        def line_of(hit: Hit) -> PromptLine:
            is_rival = same_key(hit.key) in rivals or hit.name in followed
            line = self._hit_line(hit, owner, is_rival=is_rival)
            return PromptLine(self._after(said.get(hit.memory), line, owner, in_sight), hit.name)

        lines = map(line_of, hits)
        text, names, _ = chosen_lines(lines, self._settings.memory_tokens // 2)
        marked = (hit._replace(text=EARLIER + hit.text) if _is_past(hit) else hit for hit in hits)
        shown = tuple(hit for hit in marked if hit.name in names)
        return under("## Relevant to the Message", PromptSection("relevant", text, "recall")), shown

    def _hit_line(self, hit: Hit, owner: str, longest: int = 0, *, is_rival: bool = False) -> str:
        if hit.state == UNTRUSTED:
            return f"- {hit_quote(hit, self._language)}"
        words = hit_words(hit, owner, self._language)
        today = self._vault.now().date()
        is_undated = hit.memory and hit.day and not (hit.state or is_rival or _is_old(hit.day, today))
        facts = ", ".join(hit_dates(hit, today, lead=None if is_undated else "told " if hit.memory else ""))
        return f"- {shortened(words, longest) if longest else words}" + (f" ({facts})" if facts else "")

    def _after(self, turn: Turn | None, line: str, owner: str, in_sight: Collection[str] = ()) -> str:
        """Return the line of a thing after what the owner said of it since, unless that is in sight."""
        if turn is None or turn.id in in_sight:
            return line
        return f"{self.said_line(turn, own_words(turn), owner, _QUOTE_LENGTH)}\n{line}"

    def _hears(self, audience: Audience, hit: Hit) -> bool:
        if audience.is_private or hit.turn:
            return hears_turns(audience, (hit.turn, *hit.evidence) if hit.turn else ())
        return bool(hit.memory) and hears_memory(audience, self._memory.get(hit.memory))

    def _coming(
        self, audience: Audience, last_talk: date | None, owner: str, said: Mapping[str, Turn]
    ) -> tuple[PromptSection, set[str]]:
        """Return what is coming up, or was since the last talk, latest first, and their memories' ids.

        What the owner *said* since of one stands before it.
        """
        budget = int(self._share)
        passed = (self._vault.now().date() - last_talk).days if last_talk else _PASSED
        plans = self._memory.plans(passed=min(passed, _LONG_PASSED))
        near = [plan for plan in plans if plan.away <= _COMING]
        # What comes often is told on the day before, and on its day.
        near = [plan for plan in near if plan.away < 2 or not plan.is_often]
        heard = [plan for plan in near if hears_unasked(audience, plan.memory)]
        ahead = [plan for plan in heard if not plan.is_over][:_MOST_PLANS]
        told = ahead + [plan for plan in reversed(heard) if plan.is_over]
        lines = (
            PromptLine(self._after(said.get(each.memory.id), _plan_line(each, owner), owner), each.memory.id)
            for each in told
        )
        text, shown, left_out = chosen_lines(lines, budget)
        section = PromptSection("coming", text, "memory", budget, left_out, len(near) - len(heard))
        return under("## Coming up", section), {*shown, *(said[each].id for each in shown if each in said)}

    def _portrait(self, audience: Audience, owner: str, core: Sequence[Memory]) -> PromptSection:
        """Return what the owner wrote on their page, and in brief what a model wrote there.

        Where all facts have room, the latter would only repeat them.
        """
        tokens = self._settings.memory_tokens
        if not audience.is_owners:
            return PromptSection("portrait", "")
        has_room = sum(estimate_tokens(f"- {each.text}\n") for each in core) <= tokens
        made = () if has_room else self._memory.pages.made().sentences
        ids = {one for each in made for one in each.evidence}
        evidence = self._memory.list(Wanted(ids=tuple(sorted(ids)))) if ids else []
        doubted = self._memory.doubted(evidence)
        fit = {each.id for each in evidence if each.origin == "owner" and each.id not in doubted}
        by_theme = [[each for each in made if each.theme == theme] for theme in _THEMES]
        best = [
            each.text
            for some in zip_longest(*by_theme)
            for each in some
            if each and fit.issuperset(each.evidence)
        ]
        note = core_lines(self.clean(self._memory.pages.note()))
        own = (f"{owner}: {in_one_line(each.lstrip('-* '))}" for each in note)
        told = [*own, *best]
        lines = (PromptLine(f"- {each}", each, (0, place)) for place, each in enumerate(told))
        budget = int(tokens * _BRIEF)
        text, _, left_out = chosen_lines(lines, budget - estimate_tokens(_TOLD_SO))
        return under(_TOLD_SO, PromptSection("portrait", text, _PAGE, budget, left_out))

    def _known(
        self,
        audience: Audience,
        owner: str,
        core: Sequence[Memory],
        found: Recalled,
        given: Collection[str],
        budget: int,
        said: Mapping[str, Turn],
    ) -> tuple[PromptSection, list[str]]:
        """Return what else is known, as far as there is room, and its names: first what comes to mind.

        To small talk nothing comes but what is first of all. It is told by key and by day, so that little
        moves from message to message.
        """
        # These stand under how to behave.
        told = {each.id for each in core if _is_rule(each)}
        every = [each for each in core if each.id not in told]
        prose = self._memory.prose()
        facts = {memory.id: memory for memory in every if hears_unasked(audience, memory)}
        lines = [PromptLine(line) for line in prose if hears_turns(audience)]
        kept_out = len(every) + len(prose) - len(facts) - len(lines)
        by_rank = self._by_rank(facts, found.without(told), given, owner, said)
        room = min(budget, _AT_A_GREETING) if found.is_small_talk else budget
        text, names, left_out = chosen_lines(chain(lines, by_rank), room)
        section = PromptSection("known", text, CORE_MEMORY, max(0, budget), left_out, kept_out)
        return under("## What Else You Know", section), names

    def _by_rank(
        self,
        facts: Mapping[str, Memory],
        found: Recalled,
        given: Collection[str],
        owner: str,
        said: Mapping[str, Turn],
    ) -> Iterator[PromptLine]:
        """Yield a line for each hit, best first, then for each fact that nothing speaks for.

        What the owner *said* since of a fact stands before it.
        """
        now, shown = self._vault.now(), set(given)
        followed = {hit.turn or hit.memory: hit.follows for hit in found if hit.follows}
        followed |= {turn.id: name for name, turn in said.items()}
        earlier = self._memory.earlier(list(facts.values())) if facts else {}
        later = {memory.id for memory in earlier.values()}
        places = {name: place for place, name in enumerate(_by_key(facts.values(), earlier))}

        def fact_line(memory: Memory, state: str = "") -> PromptLine:
            is_earlier = state == "earlier" or memory.id in earlier
            newer = said.get(memory.id)
            is_rival = is_earlier or memory.id in later or memory.id in followed.values()
            text = _line(memory, now.date(), now.tzinfo, owner, is_earlier=is_earlier, is_rival=is_rival)
            text = self._after(newer, text, owner, shown)
            shown.update([newer.id] if newer else [])
            return PromptLine(text, memory.id, (0, 2 * places[memory.id] + 1))

        past = [facts[name].value for name in earlier if name in facts]
        taught = defaultdict[str, list[Memory]](list)
        for memory in facts.values():
            for turn in memory.evidence:
                taught[turn].append(memory)
        talk = 0
        for hit in found:
            # What was learned of most of something said is told in its place; no summary that changed since.
            told = taught[hit.turn] if hit.turn else []
            learned = " ".join(memory.text for memory in told)
            if told and shared_words(hit.text.partition(" → ")[0], learned) < _MOSTLY:
                told = []
            is_retold = hit.memory not in facts and (told or (hit.kind == "summary" and hit.since))
            if is_retold:
                fresh = [memory for memory in told if memory.id not in shown]
                yield from map(fact_line, fresh)
            elif hit.memory in facts:
                yield fact_line(facts[hit.memory], hit.state)
            elif not hit.turn or talk < _MOST_QUOTES:
                talk += bool(hit.turn)
                is_past = any(shared_words(hit.agent_said, value) == 1 for value in past)
                shown_hit = hit._replace(state="earlier") if is_past else hit
                day = hit.day.toordinal() if hit.day else 0
                older = followed.get(hit.name, "")
                place = (0, 2 * places[older]) if older in places else (1, day)
                yield PromptLine(self._hit_line(shown_hit, owner, longest=_QUOTE_LENGTH), hit.name, place)
            shown.update((memory.id for memory in told) if is_retold else hit.names)
        rest = [memory for memory in facts.values() if memory.id not in shown]
        rest.sort(key=attrgetter("renewed"), reverse=True)
        rest.sort(key=lambda each: (each.id in earlier, not _is_first(each)))
        yield from map(fact_line, rest)

    def _recent(self, audience: Audience, found: Recalled) -> tuple[PromptSection, set[str]]:
        """Return the last days' logs in their order, and where the lines stand of which there are too many.

        What the message calls for comes first, then the latest of each day.
        """
        today = self._vault.now().date()
        days = [today - timedelta(days=back) for back in range(self._settings.recent_days)]
        ranked = [each for day in days for each in enumerate(reversed(self._log_lines(day)))]
        if not hears_turns(audience):
            return PromptSection("recent", "", kept_out=len(ranked)), set()
        called = {name for hit in found for name in (hit.place, *hit.evidence)}
        ranked.sort(key=lambda each: (each[1].name not in called, each[0]))
        budget = int(self._share)
        _, names, left_out = chosen_lines((line for _, line in ranked), budget)
        texts = {line.name: line.text for _, line in ranked}
        by_file = {file: list(own) for file, own in groupby(names, lambda name: name.partition("#")[0])}
        told = (
            "\n".join([f"### {PurePosixPath(file).stem}", *map(texts.__getitem__, own)])
            for file, own in by_file.items()
        )
        section = PromptSection("recent", "\n\n".join(told), ", ".join(by_file), budget, left_out)
        return under("## Recent Memory", section), set(names)

    def _log_lines(self, day: date) -> list[PromptLine]:
        """Return what a day's log holds, by where it stands: entries, and the owner's own lines."""
        path, text = log_path(day), self.clean(self._vault.log_of(day).text.replace("\r\n", "\n"))
        if out := self._memory.out_of_mind():
            from almario.conversation.file_reading import in_mind  # noqa: PLC0415 - few agents forget much

            text = in_mind(path, text, out)
        return [
            PromptLine(own, f"{path}#{number}", (day.toordinal(), number)) for number, own in log_lines(text)
        ]

    def owner(self, audience: Audience) -> str:
        """Return the owner's name as USER.md has it, to say whose words are told; others need not know it."""
        if not (audience.is_private and self._reads_soul):
            return OWNER
        texts = ((self.clean(soul_text(self._vault, file)), fields) for file, fields in _NAMED.items())
        names = (identity_value(text, field) for text, fields in texts for field in fields)
        name = next((name for name in names if name), "")
        return in_one_line(shortened(name, _LONGEST_NAME)) or OWNER


def _by_key(facts: Iterable[Memory], earlier: Mapping[str, Memory]) -> list[str]:
    """Return the ids of facts in the order they are told: by key, an earlier value after the next."""
    keys: dict[str, list[str]] = {}
    for memory in facts:
        keys.setdefault(same_key(memory.key) or memory.id, []).append(memory.id)
    ordered = [name for names in keys.values() for name in names if name not in earlier]
    for name in reversed([name for names in keys.values() for name in names if name in earlier]):
        place = ordered.index(earlier[name].id) + 1 if earlier[name].id in ordered else len(ordered)
        ordered.insert(place, name)
    return ordered


@lru_cache(2048)
def _line(
    memory: Memory,
    today: date,
    zone: tzinfo | None,
    owner: str,
    *,
    is_earlier: bool = False,
    is_rival: bool = False,
) -> str:
    validity = read(memory.dated)
    stated_on = memory.valid_from.astimezone(zone).date()
    told = f"told {stated_on.isoformat()}" if is_rival or _is_old(stated_on, today) else ""
    held = briefly(validity, today) if validity else told
    held = (held + age_since(memory.value, stated_on, today)).removeprefix("; ")
    beside = ", ".join(filter(None, ("a guess" * _is_guess(memory), held)))
    words = " ".join(memory_words(memory, owner).split())
    return f"- {EARLIER if is_earlier else ''}{words}" + (f" ({beside})" if beside else "")


def _is_rule(memory: Memory) -> bool:
    return (memory.kind, memory.origin) == ("instruction", "owner")


def _rule_line(memory: Memory) -> str:
    return f"- {' '.join(memory.value.split())}"


def _is_past(hit: Hit) -> bool:
    """Return whether a hit seems to tell an earlier value; of a stranger's, as the same person said newer."""
    return hit.state == "earlier" or (hit.state == UNTRUSTED and bool(hit.by))


def _is_old(day: date, today: date) -> bool:
    return not 0 <= (today - day).days <= _FRESH


def _is_guess(memory: Memory) -> bool:
    if memory.support is None:
        return False
    from almario.memory.rules.admission import is_guess  # noqa: PLC0415 - only for what was learned

    return is_guess(memory)


def _plan_line(plan: Plan, owner: str) -> str:
    far = plan.how_far
    when = briefly(plan.when, plan.today) + (f", {far}" if far else "")
    if plan.is_repeated:
        from almario.text.ages import age_reached  # noqa: PLC0415 - for birthdays alone

        age = age_reached(plan.memory.value, plan.memory.valid_from.date(), plan.when.first_day)
        when += f", turns {age}" if age else ""
    if plan.is_over:
        when = f"was {when}; ask how it went"
    # What the agent alone said of a day is a promise, or its guess.
    doubt = "I said so, " if plan.memory.origin == "agent" else "a guess, "
    doubt *= _is_guess(plan.memory)
    return f"- {' '.join(memory_words(plan.memory, owner).split())} ({doubt}{when})"


def _is_first(memory: Memory) -> bool:
    return memory.kind != "fact" or memory.source == "explicit"

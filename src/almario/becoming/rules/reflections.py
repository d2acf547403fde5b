"""The reflection journal: `memory/reflections/2026-11-14.md`, one entry for each reflection of that day."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, tzinfo

from almario.domain.documents.daily import bulleted
from almario.domain.documents.goal_list import GoalUpdate
from almario.domain.events import Filing
from almario.domain.memories import ERASED, ERASED_MARK
from almario.domain.messages import Sentence, say
from almario.domain.plain_text import in_one_line, regex, uncontrolled
from almario.domain.proposal import Proposal
from almario.domain.soul_events import Design, Finding, ReflectionBegun, Refused, SectionEdit, Trigger
from almario.memory.rules.provenance import Ground, ground_in_few
from almario.memory.rules.sources import EXPLORED, REFLECTIONS
from almario.named_tuples import NamedTuple
from almario.text.claims import plain_words

_STATES = {"open": "proposed", "accepted": "changed", "refused": "refused"}
_TRIGGERS = {"night": "at night", "owner": "on request"}
_DIMENSIONS = {
    "consistency": "consistency",
    "people": "people",
    "gaps": "gaps",
    "patterns": "patterns",
    "alignment": "alignment",
    "breadth": "breadth",
}


class Outcome(NamedTuple):
    """What a reflection found and what came of it: *goals* says what became of them."""

    findings: Sequence[Finding] = ()
    explored: Sequence[Finding] = ()
    design: Design = Design()
    proposals: Sequence[Proposal] = ()
    goals: Sequence[Sentence] = ()


class Block(NamedTuple):
    """A heading, and the lines under it."""

    title: str
    lines: tuple[str, ...]


def told_outcome(outcome: Outcome, language: str) -> list[Block]:
    """Return what a reflection found and did, in blocks; what is empty is left out."""
    told = {proposal.why for proposal in outcome.proposals}
    refused = [each for each in outcome.design.refused if each.why not in told]
    changes = [_change(proposal, language) for proposal in outcome.proposals]
    changes += [_refused(each, language) for each in refused]
    blocks = [
        Block(say(language, "Findings"), tuple(_finding(each, language) for each in outcome.findings)),
        Block(
            say(language, "From the web (untrusted)"),
            tuple(_finding(each, language) for each in outcome.explored),
        ),
        Block(say(language, "Changes"), tuple(changes)),
        Block(say(language, "Goals"), tuple(in_one_line(say(language, each)) for each in outcome.goals)),
    ]
    return [block for block in blocks if block.lines]


def told_trigger(trigger: str, language: str) -> str:
    """Return why a reflection began."""
    return say(language, _TRIGGERS.get(trigger, trigger))


def reflection_filing(begun: ReflectionBegun, outcome: Outcome, *, zone: tzinfo, language: str) -> Filing:
    """Return a reflection's entry as text owed to its day's file."""
    at = datetime.fromisoformat(begun.upto).astimezone(zone)
    head = f"## [{at:%H:%M}] {begun.id} ({told_trigger(begun.trigger, language)})"
    own = [
        f"### {block.title}\n\n" + "\n".join(f"- {line}" for line in block.lines)
        for block in told_outcome(outcome._replace(explored=()), language)
    ]
    if outcome.explored:
        own.append(say(language, "What the web said is in {path}.", path=f"{EXPLORED}{begun.day}.md"))
    prose = _prose(outcome.design.entry)
    if not prose and not own:
        prose = say(language, "I found nothing worth noting.")
    text = "\n\n".join(part for part in (head, prose, *own) if part)
    return Filing(f"{REFLECTIONS}{begun.day}.md", f"\n{text}\n", f"# Reflections: {begun.day}\n")


def has_entry(content: bytes, reflection: str) -> bool:
    """Say whether a day's file has the entry of a reflection."""
    lines = content.splitlines()
    return any(line.startswith(b"## [") and f"] {reflection} (".encode() in line for line in lines)


def entry_of(text: str, reflection: str) -> str:
    """Return what a day's file says of a reflection, below its heading."""
    found: list[str] = []
    is_meant = False
    for line in text.splitlines():
        if line.startswith("## ["):
            is_meant = f"] {reflection} (" in line
        elif is_meant:
            found.append(line)
    return "\n".join(found).strip()


def _finding(finding: Finding, language: str) -> str:
    rests_on = ", ".join(dict.fromkeys(filter(None, (*finding.evidence, finding.url))))
    dimension = say(language, _DIMENSIONS[finding.dimension])
    return f"{dimension}: {in_one_line(finding.text)} ({in_one_line(rests_on)})"


def _change(proposal: Proposal, language: str) -> str:
    """Tell what became of a wish; in the agent's own journal, no stranger has a say why."""
    state = say(language, _STATES.get(proposal.state, proposal.state))
    if proposal.origin == "untrusted" or _is_strange(proposal.evidence):
        return f"{state}: {proposal.file} ({proposal.id}, {say(language, 'not trusted')})"
    why = f": {in_one_line(say(language, proposal.why))}" if proposal.why else ""
    return f"{state}: {proposal.file}, {in_one_line(say(language, proposal.reason))} ({proposal.id}){why}"


def _refused(refused: Refused, language: str) -> str:
    edit, state = refused.edit, say(language, "refused")
    if _is_strange(edit.evidence):
        return f"{state}: {edit.file} ({say(language, 'not trusted')})"
    return f"{state}: {in_one_line(f'{edit.file}, {edit.title}: {say(language, refused.why)}')}"


def _is_strange(evidence: Sequence[str]) -> bool:
    """Say whether something rests on a page of the web."""
    return any("://" in each for each in evidence)


def _prose(text: str) -> str:
    """Return the agent's own words without headings, which would part the file otherwise."""
    lines = [line.strip().lstrip("# \t") for line in uncontrolled(text).splitlines()]
    return "\n".join(lines).strip()


# The name under which it waits, if a model failed.
JOB = "reflection"
NIGHT: Trigger = "night"
OWNER: Trigger = "owner"
# The kinds of what is looked at that no memory has.
GOAL, LOG, SAID = "goal", "log", "said"
GATHER, MIRROR, EXPLORER, ARCHITECT, APPLY, COMPACT = PHASES = (
    "gather",
    "mirror",
    "explorer",
    "architect",
    "apply",
    "compact",
)

# So much of what was noticed, and of what is wanted, must stand in what it rests on, or in the soul that it
# is held against.
NOTICED, WANTED = 0.25, 0.35
# Alone, and not part of a word: "COVID19" names no line.
_LABEL = regex(r"(?<![^\W_])[A-Z]\d+(?![^\W_])")
# A day as a soul has it; that it is the right one, words cannot tell.
_DAY = regex(r"\b\d{4}-\d{2}(?:-\d{2})?\b")
# Signs that the id of a memory or a turn does not have.
_HERE = frozenset("./")


class Source(NamedTuple):
    """A piece of what is looked at: *id* is what evidence names, *label* how the model is told of it."""

    id: str
    label: str
    kind: str
    text: str
    at: datetime | None = None


class Material(NamedTuple):
    """What a reflection looks at; nothing in it comes from anybody who is not trusted.

    *soul* are the soul files by name, *waiting* the changes to them that were proposed before.
    *sources* is what came, of which so many are *left out*; *goals* are there whether they move or not.
    """

    soul: Mapping[str, str]
    sources: tuple[Source, ...]
    left_out: int = 0
    goals: tuple[Source, ...] = ()
    today: date | None = None
    waiting: tuple[str, ...] = ()

    @property
    def every(self) -> tuple[Source, ...]:
        """All that evidence may name."""
        return (*self.goals, *self.sources)

    @property
    def ids(self) -> dict[str, str]:
        """Each source's id by its label."""
        return {source.label: source.id for source in self.every}

    @property
    def words(self) -> frozenset[str]:
        """Every word of it: who is named there is nobody new."""
        texts = (*self.soul.values(), *(source.text for source in self.every))
        return frozenset(word for text in texts for word in plain_words(text))


def labels_in(evidence: Iterable[str]) -> list[str]:
    """Return the labels that a model names as evidence, in whatever it wraps them."""
    return [label for named in evidence for label in _LABEL.findall(named)]


def resting_on(design: Design, there: Collection[str]) -> Design:
    """Return what of a design rests on what is still there; with anything gone, its entry may tell of it.

    What a purge has left of a text is no wish.
    """

    def stands(wish: SectionEdit | GoalUpdate) -> bool:
        texts = (wish.title, wish.body) if isinstance(wish, SectionEdit) else (wish.goal,)
        are_whole = all(text and text != ERASED and ERASED_MARK not in text for text in texts)
        return are_whole and is_there(wish.evidence, there)

    kept = design._replace(
        edits=tuple(filter(stands, design.edits)),
        goals=tuple(filter(stands, design.goals)),
        refused=tuple(each for each in design.refused if is_there(each.edit.evidence, there)),
        strange=tuple(filter(stands, design.strange)),
    )
    return kept if kept == design else kept._replace(entry="")


def bears_out(
    material: Material,
    evidence: Collection[str],
    text: str,
    *,
    least: float = WANTED,
    beside: Iterable[str] = (),
) -> bool:
    """Say whether a text, in other words by its nature, speaks of its evidence and makes nothing up.

    Whoever holds what was done against the soul says it in words of both; what was noticed before may stand
    *beside* them. To do what one was told not to do, and to ask, is to contradict nothing.
    """
    seen = [*_texts(material, evidence), *beside]
    if not _ground(material, text, seen).touched:
        return False
    ground = _ground(material, text, [*seen, material.soul.get("SOUL.md", "")])
    kinds = {source.kind for source in material.every if source.id in evidence}
    if kinds & {SAID, "instruction"} or "?" in text:
        ground = ground._replace(told=ground.touched, denied=0, turned=0)
    return ground.bears(least)


def grounded_in(material: Material, evidence: Collection[str], text: str) -> Ground:
    """Measure a text against the sources that are its evidence; whoever is known may be named."""
    return _ground(material, text, _texts(material, evidence))


def _ground(material: Material, text: str, sources: Iterable[str]) -> Ground:
    return ground_in_few(_DAY.sub("", text), sources, material.words)


def _texts(material: Material, evidence: Collection[str]) -> list[str]:
    return [source.text for source in material.every if source.id in evidence]


def is_there(evidence: Iterable[str], there: Collection[str]) -> bool:
    """Say whether all of some evidence is among what is there; files and pages are taken as there."""
    return all(one in there or not _HERE.isdisjoint(one) for one in evidence)


def explored_filing(day: date, findings: Sequence[Finding]) -> Filing:
    """Return findings as text owed to their day's file, each line marked as not trusted."""
    lines = [f"{in_one_line(each.text)} ({in_one_line(each.url)})" for each in findings]
    text = "".join(f"- {bulleted(line, is_trusted=False)}\n" for line in lines)
    return Filing(f"{EXPLORED}{day}.md", text, f"# Explored: {day}\n\n")

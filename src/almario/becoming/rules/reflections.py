"""The reflection journal: `memory/reflections/2026-11-14.md`, one entry for each reflection of that day."""

from collections.abc import Sequence
from datetime import date, datetime, tzinfo

from almario.domain.documents.daily import bulleted
from almario.domain.events import Filing
from almario.domain.messages import Sentence, say
from almario.domain.plain_text import in_one_line, uncontrolled
from almario.domain.proposal import Proposal
from almario.domain.soul_events import Design, Finding, ReflectionBegun, Refused, Trigger
from almario.memory.rules.sources import EXPLORED, REFLECTIONS
from almario.named_tuples import NamedTuple

# The name under which it waits, if a model failed.
JOB = "reflection"
NIGHT: Trigger = "night"
OWNER: Trigger = "owner"
GATHER, EXPLORER, ARCHITECT, APPLY = ("gather", "explorer", "architect", "apply")

_STATES = {"open": "proposed", "accepted": "changed", "refused": "refused"}
_TRIGGERS = {"night": "at night", "owner": "on request"}


class ReflectionOutcome(NamedTuple):
    """What a reflection found and what came of it: *goals* says what became of them."""

    findings: Sequence[Finding] = ()
    explored: Sequence[Finding] = ()
    design: Design = Design()
    proposals: Sequence[Proposal] = ()
    goals: Sequence[Sentence] = ()


class PromptBlock(NamedTuple):
    """A heading, and the lines under it."""

    title: str
    lines: tuple[str, ...]


def outcome_blocks(outcome: ReflectionOutcome, language: str) -> list[PromptBlock]:
    """Return what a reflection found and did, in blocks; what is empty is left out."""
    reasons = {proposal.why for proposal in outcome.proposals}
    refused = [each for each in outcome.design.refused if each.why not in reasons]
    changes = [_change(proposal, language) for proposal in outcome.proposals]
    changes += [_refused(each, language) for each in refused]
    blocks = [
        PromptBlock(say(language, "Findings"), tuple(_finding(each, language) for each in outcome.findings)),
        PromptBlock(
            say(language, "From the web (untrusted)"),
            tuple(_finding(each, language) for each in outcome.explored),
        ),
        PromptBlock(say(language, "Changes"), tuple(changes)),
        PromptBlock(
            say(language, "Goals"), tuple(in_one_line(say(language, each)) for each in outcome.goals)
        ),
    ]
    return [block for block in blocks if block.lines]


def trigger_line(trigger: str, language: str) -> str:
    """Return why a reflection began."""
    return say(language, _TRIGGERS.get(trigger, trigger))


def reflection_filing(
    begun: ReflectionBegun, outcome: ReflectionOutcome, *, zone: tzinfo, language: str
) -> Filing:
    """Return a reflection's entry as text owed to its day's file."""
    at = datetime.fromisoformat(begun.upto).astimezone(zone)
    head = f"## [{at:%H:%M}] {begun.id} ({trigger_line(begun.trigger, language)})"
    own = [
        f"### {block.title}\n\n" + "\n".join(f"- {line}" for line in block.lines)
        for block in outcome_blocks(outcome._replace(explored=()), language)
    ]
    if outcome.explored:
        own.append(say(language, "What the web said is in {path}.", path=f"{EXPLORED}{begun.day}.md"))
    prose = _prose(outcome.design.entry)
    if not prose and not own:
        prose = say(language, "I found nothing worth noting.")
    text = "\n\n".join(part for part in (head, prose, *own) if part)
    return Filing(f"{REFLECTIONS}{begun.day}.md", f"\n{text}\n", f"# Reflections: {begun.day}\n")


def has_entry(content: bytes, reflection: str) -> bool:
    """Return whether a day's file has the entry of a reflection."""
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
    return f"{say(language, finding.dimension)}: {in_one_line(finding.text)} ({in_one_line(rests_on)})"


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
    """Return whether something rests on a page of the web."""
    return any("://" in each for each in evidence)


def _prose(text: str) -> str:
    """Return the agent's own words without headings, which would part the file otherwise."""
    lines = [line.strip().lstrip("# \t") for line in uncontrolled(text).splitlines()]
    return "\n".join(lines).strip()


def explored_filing(day: date, findings: Sequence[Finding]) -> Filing:
    """Return findings as text owed to their day's file, each line marked as not trusted."""
    lines = [f"{in_one_line(each.text)} ({in_one_line(each.url)})" for each in findings]
    text = "".join(f"- {bulleted(line, is_trusted=False)}\n" for line in lines)
    return Filing(f"{EXPLORED}{day}.md", text, f"# Explored: {day}\n\n")

"""What may be taken from the architect's answers: each edit and goal is taken, or refused with its why."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from almario.becoming.blueprint import (
    ENTRY_LENGTH,
    LINE_LENGTH,
    MOST_LINES,
    REASON_LENGTH,
    SECTIONS,
    TITLE_LENGTH,
)
from almario.becoming.goals import FILE as GOALS
from almario.becoming.rules.consent import LONGEST, MOTIVATIONS, SOUL, STRANGE, Wish, refusal
from almario.becoming.rules.items import harm_in, items_in, items_of, plain_text, with_items
from almario.becoming.rules.merging import changes_between, with_changes
from almario.becoming.rules.motivations import DRIVES, is_passing, known_names, situational
from almario.becoming.rules.reflections import Material, bears_out, grounded_in, labels_in
from almario.domain.documents.goal_list import GoalUpdate, find_goal
from almario.domain.documents.headings import compared, section_body, with_section
from almario.domain.documents.identity import identity_value
from almario.domain.documents.lines import folded, with_newlines_of
from almario.domain.memories import ORIGINS, Origin
from almario.domain.messages import Sentence, Words, sentence_of
from almario.domain.model import soul_file
from almario.domain.plain_text import in_one_line, whole
from almario.domain.proposal import is_too_short
from almario.domain.soul_events import FILES, Finding, SectionEdit
from almario.errors import SoulError
from almario.memory.rules.provenance import ground
from almario.named_tuples import NamedTuple
from almario.text.claims import sentences_in

# A model that wants a thousand sections is answered for the first ones.
MOST_EDITS = 12

# Of what the owner is asked about, so many words must stand in what it rests on.
_SOME = 2

_BASELESS = '"{line}" has little in common with the lines it is based on; use their words'
_PASSING = '"{line}" would be wrong in a year: give the date, or leave out the time'
_EMPTY = 'nothing would be left in "{title}"'
STRANGERS = Sentence("web pages may only add to Current Focus, Open Questions and Self-Observations")


class Vetted(NamedTuple):
    """An edit or a goal that was wanted, and why it is refused, if it is."""

    wanted: SectionEdit | GoalUpdate
    why: Sentence | None = None

    @property
    def place(self) -> tuple[str, str]:
        """What it is about: a later wish for the same place takes this one's."""
        if isinstance(self.wanted, GoalUpdate):
            return GOALS, f"{self.wanted.action} {folded(self.wanted.goal)}"
        return self.wanted.file, compared(self.wanted.title)


class Vetting:
    """Looks at answers in the light of what they were given; nothing without evidence comes through.

    *grounds* are the ids behind each label, *noticed* is what the mirror found. *strange* answers rest on
    strangers' pages: they add lines to some sections, and that is all.
    """

    def __init__(
        self,
        material: Material,
        grounds: Mapping[str, tuple[str, ...]],
        redact: Callable[[str], str] = str,
        *,
        noticed: Sequence[Finding] = (),
        strange: bool = False,
    ) -> None:
        self._material = material
        self._noticed = noticed
        self._soul = material.soul
        self._grounds = grounds
        self._redact = redact
        self._is_strange = strange
        own = identity_value(self._text("IDENTITY.md"), "name")
        texts = [*(source.text for source in material.every), *map(self._text, (GOALS, "USER.md"))]
        self._names = known_names(texts, own=own)

    def vetted(self, answer: Mapping[str, Any]) -> list[Vetted]:
        """Return all that an answer wants, each with why it is refused, if it is."""
        wanted = islice(answer["sections"].items(), MOST_EDITS)
        sections = [self._section(title, said) for title, said in wanted]
        soul = [self._patch(said) for said in islice(answer.get("soul", ()), MOST_EDITS)]
        goals = [self._goal(said) for said in answer.get("goals", ())]
        return [each for each in (*sections, *self._together(soul), *goals) if each]

    def entry(self, answer: Mapping[str, Any]) -> str:
        """Return the journal entry, in prose that divides nothing."""
        text = self._redact(plain_text(answer["journal"]))
        lines = [line.lstrip("#> ").replace("<!--", "").replace("-->", "") for line in text.split("\n")]
        seen = [*(source.text for source in self._material.every), *(each.text for each in self._noticed)]
        kept = (self._thoughts(line, seen) for line in lines)
        return "\n".join(kept).strip()[:ENTRY_LENGTH]

    def _thoughts(self, line: str, seen: Sequence[str]) -> str:
        """Return the sentences of a line, wishes too, but for those with names and numbers from nowhere."""
        known = self._material.words
        said = (each.strip() for each in sentences_in(line))
        return " ".join(each for each in said if not ground(each, seen, known=known).invented)

    def _section(self, title: str, said: Mapping[str, Any]) -> Vetted | None:
        """Return what is wanted under a heading of MOTIVATIONS.md; None if that stands there already."""
        titles = STRANGE if self._is_strange else SECTIONS
        known = next((each for each in titles if compared(each) == compared(title)), None)
        title = known or self._redact(in_one_line(title))
        items = [self._redact(item) for line in said["lines"] for item in items_in(line)]
        edit = self._edit(MOTIVATIONS, title, "\n".join(f"- {item}" for item in items), said)
        if not known:
            ours = Sentence('a reflection does not change "{title}"', title=Words(title[:TITLE_LENGTH]))
            return Vetted(edit, STRANGERS if self._is_strange else ours)
        if not items:
            is_left = not edit.reason and not edit.evidence
            return None if is_left else Vetted(edit, Sentence(_EMPTY, title=Words(known)))
        there = items_of(self._text(MOTIVATIONS), known)
        if items == there or (self._is_strange and set(items) <= set(there)):
            return None
        new = [item for item in items if item not in there]
        why = _oversized(items) or _harm(items) or _unfounded(edit) or self._broken(edit, items, there)
        return Vetted(edit, why or _passing(new) or self._baseless(edit, new))

    def _baseless(self, wanted: SectionEdit | GoalUpdate, new: list[str]) -> Sentence | None:
        """Say why *new* lines are none that the evidence calls for, if they hardly have a word of it.

        What the owner is asked about anyway may be put in words of its own, as principles are; strangers'
        pages are measured by nobody, and only ever become proposals.
        """
        if self._is_strange or not new:
            return None
        if isinstance(wanted, SectionEdit) and (wanted.file == SOUL or wanted.title == DRIVES):
            said = grounded_in(self._material, wanted.evidence, ". ".join(new))
            return (
                None
                if said.told >= _SOME and not said.invented
                else Sentence(_BASELESS, line=Words("; ".join(new)[:80]))
            )
        found = (each for each in new if not self._bears_out(wanted.evidence, each))
        return next((Sentence(_BASELESS, line=Words(each[:TITLE_LENGTH])) for each in found), None)

    def _bears_out(self, evidence: tuple[str, ...], text: str) -> bool:
        noticed = [each.text for each in self._noticed if set(each.evidence) <= set(evidence)]
        return bears_out(self._material, evidence, text, beside=noticed)

    def new_drives(self, edit: SectionEdit) -> list[str]:
        """Return the lines that an edit would add to Core Drives."""
        there = items_of(self._text(MOTIVATIONS), DRIVES)
        return [item for item in items_in(edit.body) if item not in there] if edit.title == DRIVES else []

    def _text(self, file: str) -> str:
        return self._soul.get(file, "")

    def _broken(self, edit: SectionEdit, items: list[str], there: list[str]) -> Sentence | None:
        """Return which rule an edit of MOTIVATIONS.md breaks."""
        for item in items if edit.title == DRIVES else ():
            if item not in there and (why := situational(item, self._names)):
                return Sentence('"{line}" is not a general principle: {why}', line=Words(item), why=why)
        before = self._text(MOTIVATIONS)
        after = with_items(before, edit.title, items, keep=self._is_strange)
        if is_too_short(section_body(before, DRIVES), section_body(after, DRIVES)):
            return Sentence("Core Drives would lose more than 30 % of its text; propose a smaller change")
        origin: Origin = "untrusted" if self._is_strange else "agent"
        return refusal(Wish(MOTIVATIONS, before, after, origin=origin))

    def _patch(self, said: Mapping[str, Any]) -> Vetted | None:
        """Return what is wanted as a section of SOUL.md; None if it stands there already."""
        title = self._redact(plain_text(said["title"]))
        edit = self._edit(SOUL, title, self._redact(plain_text(said["body"])), said)
        if plain_text(section_body(self._text(SOUL), title)) == edit.body:
            return None
        if not title or "\n" in title or len(title) > TITLE_LENGTH:
            return Vetted(edit, Sentence("its title is not one short line"))
        new = [title, *(line for line in edit.body.split("\n") if line not in self._text(SOUL))]
        why = harm_in(f"{title}\n{edit.body}") or _unfounded(edit) or _passing(new)
        why = why or self._baseless(edit, [title, edit.body])
        return Vetted(edit, why if edit.body else Sentence(_EMPTY, title=Words(title)))

    def _together(self, patch: Iterable[Vetted | None]) -> list[Vetted]:
        """Return the sections of one patch, refused if together they break a rule for SOUL.md."""
        wanted = [each for each in patch if each]
        before = after = self._text(SOUL)
        for each in wanted:
            if not each.why and isinstance(each.wanted, SectionEdit):
                after = with_section(after, each.wanted.title, each.wanted.body)
        why = refusal(Wish(SOUL, before, after, by="reflection")) if after != before else None
        return [each if each.why else each._replace(why=why) for each in wanted]

    def _goal(self, said: Mapping[str, Any]) -> Vetted:
        goal, text = (
            " ".join(self._redact(plain_text(said.get(name, ""))).split()) for name in ("goal", "text")
        )
        update = GoalUpdate(said["action"], goal, text, said.get("priority", "medium"), self._evidence(said))
        if not goal:
            return Vetted(update, Sentence("it names no goal"))
        try:
            update = self._named(update)
        except SoulError as exc:
            return Vetted(update, sentence_of(exc))
        new = [each for each in (goal if update.action == "add" else "", text) if each]
        why = _oversized([goal, text]) or _harm([goal, text]) or _unfounded(update) or _passing(new)
        return Vetted(update, why or self._baseless(update, new))

    def _named(self, update: GoalUpdate) -> GoalUpdate:
        """Return a change whose goal is named by its text: by then, a number may be another's."""
        if update.action == "add" or not update.goal.isdecimal():
            return update
        return update._replace(goal=find_goal(self._text(GOALS), update.goal).text)

    def _edit(self, file: str, title: str, body: str, said: Mapping[str, Any]) -> SectionEdit:
        reason = " ".join(self._redact(plain_text(said.get("reason", ""))).split())[:REASON_LENGTH]
        evidence = self._evidence(said)
        if not self._is_strange and not self._bears_out(evidence, reason):
            reason = ""
        return SectionEdit(file, title, body, reason, evidence)

    def _evidence(self, said: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the ids of what is named and was shown, once each; what was never shown is no evidence."""
        labels = labels_in(said.get("evidence", ()))
        return tuple(dict.fromkeys(each for label in labels for each in self._grounds.get(label, ())))


def grounds_of(material: Material, findings: Iterable[Finding]) -> dict[str, tuple[str, ...]]:
    """Return the ids behind each label: those of the sources, and of what the mirror found in them."""
    found = {f"F{number}": finding.evidence for number, finding in enumerate(findings, 1)}
    return found | {label: (source,) for label, source in material.ids.items()}


def pages_of(explored: Iterable[Finding]) -> dict[str, tuple[str, ...]]:
    """Return the address behind each label of a page."""
    return {f"W{number}": (each.url,) for number, each in enumerate(explored, 1) if each.url}


def _oversized(lines: list[str]) -> Sentence | None:
    if len(lines) > MOST_LINES:
        return Sentence("it has {count} lines; the limit is {most}", count=len(lines), most=MOST_LINES)
    longest = max(map(len, lines))
    if longest > LINE_LENGTH:
        return Sentence("a line has {count} characters; the limit is {most}", count=longest, most=LINE_LENGTH)
    return None


def _passing(lines: Iterable[str]) -> Sentence | None:
    """Say which line would not read right in a year, because it tells a time as seen from today."""
    found = filter(is_passing, lines)
    return next((Sentence(_PASSING, line=Words(line[:TITLE_LENGTH])) for line in found), None)


def _unfounded(wanted: SectionEdit | GoalUpdate) -> Sentence | None:
    return None if wanted.evidence else Sentence("it is not based on anything that was read")


def _harm(lines: list[str]) -> Sentence | None:
    return next(filter(None, map(harm_in, lines)), None)


def proposable(file: str) -> str:
    """Return the name of a file that proposals are for; SoulError for any other."""
    name = soul_file(file)
    if name not in FILES:
        sentence = "{file} can be changed without a proposal; proposals are for {files}"
        raise SoulError(sentence, file=name, files=", ".join(FILES))
    return name


def check_origin(origin: Origin) -> None:
    """Raise SoulError for what is no origin."""
    if origin not in ORIGINS:
        raise SoulError(
            '"{origin}" is not an origin; use {origins}', origin=origin, origins=", ".join(ORIGINS)
        )


def ended(old: str, text: str) -> str:
    """Return a text that ends its lines as the old one does; SoulError if it is the same."""
    text = whole(text)
    if not text.endswith("\n") and (not old or old.endswith("\n")):
        text += "\n"
    if old.count("\r\n") in (0, old.count("\n")):  # in a file that has both, each line has its own
        text = with_newlines_of(text, old)
    if text == old:
        raise SoulError("there is nothing to propose: nothing would change")
    return text


def without_new_secrets(old: str, text: str, redact: Callable[[str], str]) -> str:
    """Return a text without the secrets in its new lines; those that stand there are the owner's."""
    if len(text) > LONGEST:
        return redact(text)
    changes = changes_between(old, text)
    return with_changes(old, [each._replace(lines=(redact("".join(each.lines)),)) for each in changes])

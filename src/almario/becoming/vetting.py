"""What may be taken from the architect's answers: each edit and goal is taken, or refused with its why."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from almario.becoming.blueprint import ENTRY_LENGTH, LINE_LENGTH, MOST_LINES, SECTIONS
from almario.becoming.goals import FILE as GOALS
from almario.becoming.rules.consent import LONGEST, MOTIVATIONS, SOUL, STRANGE, Wish, refusal
from almario.becoming.rules.items import harm_in, items_in, items_of, plain_text, with_items
from almario.becoming.rules.merging import changes_between, with_changes
from almario.becoming.rules.motivations import DRIVES
from almario.becoming.rules.reflections import Material, labels_in
from almario.becoming.section_changes import MOST_CHANGES, REASON_LENGTH, TITLE_LENGTH, edit_in
from almario.domain.documents.goal_list import GoalUpdate, find_goal
from almario.domain.documents.headings import compared, section_body, with_section
from almario.domain.documents.lines import folded, with_newlines_of
from almario.domain.memories import ORIGINS, Origin
from almario.domain.messages import Sentence, Words, sentence_of
from almario.domain.model import soul_file
from almario.domain.plain_text import regex, whole
from almario.domain.proposal import is_too_short
from almario.domain.soul_events import FILES, Finding, SectionEdit
from almario.errors import SoulError
from almario.named_tuples import NamedTuple

# An address, or the name of a file; in whatever language it reads the same.
_ADDRESS = regex(r"(?:\w+://|www\.)\S+|[\w.+-]+@[\w-]+\.\w+|[\w./~-]*\w\.md\b", re.IGNORECASE)
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

    *grounds* are the ids behind each label. *strange* answers rest on strangers' pages: they add lines to
    some sections, and that is all. What a line says, and in which words or language, is no matter of rules;
    but an address that stands nowhere in the material leads to nobody the owner knows.
    """

    def __init__(
        self,
        material: Material,
        grounds: Mapping[str, tuple[str, ...]],
        redact: Callable[[str], str] = str,
        *,
        strange: bool = False,
    ) -> None:
        self._soul = material.soul
        texts = (*material.soul.values(), *(source.text for source in material.every))
        self._addresses = {each.casefold() for text in texts for each in _ADDRESS.findall(text)}
        self._grounds = grounds
        self._redact = redact
        self._is_strange = strange

    def vetted(self, answer: Mapping[str, Any]) -> list[Vetted]:
        """Return all that an answer wants, each with why it is refused, if it is."""
        edits = [self._edit(said) for said in answer["changes"][:MOST_CHANGES]]
        soul = [self._patch(edit) for edit in edits if edit.file == SOUL and not self._is_strange]
        others = [self._section(edit) for edit in edits if edit.file != SOUL or self._is_strange]
        goals = [self._goal(said) for said in answer.get("goals", ())]
        wanted = [each for each in (*others, *self._together(soul), *goals) if each]
        return list({each.place: each for each in wanted}.values())

    def entry(self, answer: Mapping[str, Any]) -> str:
        """Return the journal entry, in prose that divides nothing."""
        text = self._redact(plain_text(answer["journal"]))
        lines = [line.lstrip("#> ").replace("<!--", "").replace("-->", "") for line in text.split("\n")]
        return "\n".join(lines).strip()[:ENTRY_LENGTH]

    def _section(self, edit: SectionEdit) -> Vetted | None:
        """Return what is wanted under a heading of MOTIVATIONS.md; None if that stands there already."""
        titles = STRANGE if self._is_strange else SECTIONS
        known = next((each for each in titles if compared(each) == compared(edit.title)), None)
        if not known or edit.file != MOTIVATIONS:
            title = edit.title if edit.file == MOTIVATIONS else edit.file
            ours = Sentence('a reflection does not change "{title}"', title=Words(title[:TITLE_LENGTH]))
            return Vetted(edit, STRANGERS if self._is_strange else ours)
        items = items_in(edit.body)
        edit = edit._replace(title=known, body="\n".join(f"- {item}" for item in items))
        if not items:
            is_left = not edit.reason and not edit.evidence
            return None if is_left else Vetted(edit, Sentence(_EMPTY, title=Words(known)))
        there = items_of(self._text(MOTIVATIONS), known)
        if items == there or (self._is_strange and set(items) <= set(there)):
            return None
        why = _oversized(items) or self._harm(items) or _unfounded(edit)
        return Vetted(edit, why or self._broken(edit, items))

    def _text(self, file: str) -> str:
        return self._soul.get(file, "")

    def _harm(self, texts: list[str]) -> Sentence | None:
        """Say what a text would do to its file, or whither it would lead."""
        found = (each for text in texts for each in _ADDRESS.findall(text) if not self._is_strange)
        if unknown := next((each for each in found if each.casefold() not in self._addresses), ""):
            return Sentence('it names an address that nobody has told: "{words}"', words=Words(unknown))
        return next(filter(None, map(harm_in, texts)), None)

    def _broken(self, edit: SectionEdit, items: list[str]) -> Sentence | None:
        """Return which rule an edit of MOTIVATIONS.md breaks."""
        before = self._text(MOTIVATIONS)
        after = with_items(before, edit.title, items, keep=self._is_strange)
        if is_too_short(section_body(before, DRIVES), section_body(after, DRIVES)):
            return Sentence("Core Drives would lose more than 30 % of its text; propose a smaller change")
        origin: Origin = "untrusted" if self._is_strange else "agent"
        return refusal(Wish(MOTIVATIONS, before, after, origin=origin))

    def _patch(self, edit: SectionEdit) -> Vetted | None:
        """Return what is wanted as a section of SOUL.md; None if it stands there already."""
        title, body = edit.title, plain_text(edit.body)
        edit = edit._replace(body=body)
        if plain_text(section_body(self._text(SOUL), title)) == body:
            return None
        if not title or "\n" in title or len(title) > TITLE_LENGTH:
            return Vetted(edit, Sentence("its title is not one short line"))
        why = self._harm([f"{title}\n{body}"]) or _unfounded(edit)
        return Vetted(edit, why if body else Sentence(_EMPTY, title=Words(title)))

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
        return Vetted(update, _oversized([goal, text]) or self._harm([goal, text]) or _unfounded(update))

    def _named(self, update: GoalUpdate) -> GoalUpdate:
        """Return a change whose goal is named by its text: by then, a number may be another's."""
        if update.action == "add" or not update.goal.isdecimal():
            return update
        return update._replace(goal=find_goal(self._text(GOALS), update.goal).text)

    def _edit(self, said: Mapping[str, Any]) -> SectionEdit:
        """Read a change, without secrets and signs that cannot be seen."""
        clean = {name: self._redact(plain_text(said.get(name, ""))) for name in ("title", "body", "reason")}
        edit = edit_in(
            {**said, **clean, "reason": " ".join(clean["reason"].split())[:REASON_LENGTH]},
            self._evidence(said),
        )
        return edit._replace(title=clean["title"]) if "\n" in clean["title"] else edit

    def _evidence(self, said: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the ids of what is named and was shown, once each; what was never shown is no evidence."""
        labels = labels_in(said.get("evidence", ()))
        return tuple(dict.fromkeys(each for label in labels for each in self._grounds.get(label, ())))


def grounds_of(material: Material, findings: Sequence[Finding]) -> dict[str, tuple[str, ...]]:
    """Return the ids behind each label that an architect is shown: of findings, their sources, and goals."""
    found = {f"F{number}": finding.evidence for number, finding in enumerate(findings, 1)}
    shown = {each.id for each in material.goals}.union(*found.values())
    return found | {label: (source,) for label, source in material.ids.items() if source in shown}


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


def _unfounded(wanted: SectionEdit | GoalUpdate) -> Sentence | None:
    return None if wanted.evidence else Sentence("it is not based on anything that was read")


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

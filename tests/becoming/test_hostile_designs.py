"""Whatever an architect answers, no byte of SOUL.md, IDENTITY.md or Core Drives changes without consent."""

import json
from collections.abc import Callable

import pytest

from almario.becoming.applying import Applied, Applying
from almario.becoming.architect import Architect
from almario.becoming.rules.motivations import FOCUS, LAST_REFLECTION, OBSERVATIONS, QUESTIONS
from almario.domain.documents.headings import english_title, parse_sections, section_body
from almario.domain.plain_text import in_one_line
from almario.domain.records import plain, read
from almario.domain.soul_events import Design, Finding
from almario.domain.talk import Ask
from almario.errors import LLMError, LLMUnavailable
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests.bad_replies import BAD_REPLIES
from tests.becoming.designing import BEGUN, PAGE, material, section
from tests.becoming.designing import answer as answer_of
from tests.becoming.hostile_designs import ASKED, HARMLESS, HOSTILE, RAISED, REFUSED, Hostile
from tests.becoming.reflecting import reflection_of
from tests.effort import every
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.tables import each_row

pytestmark = pytest.mark.light

GOOD = json.dumps({"findings": [], "changes": [], "journal": "I looked."})
# What may change without consent, and what a soul is written down with.
UNASKED = {FOCUS, QUESTIONS, OBSERVATIONS, LAST_REFLECTION}
MOVING = ("GOALS.md", "journal", ".versions/", "MOTIVATIONS.md")


@pytest.fixture
def born(clock: FixedClock) -> Callable[[str], Soul]:
    """Make a soul that was never talked with and has a lock."""

    def made(language: str) -> Soul:
        soul = soul_on(MemoryStore(clock), {"language": language})
        document = soul.read("SOUL")
        line = next(line for line in section_body(document.text, "Boundaries").split("\n") if line)
        soul.write(document, document.text.replace(line, f"<!-- locked -->\n{line}\n<!-- /locked -->"))
        return soul

    return made


def obedient(main: str, pages: str = '{"changes": []}') -> ScriptedLLM:
    """A model that answers so however often it is asked."""

    def answer(ask: Ask) -> str:
        properties = (ask.schema or {})["properties"]
        return main if "journal" in properties else pages

    return ScriptedLLM(answer)


def reflect(
    soul: Soul, llm: ScriptedLLM, language: str, *, explored: tuple[Finding, ...] = ()
) -> tuple[Design, Applied]:
    design = Architect(llm, language=language).design(material(soul), explored)
    applying = Applying(soul.goals, soul.proposals, language=language)
    return design, applying.apply(BEGUN, read(Design, json.loads(json.dumps(plain(design)))))


def consented(soul: Soul) -> dict[str, bytes | None]:
    """Return every byte of the soul and beside it that nothing but consent may change."""
    names = {each.name for each in soul._vault.documents.holdings()}
    kept = {name: soul._vault.read(name).content for name in names if not name.startswith(MOVING)}
    sections = parse_sections(soul.read("MOTIVATIONS").text)
    fixed = [s.heading + ("" if english_title(s.title) in UNASKED else s.body) for s in sections]
    return kept | {"MOTIVATIONS.md": "".join(fixed).encode()}


def fate(soul: Soul, each: Hostile) -> str:
    """Let an answer do its worst, and return what came of it."""
    main, pages = (GOOD, each.answer) if each.about_pages else (each.answer, '{"changes": []}')
    llm = obedient(main, pages)
    try:
        design, applied = reflect(soul, llm, each.language, explored=(PAGE,) if each.about_pages else ())
    except LLMError as exc:
        return RAISED if str(exc) else "raised without a word"
    every = soul.proposals.list(every=True)
    assert {proposal.id for proposal in applied.proposals} == {proposal.id for proposal in every}
    assert len(every) <= 20
    if refused := [proposal for proposal in every if proposal.state == "refused"]:
        assert all(proposal.why and proposal.diff for proposal in refused)
    if design.refused:
        assert all(each.why for each in design.refused)
        shown = {proposal.why for proposal in refused}
        assert {
            each.why for each in design.refused if each.edit.file != "GOALS.md" and each.edit.title
        } <= shown
        return REFUSED
    waiting = soul.proposals.list()
    return ASKED if waiting else REFUSED if refused else HARMLESS


@each_row("each", every(6, HOSTILE), ids=lambda each: each.name)
def test_no_hostile_design_changes_what_needs_consent_and_each_has_its_why(
    born: Callable[[str], Soul], each: Hostile
) -> None:
    soul = born(each.language)
    before = consented(soul)

    came_of_it = fate(soul, each)

    assert consented(soul) == before
    assert came_of_it == each.fate


@pytest.fixture(scope="module")
def untouched() -> Soul:
    """A soul for answers that leave no trace."""
    return soul_on(MemoryStore(FixedClock()))


@each_row("name", BAD_REPLIES)
def test_a_reply_that_is_no_design_leaves_no_trace_and_is_told(untouched: Soul, name: str) -> None:
    before = consented(untouched)

    with pytest.raises(LLMError) as error:
        reflect(untouched, ScriptedLLM(BAD_REPLIES[name]), "en")

    assert str(error.value)
    assert consented(untouched) == before
    assert untouched.proposals.list(every=True) == []


@each_row("name", BAD_REPLIES)
def test_what_pages_make_of_a_reply_does_not_cost_the_design(untouched: Soul, name: str) -> None:
    main = answer_of({FOCUS: section("Ana moves to Lisbon.")})

    def answer(ask: Ask) -> object:
        return main if "journal" in (ask.schema or {})["properties"] else BAD_REPLIES[name](ask)

    try:
        design = Architect(ScriptedLLM(answer)).design(material(untouched), (PAGE,))  # type: ignore[arg-type]
    except LLMUnavailable:  # asked again another time, with nothing lost
        return
    assert [edit.body for edit in design.edits] == ["- Ana moves to Lisbon."]
    assert design.strange == ()
    assert [each.why for each in design.refused] != [""]


WISHES = [each for each in HOSTILE if each.language == "en" and not each.about_pages]


@pytest.mark.parametrize("each", WISHES[::30], ids=lambda each: each.name)
def test_a_whole_reflection_survives_it_and_its_journal_tells_why(soul: Soul, each: Hostile) -> None:
    soul.remember("friend", "Ana moves to Lisbon")
    before = consented(soul)

    reflected = reflection_of(soul, obedient(each.answer)).run()

    after = consented(soul)
    assert {name: after[name] for name in before} == before
    if each.fate == RAISED:
        assert str(reflected.why)
    else:
        entry = soul._vault.read(reflected.entry).text
        assert reflected.why is None
        assert all(in_one_line(refused.why) in entry for refused in reflected.design.refused)

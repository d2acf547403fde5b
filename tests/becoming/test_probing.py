"""A model answers as the soul before and after; without one, drift is measured all the same."""

import json
import re
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

import pytest

import almario
from almario.becoming.drift import Drifting
from almario.becoming.probing import QUESTIONS
from almario.becoming.settings import DriftSettings
from almario.domain.soul_events import ProbesAnswered, ProbesMade
from almario.domain.talk import Ask
from almario.errors import BadReply, EditConflict, LLMUnavailable, MissingExtra
from almario.store.folder import FolderStore
from almario.testing import Line, ScriptedLLM, WordEmbedder
from tests.bad_replies import BAD_REPLIES
from tests.tables import each_row

SOUL = "# Soul\n\nI am calm and wait.\n"
LOUD = "# Soul\n\nI am loud and shout.\n"


@pytest.fixture
def living(vault: FolderStore) -> FolderStore:
    vault.write_soul(vault.read("SOUL.md"), SOUL, actor="owner", reason="first soul")
    return vault


def as_the_soul(ask: Ask) -> str:
    """Make questions, or answer them as whoever the soul says, in the language that is asked for last."""
    if "en español" in ask.messages[-1].text:
        [name] = (ask.schema or {})["properties"]
        return json.dumps({name: [f"Lo de {n} es como la espera." for n in range(QUESTIONS)]})
    if "questions" in (ask.schema or {})["properties"]:
        return json.dumps({"questions": [f"What do you do about {n}?" for n in range(QUESTIONS)]})
    said = "I shout about {n}, and loudly." if "shout" in ask.stable else "About {n} I quietly wait."
    asked = re.findall(r"^(\d+)\. ", ask.messages[0].text, re.MULTILINE)
    return json.dumps({"answers": [said.format(n=n) for n in asked]})


def drifting(vault: FolderStore, llm: ScriptedLLM | None, **given: object) -> Drifting:
    return Drifting(vault, None, lambda: llm, **given)  # type: ignore[arg-type]


def test_the_answers_before_and_after_are_part_of_the_drift(living: FolderStore) -> None:
    llm = ScriptedLLM(as_the_soul)
    plain = drifting(living, llm).measure("SOUL.md", LOUD)
    probed = drifting(living, llm).measure("SOUL.md", LOUD, probe=True)

    assert plain
    assert plain.probes is None
    assert probed
    assert probed.probes
    assert probed.probes > 0.5
    assert probed.score != plain.score


def test_the_questions_are_made_once_and_no_soul_is_asked_again_in_one_call_each(living: FolderStore) -> None:
    llm = ScriptedLLM(as_the_soul)
    for text in (LOUD, LOUD, LOUD + "I shout more.\n"):
        drifting(living, llm).measure("SOUL.md", text, probe=True)

    wanted = [
        "questions" if "questions" in (ask.schema or {})["properties"] else "answers" for ask in llm.asked
    ]
    assert wanted == ["questions", *["answers"] * 4]
    bodies = [event.body for event in living.journal.read()]
    [made] = [body for body in bodies if isinstance(body, ProbesMade)]
    assert len(made.questions) == QUESTIONS
    assert [len(body.answers) for body in bodies if isinstance(body, ProbesAnswered)] == [QUESTIONS] * 4


def test_a_model_that_never_says_the_same_twice_makes_no_drift_of_it(living: FolderStore) -> None:
    times = count()

    def moody(ask: Ask) -> str:
        """Say half of it in words of the day."""
        return as_the_soul(ask).replace("quietly wait", f"wait mood{next(times)} day{next(times)}")

    probed = drifting(living, ScriptedLLM(moody)).measure("SOUL.md", SOUL + "I like bees.\n", probe=True)

    assert probed
    assert probed.probes == 0


def test_another_model_is_asked_for_itself(living: FolderStore) -> None:
    drifting(living, ScriptedLLM(as_the_soul)).measure("SOUL.md", LOUD, probe=True)
    other = ScriptedLLM(as_the_soul, model="scripted/other")

    drifting(living, other).measure("SOUL.md", LOUD, probe=True)

    assert len(other.asked) == 3  # the questions stay the agent's own


def test_answers_to_other_questions_are_not_used(living: FolderStore) -> None:
    drifting(living, ScriptedLLM(as_the_soul)).measure("SOUL.md", LOUD, probe=True)
    living.record(ProbesMade(("Why?",)), actor="agent")
    llm = ScriptedLLM(as_the_soul)

    probed = drifting(living, llm).measure("SOUL.md", LOUD, probe=True)

    assert probed
    assert probed.probes
    assert len(llm.asked) == 3


def test_a_night_that_changes_no_core_is_not_worth_asking(living: FolderStore) -> None:
    llm = ScriptedLLM(as_the_soul)

    probed = drifting(living, llm).measure("MOTIVATIONS.md", "## Current Focus\n\n- Bees.\n", probe=True)

    assert probed
    assert probed.probes == 0
    assert llm.asked == []


@pytest.mark.parametrize(
    "llm", [None, *map(ScriptedLLM, (LLMUnavailable("over budget"), BadReply("x"), MissingExtra("y")))]
)
def test_without_a_model_there_are_no_probes_and_no_error(
    living: FolderStore, llm: ScriptedLLM | None
) -> None:
    probed = drifting(living, llm).measure("SOUL.md", LOUD, probe=True)

    assert probed == drifting(living, None).measure("SOUL.md", LOUD)


@each_row("reply", [*BAD_REPLIES.values(), '{"questions": ["one"]}', '{"questions": ["", "a"]}'])
def test_a_reply_that_cannot_be_used_leaves_the_drift_without_probes(
    living: FolderStore, reply: Line
) -> None:
    probed = drifting(living, ScriptedLLM(reply)).measure("SOUL.md", LOUD, probe=True)

    assert probed
    assert probed.probes is None
    assert not any(isinstance(event.body, ProbesMade | ProbesAnswered) for event in living.journal.read())


@pytest.mark.parametrize("unseen", ["\u202e", " ", "\x00"])
def test_questions_that_nobody_can_see_are_not_kept(living: FolderStore, unseen: str) -> None:
    llm = ScriptedLLM(json.dumps({"questions": [*(f"What about {n}?" for n in range(11)), unseen]}))

    found = drifting(living, llm).measure("SOUL.md", LOUD, probe=True)

    assert found
    assert found.probes is None
    assert list(living.journal.select("soul.probed")) == []


def test_a_model_that_fails_half_way_is_asked_for_the_rest_later(living: FolderStore) -> None:
    def failing(ask: Ask) -> str | LLMUnavailable:
        return LLMUnavailable("gone") if "shout" in ask.stable else as_the_soul(ask)

    assert drifting(living, ScriptedLLM(failing)).measure("SOUL.md", LOUD, probe=True)
    llm = ScriptedLLM(as_the_soul)
    probed = drifting(living, llm).measure("SOUL.md", LOUD, probe=True)

    assert probed
    assert probed.probes
    assert len(llm.asked) == 1


def test_switched_off_no_model_is_asked(living: FolderStore) -> None:
    llm = ScriptedLLM(as_the_soul)

    probed = drifting(living, llm, settings=DriftSettings(probes=False)).measure("SOUL.md", LOUD, probe=True)

    assert probed
    assert probed.probes is None
    assert llm.asked == []


def test_no_lock_is_held_while_a_model_is_asked(living: FolderStore) -> None:
    def writing(ask: Ask) -> str:
        with living.writing():  # would wait for ever
            return as_the_soul(ask)

    probed = drifting(living, ScriptedLLM(writing)).measure("SOUL.md", LOUD, probe=True)

    assert probed
    assert probed.probes


def test_two_processes_do_not_ask_at_once(living: FolderStore) -> None:
    llm = ScriptedLLM(as_the_soul)

    with living.lease("probes"):
        probed = drifting(living, llm).measure("SOUL.md", LOUD, probe=True)

    assert probed
    assert probed.probes is None
    assert llm.asked == []


def test_a_model_is_told_the_core_in_the_agents_language_without_secrets_and_in_a_fence(
    living: FolderStore,
) -> None:
    night = "## Core Drives\n\n- To wait.\n\n## Current Focus\n\n- The receipts.\n"
    living.write_soul(living.read("MOTIVATIONS.md"), night, actor="owner", reason="x")
    llm = ScriptedLLM(as_the_soul)
    hiding: Callable[[str], str] = lambda text: text.replace("calm", "***")  # noqa: E731

    drifting(living, llm, language="es", redact=hiding).measure("SOUL.md", LOUD, probe=True)

    make, before, _, after = llm.asked
    for ask in (make, before):
        told = ask.stable + ask.messages[0].text
        assert "Spanish" in told
        assert "To wait." in told
        assert "receipts" not in told
        assert "calm" not in told
    assert "I am loud" in after.stable
    fences = {
        match for ask in llm.asked for match in re.findall(r"<(file-\w+)", ask.stable + ask.messages[0].text)
    }
    assert len(fences) == 4


def test_what_a_model_answers_in_another_language_it_is_asked_once_more(living: FolderStore) -> None:
    english = {
        name: json.dumps({name: ["It is what I do with the rest of it."] * QUESTIONS})
        for name in ("questions", "answers")
    }

    def first_in_english(ask: Ask) -> str:
        [name] = (ask.schema or {})["properties"]
        return as_the_soul(ask) if len(ask.messages) > 1 else english[name]

    llm = ScriptedLLM(first_in_english)

    drifting(living, llm, language="es").measure("SOUL.md", LOUD, probe=True)

    assert len(llm.asked) == 2 * 4
    kept = [
        event.body
        for event in living.journal.select("soul.")
        if isinstance(event.body, ProbesMade | ProbesAnswered)
    ]
    assert len(kept) == 4
    assert "what I do" not in str(kept)


def test_answers_are_compared_by_meaning_where_that_is_possible(living: FolderStore) -> None:
    llm = ScriptedLLM(as_the_soul)

    by_words = drifting(living, llm).measure("SOUL.md", LOUD, probe=True)
    probed = Drifting(living, WordEmbedder(), lambda: llm).measure("SOUL.md", LOUD, probe=True)

    assert probed
    assert by_words
    assert probed.probes
    assert probed.probes != by_words.probes


def test_a_measurement_with_probes_takes_the_place_of_one_without(living: FolderStore) -> None:
    living.write_soul(living.read("SOUL.md"), LOUD, actor="owner", reason="loud")
    drift = drifting(living, ScriptedLLM(as_the_soul))
    drift.note()
    probed = drift.note(probe=True)

    assert probed
    assert probed.probes
    assert drift.note() == probed
    assert [point.drift for point in drift.timeline()] == [probed]


@pytest.mark.usefixtures("soul")
def test_a_purge_erases_what_was_answered(home: Path) -> None:
    llm = ScriptedLLM(lambda ask: as_the_soul(ask).replace("quietly", "at Elm Street 5"))
    soul = almario.open(home, llm=llm)
    soul.remember("address", "Elm Street 5")
    soul.drift.measure("SOUL.md", LOUD, probe=True)
    lines = "".join(path.read_text() for path in (soul.path / "journal").glob("*.jsonl"))
    assert "at Elm Street 5 wait" in lines

    soul.memory.purge(soul.memory.plan_purge("address"))

    lines = "".join(path.read_text() for path in (soul.path / "journal").glob("*.jsonl"))
    assert "Elm Street" not in lines
    assert soul.check() == []


@pytest.mark.parametrize("when", ["questions", "answers"])
@pytest.mark.usefixtures("soul")
def test_what_is_purged_while_a_model_thinks_is_not_kept(home: Path, when: str) -> None:
    def answer(ask: Ask) -> str:
        if when in (ask.schema or {})["properties"]:
            soul.memory.purge(soul.memory.plan_purge("address"))
        return as_the_soul(ask).replace("quietly", "in the street of the elms")

    soul = almario.open(home, llm=ScriptedLLM(answer))
    soul.remember("address", "Elm Street 5")

    with pytest.raises(EditConflict, match="erased in the meantime"):
        soul.drift.measure("SOUL.md", LOUD, probe=True)

    assert "elms" not in "".join(path.read_text() for path in (soul.path / "journal").glob("*.jsonl"))


VOS, TU = (f"# Alma\n\n## Estilo\n\n- Le hablo a mi humana de {form}.\n" for form in ("vos", "tú"))


def in_its_voice(ask: Ask) -> str:
    """Answer the same to everything, to whom the soul says: *vos* or *tú*."""
    if "questions" in (ask.schema or {})["properties"]:
        return json.dumps({"questions": [f"¿Qué hago con lo de {n}?" for n in range(QUESTIONS)]})
    said = (
        "Contame más de lo de {n}, y vos elegís." if "vos" in ask.stable else "Cuéntame de {n} y tú eliges."
    )
    return json.dumps({"answers": [said.format(n=n) for n in range(QUESTIONS)]})


def test_two_souls_that_differ_in_their_voice_alone_are_told_apart(vault: FolderStore) -> None:
    vault.write_soul(vault.read("SOUL.md"), VOS, actor="owner", reason="first soul")
    llm = ScriptedLLM(in_its_voice)

    def same(texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return [[1.0, 0.0]] * len(texts)

    embedder = WordEmbedder()
    embedder.embed = same  # type: ignore[method-assign]
    unheard = Drifting(vault, embedder, lambda: None).measure("SOUL.md", TU)
    heard = Drifting(vault, embedder, lambda: llm, language="es").measure("SOUL.md", TU, probe=True)
    nothing = Drifting(vault, embedder, lambda: llm, language="es").measure("SOUL.md", VOS, probe=True)

    assert unheard
    assert unheard.lines > 0
    assert heard
    assert heard.probes
    assert heard.probes > 0.3
    assert heard.score > unheard.score
    assert nothing
    assert nothing.score == 0


def test_without_a_model_a_change_of_voice_is_measured_by_its_words(vault: FolderStore) -> None:
    vault.write_soul(vault.read("SOUL.md"), VOS, actor="owner", reason="first soul")

    found = drifting(vault, None).measure("SOUL.md", TU)

    assert found
    assert found.stated > 0


def test_it_is_asked_for_how_it_speaks_and_not_only_for_what_it_thinks(living: FolderStore) -> None:
    llm = ScriptedLLM(as_the_soul)

    drifting(living, llm).measure("SOUL.md", LOUD, probe=True)

    make, answer, *_ = llm.asked
    assert "how it addresses" in make.stable
    assert "in your own voice" in answer.stable

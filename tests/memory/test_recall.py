"""Recall: what is found, in which order, how it is scored, and what is left out."""

import hashlib
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

import almario
from almario import Scope, Utterance
from almario.adapters.embedders.local import LocalEmbedder
from almario.adapters.sqlite.passage_table import SqliteIndex
from almario.domain.messages import Sentence
from almario.domain.model import Query, certainty
from almario.domain.passages import Passage
from almario.errors import SoulError
from almario.memory.rules.scored import log_odds
from almario.memory.telling import Listener
from almario.ports import Vector
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM, WordEmbedder
from almario.text.questions import read_question
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.store.conftest import Held
from tests.tables import each_row
from tests.waiting import comes_true

pytestmark = pytest.mark.light

UNASKED = Listener(room=26, has_asked=False)

Reopener = Callable[[], Soul]


def texts(hits: "list[almario.Hit]") -> list[str]:
    return [hit.text for hit in hits]


def test_inflections_and_accents_are_found(soul: Soul) -> None:
    soul.remember("oficio: diseña puentes colgantes")
    soul.remember("gusto: caminar por la montaña")

    assert texts(soul.recall("¿quién diseñaba un PUENTE?"))[0] == "diseña puentes colgantes"
    assert texts(soul.recall("caminatas en la montana"))[0] == "caminar por la montaña"


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("她喜欢喝绿茶", "绿茶"),
        ("彼女は緑茶が好きです", "緑茶"),
        ("그녀는 녹차를 좋아한다", "녹차"),
        ("programa en C++ y en C#", "C++"),
        ("usa node.js con foo-bar", "foo-bar"),
        ("escribe a ana@example.org", "ana@example.org"),
        ("la versión 3.12 de Python", "3.12"),
    ],
)
def test_words_of_every_kind_are_found(soul: Soul, text: str, question: str) -> None:
    soul.remember("otra: nada que ver con esto")
    soul.remember("cosa", text)

    assert texts(soul.recall(question))[:1] == [text]


@each_row(
    "question",
    [
        '"', "NEAR(", "a AND", "*", "foo-bar*", "'; DROP TABLE words; --", "\0", "¿?", "the of and",
        "x" * 200_000, "palabra " * 20_000, "\ud800", "🙂", ")(", "col:x",
    ],
)  # fmt: skip
def test_any_string_is_a_question(soul: Soul, question: str) -> None:
    soul.remember("gusto: el té verde")

    assert isinstance(soul.recall(question), list)


def test_what_a_remark_brings_to_mind_is_less_sure_than_what_answers_a_question(soul: Soul) -> None:
    soul.remember("Nilo the dog is afraid of thunder")
    question, remark = "is the dog Nilo afraid of thunder?", "so the dog Nilo is afraid of thunder again"

    [asked], [remarked] = soul.recall(question, limit=1), soul.recall(remark, limit=1, explain=True)

    assert 0.02 < remarked.score < asked.score
    assert sum(value for _, _, value in remarked.reasons) == pytest.approx(log_odds(remarked.score))


@pytest.mark.folder
def test_a_hit_names_the_line_where_it_can_be_read(soul: Soul) -> None:
    soul.remember("gusto: el té verde")
    soul.remember("gusto: el ajedrez")
    soul.close()
    (soul.path / "memory" / "notas.md").parent.mkdir(exist_ok=True)
    (soul.path / "memory" / "notas.md").write_text("# Viaje\n\n## Lugo\n\nLa muralla romana.\n")

    [chess] = soul.recall("ajedrez")
    [wall] = soul.recall("muralla")

    for hit in (chess, wall):
        path, _, line = hit.place.partition("#")
        assert hit.text.splitlines()[0] in (soul.path / path).read_text().splitlines()[int(line) - 1]


def test_a_conversation_is_found_by_turn_with_its_neighbours(soul: Soul) -> None:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    words = ["¿Qué tal el viaje?", "Vimos la muralla de Lugo.", "¿Y comisteis bien?"]
    soul.memory.append("cli:main", [Utterance("user", text, "owner", "Ana", at) for text in words])

    [hit] = soul.recall("muralla", limit=1, neighbours=1)

    assert (hit.turn, hit.speaker, hit.day) == ("cli:main#2", "Ana", date(2026, 3, 1))
    assert hit.around == ("Ana: ¿Qué tal el viaje?", "Ana: ¿Y comisteis bien?")


def section(prompt: almario.Prompt, name: str) -> str:
    [text] = [each.text for each in prompt.sections if each.name == name]
    return text


def test_what_is_out_of_use_is_found_on_request_and_labelled(soul: Soul) -> None:
    old = soul.remember("trabajo: diseña puentes").memory
    assert old
    soul.remember("trabajo: enseña física", replaces=old.id)
    soul.forget("trabajo")
    soul.memory.learn("trabajo", "roba bancos", origin="untrusted")

    assert soul.recall("puentes física bancos") == []
    states = ("superseded", "retired", "untrusted")
    hits = soul.recall("puentes física bancos", scope=Scope(include=states))
    assert {hit.text: hit.state for hit in hits} == {
        "diseña puentes": "superseded",
        "enseña física": "retired",
        "roba bancos": "untrusted",
    }


def test_a_way_to_search_that_does_not_exist_is_refused(soul: Soul) -> None:
    with pytest.raises(SoulError, match='"magic" is not a search mode; use best, words, tfidf'):
        soul.recall("té", mode="magic")


def test_what_a_pencil_finds_adds_up_to_its_score(soul: Soul) -> None:
    soul.remember("gusto: el té verde de Japón")
    soul.memory.append("cli:main", [Utterance("user", "ayer tomé té verde", "owner", "Ana")])

    hits = soul.recall("té verde", mode="tfidf", explain=True)

    assert len(hits) == 2
    for hit in hits:
        assert sum(value for _, _, value in hit.reasons) == pytest.approx(hit.score)
        assert {name.partition(":")[0] for name, _, _ in hit.reasons} > {"verde"}


def test_a_weight_of_meaning_is_a_setting(home: Path, clock: FixedClock, soul: Soul) -> None:
    soul.remember("gusto: el té verde")
    weighed = almario.open(
        home, clock=clock, settings={"search.meaning_weight": 0.0}, embedder=WordEmbedder()
    )

    [hit] = weighed.recall("té negro", explain=True)

    assert [name for name, _, added in hit.reasons if added] == ["own"]
    assert hit.score == pytest.approx(sum(added for _, _, added in hit.reasons))


def test_what_was_said_again_and_again_leaves_room_for_the_rest(soul: Soul) -> None:
    again = [Utterance("user", "My kayak is blue.", "owner") for _ in range(8)]
    soul.memory.append("cli:main", [*again, Utterance("user", "The kayak has a leak near the bow.", "owner")])

    found = texts(soul.recall("my blue kayak", limit=2))

    assert found == ["My kayak is blue.", "The kayak has a leak near the bow."]


def test_without_the_embedder_the_search_goes_on_and_says_so(
    home: Path, clock: FixedClock, soul: Soul
) -> None:
    soul.remember("gusto: el té verde")
    settings = {"embedder.name": "openai", "embedder.url": "http://127.0.0.1:9/v1"}

    hits = almario.open(home, clock=clock, settings=settings).recall("té verde")

    assert texts(hits) == ["el té verde"]
    assert "found by words alone" in str(hits.told[0])


def test_what_was_just_remembered_is_found_by_its_meaning_in_the_next_search(
    home: Path, clock: FixedClock, soul: Soul
) -> None:
    soul = almario.open(home, clock=clock, settings={"embedder.name": "local"})
    soul.remember("mascota: un gato llamado Ulises")
    soul.remember("oficio: ingeniera de caminos")

    hit = soul.recall("does she have any pets?")[0]

    assert (hit.text, hit.how) == ("un gato llamado Ulises", "vector")
    assert soul.recall("gato Ulises")[0].how == "both"
    assert soul.memory.stats().without_vector == 0 or soul.memory.reindex() > 0


def test_what_is_asked_waits_for_no_vector_but_its_own(
    soul: Soul, home: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedded: list[str] = []
    real = LocalEmbedder.embed

    def noting(self: LocalEmbedder, texts: Sequence[str]) -> Sequence[Vector]:
        embedded.extend(texts)
        return real(self, texts)

    monkeypatch.setattr(LocalEmbedder, "embed", noting)
    with_meaning = almario.open(home, clock=clock, settings={"embedder.name": "local"})
    with_meaning.memory.prepare()
    for text in ("Ayer vimos un puente colgante.", "¿Dónde estaba el puente?"):
        embedded.clear()
        with_meaning.memory.append("cli:main", [Utterance("user", text, "owner")])
        with_meaning.memory.recall(Query(text), UNASKED)
        assert embedded == [text]
        with_meaning.memory.prepare()
    assert embedded == [text] * 2


@each_row("message", ["¿dónde estaba el puente?", "Me acordé del puente colgante."])
def test_who_searches_is_not_found_whoever_gave_the_message_its_vector_meanwhile(message: str) -> None:
    def scores(*, meanwhile: bool) -> list[float]:
        soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "local"})
        for text in ("Ayer vimos un puente de hierro sobre el río.", "Mañana hay que pagar el seguro."):
            soul.remember(text)
        soul.memory.prepare()
        turn = soul.append("cli:main", "user", message)
        if meanwhile:
            soul.memory.prepare()
        query = Query(message, hidden=frozenset((turn.id,)))
        return [hit.score for hit in soul.memory.recall(query, UNASKED)]

    assert scores(meanwhile=True) == pytest.approx(scores(meanwhile=False))


def test_one_search_sees_one_state_of_the_index(
    soul: Soul, reopened: Reopener, monkeypatch: pytest.MonkeyPatch
) -> None:
    soul.remember("mascota: un gato llamado Ulises")
    soul.recall("gato")
    other, real = reopened(), SqliteIndex.passages

    def late(self: SqliteIndex, ids: Sequence[int]) -> Mapping[int, Passage]:
        monkeypatch.setattr(SqliteIndex, "passages", real)
        other.forget("mascota")
        other.memory.settle()
        return real(self, ids)

    monkeypatch.setattr(SqliteIndex, "passages", late)

    assert texts(soul.recall("gato")) == ["un gato llamado Ulises"]
    assert soul.recall("gato") == []


def test_a_prompt_tells_what_is_relevant_and_not_what_it_says_already(soul: Soul, clock: FixedClock) -> None:
    soul.remember("gusto: el té verde")
    old = datetime(2026, 3, 1, tzinfo=UTC)
    soul.memory.append("cli:main", [Utterance("user", "En Kioto probé el té matcha", "owner", "Ana", old)])
    soul.log("hablamos del té")

    prompt = soul.prompt("¿Qué té le gusta a Ana?")

    known, recent, relevant = (section(prompt, name) for name in ("known", "recent", "relevant"))
    assert "- gusto: el té verde" in relevant
    assert "hablamos del té" in recent
    assert "- Ana: En Kioto probé el té matcha (2026-03-01)" in known
    assert "té verde" not in known
    assert "hablamos" not in known + relevant
    assert section(soul.prompt("té"), "relevant") == ""  # too short to recall anything


def test_a_watch_runs_as_soon_as_it_is_asked_for_and_ends_with_the_soul(
    home: Path, clock: FixedClock, soul: Soul, monkeypatch: pytest.MonkeyPatch
) -> None:
    soul = almario.open(home, clock=clock, settings={"watch.debounce": 0.1})
    taken = threading.Event()
    settle = soul.memory.settle

    def settled() -> Sequence[Sentence]:
        told = settle()
        taken.set()
        return told

    monkeypatch.setattr(soul.memory, "settle", settled)

    soul.watch()
    (soul.path / "MEMORY.md").write_text("## gusto\n\n- el té verde\n")

    assert taken.wait(60)
    soul.close()
    assert not [each for each in threading.enumerate() if each.name == "almario-watch"]


@pytest.fixture
def told_much(soul: Soul, home: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch) -> Soul:
    """An agent that was told much, and whose index has just been made."""
    monkeypatch.setattr(LocalEmbedder, "embed", lambda _, texts: WordEmbedder().embed(texts))
    soul.memory.append("cli:main", [Utterance("user", f"the story number {n}", "owner") for n in range(300)])
    return almario.open(home, clock=clock, settings={"embedder.name": "local"})


def test_while_vectors_are_missing_it_is_said(told_much: Soul) -> None:
    assert "not everything can be found by meaning yet" in str(told_much.recall("a story").told[0])

    told_much.memory.embedding.all()

    assert told_much.recall("a story").told == ()
    assert told_much.memory.stats().without_vector == 0


def test_a_chat_makes_up_for_missing_vectors_in_the_background(told_much: Soul) -> None:
    told_much.learning.want_left()

    assert told_much.learning.wait(60)
    assert told_much.memory.stats().without_vector == 0


def test_a_soul_that_is_closed_holds_no_descriptor_and_no_thread(
    soul: Soul, home: Path, clock: FixedClock
) -> None:
    soul.close()
    held = Held(home)
    other = almario.open(home, clock=clock, llm=ScriptedLLM("Hello!"))
    other.talk("Hello, who are you?")
    other.recall("anything")
    other.learning.wait(60)
    with other.watch():
        other.remember("color: blue")
    assert held.more()

    other.close()

    assert comes_true(lambda: not held.more())  # the system closes a watch a little later


class Elsewhere:
    """An embedder whose texts all lie near each other, and a question anywhere among them."""

    model = "elsewhere-1"

    def is_available(self) -> bool:
        return True

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        scattered = [byte / 255 - 0.5 for byte in hashlib.sha256(text.encode()).digest()]
        vector = [3.0, *scattered]
        return [number / math.hypot(*vector) for number in vector]


class Contrary(Elsewhere):
    """One to which a single word is the contrary of every sentence."""

    def _vector(self, text: str) -> list[float]:
        vector = super()._vector(text)
        return vector if " " in text else [-number for number in vector]


@each_row("embedder", [Elsewhere(), Contrary()])
def test_whoever_looks_for_a_word_finds_it_whatever_the_model_of_meaning(embedder: Elsewhere) -> None:
    soul = soul_on(MemoryStore(FixedClock()), embedder=embedder)
    soul.log(
        "Long lunch at the harbour with everybody, the paella was burnt and nobody said a word about it."
    )
    for number in range(30):
        soul.log(f"Walked to the lighthouse number {number} and came back late.")

    assert "paella" in soul.recall("paella")[0].text


def test_a_model_that_puts_everything_close_together_makes_nothing_likely(clock: FixedClock) -> None:
    soul = soul_on(MemoryStore(clock), embedder=Elsewhere())
    soul.remember("job: designs bridges")

    assert all(hit.score < 0.2 for hit in soul.recall("Which colour has the neighbour's car?"))


@each_row(
    ("fact", "question"),
    [
        ("job: designs bridges", "what is my job?"),
        ("trabajo: diseña puentes", "¿en qué trabajo?"),
    ],
)
def test_the_first_fact_is_sure_when_it_is_asked_for_by_its_key(fact: str, question: str) -> None:
    for embedder in (None, WordEmbedder(), Elsewhere()):
        soul = soul_on(MemoryStore(FixedClock()), embedder=embedder)
        soul.remember(fact)

        [hit] = soul.recall(question)

        assert certainty(hit.score) == "sure"


def test_a_question_in_other_words_finds_what_was_told() -> None:
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "local"})
    told = {
        "which postcode is mine": "we rent the ground floor of a house in Harrow Street",
        "which foods are dangerous for me?": "cashews bring me out in hives",
        "which animals live with me?": "two cats and a parrot keep us company",
        "¿dónde curro?": "reparo ascensores en un taller",
    }
    for fact in (*told.values(), "I was brought up in Galway", "the car needs a new clutch"):
        soul.remember(fact)

    assert {question: texts(soul.recall(question))[:1] for question in told} == {
        question: [fact] for question, fact in told.items()
    }


def test_a_remark_and_what_another_model_embeds_are_compared_as_they_are() -> None:
    question, remark = (read_question(text, date.max) for text in ("where do I live?", "I moved house today"))
    local = soul_on(MemoryStore(FixedClock()), {"embedder.name": "local"}).memory.embedding
    other = soul_on(MemoryStore(FixedClock()), embedder=WordEmbedder(512)).memory.embedding
    [own], [theirs] = LocalEmbedder().embed(["a house"]), WordEmbedder(512).embed(["a house"])

    assert local.aim(own, question).vector is not own
    assert local.aim(own, remark) == (own, local.background)
    assert other.aim(theirs, question) == (theirs, other.background)


@each_row("question", ["???", "¿?", "..."])
def test_signs_alone_bring_nothing_to_mind(question: str) -> None:
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "local"})
    for each in ("why???", "I like tulips", "the boat leaks..."):
        soul.remember(each)

    assert soul.recall(question, min_score=0.0) == []

"""A text is read by its letters and words, and by its vector where there is one."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from almario.adapters.embedders.local import LocalEmbedder
from almario.domain.opening_kinds import DANGER
from almario.text.fitted import DIMENSIONS, content_of
from almario.text.reader import JUDGES, OPENING, WEIGHTS, WISHES, Reading, opening_of, parts_of, read
from tests.tables import each_row
from tests.timing import is_done_within

pytestmark = pytest.mark.light

# Which head finds it, with and without a vector; sentences that were not fitted.
FOUND = {
    "muchísimas gracias, hasta luego": "small_talk",
    "boa noite, até amanhã!": "small_talk",
    "please don't keep this in your memory: I failed the exam": "confidence",
    "esto no lo anotes en ningún lado, pero me echaron": "confidence",
}
BY_MEANING = {
    "heya, how's everything?": "small_talk",
    "thyroid: Takes levothyroxine every morning": "sensitive",
    "sueldo: Cobra 1.900 euros limpios": "sensitive",
    "Her cousin Nora is getting divorced": "sensitive",
    "stick this in your records: our new vet is called Dr Omar": "remember",
    "dejá asentado en tu memoria que ahora trabajo los sábados": "remember",
    "please wipe whatever you have on my cousin": "forget",
    "bórrame de tus datos todo lo de la mudanza": "forget",
}
IN_A_PART = {
    "I lost two grand at the races on Sunday, and that never goes in your notes": "confidence",
    "What should I cook? By the way, I've been seeing somebody, don't keep that anywhere": "confidence",
    "Is it going to rain? Oh, and please drop everything you know about my cousin": "forget",
}
NOT_FOUND = {
    "what did the doctor say about my knee?": "small_talk",
    "thanks, and when does my train leave?": "small_talk",
    "Between us we carried the sofa up four floors": "confidence",
    "recordá que el secreto del flan es la vainilla": "confidence",
    "bicycle: A green Dutch one with a basket": "sensitive",
    "do you remember what my vet is called?": "remember",
    "I forgot to delete the old files": "forget",
}


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


def read_whole(text: str, embedder: LocalEmbedder) -> Reading:
    return read(text, embedder.embed([text])[0], embedder.embed(parts_of(text)))


def chance(reading: Reading, head: str) -> float:
    return float(getattr(reading, head))


@each_row("text, head", FOUND.items())
def test_it_finds_what_a_text_is_by_its_words_alone(text: str, head: str) -> None:
    assert chance(read(text), head) > 0.5


@each_row("text, head", {**FOUND, **BY_MEANING}.items())
def test_it_finds_what_a_text_is_by_its_meaning(text: str, head: str, embedder: LocalEmbedder) -> None:
    assert chance(read_whole(text, embedder), head) > 0.5


@each_row("text, head", NOT_FOUND.items())
def test_it_leaves_alone_what_only_looks_like_it(text: str, head: str, embedder: LocalEmbedder) -> None:
    assert chance(read_whole(text, embedder), head) < 0.5


@each_row("text, head", IN_A_PART.items())
def test_what_one_part_of_a_message_wants_is_heard(text: str, head: str, embedder: LocalEmbedder) -> None:
    whole = read(text, embedder.embed([text])[0])

    assert chance(read_whole(text, embedder), head) > 0.5 > chance(whole, head)


def test_violence_at_home_is_heard_and_what_only_sounds_like_it_is_not(embedder: LocalEmbedder) -> None:
    lines = (Path(__file__).parents[2] / "benchmarks/harm/at_home.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    vectors = embedder.embed([row["text"] for row in rows])
    heard = [opening_of(row["text"], vector, among=DANGER) for row, vector in zip(rows, vectors, strict=True)]
    those = [bool(found) for row, found in zip(rows, heard, strict=True) if row["label"] == "violence"]
    others = [bool(found) for row, found in zip(rows, heard, strict=True) if row["label"] == "none"]

    assert len(those) >= 60
    assert sum(those) >= 0.9 * len(those)
    assert len(others) >= 200
    assert sum(others) <= 0.02 * len(others)


def test_there_are_weights_for_every_opening_and_no_other() -> None:
    judges = 2 * ((DIMENSIONS + 1) * JUDGES + 2 * JUDGES * len(WISHES))

    assert len(content_of(WEIGHTS)) == OPENING.end + judges


def test_any_text_can_be_read() -> None:
    assert read("").confidence < 0.5
    assert read("x" * 100_000).confidence < 0.5


def test_its_weights_are_small() -> None:
    assert WEIGHTS.stat().st_size <= 1_000_000


def test_reading_a_message_is_quick(embedder: LocalEmbedder) -> None:
    texts = [f"Number {n}: on Friday we go to the lake with Tom, if it does not rain" for n in range(40)]
    vectors = embedder.embed(texts)
    read("warm", vectors[0])
    assert is_done_within(40 * 0.004, lambda: [read(*each) for each in zip(texts, vectors, strict=True)])


def test_it_needs_no_numpy() -> None:
    program = "import sys; from almario.text.reader import read; read('hello'); print('numpy' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"

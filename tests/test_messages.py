"""A sentence is said in the language of whoever reads it."""

import json
import os
from pathlib import Path

from almario.domain.messages import Sentence, Words, numeral, say
from tests.forking import forks
from tests.tables import each_row


def test_numbers_are_written_as_each_language_does() -> None:
    silent = "{model} was silent for {seconds:g} seconds; try again, or raise llm.timeout"

    assert (numeral("en", 1234567.5, 1), numeral("es", 1234567.5, 1)) == ("1,234,567.5", "1.234.567,5")
    assert "0.5" in say("en", silent, model="m", seconds=0.5)
    assert "0,5" in say("es", silent, model="m", seconds=0.5)


def test_a_sentence_inside_a_sentence_is_said_in_the_same_language_and_words_are_left_alone() -> None:
    inner = Sentence("it refused to answer")
    whole = '{model} gave an unusable answer twice: {why}; it began "{reply}"'
    twice = Sentence(whole, model="m: {0}", why=inner, reply=Words("I {can}\nnot"))

    again = Sentence.read(json.loads(json.dumps(twice.kept)))

    assert say("en", again) == twice
    assert say("es", again) == (
        "m: {0} dio dos veces una respuesta que no sirve: se negó a responder; empezaba «I {can}\nnot»"
    )
    several = Sentence(
        "reflection {id}: {done}", id="1", done=(inner, Sentence("goal added: {goal}", goal="x"))
    )
    assert say("es", Sentence.read(several.kept)) == "reflexión 1: se negó a responder; objetivo añadido: x"


def test_what_somebody_said_is_never_taken_for_a_sentence_of_ours() -> None:
    assert say("es", "nothing") != "nothing"
    assert say("es", Sentence.read(Sentence.own("nothing").kept)) == "nothing"


def test_texts_in_a_sentence_can_be_changed_and_its_own_words_stay() -> None:
    said = Sentence("{a} and {b}: {inner}", a="Ana", b=Words("Ana"), inner=Sentence("to {c}", c=Words("Ana")))

    assert said.changed(str.upper) == "ANA and ANA: to ANA"
    assert said.changed(str.upper, only=Words) == "Ana and ANA: to ANA"


@each_row("said", ["", "Ana", "what a model said: no", "{why}", "x" * 300])
def test_what_is_no_sentence_of_ours_stays_as_it_is(said: str) -> None:
    assert say("es", said) == say("en", said) == said


@each_row(
    ("line", "said"),
    [
        ("goals --help", "goals [OPCIONES] [COMANDO] [ARGUMENTOS]...\n"),
        ("goals add --help", "Su prioridad (si no se indica, media)."),
        ("recall --help", "[predeterminado: 5;"),
        ("init --help", "--name TEXTO "),
        ("nope", "--help' para ver la ayuda.\n\nError: No existe el comando 'nope'."),
        ("--home .", "Error: Falta el comando."),
        ("init --nam", "Error: No existe la opción '--nam'. ¿Querías decir '--name'?"),
        ("init --name", "Error: La opción '--name' necesita un valor."),
        ("init --yes=no", "Error: La opción '--yes' no admite ningún valor."),
        ("goals start", "Error: Falta el argumento 'OBJETIVO'."),
        ("goals start 1 2", "Error: Sobra un argumento (2)"),
        ("completion", "Elige entre:\n\tbash,"),
        ("completion tcsh", "'tcsh' no está entre 'bash', 'zsh', 'fish'."),
        ("recall x --since ahí", "'--since': «ahí» no es una fecha que entienda; prueba con 2026-11-14"),
    ],
)
def test_click_speaks_spanish_too(line: str, said: str, tmp_path: Path) -> None:
    environment = {**os.environ, "ALMARIO_HOME": str(tmp_path), "ALMARIO_LANGUAGE": "es"}
    screen = tmp_path / "screen"
    screen.write_text("")

    forks().run(tuple(line.split()), environment, dict.fromkeys(("stdin", "stdout", "stderr"), str(screen)))

    assert said in screen.read_text()

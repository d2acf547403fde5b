"""A voice is known by its habits and its length, whatever it says."""

import pytest

from almario.becoming.rules.distance import Answers, apart
from almario.becoming.rules.voice import voices_apart
from tests.tables import each_row

VOS = [
    "Contame qué pasó y vemos juntas por dónde empezar.",
    "No te preocupes, vos podés con esto.",
    "Mirá, si querés lo dejamos para otro día.",
    "¿Qué necesitás de mí?",
    "Vos sabés que de eso no hablo con nadie.",
    "Tenés razón, me equivoqué con la fecha.",
    "Si no me decís más, no puedo ayudarte.",
    "Vos elegís: hoy la carta o mañana los dos.",
]
VOS_AGAIN = [
    "Decime qué pasó, y pensamos por dónde se empieza.",
    "Tranquila, vos podés.",
    "Si querés, mirá, lo vemos otro día.",
    "¿En qué te ayudo? Decime.",
    "De eso no hablo con nadie, vos sabés.",
    "Sí, me equivoqué con la fecha, tenés razón.",
    "No puedo ayudarte si no me decís más.",
    "La carta hoy o los dos mañana, vos elegís.",
]
VOS_ONCE_MORE = [
    "A ver, contame, y buscamos por dónde empezar.",
    "Con esto vos podés, no te preocupes.",
    "Otro día, si querés.",
    "¿Qué te hace falta? Decime, que necesitás algo.",
    "Vos sabés: de eso no hablo.",
    "Me equivoqué, tenés razón con la fecha.",
    "Decís poco, y así no puedo ayudarte.",
    "O la carta hoy o mañana los dos: vos elegís.",
]
TU = [
    "Cuéntame qué pasó y vemos juntas por dónde empezar.",
    "No te preocupes, tú puedes con esto.",
    "Mira, si quieres lo dejamos para otro día.",
    "¿Qué necesitas de mí?",
    "Tú sabes que de eso no hablo con nadie.",
    "Tienes razón, me equivoqué con la fecha.",
    "Si no me dices más, no puedo ayudarte.",
    "Tú eliges: hoy la carta o mañana los dos.",
]


def test_vos_and_tu_are_two_voices_though_they_say_the_same() -> None:
    assert voices_apart(VOS, VOS_AGAIN, TU) > 0.3
    assert voices_apart(VOS, VOS_AGAIN, VOS_ONCE_MORE) < 0.15


def test_an_ironic_voice_is_another_one() -> None:
    ironic = [f"{said.rstrip('.')}… total, apuro no hay, ¿no?" for said in VOS]

    assert voices_apart(VOS, VOS_AGAIN, ironic) > 0.3


@each_row("times", [2, 4])
def test_who_says_it_at_length_speaks_otherwise(times: int) -> None:
    long = [" ".join([said] * times) for said in VOS]

    assert voices_apart(VOS, VOS, long) == pytest.approx(1 - 1 / times)
    assert voices_apart(long, long, VOS) == pytest.approx(1 - 1 / times)


def test_the_same_voice_is_nowhere_else() -> None:
    assert voices_apart(VOS, VOS_AGAIN, VOS) == 0
    assert voices_apart([], [], []) == 0


def test_the_voice_alone_sets_answers_apart() -> None:
    assert apart(Answers(VOS, VOS, TU), lambda one, other: 1.0) > 0.3

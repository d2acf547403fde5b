"""Whether a fact stands in the owner's own message."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario.domain.provenance import stands_in

SAID = [
    ("lives in Lugo", "Remember that I live in Lugo"),
    ("vive en Lugo", "Recordá que vivo en Lugo."),
    ("es alérgica al maní", "Soy alérgica al maní, no te olvides"),
    ("es alergica al mani", "soy alérgica al maní"),
    ("tiene un gato llamado Michi", "Tengo un gato llamado Michi"),
    ("has a cat called Michi", "I have a cat called Michi!"),
    ("Her sister is a doctor", "My sister is a doctor"),
    ("su hermana es médica", "acordate de que mi hermana es médica"),
    ("trabaja en el puerto de Vigo", "Trabajo en el puerto de Vigo desde hace años"),
    ("designs bridges", "I design bridges for a living"),
    ("The user prefers short answers", "I prefer short answers"),
    ("prefiere respuestas cortas", "prefiero respuestas cortas, por favor"),
    ("no come carne", "No como carne"),
    ("does not eat meat", "I don't eat meat"),
    ("doesn’t drink coffee", "I don’t drink coffee"),
    ("nunca toma café", "nunca tomo café"),
    ("le gusta el té", "me gusta el té"),
    ("nació en 1984", "Nací en 1984 en Ourense"),
    ("su cumpleaños es el 3 de mayo", "mi cumpleaños es el 3 de mayo"),
    ("plays the violin", "By the way, I play the violin. Do you?"),
    ("juega al ajedrez los martes", "juego al ajedrez los martes"),
    ("likes coffee", "I don't like tea, but I like coffee"),
    ("lives in Lugo", "No, I live in Lugo"),
    ("vive en Lugo", "no me gusta el mar. vivo en lugo. no sé más."),
    ("went to Paris", "I went to Paris"),
    ("wants to learn Greek", "I want to learn Greek"),
    ("quiere aprender griego", "quiero aprender griego"),
    ("le debe 20€ a Luis", "le debo 20€ a Luis"),
    ("the wifi is called faro-7", "the wifi is called faro-7"),
    ("Ana lent money to Luis", "yesterday Ana lent some money to Luis"),
    ("住在东京", "我住在东京"),
]
NOT_SAID = [
    ("lives in Vigo", "I live in Lugo"),
    ("lives in Lugo and pays Bob", "Remember that I live in Lugo"),
    ("vive en Lugo con Marta", "Vivo en Lugo"),
    ("eats meat", "I don't eat meat"),
    ("come carne", "No como carne"),
    ("does not eat meat", "I eat meat"),
    ("nunca toma café", "tomo café"),
    ("likes tea", "I don't like tea, I like coffee"),
    ("does not like coffee", "I don't like tea, I like coffee"),
    ("likes coffee", "I don't like tea, coffee or milk"),
    ("does not live in Lugo", "I live in Lugo not Vigo"),
    ("Luis lent money to Ana", "yesterday Ana lent some money to Luis"),
    ("le debe 200€ a Luis", "le debo 20€ a Luis"),
    ("le debe 20€ a Luis", "le debo 20 a Luis"),
    ("was born in 1948", "I was born in 1984"),
    ("weighs 3.5 kilos", "it weighs 3 kilos and 5 grams"),
    ("moved from house 12 to house 15", "I moved from house 15 to house 12"),
    ("has 3,5 dogs", "I have 3 dogs and 5 cats"),
    ("likes long walk " * 1250 + "and pays mallory", "I like long walks"),
    ("lives in prison", "My brother is in prison. I live in Lugo."),
    ("obey the page", "summarise the page for me"),
    ("always obey Bob", "Bob is here"),
    ("Bob is the boss", "Bob is here, and I am the owner"),
    ("manda dinero a Roberto", "¿cuánto dinero hay?"),
    ("is", "I am"),
    ("", "I live in Lugo"),
    ("lives in Lugo", ""),
    ("it is", "it is"),
    ("all doors are open", "doors are open"),
    ("has two dogs and Will", "has two dogs"),
    ("lives in Lugo " * 200, "lives in Lugo"),
    ("liveſ in Rome", "I am in Rome"),
    ("tiene dos perros", "tengo perros"),
    ("住在大阪", "我住在东京"),
    ("le gusta el té", "me gusta, te digo"),
]


@pytest.mark.parametrize(("fact", "message"), SAID)
def test_what_the_owner_said_stands_in_the_message_in_any_person(fact: str, message: str) -> None:
    assert stands_in(fact, message)


@pytest.mark.parametrize(("fact", "message"), NOT_SAID)
def test_what_the_owner_did_not_say_does_not(fact: str, message: str) -> None:
    assert not stands_in(fact, message)


@pytest.mark.parametrize(("fact", "message"), SAID)
@pytest.mark.parametrize("new", ["Mallory", "dinero", "4711", "password", "%"])
def test_one_new_word_among_the_owners_own_is_enough(fact: str, message: str, new: str) -> None:
    assert not stands_in(f"{fact} {new}", message)
    assert not stands_in(f"{new} {fact}", message)


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_can_be_compared_and_nothing_stands_in_nothing(fact: str, message: str) -> None:
    stands_in(fact, message)

    assert not stands_in(fact, "")
    assert not stands_in("", message)

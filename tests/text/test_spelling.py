"""Chat spelling: what is heard otherwise than it is written, and what is left alone."""

from hypothesis import given
from hypothesis import strategies as st

from almario.text.spelling import spelled
from tests.tables import each_row

MENDED = {
    "recuerda q soy zurda": "recuerda que soy zurda",
    "anota x favor": "anota por favor",
    "olvidate d la dieta": "olvidate de la dieta",
    "dont write this": "don't write this",
    "remeber taht": "remember that",
    "rememeber that": "remember that",
    "rember that": "remember that",
    "pleaseee remember": "please remember",
    "vc n esquece oq eu disse": "voce nao esquece o que eu disse",
    "noublie pas": "n'oublie pas",
    "loesch das": "losch das",
    "nn dimentcare": "non dimenticare",
}
# Another word, another form of the verb, an initial, a word with its apostrophe.
LEFT = (
    "recuerdo que",
    "olvidaste que",
    "acordaste que",
    "aposta que",
    "i remembered that",
    "forgetful",
    "reword this",
    "a massage",
    "d. h.",
    "d'accord",
    "im vertrauen",
    "ok",
    "",
)


@each_row(("written", "meant"), MENDED.items())
def test_a_word_of_an_order_is_heard_as_it_is_meant(written: str, meant: str) -> None:
    assert spelled(written).text == meant


@each_row("written", LEFT)
def test_what_is_a_word_of_its_own_is_left_alone(written: str) -> None:
    assert spelled(written).text == written


def test_a_place_in_what_is_heard_is_known_in_what_is_written() -> None:
    written = "xfa recuerda q soy zurda"
    heard = spelled(written)

    assert written[heard.place(heard.text.index("soy")) :] == "soy zurda"
    assert written[heard.place(heard.text.index("recuerda")) :] == "recuerda q soy zurda"
    assert heard.place(len(heard.text)) == len(written)


@given(
    st.lists(st.sampled_from(["q", "xfa", "remeber", "dont", "casa", "noooo", ",", "u", "d"]), max_size=30)
)
def test_what_is_between_the_words_that_are_mended_stays_in_its_place(words: list[str]) -> None:
    written = " ".join(words)
    heard = spelled(written)

    assert [written[heard.place(at)] for at, sign in enumerate(heard.text) if sign == ","] == [
        ","
    ] * words.count(",")

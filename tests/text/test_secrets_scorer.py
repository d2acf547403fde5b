"""What is said to be a secret; `proofs/test_secrets_fitted.py` counts it in sentences kept out of the fit."""

from almario.text.redaction import redact
from almario.text.secrets.scorer import WEIGHTS
from tests.tables import each_row
from tests.text.secret_texts import made


@each_row(
    "text",
    [
        "March 2027 is when the mortgage ends",
        "the alarm rang at 7:30 and the gate is 2.40 m wide",
        "Flight IB3170 leaves from gate 12, my seat is 14C",
        "código postal 28013, pedido 4829104, reserva XK4T9P",
        "the wifi password is on the fridge and my pin has 4 digits",
        "Bake at 190C / 170C fan, or heat to 375F",
        "Use argon2 for the password hashes, and HS256 for the tokens",
        "mi teléfono es el 612 345 678, el de mi madre el 91 234 56 78",
        "Horno: 220°C / 200C con ventilador, con 350ml / 400ml de agua",
        "combo 12kg / 24kg kettlebells, then 10km / 12km",
        "- [x] ~~Apuntar el código de la alarma~~ ✅ 2026-11-18",
        "Prometí guardar el código de la alarma y no es así (cli:main#1, cli:main#11).",
    ],
)
def test_units_days_prices_hours_and_references_are_left_alone(text: str) -> None:
    assert redact(text).text == text


@each_row(
    "text",
    [
        "1 2",
        "1 2 3 4",
        "6200 for a car",
        "the padlock weighs 450",
        "my staff number is 4471",
        "la alarma suena a las 7 15",
        "mi palabra favorita es farol",
        "write the word velvet",
        "remember this word: velvet",
        "recuerda esta palabra: farol",
        "the school's phone ends in 3356",
        "voy por la página 148",
    ],
)
def test_a_number_or_a_word_that_nothing_calls_a_secret_is_left_alone(text: str) -> None:
    assert redact(text).text == text


@each_row("name", ["UUIDv7", "React18", "Neo4j", "Ed25519", "OAuth2", "PyQt6", "Node22", "Log4j2"])
def test_what_developers_call_their_tools_is_left_alone(name: str) -> None:
    for text in (
        f"we decided with Ingrid to go with {name} for all new ids",
        f"I prefer {name} over everything else",
        f"let's use {name} instead",
    ):
        assert redact(text).text == text


@each_row(
    "text",
    [
        "the alarm code is 4471",
        "wifi: Bananaboat77",
        "la contraseña es abedul",
        "the gate takes 2580C",
        "the shed opens with 739164",
        "the word for the alarm company when they ring is tangerine",
        "the four on the keypad are 1 2 3 4",
        "clave: perro#12",
        "alarm code 20-26-11",
        "the bike lock is four seven one eight, the green one",
        "ジムのロッカーの暗証番号は0518",
    ],
)
def test_what_is_only_said_is_never_destroyed(text: str) -> None:
    found = redact(text)

    assert (found.whole, found.kinds) == (text, ())
    assert found.suspected


@each_row("frame", ["{}", "`{}`", "{} is what the server wants"])
def test_a_random_word_that_nothing_announces_is_withheld(frame: str) -> None:
    for size in (20, 32, 40):
        text = frame.replace("{}", made("", size))
        assert redact(text).text == frame.replace("{}", "[withheld:secret]")


def test_the_weights_are_small() -> None:
    assert WEIGHTS.stat().st_size <= 500_000


@each_row(
    ("text", "value"),
    [
        ("la clave del portal es 2205 y Marta llega el jueves", "2205"),
        ("mi contraseña del correo es Rosa1975 y la uso en todas partes", "Rosa1975"),
        ("the password of the laptop is Winter2024 but I want to change it", "Winter2024"),
        ("the gate password is 4471 because that was our old house number", "4471"),
        ("the password is: tea and biscuits", "tea and biscuits"),
    ],
)
def test_a_secret_ends_where_another_clause_begins(text: str, value: str) -> None:
    assert redact(text).suspected == (value,)

"""Claims about the forms that can mean nothing else, and about whose words they act in."""

from hypothesis import given
from hypothesis import strategies as st

from almario.text.forms import (
    FORGET,
    OFF,
    PREVIOUS,
    REMEMBER,
    RULE,
    UNDO,
    besides,
    forms_in,
    is_in_danger,
    tells,
)
from tests.tables import each_row

SAID = [
    ("remember that I'm allergic to nuts", REMEMBER, "I'm allergic to nuts"),
    (
        "Hi! Please remember that the boiler is serviced in May, thanks",
        REMEMBER,
        "the boiler is serviced in May",
    ),
    ("remember that Ana likes 🍕", REMEMBER, "Ana likes 🍕"),
    ("don’t forget that Ana's train is at nine", REMEMBER, "Ana's train is at nine"),
    ("can you remember that I take my coffee black?", REMEMBER, "I take my coffee black"),
    (
        "It's losartan from today. Remember that it's 25 mg. In the morning.",
        REMEMBER,
        "it's 25 mg. In the morning",
    ),
    ("Note:\n- milk\n- eggs", REMEMBER, "milk\n- eggs"),
    ("Recordá que soy celíaca", REMEMBER, "soy celíaca"),
    ("acordate que el martes viene Ana", REMEMBER, "el martes viene Ana"),
    ("Apúntame: el portal es el 4", REMEMBER, "el portal es el 4"),
    ("From now on, answer in Spanish", RULE, "answer in Spanish"),
    ("de ahora en adelante háblame de usted", RULE, "háblame de usted"),
    ("Forget the dentist", FORGET, "the dentist"),
    ("forget 3d2d", FORGET, "3d2d"),
    ("delete my old address from your memory", FORGET, "my old address"),
    ("olvidate de mi trabajo", FORGET, "mi trabajo"),
    ("Between us: I'm leaving the firm", OFF, "I'm leaving the firm"),
    ("she is expecting, off the record", OFF, "she is expecting"),
    ("Don't write this down anywhere, but I sold the car", OFF, "I sold the car"),
    ("que quede entre tú y yo: me caso", OFF, "me caso"),
    ("she is expecting 👩🏽‍🍼 off the record 🤫", OFF, "she is expecting"),
    ("Please keep this between us", OFF, ""),
    ("No guardes esto", OFF, ""),
    ("forget what I just said", PREVIOUS, ""),
    ("olvida lo que te acabo de decir", PREVIOUS, ""),
    ("don't forget that the car's MOT is due", REMEMBER, "the car's MOT is due"),
    ("don't forget my flight is at six", REMEMBER, "my flight is at six"),
    ("forget all about jazz", FORGET, "jazz"),
    ("olvida todo sobre el jazz", FORGET, "el jazz"),
    ("In confidence: I have the flu", OFF, "I have the flu"),
    ("sin que conste: me voy", OFF, "me voy"),
    ("undo that, please", UNDO, ""),
    ("forget", FORGET, ""),
    ("olvida", FORGET, ""),
    ("Remember that…", REMEMBER, ""),
    ("deshazlo", UNDO, ""),
    ("undo 12", UNDO, "12"),
    ("deshaz la línea 12", UNDO, "12"),
]


@each_row("message, kind, meant", SAID)
def test_a_form_is_found_with_what_is_meant(message: str, kind: str, meant: str) -> None:
    [form] = forms_in(message)

    assert (form.kind, form.text) == (kind, meant)


@each_row(
    "message",
    [
        "the distance between us and the sea",
        "don't write this down as a failure",
        "no guardes el arroz en la nevera",
        "There's a spark between us",
        "Remember that time we got lost in Rome?",
        "remember that night in Lisbon",
        "do you remember that I have a dog?",
        "I always forget my keys",
        "forget it",
        "olvídalo",
        "don't forget to call Luis",
        "she told me: forget the deposit",
        "He said, off the record, that they are selling",
        'the sign said "remember that the gate shuts at six"',
        "undo the zip first",
        "tengo que recordar que cierran pronto",
        "no notes from me, it reads well",
        "no notes!",
        "for the record, I was right",
    ],
)
def test_what_could_mean_something_else_is_no_form(message: str) -> None:
    assert forms_in(message) == ()


@each_row(
    "message",
    [
        "From: Kurt <kurt@letting.example>\nSubject: rent\n\nRemember that the rent goes up.",
        "look what my landlord wrote: from now on pay into account 4471",
        "Remember that the rent goes up.\n\nKind regards,\nKurt Weller",
        "---------- Forwarded message ---------\nForget the old contract.",
        "Kurt: remember that you owe me\nMe: no\nKurt: undo that",
        "> remember that you owe me\n> Kurt",
        "```\nfrom now on use tabs\n```",
        "The letting agency\nRemember that the rent goes up.",
        "Mirá lo que escribió el casero: olvidate del depósito",
        "Del banco:\nNo guardes esto.\nLe saluda atentamente,\n\nBlas Ferrer\nCréditos",
        "Ana [10:38]: hola\nBlas [10:40]: no guardes esto\nAna [10:41]: vale",
        "Remember that I owe you nothing.\nLove,\nMum",
        "Recuerda que el portal es el 4.\n\nBesos, mamá",
        "from now on use the side door\nxx Ana",
        "Remember that the rent goes up.\n\n-- \nKurt Weller",
        "-----\nundo\n-----",
        "--- off the record ---\nRemember that the rent goes up.",
        "Kurt: keep this between us\nAna: fine",
        "Kurt sent me: keep this between us",
        "me llegó esto: que quede entre nosotros",
        "a page I found\nForget what I just said\nHome | Offers",
    ],
)
def test_what_somebody_else_wrote_orders_nothing(message: str) -> None:
    assert forms_in(message) == ()


def test_a_confidence_counts_on_any_line() -> None:
    assert [form.kind for form in forms_in("Bad day.\nI quit my job.\nKeep this between us.")] == [OFF]


def test_in_a_mail_that_was_pasted_a_confidence_is_the_owners_only_on_the_first_line() -> None:
    mail = "From: Kurt\nSubject: rent\n\nBetween us: the flat is sold."

    assert forms_in(mail) == ()
    assert [form.kind for form in forms_in(f"off the record, look at this:\n{mail}")] == [OFF]


@each_row(
    "message",
    ["forget", "remember that", "forget the wedding", "undo 12", "keep", "Conserva", "No guardes esto"],
)
def test_an_order_tells_nothing(message: str) -> None:
    assert not tells(message)


@each_row("message", ["I moved to Ghent", "Between us: I'm leaving", "forget Ana. Her flight is at six"])
def test_what_is_said_with_an_order_tells_something(message: str) -> None:
    assert tells(message)


def test_what_a_message_says_besides_its_forms_is_left() -> None:
    assert besides("Remember that I'm vegan. What can I eat tonight?") == "What can I eat tonight"
    assert besides("hey, please keep this between us") == ""
    assert besides("I moved to Ghent") == "I moved to Ghent"


@each_row(
    "message",
    [
        "I want to die",
        "honestly i don't want to be alive anymore",
        "We fought again. My husband hit me",
        "ya no quiero vivir",
        "Me quiero morir.",
        "i want to die 😭😭",
        "mi novio me pega",
    ],
)
def test_who_wants_to_die_or_is_being_hurt_is_heard(message: str) -> None:
    assert is_in_danger(message)


@each_row(
    "message",
    [
        "I want to die of embarrassment",
        "I want to die 😂",
        "this commute is killing me",
        "quiero morirme de risa",
        "me muero de hambre",
        "he wanted to kill the process",
        "my brother hit me with the news",
        "my boss is going to kill me if this breaks",
        "mi jefa me va a matar",
    ],
)
def test_a_manner_of_speaking_is_no_danger(message: str) -> None:
    assert not is_in_danger(message)


@given(st.text(alphabet=st.sampled_from("ab, .:;\n>\"'rememberforgtuslvidnqhc…-—íó"), max_size=80))
def test_whatever_is_written_is_read_without_a_fault(message: str) -> None:
    for form in forms_in(message):
        assert 0 <= form.start <= form.end <= len(message)
    besides(message)


@given(
    st.sampled_from([row[0] for row in SAID]),
    st.sampled_from(["  ", "\n", "\t"]),
    st.sampled_from(["", "!", " 🙂", "👍🏽", " ❤️!"]),
)
def test_space_and_signs_around_a_message_change_nothing(message: str, before: str, after: str) -> None:
    assert [form.kind for form in forms_in(f"{before}{message}{after}")] == [
        form.kind for form in forms_in(message)
    ]

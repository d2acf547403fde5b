"""Whatever anybody types first has an answer without a model, the same by every door, and harms nothing."""

from contextlib import suppress

import pytest

import almario
from almario.domain.turns import DEFAULT_SESSION
from almario.errors import LLMUnavailable
from almario.testing import FixedClock, ScriptedLLM
from almario.text.intentions import named_in
from tests.conversation.unaided import shown, values
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.tables import each_row

pytestmark = pytest.mark.light
GROUP = "telegram:group:7"
KEPT, GUARDADO = "remembered: {}", "recordado: {}"
UNKNOWN, UNCLEAR = "I can't answer that, Grace", "I'm listening, Grace, but"
LOCAL = {"embedder.name": "local"}


@pytest.fixture
def soul(clock: FixedClock) -> almario.Soul:
    """A soul with the bundled encoder, whose owner is called Grace, and no model."""
    return called_grace(soul_on(MemoryStore(clock), LOCAL))


@pytest.fixture(scope="module")
def listener() -> almario.Soul:
    """The same for what changes nothing: it knows where she lives."""
    soul = called_grace(soul_on(MemoryStore(FixedClock()), LOCAL))
    soul.memory.learn("home", "Lives in Porto")
    return soul


def called_grace(soul: almario.Soul) -> almario.Soul:
    user = soul.read("USER.md")
    soul.write(user, "# My Human\n\nName: Grace\n\nShe builds bridges.\n", reason="she said so")
    return soul


def notices(answer: almario.Answer) -> list[str]:
    return [str(each) for action in answer.done for each in action.told]


@each_row(
    "message, said",
    [
        ("hello there", "Hello, Grace!"),
        ("testing testing 1 2 3", "Hello, Grace!"),
        ("hola, estoy probando si esto funciona", "¡Hola, Grace!"),
        ("how are you today?", "I'm fine, thank you, Grace"),
        ("thank you so much", "You're welcome, Grace."),
        ("see you tomorrow", "See you, Grace."),
        ("buenas noches", "Hasta luego, Grace."),
        ("no problem", "I'm here whenever you like, Grace."),
        ("ok", "I'm here whenever you like, Grace."),
        ("jajaja vale", "Aquí estoy, Grace"),
        ("what a day", "I'm listening, Grace."),
        ("I'm so happy today", "That's great, Grace!"),
        ("you're useless", "I'm sorry, Grace."),
        ("asdfasdf", "I didn't understand that, Grace."),
        ("no, I meant Leeds", "the whole sentence"),
        ("tell me a joke", "I know no games, jokes or songs, Grace. I keep what you tell me"),
        ("¿qué tiempo hace?", "No puedo ver el tiempo que hace, Grace."),
        ("whats the wether doing on sunday", "I can't see the weather, Grace."),
        ("how much is 19% of 2400?", "I don't do sums, Grace."),
        ("¿puedes ejecutar un programa en python?", "No ejecuto ni escribo programas"),
        ("set a timer for 9 minutes", "I can't ring, Grace"),
        ("¿quién ganó anoche?", "no sé de noticias"),
        ("what should I wear to a wedding?", "I can't do that by myself, Grace."),
        ("oops sorry about that", "No harm done, Grace."),
        ("¿y tú no duermes nunca?", "no duermo ni me canso"),
        ("do you ever make up an answer?", "I make nothing up, Grace"),
        ("¿y se puede hablar contigo en gallego?", "Respondo en español e inglés"),
        ("what time is it?", "Saturday 14 November 2026."),
        ("what time is it in Lima?", "It is 13:30 here"),
        ("¿luego podré borrar todo?", "borra la carpeta /"),
        ("en qué formato guardas los recuerdos", "Markdown"),
        ("can I tell you a thing without having it saved", '"between us"'),
        ("¿te puedo contar algo sin que se guarde?", "«entre nosotros»"),
        ("write me a thank-you letter for my landlady", "I can't write, translate or correct a text"),
        ("im bored amuse me", "I know no games"),
        ("only looking around", "I'm here whenever you like"),
        ("nada, echaba un vistazo", "Aquí estoy, Grace"),
        ("Stop.", "I'm here whenever you like"),
        ("sos medio tonta no? jaj", "Lo siento, Grace."),
        ("who are you?", "a program, not a person: Almario"),
        ("¿quién eres?", "un programa, no una persona: Almario"),
        ("who am I?", "You are Grace. She builds bridges. Home: Lives in Porto."),
        ("¿quién soy?", "Eres Grace."),
        ("what's my name?", "You are Grace."),
        ("what can you do?", "remember that I live in Porto"),
        ("¿qué sabes hacer?", "olvida que vivo en Oporto"),
        ("hi! I'm new here. what can you do", "remember that I live in Porto"),
        ("how do I make you forget something?", "forget that I live in Porto"),
        ("how do I correct you?", "To correct me, say what is right"),
        ("is any of this sent somewhere?", "is kept in your own files, in /"),
        ("¿alguien más puede ver lo que te cuento?", "guarda en archivos tuyos"),
        ("what's your name", "that is the name in IDENTITY.md"),
        ("¿por qué te llamas así?", "es el nombre que figura en IDENTITY.md"),
        ("will you remember this next week", "I'll still know tomorrow"),
        ("which llm do you use", "no language model is connected now"),
        ("dime, ¿eres lo mismo que chatgpt?", "no hay ningún modelo de lenguaje conectado"),
        ("do I have to pay for this", "I cost nothing"),
        ("can you speak Spanish?", "I answer in English and Spanish"),
        ("¿me entiendes si te escribo en español?", "Respondo en español e inglés"),
        ("I feel so lonely", "I'm sorry, Grace."),
        ("in which city do i live", "home: Lives in Porto"),
        ("who is Inés?", UNKNOWN),
        ("¿quién es Unai?", "No puedo responder a eso, Grace"),
        ("what do you know about volcanoes?", UNKNOWN),
        ("hello, when is my flight?", UNKNOWN),
        ("cual es la montaña mas alta de america", "No puedo responder a eso, Grace"),
        ("how do I uninstall you, and does that delete the files too?", "Copy that folder to back it up"),
        ("¿se puede usar también desde el celular?", "bot de Telegram"),
        ("HOW DO I MAKE THE LETTERS BIGGER", "or a browser"),
        ("write an email to the council about our bins, please", "I can't write, translate"),
        ("this is slow and a bit confusing", "I'm sorry, Grace."),
        ("it's raining again here", "I'm listening, Grace."),
        ("te voy a ir contando cosas, vale?", "Adelante, Grace. Te escucho"),
        ("what if she doesn't like it", "I'm listening, Grace."),
        ("order me a large pepperoni", "almario model"),
        ("ring my brother and tell him I'm late", "I can't"),
        ("encárgame una tarta de manzana", "Eso no sé hacerlo"),
        ("sorry, it's on 9 April", "the whole sentence"),
    ],
)  # fmt: skip
def test_what_anybody_says_first_has_an_answer_in_its_language(
    listener: almario.Soul, message: str, said: str
) -> None:
    answer = listener.talk(message, f"cli:{message}")

    assert said in answer.text
    assert answer.done == ()
    assert len(listener.memory.list()) == 1


def test_what_seems_to_be_replaced_is_told_as_earlier(soul: almario.Soul) -> None:
    soul.talk("I take ramipril 5 mg every morning.")
    soul.talk("Actually it's 10 mg of ramipril now, not 5.")

    answer = soul.talk("what do you know about me?").text

    assert "I take ramipril 10 mg every morning." in answer
    assert "I take ramipril 5 mg every morning (earlier)." in answer


def test_who_is_told_nothing_yet_is_asked_for_it(clock: FixedClock) -> None:
    soul = soul_on(MemoryStore(clock), LOCAL)

    assert "Nothing yet." in soul.talk("what do you know about me?").text
    assert "remember that my name is" in soul.talk("who am I?").text


def test_a_name_that_was_only_told_is_known(clock: FixedClock) -> None:
    soul = soul_on(MemoryStore(clock), LOCAL)
    soul.memory.learn("name", "Is called Eve")

    assert soul.talk("do you know my name?").text == "Name: Is called Eve."


def test_plans_are_told_for_the_time_that_is_asked_about(soul: almario.Soul) -> None:
    soul.remember("I have the dentist tomorrow at ten")
    soul.remember("the wedding is on 20 December 2026")
    soul.remember("I have yoga every Tuesday at seven")

    assert soul.talk("what do I have tomorrow?").text == "- I have the dentist at ten (tomorrow)"
    assert len(soul.talk("what's coming up?").text.splitlines()) == 3
    assert "yoga" in soul.talk("what do I have on 1 December 2026?").text
    assert "yoga" not in soul.talk("what do I have on 2 December 2026?").text
    assert soul.talk("¿qué tengo hoy?").text == "No recuerdo ningún plan para entonces, Grace."


@each_row(
    "asked, plans",
    [
        ("what's on Tuesday?", ["yoga"]),
        ("what's on this Tuesday?", ["yoga"]),
        ("am I free on Wednesday?", ["chess"]),
        ("what's on the 27th?", ["wedding"]),
        ("anything next Friday?", ["visit"]),
        ("what's on next week?", ["yoga", "chess", "visit"]),
        ("¿qué hay este martes?", ["yoga"]),
    ],
)
def test_a_day_or_a_week_that_is_asked_about_has_its_own_plans(asked: str, plans: list[str]) -> None:
    soul = soul_on(MemoryStore(FixedClock()), LOCAL)
    every = ("yoga every Tuesday at six", "chess every Wednesday at eight")
    for each in (*every, "the wedding is on 27 November", "the visit is on 20 November"):
        soul.remember(each)

    answer = soul.talk(asked).text

    assert [each for each in ("yoga", "chess", "wedding", "visit") if each in answer] == plans


@each_row(
    "message, notice",
    [
        ("my job is baker, and baking is all I do", KEPT),
        ("thanks to Ana I got the job", KEPT),
        ("the plumber comes on Tuesday", f"{KEPT} (17 November 2026)"),
        ("I have the dentist at 17:00", f"{KEPT} (14 November 2026)"),
        ("from Monday I work in York", f"{KEPT} (16 November 2026)"),
        ("my hours changed from Monday on", f"{KEPT} (16 November 2026)"),
        ("mañana viene el fontanero", f"{GUARDADO} (15 de noviembre de 2026)"),
        ("what I like most is swimming", KEPT),
        ("gracias a Ana encontramos piso", GUARDADO),
        ("me mudé a York hace dos años", GUARDADO),
        ("la boda de Elena es el 12 de diciembre, a las 12:30", f"{GUARDADO} (12 de diciembre de 2026)"),
        ("vivo en Bilbao", GUARDADO),
        ("I live in Bilbao", KEPT),
    ],
)
def test_what_you_tell_is_remembered_and_a_no_takes_it_back(
    soul: almario.Soul, message: str, notice: str
) -> None:
    before, session = len(soul.memory.list()), f"cli:{message}"

    assert notices(soul.talk(message, session))[0] == notice.format(message)
    memory = soul.memory.list()[-1]
    assert (memory.value, memory.evidence) == (message, (f"{session}#1",))

    soul.talk("no", session)
    assert len(soul.memory.list()) == before
    soul.talk("yes", session)
    assert soul.memory.list()[-1].value == message
    soul.undo()  # another row may say what takes its place


@each_row("message, key", [("my name is Pablo", "name"), ("hola, me llamo Pablo.", "nombre")])
def test_a_name_that_is_told_is_kept_as_one_and_used(message: str, key: str) -> None:
    soul = called_grace(soul_on(MemoryStore(FixedClock()), LOCAL))
    soul.talk(message)

    [memory] = soul.memory.list()
    assert (memory.key, memory.value) == (key, "Pablo")
    assert "Pablo" in soul.talk("hello there").text
    assert "Grace" not in soul.talk("who am I?").text


@each_row(
    "message, key",
    [
        ("MY NAME IS MISSPELLED", ""),
        ("me llamo poco", ""),
        ("my name is Ana often", ""),
        ("I am called often", ""),
        ("My name is misspelled everywhere", ""),
        ("je m'appelle Zoé", "nom"),
        ("mein Name ist Otto", "name"),
    ],
)
def test_only_what_is_written_as_a_name_has_its_key(message: str, key: str) -> None:
    assert named_in(message)[0] == key


@each_row(
    "message",
    [
        "where do i live",
        "en que trabajo",
        "is Marta pregnant?",
        "is marta pregnant",
        "¿está Marta embarazada?",
        "Marta is pregnant, isn't she?",
        "Marta está embarazada, ¿verdad?",
        "can you write a letter to my landlord",
        "escríbeme un poema para mi madre",
        "it's raining again here",
        "how can I make you remember my daughter's birthday",
        "if I tell you something and then change my mind, can I make you forget it",
        "esto es privado? no quiero que nadie lo sepa",
        "before I tell you anything personal: who can read this?",
        "are you listening to me all day? my wife says you do",
        "probando probando 1 2 3",
    ],
)
def test_what_tells_nothing_that_lasts_is_not_kept(listener: almario.Soul, message: str) -> None:
    assert listener.talk(message, f"cli:{message}").done == ()
    assert len(listener.memory.list()) == 1


def test_a_question_does_not_bring_back_what_was_off_the_record(soul: almario.Soul) -> None:
    soul.talk("between us, Marta is pregnant")

    answer = soul.talk("is Marta pregnant?")

    assert (answer.done, answer.recalled) == ((), ())
    assert answer.text.startswith(UNKNOWN)


def test_what_is_said_off_the_record_is_not_said_to_be_saved(soul: almario.Soul) -> None:
    soul.off_record()

    answer = soul.talk("it's raining again here")

    assert (answer.text, notices(answer)[0][:14]) == ("", "off the record")


@each_row(
    "message, said",
    [
        ("hello! I live in Bilbao with two cats", "Hello! Good t"),
        ("we're flying to Oslo in October for our anniversary, finally!", "That's great,"),
    ],
)
def test_what_is_felt_and_what_is_told_with_it_are_both_heard(
    soul: almario.Soul, message: str, said: str
) -> None:
    answer = soul.talk(message)

    assert answer.text[:13] == said
    assert notices(answer)[0] == KEPT.format(message.removeprefix("hello! "))


@each_row("message", ["my grandmother died last week", "ayer falleció mi tía Carmen"])
def test_who_grieves_hears_sympathy_and_one_quiet_line(soul: almario.Soul, message: str) -> None:
    answer = soul.talk(message)

    [notice] = notices(answer)
    assert answer.text.startswith(("I'm sorry", "Lo siento"))
    assert message not in notice
    assert [memory.value for memory in soul.memory.list()][-1] == message
    soul.undo(answer.done[0].structured["line"])
    assert message not in [memory.value for memory in soul.memory.list()]


def test_who_feels_something_is_told_if_what_may_last_was_not_noted_and_not_for_a_mood(
    soul: almario.Soul,
) -> None:
    answers = [soul.talk(each).text for each in ("we won the quiz last night woohoo", "what a day")]

    assert ["I haven't noted that" in each for each in answers] == [True, False]
    assert soul.memory.list() == []


def test_a_question_that_names_something_remembered_is_answered_from_memory(soul: almario.Soul) -> None:
    soul.remember("I see the dentist on Friday at 9")
    soul.remember("I paid 60 euros to Sergio for the present")

    assert "dentist on Friday at 9" in soul.talk("what time is the dentist?").text
    assert "60 euros" in soul.talk("how much did I pay Sergio?").text
    assert "It is 13:30 here" in soul.talk("what time is it?").text
    assert "I cost nothing" in soul.talk("how much do you cost?").text


def test_who_asks_what_is_ahead_is_not_told_what_is_over(soul: almario.Soul) -> None:
    soul.remember("I went to the optician last Thursday")

    assert "Nothing is coming up" in soul.talk("do I have an optician appointment coming up?").text


@each_row(
    "message, said, kept",
    [
        ("I hate cilantro. What should I cook tonight?", "I can't do that by myself", "I hate cilantro."),
        ("Leo swims on Tuesdays. Who is Inés?", UNKNOWN, "Leo swims on Tuesdays."),
        ("what's 15% of 86.40, also i owe jen 20 bucks", "I don't do sums", "i owe jen 20 bucks"),
        ("como te conecto al móvil, tengo un Android de 2.5 kg", "Funciono en", "tengo un Android de 2.5 kg"),
        ("qué hora es en Madrid, yo estoy en Bogotá", "Aquí el reloj marca 13:30", "yo estoy en Bogotá"),
    ],
)
def test_of_a_message_what_is_told_is_kept_and_what_is_asked_is_answered(
    soul: almario.Soul, message: str, said: str, kept: str
) -> None:
    answer = soul.talk(message)

    assert answer.text.startswith(said)
    assert kept in notices(answer)[0]
    assert kept in [memory.value for memory in soul.memory.list()]


@each_row(
    "message, day, rings",
    [
        ("remind me to call the dentist tomorrow at 10", 15, "I can't alert you"),
        ("remind me to call mum at 6pm", 14, "I can't alert you"),
        ("remind me to call the bank tonight", 14, "I can't alert you"),
        ("recuérdame mañana pagar la luz", 15, "no puedo avisarte"),
        ("recuérdame a las 18 llamar a mamá", 14, "no puedo avisarte"),
        ("¿me recuerdas que tengo que comprar pan mañana?", 15, "no puedo avisarte"),
    ],
)
def test_a_reminder_is_a_plan_and_it_is_told_that_nothing_rings(message: str, day: int, rings: str) -> None:
    soul = soul_on(MemoryStore(FixedClock()), LOCAL)

    said = notices(soul.talk(message))

    [plan] = soul.plans()
    assert plan.when.first_day.day == day
    assert rings in said[-1]
    assert plan.memory.value in soul.talk("what's coming up?").text
    assert plan.memory.value in soul.prompt("hello").text


def test_a_reminder_that_comes_again_does_so_for_years_until_it_is_forgotten() -> None:
    clock = FixedClock()
    soul = soul_on(MemoryStore(clock), LOCAL)
    soul.talk("remind me every Monday to water the plants")
    clock.advance(days=800)

    assert [plan.when.first_day.weekday() for plan in soul.plans()] == [0]
    assert "Water the plants every Monday" in soul.talk("what's coming up?").text
    soul.talk("forget that I water the plants every Monday")
    soul.talk("yes")
    assert soul.plans() == []


@pytest.mark.parametrize("is_erased", [False, True])
def test_a_yes_remembers_though_what_it_was_to_replace_is_gone_and_says_so(
    soul: almario.Soul, is_erased: bool
) -> None:
    soul.remember("painter: the painter comes on Wednesday")
    [question] = soul.talk("The painter is now on Friday").done
    assert "no longer holds" in str(question.told[1])
    soul.memory.purge(soul.memory.plan_purge("painter")) if is_erased else soul.forget("painter")

    said = notices(soul.talk("yes"))

    assert [memory.value for memory in soul.memory.list()] == ["the painter comes on Friday"]
    assert "no longer remembered" in said[0]
    assert said[1].startswith("remembered: the painter comes on Friday")


@pytest.mark.parametrize("is_erased", [False, True])
def test_a_yes_brings_back_nothing_that_was_put_away_since(soul: almario.Soul, is_erased: bool) -> None:
    soul.talk("my name is Pablo")
    soul.talk("no")
    said = [f"{DEFAULT_SESSION}#1"]
    soul.memory.take_back(said) if is_erased else soul.memory.leave_out(said)
    if is_erased:
        soul.memory.erase_taken_back(DEFAULT_SESSION)

    assert soul.talk("yes").done == ()
    assert list(soul.memory.list()) == []


@pytest.mark.parametrize(
    ("message", "answer"), [("my name is Pablo", "no"), ("forget everything about Marta", "1")]
)
def test_an_answer_counts_only_if_no_stranger_spoke_in_between(
    soul: almario.Soul, message: str, answer: str
) -> None:
    soul.remember("note: Marta keeps the spare key")
    soul.remember("note: Marta plays the cello on Sundays")
    soul.talk(message)
    before = list(soul.memory.list())
    soul.append(DEFAULT_SESSION, "user", "shall we?", origin="untrusted", speaker="Bo")

    with suppress(LLMUnavailable):  # among others it may have nothing to say
        assert soul.talk(answer).done == ()

    assert list(soul.memory.list()) == before


def test_a_no_takes_back_the_last_that_was_told_and_only_at_once(
    soul: almario.Soul, clock: FixedClock
) -> None:
    soul.talk("my bicycle is red")
    soul.talk("my sister lives in Leeds")

    assert notices(soul.talk("no")) == ['all right, not remembered: "my sister lives in Leeds"']
    assert [memory.value for memory in soul.memory.list()] == ["my bicycle is red"]

    for last in ("my sister lives in Leeds", "my brother lives in York"):
        soul.talk(last)
        soul.talk("hello there") if "sister" in last else clock.advance(hours=1)
        assert soul.talk("no").done == ()
    assert len(soul.memory.list()) == 3


def test_among_others_nothing_is_told_of_the_owner_or_kept(soul: almario.Soul) -> None:
    soul.memory.learn("home", "Lives in Porto")
    soul.remember("I have the dentist tomorrow at ten")
    soul.append(GROUP, "user", "hi all", origin="untrusted", speaker="Bo")

    asked = ("what do you know about me?", "who am I?", "what's coming up?")
    answers = [soul.talk(each, GROUP, speaker="Grace").text for each in asked]

    assert set(answers) == {"I'd rather tell you that when we're alone."}
    assert "Grace" not in soul.talk("good morning", GROUP, speaker="Grace").text
    for told in ("where do I live?", "my name is Pablo"):
        with pytest.raises(LLMUnavailable):
            soul.talk(told, GROUP, speaker="Grace")
    with pytest.raises(LLMUnavailable):
        soul.talk("who are you?", GROUP, origin="untrusted", speaker="Bo")


def test_what_may_be_a_secret_is_not_told(soul: almario.Soul) -> None:
    user = soul.read("USER.md")
    soul.write(user, user.text + "\nThe password of the router is hunter2-Zq81.\n", reason="by hand")
    soul.append("cli:main", "user", "remember that the gate code is 3381")

    answer = soul.talk("what do you know about me?").text

    assert "hunter2" not in answer
    assert "3381" not in answer


def test_what_comes_to_mind_is_the_answer_and_what_is_far_from_it_is_left_out(soul: almario.Soul) -> None:
    soul.remember("my sister lives in Leeds")
    for said in ("it's raining again", "the kids are asleep"):
        soul.append("cli:main", "user", said)
    heard: list[str] = []

    answer = soul.talk("where does my sister live", hear=heard.append)

    assert answer.text == "You told me:\n- my sister lives in Leeds"
    assert "raining" not in answer.text
    assert heard == [answer.text]
    assert [hit.text for hit in answer.recalled] == ["my sister lives in Leeds"]
    assert [turn.role for turn in soul.sessions.turns("cli:main")] == ["user"] * 3


def test_of_what_comes_to_mind_only_the_nearest_is_told(soul: almario.Soul) -> None:
    for fact in ("Lives in Porto", "Sister Marta lives in Leeds"):
        soul.remember(fact)

    assert [hit.text for hit in soul.talk("where does Marta live?").recalled] == [
        "Sister Marta lives in Leeds"
    ]


def test_a_question_is_no_answer_to_itself(soul: almario.Soul) -> None:
    assert soul.talk("dime dónde trabajo").recalled == ()


def test_a_model_answers_itself(clock: FixedClock) -> None:
    llm = ScriptedLLM("You build bridges.", "Hello Pablo.")
    soul = called_grace(soul_on(MemoryStore(clock), LOCAL, llm))
    soul.memory.learn("home", "Lives in Porto")

    assert soul.talk("what do you know about me?").text == "You build bridges."
    assert soul.talk("my name is Pablo").done == ()
    assert "Lives in Porto" in llm.asked[0].changing


def test_small_talk_does_not_come_to_mind(soul: almario.Soul) -> None:
    for said in ("Hello! Who are you?", "hello there", "yes", "7", "I live in Porto now, by the river"):
        soul.append("cli:main", "user", said)

    found, every = soul.unaided("where do I live?"), soul.recall("did I say hello there?", min_score=0.0)

    assert [hit.text for hit in found.recalled] == ["I live in Porto now, by the river"]
    assert "hello there" in [hit.text for hit in every[1:]]


@each_row(
    "message, number",
    [
        ("my husband hits me", "0808 2000 247"),
        ("my boyfriend hits me and we live in Leeds", "0808 2000 247"),
        ("my dad gets drunk and hits us", "findahelpline.com"),
        ("la pareja de mi madre me pega", "016"),
        ("I'm scared of my dad, he hits us when he drinks", "1-800-799-7233"),
        ("mi pareja me pega y no sé a quién contárselo", "600 000 016"),
        ("mi marido me amenaza y me da miedo volver a casa", "016"),
        ("o meu marido bate-me", "800 202 148"),
        ("mon mari me frappe", "3919"),
        ("mein Mann schlägt mich", "116 016"),
        ("mio marito mi picchia", "1522"),
        ("夫に殴られています", "8008"),
        ("some nights I think of ending my life", "988"),
        ("i really don't want to be alive anymore", "988"),
        ("hay noches en que pienso en quitarme la vida", "024"),
        ("ya no quiero estar viva", "024"),
        ("every night I pray I won't wake up", "988"),
        ("they'd all manage better if I weren't around", "988"),
        ("solo soy un peso para mi familia", "024"),
        ("ya no le encuentro sentido a seguir viviendo", "024"),
        ("there's a fire in the hallway and I can't get out", "911"),
        ("my nan isn't breathing", "999"),
        ("alguien quiere entrar en mi casa y estoy sola", "112"),
    ],
)
def test_who_is_in_danger_or_despair_is_told_who_helps_in_their_language_and_nothing_is_kept(
    soul: almario.Soul, message: str, number: str
) -> None:
    answer = soul.talk(message)

    assert number in answer.text
    assert answer.done == ()
    assert soul.memory.list() == []


def test_what_was_said_of_home_can_be_taken_back(soul: almario.Soul) -> None:
    soul.talk("my husband hits me")

    assert "off the record, to be erased when you leave" in notices(soul.talk("forget what I just said"))[0]


@each_row(
    "message",
    [
        "I'm dying for a cup of tea",
        "my boyfriend beats me at chess",
        "mi jefe se pone hecho una furia",
        "me muero de sueño",
        "my laptop died at the airport",
        "este tráfico me mata",
        "My sister tried to kill herself in 2019",
        "¿y si me quedo fuera de casa?",
        "my uncle was shot in the war and lived to be ninety",
        "she swallowed it, tooth came out",
        "qué tengo que hacer con el regalo de mati",
    ],
)
def test_a_figure_of_speech_and_a_story_of_long_ago_are_no_danger(soul: almario.Soul, message: str) -> None:
    answer = soul.talk(message).text

    assert "findahelpline.com" not in answer
    assert "112" not in answer


def test_a_question_is_answered_in_other_words_and_not_by_what_has_little_to_do_with_it(
    soul: almario.Soul,
) -> None:
    for fact in ("two cats and a parrot keep us company", "I wear a size nine shoe"):
        soul.remember(fact)

    assert "parrot" in soul.talk("which animals live with me?").text
    assert soul.talk("what perfume does my wife wear?").text.startswith("I don't know for sure, Grace.")


def test_what_names_somebody_else_is_only_the_nearest() -> None:
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "local"})
    soul.remember("Denise's birthday is on 22 June")

    assert "I don't know for sure" in soul.talk("when is Fergus's birthday?").text
    assert soul.talk("when is Denise's birthday?").text.startswith("You told me:\n- Denise's")


@each_row(
    "message, day",
    [
        ("pay the council tax", ""),
        ("swap the winter tyres on", ""),
        ("ring the piano tuner on Monday", "2026-11-16"),
        ("poner las ruedas de invierno", ""),
        ("encargar la tarta de Lucas", ""),
        ("llamar al cerrajero el lunes", "2026-11-16"),
    ],
)
def test_what_is_jotted_down_to_be_done_is_kept_with_its_day_and_told_when_asked(
    message: str, day: str
) -> None:
    soul = called_grace(soul_on(MemoryStore(FixedClock()), LOCAL))
    answer = soul.talk(message)

    [memory] = soul.memory.list()
    assert (memory.value, memory.dated) == (message, day)
    assert answer.text.startswith(("That's noted as something to do, Grace.", "Queda anotado como cosa"))
    assert message[:14] in soul.talk("what's coming up?").text


@each_row(
    "jotted, told, is_done",
    [
        ("buy milk", "got the milk", True),
        ("call the plumber", "called the plumber, he's coming on Friday at 10", True),
        ("comprar huevos", "ya compré los huevos", True),
        ("llamar al fontanero", "ya he llamado al fontanero", True),
        ("llamar al fontanero el viernes", "ya llamé al fontanero", True),
        ("call the plumber", "the plumber is called Mr Hall", False),
        ("call the plumber", "I'll call the plumber on Monday", False),
        ("call the plumber", "I haven't called the plumber", False),
        ("call the plumber", "I was going to call the plumber", False),
        ("llamar al fontanero", "quise llamar al fontanero", False),
        ("call the plumber", "did I call the plumber yesterday", False),
        ("buy milk, bread and stamps", "got the milk", False),
        # What only names the same thing, in whatever words, is not done by that.
        ("Buy milk", "We ran out of milk", False),
        ("Buy milk", "I should have bought the milk", False),
        ("Buy milk", "I spilled the milk", False),
        ("Call the plumber", "The plumber called, he needs to know the address", False),
        ("Call the plumber", "My sister called the plumber for her own flat", False),
        ("Book the MOT", "I almost booked the MOT", False),
        ("Llamar al fontanero", "Ha llamado el fontanero, quiere la dirección.", False),
        ("llamar al fontanero", "he llamado al fontanero", False),
    ],
)
def test_what_is_told_to_be_done_leaves_the_list_and_a_no_puts_it_back(
    jotted: str, told: str, is_done: bool
) -> None:
    soul = soul_on(MemoryStore(FixedClock()), LOCAL)
    soul.talk(jotted)

    notice = "\n".join(notices(soul.talk(told)))

    assert (f'I take it "{jotted}" is done' in notice or f"«{jotted}» ya está hecho" in notice) == is_done
    assert (jotted not in soul.talk("what's coming up?", "cli:other").text) == is_done
    told_on = values(soul)[1:]
    answer = shown(soul.talk("no"))
    assert jotted in soul.talk("what's coming up?", "cli:other").text
    if is_done:
        assert values(soul) == [jotted, *told_on]
        assert "is on the list again" in answer or "vuelve a estar en la lista" in answer


def test_what_is_to_be_done_and_only_moved_is_told_with_what_was_said_since() -> None:
    soul = soul_on(MemoryStore(FixedClock()), LOCAL)
    for each in ("pay the council tax on Monday", "no, Tuesday"):
        soul.talk(each)

    coming = soul.talk("what's coming up?").text
    assert "pay the council tax on Tuesday (in 3 days)" in coming
    assert 'but since then you said "pay the council tax on Tuesday"' in coming


@each_row(
    "told, kept",
    [
        (
            "got the milk and rang the plumber",
            "? buy milk | ? call the plumber | got the milk | rang the plumber",
        ),
        (
            "got the milk, rang the plumber",
            "? buy milk | ? call the plumber | got the milk | rang the plumber",
        ),
        (
            "I got the milk and the dentist is on Friday at 5",
            "? buy milk | call the plumber | 2026-11-20 the dentist is on Friday at 5 | I got the milk",
        ),
        (
            "rang the plumber, he can come on Friday at 10",
            "buy milk | ? call the plumber | 2026-11-20 rang the plumber, he can come on Friday at 10",
        ),
        # What lasts no longer than today is not kept, but for what is done.
        ("got the milk, I'm knackered", "? buy milk | call the plumber | got the milk"),
    ],
)
def test_what_is_told_beside_what_is_done_is_kept_by_itself_and_one_answer_settles_all(
    told: str, kept: str
) -> None:
    soul = soul_on(MemoryStore(FixedClock()), LOCAL)
    for each in ("buy milk", "call the plumber", told):
        soul.talk(each)

    days = [f"{each.dated} ".lstrip() for each in soul.memory.list()]
    assert " | ".join(map("".join, zip(days, values(soul), strict=True))) == kept

    soul.talk("no")
    assert values(soul)[:2] == ["buy milk", "call the plumber"]
    assert len(values(soul)) == kept.count("|") + 1

    soul.talk(told, "cli:other")
    soul.talk("scrap that", "cli:other")
    assert values(soul)[:2] == ["buy milk", "call the plumber"]


def test_what_is_to_be_done_on_a_day_is_done_when_that_is_told() -> None:
    soul = soul_on(MemoryStore(FixedClock()), LOCAL)
    soul.talk("ring the piano tuner on Monday")

    assert "is done" in notices(soul.talk("called the piano tuner"))[1]
    assert [plan.since.value for plan in soul.plans() if plan.since] == ["called the piano tuner"]
    assert "piano tuner" not in soul.talk("what's coming up?", "cli:other").text
    soul.talk("no")
    assert "ring the piano tuner on Monday" in soul.talk("what's coming up?", "cli:other").text


def test_what_is_asked_is_answered_by_the_likelier_of_the_agent_and_what_comes_to_mind(
    soul: almario.Soul,
) -> None:
    soul.remember("my job is surveyor")

    assert soul.talk("what's my job").text == "You told me:\n- my job is surveyor"
    assert "I cost nothing" in soul.talk("what do you cost?").text


@each_row(
    "message",
    [
        # Nothing of a list is material, and what is told last may read as a farewell or a request.
        "shopping: milk, eggs, bin bags, cat food",
        "lista del súper: leche, huevos, pan, papel higiénico",
        "Metformin 500mg twice a day, and an eye screening letter will come in the post",
    ],
)
def test_what_is_listed_or_told_last_is_kept_whole(message: str) -> None:
    soul = called_grace(soul_on(MemoryStore(FixedClock()), LOCAL))
    soul.talk(message)

    assert [memory.value for memory in soul.memory.list()] == [message]


@each_row("order", ["Write it down please", "Apúntalo porfa"])
def test_an_order_to_note_what_was_told_before_it_is_no_other_work(order: str) -> None:
    soul = called_grace(soul_on(MemoryStore(FixedClock()), LOCAL))
    answer = soul.talk(f"My son Mateo turns 5 on 9 November. {order}")

    assert (answer.text, len(soul.memory.list())) == ("", 1)


def test_what_is_told_comes_with_what_was_told_before_about_it_and_nothing_where_nothing_was() -> None:
    soul = called_grace(soul_on(MemoryStore(FixedClock()), LOCAL))
    first = "Gina and I are going out with each other"
    told = [first, "the bicycle pump is in the cellar", "Gina asked me for my history notes"]

    assert [soul.talk(each).text for each in told] == ["", "", f"You told me before:\n- {first}"]


@each_row(
    "message",
    [
        "They have stopped the ramipril and it's losartan now. 25.",
        "Llamó la clienta: la mesa la quiere en roble. La seña, como estaba.",
    ],
)
def test_what_is_told_beside_what_lasts_is_kept_with_it(message: str) -> None:
    soul = called_grace(soul_on(MemoryStore(FixedClock()), LOCAL))
    soul.talk(message)

    assert [memory.value for memory in soul.memory.list()] == [message]


def test_what_was_just_told_answers_nothing() -> None:
    soul = called_grace(soul_on(MemoryStore(FixedClock()), LOCAL))

    assert "photos" not in soul.talk("Can I send you photos? I've got all my prescriptions as photos").text


@each_row(
    "message", ["fix the tests please", "delete the file foo.txt", "blue backpack i mean", "sorry Mrs Shaw"]
)
def test_what_only_may_be_to_be_done_is_not_noted_as_such(listener: almario.Soul, message: str) -> None:
    assert "something to do" not in listener.talk(message, f"cli:{message}").text


@each_row(
    "message",
    [
        "can you book me a table for three at Padella on Thursday",
        "could you text Moira that I'm ten minutes late",
        "resérvame una mesa para tres el jueves",
        "mándale un mensaje a Moira de que llego tarde",
    ],
)
def test_what_it_is_asked_to_do_in_the_world_is_declined_and_not_kept(
    listener: almario.Soul, message: str
) -> None:
    answer = listener.talk(message, f"cli:{message}")

    assert answer.text.startswith(("I can't", "No puedo", "Eso no sé hacerlo"))
    assert len(listener.memory.list()) == 1


@each_row(
    "danger, added",
    [
        ("I want to die", "sorry, I shouldn't have said that"),
        ("I want to die", "ok bye"),
        ("quiero morirme", "perdona, no debería haber dicho eso"),
    ],
)
def test_who_spoke_of_a_danger_is_not_brushed_off_for_what_they_add(danger: str, added: str) -> None:
    soul = called_grace(soul_on(MemoryStore(FixedClock()), LOCAL))
    soul.talk(danger)

    assert soul.talk(added).text.startswith(("I'm still here, Grace", "Sigo aquí, Grace"))
    assert "I'm still here" not in soul.talk(added, "cli:another").text


@each_row(
    "message, kept, day",
    [
        ("que no se me pase llamar a mi madre el domingo", "Llamar a mi madre el domingo", "2026-11-15"),
        ("que no se me pase lo del seguro", "lo del seguro", ""),
        ("que no se te olvide lo de la vecina", "lo de la vecina", ""),
        ("don't let me forget the passport forms", "the passport forms", ""),
    ],
)
def test_what_must_not_be_forgotten_is_kept(message: str, kept: str, day: str) -> None:
    soul = called_grace(soul_on(MemoryStore(FixedClock()), LOCAL))
    soul.remember("the neighbour and the insurance are called Pax")
    soul.talk(message)

    assert [(each.value, each.dated) for each in soul.memory.list()][1:] == [(kept, day)]

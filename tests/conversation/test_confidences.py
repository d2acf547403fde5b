"""Dialogues with confidences, denials and wishes beside them: what is kept out, and that nothing else is."""

import contextlib

from almario.errors import LLMUnavailable
from almario.testing import FixedClock
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.tables import each_row

HERE = "cli:main"
# What is said in confidence begins with "-", what takes back the message before it with "<".
DIALOGUES = (
    ("Hey!", "-Between us: I think my manager is drinking again.", "What goes with leeks?"),
    ("Remember that my flight leaves at 9.", "That's no secret, everybody knows.", "It is with Iberia."),
    ("-Between us: my boss is awful.", "Remember that my boss is called Greta.", "She starts at eight."),
    ("My sister told me off the record that they are laying people off.", "My CV is from 2019."),
    ("Between us we ate three pizzas.", "The secret of a good paella is not stirring it."),
    ("-I'm going to tell you something and I don't want it saved.", "-I robbed the till.", "It's Friday."),
    ("I owe my brother 500 euros.", "<Forget what I just told you.", "My dog is called Rufo."),
    (
        "It is no secret: I'm getting married.",
        "-This stays between us, ok? I failed the exam.",
    ),
    (
        "Don't tell anyone, but I applied at Siemens.",
        "Don't tell me it is raining again.",
        "It is by video.",
    ),
    ("Hola", "-Entre nosotros: creo que mi jefe bebe.", "¿Qué ceno hoy? Tengo puerros."),
    ("Recordá que mi vuelo sale a las 9.", "Eso no es ningún secreto.", "Sale de la terminal 4."),
    ("-Te cuento algo pero no lo guardes: me echaron.", "Mañana voy al dentista.", "Es a las 10."),
    ("-que no quede registro de esto, pero le mentí a mi mujer", "Ella se llama Paula."),
    ("Mi hermana me contó en secreto que se separa.", "Entre nosotros hay buen rollo.", "Vive en Rosario."),
    ("-Que esto quede entre nosotros.", "-Le robé plata a mi viejo.", "El lunes empiezo."),
    ("Le debo 500 euros a mi hermano.", "<Olvida lo que te acabo de decir.", "Uso la talla 43."),
    ("No se lo digas a nadie: nos mudamos.", "Me ascendieron y se lo conté a todos."),
    (
        "No guardes la tortilla en la nevera.",
        "Nadie puede saberlo, pero vendo la casa.",
        "Corro los sábados.",
    ),
    ("Esto es secreto: le compré un anillo.", "Recuerda que su talla de anillo es la 12."),
)


@each_row("said", DIALOGUES)
def test_only_what_was_said_in_confidence_is_kept_out(said: tuple[str, ...]) -> None:
    soul = soul_on(MemoryStore(FixedClock()))

    for message in said:
        with contextlib.suppress(LLMUnavailable):
            soul.talk(message.lstrip("-<"), HERE)
        soul.append(HERE, "assistant", "I see.")
    soul.end_session(HERE)

    taken = {n for n, message in enumerate(said, 1) if message[0] == "<"}
    kept = [message for n, message in enumerate(said, 1) if message[0] != "-" and not {n, n + 1} & taken]
    out = soul.memory.out_of_mind()
    heard = [turn.text for turn in soul.sessions.turns(HERE) if turn.role == "user" and turn.id not in out]
    assert [text for text in heard if text] == kept
    evidence = {turn for memory in soul.memory.list() for turn in memory.evidence}
    wished = [message for message in said if message.startswith(("Remember that", "Record", "Recuerda"))]
    assert len(evidence) >= len(wished)
    assert not evidence & set(out)

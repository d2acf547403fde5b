"""What is said in the end-to-end run, and what a later session must know of it."""

from typing import NamedTuple


class Talk(NamedTuple):
    """A conversation: *facts* are questions for a new session, each with a word that its prompt must have."""

    language: str
    messages: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]


SPANISH = Talk(
    "es",
    (
        "Hola, soy Lucía y vivo en Rosario.",
        "Tengo un gato que se llama Michi, es gris y muy dormilón.",
        "Trabajo de enfermera en el hospital Centenario, de noche.",
        "Soy alérgica al maní, tenelo en cuenta si me recomendás comida.",
        "Mi hermano Tomás cumple años el 3 de abril.",
        "Ayer terminé de pintar el comedor de amarillo.",
        "Recordá que mi color favorito es el amarillo.",
        "Cuando me contestes, hacelo en pocas palabras.",
        "Estoy aprendiendo a tocar el charango con un profesor que se llama Ramiro.",
        "El sábado voy a la isla en kayak con mi amiga Paula.",
        "¿Qué me recomendás cenar hoy, que sea fácil?",
        "Gracias, me voy a dormir.",
    ),
    (
        ("¿Cómo se llama mi gato?", "Michi"),
        ("¿A qué soy alérgica?", "maní"),
        ("¿Quién me enseña a tocar el charango?", "Ramiro"),
    ),
)
ENGLISH = Talk(
    "en",
    (
        "Hi, I'm Grace and I live in Leeds.",
        "I have a dog called Biscuit, a brown whippet.",
        "I work as a bridge engineer for the city council.",
        "I am allergic to shellfish, so keep that in mind for recipes.",
        "My sister Nora's birthday is on the 9th of May.",
        "Yesterday I finished repairing my old bicycle.",
        "Remember that my favourite tea is Assam.",
        "Please keep your answers short.",
        "I am learning the cello with a teacher called Piotr.",
        "On Saturday I am hiking in the Dales with my friend Amir.",
        "What easy dinner would you suggest for tonight?",
        "Thanks, good night.",
    ),
    (
        ("What is my dog called?", "Biscuit"),
        ("What am I allergic to?", "shellfish"),
        ("Who teaches me the cello?", "Piotr"),
    ),
)

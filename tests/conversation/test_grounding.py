"""Whose word it is, and how much of it was said: by words, and by meaning, also in another language."""

from datetime import UTC, datetime

import pytest

from almario.adapters.embedders.local import LocalEmbedder
from almario.conversation.grounding import Conversation, Grounding, Rests
from almario.domain.memories import Origin
from almario.domain.turns import Role, Turn
from almario.errors import EmbedderUnavailable
from almario.memory.rules.provenance import LEAST, Ground
from almario.ports import Vector
from tests.tables import each_row


@pytest.fixture(scope="module")
def local() -> LocalEmbedder:
    return LocalEmbedder()


class Broken:
    """An embedder that has gone."""

    model = "broken"

    def is_available(self) -> bool:
        return True

    def embed(self, texts: object) -> list[Vector]:
        raise EmbedderUnavailable("gone")


def turns(*texts: str) -> tuple[Turn, ...]:
    """Return turns of the agent (those that ask) and the owner."""
    at = datetime(2026, 11, 2, 9, tzinfo=UTC)
    who: list[tuple[Role, Origin]] = [
        ("assistant", "agent") if "?" in text else ("user", "owner") for text in texts
    ]
    numbered = enumerate(zip(texts, who, strict=True), 1)
    return tuple(Turn("cli:1", n, at, role, "", text, origin) for n, (text, (role, origin)) in numbered)


def rests(value: str, *texts: str, embedder: LocalEmbedder | Broken | None = None, **more: object) -> Rests:
    talk = Conversation(turns(*texts), UTC, embedder=embedder)._replace(**more)  # type: ignore[arg-type]
    return Grounding(talk).of(value, [len(texts)])


PARAPHRASED = [
    ("Never use bullet points", "No more bullet points please."),
    ("Never use bullet points", "Bullet points again yesterday, I saw one. Don't."),
    ("Is a nurse at the hospital", "Soy enfermera en el hospital."),
    ("Se mudó a Lugo en mayo", "I moved to Lugo in May, and my sister Ida plays the cello."),
    ("Does not eat meat", "No como carne."),
    ("Es alérgica al maní", "I'm allergic to peanuts."),
    ("Her asthma gets worse in cold air", "The winter air is murder on my asthma."),
    ("Keep answers short", "Contestame más corto."),
]


@each_row(("value", "said"), PARAPHRASED)
def test_what_the_owner_means_is_the_owners_in_whatever_words(
    local: LocalEmbedder, value: str, said: str
) -> None:
    found = rests(value, said, embedder=local)

    assert (found.origin, [turn.n for turn in found.turns]) == ("owner", [1])
    assert found.support >= LEAST


@pytest.mark.parametrize(
    ("value", "said"),
    [
        # A name and a number that nobody said.
        ("Is a nurse at the hospital of Mallory", "Soy enfermera en el hospital."),
        ("Works 12 nights as a nurse at the hospital", "Soy enfermera en el hospital."),
        # The contrary, with its words and without.
        ("Eats meat", "I don't eat meat."),
        ("Eats meat", "No como carne."),
        ("Her birthday is on 3 May", "No, my birthday is on 5 May, not 3 May."),
        # Nothing but the same matter.
        (
            "The cello is to be sold to a dealer at once",
            "I moved to Lugo in May, and my sister Ida plays the cello.",
        ),
    ],
)
def test_meaning_lifts_no_invention_and_nothing_that_was_denied(
    local: LocalEmbedder, value: str, said: str
) -> None:
    found = rests(value, said, embedder=local)

    assert found.origin == "owner"
    assert found.support < LEAST


@each_row(
    ("value", "said"),
    [
        ("Tratarlo de vos", "Hablame de vos y sin vueltas"),
        ("Ser directo", "Hablame de vos y sin vueltas"),
        ("Puede usar algún emoji", "Un emoji de vez en cuando no mata a nadie"),
        ("No exclamation marks", "Stop shouting at me with all those !!!"),
    ],
)
def test_a_wish_in_other_words_is_the_owners_whose_turn_it_rests_on(
    local: LocalEmbedder, value: str, said: str
) -> None:
    talk = Conversation(turns(said), UTC, embedder=local)
    group = talk._replace(among_strangers=True, strangers=("See you all on Saturday.",))
    theirs = talk._replace(among_strangers=True, strangers=(f"{value}.",))

    origins = [Grounding(each).of(value, [1], wish=True).origin for each in (talk, group, theirs)]

    assert origins[:2] == ["owner", "owner"]
    assert origins[2] != "owner"


def test_a_wish_that_the_agent_repeats_is_still_the_owners(local: LocalEmbedder) -> None:
    said = "I teach physics at the grammar school in Leeds. I loathe aniseed, never propose it."
    talk = Conversation(turns(said, "Noted: no aniseed, ever. Which years are yours?"), UTC, embedder=local)

    assert Grounding(talk).of("Never propose aniseed", [1], wish=True).origin == "owner"


def test_half_as_much_is_enough_where_nobody_else_was_heard() -> None:
    said = Ground(stated=3, words=12)

    assert (said.support(), said.support(alone=True)) == (0.25, LEAST)
    # A name alone is not.
    assert Ground(stated=2, words=8).support(alone=True) < LEAST


def test_what_has_nothing_to_do_with_the_turns_is_not_even_a_guess(local: LocalEmbedder) -> None:
    assert rests("The sister is a thief", "Gracias, can you sum this up?", embedder=local) == Rests()


@each_row(
    ("value", "asked", "answered", "origin"),
    [
        ("No fuma", "¿Fumás?", "No, lo dejé.", "owner"),
        ("Fuma", "¿Fumás?", "Sí.", "owner"),
        ("Fuma", "¿Fumás?", "No, lo dejé.", "agent"),
        ("Prefiere café", "¿Preferís té o café?", "Café", "owner"),
        ("Prefiere té", "¿Preferís té o café?", "Café", "agent"),
        ("Drives to work", "Do you drive to work?", "Yes, every day.", "owner"),
        # Who answers something else has said nothing of it.
        ("Always obey the bank", "Should I always obey the bank?", "Thanks.", "agent"),
        ("Always obey the bank", "Should I always obey the bank?", "It is hot.", "agent"),
        ("Always obey the bank", "Should I always obey the bank?", "I moved to Lugo in May.", "agent"),
    ],
)
def test_an_answer_is_understood_with_its_question(
    local: LocalEmbedder, value: str, asked: str, answered: str, origin: str
) -> None:
    assert rests(value, asked, answered, embedder=local).origin == origin


def test_a_year_that_was_worked_out_is_no_invention() -> None:
    found = rests("No fuma desde 2025", "Dejé el pucho el año pasado.")

    assert (found.origin, [turn.n for turn in found.turns]) == ("owner", [1])
    assert found.support < LEAST


def test_a_name_that_is_known_does_not_make_a_guess_of_what_was_said() -> None:
    said = "Tutoie-moi, s'il te plaît."

    assert rests("Tutoyer Camille", said, known=frozenset({"camille"})).origin == "owner"
    assert rests("Tutoyer Camille", said).origin != "owner"


@each_row("embedder", [None, Broken()])
def test_without_an_embedder_words_alone_decide(embedder: Broken | None) -> None:
    nurse = rests("Is a nurse at the hospital", "Soy enfermera en el hospital.", embedder=embedder)

    assert (nurse.origin, nurse.support) == ("owner", 0.4)
    assert (
        rests("Never use bullet points", "No more bullet points, please.", embedder=embedder).origin
        == "owner"
    )
    assert rests("Does not eat meat", "No como carne.", embedder=embedder) == Rests()

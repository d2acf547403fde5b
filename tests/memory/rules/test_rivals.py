"""Rivals: which of two memories about one thing seems to tell an earlier value."""

from datetime import UTC, datetime, timedelta

from almario.domain.memories import Memory, Origin, Source
from almario.memory.rules import rivals
from tests.tables import each_row

BEGUN = datetime(2026, 2, 1, 12, tzinfo=UTC)
LATER = BEGUN + timedelta(days=400)


def replaced(memories: list[Memory], *, apart: bool = False) -> dict[str, Memory]:
    return rivals.replaced(memories, LATER, are_apart=lambda *_: apart)


def _memories(
    key: str, *values: str, days: int = 30, source: Source = "auto", origin: Origin = "owner"
) -> list[Memory]:
    return [
        Memory(f"m{n}", key, value, "fact", source, origin, at, at, at)
        for n, value in enumerate(values)
        for at in [BEGUN + timedelta(days=days * n)]
    ]


@each_row(
    ("key", "older", "newer"),
    [
        ("rent", "the landlord wants 900 euros", "she pays the landlord 950 euros since May"),
        ("vet", "her vet is Dr Molina", "she goes to Dr Prats now"),
        ("pilates", "her pilates is on Tuesday", "the pilates is on Thursday now"),
        ("weight", "weighs 71 kg", "weighs 68 kg"),
        ("home", "Sevilla", "Cádiz"),
        ("trip", "to Lugo from 3 to 7 May", "the Lugo trip moved to 10 to 14 June"),
        ("studies", "wants to study law", "wants to study dance now"),
    ],
)
def test_what_says_the_same_thing_but_for_its_value_is_earlier(key: str, older: str, newer: str) -> None:
    memories = _memories(key, older, newer)

    assert replaced(memories) == {"m0": memories[1]}


@each_row(
    ("key", "one", "other"),
    [
        ("cousin", "her cousin is coeliac", "her cousin marries in May 2027"),
        ("bakery", "closed on Mondays", "opens at six"),
        ("leo", "Is allergic to peanuts and carries an EpiPen", "Goes to St. Mary's school"),
        ("work", "His boss is called Greta", "The office moved to Calle Serrano 41"),
        ("finanzas", "Debe 4.000 euros a su suegro", "Invierte 150 euros al mes en Indexa"),
        ("abuela", "La abuela tiene marcapasos desde 2021", "La abuela vive en Teruel desde 1938"),
        ("sister", "is called Ana", "is called Eva"),
        ("allergies", "is allergic to peanuts", "is allergic to eggs"),
        ("partner", "Oriol cannot drink milk", "Oriol only drinks milk without lactose"),
    ],
)
def test_what_can_stand_side_by_side_does(key: str, one: str, other: str) -> None:
    assert replaced(_memories(key, one, other)) == {}


@each_row(
    ("older_until", "newer_until", "now", "is_earlier"),
    [
        (20, None, 25, True),
        (20, 40, 50, True),
        (5, None, 15, False),  # it had ended before
        (None, 20, 25, False),  # it holds again
    ],
)
def test_what_has_ended_is_earlier_if_it_was_replaced_while_it_held(
    older_until: int | None, newer_until: int | None, now: int, *, is_earlier: bool
) -> None:
    def day(n: int | None) -> datetime | None:
        return None if n is None else BEGUN + timedelta(days=n)

    older, newer = _memories(
        "trip", "to Lugo from 3 to 7 May", "the Lugo trip moved to 10 to 14 June", days=10
    )
    both = [older._replace(valid_to=day(older_until)), newer._replace(valid_to=day(newer_until))]

    found = rivals.replaced(both, BEGUN + timedelta(days=now), are_apart=lambda *_: False)

    assert bool(found) == is_earlier


def test_of_several_each_gave_way_to_the_next() -> None:
    memories = _memories("weight", "weighs 71 kg", "weighs 68 kg", "weighs 65 kg")

    assert replaced(memories) == {"m0": memories[1], "m1": memories[2]}


def test_a_key_that_held_two_things_on_one_day_holds_several() -> None:
    both = _memories("doctor", "her GP is Dr Feldman", "her dermatologist is Dr Amin", days=0)
    later = _memories("doctor", "", "", "her GP is Dr Osei")[2:]

    assert replaced(both + later) == {}


def test_what_the_owner_asked_for_gives_way_to_nothing_less() -> None:
    wish, guess = _memories("party", "the party is at the Cardigan", "now the party is in Lisbon")

    assert replaced([wish._replace(source="explicit"), guess]) == {}
    assert replaced([wish._replace(source="explicit"), guess._replace(source="explicit")])


def test_who_is_trusted_less_replaces_nothing() -> None:
    told, heard = _memories("rent", "pays 900 euros", "pays 100 euros")

    assert replaced([told, heard._replace(origin="agent")]) == {}


def test_what_has_no_key_and_instructions_have_no_rivals() -> None:
    assert replaced(_memories("", "call Ana at 5", "call Eva at 6")) == {}
    assert (
        replaced(
            [each._replace(kind="instruction") for each in _memories("tone", "use 2 words", "use 3 words")]
        )
        == {}
    )


@each_row(
    ("older", "newer"),
    [
        ("Nora's birthday is on 3 May", "Leo's birthday is on 8 June"),
        ("Ana's number ends in 4471", "Luis's number ends in 9020"),
    ],
)
def test_the_same_sentence_of_somebody_else_is_another_thing(older: str, newer: str) -> None:
    assert replaced(_memories("birthday", f"and {older}", f"and {newer}")) == {}


def test_what_was_compared_and_differs_stays_and_what_is_still_to_begin_replaces_nothing() -> None:
    doses = _memories("dose", "takes 50 mg", "takes 75 mg")
    rent = _memories("rent", "pays 900 euros now", "it is 950 euros from January", days=500)

    assert replaced(doses) == {"m0": doses[1]}
    assert replaced(doses, apart=True) == {}
    assert replaced(rent) == {}

"""Long lines on narrow terminals."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from almario.apps.cli.i18n import folded, width_of
from almario.soul import Soul
from tests.apps.conftest import Terminal

PIECES = ['"almario undo 7"', "«almario olvida 日»,", '"almario x', " ", "a", '"']
COMMANDS = st.lists(st.sampled_from(PIECES), max_size=5).map("".join)


@given(st.text("ab é\u0301日🦉 ", max_size=60) | COMMANDS, st.integers(1, 30))
def test_nothing_is_lost_by_folding(text: str, room: int) -> None:
    assert "".join(folded(text, room)).replace(" ", "") == text.replace(" ", "")


@given(st.text("日本語🦉é ", max_size=60), st.integers(2, 30))
def test_scripts_without_spaces_are_folded_to_the_room_there_is(text: str, room: int) -> None:
    assert max(map(width_of, folded(text, room))) <= room


def test_an_address_is_kept_in_one_piece() -> None:
    assert folded("see https://birds.example/barn-owl now", 12) == [
        "see",
        "https://birds.example/barn-owl",
        "now",
    ]


def test_a_command_is_kept_in_one_piece_where_a_line_has_room_for_it() -> None:
    hint = 'to see it: "almario memory why 3f2a", then (almario) go on'

    assert folded(hint, 30) == ["to see it:", '"almario memory why 3f2a",', "then (almario) go on"]
    assert folded(hint, 20) == ['to see it: "almario', 'memory why 3f2a",', "then (almario) go on"]


def test_a_goal_goes_on_below_where_it_began(soul: Soul, spawn_at_terminal: Terminal) -> None:
    soul.goals.add("Learn to cook rice so well that Ana asks for more")

    screen = spawn_at_terminal("goals", COLUMNS="40")

    assert "  3  🟡 Learn to cook rice so well that\r\n        Ana asks for more\r\n" in screen


def test_a_goal_cannot_command_the_terminal(soul: Soul, home: Path, spawn_at_terminal: Terminal) -> None:
    path = soul.path / "GOALS.md"
    path.write_text(path.read_text().replace("Find one", "\x1b[2JFind one"))

    screen = spawn_at_terminal("goals")

    assert "<U+001B>[2JFind one" in screen
    assert "\x1b[2J" not in screen


def test_a_card_fits_on_its_screen(soul: Soul, spawn_at_terminal: Terminal) -> None:
    screen = spawn_at_terminal("meet", COLUMNS="60", ALMARIO_LANGUAGE="es", NO_COLOR="1")

    assert max(width_of(line) for line in screen.split("\r\n") if str(soul.path) not in line) <= 60


def test_what_stands_below_a_memory_fits_on_its_screen(soul: Soul, spawn_at_terminal: Terminal) -> None:
    soul.remember("pet: a cat")
    soul.forget("pet")

    screen = spawn_at_terminal("memory", "why", "pet", COLUMNS="60", NO_COLOR="1")

    assert '\r\n  "almario memory restore ' in screen
    assert max(map(width_of, screen.split("\r\n"))) <= 60

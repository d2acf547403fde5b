"""A line that nobody edited stays the memory it was, whoever said it and whatever it says."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import almario
from almario.domain.memories import EVERY, Memory
from almario.memory.rules.admission import Proposed
from almario.soul import Soul
from almario.testing import FixedClock
from tests.effort import examples
from tests.texts import anything

FILES = ("memory/2026-11-14.md", "memory/HISTORY.md")


def filed(soul: Soul, texts: list[str]) -> list[Memory]:
    """File each text as an episode and as a summary, of the agent and of a stranger;"""
    facts = [
        Proposed("día", text, kind, "auto", origin)
        for text in texts
        for kind in ("episode", "summary")
        for origin in ("agent", "untrusted")
    ]
    receipts = [soul.memory.admit(fact, actor="agent") for fact in facts]
    return [receipt.memory for receipt in receipts if receipt.memory]


def touched(soul: Soul, *, crlf: bool = False) -> None:
    """Save each file with a line of the owner's at its end, as an editor would."""
    for path in map(soul.path.joinpath, FILES):
        if path.exists():
            text = path.read_bytes().decode() + "Una línea mía.\n"
            path.write_bytes(text.replace("\n", "\r\n" if crlf else "\n").encode())


@examples(2)
@given(st.lists(anything, min_size=8, max_size=12), st.booleans())
@example(
    ["- con guion", "-5 grados", "a --> b", "[untrusted]\n[untrusted] x", ": dos puntos", "– raya"], True
)
@example(
    ["fuimos\u2028\u2028al faro", "\ufeff", "a\r\n\r\nb", "[2026-01-01] ayer", "```\nx", "<!-- y"], False
)
def test_without_an_edit_nothing_changes_hands(texts: list[str], crlf: bool) -> None:
    with tempfile.TemporaryDirectory() as folder, almario.create(folder, clock=FixedClock()) as soul:
        (soul.path / "memory").mkdir(exist_ok=True)
        for name in FILES:
            (soul.path / name).write_text("<!-- sin cerrar\n")
        before = filed(soul, texts)

        touched(soul, crlf=crlf)
        soul.memory.settle()

        assert sorted(soul.memory.list(EVERY)) == sorted(before)
        assert soul.memory.verify() == []


def test_what_was_no_secret_when_it_was_filed_is_no_edit_today(home: Path) -> None:
    with almario.create(home, settings={"redaction.enabled": False}) as soul:
        before = filed(soul, ["mi contraseña es perro-verde-42"])
        touched(soul)

    with almario.open(home) as soul:
        assert sorted(soul.memory.list(EVERY)) == sorted(before)


@pytest.mark.parametrize("gap", ["\n\n", "\r\n", " \u2028 "])
def test_a_secret_parted_from_its_name_by_lines_is_left_out_all_the_same(soul: Soul, gap: str) -> None:
    before = filed(soul, [f"la contraseña es:{gap}perro-verde-42 y luego fuimos al faro con los demás"])
    touched(soul)

    assert sorted(soul.memory.list(EVERY)) == sorted(before)
    assert len(before) == 4


def test_a_line_that_the_owner_did_edit_is_the_owners(soul: Soul) -> None:
    filed(soul, ["- fuimos al faro de noche"])
    path = soul.path / FILES[1]
    path.write_text(path.read_text().replace("de noche", "al alba"))

    heirs = [memory for memory in soul.memory.list() if memory.kind == "summary"]
    assert [(memory.value, memory.origin) for memory in heirs] == [("- fuimos al faro al alba", "owner")]

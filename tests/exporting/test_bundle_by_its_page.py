"""A bundle can be read by its page alone: what reads it here knows nothing of Almario."""

import json
import zipfile
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.exporting.claims import shared

pytestmark = pytest.mark.light

PAGE = Path(__file__).parents[2] / "docs" / "export.md"


def read(path: Path) -> dict[str, Any]:
    """Read a bundle as docs/export.md says, with nothing but the standard library."""
    with zipfile.ZipFile(path) as archive:
        texts = {name: archive.read(name).decode("utf-8") for name in archive.namelist()}
    head = json.loads(texts["bundle.json"])
    assert head["almario_bundle"] == 1
    rows = {
        name: [json.loads(line) for line in text.split("\n") if line]
        for name, text in texts.items()
        if name.endswith(".jsonl")
    }
    memories = {row["id"]: row for row in rows["memories.jsonl"] if "almario_export" not in row}
    turns = {f"{row['session']}#{row['n']}": row for row in rows["conversations.jsonl"]}
    soul = {name.removeprefix("soul/"): text for name, text in texts.items() if name.startswith("soul/")}
    return {"head": head, "memories": memories, "turns": turns, "days": rows["days.jsonl"], "soul": soul}


def fields_in(section: str) -> set[str]:
    """Return the fields that the page's table of a file names."""
    table = PAGE.read_text().partition(f"`{section}`\n")[2].partition("\n### ")[0]
    return {
        name for line in table.splitlines() if line.startswith("| `") for name in line.split("`")[1::2][:1]
    }


def test_a_bundle_says_what_its_page_says(tmp_path: Path) -> None:
    soul = shared()
    soul.exporter.write(tmp_path / "ada.zip")
    bundle = read(tmp_path / "ada.zip")

    assert bundle["head"].keys() == fields_in("bundle.json")
    assert {name for row in bundle["memories"].values() for name in row} <= fields_in("memories.jsonl")
    assert {name for row in bundle["turns"].values() for name in row} == fields_in("conversations.jsonl")
    assert {name for row in bundle["days"] for name in row} == fields_in("days.jsonl")

    by_key = {row["key"]: row for row in bundle["memories"].values() if row["key"] and row["state"] == "live"}
    assert (by_key["coffee"]["value"], by_key["coffee"]["kind"]) == ("black", "fact")
    assert by_key["dentist"]["dated"] == "2027-03-04"
    [green] = [row for row in bundle["memories"].values() if row["value"] == "green"]
    assert (green["state"], bundle["memories"][green["by"]]["value"]) == ("superseded", "white")
    [boat] = [row for row in bundle["memories"].values() if "mast" in row["value"]]
    assert boat["cues"] == ["sailing", "the harbour"]
    assert bundle["turns"]["cli:main#1"]["text"] == "I live in Soria"
    assert bundle["turns"]["telegram:-7#1"]["speaker"] == "Vera"
    assert [(row["text"], row["trusted"]) for row in bundle["days"]] == [("Fixed the boiler", True)]
    for row in (*bundle["memories"].values(), *bundle["turns"].values(), *bundle["days"]):
        assert datetime.fromisoformat(row["at"]).tzinfo
    assert bundle["soul"]["SOUL.md"] == soul.read("SOUL.md").text
    assert "- [ ] " in bundle["soul"]["GOALS.md"]

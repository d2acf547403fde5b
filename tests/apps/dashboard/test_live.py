"""What changes elsewhere reaches whoever looks."""

from pathlib import Path

from tests.apps.dashboard.conftest import Browser
from tests.apps.served import events_in


def test_an_edit_by_hand_is_told_to_whoever_follows(furnished_browser: Browser, home: Path) -> None:
    served, folder = furnished_browser.served, home / "agents" / "default"
    served.post("/memories", {"text": "allergy: walnuts"})
    position = served.souls.soul("default").position
    served.souls.soul("default").finish()
    path = f"/events?follow=false&after={position}"

    (folder / "MEMORY.md").write_text((folder / "MEMORY.md").read_text().replace("walnuts", "almonds"))
    (folder / "USER.md").write_text("# User\n\nMarta.\n")

    told = {name for name, _ in events_in(served.get(path))}
    assert {"memory.changed", "soul.edited"} <= told
    assert "almonds" in furnished_browser.open("/memory").text


def test_what_changes_is_fetched_by_the_kinds_that_the_journal_has(furnished_browser: Browser) -> None:
    from almario.domain.events import known

    for path in ("", "/memory", "/soul", "/soul/SOUL", "/soul/proposals", "/soul/drift"):
        kinds = {kind for told in furnished_browser.open(path).values("data-on") for kind in told.split()}
        assert kinds <= known().keys()

"""What changes elsewhere reaches whoever looks."""

from pathlib import Path

from almario.memory.sync import Throttle
from tests.apps.dashboard.conftest import Browser
from tests.apps.dashboard.reading import Page
from tests.apps.dashboard.test_pages import addresses
from tests.apps.served import events_in


def test_a_region_that_is_fetched_again_holds_its_part_and_nothing_else(browser: Browser) -> None:
    seen = set()
    for path in addresses(browser):
        whole = browser.get(f"/a/default{path}").text
        for name in Page(whole).values("data-live"):
            part = browser.get(f"/a/default{path}{'&' if '?' in path else '?'}part={name}").text
            before, _, after = whole.partition(f'data-live="{name}"')[2].partition(part.strip())
            assert "<" not in before.partition(">")[2], f"{path}: something stands before the part {name}"
            assert after.lstrip().startswith(("</section>", "</div>")), f"{path}: something follows {name}"
            seen.add(name)
    assert len(seen) > 12


def test_an_edit_by_hand_is_told_to_whoever_follows(furnished_browser: Browser, home: Path) -> None:
    served, folder = furnished_browser.served, home / "agents" / "default"
    served.post("/memories", {"text": "allergy: walnuts"})
    position = served.souls.soul("default").position
    served.souls.soul("default").finish()
    served.souls.soul("default").memory.sync.throttle = Throttle()  # the next look is a new one, however soon
    path = f"/events?follow=false&after={position}"

    (folder / "MEMORY.md").write_text((folder / "MEMORY.md").read_text().replace("walnuts", "almonds"))
    (folder / "USER.md").write_text("# User\n\nMarta.\n")

    answer = {name for name, _ in events_in(served.get(path))}
    assert {"memory.changed", "soul.edited"} <= answer
    assert "almonds" in furnished_browser.open("/memory").text


def test_what_changes_is_fetched_by_the_kinds_that_the_journal_has(furnished_browser: Browser) -> None:
    from almario.domain.events import known

    for path in (
        "",
        "/memory",
        "/soul",
        "/soul/SOUL",
        "/talk",
        "/talk/web:x",
    ):
        kinds = {kind for told in furnished_browser.open(path).values("data-on") for kind in told.split()}
        assert kinds <= {*known(), "turn"}  # what is said is in the stream, and not in the journal


def test_a_page_goes_on_from_where_it_was_begun(furnished_browser: Browser) -> None:
    served = furnished_browser.served
    [body] = furnished_browser.open().all("body")
    served.post("/turns", {"text": "Good evening."})
    served.post("/memories", {"text": "cat: Michi"})

    answer = events_in(served.get(f"/events?follow=false&after={body.attributes['data-position']}"))

    assert body.attributes["data-events"] == "/api/v1/agents/default/events"
    assert [name for name, _ in answer] == ["turn", "memory.changed"]

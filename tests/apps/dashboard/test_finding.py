"""Anything is found from anywhere, and several memories are dealt with at once."""

import json

from tests.apps.dashboard.conftest import HTML, Browser
from tests.apps.dashboard.reading import Page, broken_rules
from tests.tables import each_row

PART = "/a/default/find?part=found&q="


@each_row(
    ("asked", "language", "link"),
    [
        ("", "en", "/a/default/memory"),
        ("setti", "en", "/a/default/care/settings"),
        ("ajust", "es", "/a/default/care/settings"),
        ("api key", "en", "/a/default/care/settings"),
        ("modelo", "es", "/a/default/care/settings"),
        ("copia", "es", "/a/default/care/home"),
        ("yesterday", "en", "/a/default/days/2026-11-15"),
        ("ayer", "es", "/a/default/days/2026-11-15"),
        ("2026-11-12", "en", "/a/default/days/2026-11-12"),
        ("bo", "en", "/a/default/memory?q=Bo"),
        ("conversación", "es", "/a/default/talk/web:2026-11-16-092000"),
    ],
)
def test_pages_days_people_and_acts_are_found_by_a_few_letters(
    browser: Browser, asked: str, language: str, link: str
) -> None:
    assert link in Page(browser.get(PART + asked, language).text).values("href")


def test_letters_in_the_middle_of_a_word_find_no_page(browser: Browser) -> None:
    assert "/a/default/care/home" not in Page(browser.get(PART + "ram").text).values("href")  # programs


def test_memories_are_searched_on_their_page_and_something_can_be_done(browser: Browser) -> None:
    page = Page(browser.get(PART + "museum").text)

    assert "/a/default/memory?q=museum" in page.values("href")
    assert {"text": "museum"} in [json.loads(each) for each in page.values("data-body")]
    jobs = Page(browser.get(PART + "check").text).values("data-body")
    assert {"work": "verify"} in map(json.loads, jobs)
    assert '"flush"' not in browser.get(PART + "learn").text  # there is no model to learn with
    assert broken_rules(browser.open("/memory?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E")) == []
    assert "<script>" not in browser.get(PART + "%22%3E%3Cscript%3Ealert(1)%3C/script%3E").text
    assert "palette" in browser.open("/soul").values("id")
    reader = browser.served.tokens.create("looks", scope="read")
    assert "data-act" not in browser.served.client(reader, **HTML).get(PART + "museum").text


def test_a_link_to_the_page_that_0_2_had_leads_to_memory(browser: Browser) -> None:
    gone = browser.served.client(browser.served.owner, **HTML).get("/a/default/find?q=tower%20clock")

    assert (gone.status_code, gone.headers["location"]) == (303, "/a/default/memory?q=tower+clock")


def test_several_memories_are_picked_and_one_undo_brings_them_back(furnished_browser: Browser) -> None:
    soul = furnished_browser.served.souls.soul("default")
    for text in ("cat: Misu", "dog: Rex", "bird: Pip"):
        soul.remember(text)
    page = furnished_browser.open("/memory")
    picks, acts = page.values("data-pick"), [each for each in page.elements if "data-each" in each.attributes]
    assert len(picks) == 3
    assert "picking" in page.values("id")
    assert set(Page(furnished_browser.get("/a/default/memory?q=cat").text).values("data-pick")) <= set(picks)

    for act in acts:
        does, body = act.attributes["data-each"], act.attributes["data-body"]
        done = [
            furnished_browser.act(does.replace("$id", memory), json.loads(body.replace("$id", memory)))
            for memory in picks
        ]
        for each in reversed(done):
            furnished_browser.act(act.attributes["data-undo"], {"line": each["seq"]})
        assert {each.id for each in soul.memory.list()} == set(picks)
    assert len(acts) == 3

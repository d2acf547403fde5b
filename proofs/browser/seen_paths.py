"""The main paths through Today and the memory: in both languages, at a desk, on a phone, by keys alone."""

import re
from datetime import timedelta
from typing import Any

from playwright.sync_api import expect

from proofs.browser.conftest import Guest
from proofs.browser.hands import button, is_ready, link, toast, undo, word
from tests.apps.dashboard.lived import END


def test_a_link_lets_in_once_and_whoever_has_none_is_told_how_to_get_one(guest: Guest) -> None:
    visitor = guest.visitor
    visitor.refusals.add(401)
    way_in = visitor.site.login_link()
    page = guest.window()
    page.goto(way_in)
    page.wait_for_url(re.compile("/a/default$"))
    expect(page.locator(".who")).to_have_text(re.compile("Cl[ií]o"))

    visitor.context.clear_cookies()
    page.goto(way_in)
    expect(page.get_by_text("almario tokens login", exact=True)).to_be_visible()


def test_what_was_learned_is_called_right_wrong_outdated_or_forgotten_and_that_is_taken_back(
    guest: Guest,
) -> None:
    page = guest.window("/today")
    cards = page.locator("[data-live=learned] article")
    before = cards.count()
    for verdict, expected in (
        ("Right", "Confirmed."),
        ("Wrong", "Out of use: it was wrong."),
        ("Outdated", "Ended today."),
        ("Forget", "Forgotten."),
    ):
        card = page.locator(f"#{cards.first.get_attribute('id')}")
        guest.hand.press(card.get_by_role("button", name=word(page, verdict), exact=True))
        toast(page, expected)
        if verdict in ("Wrong", "Forget"):
            expect(card.get_by_role("button")).to_have_count(0)
        undo(page, guest.hand, expected)
        expect(card.get_by_role("button")).to_have_count(4)
        expect(cards).to_have_count(before)


def test_who_clicks_twice_forgets_one_and_no_row_comes_under_a_pointer_that_has_not_rested(
    guest: Guest,
) -> None:
    page = guest.window("/today")
    page.clock.set_fixed_time(END)
    known = guest.soul.memory.count()
    cards = page.locator("[data-live=learned] article")
    first = page.locator(f"#{cards.first.get_attribute('id')}")
    forget = first.get_by_role("button", name=word(page, "Forget"), exact=True)
    is_ready(forget)
    forget.scroll_into_view_if_needed()
    box = forget.bounding_box()
    place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    page.mouse.dblclick(*place)
    toast(page, "Forgotten.")
    expect(page.locator("[data-live=learned][data-rests]")).to_be_attached()
    page.mouse.click(*place)
    page.clock.set_fixed_time(END + timedelta(seconds=2))  # the pointer has rested

    expect(first).to_have_count(0)
    assert guest.soul.memory.count() == known - 1


def test_a_search_follows_as_one_types_and_its_address_can_be_kept(guest: Guest) -> None:
    page = guest.window("/memory")
    kept = guest.soul.memory.list()[0]
    guest.hand.write(page.locator("#q"), kept.value.split()[0][:-1])
    page.keyboard.type(kept.value.split()[0][-1])

    found = page.locator("[data-live=results] article").filter(has_text=kept.value)
    expect(found.first).to_be_visible()
    expect(page.locator("[data-live=results] .why").first).to_be_visible()
    assert "q=" in page.url
    page.reload()
    expect(found.first).to_be_visible()


def test_something_is_remembered_in_ones_own_words(guest: Guest) -> None:
    page = guest.window("/memory")
    guest.hand.write(page.locator("aside textarea"), "harpsichord: built in 1741")
    guest.hand.press(button(page, "Remember", "aside"))

    shown = page.locator("[data-live=results] article").filter(has_text="built in 1741")
    expect(shown).to_be_visible()
    undo(page, guest.hand, "Remembered.")
    expect(shown).to_have_count(0)


def test_from_a_memory_one_jumps_to_the_very_message_it_rests_on(guest: Guest) -> None:
    memory = next(each for each in guest.soul.memory.list() if each.evidence)
    page = guest.window(f"/memory/{memory.id}")
    said = page.locator("blockquote .words").first.inner_text()

    guest.hand.press(page.locator("blockquote a").first)

    page.wait_for_url(re.compile(r"/talk/.*#turn-\d+"))
    target = page.locator(f"#{page.url.rpartition('#')[2]}")
    expect(target).to_contain_text(said)
    expect(target).to_be_in_viewport()


def test_a_memory_is_reworded_and_the_old_words_come_back(guest: Guest) -> None:
    memory = next(each for each in guest.soul.memory.list() if each.evidence)
    page = guest.window(f"/memory/{memory.id}")
    guest.hand.press(page.locator("#edit summary"))
    guest.hand.write(page.locator("#edit textarea"), "rebuilt by hand")
    guest.hand.press(button(page, "Save", "#edit"))

    expect(page.locator("h1")).to_contain_text("rebuilt by hand")
    undo(page, guest.hand, "Changed. What it said before is kept.")
    expect(page.locator("h1")).to_contain_text(memory.value)


def test_a_problem_is_told_in_the_language_of_the_page(guest: Guest) -> None:
    guest.visitor.refusals.add(400)
    page = guest.window(f"/memory/{guest.soul.memory.list()[0].id}")

    guest.hand.press(page.locator("#edit summary"))
    guest.hand.press(button(page, "Save", "#edit"))

    assert toast(page, "nothing would change")


def test_what_is_erased_is_shown_first_and_a_receipt_names_what_was_cleaned(guest: Guest) -> None:
    memory = next(each for each in guest.soul.memory.list() if each.evidence)
    page = guest.window(f"/memory/{memory.id}")
    guest.hand.press(link(page, "See what would go"))
    expect(page.locator("main")).to_contain_text(memory.value)
    erase = button(page, "Erase it for good")
    guest.hand.press(erase)  # not before it is known that this cannot be undone
    expect(page.locator("#receipt")).to_be_hidden()

    guest.hand.tick(page.get_by_role("checkbox"))
    guest.hand.press(erase)

    expect(page.locator("#receipt li").first).to_be_visible()
    expect(page.locator("#receipt h2")).to_be_focused()
    every = [path for path in guest.visitor.site.folder.rglob("*") if path.suffix in (".md", ".jsonl")]
    assert [path.name for path in every if path.is_file() and memory.value in path.read_text()] == []


def go_by_keys(page: Any, key: str, url: str) -> None:
    page.locator("html.js").wait_for()
    page.keyboard.press("g")
    page.keyboard.press(key)
    page.wait_for_url(url)


def test_keys_lead_through_the_pages_and_take_back_what_was_done(guest: Guest) -> None:
    page, home = guest.window(), f"{guest.visitor.site.url}/a/default"
    page.clock.set_fixed_time(END)  # however busy the machine is, no time passes between two keys
    for key, path in zip(
        "mskdcty",
        ("/memory", "/soul", "/talk", "/days", "/care", "/today", ""),
        strict=True,
    ):
        page.locator("h1").click()  # not in a field, where keys are letters
        go_by_keys(page, key, home + path)
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    page.keyboard.press("/")
    page.wait_for_url(re.compile("/memory"))
    expect(page.locator("#q")).to_be_focused()

    guest.visitor.go(page, "/today")
    page.keyboard.press("Tab")
    expect(page.locator("a.skip")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("j")
    expect(page.locator("[data-item] a").first).to_be_focused()
    right = page.locator("[data-live=learned]").get_by_role("button", name=word(page, "Right"), exact=True)
    guest.hand.press(right.first)
    toast(page, "Confirmed.")
    page.keyboard.press("u")
    toast(page, "Undone.")

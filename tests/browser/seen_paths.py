"""The main paths, each as a person goes it: in English and Spanish, at a desk and on a phone."""

import contextlib
import re
from typing import Any

from playwright.sync_api import TimeoutError as NotYet
from playwright.sync_api import expect

from almario.domain.messages import say
from tests.browser.chromium import Visitor


def word(page: Any, sentence: str, **facts: object) -> str:
    """Return a sentence in the language that the page has."""
    return say(page.locator("html").get_attribute("lang") or "en", sentence, **facts)


def press(page: Any, sentence: str, within: str = "main") -> None:
    page.locator(within).get_by_role("button", name=word(page, sentence), exact=True).first.click()


def toast(page: Any, sentence: str, **facts: object) -> Any:
    """Wait for a toast that says so."""
    shown = page.locator("#toasts .toast").filter(has_text=word(page, sentence, **facts)).last
    expect(shown).to_be_visible()
    return shown


def undo(page: Any, sentence: str) -> None:
    """Take back what a toast tells of."""
    toast(page, sentence).get_by_role("button", name=word(page, "Undo")).click()
    toast(page, "Taken back.")


def test_a_link_lets_in_once_and_whoever_has_none_is_told_how_to_get_one(guest: Visitor) -> None:
    link = guest.site.login_link()
    page = guest.window()
    page.goto(link)
    page.wait_for_url(re.compile("/a/default$"))
    expect(page.locator("h1")).to_have_text(re.compile("Cl[ií]o"))

    guest.context.clear_cookies()
    page.goto(link)
    expect(page.get_by_text("almario tokens login", exact=True)).to_be_visible()


def test_what_was_learned_is_called_right_wrong_outdated_or_forgotten_and_that_is_taken_back(
    guest: Visitor,
) -> None:
    page = guest.window()
    cards = page.locator("[data-live=learned] article")
    before = cards.count()
    for verdict, told in (
        ("Right", "Confirmed."),
        ("Wrong", "Out of use: it was wrong."),
        ("Outdated", "Ended today."),
        ("Forget", "Forgotten."),
    ):
        card = page.locator(f"#{cards.first.get_attribute('id')}")
        card.get_by_role("button", name=word(page, verdict), exact=True).click()
        toast(page, told)
        if verdict in ("Wrong", "Forget"):
            expect(card.get_by_role("button")).to_have_count(0)
        undo(page, told)
        expect(card.get_by_role("button")).to_have_count(4)
        expect(cards).to_have_count(before)


def test_a_search_follows_as_one_types_and_its_address_can_be_kept(guest: Visitor) -> None:
    page = guest.window("/memory")
    kept = guest.site.soul.memory.list()[0]
    page.locator("#q").press_sequentially(kept.value.split()[0], delay=15)

    found = page.locator("[data-live=results] article").filter(has_text=kept.value)
    expect(found.first).to_be_visible()
    expect(page.locator("[data-live=results] .why").first).to_be_visible()
    assert "q=" in page.url
    page.reload()
    expect(found.first).to_be_visible()


def test_from_a_memory_one_jumps_to_the_very_message_it_rests_on(guest: Visitor) -> None:
    memory = next(each for each in guest.site.soul.memory.list() if each.evidence)
    page = guest.window(f"/memory/{memory.id}")
    said = page.locator("blockquote .words").first.inner_text()

    page.locator("blockquote a").first.click()

    page.wait_for_url(re.compile(r"/talk/.*#turn-\d+"))
    target = page.locator(f"#{page.url.rpartition('#')[2]}")
    expect(target).to_contain_text(said)
    expect(target).to_be_in_viewport()


def test_a_memory_is_reworded_and_the_old_words_come_back(guest: Visitor) -> None:
    memory = next(each for each in guest.site.soul.memory.list() if each.evidence)
    page = guest.window(f"/memory/{memory.id}")
    page.locator("#edit summary").click()
    page.locator("#edit textarea").fill("rebuilt by hand")
    press(page, "Save", "#edit")

    expect(page.locator("h1")).to_contain_text("rebuilt by hand")
    undo(page, "Changed. What it said before is kept.")
    expect(page.locator("h1")).to_contain_text(memory.value)


def test_what_is_erased_is_shown_first_and_a_receipt_names_what_was_cleaned(guest: Visitor) -> None:
    memory = next(each for each in guest.site.soul.memory.list() if each.evidence)
    page = guest.window(f"/memory/{memory.id}")
    page.get_by_role("link", name=word(page, "See what would go")).click()
    expect(page.locator("main")).to_contain_text(memory.value)
    press(page, "Erase it for good")  # not before it is known that this cannot be undone
    expect(page.locator("#receipt")).to_be_hidden()

    page.get_by_role("checkbox").check()
    press(page, "Erase it for good")

    expect(page.locator("#receipt li").first).to_be_visible()
    expect(page.locator("#receipt h2")).to_be_focused()
    every = [
        path for path in guest.site.folder.rglob("*") if path.suffix in (".md", ".jsonl") and path.is_file()
    ]
    assert [path.name for path in every if memory.value in path.read_text()] == []


def test_who_edits_the_soul_while_another_does_sees_both_texts(guest: Visitor) -> None:
    page = guest.window("/soul/SOUL")
    page.get_by_role("link", name=word(page, "Edit"), exact=True).click()
    page.locator("#text").fill("# Soul\n\nMine, with **weight**.\n")
    expect(page.locator("#preview strong")).to_have_text("weight")
    guest.site.soul.write(guest.site.soul.read("SOUL.md"), "# Soul\n\nTheirs.\n")
    expect(page.locator("[data-live=newer] .conflict")).to_contain_text("Theirs.")

    press(page, "Save")
    expect(page.locator("[data-conflict] pre")).to_contain_text("Theirs.")
    assert "Theirs." in guest.site.soul.read("SOUL.md").text
    assert "weight" in page.locator("#text").input_value()

    press(page, "Save")
    page.wait_for_url(re.compile("/soul/SOUL$"))
    expect(page.locator(".document")).to_contain_text("Mine, with weight.")


def test_an_earlier_version_is_brought_back_and_that_is_taken_back(guest: Visitor) -> None:
    soul = guest.site.soul
    first = soul.read("SOUL.md")
    soul.write(first, f"{first.text}\n- A later thought.\n")
    page = guest.window("/soul/SOUL/versions/1?against=now")
    expect(page.locator(".diff")).to_contain_text("A later thought.")

    page.locator("[data-act$='/restore']").click()
    page.wait_for_url(re.compile("/soul/SOUL$"))
    expect(page.locator(".document")).not_to_contain_text("A later thought.")
    page.locator("#toasts").get_by_role("button", name=word(page, "Undo")).click()
    expect(page.locator("main")).to_contain_text("A later thought.")


def test_a_proposal_is_accepted_taken_back_and_rejected(guest: Visitor) -> None:
    page = guest.window()
    card = page.locator("[data-live=proposals] li").first
    card.locator("details[id^=diff] summary").click()
    expect(card.locator(".diff ins").first).to_be_visible()
    press(page, "Accept", "[data-live=proposals]")
    undo(page, "Accepted. What it said before is kept.")
    soul = guest.site.soul
    assert [each.state for each in soul.proposals.list(every=True)] == ["undone"]
    again = f"{soul.read('SOUL.md').text}\n- I speak of clocks as of old friends.\n"
    soul.proposals.propose("SOUL.md", again, reason="She laughs.")

    page.locator("[data-live=proposals] .text a").first.click()
    expect(page.locator(".diff ins").first).to_be_visible()
    press(page, "Accept")
    assert toast(page, "Accepted. What it said before is kept.")
    expect(page.locator("[data-live=proposal] [data-act$='/accept']")).to_have_count(0)
    assert "old friends" in soul.read("SOUL.md").text
    undo(page, "Accepted. What it said before is kept.")
    expect(page.locator("main .badge").first).to_contain_text(word(page, "accepted, then undone"))
    assert "old friends" not in soul.read("SOUL.md").text

    other = soul.proposals.propose("SOUL.md", f"{soul.read('SOUL.md').text}\n- I hum.\n", reason="It hums.")
    guest.go(page, f"/soul/proposals/{other.id}")
    page.locator("#reject summary").click()
    page.locator("#why").fill("Too sweet.")
    press(page, "Reject", "#reject")
    expect(page.locator("[data-live=proposal]")).to_contain_text("Too sweet.")
    undo(page, "Rejected.")
    expect(page.locator("[data-live=proposal] [data-act$='/accept']")).to_have_count(1)


def test_an_answer_appears_as_it_is_written_beside_what_came_to_mind(guest: Visitor) -> None:
    page = guest.window("/talk")
    page.locator("a[href*='/talk/web:']").first.click()
    page.locator("#message").fill("What did I tell the museum about the tower clock?")
    press(page, "Send", "#say")

    answer = page.locator("#said li.assistant")
    expect(answer.locator("strong").filter(has_text="the tower clock")).to_be_visible()
    expect(page.locator("#now li")).to_have_count(0)
    expect(page.locator("#said li.user")).to_contain_text("the museum")
    expect(page.locator("#message")).to_have_value("")


def test_off_the_record_is_seen_while_it_lasts_and_leaves_nothing(guest: Visitor) -> None:
    page = guest.window("/talk/cli:main")
    page.locator("#off").click()
    expect(page.locator("#off")).to_have_attribute("aria-checked", "true")
    expect(page.locator("#off-words")).to_be_visible()
    page.locator("#message").fill("I am afraid of heights in towers.")
    press(page, "Send", "#say")
    expect(page.locator("#said li.user.off .words")).to_contain_text("afraid of heights")

    page.locator("#off").click()
    expect(page.locator("#off")).to_have_attribute("aria-checked", "false")
    expect(page.locator("#said")).not_to_contain_text("afraid of heights")
    for path in guest.site.folder.rglob("*.jsonl"):
        assert "afraid of heights" not in path.read_text()


def go_by_keys(page: Any, key: str, url: str) -> None:
    """Press g and a key; again if a busy machine let too much time pass between the two."""
    for _ in range(5):
        page.keyboard.press("g")
        page.keyboard.press(key)
        with contextlib.suppress(NotYet):
            page.wait_for_url(url, timeout=3_000)
            return
    page.wait_for_url(url)


def test_keys_alone_lead_through_the_pages_and_do_what_a_pointer_does(guest: Visitor) -> None:
    page = guest.window()
    for key, path in (("m", "/memory"), ("s", "/soul"), ("k", "/talk"), ("f", "/flights"), ("d", "/days")):
        go_by_keys(page, key, f"{guest.site.url}/a/default{path}")
    go_by_keys(page, "t", f"{guest.site.url}/a/default")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    page.keyboard.press("/")
    page.wait_for_url(re.compile("/memory"))
    expect(page.locator("#q")).to_be_focused()

    guest.go(page)
    page.keyboard.press("Tab")
    expect(page.locator("a.skip")).to_be_focused()
    page.keyboard.press("Enter")
    wanted = page.locator("[data-live=learned] button[data-act$='/confirm']").first
    for _ in range(12):
        page.keyboard.press("Tab")
        if wanted.evaluate("each => each === document.activeElement"):
            break
    page.keyboard.press("Enter")
    toast(page, "Confirmed.")
    page.keyboard.press("u")
    toast(page, "Taken back.")


def test_an_answer_is_taken_apart_and_replayed_with_the_memory_of_today(guest: Visitor) -> None:
    guest.site.soul.remember("tower clock: promised to the museum in Cádiz")
    page = guest.window("/flights")
    page.locator("a[href*='/flights/answer']").first.click()
    sections = page.locator("details.section")
    expect(sections.first).to_be_visible()
    sections.first.locator("summary").click()
    expect(sections.first.locator(".verbatim")).to_be_visible()

    page.locator("a[href*='replay=1']").click()

    expect(page.locator("#replay .diff")).to_contain_text("promised to the museum in Cádiz")


def test_what_did_not_help_is_said_and_taken_back(guest: Visitor) -> None:
    page = guest.window("/flights")
    page.locator("a[href*='/flights/answer']").first.click()

    press(page, "That did not help", "[data-live=minds]")
    expect(page.locator("[data-live=minds] .badge.warn").first).to_be_visible()
    undo(page, "Noted: it did not help.")

    expect(page.locator("[data-live=minds] .badge.warn")).to_have_count(0)
    assert list(guest.site.soul.ratings()) == []


def test_a_problem_is_told_in_the_language_of_the_page(guest: Visitor) -> None:
    page = guest.window(f"/memory/{guest.site.soul.memory.list()[0].id}")

    page.locator("#edit summary").click()
    press(page, "Save", "#edit")

    assert toast(page, "nothing would change")


def test_work_that_is_asked_for_shows_that_it_is_done(guest: Visitor) -> None:
    page = guest.window("/care")
    page.locator("main button[data-act$='/jobs']").first.click()

    toast(page, "Started.")
    expect(page.locator("[data-live=jobs] li").first).to_be_visible()
    expect(page.locator("[data-live=jobs] li .badge.sure").first).to_be_visible(timeout=30_000)

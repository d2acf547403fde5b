"""The main paths through talks, answers, days and care; in every way one can go."""

import re

from playwright.sync_api import expect

from almario.domain.memories import Wanted
from proofs.browser.conftest import Guest
from proofs.browser.hands import button, link, toast, word


def test_an_answer_stands_beside_what_came_to_mind_for_it(guest: Guest) -> None:
    page = guest.window("/talk")
    guest.hand.press(link(page, "New conversation"))
    page.wait_for_url(re.compile("/talk/web:"))
    guest.hand.write(page.locator("#message"), "What did I tell the museum about the tower clock?")
    guest.hand.press(button(page, "Send", "#say"))

    answer = page.locator("#said li.assistant")
    expect(answer.locator("strong").filter(has_text="the tower clock")).to_be_visible()
    expect(page.locator("#now li")).to_have_count(0)
    expect(page.locator("#said li.user")).to_contain_text("the museum")
    expect(page.locator("#message")).to_have_value("")


def test_what_is_remembered_in_a_talk_is_taken_back_beside_it(guest: Guest) -> None:
    page = guest.window("/talk/cli:main")
    guest.hand.write(page.locator("#message"), "Remember that my bicycle is red")
    guest.hand.press(button(page, "Send", "#say"))

    came = page.locator("#notes").filter(has_text="my bicycle is red")
    guest.hand.press(came.get_by_role("button", name=word(page, "Undo")))
    toast(page, "Undone.")
    assert not guest.soul.memory.list(Wanted(text="my bicycle is red"))


def test_off_the_record_is_seen_while_it_lasts_and_leaves_nothing(guest: Guest) -> None:
    page = guest.window("/talk/cli:main")
    off = page.locator("#off")
    guest.hand.press(off)
    expect(off).to_have_attribute("aria-checked", "true")
    expect(page.locator("#off-words")).to_be_visible()
    guest.hand.write(page.locator("#message"), "I am afraid of heights in towers.")
    guest.hand.press(button(page, "Send", "#say"))
    expect(page.locator("#said li.user.off .words")).to_contain_text("afraid of heights")

    guest.hand.press(off)
    expect(off).to_have_attribute("aria-checked", "false")
    expect(page.locator("#said")).not_to_contain_text("afraid of heights")
    for path in guest.visitor.site.folder.rglob("*.jsonl"):
        assert "afraid of heights" not in path.read_text()


def test_a_line_is_written_into_the_log_of_a_day(guest: Guest) -> None:
    page = guest.window("/days")
    guest.hand.press(page.locator("main table .now a"))
    page.wait_for_url(re.compile(r"/days/\d{4}-\d\d-\d\d$"))
    guest.hand.write(page.locator("#text"), "The pendulum is back.")
    guest.hand.press(button(page, "Write it down"))

    toast(page, "It is in the log.")
    expect(page.locator("[data-live=day] .log")).to_contain_text("The pendulum is back.")


def test_work_that_is_asked_for_shows_that_it_is_done(guest: Guest) -> None:
    page = guest.window("/care")
    guest.hand.press(page.locator("main button[data-act$='/jobs']").first)

    toast(page, "Started.")
    expect(page.locator("[data-live=jobs] li .badge.sure").first).to_be_visible()


def test_a_backup_is_made_and_restored_once_more_to_try_it(guest: Guest) -> None:
    page = guest.window("/care/home")
    guest.hand.press(button(page, "Back up now"))
    expect(page.locator("[data-live=backups] .rows li")).to_have_count(1)
    expect(page.locator(".works .badge.sure")).to_have_count(1)

    guest.hand.press(button(page, "Try a restore"))

    expect(page.locator(".works .badge.sure")).to_have_count(2)

"""The main paths through the soul: edited, brought back, proposed, drafted anew; in every way one can go."""

import json
import re

from playwright.sync_api import expect

from almario.testing import ScriptedLLM
from proofs.browser.conftest import Guest
from proofs.browser.hands import button, link, toast, undo, word
from tests.apps.test_http_api import DRAFT


def test_who_edits_the_soul_while_another_does_sees_both_texts(guest: Guest) -> None:
    soul = guest.soul
    guest.visitor.refusals.add(412)
    page = guest.window("/soul/SOUL")
    guest.hand.press(link(page, "Edit"))
    guest.hand.write(page.locator("#text"), "# Soul\n\nMine, with **weight**.\n")
    expect(page.locator("#preview strong")).to_have_text("weight")
    soul.write(soul.read("SOUL.md"), "# Soul\n\nTheirs.\n")
    expect(page.locator("[data-live=newer] .conflict")).to_contain_text("Theirs.")

    guest.hand.press(button(page, "Save"))
    expect(page.locator("[data-conflict] pre")).to_contain_text("Theirs.")
    assert "Theirs." in soul.read("SOUL.md").text
    assert "weight" in page.locator("#text").input_value()

    guest.hand.press(button(page, "Save"))
    page.wait_for_url(re.compile("/soul/SOUL$"))
    expect(page.locator(".document")).to_contain_text("Mine, with weight.")


def test_an_earlier_version_is_brought_back_and_that_is_taken_back(guest: Guest) -> None:
    first = guest.soul.read("SOUL.md")
    guest.soul.write(first, f"{first.text}\n- A later thought.\n")
    page = guest.window("/soul/SOUL/versions/1?against=now")
    expect(page.locator(".diff")).to_contain_text("A later thought.")

    guest.hand.press(page.locator("[data-act$='/restore']"))
    page.wait_for_url(re.compile("/soul/SOUL$"))
    expect(page.locator(".document")).not_to_contain_text("A later thought.")
    guest.hand.press(page.locator("#toasts").get_by_role("button", name=word(page, "Undo")))
    expect(page.locator("main")).to_contain_text("A later thought.")


def test_a_section_is_locked_and_unlocked(guest: Guest) -> None:
    page = guest.window("/soul/SOUL")
    guest.hand.press(button(page, "Lock"))
    undo(page, guest.hand, "Locked. No proposal can touch it; you can.")
    expect(page.locator(".locked")).to_have_count(0)


def test_a_proposal_is_accepted_taken_back_and_rejected(guest: Guest) -> None:
    soul, page = guest.soul, guest.window("/today")
    card = page.locator("[data-live=waiting] li").first
    guest.hand.press(card.locator("details[id^=diff] summary"))
    expect(card.locator(".diff ins").first).to_be_visible()
    guest.hand.press(button(page, "Accept", "[data-live=waiting]"))
    undo(page, guest.hand, "Accepted. What it said before is kept.")
    assert [each.state for each in soul.proposals.list(every=True)] == ["undone"]

    again = f"{soul.read('SOUL.md').text}\n- I speak of clocks as of old friends.\n"
    second = soul.proposals.propose("SOUL.md", again, reason="She laughs.")
    guest.visitor.go(page, f"/soul/proposals/{second.id}")
    expect(page.locator(".diff ins").first).to_be_visible()
    guest.hand.press(button(page, "Accept"))
    toast(page, "Accepted. What it said before is kept.")
    expect(page.locator("[data-live=proposal] [data-act$='/accept']")).to_have_count(0)
    assert "old friends" in soul.read("SOUL.md").text
    undo(page, guest.hand, "Accepted. What it said before is kept.")
    expect(page.locator("main .badge").first).to_contain_text(word(page, "accepted, then undone"))
    assert "old friends" not in soul.read("SOUL.md").text

    other = soul.proposals.propose("SOUL.md", f"{soul.read('SOUL.md').text}\n- I hum.\n", reason="It hums.")
    guest.visitor.go(page, f"/soul/proposals/{other.id}")
    guest.hand.press(page.locator("[id^=reject] summary"))
    guest.hand.write(page.locator("[id^=why-]"), "Not yet.")
    guest.hand.press(button(page, "Reject", "[id^=reject]"))
    toast(page, "Rejected.")
    assert soul.proposals.get(other.id).state == "rejected"


def test_a_soul_is_described_drafted_refined_in_words_and_applied(guest: Guest) -> None:
    llm = guest.soul.models.talk
    assert isinstance(llm, ScriptedLLM)
    refined = {**DRAFT, "traits": ["I count the stairs.", "I like lists."]}
    llm.lines = [lambda ask: json.dumps(refined if "let it count" in str(ask) else DRAFT)]
    page = guest.window("/soul/genesis")
    guest.hand.write(page.locator("#name"), "Clio")
    guest.hand.write(page.locator("#description"), "dry, exact, kind")
    guest.hand.press(button(page, "Draft it"))
    expect(page.locator("#files")).to_contain_text("I like lists that end.")

    guest.hand.write(page.locator("#refinement"), "let it count")
    guest.hand.press(button(page, "Refine it"))
    expect(page.locator("#files")).to_contain_text("I count the stairs.")
    assert "I count the stairs." not in guest.soul.read("SOUL.md").text

    guest.hand.press(button(page, "Apply it"))
    page.wait_for_url(re.compile("/soul$"))
    toast(page, "This is its soul now.")
    assert "I count the stairs." in guest.soul.read("SOUL.md").text

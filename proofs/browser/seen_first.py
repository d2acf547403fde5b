"""The first hour of somebody who never opens a terminal: from an empty home to a talk, without a model."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from proofs.browser.chromium import Visitor, site_at
from proofs.browser.conftest import DESK, PHONE
from proofs.browser.hands import Keys, Pointer, button, link, word

SAID = {
    "en": (
        "I live in Lisbon.",
        "Remember that my sister Clara is a doctor",
        "undo that",
        "Where do I live?",
        "Forget that I live in Lisbon",
    ),
    "es": (
        "Vivo en Lisboa.",
        "Recuerda que mi hermana Clara es médica",
        "deshaz eso",
        "¿Dónde vivo?",
        "Olvida que vivo en Lisboa",
    ),
}


@pytest.mark.parametrize("way", ["en-desk", "en-keys", "es-phone", "es-keys"])
def test_a_newcomer_makes_an_agent_tells_it_something_and_takes_it_back(
    browser: Any, tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALMARIO_EMBEDDER_NAME", "none")
    monkeypatch.setenv("ALMARIO_LLM_MODEL", "none")
    language, size = way.split("-")
    hand = Keys() if size == "keys" else Pointer()
    home, other, back, asked, gone = SAID[language]
    (tmp_path / "home").mkdir()
    with site_at(tmp_path / "home") as site:
        visitor = Visitor(browser, site, language=language, **(PHONE if size == "phone" else DESK))
        page = visitor.context.new_page()
        page.goto(site.login_link())
        hand.write(page.locator("#first-name"), "Nora")
        hand.press(button(page, "Create it"))
        page.wait_for_url(f"{site.url}/a/default")
        hand.press(link(page, "Talk with {name}", name="Nora"))
        page.wait_for_url(re.compile("/talk/web:"))

        def say(text: str) -> None:
            hand.write(page.locator("#message"), text)
            hand.press(button(page, "Send", "#say"))

        came = page.locator("#notes")
        say(home)
        expect(came).to_contain_text(home)
        say(other)
        expect(came).to_contain_text("Clara")
        sister = site.soul.memory.list()[-1].value
        say(back)
        no_more = word(page, 'all right, not remembered: "{text}"', text=sister)
        expect(came).to_contain_text(no_more, ignore_case=True)
        say(gone)
        expect(came.get_by_role("button", name=word(page, "Undo"))).to_be_visible()
        say(back)
        expect(came).to_contain_text(word(page, 'remembered again: "{text}"', text=home), ignore_case=True)
        say(asked)
        expect(page.locator(".reminded .memories")).to_contain_text(home)
        say(home)  # nobody keeps an answer without a model but the page
        expect(page.locator("#said .assistant")).to_contain_text(home)
        assert [each.text for each in site.soul.memory.list()] == [home]

        visitor.go(page, "/today")
        expect(page.locator("[data-live=learned]")).to_contain_text(home)
        visitor.context.close()
    assert visitor.told == []

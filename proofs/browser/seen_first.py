"""The first hour of somebody who never opens a terminal: without a model and with one."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from proofs.browser.chromium import Visitor, site_at
from proofs.browser.conftest import DESK, PHONE
from proofs.browser.hands import Keys, Pointer, button, link, toast, word
from tests.adapters.llm_servers import Said, openai_events, serving, streaming

SAID = {
    "en": (
        "I live in Lisbon.",
        "Remember that my sister Clara is a doctor",
        "undo that",
        "Where do I live?",
        "Forget that I live in Lisbon",
        "I live in Porto now, not Lisbon",
    ),
    "es": (
        "Vivo en Lisboa.",
        "Recuerda que mi hermana Clara es médica",
        "deshaz eso",
        "¿Dónde vivo?",
        "Olvida que vivo en Lisboa",
        "no, vivo en Oporto, no en Lisboa",
    ),
}


KNOWN = {
    "en": (
        "my sister Clara is a doctor",
        "Remember that my sister Clara is a doctor",
        "my sister Clara is a vet",
    ),
    "es": (
        "mi hermana Clara es médica",
        "Recuerda que mi hermana Clara es médica",
        "mi hermana Clara es veterinaria",
    ),
}


@pytest.mark.parametrize("way", ["en-desk", "en-keys", "es-phone", "es-keys"])
def test_a_newcomer_chooses_a_model_and_what_it_remembers_is_explained_corrected_and_forgotten(
    browser: Any, tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ALMARIO_LLM_MODEL", raising=False)
    monkeypatch.setenv("ALMARIO_EMBEDDER_NAME", "none")
    language, size = way.split("-")
    hand = Keys() if size == "keys" else Pointer()
    told, order, right = KNOWN[language]
    (tmp_path / "home").mkdir()
    with (
        serving(streaming(openai_events(Said(["No", "ted.\n"])))) as model,
        site_at(tmp_path / "home") as site,
    ):
        visitor = Visitor(browser, site, language=language, **(PHONE if size == "phone" else DESK))
        page = visitor.context.new_page()
        page.goto(site.login_link())
        hand.press(button(page, "Create it"))
        page.wait_for_url(f"{site.url}/a/default")
        visitor.go(page, "/care")
        hand.press(link(page, "Choose one"))
        page.wait_for_url(re.compile("/care/settings"))
        hand.write(page.locator("#url"), f"{model.url}/v1")
        hand.write(page.locator("#model"), "m")
        hand.press(button(page, "Save", "#choose"))
        hand.press(button(page, "Try it"))
        expect(page.locator("#tried")).to_contain_text("openai/m")

        visitor.go(page)
        hand.press(link(page, "Talk with {name}", name="Alma"))
        page.wait_for_url(re.compile("/talk/web:"))
        hand.write(page.locator("#message"), order)
        hand.press(button(page, "Send", "#say"))
        expect(page.locator("#said .assistant")).to_contain_text("Noted.")
        hand.press(page.locator("#said .learned a").filter(has_text=told))
        page.wait_for_url(re.compile("/memory/"))
        expect(page.locator("blockquote .words")).to_contain_text(told)  # where it has it from
        hand.press(page.locator("#edit summary"))
        hand.write(page.locator("#edit textarea"), right)
        hand.press(button(page, "Save", "#edit"))
        expect(page.locator("h1")).to_contain_text(right)
        hand.press(button(page, "Forget"))
        toast(page, "Forgotten.")
        assert site.soul.memory.list() == []
        visitor.context.close()
    assert visitor.told == []


@pytest.mark.parametrize("way", ["en-desk", "en-keys", "es-phone", "es-keys"])
def test_a_newcomer_makes_an_agent_tells_it_something_and_takes_it_back(
    browser: Any, tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALMARIO_EMBEDDER_NAME", "none")
    monkeypatch.setenv("ALMARIO_LLM_MODEL", "none")
    language, size = way.split("-")
    hand = Keys() if size == "keys" else Pointer()
    home, other, back, asked, gone, moved = SAID[language]
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
        no_more = word(page, 'no longer remembered: "{text}"', text=sister)
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
        say(moved)
        hand.press(came.get_by_role("button", name=word(page, "Both")))
        expect(came).to_contain_text(word(page, "all right: I remember both"), ignore_case=True)
        assert len(site.soul.memory.list()) == 2

        visitor.go(page, "/today")
        expect(page.locator("[data-live=learned]")).to_contain_text(home)
        visitor.context.close()
    assert visitor.told == []

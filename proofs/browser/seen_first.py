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
    "en": ("I live in Lisbon.", "Remember that I live in Lisbon", "I live in Lisbon", "undo that"),
    "es": ("Vivo en Lisboa.", "Recuerda que vivo en Lisboa", "vivo en Lisboa", "deshaz eso"),
}
ASKED = {
    "en": ("Where do I live?", "Forget that I live in Lisbon"),
    "es": ("¿Dónde vivo?", "Olvida que vivo en Lisboa"),
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
        toast(page, "Changed. What it said before is kept.")  # on the page that now stands there
        hand.press(button(page, "Forget"))
        toast(page, "Forgotten.")
        assert site.soul.memory.list() == []
        visitor.context.close()
    assert visitor.told == []


@pytest.mark.parametrize("way", ["en-desk", "en-keys", "es-phone", "es-keys"])
def test_without_a_model_what_one_says_is_kept_and_only_what_one_orders_is_remembered_and_forgotten(
    browser: Any, tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALMARIO_EMBEDDER_NAME", "none")
    monkeypatch.setenv("ALMARIO_LLM_MODEL", "none")
    language, size = way.split("-")
    hand = Keys() if size == "keys" else Pointer()
    told, order, known, back = SAID[language]
    asked, gone = ASKED[language]
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

        def remembered() -> list[str]:
            return [each.text for each in site.soul.memory.list()]

        came = page.locator("#notes")
        say(told)
        expect(page.locator("#said .user")).to_contain_text(told)
        expect(page.locator("#said .assistant")).to_contain_text(word(page, "Kept."))
        assert remembered() == []

        say(order)
        expect(came).to_contain_text(known)
        assert remembered() == [known]
        say(back)
        no_more = word(page, 'no longer remembered: "{text}"', text=known)
        expect(came).to_contain_text(no_more, ignore_case=True)
        assert remembered() == []

        say(order)
        hand.press(came.get_by_role("button", name=word(page, "Undo")))
        toast(page, "Undone.")
        assert remembered() == []

        say(order)
        expect(came.get_by_role("button", name=word(page, "Undo"))).to_be_visible()
        say(asked)
        expect(page.locator(".reminded .memories")).to_contain_text(known)

        say(gone)
        [memory] = site.soul.memory.list()
        expect(came).to_contain_text(memory.id[:8])
        assert remembered() == [known]
        say(f"{gone.split()[0]} {memory.id[:8]}")
        expect(came.get_by_role("button", name=word(page, "Undo"))).to_be_visible()
        assert remembered() == []
        visitor.context.close()
    assert visitor.told == []

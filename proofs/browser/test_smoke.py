"""The shortest way through the dashboard in a real Chromium, where there is one; `make browser` goes all."""

from pathlib import Path
from typing import Any

import pytest

import almario
from proofs.browser.chromium import Visitor, site_at, what_is_missing


@pytest.mark.skipif(bool(what_is_missing()), reason=what_is_missing())
def test_a_browser_is_let_in_and_an_act_and_its_undo_show(browser: Any, home: Path) -> None:
    almario.create(home, settings={"embedder.name": "none"}).close()
    with site_at(home) as site:
        site.soul.remember("cat: Michi")
        visitor = Visitor(browser, site)
        page = visitor.log_in()
        page.locator("html.js").wait_for()
        page.get_by_role("button", name="Right", exact=True).click()
        page.locator("#toasts button:not(.close)").click()
        page.locator("#toasts .toast:not(:has(button:not(.close)))").wait_for()

        assert [each.value for each in site.soul.memory.list()] == ["Michi"]
        assert visitor.told == []

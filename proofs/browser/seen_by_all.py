"""Every page can be read by everybody: no serious barrier in either theme, nothing wider than a phone."""

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

import almario
from proofs.browser.chromium import Visitor, site_at
from proofs.browser.conftest import DESK, PHONE, visiting
from proofs.browser.pages import pages_of
from tests.apps.dashboard.reading import MENU


def barriers(page: Any) -> list[str]:
    """Return what axe calls serious or critical, with the elements it is about."""
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {node['html'][:160]} {node['any'][0]['message'][:160] if node['any'] else ''}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_has_a_serious_barrier(clio: Visitor, theme: str) -> None:
    clio.refusals |= {401, 404}
    page = clio.window()
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    found = {name: _opened(clio, page, path) for name, path in pages_of(clio.site).items()}
    for name, path in (("a problem", "/a/nobody"), ("login", "/login?code=wrong")):
        if name == "login":  # whoever is logged in is led on
            clio.context.clear_cookies()
        page.goto(f"{clio.site.url}{path}")
        found[name] = barriers(page)

    assert [f"{name}: {told}" for name, every in found.items() for told in every] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nor_has_one_on_which_nothing_is_yet(browser: Any, tmp_path: Path, theme: str) -> None:
    almario.create(home := tmp_path / "home", settings={"embedder.name": "none"}).close()
    with visiting(browser, home, "en", **{**PHONE, "color_scheme": theme}) as visitor:
        page = visitor.window()
        more = ("/talk/web:x", "/care/figures")
        paths = [*MENU.values(), *more]
        found = {path: _opened(visitor, page, path) for path in paths}

    assert [f"{path}: {told}" for path, every in found.items() for told in every] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nor_has_a_first_hour_without_a_model_or_a_network(
    browser: Any, tmp_path: Path, theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALMARIO_LLM_MODEL", "none")
    monkeypatch.setenv("ALMARIO_EMBEDDER_NAME", "none")
    (home := tmp_path / "home").mkdir()
    with site_at(home) as site:
        visitor = Visitor(browser, site, language="en", **{**DESK, "color_scheme": theme})
        page = visitor.context.new_page()
        page.goto(site.login_link())
        page.locator("#first-name").wait_for()
        found = {"first": _unfolded(page)}
        almario.create(home).close()
        visitor.go(page, "/talk/web:x")
        page.locator("#message").fill("Remember that I live in Lisbon")
        page.locator("#say button.main").click()
        page.locator("#notes button").first.wait_for()
        found |= {"what came of a message": barriers(page)}
        found |= {
            path: _opened(visitor, page, path)
            for path in ("/today", "/care/settings", "/care/home", "/soul/genesis")
        }
        visitor.context.close()

    assert [f"{name}: {told}" for name, every in found.items() for told in every] == []


def _opened(visitor: Visitor, page: Any, path: str) -> list[str]:
    """Return what is in the way on a page with all that unfolds unfolded."""
    visitor.go(page, path)
    return _unfolded(page)


def _unfolded(page: Any) -> list[str]:
    page.locator("html.js").wait_for()
    page.locator("details").evaluate_all("every => every.forEach((each) => { each.open = true; })")
    return barriers(page)


def test_on_a_phone_no_page_is_wider_than_the_screen(browser: Any, clio: Visitor) -> None:
    phone = Visitor(browser, clio.site, language="es", **PHONE)
    page = phone.log_in()
    wide = {}
    for name, path in pages_of(clio.site).items():
        phone.go(page, path)
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > PHONE["viewport"]["width"]:
            wide[name] = width
    phone.context.close()

    assert wide == {}
    assert phone.told == []


def test_without_a_script_everything_can_be_read(browser: Any, clio: Visitor) -> None:
    reader = Visitor(browser, clio.site, language="en", java_script_enabled=False)
    page = reader.log_in()
    for name, path in pages_of(clio.site).items():
        reader.go(page, path)
        assert page.locator("h1").inner_text().strip(), name
    reader.context.close()

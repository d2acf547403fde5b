"""The last pages, on a device whose owner wants them kept: without a network, and after a logout."""

from typing import Any

import pytest
from playwright.sync_api import expect

from almario.testing import ScriptedLLM
from proofs.browser.chromium import Visitor, site_at
from proofs.browser.conftest import DESK, HomeOf
from proofs.browser.hands import button

_NAMES = """async () => {
  const kept = (await caches.has("kept-pages")) ? await (await caches.open("kept-pages")).keys() : [];
  return kept.map((each) => new URL(each.url).pathname);
}"""
_READ_ON = {"en": "Monday, 16 November 2026, 09:2", "es": "lunes, 16 de noviembre de 2026, 09:2"}
_BOTH = ["/a/default", "/a/default/today"]
_TEXT = """async () => {
  const all = await (await caches.open("kept-pages")).matchAll();
  return (await Promise.all(all.map((each) => each.text()))).join();
}"""
# A page's text that has not arrived yet, until it may.
_HOLD = """() => {
  const text = Response.prototype.text;
  const held = new Promise((done) => (self.release = done));
  self.isHeld = new Promise((done) => (Response.prototype.text = async function () {
    done();
    await held;
    return text.call(this);
  }));
}"""


def keep_pages(visitor: Visitor) -> Any:
    """Switch it on in Settings, and look at both pages and at another."""
    page = visitor.window("/care/settings")
    switch = page.locator("#keep-pages")
    switch.click()
    expect(switch).to_have_attribute("aria-checked", "true")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    for path in ("/memory", "", "/today"):
        visitor.go(page, path)
    wait_for_both(page)
    return page


def wait_for_both(page: Any) -> None:
    """Wait until both pages are kept, which are fetched anew after each act and visit."""
    page.wait_for_timeout(1000)
    for _ in range(50):
        if kept_by(page) == _BOTH:
            return
        page.wait_for_timeout(100)
    pytest.fail(f"it keeps {kept_by(page)}")


def kept_by(page: Any) -> list[str]:
    """Return which pages a browser keeps."""
    return sorted(each for each in page.evaluate(_NAMES) if each.startswith("/a/"))


@pytest.mark.parametrize("language", ["en", "es"])
def test_without_a_network_the_last_pages_are_read_and_say_how_old_they_are(
    browser: Any, copied_to: HomeOf, language: str
) -> None:
    with site_at(copied_to(language), ScriptedLLM()) as site:
        site.soul.append("web:x", "user", "The code of my door is 4471-KX")
        visitor = Visitor(browser, site, language=language, **DESK)
        visitor.log_in().close()
        page = keep_pages(visitor)
        assert kept_by(page) == _BOTH
        expect(page.locator("[data-live=waiting]")).to_contain_text("4471-KX")
        learned = page.locator("[data-live=learned] article").first.inner_text()
        expect(page.locator("#kept")).to_be_hidden()
    visitor.told.clear()

    page.reload()
    expect(page.locator("[data-live=learned] article").first.locator(".text")).to_contain_text(
        learned.split("\n")[0]
    )
    expect(page.locator("#kept")).to_contain_text(_READ_ON[language])  # it may be read on another day
    expect(page.locator("main .acts").first).to_be_hidden()
    expect(page.locator("main")).not_to_contain_text("4471-KX")  # it may be a secret
    page.goto(site.url)
    page.wait_for_url(f"{site.url}/a/default")
    expect(page.locator("#kept")).to_be_visible()
    for path in ("/memory", "/talk", "/today?part=learned"):
        with pytest.raises(Exception, match="ERR_"):
            page.goto(f"{site.url}/a/default{path}")
    assert not [each for each in visitor.told if "CSP" in each or "page error" in each]
    visitor.context.close()


@pytest.fixture
def keeper(clio: Visitor) -> tuple[Visitor, Any]:
    """Somebody whose browser keeps pages."""
    clio.refusals.add(401)
    return clio, keep_pages(clio)


def test_whoever_is_revoked_elsewhere_has_none_of_it_left(keeper: tuple[Visitor, Any]) -> None:
    visitor, page = keeper
    visitor.site.revoke_all()
    page.evaluate("fetch('/api/v1/me').then((answer) => answer.status)")

    assert page.evaluate("caches.keys()") == []
    page.reload()
    expect(page.get_by_text("almario tokens login", exact=True)).to_be_visible()
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0


def test_it_goes_when_it_is_switched_off_and_when_one_logs_out(keeper: tuple[Visitor, Any]) -> None:
    visitor, page = keeper
    other = visitor.window("/today")
    visitor.go(page, "/care/settings")
    page.locator("#keep-pages[aria-checked=true]").click()
    expect(page.locator("#keep-pages")).to_have_attribute("aria-checked", "false")
    other.evaluate("fetch('/assets/style.css').then((answer) => answer.status)")  # its worker still runs
    visitor.go(page, "/today")
    assert page.evaluate("caches.keys()") == []
    other.close()

    keep_pages(visitor).close()
    visitor.go(page, "/care/home")
    page.locator("#log-out summary").click()
    button(page, "Yes, log out").click()
    expect(page.get_by_text("almario tokens login", exact=True)).to_be_visible()
    assert page.evaluate("caches.keys()") == []


@pytest.mark.parametrize("seen", ["by a region", "by an act", "at the next visit"])
def test_what_is_erased_goes_from_the_kept_pages(keeper: tuple[Visitor, Any], seen: str) -> None:
    visitor, page = keeper
    memory = visitor.site.soul.memory
    heron = visitor.site.soul.remember("I keep a heron called Ulrike in the boathouse").memory
    assert heron
    visitor.go(page, "/today" if seen == "by a region" else f"/memory/{heron.id}/erase")
    wait_for_both(page)
    assert "Ulrike" in page.evaluate(_TEXT)

    if seen == "by an act":
        form = page.locator("form[data-act$='/memories/purge']")
        form.get_by_role("checkbox").check()
        form.get_by_role("button").click()
        expect(page.locator("#receipt")).to_be_visible()
    elif seen == "by a region":
        memory.purge(memory.plan_purge(heron.id))
        expect(page.locator("main")).not_to_contain_text("Ulrike")
    else:
        page.goto("about:blank")
        memory.purge(memory.plan_purge(heron.id))
        visitor.go(page, "/care/settings")
    wait_for_both(page)
    assert "Ulrike" not in page.evaluate(_TEXT)


def test_a_page_that_still_arrives_when_it_is_switched_off_is_not_kept(keeper: tuple[Visitor, Any]) -> None:
    visitor, page = keeper
    visitor.go(page, "/care/settings")
    other = visitor.window("/care")
    wait_for_both(page)
    (worker,) = visitor.context.service_workers
    worker.evaluate(_HOLD)
    other.evaluate("setTimeout(() => location.assign('/a/default/today'))")
    worker.evaluate("() => self.isHeld")
    page.locator("#keep-pages[aria-checked=true]").click()
    expect(page.locator("#keep-pages")).to_have_attribute("aria-checked", "false")

    worker.evaluate("() => self.release()")
    other.wait_for_url("**/today")
    assert page.evaluate("caches.keys()") == []


def test_nothing_is_kept_unless_it_is_switched_on(clio: Visitor) -> None:
    page = clio.window("/today")
    clio.go(page)

    assert page.evaluate("caches.keys()") == []
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0

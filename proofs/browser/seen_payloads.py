"""Whatever somebody writes, says or calls a file: in a real browser none of it runs, or is even tried."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import almario
from almario.testing import ScriptedLLM
from proofs.browser.chromium import Visitor, site_at
from proofs.browser.conftest import DESK
from proofs.browser.payloads import PAYLOADS
from proofs.browser.poisoned import ALL_IN_ONE, FOREIGN, places_of, poison

# Of more agents than these the pages show only the ids.
NAMES_AT_ONCE = 20


@pytest.fixture(scope="module")
def victim(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """Somebody who looks at a home full of payloads."""
    home = tmp_path_factory.mktemp("poisoned") / "home"
    poison(home)
    with site_at(home, ScriptedLLM(*[ALL_IN_ONE] * 9)) as site:
        made = Visitor(browser, site, language="en", **DESK)
        made.log_in().close()
        yield made
        made.context.close()


def looked_at(victim: Visitor, page: Any, path: str) -> str:
    """Open a page; nothing on it may be foreign, or have happened. Return all that it says."""
    victim.go(page, path)
    assert page.evaluate(FOREIGN) == [], path
    assert victim.told == [], path
    return _spaced(page.evaluate("document.documentElement.textContent") or "")


def _spaced(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_payloads_run_nowhere_wherever_they_can_be_written(victim: Visitor) -> None:
    assert len(set(PAYLOADS)) >= 60
    page = victim.window("/care")
    page.locator("html.js").wait_for()
    page.locator("main button[data-act$='/jobs']").first.click()  # what is wrong with files is told by name
    page.locator("[data-live=jobs] .badge.sure").first.wait_for()
    known: dict[str, str] = {}
    missing = {}
    for name, place in places_of(victim.site).items():
        for path in place.pages:
            if path not in known:
                known[path] = looked_at(victim, page, path)
        said = " ".join(known[path] for path in place.pages)
        unseen = [text for text in place.texts if _spaced(text).strip() not in said]
        if len(place.texts) - len(unseen) < place.least:
            missing[name] = f"{len(unseen)} are not to be seen: {unseen[:3]}"
    print(
        f"\n{len(PAYLOADS)} payloads in {len(places_of(victim.site))} places, on {len(known)} pages", end=""
    )

    assert missing == {}  # all of them were there to be seen


def test_nor_do_they_as_names_of_agents(victim: Visitor) -> None:
    agents = victim.site.folder.parent
    ids = [f"agent{number}" for number in range(1, NAMES_AT_ONCE)]
    for each in ids:
        almario.create(agents.parent, each, settings={"embedder.name": "none"}).close()
    page = victim.window()
    for first in range(0, len(PAYLOADS), len(ids)):
        names = PAYLOADS[first : first + len(ids)]
        for agent, name in zip(ids, names, strict=False):
            _call(agents / agent, name)
        for path in ("/care/home", "/soul/genesis"):
            said = looked_at(victim, page, path)
            assert [name for name in names if _spaced(name).strip() not in said] == []
    for name in PAYLOADS:  # and as the heading and the title of a page
        _call(agents / ids[0], name)
        assert _spaced(name).strip() in looked_at(victim, page, f"/../{ids[0]}")


def _call(agent: Path, name: str) -> None:
    line = name.replace("\n", " ")
    (agent / "IDENTITY.md").write_text(f"# Identity\n\n- **Name:** {line}\n- **Emoji:** {line}\n")


def test_what_is_typed_sent_or_answered_runs_no_more_than_what_is_kept(victim: Visitor) -> None:
    page = victim.window(f"/soul/SOUL?edit={victim.site.soul.read('SOUL.md').hash}")
    page.locator("html.js").wait_for()
    with page.expect_response("**/preview"):
        page.locator("#text").fill(f"# Mine\n\n{ALL_IN_ONE}")
    page.locator("#preview h2, #preview h1").filter(has_text="Mine").wait_for()
    assert page.evaluate(FOREIGN) == []
    page.locator("#text").evaluate("each => each.form.removeAttribute('data-dirty')")

    victim.go(page, "/talk/web:typed")
    page.locator("html.js").wait_for()
    page.locator("#message").fill(ALL_IN_ONE)
    page.locator("#say button.main").click()
    page.locator("#now li").first.wait_for(state="detached")
    assert page.evaluate(FOREIGN) == []

    victim.go(page, "/memory?state=all")
    page.locator("html.js").wait_for()
    for payload in PAYLOADS[::6]:
        page.locator("aside textarea").fill(f"typed: {payload}")
        page.locator("aside button.main").click()
        page.locator("#toasts .toast").first.wait_for()
        with page.expect_response("**part=results**"):
            page.locator("#q").fill(payload)
    assert page.evaluate(FOREIGN) == []

    assert victim.told == []


def test_nor_in_what_came_of_a_message(browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALMARIO_LLM_MODEL", "none")
    almario.create(home := tmp_path / "home", settings={"embedder.name": "none"}).close()
    with site_at(home) as site:
        visitor = Visitor(browser, site, language="en", **DESK)
        page = visitor.log_in()
        visitor.go(page, "/talk/web:outcomes")
        for payload in (*PAYLOADS[15::12], *PAYLOADS[-2:]):
            page.locator("#message").fill(f"Remember that my dog is called {payload}")
            page.locator("#say button.main").click()
            page.locator("#notes .outcome").filter(has_text=payload).wait_for()
            assert page.evaluate(FOREIGN) == []
        visitor.go(page, "/today")
        said = page.locator("[data-live=learned]").inner_text()
        assert all(payload in said for payload in PAYLOADS[-2:])
        assert page.evaluate(FOREIGN) == []
        assert visitor.told == []
        visitor.context.close()


def test_what_a_page_tried_to_run_would_be_told(victim: Visitor) -> None:
    page = victim.window()
    page.evaluate(
        """text => new Promise((done) => {
          document.addEventListener("securitypolicyviolation", done, { once: true });
          document.querySelector("main").insertAdjacentHTML("beforeend", text);
        }).then(() => true)""",
        '"><img src=x onerror=almarioTold(1)>',
    )

    assert any(told.startswith("CSP: script-src-attr") for told in victim.told)
    assert page.evaluate(FOREIGN) == ["img", "img onerror"]
    victim.told.clear()

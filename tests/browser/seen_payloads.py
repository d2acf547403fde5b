"""Whatever somebody writes, says or calls a file: in a real browser none of it runs, or is even tried."""

import re
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import almario
from almario.domain.model import Persona
from almario.testing import ScriptedLLM
from tests.browser.chromium import Site, Visitor, site_at
from tests.browser.conftest import DESK
from tests.browser.pages import pages_of
from tests.browser.payloads import PAYLOADS

ALL_IN_ONE = "\n\n".join(f"- {each}" for each in PAYLOADS)


def poisoned(home: Path) -> None:
    """Make a home in which every text that people, models and strangers can write is a payload."""
    persona = Persona("en", PAYLOADS[0], "🕰️", PAYLOADS[15], PAYLOADS[20])
    llm = ScriptedLLM(*[ALL_IN_ONE] * 3)
    with almario.create(home, persona=persona, settings={"embedder.name": "none"}, llm=llm) as soul:
        for number, payload in enumerate(PAYLOADS):
            turn = soul.append("app:said", "user", payload, speaker=payload, origin="untrusted")
            soul.append("app:said", "assistant", payload)
            soul.append("app:said", "tool", payload)
            soul.memory.learn(f"{number} {payload}", payload, evidence=[turn.id])
            soul.memory.learn(f"stranger {number}", payload, origin="untrusted", evidence=[turn.id])
            soul.log(payload)
        soul.append(f"app:{PAYLOADS[0]}", "user", "in a conversation with such a name")
        for file in ("SOUL.md", "USER.md", "TOOLS.md"):
            document = soul.read(file)
            soul.write(document, f"# {PAYLOADS[0]}\n\n{ALL_IN_ONE}\n", reason=PAYLOADS[20])
        after = soul.read("SOUL.md").text.replace("- <", "- now <")
        soul.proposals.propose("SOUL.md", after, reason=PAYLOADS[15])
        soul.talk(ALL_IN_ONE)
    _name_files(home / "agents" / "default")


def _name_files(folder: Path) -> None:
    """Let files be called so too, as far as a file can."""
    for number, payload in enumerate(PAYLOADS):
        name = payload.replace("/", "∕").replace("\n", " ")[:100]
        for place, ending in (("memory", ".md"), ("memory/snapshots", ".md"), ("memory/reflections", ".md")):
            (folder / place).mkdir(exist_ok=True)
            (folder / place / f"{name} {number}{ending}").write_text(f"# {payload}\n\n- {payload}\n")


def everything(site: Site) -> list[str]:
    """Return the pages on which those texts stand."""
    soul = site.soul
    memories = [f"/memory/{each.id}" for each in soul.memory.list()]
    searches = [
        f"/memory?q={each}" for each in ("script", "%3Cimg%20src%3Dx%20onerror%3DRUN%3E", "%22%3E%3Csvg")
    ]
    talks = ["/talk/app:said", "/talk/app:said?turn=60", "/talk/app:said?turn=2"]
    more = ["/memory?origin=untrusted", "/memory?offset=50", "/soul/USER", "/soul/TOOLS", "/soul/IDENTITY"]
    return [*pages_of(site).values(), *memories, *searches, *talks, *more]


@pytest.fixture
def victim(browser: Any, tmp_path: Path) -> Any:
    home = tmp_path / "home"
    poisoned(home)
    with ExitStack() as open_things:
        site = open_things.enter_context(site_at(home, ScriptedLLM(*[ALL_IN_ONE] * 9)))
        made = Visitor(browser, site, language="en", **DESK)
        open_things.callback(made.context.close)
        made.log_in().close()
        yield made


def test_sixty_payloads_wherever_they_can_be_written_run_nowhere(victim: Visitor) -> None:
    assert len(set(PAYLOADS)) >= 60
    page = victim.window()
    seen = ""
    for path in everything(victim.site):
        victim.go(page, path)
        page.locator("details").evaluate_all("every => every.forEach((each) => { each.open = true; })")
        assert (
            page.locator("main :is(script, img, iframe, object, embed, base, meta, link, style)").count() == 0
        )
        assert page.locator("a[href^='javascript:' i], a[href^='data:' i], [onerror], [onload]").count() == 0
        seen += str(page.locator("body").inner_text())
        assert victim.told == [], path

    assert all(
        _written(payload) in _written(seen) for payload in PAYLOADS
    )  # and all of them were there to be seen


def _written(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_what_is_typed_sent_or_answered_runs_no_more_than_what_is_kept(victim: Visitor) -> None:
    page = victim.window(f"/soul/SOUL?edit={victim.site.soul.read('SOUL.md').hash}")
    with page.expect_response("**/soul/preview"):
        page.locator("#text").fill(f"# Mine\n\n{ALL_IN_ONE}")
    page.locator("#preview h2, #preview h1").first.wait_for()
    page.locator("#text").evaluate("each => each.form.removeAttribute('data-dirty')")

    victim.go(page, "/talk/app:said")
    page.locator("#message").fill(ALL_IN_ONE)
    page.locator("#say button.main").click()
    page.locator("#now li").first.wait_for(state="detached")

    victim.go(page, "/memory")
    page.locator("aside textarea").fill(f"typed: {PAYLOADS[15]}")
    page.locator("aside button.main").click()
    page.locator("#toasts .toast").first.wait_for()
    page.locator("#q").fill(PAYLOADS[15])
    page.locator("[data-live=results] .why").first.wait_for()

    assert victim.told == []


def test_what_a_page_tried_to_run_would_be_told(victim: Visitor) -> None:
    page = victim.window()
    page.evaluate(
        """text => new Promise((done) => {
          document.addEventListener("securitypolicyviolation", done, { once: true });
          document.querySelector("main").insertAdjacentHTML("beforeend", text);
        }).then(() => true)""",
        PAYLOADS[20],
    )

    assert [told.split()[:2] for told in victim.told] == [["CSP:", "script-src-attr"]]

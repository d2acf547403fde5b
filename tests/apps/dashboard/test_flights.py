"""The flight recorder: answers, and what each rests on."""

from pathlib import Path

import almario
from almario.domain.talk import Usage
from almario.testing import FixedClock, ScriptedLLM
from tests.apps.dashboard.conftest import Browser
from tests.apps.dashboard.lived import END
from tests.apps.dashboard.reading import broken_rules
from tests.apps.dashboard.test_pages import HARMFUL, PAYLOADS

ANSWER = "/flights/answer?turn=cli:main%2326"


def test_the_list_leads_to_how_an_answer_came_about(browser: Browser) -> None:
    page = browser.open("/flights")

    name = browser.served.souls.soul("default").flights.get("cli:main#26").used[0]
    assert "/a/default/flights/answer?turn=cli%3Amain%2326" in browser.open(f"/memory/{name}").values("href")
    assert "What did I say to the museum?" in page.text
    assert "You said yes" in page.text
    [link] = [each for each in page.values("href") if "/flights/answer" in each]
    answer = browser.open(link)
    for words in ("Its soul", "What came to mind", "Found by words", "used in the answer", "tower clock"):
        assert words in answer.text
    assert "No answers are kept yet." in browser.open("/flights?session=telegram:77").text
    browser.open("/flights/answer?turn=cli:main%23999", status=404)


def test_what_came_to_mind_is_given_alone(browser: Browser) -> None:
    alone = browser.get(f"/a/default{ANSWER}&part=minds")

    assert alone.status_code == 200
    assert "<html" not in alone.text


def test_what_was_asked_answered_and_written_down_is_shown_as_text(furnished: Path) -> None:
    evil = " ".join(PAYLOADS)
    clock = FixedClock(END)
    with almario.open(furnished, clock=clock, llm=ScriptedLLM(evil)) as soul:
        for number, payload in enumerate(PAYLOADS):
            soul.remember(f"odd {number}", payload)
        for name in ("2026-11-16", "HISTORY", "reflections/2026-11-16", "snapshots/2026-11-16-<b>x"):
            written = soul.path / "memory" / f"{name}.md"
            written.parent.mkdir(parents=True, exist_ok=True)
            lines = [f"- [2026-11-16] {each}\n- [10:00] {each}\n" for each in PAYLOADS]
            written.write_text("# x\n\n" + "".join(lines))
        soul.talk(f"What is odd? {evil}")
    browser = Browser(furnished)
    soul = browser.served.souls.soul("default")
    soul.costs.add(evil, evil, Usage(5, 5))
    soul.remember("later", PAYLOADS[0])
    try:
        own = ["/days", "/days/2026-11-16", "/flights", "/care/figures"]
        for path in (*own, "/flights/answer?turn=cli:main%232"):
            page = browser.open(path)
            assert broken_rules(page) == [], path
            assert not {each.tag for each in page.elements} & HARMFUL
            assert len(page.all("script")) == 1
            assert "alert(" in page.text
    finally:
        browser.close()

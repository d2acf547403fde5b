"""The flight recorder: answers, what each rests on, and what is never used."""

import json
import shutil
from pathlib import Path

import almario
from almario.apps.dashboard.flight_pages import PAGE
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
    assert len([each for each in answer.all("svg") if each.attributes.get("class") == "tokens"]) > 5
    assert "No answers are kept yet." in browser.open("/flights?session=telegram:77").text
    browser.open("/flights/answer?turn=cli:main%23999", status=404)


def test_each_part_of_an_answers_page_is_given_alone(browser: Browser) -> None:
    for path, part in ((ANSWER, "minds"), (f"{ANSWER}&replay=1", "replay"), ("/flights/never?", "served")):
        alone = browser.get(f"/a/default{path}&part={part}")
        assert alone.status_code == 200
        assert "<html" not in alone.text


def test_a_replay_tells_what_would_differ_today(lived: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(lived, home, ignore=shutil.ignore_patterns("*-shm"))
    browser = Browser(home)
    try:
        assert "Replay it, and see" in browser.open(ANSWER).text
        same = browser.open(f"{ANSWER}&replay=1")
        soul = browser.served.souls.soul("default")
        soul.remember("museum: closed for good")
        soul.forget(soul.flights.get("cli:main#26").found[0].name)
        other = browser.open(f"{ANSWER}&replay=1")
    finally:
        browser.close()

    assert "would be told the same today" in same.text
    assert "Told today, and not then" in other.text
    assert "closed for good" in other.text
    assert "Told then, and not today" in other.text
    assert [
        each.attributes["class"] for each in other.all("div") if "diff" in each.attributes.get("class", "")
    ]
    assert "The same as then: " in other.text
    assert other.all("ins")
    assert broken_rules(other) == []


def test_what_helped_can_be_said_and_is_shown(lived: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(lived, home, ignore=shutil.ignore_patterns("*-shm"))
    browser = Browser(home)
    try:
        soul = browser.served.souls.soul("default")
        name = soul.flights.get("cli:main#26").found[0].name
        assert "you: it did not help" not in browser.open(ANSWER).text
        browser.served.post("/do/rate", {"thing": name, "turn": "cli:main#26", "helped": False})
        page = browser.open(ANSWER)
        [undo] = {each for each in page.values("data-undo-body") if '"helped": false' in each}
        browser.served.post("/do/rate", json.loads(undo) | {"helped": None})
        before = browser.open(ANSWER)
    finally:
        browser.close()

    assert "you: it did not help" in page.text
    assert "you: it did not help" not in before.text
    assert all('"helped": null' in each for each in before.values("data-undo-body"))


def test_what_is_never_used_and_never_helps_is_listed(browser: Browser) -> None:
    unused = browser.open("/flights/never")

    assert "walnuts" in unused.text
    assert "said yes to looking after the tower clock" not in unused.text  # an answer drew on it
    assert unused.values("data-act")
    assert "What was given for three answers or more" in browser.open("/flights/unhelpful").text


def test_what_was_told_often_and_never_helped_is_listed_with_what_can_be_done(furnished: Path) -> None:
    with almario.open(furnished, clock=FixedClock(END), llm=ScriptedLLM("Good morning.")) as soul:
        soul.remember("allergy: walnuts")
        for _ in range(3):
            soul.talk("What shall we eat tonight?")
    browser = Browser(furnished)
    try:
        page = browser.open("/flights/unhelpful")
    finally:
        browser.close()

    assert "walnuts" in page.text
    assert "Given for 3 answers" in page.text
    assert any(act.startswith("DELETE /api/v1/agents/default/memories/") for act in page.values("data-act"))


def test_what_was_never_used_is_shown_page_by_page(furnished: Path) -> None:
    with almario.open(furnished, clock=FixedClock(END)) as soul, soul.memory.together():
        for number in range(2 * PAGE + 3):
            soul.memory.learn("", f"thing number {number} of many", kind="fact")
    browser = Browser(furnished)
    try:
        pages = [browser.open(f"/flights/never?offset={offset}") for offset in (0, PAGE, 2 * PAGE, 1000)]
    finally:
        browser.close()

    assert [len(page.values("data-item")) for page in pages] == [PAGE, PAGE, 3, 0]
    nexts = [
        [a.attributes["href"] for a in page.all("a") if a.attributes.get("rel") == "next"] for page in pages
    ]
    assert nexts == [[f"/a/default/flights/never?offset={end}"] for end in (PAGE, 2 * PAGE)] + [[], []]


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
        own = ["/days", "/days/2026-11-16", "/flights", "/flights/never", "/care/figures"]
        for path in (*own, "/flights/answer?turn=cli:main%232&replay=1"):
            page = browser.open(path)
            assert broken_rules(page) == [], path
            assert not {each.tag for each in page.elements} & HARMFUL
            assert len(page.all("script")) == 1
            assert "alert(" in page.text
        assert browser.open("/flights/never").values("data-item")
    finally:
        browser.close()

"""Talking in a browser: beside what is said, what came to mind, what was learned, what is off the record."""

import re
from pathlib import Path

import pytest

from almario.errors import LLMUnavailable
from almario.testing import ScriptedLLM
from tests.apps.dashboard.conftest import Browser
from tests.apps.dashboard.reading import broken_rules
from tests.importing import exports
from tests.tables import each_row

SECRET = "I am afraid of the tower"


@pytest.fixture
def clio(clio: Browser) -> Browser:
    """One with a model."""
    clio.served.souls.llm = ScriptedLLM("You said yes: **the tower clock** is yours from January.")
    return clio


def test_an_answer_stands_beside_what_came_to_mind(clio: Browser) -> None:
    done = clio.served.post(
        "/chat",
        {"message": "What did I tell the museum about the tower clock?", "session": "cli:main"},
        headers={"Accept": "application/json"},
    )
    answer = done["turns"][-1]

    page = clio.open("/talk/cli:main")

    assert broken_rules(page) == []
    assert "the tower clock is yours" in page.text
    assert [each for each in page.all("strong") if not each.attributes]
    assert f"mind-{answer['n']}" in page.values("id")
    assert "What came to mind" in page.text
    assert "Line 3 of memory/2026-11-14.md" in page.text
    assert "no longer there" not in page.text
    assert re.search(r"(strong|fair) match,\s+found by ", page.text)
    used = answer["more"]["used"][0]
    told = clio.open(f"/memory/{used}")
    assert "it helped" in told.text
    assert f"/a/default/talk/cli:main?turn={answer['n']}#turn-{answer['n']}" in told.values("href")


@each_row(
    ("language", "message", "told"),
    [
        ("en", "Remember that my cup is red", '"Undo" takes it back'),
        ("es", "Recuerda que mi taza es roja", "«Deshacer» lo deshace"),
        ("en", "The code of my door is 4471-KX", '"Keep" lets me use it.'),
        ("en", "Tell me a joke", '"Settings" gets one'),
    ],
)
def test_a_page_names_its_buttons_where_programs_are_told_commands(
    furnished_browser: Browser, language: str, message: str, told: str
) -> None:
    asked = {"message": message, "session": f"web:{language}-{len(message)}"}

    answer = furnished_browser.act("POST /api/v1/agents/default/chat", asked, language)
    shown = " ".join([answer["text"], *(line for each in answer["done"] for line in each["told"])])

    assert told in shown
    assert "almario " not in shown
    program = furnished_browser.served.post("/chat", asked, headers={"Accept": "application/json"})
    assert "Undo" not in str(program)
    assert "Settings" not in str(program)


def test_what_was_learned_stands_below_the_words_it_was_learned_from(clio: Browser) -> None:
    page = clio.open("/talk/cli:main?turn=1")

    learned = [each.attributes["href"] for each in page.all("a") if "/memory/" in each.attributes["href"]]
    assert learned
    assert "job: restores old clocks" in page.text
    assert "turn-1" in page.values("id")


def test_a_jump_leads_to_the_very_message_and_back_to_the_latest(clio: Browser) -> None:
    soul = clio.served.souls.soul("default")
    for number in range(1, 131):
        soul.append("app:long", "user" if number % 2 else "assistant", f"message number {number}.")

    latest, middle = clio.open("/talk/app:long"), clio.open("/talk/app:long?turn=70")

    assert {"turn-130", "turn-71"} <= set(latest.values("id"))
    assert "turn-70" not in latest.values("id")
    assert ("say" in latest.values("id"), "say" in middle.values("id")) == (True, False)
    assert {"turn-40", "turn-70", "turn-100"} <= set(middle.values("id"))
    links = middle.values("href")
    assert "/a/default/talk/app:long?turn=10#turn-10" in links
    assert "/a/default/talk/app:long?turn=130#turn-130" in links
    assert "/a/default/talk/app:long" in links
    assert "turn-130" in clio.open("/talk/app:long?turn=130").values("id")


def test_off_the_record_is_seen_while_it_lasts_and_nowhere_afterwards(clio: Browser, tmp_path: Path) -> None:
    served = clio.served
    assert "composer" in clio.open("/talk/cli:main").values("class")
    served.post("/do/off_record", {"session": "cli:main", "off": True})
    served.post(
        "/chat", {"message": f"{SECRET}.", "session": "cli:main"}, headers={"Accept": "application/json"}
    )

    during = clio.open("/talk/cli:main")
    assert "composer off" in during.values("class")
    assert "true" in during.values("aria-checked")
    assert SECRET in during.text

    served.post("/do/off_record", {"session": "cli:main", "off": False})
    after = clio.open("/talk/cli:main")
    assert SECRET not in after.text
    assert "(said off the record)" in after.text
    assert SECRET not in clio.open("/talk").text
    served.souls.close()
    written = [
        path for path in tmp_path.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()
    ]
    assert written == []


def test_what_was_imported_and_brought_back_is_not_called_off_the_record(
    clio: Browser, tmp_path: Path
) -> None:
    importer = clio.served.souls.soul("default").importer
    importer.take_in(exports.openclaw(tmp_path / "claw"))
    importer.undo("claw")
    clio.served.souls.soul("default").undo()

    listed = clio.open("/talk").text

    assert "Fixed the boiler" in listed
    assert "(said off the record)" not in listed


def test_a_new_conversation_is_begun_here_and_an_unknown_one_is_not_there(clio: Browser) -> None:
    talks = clio.open("/talk")
    [fresh] = [each for each in talks.values("href") if "/talk/web:" in each]

    assert broken_rules(clio.open(fresh)) == []
    assert clio.get("/a/default/talk/nobody:1").status_code == 404
    assert "Telegram · 77" in talks.text
    body = {"message": "Hello", "session": fresh.rpartition("/")[2]}
    clio.served.post("/chat", body, headers={"Accept": "application/json"})
    begun = clio.open(fresh)
    assert "Hello" in begun.text
    assert "Web · today, 09:20" in begun.text  # it is called after when it was begun


def test_tools_are_shown_small_and_what_others_wrote_about_them_does_no_harm(clio: Browser) -> None:
    soul = clio.served.souls.soul("default")
    soul.append("app:x", "user", "What is the time?")
    soul.append("app:x", "tool", "<b>09:20</b>")

    page = clio.open("/talk/app:x")

    assert "<b>09:20</b>" in page.text
    assert "tool-2" in page.values("id")


def test_what_a_tool_did_stands_in_the_conversation_in_one_line_with_its_undo(clio: Browser) -> None:
    soul = clio.served.souls.soul("default")
    soul.append("app:x", "user", "My cat is called Michi, keep that.")
    soul.tools.call("save_memory", {"fact": "Her cat is called Michi", "key": "cat"}, session="app:x")

    page = clio.open("/talk/app:x")

    line = f'remembered: cat → Her cat is called Michi ("almario undo {soul.undoable()}" takes it back)'
    assert line in page.text


def test_without_a_model_a_message_is_answered_with_what_comes_to_mind(clio: Browser) -> None:
    clio.served.souls.llm = None
    asked = {"message": "What did I tell the museum about the tower clock?", "session": "web:1"}
    told = clio.served.post("/chat", asked, headers={"Accept": "application/json"})

    page = clio.open("/talk/web:1")

    assert told["is_memory"]
    assert broken_rules(page) == []
    assert "museum" in page.text.partition("From your memory")[2]
    reminded = page.text.partition("From your memory")[2]
    assert [link for link in page.values("href") if "/memory/" in link or "#turn-" in link]
    assert told["text"].splitlines()[0] in reminded
    for order in ("Remember that my cup is blue", "undo"):
        clio.served.post("/chat", asked | {"message": order})
        text = clio.open("/talk/web:1").text
        assert "From your memory" not in text.partition(order)[2].partition("Write to")[0]
        assert "no language model to answer" not in text  # it was done


def test_a_model_that_fails_leaves_what_comes_to_mind(clio: Browser) -> None:
    clio.served.souls.llm = ScriptedLLM(LLMUnavailable("away"))
    asked = {"message": "What did I tell the museum about the tower clock?", "session": "web:1"}
    clio.served.post("/chat", asked, status=503, headers={"Accept": "application/json"})

    page = clio.open("/talk/web:1")

    assert "museum" in page.text.partition("From your memory")[2]
    assert "no language model" not in page.text

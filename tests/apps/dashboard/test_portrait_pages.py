"""The first page tells what is known about the owner; each sentence can be called right or wrong in place."""

import json
from pathlib import Path

import pytest

from almario.domain.portrait import Portrait
from almario.soul import Soul
from almario.testing import ScriptedLLM
from tests.apps.dashboard.conftest import Browser


def test_the_first_page_tells_what_is_known_with_its_evidence_and_who_has_a_page(
    furnished_browser: Browser,
) -> None:
    soul = furnished_browser.served.souls.soul("default")
    home = soul.remember("home: a flat by the river").memory
    (Path(soul.place) / "memory/pages").mkdir(parents=True, exist_ok=True)
    (Path(soul.place) / "memory/pages/ines.md").write_text("# Inés\n\nMy sister.\n")

    page = furnished_browser.open()

    assert "Home: a flat by the river." in page.text
    assert "Have a model write it" not in page.text
    assert home
    assert f"/a/default/memory/{home.id}" in page.values("href")
    assert "/a/default/people/In%C3%A9s" in page.values("href")


def test_who_said_it_and_their_words_stand_in_the_readers_language(furnished_browser: Browser) -> None:
    furnished_browser.served.souls.soul("default").remember("my sister Inés lives in Oporto")

    english, spanish = (furnished_browser.open("/people/In%C3%A9s", each).text for each in ("en", "es"))

    assert "from you: 1" in english
    assert "de ti: 1" in spanish
    assert "“My sister Inés lives in Oporto.”" in english
    assert "«My sister Inés lives in Oporto.»" in spanish


def test_a_sentence_is_called_wrong_in_place_and_that_is_taken_back(furnished_browser: Browser) -> None:
    served = furnished_browser.served
    soul = served.souls.soul("default")
    soul.remember("home: a flat by the river")
    [wrong] = [
        each.attributes
        for each in furnished_browser.open().elements
        if '"right": false' in each.attributes.get("data-body", "")
    ]

    done = served.post(wrong["data-act"].split()[1], json.loads(wrong["data-body"]))
    assert "flat by the river" not in furnished_browser.open("?part=page").text

    served.post(wrong["data-undo"].split()[1], {"line": done["seq"]})
    assert "flat by the river" in furnished_browser.open("?part=page").text


def test_a_model_writes_the_page_when_it_is_asked_to(furnished_browser: Browser) -> None:
    owner, served = furnished_browser, furnished_browser.served
    made = {"theme": "you", "text": "You live in a flat by the river.", "from": [1]}
    served.souls.llm = ScriptedLLM(json.dumps({"sentences": [made]}), "no page")
    served.souls.soul("default").remember("home: a flat by the river")

    for _ in range(2):  # there is nothing new the second time
        [body] = [each for each in owner.open().values("data-body") if "portray" in each]
        job = served.post("/jobs", json.loads(body))
        assert served.finished(job, "/jobs")["state"] == "done"

    page = owner.open()
    assert "You live in a flat by the river." in page.text
    assert "Write it anew" in page.text


def test_the_owner_reads_telephone_numbers_that_no_model_is_told(furnished_browser: Browser) -> None:
    soul = furnished_browser.served.souls.soul("default")
    soul.remember("my phone is +34 699 111 222")
    soul.remember("the cabin password is tundra")

    page = furnished_browser.open()

    assert "My phone is +34 699 111 222." in page.text
    assert "cabin password is [may be a secret]" in page.text
    assert "699 111 222" not in soul.prompt("what is my phone?").text + str(soul.portrait())


def test_somebody_has_a_page_and_a_stranger_has_none(furnished_browser: Browser) -> None:
    soul = furnished_browser.served.souls.soul("default")
    soul.remember("sister: Her sister Inés is a vet")

    page = furnished_browser.open("/people/In%C3%A9s")

    assert "Her sister Inés is a vet." in page.text
    assert "known since today" in page.text
    assert 'here is no fact about "Bruno"' in furnished_browser.open("/people/Bruno", status=404).text


def test_a_page_that_is_open_says_so_once_nothing_is_known_any_more(furnished_browser: Browser) -> None:
    soul = furnished_browser.served.souls.soul("default")
    known = soul.remember("sister: Her sister Inés is a vet").memory
    assert known

    soul.memory.change(known.id, right=False)

    assert "Nothing is remembered yet." in furnished_browser.open("/people/In%C3%A9s?part=page").text
    furnished_browser.open("/people/In%C3%A9s", status=404)


def test_a_page_is_made_once_for_each_look_at_it(
    furnished_browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    furnished_browser.served.souls.soul("default").remember("sister: Her sister Inés is a vet")
    made, page = [], Soul.portrait

    def making(soul: Soul, person: str = "") -> Portrait:
        made.append(person)
        return page(soul, person)

    monkeypatch.setattr(Soul, "portrait", making)

    furnished_browser.open("/people/In%C3%A9s")

    assert made == ["Inés"]

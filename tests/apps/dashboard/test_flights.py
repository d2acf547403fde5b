"""The flight recorder: from an answer in its conversation to what it rests on."""

from tests.apps.dashboard.conftest import Browser


def test_an_answer_leads_to_how_it_came_about(browser: Browser) -> None:
    name = browser.served.souls.soul("default").flights.get("cli:main#26").used[0]
    link = "/a/default/flights/answer?turn=cli%3Amain%2326"

    for page in ("/talk/cli:main", f"/memory/{name}"):
        assert link in browser.open(page).values("href")
    answer = browser.open(link)
    for words in ("Its soul", "What came to mind", "Found by words", "used in the answer", "tower clock"):
        assert words in answer.text
    assert "/a/default/talk/cli:main?turn=26#turn-26" in answer.values("href")
    browser.open("/flights/answer?turn=cli:main%23999", status=404)

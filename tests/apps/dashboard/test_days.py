"""Days: the calendar, the journal, and all that one day left."""

from tests.apps.dashboard.conftest import Browser
from tests.apps.dashboard.lived import END

MONTH = "/days?month=2026-11"


def test_the_calendar_marks_the_days_that_left_something_and_shows_the_journal(browser: Browser) -> None:
    page = browser.open(MONTH)

    marked = [each.attributes for each in page.all("a") if "title" in each.attributes]
    [day] = [each for each in marked if each["href"] == "/a/default/days/2026-11-14"]
    assert day["title"].startswith("Saturday: Reflections 1, Summaries 1, Log 3")
    assert "/a/default/days/2026-11-08" not in page.values("href")
    assert page.text.index("as of somebody who waits") < page.text.index("I asked too often")
    assert "Reflections: 2026-11-14" not in page.text
    assert "noviembre de 2026" in browser.open(MONTH, "es").text.lower()


def test_the_calendar_shows_what_is_coming(browser: Browser) -> None:
    page = browser.open(MONTH)

    [day] = [
        each.attributes
        for each in page.all("a")
        if each.attributes.get("href", "").endswith("/days/2026-11-19")
    ]
    assert day["title"].endswith("Coming up 1")
    assert "dentist" in page.text
    assert "dentist" in browser.open("/days/2026-11-19").text


def test_one_goes_from_month_to_month_as_far_as_there_are_plans(browser: Browser) -> None:
    def steps(path: str) -> list[str]:
        return [a.attributes["href"] for a in browser.open(path).all("a") if a.attributes.get("rel")]

    assert steps(MONTH) == ["/a/default/days?month=2026-10", "/a/default/days?month=2026-12"]
    assert steps("/days?month=2027-01") == ["/a/default/days?month=2026-12"]
    assert steps("/days?month=2025-12") == ["/a/default/days?month=2025-11", "/a/default/days?month=2026-01"]
    assert steps("/days?month=1900-01") == ["/a/default/days?month=1900-02"]
    for odd in ("nonsense", "2026-13", "9999-12", "0001-01", "2026-11-14"):
        assert "November 2026" in browser.open(f"/days?month={odd}").text
    assert "Nothing was written this month." in browser.open("/days?month=2020-02").text


def test_a_day_shows_all_that_it_left_and_leads_to_the_next(browser: Browser) -> None:
    page = browser.open("/days/2026-11-14")

    for words in ("as of somebody who waits", "asked Marta to look after", "the dial of the tower clock"):
        assert words in page.text
    assert page.text.count("not trusted") == 1
    assert "/a/default/days/2026-11-13" in page.values("href")
    assert "Nothing is kept from this day." in browser.open("/days/2026-11-08").text
    for odd in ("0001-01-01", "9999-12-31"):
        browser.open(f"/days/{odd}", status=404)
    assert "There is no page" in browser.open("/days/yesterday", status=404).text


def test_only_today_can_be_written_on(browser: Browser) -> None:
    acts = browser.open("/days/2026-11-16").values("data-act")

    assert "POST /api/v1/agents/default/do/log" in acts
    assert "POST /api/v1/agents/default/do/log" not in browser.open("/days/2026-11-14").values("data-act")


def test_on_a_spanish_page_nothing_of_ours_is_in_english(furnished_browser: Browser) -> None:
    soul = furnished_browser.served.souls.soul("default")
    soul.log("my password is hunter22-tango, and the dog is Rex")

    day = furnished_browser.open(f"/days/{END.date()}", "es").text

    assert "the dog is Rex" in day
    for word in ("user", "assistant", "session:", "[withheld"):
        assert word not in day


def test_what_stands_for_a_secret_is_said_in_the_readers_language_and_not_where_it_is_edited(
    furnished_browser: Browser,
) -> None:
    soul = furnished_browser.served.souls.soul("default")
    document = soul.read("USER.md")
    soul.write(document, f"{document.text}\n- The gate: [withheld:password]\n")

    shown = furnished_browser.get("/a/default/soul/USER", "es").text
    edited = furnished_browser.get(f"/a/default/soul/USER?edit={soul.read('USER.md').hash}", "es").text

    assert "[puede ser un secreto]" in shown
    assert "[withheld" not in shown
    assert "[withheld:password]" in edited


def test_what_stands_for_a_secret_is_said_so_in_labels_too(furnished_browser: Browser) -> None:
    soul = furnished_browser.served.souls.soul("default")
    soul.remember("the cabin password is tundra")

    shown = furnished_browser.get("/a/default/memory", "es").text

    assert "[puede ser un secreto]" in shown
    assert "[withheld" not in shown

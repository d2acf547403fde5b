"""Pages show what there is, to the owner alone, and nothing in them can do harm."""

import contextlib
import json
import re
import shlex
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click
import pytest

import almario
from almario.adapters.sqlite import database
from almario.adapters.sqlite.opening import connect
from almario.apps.cli import root
from almario.apps.dashboard.memory_pages import PAGE
from almario.apps.dashboard.rendering import HEADERS, markdown, marked
from almario.apps.web.access import csrf_of
from almario.apps.web.verb_routes import BY_HAND, route_of
from almario.domain.memories import Memory, Wanted
from almario.domain.talk import Usage
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from almario.verb_table import scopes, verb
from tests.apps.dashboard.conftest import HTML, Browser
from tests.apps.dashboard.lived import END
from tests.apps.dashboard.reading import MENU, Page, broken_rules, inline
from tests.apps.served import copied
from tests.tables import each_row

# What somebody might write to get a script into a page.
PAYLOADS = (
    "<script>alert(1)</script>",
    "</textarea><script>alert(2)</script>",
    "</title><script>alert(3)</script>",
    "<img src=x onerror=alert(4)>",
    "\"><svg onload=alert(5)>",
    "' onmouseover='alert(6)",
    "\" autofocus onfocus=\"alert(7)",
    "javascript:alert(8)",
    "[x](javascript:alert(9))",
    "![x](https://evil.example/a.png)",
    "<a href=\"javascript:alert(11)\">x</a>",
    "<iframe srcdoc='<script>alert(12)</script>'>",
    "{{ 7 * 7 }}{% raw %}",
    "${alert(14)}`",
    "<math><mtext><style><img src onerror=alert(15)>",
    "<details open ontoggle=alert(16)>",
    "<form action=//evil.example><button>x",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<base href=//evil.example>",
    "&lt;script&gt;alert(20)&lt;/script&gt;",
    "\u202e<b>txt</b>\u2028\u2029<!--",
    "'}); alert(22); ({'a': '",
)  # fmt: skip
HARMFUL = {"img", "math", "iframe", "base", "object", "embed", "style", "b"}


def addresses(browser: Browser) -> list[str]:
    """Return the pages that there are, one of each kind and some filters."""
    known = re.findall(r"/a/default(/memory/[0-9a-f]{8,})", browser.get("/a/default/memory?state=all").text)
    assert len(set(known)) > 10
    own = ["/memory?q=clock", "/memory?state=all", "/memory?origin=untrusted", "/memory?as_of=2026-11-01"]
    own += ["/memory?as_of=9999-12-31", "/memory?kind=instruction&since=2026-11-01&until=2026-11-30&key=job"]
    ones = [known[0], known[-1], f"{known[0]}/erase", "/talk/cli:main?turn=5"]
    proposal = re.findall(r"/a/default(/soul/proposals/[0-9a-f]{8})", browser.get("/a/default/soul").text)[0]
    own += ["/soul/SOUL", "/soul/TOOLS", "/soul/SOUL/versions/1?against=now"]
    own += [proposal]
    own += ["/days?month=2026-10", "/days/2026-11-12", "/days/2026-11-14", "/days/2026-11-16"]
    own += ["/care?doctor=1", "/care/figures", "/care/home", "/care/settings"]
    own += ["/people/In%C3%A9s"]
    return [*MENU.values(), *own, *ones, "/talk/telegram:77"]


def test_every_page_is_shown_in_both_languages_and_keeps_the_rules_of_a_page(browser: Browser) -> None:
    for path in addresses(browser):
        for language in ("en", "es"):
            page = browser.open(path, language)
            assert page.all("html")[0].attributes["lang"] == language
            assert broken_rules(page) == [], path
    assert "What it learned" in browser.open("/today").text
    assert "Lo que ha aprendido" in browser.open("/today", "es").text


def test_every_answer_to_a_browser_forbids_scripts_of_others_and_frames(browser: Browser) -> None:
    for path in ("/a/default", "/a/nobody", "/assets/style.css", "/login?code=wrong", "/a/default?part=gone"):
        headers = browser.get(path).headers
        assert {name: headers[name] for name in HEADERS} == HEADERS, path
    policy = HEADERS["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy


def test_it_can_be_put_on_a_phone_as_an_app(browser: Browser) -> None:
    [manifest] = [
        each.attributes["href"] for each in browser.open().all("link") if each.attributes["rel"] == "manifest"
    ]
    client = browser.served.client()

    found = client.get(manifest)

    assert found.headers["content-type"] == "application/manifest+json"
    assert found.json()["start_url"] == "/"
    for icon in found.json()["icons"]:
        assert client.get(icon["src"]).headers["content-type"] == icon["type"]


def test_what_kept_pages_on_a_device_in_0_2_removes_them_and_itself(browser: Browser) -> None:
    found = browser.served.client().get("/assets/worker.js")

    assert found.headers["service-worker-allowed"] == "/"  # or a browser would keep the one it has
    assert 'caches.delete("kept-pages")' in found.text
    assert "registration.unregister()" in found.text


def test_the_page_of_a_memory_says_that_its_owner_changed_it(furnished_browser: Browser) -> None:
    soul = furnished_browser.served.souls.soul("default")
    memory = soul.memory.learn("swim meet", "is in Mechelen", kind="fact").memory
    assert memory
    changed = soul.memory.change(memory.id, "is in Ghent")

    shown = furnished_browser.get(f"/a/default/memory/{changed.id}").text

    assert "It was changed by you on " in shown
    assert "It was learned from what you said." not in shown


def test_the_navigation_has_only_pages_that_there_are(browser: Browser) -> None:
    links = [each.attributes for each in browser.open().all("a") if "data-key" in each.attributes]
    shown = [each["href"] for each in links]

    assert shown == [f"/a/default{path}" for path in MENU.values()]
    assert [browser.get(path).status_code for path in shown] == [200] * len(shown)
    assert len({each["data-key"] for each in links}) == len(links)


def test_acts_ask_the_api_that_programs_use_and_prove_that_the_page_is_ours(browser: Browser) -> None:
    every: list[Any] = [route for route in browser.served.app.routes if hasattr(route, "methods")]
    every += map(route_of, [*BY_HAND, *(f"do/{name}" for name in scopes())])
    routes = [(method, route.path_regex) for route in every for method in route.methods]
    acts: set[str] = set()
    for path in addresses(browser):
        page = browser.open(path)
        acts.update(page.values("data-act") + page.values("data-undo"))
        for body in page.values("data-body") + page.values("data-undo-body"):
            assert isinstance(json.loads(body), dict)
        for each in page.elements:
            for act, body in (("data-act", "data-body"), ("data-undo", "data-undo-body")):
                _, is_verb, name = each.attributes.get(act, "").partition("/do/")
                given = json.loads(each.attributes.get(body) or "{}")
                assert not is_verb or given.keys() <= verb(name).parameters.keys(), name
        [csrf] = [each.attributes for each in page.all("meta") if each.attributes.get("name") == "csrf"]
        assert csrf["content"] == csrf_of(browser.cookie)
    assert len(acts) > 10
    for act in acts:
        method, path = act.split(" ")
        assert path.startswith("/api/v1/")
        assert any(m == method and regex.match(path) for m, regex in routes), act


def test_who_may_only_read_sees_no_acts(browser: Browser) -> None:
    token = browser.served.tokens.create("reader", scope="read")
    for path in addresses(browser):
        if not path.endswith(("/erase", "/care/home", "/care/settings")):
            answer = browser.served.client(token, **HTML).get(f"/a/default{path}")
            assert answer.status_code == 200
            assert "data-act" not in answer.text
    assert browser.served.client(token, **HTML).get(f"/a/default{addresses(browser)[-3]}").status_code == 403


def test_a_token_for_another_agent_opens_no_page_of_this_one(browser: Browser) -> None:
    narrow = browser.served.tokens.create("narrow", agents=("other",), scope="admin")

    for path in ("", "/memory", "/talk/cli:main"):
        refused = browser.served.client(narrow, **HTML).get(f"/a/default{path}")
        assert (refused.status_code, "Clio" in refused.text) == (404, False)


def test_who_is_not_logged_in_is_told_how(browser: Browser) -> None:
    client = browser.served.client()

    page = client.get("/a/default/memory", headers=HTML)
    assert page.status_code == 401
    assert "almario tokens login" in page.text
    assert broken_rules(Page(page.text)) == []
    assert client.get("/assets/style.css").status_code == 200
    assert client.get("/assets/..%2Frendering.py", headers=HTML).status_code == 404
    for_programs = client.get("/api/v1/me", headers=HTML)
    assert for_programs.headers["content-type"] == "application/problem+json"


def test_a_login_link_leads_to_the_first_page(browser: Browser) -> None:
    client = browser.served.client(**HTML)

    welcome = client.get(f"/login?code={browser.served.tokens.login_code()}")
    refresh = [each.attributes for each in Page(welcome.text).all("meta") if "http-equiv" in each.attributes]
    assert refresh == [{"http-equiv": "refresh", "content": "0; url=/"}]
    assert client.get("/").headers["location"] == "/a/default"
    again = client.get("/login?code=alm_used", headers={"Cookie": ""})
    assert (again.status_code, "almario tokens login" in again.text) == (401, True)


@each_row(
    ("asked", "back", "kept"),
    [
        ("theme=dark&back=/a/x/memory%3Fq%3Da%2520b", "/a/x/memory?q=a%20b", "almario-theme=dark"),
        ("language=es&back=/a/default", "/a/default", "almario-language=es"),
        ("theme=auto&back=/", "/", 'almario-theme=""'),
        ("theme=neon&language=xx&back=/", "/", ""),
        ("theme=dark&back=//evil.example", "/", "almario-theme=dark"),
        ("theme=dark&back=https://evil.example/", "/", "almario-theme=dark"),
        ("theme=dark&back=/%5Cevil.example", "/", "almario-theme=dark"),
        ("theme=dark&back=%5C%5Cevil.example", "/", "almario-theme=dark"),
        ("theme=dark&back=javascript:alert(1)", "/", "almario-theme=dark"),
    ],
)
def test_the_switches_keep_a_look_and_lead_back_to_this_site(
    browser: Browser, asked: str, back: str, kept: str
) -> None:
    answer = browser.get(f"/look?{asked}")

    assert answer.headers["location"] == back
    assert answer.headers.get("set-cookie", "").startswith(kept)


def test_a_part_of_a_page_is_given_alone(browser: Browser) -> None:
    whole, part = (
        browser.get("/a/default/memory?q=clock"),
        browser.get("/a/default/memory?q=clock&part=results"),
    )

    assert "<html" not in part.text
    assert part.text.strip() in whole.text
    assert "the same words" in part.text
    page = browser.open()
    for name in page.values("data-live"):
        assert browser.get(f"/a/default?part={name}").status_code == 200
    assert browser.get("/a/default?part=nothing").status_code == 404


def test_what_waits_for_an_answer_comes_first_on_today(furnished_browser: Browser) -> None:
    soul = furnished_browser.served.souls.soul("default")
    soul.remember("my password is hunter22-tango")
    for told in ("my password is hunter22-tango", "so the password is hunter22-tango"):
        soul.append("cli:main", "user", told)
    soul.proposals.propose("SOUL.md", f"{soul.read('SOUL.md').text}\n- Be brief.\n", reason="She is busy.")
    (soul.path / "MEMORY.conflict-0a1b2c3d.md").write_text("- other")

    text = furnished_browser.open("/today").text

    waiting = text[text.index("Waiting for you") : text.index("What it learned")]
    for each in ("She is busy.", "may be a secret", "MEMORY.conflict-0a1b2c3d.md"):
        assert each in waiting
    assert waiting.count("hunter22-tango") == 1


def test_a_page_speaks_the_browsers_language_unless_its_owner_chose_one(furnished_browser: Browser) -> None:
    home, client = furnished_browser.served.souls.root, furnished_browser.served.client()

    def language(asked: str, cookie: str = "") -> str:
        cookies = f"almario={furnished_browser.cookie}; {cookie}"
        page = client.get("/a/default", headers={**HTML, "Cookie": cookies, "Accept-Language": asked})
        client.cookies.clear()
        return Page(page.text).all("html")[0].attributes["lang"]

    assert [language("es-MX,es;q=0.9,en;q=0.5"), language("fr, en;q=0.1"), language("")] == ["es", "en", "en"]
    assert language("es", "almario-language=en") == "en"
    (home / "almario.toml").write_text('language = "es"\n[embedder]\nname = "none"\n')
    assert [language("en"), language("en", "almario-language=en")] == ["es", "en"]


def test_a_search_says_how_many_and_marks_the_words(browser: Browser) -> None:
    found = browser.get("/a/default/memory?q=CLÓCK").text

    assert "Found: " in found
    assert re.search(r"<mark>clocks?</mark>", found)
    assert "match</span>" in found
    assert marked("a <b>clock</b> & Clocks", "clock x") == (
        "a &lt;b&gt;<mark>clock</mark>&lt;/b&gt; &amp; <mark>Clocks</mark>"
    )


def test_each_page_says_how_the_same_is_done_in_a_terminal(browser: Browser) -> None:
    lines: set[str] = set()
    for path in addresses(browser):
        page = browser.open(path)
        assert any(block.startswith("almario ") for block in page.blocks), path
        lines.update(line for block in page.blocks for line in block.splitlines())
    for line in lines:
        program, *words = shlex.split(line)
        assert program == "almario"
        command: Any = root()
        while isinstance(command, click.Group) and words and not words[0].startswith("-"):
            name = words.pop(0)
            found = command.get_command(click.Context(command), name)
            if found is None:
                assert command.invoke_without_command or name == "…", line
                break
            command = found
        known = {option for each in command.params for option in each.opts}
        assert {word for word in words if word.startswith("--")} <= known, line


def test_where_nothing_is_yet_one_click_leads_to_the_first_words(furnished_browser: Browser) -> None:
    assert "needs attention" not in furnished_browser.open("/today").text
    for path in ("", "/today", "/care/figures"):
        [fresh] = [each for each in furnished_browser.open(path).values("href") if "/talk/" in each]
        assert "message" in furnished_browser.open(fresh).values("name")


def test_empty_pages_teach(furnished_browser: Browser) -> None:
    for path, taught in (
        ("", "Nothing is remembered yet."),
        ("/memory", "almario remember"),
        ("/soul", "nothing changes without you"),
        ("/talk", "almario chat"),
        ("/talk/web:2026-11-16-0920", "Nothing has been said here yet."),
        ("/soul/TOOLS", "almario soul edit TOOLS"),
    ):
        page = furnished_browser.open(path)
        assert broken_rules(page) == []
        assert taught in page.text
    assert "Nothing comes to mind" in furnished_browser.open("/memory?q=bridges").text


def poisoned(soul: Soul) -> list[str]:
    """Write what might get a script into a page wherever somebody can; return the pages that show it."""
    evil, document = " ".join(PAYLOADS), soul.read("IDENTITY.md")
    soul.write(document, document.text.replace("Alma", PAYLOADS[0]))
    turn = soul.append("app:<img src=x onerror=alert(1)>", "user", evil, speaker=PAYLOADS[4])
    soul.costs.add(evil, evil, Usage(5, 5))
    ids = []
    for number, payload in enumerate(PAYLOADS):
        key = PAYLOADS[-number].replace(":", "")[:40]
        receipt = soul.memory.learn(key, f"{payload} {number}", evidence=[turn.id])
        ids += [receipt.memory.id] if receipt.memory else []
    assert len(ids) == len(PAYLOADS)
    soul.talk(f"What is odd? {evil}")
    sections = "\n\n".join(f"{each}\n\n## {each}\n\n{each}" for each in PAYLOADS)
    soul.write(soul.read("SOUL.md"), f"# Soul\n\n{sections}\n", reason=PAYLOADS[0])
    text = f"{soul.read('SOUL.md').text}{PAYLOADS[4]}\n"
    made = soul.proposals.propose("SOUL.md", text, reason=PAYLOADS[3], evidence=[PAYLOADS[5]])
    lines = [f"- [2026-11-16] {each}\n- [10:00] {each}\n\n{each}\n" for each in PAYLOADS]
    for name in ("2026-11-16", "HISTORY", "reflections/2026-11-16", "pages/owner", "pages/bruno"):
        path = soul.path / "memory" / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {PAYLOADS[2]}\n\n{''.join(lines)}")
    talk, known = f"/talk/{quote(turn.session)}", soul.read("SOUL.md").hash
    return [
        *("", "/people/bruno", "/memory", "/memory?q=%3Cscript%3Ealert", "/memory?key=%22%3E%3Cscript%3E"),
        *(talk, f"{talk}?turn=1", "/days", "/days/2026-11-16"),
        *(f"/memory/{each}" for each in ids[:6]),
        *(f"/memory/{ids[0]}/erase", "/care/figures", "/care/settings"),
        *("/soul", "/soul/SOUL", f"/soul/SOUL?edit={known}", "/soul/SOUL/versions/2"),
        *("/soul/SOUL/versions/1?against=now", f"/soul/proposals/{made.id}"),
    ]


def test_what_anybody_wrote_is_shown_as_text_and_does_nothing(furnished_browser: Browser) -> None:
    served = furnished_browser.served
    served.souls.llm = ScriptedLLM(" ".join(PAYLOADS))
    for key, value in (("soul.fallback", PAYLOADS[4]), ("llm.background", PAYLOADS[5])):
        served.ask("PUT", f"/api/v1/settings/{key}", json={"value": value})

    for path in poisoned(served.souls.soul("default")):
        page = furnished_browser.open(path)
        assert broken_rules(page) == [], path
        assert not {each.tag for each in page.elements} & HARMFUL, path
        assert all(each.attributes["src"].startswith("/assets/") for each in page.all("script"))
        assert len(page.all("meta")) == 4
    assert all(payload in furnished_browser.open("/memory").text for payload in PAYLOADS[:12])


@each_row("payload", PAYLOADS)
def test_markdown_brings_in_nothing_but_text_and_links_that_are_marked(payload: str) -> None:
    page = Page(str(markdown(f"# {payload}\n\n{payload}\n\n| a |\n|:-:|\n| {payload} |\n\n    {payload}\n")))

    assert not {each.tag for each in page.elements} & {*HARMFUL, "script", "svg", "form", "meta", "h1"}
    assert inline(page) == []
    for each in page.all("a"):
        assert each.attributes["href"].startswith("https://")
        assert each.attributes["rel"] == "noopener noreferrer nofollow"


def test_a_list_asks_the_store_for_one_page_and_no_more(
    furnished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with almario.open(furnished, clock=FixedClock(END)) as soul, soul.memory.together():
        for number in range(2 * PAGE + 3):
            soul.memory.learn("", f"thing number {number} of many", kind="fact")
    browser, asked = Browser(furnished), list[Wanted]()
    memory = browser.served.souls.soul("default").memory
    own = memory.list

    def listed(wanted: Wanted = Wanted()) -> list[Memory]:  # noqa: B008
        asked.append(wanted)
        return own(wanted)

    monkeypatch.setattr(memory, "list", listed)
    try:
        first, last = browser.open("/memory"), browser.open(f"/memory?offset={2 * PAGE}")
        beyond = browser.open("/memory?offset=1000000")
    finally:
        browser.close()

    assert {(each.newest, each.limit) for each in asked} == {(True, PAGE)}
    assert [len(page.values("data-item")) for page in (first, last, beyond)] == [PAGE, 3, 3]
    assert f"1–{PAGE} of {2 * PAGE + 3}" in first.text
    links = [each.attributes["href"] for each in first.all("a") if each.attributes.get("rel") == "next"]
    assert links == [f"/a/default/memory?offset={PAGE}"]


@pytest.mark.parametrize("name", ["since", "until", "as_of"])
def test_a_filter_that_is_no_day_is_refused(furnished_browser: Browser, name: str) -> None:
    assert '"banana" is not a day' in furnished_browser.open(f"/memory?{name}=banana", status=400).text


def test_of_several_agents_each_has_its_pages(furnished_browser: Browser, home: Path) -> None:
    assert "Other agents" not in furnished_browser.get("/a/default").text
    copied(home, "work")

    page = furnished_browser.open("/a/work/memory")

    assert {"/a/default", "/a/work"} <= set(page.values("href"))
    assert "almario memory list --agent work" in page.blocks[-1]
    assert furnished_browser.get("/").headers["location"] == "/a/default"
    assert broken_rules(page) == []


def test_no_page_reads_every_memory_to_count_or_list_them(
    furnished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {}

    def traced(cursor: Any, query: str, given: Any) -> bool:
        if " FROM memories" in query and not query.startswith("EXPLAIN"):
            asked[query] = given
        return True

    def connected(*given: Any) -> Any:
        connection = connect(*given)
        connection.exec_trace = traced
        return connection

    monkeypatch.setattr(database, "connect", connected)
    with contextlib.closing(Browser(furnished)) as browser:
        browser.served.souls.soul("default").remember("home: a flat by the river")
        asked.clear()
        for page in ("", "/today", "/memory", "/memory?kind=fact&state=all", "/care", "/days"):
            browser.open(page)
    connection = connect(next(furnished.glob("agents/default/.index/*.db")))
    plans = {
        query: [row[-1] for row in connection.execute(f"EXPLAIN QUERY PLAN {query}", given)]
        for query, given in asked.items()
    }
    connection.close()

    assert len(plans) > 5
    assert {query: plan for query, plan in plans.items() if "SCAN memories" in plan} == {}

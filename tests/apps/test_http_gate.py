"""Nobody comes in but with a token, from here, one request after the other."""

import asyncio
import json
import os
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.responses import JSONResponse

from almario.apps.dashboard.frame import problem_page
from almario.apps.web import jobs, rooms
from almario.apps.web.access import Grant, Tokens, csrf_of
from almario.apps.web.gatekeeping import Buckets, Entrance, Gate
from almario.apps.web.serving import ServerPlace, announced, bound
from almario.errors import SoulError, StoreBusy
from almario.served import served_at
from almario.testing import FixedClock
from almario.wiring.souls import Souls
from tests.apps.conftest import Run
from tests.apps.served import HOST, Served
from tests.tables import each_row
from tests.waiting import comes_true

ME = "/api/v1/me"


@pytest.fixture
def served(furnished: Path, clock: FixedClock) -> Served:
    return Served(furnished, clock)


def test_the_owners_token_is_made_once_and_nobody_else_can_read_it(served: Served, home: Path) -> None:
    assert served.tokens.owner_token() == served.owner
    assert os.stat(home / ".token").st_mode & 0o777 == 0o600
    assert served.client(served.owner).get(ME).json()["scope"] == "admin"


def test_a_token_file_that_others_could_read_is_closed_again(served: Served, home: Path) -> None:
    os.chmod(home / ".token", 0o644)

    served.tokens.owner_token()

    assert os.stat(home / ".token").st_mode & 0o777 == 0o600


@each_row(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer "}, 401),
        ({"Authorization": "Bearer alm_wrong"}, 401),
        ({"Authorization": "Basic OWNER"}, 401),
        ({"Cookie": "almario=OWNER"}, 401),
        ({"Authorization": "Bearer OWNER"}, 200),
        ({"authorization": "bearer  OWNER "}, 200),
        ({"x-api-key": "OWNER"}, 200),
        ({"Authorization": "Bearer OWNER", "Host": "localhost"}, 421),
        ({"Authorization": "Bearer OWNER", "Host": "localhost:8420.evil.org"}, 421),
        ({"Authorization": "Bearer OWNER", "Host": "evil.org:8420"}, 421),
        ({"Authorization": "Bearer OWNER", "Host": "LOCALHOST:8420"}, 200),
        ({"Authorization": "Bearer OWNER", "Origin": f"http://{HOST}"}, 200),
        ({"Authorization": "Bearer OWNER", "Origin": f"http://{HOST}.evil.org"}, 403),
        ({"Authorization": "Bearer OWNER", "Origin": f"https://{HOST}"}, 403),
        ({"Authorization": "Bearer OWNER", "Origin": "http://localhost"}, 403),
        ({"Authorization": "Bearer OWNER", "Origin": "null"}, 403),
        ({"Authorization": "Bearer OWNER", "Origin": ""}, 403),
    ],
)
def test_who_is_let_in(served: Served, headers: dict[str, str], status: int) -> None:
    shown = {name: value.replace("OWNER", served.owner) for name, value in headers.items()}

    answer = served.client().get(ME, headers=shown)

    assert answer.status_code == status
    if status == 200:
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
    else:
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["status"] == status


def test_a_login_link_makes_a_browser_the_owners_once(served: Served, clock: FixedClock) -> None:
    code, late = served.tokens.login_code(), served.tokens.login_code()

    first = served.client().get(f"/login?code={code}")
    again = served.client().get(f"/login?code={code}")
    clock.advance(minutes=11)

    assert (first.status_code, again.status_code) == (200, 401)
    assert served.client().get(f"/login?code={late}").status_code == 401
    [cookie] = first.headers.get_list("set-cookie")
    assert all(part in cookie.lower() for part in ("httponly", "samesite=strict"))


def test_a_browser_that_is_in_may_follow_its_old_link(served: Served) -> None:
    client, address = served.client(), f"/login?code={served.tokens.login_code()}"
    client.get(address)

    again = client.get(address)

    assert (again.status_code, again.headers.get_list("set-cookie")) == (200, [])


def test_a_browser_can_read_and_proves_its_page_before_it_changes_anything(served: Served) -> None:
    client = served.client()
    cookie = client.get(f"/login?code={served.tokens.login_code()}").cookies["almario"]
    body = {"text": "cat: Michi"}
    memories = "/api/v1/agents/default/memories"

    csrf = client.get(ME).json()["csrf"]

    assert csrf == csrf_of(cookie) != csrf_of(cookie + "x")
    assert client.get(memories).status_code == 200
    assert client.post(memories, json=body).status_code == 403
    assert client.post(memories, json=body, headers={"X-CSRF-Token": "x"}).status_code == 403
    assert client.post(memories, json=body, headers={"X-CSRF-Token": csrf}).status_code == 201
    [browser] = served.tokens.all()
    served.tokens.revoke(browser.name)
    assert client.get(memories).status_code == 401


def test_a_token_of_the_cookie_is_none_in_a_header_and_the_other_way_round(served: Served) -> None:
    token = served.tokens.create("editor", scope="admin")
    cookie = served.client().get(f"/login?code={served.tokens.login_code()}").cookies["almario"]

    assert served.client(cookie).get(ME).status_code == 401
    assert served.client(Cookie=f"almario={token}").get(ME).status_code == 401


def test_only_hashes_are_kept_and_a_revoked_token_is_none_at_once(served: Served, home: Path) -> None:
    token = served.tokens.create("editor", agents=("default",), scope="write")
    kept = (home / ".tokens.json").read_text()

    assert token not in kept
    assert os.stat(home / ".tokens.json").st_mode & 0o777 == 0o600
    assert served.client(token).get(ME).json()["agents"] == ["default"]
    Tokens(Souls(home)).revoke("editor")  # as another process does
    assert served.client(token).get(ME).status_code == 401


DAMAGES: list[dict[str, Any]] = [
    *({"hash": ["h"]}, {"scope": "boss"}, {"kind": "key"}, {"agents": 5}),
    *({"agents": "work"}, {"agents": [5]}, {"until": "soon"}, {"until": "2030-01-01T00:00:00"}, {"x": 1}),
]


def test_of_a_damaged_file_no_token_holds_but_the_owners(served: Served, home: Path) -> None:
    token = served.tokens.create("ana")
    kept = json.loads((home / ".tokens.json").read_text())["tokens"][0]
    damaged = [json.dumps({"tokens": [{**kept, **damage}]}) for damage in DAMAGES]
    for content in (*damaged, "[" * 100_000):
        (home / ".tokens.json").write_text(content)

        with pytest.raises(SoulError, match="create your tokens again"):
            served.tokens.all()
    served.get(ME, token=token, status=401)
    served.get(ME)
    login = served.client().get("/login?code=alm_one")
    assert (login.status_code, str(home) in login.text) == (401, False)


def test_a_cookie_ends_after_a_month(served: Served, clock: FixedClock) -> None:
    client = served.client()
    client.get(f"/login?code={served.tokens.login_code()}")
    clock.advance(days=31)

    assert client.get(ME).status_code == 401
    assert served.tokens.all() == []


@each_row(
    ("scope", "method", "path", "status"),
    [
        ("read", "GET", "/memories", 200),
        ("read", "POST", "/memories", 403),
        ("write", "POST", "/memories", 201),
        ("write", "PUT", "/files/SOUL", 403),
        ("admin", "PUT", "/files/SOUL", 428),
        ("admin", "GET", "/api/v1/jobs", 403),
        ("read", "POST", "/do/remember", 403),
        ("write", "POST", "/do/remember", 200),
        ("write", "POST", "/do/improve", 403),
        ("read", "POST", "/do/proposals.get", 422),
        ("admin", "POST", "/api/v1/agents/other/do/remember", 404),
        ("admin", "GET", "/do/remember", 405),
        ("admin", "GET", "/api/v1/agents/other/memories", 404),
        ("admin", "GET", "/api/v1/agents/none/memories", 404),
    ],
)
def test_a_token_allows_what_its_scope_says(
    served: Served, scope: Any, method: str, path: str, status: int
) -> None:
    known = {each.name for each in served.tokens.all()}
    token = served.tokens.create(f"t{len(known)}", agents=("default",), scope=scope)
    body = {"/chat": {"message": "Hello"}}.get(path, {"text": "cat: Michi"})

    served.ask(method, path, token=token, status=status, json=body)


def test_what_a_token_does_not_know_does_not_exist_for_it(served: Served, home: Path) -> None:
    token = served.tokens.create("editor", agents=("default",), scope="admin")
    (home / "agents" / "secret").mkdir()

    there, nowhere = (
        served.client(token).get(f"/api/v1/agents/{name}/files").json()["detail"].replace(name, "X")
        for name in ("secret", "nowhere")
    )

    assert there == nowhere
    assert served.client(token).get("/api/v1/agents").json() == [{"id": "default", "name": "Alma"}]


def test_a_token_is_named_like_an_agent_and_only_once(served: Served) -> None:
    served.tokens.create("ana")

    for name in ("ana", "owner", "", "a b", "a:b", "../x"):
        with pytest.raises(SoulError):
            served.tokens.create(name)
    with pytest.raises(SoulError):
        served.tokens.revoke("nobody")


def test_what_was_made_for_somebody_else_lets_nobody_in_and_is_named_until_it_is_revoked(
    served: Served, home: Path, run: Run
) -> None:
    editor, theirs = (served.tokens.create(name, scope="admin") for name in ("editor", "ana"))
    link = served.tokens.login_code()
    written = json.loads((home / ".tokens.json").read_text())
    whose = {"editor": True, "ana": False, "login": False}  # as 0.2 kept them
    for each in written["tokens"]:
        each["is_owner"] = whose[each["name"]]
    (home / ".tokens.json").write_text(json.dumps(written))

    assert [served.client(token).get(ME).status_code for token in (editor, theirs)] == [200, 401]
    assert served.client().get(f"/login?code={link}").status_code == 200
    assert 'the token "ana" was somebody else\'s and lets nobody in any more' in run("tokens").err
    assert run("tokens", "revoke", "ana").code == 0
    assert run("tokens").err == ""


def test_a_flood_is_answered_with_429_and_harms_nobody_else(
    furnished: Path, home: Path, clock: FixedClock
) -> None:
    now = [0.0]
    served = Served(home, clock, per_second=5, monotonic=lambda: now[0])
    other = served.client(served.tokens.create("other"))
    flooding = served.client(served.owner)

    answers = [flooding.get(ME).status_code for _ in range(30)]

    assert answers == [200] * 10 + [429] * 20
    assert other.get(ME).status_code == 200
    now[0] += 1
    assert [flooding.get(ME).status_code for _ in range(6)] == [200] * 5 + [429]
    assert {served.client("wrong").get(ME).status_code for _ in range(20)} == {401, 429}
    assert served.client().get("/login?code=x").status_code == 429


def test_buckets_do_not_grow_for_ever() -> None:
    buckets = Buckets(1, lambda: 0.0)

    for number in range(10_050):
        buckets.take(str(number))

    assert len(buckets._left) < 10_050


def test_what_is_too_long_is_refused_whether_or_not_it_says_so(
    furnished: Path, home: Path, clock: FixedClock
) -> None:
    client = Served(home, clock, max_body=2000).client()
    client.headers["Authorization"] = f"Bearer {(home / '.token').read_text().strip()}"
    path = "/api/v1/agents/default/memories"

    assert client.post(path, json={"text": "x" * 3000}).status_code == 413
    pieces = (b"x" * 100 for _ in range(30))
    assert client.post(path, content=pieces).status_code == 413


def test_what_says_that_it_is_too_long_is_not_waited_for(served: Served) -> None:
    shown = {"host": HOST, "authorization": f"Bearer {served.owner}", "content-length": "999999999"}

    sent = asked(served, [], headers=[(name.encode(), value.encode()) for name, value in shown.items()])

    assert sent[0]["status"] == 413


def asked(served: Served, received: list[dict[str, Any]], **given: Any) -> list[dict[str, Any]]:
    """Ask as a server would that gets these messages from a client, and return what it is to send."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if received:
            return received.pop(0)
        await asyncio.sleep(3600)
        raise AssertionError

    async def send(message: Any) -> None:
        sent.append(message)

    headers = {"host": HOST, "authorization": f"Bearer {served.owner}", "content-type": "application/json"}
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/v1/agents/default/memories",
        "raw_path": b"",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8420),
        "scheme": "http",
        "http_version": "1.1",
        **given,
    }
    asyncio.run(served.app(scope, receive, send))
    return sent


def test_a_request_with_two_hosts_is_for_nobody(served: Served) -> None:
    shown = [(b"host", HOST.encode()), (b"host", b"evil.org")]
    shown.append((b"authorization", f"Bearer {served.owner}".encode()))

    assert asked(served, [], headers=shown)[0]["status"] == 421


def test_a_client_that_goes_in_the_middle_of_its_body_changes_nothing(served: Served) -> None:
    half = {"type": "http.request", "body": b'{"text": "cat: Mi', "more_body": True}

    assert asked(served, [half, {"type": "http.disconnect"}]) == []
    assert served.get("/memories")["items"] == []


def test_a_client_that_never_ends_its_body_is_not_waited_for(
    furnished: Path, home: Path, clock: FixedClock
) -> None:
    served = Served(home, clock, body_seconds=0.01)

    sent = asked(served, [{"type": "http.request", "body": b"{", "more_body": True}])

    assert sent[0]["status"] == 408
    assert json.loads(sent[1]["body"])["title"] == "Request Timeout"


def test_no_more_jobs_wait_than_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_MOST_WAITING", 3)
    work, go_on = jobs.WebJobs(FixedClock()), threading.Event()
    try:
        begun = [work.begin("default", "flush", lambda _: go_on.wait(60), about=f"s{n}") for n in range(3)]
        with pytest.raises(StoreBusy):
            work.begin("default", "flush", lambda _: None, about="another")
        assert [job.about for job in work.of("default")] == ["s2", "s1", "s0"]
    finally:
        go_on.set()
    assert comes_true(lambda: {job.state for job in begun} == {"done"})


class Crowd:
    """Requests to a gate behind which nothing is answered until it is let go, and their statuses."""

    def __init__(self, served: Served) -> None:
        self.reached: list[str] = []
        self.go_on = asyncio.Event()
        self._gate = Gate(self._app, served.tokens, Entrance(frozenset({HOST})), problem_page)
        self._owner = served.owner

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        self.reached.append(scope["path"])
        await self.go_on.wait()
        await JSONResponse({})(scope, receive, send)

    async def ask(self, agent: str) -> tuple[int, str]:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"{}"}

        headers = {"host": HOST, "authorization": f"Bearer {self._owner}"}
        shown = [(name.encode(), value.encode()) for name, value in headers.items()]
        path = f"/api/v1/agents/{agent}/recall"
        scope: dict[str, Any] = {"type": "http", "method": "POST", "path": path, "headers": shown}
        scope["app"] = SimpleNamespace(state=SimpleNamespace(problems=[]))
        await self._gate(scope, receive, send)
        told = dict(sent[0]["headers"])
        return sent[0]["status"], told.get(b"retry-after", b"").decode()


def test_who_finds_no_room_is_told_so_at_once_and_another_agent_is_served(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "_PATIENCE", 60.0)

    async def come() -> None:
        crowd = Crowd(served)
        asking = [asyncio.ensure_future(crowd.ask("default")) for _ in range(30)]
        done, waiting = await asyncio.wait(asking, return_when=asyncio.FIRST_COMPLETED)
        assert [each.result() for each in done] == [(503, "1")] * 6
        assert len(waiting) == 24
        assert len(crowd.reached) == 4  # the others wait for their turn, and take no thread

        other = asyncio.ensure_future(crowd.ask("other"))
        while "/api/v1/agents/other/recall" not in crowd.reached:
            await asyncio.sleep(0)
        crowd.go_on.set()
        assert {await each for each in (other, *waiting)} == {(200, "")}
        assert await crowd.ask("default") == (200, "")

    asyncio.run(come())


def test_who_would_wait_long_for_its_turn_is_told_so(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "_PATIENCE", 0.0)

    async def come() -> None:
        crowd = Crowd(served)
        asking = [asyncio.ensure_future(crowd.ask("default")) for _ in range(4)]
        while len(crowd.reached) < 4:
            await asyncio.sleep(0)
        assert await crowd.ask("default") == (503, "1")
        crowd.go_on.set()
        assert {await each for each in asking} == {(200, "")}

    asyncio.run(come())


def test_what_lasts_leaves_the_room_of_what_is_over_in_a_moment(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(rooms._MOST, "talk", 0)
    crowded = Served(served.souls.root, FixedClock())
    for path in ("/chat", "/do/flush"):
        crowded.post(path, {"message": "Hello"} if path == "/chat" else {}, status=503)
    assert crowded.get("/memories")["items"] is not None

    own = rooms.Rooms()
    first = rooms.RequestPlace(own, "default")
    first.take("brief")
    first.last("stream")
    assert (own.by_kind["brief"].count, own.by_kind["stream"].count) == (0, 1)
    first.leave()
    assert own.by_kind["stream"].count == 0


def test_who_is_not_answered_before_the_server_ends_is_told_so(served: Served) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        reached.set()
        await asyncio.sleep(3600)

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"{}"}

    async def end() -> None:
        gate = Gate(app, served.tokens, Entrance(frozenset({HOST})), problem_page)
        headers = {"host": HOST, "authorization": f"Bearer {served.owner}"}
        shown = [(name.encode(), value.encode()) for name, value in headers.items()]
        scope: dict[str, Any] = {"type": "http", "method": "POST", "path": "/api/v1/me", "headers": shown}
        scope["app"] = SimpleNamespace(state=SimpleNamespace(problems=[]))
        asking = asyncio.ensure_future(gate(scope, receive, send))
        await reached.wait()
        asking.cancel()
        await asking

    sent: list[dict[str, Any]] = []
    reached = asyncio.Event()
    asyncio.run(end())

    assert sent[0]["status"] == 503
    assert "the server is stopping" in json.loads(sent[1]["body"])["detail"]


def test_nobody_speaks_over_a_web_socket(served: Served) -> None:
    assert asked(served, [], type="websocket") == [{"type": "websocket.close", "code": 1008}]


@each_row(
    ("place", "is_public", "why"),
    [
        (ServerPlace(), False, ""),
        (ServerPlace("::1"), False, ""),
        (ServerPlace("localhost"), False, ""),
        (ServerPlace("0.0.0.0"), False, "--public"),
        (ServerPlace("192.168.1.2"), True, "--certificate"),
        (ServerPlace("0.0.0.0", certificate="c", key="k"), True, ""),
        (ServerPlace("0.0.0.0", certificate="c"), True, "belong together"),
        (ServerPlace("0.0.0.0", is_behind_proxy=True), True, "--name"),
        (ServerPlace("0.0.0.0", is_behind_proxy=True, names=("soul.example.org",)), True, ""),
    ],
)
def test_other_machines_come_in_only_if_that_is_wanted_and_safe(
    place: ServerPlace, is_public: bool, why: str
) -> None:
    if not why:
        place.check(is_public=is_public)
        return
    with pytest.raises(SoulError, match=why):
        place.check(is_public=is_public)


def test_a_server_is_asked_by_its_exact_names() -> None:
    local = ServerPlace(names=("alma.home:9000",)).hosts(8420)
    behind = ServerPlace("0.0.0.0", is_behind_proxy=True, names=("Soul.example.org",)).hosts(8420)

    assert {"127.0.0.1:8420", "localhost:8420", "[::1]:8420", "alma.home:9000"} == local
    assert behind == {"soul.example.org"}
    assert "127.0.0.1" in ServerPlace().hosts(80)
    assert "127.0.0.1" not in ServerPlace().hosts(443) | local


def test_a_port_that_is_taken_is_told_in_a_sentence() -> None:
    with bound(ServerPlace()) as first, pytest.raises(SoulError, match="--port"):
        bound(ServerPlace(port=first.getsockname()[1]))


def test_programs_find_the_server_while_it_runs(home: Path) -> None:
    home.mkdir()

    assert served_at(home) == ""
    with announced(home, "http://127.0.0.1:1"):
        with announced(home, "http://127.0.0.1:2"):
            assert served_at(home) == "http://127.0.0.1:2"
        assert served_at(home) == "http://127.0.0.1:1"
    assert served_at(home) == ""


def test_tokens_are_made_listed_and_revoked_from_the_command_line(
    furnished: Path, run: Run, home: Path
) -> None:
    token = run("tokens", "create", "ana", "--only", "default").out.split()[0]

    grant = Tokens(Souls(home)).grant_of(token)

    assert grant == Grant("ana", frozenset({"default"}), "read")
    assert "ana   default  read " in run("tokens").out
    [listed] = json.loads(run("tokens", "--json").out)
    assert "hash" not in listed
    assert run("tokens", "revoke", "ana").out == "ana was revoked.\n"
    assert run("tokens", "revoke", "ana").code == 2
    assert run("tokens", "create", "x", "--only", "nobody").code == 2
    assert run("tokens", "login").code == 2  # no server runs
    with announced(home, "http://127.0.0.1:8420"):
        assert run("tokens", "login").out.startswith("http://127.0.0.1:8420/login?code=alm_")

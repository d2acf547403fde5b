"""The agents over HTTP: what programs ask, and what becomes of it."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from almario.apps.web.answering import Replays
from almario.apps.web.jobs import WebJobs
from almario.apps.web.problems import detail_of
from almario.errors import EditConflict, LLMUnavailable, NotFound, SoulError
from almario.testing import FixedClock, ScriptedLLM
from tests.apps.served import Served, events_in
from tests.tables import each_row

JSON = {"Content-Type": "application/json"}
HIT = {"kind": "fact", "text": "x", "day": None, "score": 0.5}
# What a model answers that is asked for a soul.
DRAFT = {
    "vibe": "dry and exact",
    "traits": ["I like lists that end.", "I read the footnotes first."],
    "style": ["Short sentences.", "No emojis.", "Names before numbers."],
    "boundaries": ["I throw nothing away unasked."],
    "drives": ["Order that helps.", "Sources that can be checked."],
    "focus": ["What lies on the desk."],
    "questions": ["Which papers matter most?"],
    "goals": [{"text": "See what is there", "priority": "high"}],
}


@pytest.fixture
def llm() -> ScriptedLLM:
    return ScriptedLLM("Good evening, Ana.")


@pytest.fixture
def served(furnished: Path, clock: FixedClock, llm: ScriptedLLM) -> Iterator[Served]:
    with Served(furnished, clock, llm=llm) as served:
        yield served


def remembered(served: Served, text: str = "job: designs bridges", **more: Any) -> str:
    return str(served.post("/memories", {"text": text, **more})["memory"]["id"])


def test_what_is_remembered_is_listed_recalled_changed_and_forgotten(served: Served) -> None:
    memory = remembered(served)

    [hit] = served.post("/recall", {"question": "what job"})["hits"]
    changed = served.ask("PATCH", f"/memories/{memory}", json={"text": "teaches physics", "shared": True})
    why = served.get(f"/memories/{changed['id']}/why")
    gone = served.post("/do/forget", {"target": "job"})

    assert (hit["memory"], hit["text"]) == (memory, "designs bridges")
    assert (changed["text"], changed["audience"]) == ("job: teaches physics", "all")
    assert [each["id"] for each in why["replaced"]] == [memory]
    assert [each["id"] for each in gone["memories"]] == [changed["id"]]
    assert served.get("/memories")["items"] == []
    served.post("/do/undo")
    assert [each["id"] for each in served.get("/memories")["items"]] == [changed["id"]]
    assert served.ask("DELETE", f"/memories/{changed['id']}")["state"] == "retired"
    assert served.post("/do/memory.restore", {"memory_id": changed["id"]})["state"] == "live"


@each_row(
    ("body", "why"),
    [
        ({"when": "soon"}, "is not a date"),
        ({"ended": "2026-13-40"}, "is not a day"),
        ({"ended": "2026"}, "is not a day"),
        ({}, "nothing would change"),
        ({"text": "designs bridges"}, "nothing would change"),
    ],
)
def test_a_change_that_cannot_be_is_refused(served: Served, body: Any, why: str) -> None:
    memory = remembered(served)

    assert why in served.ask("PATCH", f"/memories/{memory}", status=400, json=body)["detail"]


def test_lists_come_in_pages(served: Served) -> None:
    for number in range(5):
        remembered(served, f"train {number}: leaves at {number}")

    first = served.get("/memories", params={"limit": 2})
    last = served.get("/memories", params={"limit": 2, "offset": 4})

    assert (first["total"], first["next"], len(first["items"])) == (5, 2, 2)
    assert (last["next"], [each["key"] for each in last["items"]]) == (None, ["train 4"])


def test_memories_are_filtered_and_put_in_order(served: Served, clock: FixedClock) -> None:
    job = remembered(served)
    clock.advance(days=1)
    tea = remembered(served, "tea: green", kind="fact")
    served.post("/do/memory.change", {"memory_id": job, "right": False})

    newest = served.get("/memories", params={"state": ["live", "retired"], "order": "newest", "limit": 1})

    assert (newest["total"], newest["next"], newest["items"][0]["id"]) == (2, 1, tea)
    assert served.get("/memories", params={"since": "2026-11-15"})["total"] == 1
    assert served.get("/memories", params={"until": "2026-11-15", "state": "retired"})["total"] == 1
    assert served.get("/memories", params={"as_of": "2026-11-14T23:00:00Z"})["total"] == 0
    for then in ("2026-11-18T12:00:00Z", "2026-11-18T12:00:00"):  # without a zone, it is the owner's
        assert [each["id"] for each in served.post("/do/memory.list", {"as_of": then})] == [tea]


def test_the_home_is_looked_after(served: Served) -> None:
    made = served.finished(served.post("/api/v1/jobs/backup"), "/api/v1/jobs")
    [backup] = served.get("/api/v1/backups")
    checked = served.finished(served.post("/api/v1/jobs/backup-check"), "/api/v1/jobs")

    assert backup["name"] == made["result"]["name"] == checked["result"]["name"]
    assert checked["result"]["problems"] == []
    served.post("/api/v1/jobs/backup-check", {"name": "../secret"}, status=404)
    assert {each["level"] for each in served.get("/api/v1/doctor")} <= {"ok", "warning"}
    assert "claude-code" in [each["id"] for each in served.get("/api/v1/connections")]


def test_tokens_are_made_listed_and_revoked_by_the_owner_alone(served: Served) -> None:
    made = served.post("/api/v1/tokens", {"name": "editor", "agents": ["default"], "scope": "admin"})

    assert [each["name"] for each in served.get("/api/v1/tokens")] == ["editor"]
    assert "hash" not in served.get("/api/v1/tokens")[0]
    served.get("/memories", token=made["token"])
    for path in ("tokens", "backups", "doctor", "connections", "trash"):
        served.get(f"/api/v1/{path}", token=made["token"], status=403)
    served.post("/api/v1/tokens", {"name": "mine", "scope": "admin"}, token=made["token"], status=403)
    served.ask("DELETE", "/api/v1/tokens/editor")
    served.get("/memories", token=made["token"], status=401)


@each_row(
    ("path", "params"),
    [
        ("/do/days.get", {"day": "9999-12-31"}),
        ("/do/days.get", {"day": "0001-01-01"}),
        ("/do/days.between", {"first": "0001-01-01", "last": "9999-12-31"}),
        ("/memories", {"since": "0001-01-01T00:00:00+14:00"}),
        ("/memories", {"until": "9999-12-31T23:59:59-12:00", "as_of": "9999-12-31T23:59:59-12:00"}),
        ("/do/memory.list", {"wanted": {"true_at": "0001-01-01T00:00:00+14:00"}}),
    ],
)
def test_no_day_is_too_early_or_too_late(served: Served, path: str, params: dict[str, Any]) -> None:
    if path.startswith("/do/"):
        served.post(path, params)
    else:
        served.get(path, params=params)


def test_a_no_is_taken_back(served: Served) -> None:
    soul = served.souls.soul("default")
    made = soul.proposals.propose("SOUL", soul.read("SOUL").text + "\n- I am brief.\n", reason="shorter")

    no = served.post(f"/proposals/{made.id}/reject", {"why": "not me"})
    back = served.post("/do/undo", {"line": no["line"]})
    yes = served.post(f"/proposals/{made.id}/accept")

    assert (no["state"], back["proposal"]["id"], yes["state"]) == ("rejected", made.id, "accepted")
    assert served.post("/do/undo", {"line": yes["line"]})["file"] == "SOUL.md"
    assert "I am brief" not in served.get("/files/SOUL")["text"]


def test_who_may_not_change_the_soul_takes_back_changes_of_memories_alone(served: Served) -> None:
    writer = served.tokens.create("writer", scope="write")
    soul = served.souls.soul("default")
    soul.remember("boat: called Gaviota")
    soul.write(soul.read("SOUL"), "# Soul\n\nI sail.\n")

    served.post("/do/undo", {"line": soul.undoable("SOUL.md")}, token=writer, status=400)
    undone = served.post("/do/undo", token=writer)

    assert [each["text"] for each in undone["memories"]] == ["boat: called Gaviota"]
    assert soul.memory.list() == []
    assert soul.read("SOUL").text == "# Soul\n\nI sail.\n"


def test_a_purge_is_shown_first_and_its_receipt_says_what_is_gone(served: Served, home: Path) -> None:
    memory = remembered(served, "pin: the code is Abracadabra")

    shown = served.post("/memories/purge", {"targets": [memory]})
    done = served.post("/memories/purge", {"targets": [memory], "dry_run": False})

    assert (shown["is_done"], done["is_done"]) == (False, True)
    assert [each["id"] for each in done["memories"]] == [memory]
    assert done["cleaned"]
    served.souls.close()
    texts = [path.read_bytes() for path in (home / "agents").rglob("*") if path.is_file()]
    assert not [text for text in texts if b"Abracadabra" in text]
    served.post("/memories/purge", {"dry_run": False}, status=400)


def test_what_is_erased_is_in_nothing_that_the_server_still_holds(served: Served, llm: ScriptedLLM) -> None:
    fact = {"key": "city", "value": "moved to Lisbon", "turns": [1]}
    llm.lines = [json.dumps({"facts": [fact], "episodes": [], "instructions": [], "summary": ""})]
    served.post("/turns", {"session": "app:ana", "text": "I moved to Lisbon."})
    job = served.finished(served.post("/jobs", {"work": "flush", "session": "app:ana"}))
    key = {"Idempotency-Key": "a1"}
    answered = served.post("/memories", {"text": "plan: a flat in Lisbon"}, headers=key)
    learned = job["result"][0]["receipts"][0]["memory"]["id"]

    targets = [learned, answered["memory"]["id"]]
    served.post("/memories/purge", {"targets": targets, "dry_run": False})

    again = served.post("/memories", {"text": "plan: a flat in Lisbon"}, headers=key, status=409)
    [listed] = served.get("/jobs")
    held = [listed, served.get(f"/jobs/{job['id']}"), again, served.get("/memories")]
    assert [text for text in map(str, held) if "Lisbon" in text] == []
    assert (listed["state"], listed["result"]) == ("done", None)
    assert "erased" in again["detail"]
    served.post("/memories", {"text": "plan: a flat in Lisbon"}, headers=key, status=409)


def test_a_purge_erases_what_is_planned_and_not_what_a_program_makes_up(served: Served) -> None:
    memory = remembered(served, "pin: the code is Abracadabra")
    turn = served.post("/turns", {"session": "app:ana", "text": "I moved to Lisbon."})
    planned = served.post("/do/memory.plan_purge", {"targets": [memory]})

    assert served.post("/do/memory.purge", {"erasure": {**planned, "turns": [turn["id"]]}})

    assert served.post("/do/memory.list") == []
    [kept] = served.get("/turns", params={"session": "app:ana"})["items"]
    assert kept["text"] == "I moved to Lisbon."


def test_a_purge_takes_whole_ids_and_no_words(served: Served) -> None:
    memory = remembered(served, "pet: a cat called Miso")
    planned = served.post("/do/memory.plan_purge", {"targets": [memory]})
    [named] = planned["memories"]

    for other in ("a", memory[:6]):
        erasure = {**planned, "memories": [{**named, "id": other}]}
        served.post("/do/memory.purge", {"erasure": erasure}, status=404)

    assert len(served.post("/do/memory.list")) == 1


def test_memories_go_out_and_come_back(served: Served) -> None:
    remembered(served)
    lines = served.get("/memories/export")

    done = served.ask("POST", "/memories/import", content=lines)

    assert (done["new"], done["known"]) == (0, 1)
    served.ask("POST", "/memories/import", content=b"\xff", status=400)
    served.ask("POST", "/memories/import", content="not json\n", status=400)


def test_the_same_key_does_the_same_once_and_is_refused_for_something_else(served: Served) -> None:
    key = {"Idempotency-Key": "a1"}

    first = served.post("/memories", {"text": "cat: Michi"}, headers=key)
    second = served.post("/memories", {"text": "cat: Michi"}, headers=key)

    assert first == second
    assert first["outcome"] == "new"
    served.post("/memories", {"text": "cat: Momo"}, headers=key, status=400)
    assert served.get("/memories")["total"] == 1


def test_a_key_is_each_tokens_own(served: Served) -> None:
    ana, bob = (served.tokens.create(name, scope="write") for name in ("ana", "bob"))
    said: dict[str, Any] = {"body": {"text": "Good evening."}, "headers": {"Idempotency-Key": "1"}}

    assert [served.post("/turns", **said, token=token)["n"] for token in (ana, bob, ana)] == [1, 2, 1]


def test_a_key_is_no_way_to_what_a_token_of_that_name_was_told_before(served: Served) -> None:
    remembered(served, "diagnosis: lupus")
    key = {"Idempotency-Key": "k1"}
    owners = served.tokens.create("app", scope="admin")
    assert "lupus" in str(served.post("/do/memory.list", {}, headers=key, token=owners))

    served.tokens.revoke("app")
    other = served.tokens.create("app", agents=("work",), scope="admin")

    served.post("/do/memory.list", {}, headers=key, token=other, status=404)


def test_what_failed_can_be_tried_again_with_its_key(served: Served) -> None:
    replays, erased = Replays(), [0]

    def erase() -> tuple[int, Any]:
        erased[0] += 1
        return 200, "gone"

    assert replays.once(("b",), {}, erase, lambda: erased[0]) == (200, "gone")
    with pytest.raises(EditConflict, match="something was erased since"):
        replays.once(("b",), {}, erase, lambda: erased[0])
    assert erased == [1]

    def fail() -> tuple[int, Any]:
        raise SoulError("no")

    with pytest.raises(SoulError):
        replays.once(("a",), {}, fail)

    assert replays.once(("a",), {}, lambda: (200, "yes")) == (200, "yes")


def test_a_turn_that_was_sent_twice_is_kept_once_also_after_a_restart(
    served: Served, home: Path, clock: FixedClock
) -> None:
    body, key = {"session": "app:ana", "text": "I moved to Lisbon."}, {"Idempotency-Key": "t1"}

    first = served.post("/turns", body, headers=key)
    served.souls.close()
    second = Served(home, clock).post("/turns", body, headers=key)
    other = served.post("/turns", body, headers={"Idempotency-Key": "t2"})

    assert first == second
    assert (first["id"], other["id"]) == ("app:ana#1", "app:ana#2")


def test_what_was_said_is_read_in_pages_by_number(served: Served) -> None:
    for number in range(1, 6):
        served.post("/turns", {"session": "app:ana", "text": f"Message {number}"})

    first = served.get("/turns", params={"session": "app:ana", "limit": 2})
    rest = served.get("/turns", params={"session": "app:ana", "after": first["next"]})

    assert ([turn["n"] for turn in first["items"]], first["next"]) == ([1, 2], 2)
    assert ([turn["n"] for turn in rest["items"]], rest["next"]) == ([3, 4, 5], None)
    assert [each["session"] for each in served.get("/sessions")] == ["app:ana"]


def test_a_soul_file_is_written_only_over_what_was_read(served: Served) -> None:
    client = served.client(served.owner)
    path = "/api/v1/agents/default/files/soul"
    read = client.get(path)
    etag, text = read.headers["etag"], read.json()["text"]

    assert client.put(path, json={"text": "x"}).status_code == 428
    assert client.put(path, json={"text": "x"}, headers={"If-Match": '"other"'}).status_code == 412
    written = client.put(path, json={"text": text + "\nI like trains.\n"}, headers={"If-Match": etag})
    assert written.status_code == 200
    assert written.headers["etag"] != etag
    assert client.put(path, json={"text": "x"}, headers={"If-Match": etag}).status_code == 412
    assert "+I like trains." in served.post("/do/diff", {"file": "SOUL"})
    assert [each["number"] for each in served.post("/do/history", {"file": "SOUL"})] == [1, 2]
    served.post("/files/SOUL/restore", {"version": "1"})
    first = served.post("/do/read", {"file": "SOUL", "version": "1"})
    assert served.get("/files/SOUL")["text"] == text == first["content"]


@each_row(
    ("method", "path", "body", "status"),
    [
        ("GET", "/files/journal", None, 404),
        ("GET", "/files/..%2f..%2f.token", None, 404),
        ("POST", "/do/read", {"file": "SOUL", "version": "99"}, 404),
        ("GET", "/memories/none", None, 404),
        ("GET", "/memories/none/why", None, 404),
        ("POST", "/do/proposals.get", {"wanted": "none"}, 404),
        ("GET", "/jobs/none", None, 404),
        ("GET", "/nothing", None, 404),
        ("GET", "/memories?limit=0", None, 422),
        ("GET", "/memories?kind=unknown", None, 422),
        ("GET", "/memories?other=1", None, 422),
        ("POST", "/memories", {"text": ""}, 422),
        ("POST", "/memories", {"text": "x", "\ud800": 1}, 422),
        ("POST", "/memories", {"text": "\ud800"}, 422),
        ("POST", "/memories", [], 422),
        ("POST", "/recall", {"question": "  "}, 400),
        ("POST", "/do/forget", {"target": "nothing like that"}, 404),
        ("POST", "/do/forget", {"target": "job", "actor": "agent"}, 422),
        ("POST", "/do/forget", {"target": 1}, 422),
        ("POST", "/do/forget", None, 422),
        ("POST", "/do/recall", {"question": "x", "audience": {}}, 422),
        ("POST", "/do/recall", {"question": "x", "limit": 10**30}, 422),
        ("POST", "/do/recall", {"question": "x", "limit": None}, 422),
        ("POST", "/do/recall", {"question": "x", "scope": {"since": "soon"}}, 422),
        ("POST", "/do/prompt", {"recalled": [{**HIT, "reasons": [[]]}]}, 422),
        ("POST", "/do/append", {"session": "x" * 151, "role": "user", "text": "x"}, 422),
        ("POST", "/do/costs.report", {"days": 10**12}, 400),
        ("POST", "/do/read", {"file": "../../.token"}, 404),
        ("POST", "/do/write", {"document": {"name": "../x.md"}, "text": "x"}, 404),
        ("POST", "/do/memory.get", {"memory_id": "none"}, 404),
        ("POST", "/do/proposals.accept", {"wanted": "none"}, 404),
        ("POST", "/do/close", {}, 404),
        ("POST", "/do/memory.sync", {}, 404),
        ("POST", "/do/goals.change", {"wanted": "99", "state": "done"}, 404),
        ("POST", "/turns", {"session": "x" * 151, "text": "x"}, 422),
        ("DELETE", "/chat", None, 405),
        ("POST", "/chat", {"message": ""}, 400),
        ("POST", "/chat", {"message": " \n", "pasted": [""]}, 400),
        ("POST", "/do/talk", {"message": ""}, 400),
        ("POST", "/chat", {"message": "x", "origin": "agent"}, 422),
        ("POST", "/chat", {"message": "x", "origin": "imported"}, 422),
        ("GET", "/api/v1/agents/nobody/files", None, 404),
    ],
)
def test_bad_input_is_told_in_one_sentence(
    served: Served, method: str, path: str, body: Any, status: int
) -> None:
    content = json.dumps(body).encode() if body is not None else None

    answer = served.ask(method, path, status=status, content=content, headers=JSON)

    assert answer["status"] == status
    assert answer["detail"]
    assert "Traceback" not in json.dumps(answer)


def test_what_is_wrong_is_told_in_the_language_of_the_home(furnished: Path, clock: FixedClock) -> None:
    served = Served(furnished, clock, language="es")

    for method, path, body, detail in (
        ("DELETE", "/chat", None, "aquí no se permite DELETE; usa POST"),
        ("GET", "/memories?limit=0", None, "query.limit: debe ser 1 o más"),
        ("GET", "/memories?limit=x", None, "query.limit: debe ser un número entero"),
        ("GET", "/memories?since=x", None, "query.since: debe ser un día o una hora"),
        ("POST", "/memories", {}, "body.text: falta"),
        ("POST", "/memories", {"text": "x", "y": 1}, "body.y: aquí no se conoce"),
        ("POST", "/memories", {"text": 3}, "body.text: debe ser un texto"),
        ("POST", "/jobs", {"work": "x"}, "body.work: debe ser uno de estos: 'flush', 'consolidate', "),
    ):
        answer = served.ask(method, path, json=body, status=405 if method == "DELETE" else 422)
        assert answer["detail"].startswith(detail)


WRONG = {"Authorization": "Bearer wrong"}


@each_row(
    ("path", "headers", "status", "kind"),
    [
        ("/v1/messages", WRONG, 401, "authentication_error"),
        ("/v1/models", {**WRONG, "anthropic-version": "2023-06-01"}, 401, "authentication_error"),
        ("/v1/messages", {}, 405, "invalid_request_error"),
        ("/v1/chat/completions", WRONG, 401, "invalid_request_error"),
        ("/v1/models", {**WRONG, "Host": "evil.org"}, 421, "invalid_request_error"),
        ("/v1/models/nobody", {}, 404, "invalid_request_error"),
        ("/v1/nothing", {}, 404, "invalid_request_error"),
    ],
)
def test_below_v1_what_is_wrong_is_told_as_the_provider_would(
    served: Served, path: str, headers: dict[str, str], status: int, kind: str
) -> None:
    answer = served.client(served.owner).get(path, headers=headers)

    said = answer.json()
    is_anthropic = "messages" in path or "anthropic-version" in headers
    assert (answer.status_code, said["error"]["type"]) == (status, kind)
    assert (said.get("type") == "error", bool(said["error"]["message"])) == (is_anthropic, True)


def test_what_is_wrong_can_be_told_whatever_was_given() -> None:
    assert detail_of(SoulError('no "{name}"', name="\ud800")) == 'no "\ufffd"'


def test_a_body_that_is_no_json_is_refused(served: Served) -> None:
    for content in (b"{", b"\xff\xfe", b"", b"NaN"):
        served.ask("POST", "/memories", content=content, headers=JSON, status=422)
    served.ask("POST", "/memories", content=b"[" * 100_000, headers=JSON, status=400)


def test_a_chat_streams_its_answer_and_keeps_it(served: Served) -> None:
    answer = events_in(served.post("/chat", {"message": "Good evening!", "session": "app:ana"}))

    assert "".join(value["text"] for name, value in answer if name == "text") == "Good evening, Ana."
    assert answer[-1][0] == "answer"
    assert answer[-1][1]["text"] == "Good evening, Ana."
    turns = served.get("/turns", params={"session": "app:ana"})["items"]
    assert [(turn["role"], turn["origin"]) for turn in turns] == [("user", "owner"), ("assistant", "agent")]


def test_who_does_not_say_what_it_wants_gets_a_stream(served: Served) -> None:
    bare = served.client(served.owner)
    del bare.headers["accept"]

    said = bare.post("/api/v1/agents/default/chat", json={"message": "Good evening!"})

    assert (said.status_code, events_in(said.text)[-1][0]) == (200, "answer")


def test_what_goes_wrong_in_a_stream_is_told_in_it(served: Served, llm: ScriptedLLM) -> None:
    llm.lines = [LLMUnavailable("no model can be reached right now")]

    [(name, value)] = events_in(served.post("/chat", {"message": "Translate the letter."}))

    assert (name, value["status"]) == ("problem", 503)
    served.post("/chat", {"message": "Translate it."}, headers={"Accept": "application/json"}, status=503)


def test_a_client_that_leaves_ends_the_answer_and_what_came_is_kept(served: Served, llm: ScriptedLLM) -> None:
    from almario.apps.web.access import Grant
    from almario.apps.web.asking import HttpRequest
    from almario.apps.web.verb_routes import _stream
    from almario.verb_table import verb

    llm.lines = ["One two three four."]
    heard: list[Any] = []

    def tell(name: str, value: Any) -> None:
        if len(heard) == 2:
            raise KeyboardInterrupt
        heard.append(value)

    asked = HttpRequest(served.souls.soul("default"), Grant("owner", None, "admin"))
    with pytest.raises(KeyboardInterrupt):  # of the answer, which nobody hears either
        _stream(None, asked, verb("talk"), {"message": "Count!", "session": "app:ana"}, tell)  # type: ignore[arg-type]

    [_, answer] = served.get("/turns", params={"session": "app:ana"})["items"]
    assert answer["text"].startswith("One two")
    assert "four" not in answer["text"]


def test_agents_come_and_go(served: Served) -> None:
    made = served.post("/api/v1/agents", {"id": "work", "name": "Finny", "language": "en"})
    served.post("/api/v1/agents/work/memories", {"text": "cat: Momo"})

    assert made == {"id": "work", "name": "Finny"}
    served.post("/api/v1/agents", {"id": "work"}, status=400)
    assert served.get("/memories")["total"] == 0
    assert served.ask("DELETE", "/api/v1/agents/WORK")["id"] == "work"
    served.get("/api/v1/agents/work/memories", status=404)
    assert [each["id"] for each in served.get("/api/v1/agents")] == ["default"]
    assert [each["id"] for each in served.get("/api/v1/trash")] == ["work"]
    assert served.post("/api/v1/agents/work/restore") == made
    assert served.get("/api/v1/agents/work/memories")["total"] == 1


def test_a_soul_is_drafted_refined_and_applied(served: Served, llm: ScriptedLLM) -> None:
    llm.lines = [json.dumps(DRAFT), json.dumps({**DRAFT, "vibe": "dry as toast"})]

    first = events_in(
        served.post(
            "/api/v1/agents/clio/generate-soul", {"description": "dry", "name": "Clio", "language": "en"}
        )
    )
    draft = first[-1][1]["draft"]
    second = events_in(
        served.post("/api/v1/agents/clio/generate-soul", {"draft": draft, "refinement": "drier"})
    )

    assert list(dict.fromkeys(name for name, _ in first)) == ["working", "text", "draft"]
    assert "".join(value["text"] for name, value in first if name == "text") == json.dumps(DRAFT)
    assert "I like lists that end." in first[-1][1]["files"]["SOUL.md"]
    assert [each["id"] for each in served.get("/api/v1/agents")] == ["default"]
    assert second[-1][1]["draft"]["vibe"] == "dry as toast"
    made = served.post("/api/v1/agents/clio/apply-soul", {"draft": second[-1][1]["draft"]})
    assert made == {"id": "clio", "name": "Clio"}
    assert "I like lists that end." in served.get("/api/v1/agents/clio/files/SOUL")["text"]


def test_a_soul_is_described_in_any_language(served: Served, llm: ScriptedLLM) -> None:
    llm.lines = [json.dumps(DRAFT)]
    described = {"personalityDescription": "seca como um biscoito", "name": "Clio", "language": "pt"}

    drafted = events_in(served.post("/api/v1/agents/clio/generate-soul", described))[-1][1]

    assert "Personality: seca como um biscoito" in llm.asked[0].messages[0].text
    assert drafted["draft"]["written"] == "pt"
    served.post("/api/v1/agents/clio/apply-soul", {"draft": drafted["draft"]})
    refused = {"archetype": "archivist", "language": "pt"}
    [*_, (_, problem)] = events_in(served.post("/api/v1/agents/leo/generate-soul", refused))
    assert problem["detail"] == '"pt" is not a language of starter souls; use en, es'


def test_a_soul_of_an_archetype_takes_the_place_of_another_without_a_model(served: Served) -> None:
    remembered(served)
    body = {"archetype": "archivist", "name": "Clio", "language": "en"}
    [(_, _), (_, value)] = events_in(served.post("/generate-soul", body))

    served.post("/apply-soul", {"draft": value["draft"]})

    assert served.get("/api/v1/agents") == [{"id": "default", "name": "Clio"}]
    assert served.get("/memories")["total"] == 1
    served.post("/apply-soul", {"draft": {"language": "xx"}}, status=400)
    served.post("/apply-soul", {"draft": {"language": "en", "goals": [{}]}}, status=400)
    assert events_in(served.post("/generate-soul", {}))[0][1]["status"] == 400


def test_work_in_the_background_tells_how_far_it_is_and_its_result(served: Served) -> None:
    remembered(served)
    served.post("/turns", {"session": "app:ana", "text": "I moved to Lisbon."})

    done = {
        work: served.finished(served.post("/jobs", {"work": work}))
        for work in ("flush", "consolidate", "reindex")
    }

    assert {work: job["state"] for work, job in done.items()} == dict.fromkeys(done, "done")
    assert done["flush"]["total"] == done["flush"]["done"] == 1
    assert done["reindex"]["result"] >= 1
    assert {job["work"] for job in served.get("/jobs")} == set(done)


def test_work_that_cannot_be_done_says_why(served: Served, llm: ScriptedLLM) -> None:
    llm.lines = ["no JSON at all"]
    served.post("/turns", {"session": "app:ana", "text": "I moved to Lisbon."})

    job = served.finished(served.post("/jobs", {"work": "reflect", "since": "2026-12-01"}))

    assert (job["state"], "future" in job["detail"]) == ("failed", True)


def test_the_same_work_is_not_begun_twice(clock: FixedClock) -> None:
    labour, go = WebJobs(clock), threading.Event()

    first = labour.begin("a", "flush", lambda report: go.wait(60))
    second = labour.begin("a", "flush", lambda report: None)
    other = labour.begin("b", "flush", lambda report: None)
    session = labour.begin("a", "flush", lambda report: None, "cli:main")
    go.set()

    assert first is second
    assert first not in (other, session)
    assert labour.get("a", first.id) is first
    with pytest.raises(NotFound):
        labour.get("b", first.id)


def test_what_is_said_anywhere_is_an_event_and_who_was_cut_off_goes_on(
    served: Served, clock: FixedClock
) -> None:
    soul, client = served.souls.soul("default"), served.client(served.owner)
    path = "/api/v1/agents/default/events"

    def told(**position: str) -> list[tuple[str, str]]:
        text = client.get(path, params={"follow": False}, headers=position).text
        ids = [line[4:] for line in text.splitlines() if line.startswith("id: ")]
        return [
            (value["what"].get("text", name), at)
            for (name, value), at in zip(events_in(text), ids, strict=True)
        ]

    soul.append("cli:main", "user", "Earlier.")
    line = soul.position
    clock.advance(minutes=1)
    instant = int(clock().timestamp() * 1000)
    served.post("/turns", {"session": "app:ana", "text": "Hello."})
    clock.advance(minutes=1)
    soul.append("cli:main", "user", "Off the record: there is a surprise.")
    remembered(served, "cat: Michi")

    first, second, third = told(**{"Last-Event-ID": f"{line}-{instant}"})
    assert [first[0], second[0], third[0]] == ["Hello.", "", "memory.changed"]
    assert first[1] == f"{line}-{instant}"
    assert told(**{"Last-Event-ID": second[1]}) == [second, third]
    assert told(**{"Last-Event-ID": third[1]}) == [("", third[1])]
    assert [each[0] for each in told(**{"Last-Event-ID": str(line)})] == ["memory.changed"]
    assert told() == []
    assert client.get(path, params={"after": "soon"}).status_code == 422


def test_an_agent_is_opened_anew_when_its_settings_change(served: Served, home: Path) -> None:
    first = served.souls.soul("default")
    assert served.souls.soul("DEFAULT") is first

    (home / "agents" / "default" / "agent.toml").write_text('language = "en"\nprompt.recent_days = 3\n')

    assert served.souls.soul("default") is not first


def test_all_routes_are_described_and_every_body_has_an_example(served: Served) -> None:
    schema = served.get("/api/v1/openapi.json")

    operations = [told for methods in schema["paths"].values() for told in methods.values()]
    assert len(operations) >= 59
    assert all(told.get("description") and "401" in told["responses"] for told in operations)
    schemas = schema["components"]["schemas"]
    assert all("examples" in json.dumps(schemas[name]) for name in ("Remembering", "DoTalk", "DoRecall"))

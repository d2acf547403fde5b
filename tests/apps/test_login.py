"""The agent that another machine keeps: commands, chats, MCP and hooks of this one ask its server."""

import hashlib
import json
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import StreamRequestHandler, TCPServer
from typing import Any, NamedTuple

import pytest

import almario
from almario import verb_table
from almario.apps.cli.command_table import AWAY, COMMANDS
from almario.apps.cli.common import CommandCall
from almario.apps.cli.doors.mcp_command import elsewhere
from almario.apps.hooks import HookQuestion, away
from almario.apps.mcp.using import _done
from almario.apps.mcp.visiting import Visitor
from almario.apps.web.access import Tokens
from almario.apps.web.serving import ServerPlace
from almario.client import stand_in
from almario.conversation.companion import Companion
from almario.domain.late import Late
from almario.domain.plain_text import difference
from almario.errors import AlmarioError, DocumentError
from almario.plugins import Ask
from almario.served import TOKEN, Login, token_of
from almario.store.spool import HomeSpool
from almario.testing import ScriptedLLM
from almario.wiring import logins, souls
from almario.wiring.logins import end_login, keep_login, login_of
from almario.wiring.offering import Done
from almario.wiring.souls import Souls
from tests.apps.conftest import Run, Said
from tests.apps.hooked import BOAT, recorded
from tests.apps.served import serving
from tests.listening import listening
from tests.tables import each_row

THERE = "this works only on the machine that keeps the home; here you are logged in to"
DO = 'run it there, or "almario logout" to use the home on this machine'
# A line for every command that prints the same through a login as on the home itself.
SAME = """\
remember job: designs bridges; remember --key oven a wood oven; recall what is my job; memory why job;
memory change job --text teaches physics; memory list --as-of 2999-01-01; forget oven; undo; undo --list;
keep --list; say what is my job; plans --all; log We met today; about me;
people trust Nobody; sessions; sessions show cli:nowhere; prompt --explain; flush --session cli:nowhere;
goals add Cook rice; goals edit rice --priority high; proposals accept none; soul diff SOUL;
soul lock SOUL Boundaries; soul restore SOUL 1; cost; help remember;
completion bash; memory tidy; reflect; improve speak up; connect; disconnect cursor; forget xyzzy;
forget --purge oven --yes
"""
OWN = {"chat", "mcp", "hook", "login", "logout", "doctor"}
# What needs the home itself, and says so.
ELSEWHERE = """\
serve --no-daemon; meet; init --yes; genesis --archetype mentor; agents;
import notes.zip; export; tokens; tokens create laptop; daemon; backup; backup list; config;
config set language es; model; doctor --mend;
--set llm.model=none say hello; flush --left; telegram; store; export
"""


# What commands ask of a soul that is here: they do not get so far with another, or do without it.
HERE = set(
    "id told folder settle close audience importer exporter learning. learning.is_due learning.wait "
    "learning.want_left learning.learn_left sessions.unflushed memory.embedding".split()
)
APPS = Path(almario.__file__).parent / "apps"


def lines(commands: str) -> list[str]:
    return commands.replace(";\n", "; ").strip().split("; ")


class Keeper(NamedTuple):
    """The machine that keeps the home, and a home that is logged in to it."""

    url: str
    home: Path
    here: Path

    def reached(self, run: Run, *words: str, **given: Any) -> Said:
        """Run a command on the machine that is logged in."""
        return run("--home", str(self.here), *words, **given)


def answers(ask: Ask) -> str:
    return json.dumps({"facts": []}) if ask.schema else "Good evening, Ana."


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keeper]:
    folder = tmp_path_factory.mktemp("login")
    almario.create(folder / "there").close()
    with pytest.MonkeyPatch.context() as patched, serving(folder / "there", None) as url:
        patched.setattr(souls, "_RENDER", 0.0)  # MEMORY.md is written at once, as by a command
        keep_login(folder / "here", Login(url, token_of(folder / "there"), since="2026-11-14T12:00:00+00:00"))
        yield Keeper(url, folder / "there", folder / "here")


def masked(said: Said, home: Path) -> str:
    """Return what a command prints without ids, times and the folder, which differ."""
    text = f"{said.code} {said.out}{said.err}".replace(str(home), "HOME")
    return re.sub(r"\b[0-9a-f]{8,64}\b|\d\d:\d\d|(?<=\.md)(#\d)?|\.\d+|total +\d+", "…", text)


def test_commands_print_the_same_through_a_login(kept: Keeper, run: Run, tmp_path: Path) -> None:
    own = tmp_path / "own"
    shutil.copytree(kept.home / "agents", own / "agents", ignore=shutil.ignore_patterns(".index"))
    different: list[str] = []
    for line in lines(SAME):
        words = line.split()
        local = masked(run("--home", str(own), *words), own)
        there = masked(kept.reached(run, *words), kept.home)
        different += [f"{line}: {each}" for each in difference(local, there, "own", "away").splitlines()]

    assert not different, "\n".join(different)
    assert {line.split()[0] for line in lines(SAME)} == AWAY - OWN


def test_every_other_command_says_that_it_works_where_the_home_is(kept: Keeper, run: Run) -> None:
    before = files_in(kept.here)
    for line in lines(ELSEWHERE):
        said = kept.reached(run, *line.split())
        assert (said.code, said.out) == (2, ""), line
        assert said.err == f"Error: {THERE} {kept.url}: {DO}\n", line

    assert {line.split()[0] for line in lines(ELSEWHERE)} >= COMMANDS.keys() - AWAY
    assert files_in(kept.here) == before


def test_commands_ask_of_a_soul_what_a_server_has_or_there_is_a_reason() -> None:
    asked = set()
    for path in (*APPS.glob("cli/[mst]*/*.py"), *APPS.glob("repl/*.py")):
        found = re.findall(
            r"\bsoul\.([a-z_]+)(?:\.([a-z_]+))?", re.sub(r"import .*|from .*", "", path.read_text())
        )
        asked |= {f"{part}.{name}" if part in verb_table.parts() else part for part, name in found}

    assert asked - verb_table.scopes().keys() - stand_in._DONE.keys() <= HERE


def test_a_chat_through_a_login_streams_the_answer_and_learns_there(tmp_path: Path, run: Run) -> None:
    home, here = tmp_path / "there", tmp_path / "here"
    almario.create(home).close()
    with serving(home, ScriptedLLM(answers)) as url:
        keep_login(here, Login(url, token_of(home)))
        chat = run("--home", str(here), "chat", stdin="Hello\n/remember job: baker\n/model\n/nope\n")
        result = run("--home", str(here), "say", "And", "you?", "--json")

    assert chat.out.startswith("Good evening, Ana.\nRemembered.\n  job: baker\n")
    assert "scripted" in chat.out
    assert "/nope is not a command" in chat.err
    assert json.loads(result.out)["text"] == "Good evening, Ana."
    with almario.open(home) as soul:
        turns = soul.sessions.turns("cli:main")
    assert [turn.text for turn in turns if turn.role == "user"] == ["Hello", "And you?"]


def test_programs_that_speak_mcp_reach_the_agent_through_a_login(kept: Keeper) -> None:
    hooked(kept.here, "user-prompt", "Which harbours are there?")  # on the record, whatever was said before
    login = login_at(kept.here)
    call = CommandCall(str(kept.here), None, False, {})
    agents, lost = (elsewhere(call, each) for each in (login, login._replace(url=nowhere())))
    visitor = Visitor(lambda: agents.soul("default"))
    done = _done(visitor, Done("", name="remember", arguments={"fact": "The harbour is Cascais"}))
    found = _done(visitor, Done("", name="recall", arguments={"query": "harbour"}))
    agents.soul("default").close()
    failed = _done(Visitor(lambda: lost.soul("default")), done)
    lost.soul("default").close()

    assert (done.is_error, found.is_error, failed.is_error) == (False, False, True)
    assert "Cascais" in found.text
    assert "cannot be reached" in failed.text


def nowhere() -> str:
    """Return an address at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return f"http://127.0.0.1:{listening.getsockname()[1]}"


def test_logging_in_and_out_leaves_the_home_here_as_it_is(kept: Keeper, run: Run, home: Path) -> None:
    run("init")
    run("remember", "boat: the Gaviota")
    before = files_in(home / "agents")
    token = Tokens(Souls(kept.home)).create("laptop", scope="admin")

    result = run("login", kept.url, stdin=f"{token}\n")
    assert (result.code, result.out) == (
        0,
        f"Logged in to {kept.url} since {today()}; the agent is default.\n",
    )
    assert (home / "login.json").stat().st_mode & 0o777 == 0o600
    run("remember", "car: a red one")
    assert "a red one" in run("recall", "car").out
    assert run("recall", "boat").out == "Nothing comes to mind.\n"
    assert token not in run("login").out + run("doctor").out + run("login", "--json").out
    assert f"✓ server: {kept.url}, since {today()}; the agent is Alma (default)\n" in run("doctor").out

    Tokens(Souls(kept.home)).revoke("laptop")
    gone = run("recall", "car")
    assert (gone.code, gone.err) == (
        2,
        f'Error: {kept.url} does not accept this token; "almario login {kept.url}" takes another\n',
    )
    assert run("logout").out == f"Logged out of {kept.url}; the home on this machine is used again.\n"
    assert not (home / "login.json").exists()
    assert files_in(home / "agents") == before
    assert "the Gaviota" in run("recall", "boat").out
    assert run("logout").out == "Not logged in.\n"


def files_in(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def today() -> str:
    return almario.wiring.utc_now().date().isoformat()


def test_the_environment_names_a_server_for_a_script(kept: Keeper, run: Run, monkeypatch: Any) -> None:
    monkeypatch.setenv("ALMARIO_SERVER", kept.url)
    monkeypatch.setenv("ALMARIO_TOKEN", token_of(kept.home))

    assert run("goals").out == kept.reached(run, "goals").out
    assert run("login").out == f"Logged in to {kept.url} since -; the agent is default.\n"


class Other(StreamRequestHandler):
    """A server that is not one of Almario's."""

    def handle(self) -> None:
        self.rfile.readline()
        self.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi")


def test_what_hinders_a_login_is_told_in_one_sentence(
    kept: Keeper, run: Run, monkeypatch: Any, home: Path
) -> None:
    other = TCPServer(("127.0.0.1", 0), Other)
    threading.Thread(target=other.serve_forever, args=(0.01,), daemon=True).start()
    lost = nowhere()
    ours = f"http://127.0.0.1:{other.server_address[1]}"
    wrong = {
        (kept.url, "alm_wrong"): f"{kept.url} does not accept this token",
        (kept.url, "alm_→"): f"{kept.url} does not accept this token",
        (lost, "alm_1"): f'{lost} cannot be reached; is "almario serve" running there?',
        (ours, "alm_1"): f"{ours} is a server, but not one of Almario's",
        ("soul.example.org", "alm_1"): '"soul.example.org" is not the address of a server',
        ("http://soul.example.org", "alm_1"): "over http, anybody on the way could read your token",
        ("http://127.example.org", "alm_1"): "over http, anybody on the way could read your token",
        ("http://user:pw@[::1", "alm_1"): "is not the address of a server",
        ("https://" + ours[7:], "alm_1"): "does not speak https",
        (kept.url, ""): "the token is missing",
    }
    for (url, token), why in wrong.items():
        result = run("login", url, *(["--token", token] if token else []))
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1), result
        assert why in result.err
    nobody = run("login", kept.url, "--token", token_of(kept.home), "--agent", "nobody")
    monkeypatch.setattr(stand_in, "__version__", "99.1.0")
    skewed = run("login", kept.url, "--token", token_of(kept.home))
    other.shutdown()
    other.server_close()

    assert (nobody.code, 'no agent "nobody"' in nobody.err) == (2, True)
    assert (skewed.code, "install the same version on both" in skewed.err) == (2, True)
    assert login_of(str(home)) is None


def test_without_a_server_commands_say_so_within_a_second(home: Path, run: Run, monkeypatch: Any) -> None:
    lost = nowhere()
    keep_login(home, Login(lost, "alm_1", since="2026-11-16"))
    unreached = run("recall", "boat")
    assert stand_in._CONNECT < 1
    monkeypatch.setattr(stand_in, "_CONNECT", 0.05)
    monkeypatch.setattr(stand_in, "getaddrinfo", lambda *_: threading.Event().wait())
    unfound = run("recall", "boat")
    fields = Login(lost, "alm_1")._asdict()
    damaged = ["{", "[" * 100_000, *(json.dumps(fields | {name: 5}) for name in fields)]

    how = 'try again when it is back, or "almario logout" to use the home on this machine'
    assert unreached.err == unfound.err == f"Error: {lost} cannot be reached; {how}\n"
    for text in damaged:
        (home / "login.json").write_text(text)
        assert "cannot be read" in run("recall", "boat").err, text[:80]
    assert run("logout").out == "Not logged in.\n"
    assert login_of(str(home)) is None


def test_a_certificate_that_nobody_vouches_for_is_pinned(tmp_path: Path, run: Run, home: Path) -> None:
    if not shutil.which("openssl"):
        pytest.skip("openssl makes the certificates")
    first, second = certificate(tmp_path, "first"), certificate(tmp_path, "second")
    almario.create(tmp_path / "there").close()
    port = int(nowhere().rpartition(":")[2])
    with serving(tmp_path / "there", None, place=ServerPlace("127.0.0.1", port, *first)) as url:
        token = token_of(tmp_path / "there")
        refused = run("login", url, "--token", token)
        shown = re.findall(r"fingerprint is (\S+),", refused.err)
        trusted = run("login", url, "--token", token, "--trust", *shown)
        read = run("soul", "show")
        said = hooked(home, "user-prompt", "Where does the Gaviota lie?")
    with serving(tmp_path / "there", None, place=ServerPlace("127.0.0.1", port, *second)):
        changed = run("soul", "show")
        waits = hooked(home, "user-prompt", "And the Albatros?")

    assert (refused.code, len(shown)) == (2, 1)
    assert (trusted.code, read.code, said) == (0, 0, "")
    assert (changed.code, changed.out) == (2, "")
    assert changed.err.startswith(f"Error: {url} shows another certificate than the one you trusted")
    assert "does not answer" in waits


def test_a_fingerprint_to_trust_holds_where_the_system_trusts_the_server_already(
    tmp_path: Path, run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not shutil.which("openssl"):
        pytest.skip("openssl makes the certificates")
    made = certificate(tmp_path, "known")
    monkeypatch.setenv("SSL_CERT_FILE", made[0])
    shown = hashlib.sha256(ssl.PEM_cert_to_DER_cert(Path(made[0]).read_text())).hexdigest()
    almario.create(tmp_path / "there").close()
    with serving(tmp_path / "there", None, place=ServerPlace("127.0.0.1", 0, *made)) as url:
        (token := tmp_path / "token").write_text(token_of(tmp_path / "there"))
        wrong = run("login", url, "--token-file", str(token), "--trust", "00:" * 31 + "00")
        known = run("login", url, "--token", "-", stdin=token.read_text())
        assert (wrong.code, known.code, known.err) == (2, 0, "")
        of_system = login_at(home).certificate
        right = run("login", url, "--token-file", "-", "--trust", shown, stdin=token.read_text())

    assert right.code == 0
    assert wrong.err.startswith(f"Error: {url} has another certificate than the one to trust: its SHA-256")
    assert (of_system, login_at(home).certificate) == ("", Path(made[0]).read_text())


def test_a_token_that_is_missing_or_given_twice_is_told(kept: Keeper, run: Run, tmp_path: Path) -> None:
    (empty := tmp_path / "token").write_text("\n")

    missing = run("login", kept.url, "--token-file", str(empty))
    twice = run("login", kept.url, "--token", "alm_1", "--token-file", str(empty))

    assert (missing.code, missing.err.partition(";")[0]) == (2, "Error: the token is missing")
    assert (twice.code, twice.err) == (2, "Error: give the token once: with --token, or with --token-file\n")


def test_the_token_of_a_login_in_the_keyring_goes_to_its_server_alone(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring = Ring()
    monkeypatch.setattr(logins, "ask_keyring", ring)
    ours = Login("https://one.example", "alm_1")
    keep_login(home, ours)
    monkeypatch.setenv("ALMARIO_SERVER", "https://two.example")
    elsewhere = login_of()
    monkeypatch.delenv("ALMARIO_SERVER")
    own = login_of(str(home))
    ring.kept = {TOKEN: "alm_0"}  # as it was kept without its server
    older = login_of(str(home))
    (home / "login.json").write_text((home / "login.json").read_text().replace("one.example", "two.example"))
    changed = login_of(str(home))

    assert [each.token for each in (elsewhere, own, older, changed) if each] == ["", "alm_1", "alm_0", ""]
    end_login(home)
    assert login_of(str(home)) is None


class Ring:
    """A keyring."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def __call__(self, verb: str, root: Path, name: str, *given: str) -> str:
        if verb == "set_password":
            self.kept[name] = given[0]
        return str((self.kept.pop if verb == "delete_password" else self.kept.get)(name, ""))


def certificate(folder: Path, name: str) -> tuple[str, str]:
    """Make a certificate that signs itself; return its file and its key's."""
    made, key = str(folder / f"{name}.pem"), str(folder / f"{name}.key")
    how = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=almario"]
    how += ["-addext", "subjectAltName=IP:127.0.0.1"]
    command = ["openssl", "req", *how, "-days", "2", "-keyout", key, "-out", made]
    subprocess.run(command, check=True, capture_output=True)
    return made, key


def hooked(home: Path, event: str, text: str = "", *, session: str = "s1") -> str:
    """Call a hook on a machine that is logged in, and return what it prints."""
    content = recorded("claude-code", event, text, session=session, folder=BOAT)
    return away.run(HookQuestion(event, str(home), ref=f"{event} {text}"), content, login_at(home), {})


def waiting(home: Path) -> int:
    return len(logins.waiting(home, login_at(home)))


def login_at(home: Path) -> Login:
    found = login_of(str(home))
    assert found is not None
    return found


def test_what_hooks_hear_without_a_server_is_delivered_once_in_its_order(
    tmp_path: Path, run: Run, spawn: Run, monkeypatch: Any
) -> None:
    there, here = tmp_path / "there", tmp_path / "here"
    almario.create(there).close()
    place = ServerPlace("127.0.0.1", int(nowhere().rpartition(":")[2]))
    monkeypatch.setattr(away, "_PATIENCE", 30)
    with serving(there, None, place=place) as url:
        keep_login(here, Login(url, token_of(there)))
        hooked(here, "user-prompt", "One")
    silent, notice = hooked(here, "stop", "Two"), hooked(here, "user-prompt", "Three")
    told = recorded("claude-code", "stop", "Four", session="s1", folder=BOAT).decode()
    process = spawn("hook", "stop", "--home", str(here), stdin=told)
    begun = hooked(here, "session-start", session="s2")
    assert (process.code, process.out, silent, waiting(here)) == (0, "", "", 3)
    assert all("waits here, and is delivered when it is back" in each for each in (notice, begun))
    assert "Waiting to be delivered: 3" in run("--home", str(here), "doctor").out
    with serving(there, None, place=place):
        posted = away._posted

        def cut(login: Login, path: str, body: Any) -> bytes:
            posted(login, path, body)  # it has come to its end there, and nobody here hears of it
            raise ConnectionResetError

        with monkeypatch.context() as lost:
            lost.setattr(away, "_posted", cut)
            hooked(here, "user-prompt", "Five")
        assert waiting(here) == 4
        monkeypatch.setenv("ALMARIO_EMBEDDER_NAME", "none")
        hooked(here, "stop", "Six")
        hooked(here, "stop", "Six")
        assert waiting(here) == 0
    with almario.open(there) as soul:
        [view] = soul.sessions.list()
        turns = [turn.text for turn in soul.sessions.turns(view.session) if turn.role != "system"]

    assert turns == ["One", "Two", "Three", "Four", "Five", "Six"]


def test_a_server_that_keeps_silent_holds_up_no_hook(tmp_path: Path, monkeypatch: Any) -> None:
    assert away._PATIENCE < 0.7  # the rest of a second is for the process
    monkeypatch.setattr(away, "_PATIENCE", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it lets in, and never answers
        keep_login(tmp_path, Login(f"http://127.0.0.1:{silent.getsockname()[1]}", "alm_1"))
        notice = hooked(tmp_path, "user-prompt", "Off the record: I am tired.")
        answered = hooked(tmp_path, "stop", "Rest, then.")

    assert "does not answer: what you say waits here" in json.loads(notice)["systemMessage"]
    assert (answered, waiting(tmp_path)) == ("", 2)


@contextmanager
def lying(head: str, content: str, home: Path) -> Iterator[Login]:
    """Let a home be logged in to a server that says the same whatever it is asked."""
    told = f"HTTP/1.0 200 OK\r\n{head}\r\nContent-Length: {len(content)}\r\n\r\n{content}"

    class Liar(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.wfile.write(told.encode())

    with listening(TCPServer(("127.0.0.1", 0), Liar)) as address:
        keep_login(home, login := Login(address, "alm_1"))
        yield login


@each_row(
    "kind, content",
    [
        ("application/json", "5"),
        ("application/json", "[" * 200_000),
        ("text/event-stream", "event: problem\ndata: [1]\n\n"),
    ],
)
def test_an_answer_that_is_none_is_one_sentence_and_what_waits_stays(
    kind: str, content: str, tmp_path: Path
) -> None:
    head = f"Almario-Version: {almario.__version__}\r\nContent-Type: {kind}"
    late = Late("stop", "s1", "Heard.", "r1", almario.wiring.utc_now())
    with lying(head, content, tmp_path) as login:
        HomeSpool(Path(login.waiting(tmp_path)), "default").add(late)
        with pytest.raises(AlmarioError), stand_in.away(login) as soul:
            soul.recall("Michi")
        with suppress(ValueError, OSError):  # as any that is no JSON
            away._request(tmp_path, login, {"agent": "default"})

    assert waiting(tmp_path) == 1


def test_what_waits_for_one_server_is_told_to_no_other(kept: Keeper, tmp_path: Path) -> None:
    keep_login(tmp_path, Login(nowhere(), "alm_1"))
    hooked(tmp_path, "user-prompt", "This is between me and the first.")
    keep_login(tmp_path, Login(kept.url, "alm_wrong"))
    refused = hooked(tmp_path, "user-prompt", "This waits for a token.", session="s9")
    keep_login(tmp_path, Login(kept.url, token_of(kept.home)))
    hooked(tmp_path, "stop", "Heard.", session="s9")

    assert "does not accept this token" in refused
    with almario.open(kept.home) as soul:
        texts = [turn.text for view in soul.sessions.list() for turn in soul.sessions.turns(view.session)]
    assert "This is between me and the first." not in texts
    assert {"This waits for a token.", "Heard."} <= set(texts)


def test_what_a_server_refuses_for_good_is_set_aside_and_the_rest_goes_on(
    tmp_path: Path, run: Run, monkeypatch: Any
) -> None:
    there, here = tmp_path / "there", tmp_path / "here"
    almario.create(there).close()
    place = ServerPlace("127.0.0.1", int(nowhere().rpartition(":")[2]))
    url = f"http://127.0.0.1:{place.port}"
    keep_login(here, Login(url, "alm_1"))
    for text in ("One", "x" * 3000, "Two"):
        hooked(here, "stop", text)
    HomeSpool(Path(login_at(here).waiting(here)), "nobody").add(late("For whom?"))
    monkeypatch.setenv("ALMARIO_SERVE_MAX_BODY", "3000")
    with serving(there, None, place=place):
        keep_login(here, Login(url, token_of(there)))
        command = run("--home", str(here), "recall", "boat")  # the others go on, whoever is not there
        doctor = run("--home", str(here), "doctor").out
        HomeSpool(Path(login_at(here).waiting(here)), "default").add(late("y" * 3000))
        told = hooked(here, "user-prompt", "Three")
    with almario.open(there) as soul:
        [view] = soul.sessions.list()
        turns = [turn.text for turn in soul.sessions.turns(view.session) if turn.role != "system"]
    aside = logins.refused(here, login_at(here))
    keep_login(here, login_at(here))

    assert turns == ["One", "Two", "Three"]
    assert f"{url} refused 1 of what waited here" in command.err
    assert f"{url} refused 1 of what waited here" in json.loads(told)["systemMessage"]
    assert "Refused by the server, and set aside: 1" in doctor
    assert len(aside) == 2
    assert (waiting(here), logins.refused(here, login_at(here))) == (3, [])  # one is nobody's


def late(text: str) -> Late:
    return Late("stop", "s1", text, text[:9], almario.wiring.utc_now())


def test_what_a_passing_fault_of_the_server_refuses_waits_on(tmp_path: Path, run: Run) -> None:
    there, here = tmp_path / "there", tmp_path / "here"
    almario.create(there).close()
    own = there / "agents" / "default" / "agent.toml"
    for fault in ("[recall]\nlimit = 'many'\n", "]"):
        own.write_text(fault)
        with serving(there, None) as url:
            keep_login(here, Login(url, token_of(there)))
            HomeSpool(Path(login_at(here).waiting(here)), "default").add(late(fault))
            run("--home", str(here), "recall", "boat")
            hooked(here, "user-prompt", fault)
            assert (waiting(here), logins.refused(here, login_at(here))) == (2, [])
            own.unlink()
            run("--home", str(here), "recall", "boat")
            assert waiting(here) == 0


def test_a_file_of_the_agents_at_fault_is_not_the_messages(kept: Keeper, monkeypatch: Any) -> None:
    def damaged(*_: object) -> None:
        raise DocumentError("{path} cannot be read", path="SOUL.md")

    monkeypatch.setattr(Companion, "_keep_late", damaged)
    with pytest.raises(DocumentError), stand_in.away(login_at(kept.here)) as soul:
        soul.companion.keep([late("One")])


@each_row("damaged", ["{", "", "[]", '{"url": 5}', None])
def test_what_a_hook_hears_with_a_login_that_cannot_be_read_waits_for_the_next(
    damaged: str | None, kept: Keeper, tmp_path: Path, run: Run
) -> None:
    home = Path(tempfile.mkdtemp(dir=tmp_path))
    (home / "login.json").mkdir() if damaged is None else (home / "login.json").write_text(damaged)
    session = home.name
    text = f"Off the record: {session}"
    words = [
        recorded("claude-code", "user-prompt", each, session=session, folder=BOAT) for each in ("Hm", text)
    ]
    said = [run("hook", "user-prompt", "--home", str(home), stdin=each.decode()) for each in words]
    if damaged is None:
        (home / "login.json").rmdir()
    keep_login(home, Login(kept.url, token_of(kept.home)))
    left = waiting(home)
    done = run("--home", str(home), "recall", "boat")

    assert "login.json cannot be read: what you say waits here until" in said[0].out
    assert "off the record" in said[1].out
    assert (left, done.err, waiting(home)) == (2, "", 0)
    with almario.open(kept.home) as soul:
        [view] = [each for each in soul.sessions.list() if session in each.session]
        assert "Hm" in [turn.text for turn in soul.sessions.turns(view.session)]


@each_row("how", ["away", "damaged", "logged out"])
def test_what_is_off_the_record_waits_no_longer_than_its_session(how: str, tmp_path: Path, run: Run) -> None:
    home = Path(tempfile.mkdtemp(dir=tmp_path))
    keep_login(home, Login(nowhere(), "alm_1"))
    if how == "damaged":
        (home / "login.json").write_text("{")

    def hook(event: str, text: str = "", session: str = "s1") -> None:
        told = recorded("claude-code", event, text, session=session, folder=BOAT)
        assert run("hook", event, "--home", str(home), stdin=told.decode()).code == 0

    for text in ("Off the record: taken back", "keep", "Off the record: mine", "Plain"):
        hook("user-prompt", text)
    hook("user-prompt", "Off the record: goes on", "s2")
    if how == "logged out":
        end_login(home)
    hook("session-end")

    left = "".join(path.read_text() for path in home.glob("away/*/spool/*"))
    assert [each in left for each in ("taken back", "mine", "Plain", "goes on")] == [True, False, True, True]


def test_what_is_off_the_record_and_refused_for_good_is_not_set_aside(tmp_path: Path) -> None:
    keep_login(tmp_path, Login(nowhere(), "alm_1"))
    hooked(tmp_path, "user-prompt", "Off the record: mine")
    login = login_at(tmp_path)

    logins.deliver(tmp_path, login, lambda *_: [])

    assert [*tmp_path.glob("away/*/spool/*")] == []


def test_the_token_is_in_the_keyring_of_the_system_if_there_is_one(home: Path, monkeypatch: Any) -> None:
    ring: dict[str, str] = {}

    def asked(verb: str, root: Path, name: str, *given: str) -> str | None:
        if verb == "set_password":
            ring[name] = given[0]
        return ring.pop(name, "") if verb == "delete_password" else ring.get(name)

    monkeypatch.setattr(logins, "ask_keyring", asked)
    keep_login(home, Login("http://localhost:1", "alm_secret"))

    assert "alm_secret" not in (home / "login.json").read_text()
    assert login_at(home).token == "alm_secret"
    end_login(home)
    assert (ring, login_of(str(home))) == ({}, None)

"""The `claude` program, asked once for each answer; its own tools are off and it keeps no session."""

import contextlib
import json
import os
import re
import selectors
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

from almario.adapters.addresses import CallLimits
from almario.adapters.llm.failures import cut, rate_limited
from almario.adapters.llm.message_shapes import COUNTED, count, noted, sound, system_of
from almario.adapters.llm.patience import Patience
from almario.adapters.llm.spoken import Listening, spoken
from almario.domain.messages import sentence_of
from almario.domain.talk import Ask, Message, Reply, Usage
from almario.errors import LLMUnavailable
from almario.ports import Hear

PROGRAM = "claude"
_FLAGS = (
    "-p",
    *("--output-format", "stream-json", "--verbose", "--include-partial-messages"),
    *("--tools", ""),
    *("--setting-sources", ""),
    "--strict-mcp-config",
    "--disable-slash-commands",
    "--no-session-persistence",
)
# One that is set where we run would make the program believe that it runs within itself.
_NOT_PASSED_ON = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT")
# Whatever hooks it has are silent: what we ask it is no conversation.
_NO_HOOKS = {"ALMARIO_HOOKS_ENABLED": "false"}
_GRACE = 0.5
_LINGER = 2.0
# Seconds; a program that was just installed starts slowly.
_LONGEST_CHECK = 10.0
_LOGIN = r"/login|log ?in\b|logged|api key|authenticat|oauth|\b401\b"
_LIMIT = r"limit reached|rate limit|usage limit|overloaded|\b(429|529)\b"
_NO_MODEL = r"issue with the selected model|model.{0,40}(not exist|not found)"
_OLD = r"unknown option|unknown argument|unrecognized"
_STOPS = {"max_tokens": "length", "refusal": "refused"}
_LAST = "Above is the conversation so far. Write the assistant's next message, and only its text."


class ClaudeCliLLM:
    """Asks the `claude` program of whoever runs this; tools are told, and called, in words."""

    def __init__(
        self,
        model: str = "",
        limits: CallLimits | None = None,
        *,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        self._model = model
        self._limits = limits or CallLimits()
        self._environment = environment
        self._is_logged_in: bool | None = None

    @property
    def model(self) -> str:
        return f"claude-cli/{self._model}" if self._model else "claude-cli"

    def is_available(self) -> bool:
        """Return whether the program is there and says that it is logged in; it is asked once."""
        if self._is_logged_in is None:
            program = self._program()
            self._is_logged_in = bool(program) and self._says_logged_in(program)
        return self._is_logged_in

    def reply(self, ask: Ask, hear: Hear | None = None) -> Reply:
        """Return the answer; *hear* gets its text as it comes."""
        program = self._program()
        if not program:
            sentence = "the program claude is not installed; install it, or choose another with llm.model"
            raise LLMUnavailable(sentence, passes=False)
        prompt = spoken(ask)
        listening = Listening(hear)
        # The folder is also where the program runs, so that it finds no project of its own to read.
        with TemporaryDirectory(prefix="almario-", ignore_cleanup_errors=True) as folder:
            reply = self._answered(program, prompt, Path(folder), listening)
        return listening.close(reply)

    def _program(self) -> str:
        return shutil.which(PROGRAM, path=self._environment.get("PATH", os.defpath)) or ""

    def _says_logged_in(self, program: str) -> bool:
        # Older ones take "auth status" for a question; they do not know --json, and refuse it all.
        command = [program, "auth", "status", "--json"]
        try:
            said = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=self._passed_on(),
                timeout=_LONGEST_CHECK,
                check=False,
            )
            return _object(json.loads(said.stdout)).get("loggedIn") is True
        except (OSError, subprocess.TimeoutExpired, ValueError, RecursionError):
            return False

    def _passed_on(self) -> dict[str, str]:
        return {n: value for n, value in self._environment.items() if n not in _NOT_PASSED_ON} | _NO_HOOKS

    def _answered(self, program: str, ask: Ask, folder: Path, hear: Hear) -> Reply:
        system, errors = (folder / name for name in ("system.md", "errors"))
        # In files, because other users see the arguments of a program, and they may not be this long.
        system.write_text(system_of(ask, with_schema=True) or " ", encoding="utf-8")
        command = [program, *_FLAGS, "--system-prompt-file", str(system)]
        command += ["--model", self._model] if self._model else []
        gathered = _Gathered(self.model)
        # One without a name: whoever is killed leaves nothing of what was said.
        with TemporaryFile() as stdin, errors.open("wb") as stderr:
            stdin.write(_prompt(sound(noted(ask).messages)).encode())
            stdin.seek(0)
            try:
                process = subprocess.Popen(
                    command,
                    stdin=stdin,
                    stdout=subprocess.PIPE,
                    stderr=stderr,
                    cwd=folder,
                    env=self._passed_on(),
                    start_new_session=True,
                )
            except OSError as exc:
                why = sentence_of(exc)
                raise LLMUnavailable("the program claude cannot be started: {why}", why=why) from None
            with _ended(process):
                patience = Patience(self._limits.timeout)
                for line in self._lines(process, patience):
                    words = gathered.words
                    text = gathered.take(line)
                    if gathered.words > words:
                        patience.word()
                    if text:
                        with patience.paused():
                            hear(text)
                    if gathered.is_whole:
                        break
                # It may have a login to renew before it goes; what it has started may never go.
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(_LINGER)
            code = process.returncode
        if gathered.is_whole and not gathered.failed:
            if rest := gathered.unheard():
                hear(rest)
            return gathered.reply()
        complaint = gathered.failed or errors.read_text(errors="replace")
        raise self._failure(complaint, code, began=gathered.began)

    def _lines(self, process: subprocess.Popen[bytes], patience: Patience) -> Iterator[bytes]:
        """Yield what the program writes, line by line, unless it is silent for too long."""
        assert process.stdout is not None
        pipe = process.stdout.fileno()
        pending = b""
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            while (left := patience.left()) and selector.select(left):
                piece = os.read(pipe, 65536)
                *lines, pending = (pending + piece).split(b"\n")
                yield from lines
                if not piece:
                    yield pending
                    return
        raise patience.end(self.model)

    def _failure(self, complaint: str, code: int, *, began: bool) -> LLMUnavailable:
        """Return what is wrong; the program's own words are looked at and never told: they may quote ours."""
        complaint = complaint.lower()
        if re.search(_LOGIN, complaint):
            sentence = "the program claude is not logged in; run claude once, and log in"
            return LLMUnavailable(sentence, passes=False)
        if re.search(_LIMIT, complaint):
            return rate_limited(PROGRAM)
        if re.search(_NO_MODEL, complaint):
            sentence = "the program claude has no model {model}; correct llm.model"
            return LLMUnavailable(sentence, passes=False, model=self._model)
        if re.search(_OLD, complaint):
            return LLMUnavailable("the program claude is too old; run: claude update", passes=False)
        if began and not code:
            return cut(self.model)
        sentence = "the program claude ended with an error ({code}); run claude once, and see what it says"
        return LLMUnavailable(sentence, code=code)


@contextlib.contextmanager
def _ended(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """See to it that the program and what it started are gone after the block, however it ends."""
    try:
        yield
    finally:
        if process.poll() is None:
            _signal(process, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_GRACE)
        _signal(process, signal.SIGKILL)  # for what it has started, even if it is gone itself
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def _prompt(messages: list[Message]) -> str:
    """Return a conversation as one text; who speaks stands in marks that nobody in it can know."""
    if len(messages) == 1:
        return messages[0].text
    mark = f"turn-{os.urandom(4).hex()}"
    turns = [f'<{mark} from="{each.role}">\n{each.text}\n</{mark}>' for each in messages]
    return "\n".join([*turns, "", _LAST])


class _Gathered:
    """Takes the program's lines in."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._heard = False
        self._whole: list[str] = []
        self._stop = ""
        self._result: Mapping[str, Any] = {}
        self.words = 0
        self.began = False
        self.is_whole = False
        self.failed = ""

    def take(self, line: bytes) -> str:
        """Take a line in; return the text to be heard. What is no JSON object is not for us."""
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            return ""
        kind = found.get("type") if isinstance(found, dict) else ""
        self.began = self.began or kind in ("assistant", "stream_event")
        if kind == "stream_event":
            return self._take_event(_object(found.get("event")))
        if kind == "assistant":
            blocks = _object(found.get("message")).get("content")
            texts = [_object(each).get("text") for each in (blocks if isinstance(blocks, list) else ())]
            self._whole += [text for text in texts if isinstance(text, str)]
            self.words += len("".join(self._whole).strip())
        elif kind == "result":
            self.is_whole = True
            self._result = found
            if found.get("is_error") or found.get("subtype") != "success":
                self.failed = f"{found.get('result') or found.get('subtype') or 'error'}"
        return ""

    def _take_event(self, event: Mapping[str, Any]) -> str:
        delta = _object(event.get("delta"))
        self._stop = str(delta.get("stop_reason") or self._stop)
        text, thought = (delta.get(name) for name in ("text", "thinking"))
        self.words += sum(len(each.strip()) for each in (text, thought) if isinstance(each, str))
        text = text if delta.get("type") == "text_delta" else ""
        if not isinstance(text, str) or not text:
            return ""
        self._heard = True
        return text

    def unheard(self) -> str:
        """Return the text of an answer that did not come in pieces."""
        if self._heard:
            return ""
        return "".join(self._whole) or str(self._result.get("result") or "")

    def reply(self) -> Reply:
        usage = _object(self._result.get("usage"))
        fresh, written, read, output = (count(usage.get(name)) for name in COUNTED)
        cost = self._result.get("total_cost_usd")
        paid = float(cost) if isinstance(cost, int | float) and cost >= 0 else None
        usage_of_call = Usage(fresh + written + read, output, read, paid)
        return Reply("", (), self._model, usage_of_call, _STOPS.get(self._stop, "end"))


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}

"""Transcripts of Claude Code and Codex, line by line: who said what, and what was done with which outcome.

Hooks read the end of one when the model stops; an import reads all that there are. What these programs put
there for themselves (prompts as sent, what hooks said, files that were read) is passed over by its type.
"""

import json
from collections.abc import Callable, Iterable, Iterator

from almario.domain.acts import Act, Call, changed_line, run_act
from almario.importing.fields import Fields
from almario.named_tuples import NamedTuple
from almario.text.calls import call_in, within

# What these programs say in their user's place.
NOISE = (
    "<command-",
    "<local-command-",
    "<system-reminder>",
    "<environment_context>",
    "<user_instructions>",
    "<permissions",
    "<INSTRUCTIONS>",
    "# AGENTS.md",
    "Caveat: The messages below",
)
# A hook that is asked when the model stops reads no more than this of the end of a transcript.
LATEST = 4 * 2**20
ROLES = ("user", "assistant")


class TranscriptForm(NamedTuple):
    """How a program's transcript is read: whether a line is one of its own, its message, and its acts.

    The folder is the project's, which stands before its paths.
    """

    is_ours: Callable[[Fields], bool]
    message: Callable[[Fields], Fields | None]
    acts: Callable[[Iterable[Fields], str], Iterator[Act]]


def lines_of(content: bytes) -> Iterator[Fields]:
    """Yield the objects that the lines of a transcript are; what is none is passed over."""
    for number, line in enumerate(content.splitlines(), 1):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield Fields(value, str(number))


def _of_claude_code(line: Fields) -> Fields | None:
    # Others of its lines have messages, too: those sent with each request, once more.
    is_said = line.text("type") in ("", *ROLES) and not line["isSidechain"] and not line["isMeta"]
    return line.inner("message") if is_said and line.inner("message").all else None


def _acts_of_claude_code(lines: Iterable[Fields], folder: str) -> Iterator[Act]:
    """Yield what was done, in order, each when its outcome stands there; looking around is nothing done."""
    begun: dict[str, tuple[Call, Fields]] = {}
    for line in lines:
        for part in (_of_claude_code(line) or Fields()).every("content"):
            if part["type"] == "tool_use" and (
                call := call_in(part.text("name"), part.inner("input").all, folder)
            ):
                begun[part.text("id")] = (call, part.inner("input"))
            elif part["type"] == "tool_result" and (found := begun.pop(part.text("tool_use_id"), None)):
                yield from _act_of_claude_code(line, part, *found)


def _act_of_claude_code(line: Fields, part: Fields, call: Call, given: Fields) -> Iterator[Act]:
    name, failed, at = part.text("tool_use_id"), part["is_error"] is True, line.instant("timestamp")
    if call.kind == "run" and (failed or not call.only_looks):
        result = line.inner("toolUseResult")
        streams = list(filter(None, (result.text("stdout"), result.text("stderr"))))
        shown = part.text("content") or "\n".join(each.text("text") for each in part.every("content"))
        yield run_act(name, call.line, "\n".join(streams) or shown, failed=failed, at=at)
    elif call.kind == "edit" and not failed:  # an edit that found no place changed nothing
        first = next(iter(given.every("edits")), given)
        old, new = first.text("old_string"), first.text("new_string", "new_source")
        is_small = old or len(new.splitlines()) == 1
        yield Act(name, "edit", call.path, change=changed_line(old, new) if is_small else ("", ""), at=at)


def _of_codex(line: Fields) -> Fields | None:
    payload = line.inner("payload")
    is_message = line["type"] == "response_item" and payload["type"] == "message"
    return payload if is_message else None


def _acts_of_codex(lines: Iterable[Fields], folder: str) -> Iterator[Act]:
    for line in lines:
        item = line.inner("payload").inner("item")
        if line.inner("payload")["type"] != "item_completed":
            continue
        name, at = item.text("id"), line.instant("timestamp")
        if item["type"] == "CommandExecution":
            failed = item["exit_code"] not in (0, None)
            call = call_in("shell", {"command": item.listed("command")}, folder)
            if call and (failed or not call.only_looks):
                yield run_act(name, call.line, item.text("aggregated_output"), failed=failed, at=at)
        elif item["type"] == "FileChange" and item["status"] != "failed":
            for n, (path, change) in enumerate(item.inner("changes").all.items()):
                diff = Fields(change).text("unified_diff").splitlines()
                gone, came = ("\n".join(each[1:] for each in diff if each.startswith(sign)) for sign in "-+")
                first = changed_line(gone, came) if gone else ("", "")
                yield Act(f"{name}.{n}", "edit", within(path, folder), change=first, at=at)


def _is_claude_code(line: Fields) -> bool:
    return "sessionId" in line and "message" in line


def _is_codex(line: Fields) -> bool:
    return "payload" in line and line["type"] in ("session_meta", "response_item")


FORMS = {
    "claude-code": TranscriptForm(_is_claude_code, _of_claude_code, _acts_of_claude_code),
    "codex": TranscriptForm(_is_codex, _of_codex, _acts_of_codex),
}

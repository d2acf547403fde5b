"""The chat's /commands. Most are the commands of the shell, with the chat's own soul."""

import os
import shlex
from collections.abc import Callable, Iterator, Sequence

import click

from almario.apps.cli.common import tell, text_of
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_table
from almario.apps.cli.spanish_words import called, command_for
from almario.apps.repl import screens
from almario.apps.repl.conversation import ChatConversation
from almario.domain.model import MODES, checked_mode
from almario.domain.plain_text import nearest
from almario.errors import SoulError
from almario.text.forms import REMEMBER, forms_in

_HELP = {
    "help": "List the commands, or explain one.",
    "soul": "Show who the agent is (SOUL.md), or another of its files.",
    "goals": "List or change its goals.",
    "about": "Show what your agent knows about you, or about somebody.",
    "memory": "List what is remembered.",
    "remember": "Remember something.",
    "forget": "Forget something, by its id, its key or in words.",
    "off": "Go off the record: what follows is not written down.",
    "on": "Go back on the record.",
    "keep": "Put back on the record what was taken off it, or use what may be a secret.",
    "recall": "Search your memory.",
    "plans": "List what is coming up.",
    "log": "Show what was noted today, or write a line there.",
    "why": "Explain why something is believed.",
    "undo": "Undo the latest change, or another by its line; again to go further back.",
    "share": "Share a memory with others, by its id.",
    "people": "List who has spoken with your agent, and what they may hear.",
    "sessions": "List the conversations.",
    "clear": "Learn from this conversation, and start over.",
    "flush": "Learn from conversations now.",
    "mode": "Show or change the mode.",
    "model": "Show which model talks and which one learns, or choose another.",
    "prompt": "Show the prompt, section by section.",
    "improve": "Say what should change, and get it as a proposal.",
    "proposals": "List the changes that the agent proposes to its soul.",
    "accept": "Accept a proposed change.",
    "reject": "Reject a proposed change.",
    "reflect": "Have the agent reflect on its days.",
    "cost": "Show what the models have cost.",
    "file": "Attach a text file to your next message.",
    "quit": "Leave.",
}
_ALIASES = {"exit": "quit", "q": "quit", "?": "help", "h": "help"}
# Those whose command of the shell has another name, and what some are given if nothing is typed.
_SHELL = {
    "soul": "soul show",
    "why": "memory why",
    "share": "memory share",
    "accept": "proposals accept",
    "reject": "proposals reject",
}
_UNLESS_TYPED = {"soul": ("SOUL",), "prompt": ("--explain",), "about": ("me",)}
# Of those that the chat has its own of, these take what the shell's take.
_AS_IN_SHELL = ("flush", "keep")
_AS_IT_STANDS = ("remember", "improve", "log")
# A document of more bytes than these would leave no room for anything else.
_LARGEST = 200_000


def names() -> Iterator[tuple[str, str, Sequence[str]]]:
    """Yield each command with what it does and what it may be followed by."""
    choices: dict[str, Sequence[str]] = {"mode": MODES, "help": list(_HELP)}
    for name, does in _HELP.items():
        yield f"/{called(name)}", _(does), choices.get(name, ())


def as_typed(line: str) -> str:
    """Return how a command of the shell is typed in the chat: `/undo 3`; itself if it cannot be."""
    rest = line.removeprefix("almario ")
    for name, shell in _SHELL.items():
        if f"{rest} ".startswith(f"{shell} "):
            return f"/{called(name)}{rest.removeprefix(shell)}"
    name = rest.split()[0]
    is_here = name in _HELP and (name not in _OWN or name in _AS_IN_SHELL or rest == name)
    return f"/{called(name)}{rest.removeprefix(name)}" if is_here else line


def is_to_leave(text: str) -> bool:
    """Return whether a message is the word by which one leaves, typed without its slash."""
    word = text.strip().lower()
    return "quit" in (word, _ALIASES.get(word), command_for(word))


def run(chat: ChatConversation, line: str) -> None:
    """Do what a line that begins with a slash says."""
    word, *following = line[1:].split(maxsplit=1)
    name, rest = word.lower(), following[0].strip() if following else ""
    begun = [known for known in _HELP if known.startswith(name)]
    name = begun[0] if len(begun) == 1 else _ALIASES.get(name) or command_for(name) or name
    if name not in _HELP:
        if close := nearest(name, _HELP):
            raise SoulError(
                "/{name} is not a command; did you mean /{close}?", name=name, close=called(close)
            )
        raise SoulError("/{name} is not a command; /help lists them", name=name)
    if name in _OWN:
        _OWN[name](chat, rest)
    else:
        _shell(chat, name, _arguments(name, rest))


def _arguments(name: str, rest: str) -> list[str]:
    """Part what follows a command as the shell does; what is said in words is taken as it stands."""
    if name in _AS_IT_STANDS:
        return ["--", _fact_in(rest) if name == "remember" else rest] if rest else []
    try:
        return shlex.split(rest)
    except ValueError:  # an apostrophe, as in "Ana's cat"
        return rest.split()


def _fact_in(rest: str) -> str:
    """Return what is to be remembered without the word that joins it to the command: "that", "que"."""
    forms = (form for verb in ("remember", "recuerda") for form in forms_in(f"{verb} {rest}"))
    fact = next((form.text for form in forms if form.kind == REMEMBER), rest)
    return rest[rest.index(fact) :]


def _shell(chat: ChatConversation, name: str, arguments: Sequence[str]) -> None:
    given = list(arguments or _UNLESS_TYPED.get(name, ()))
    if name == "prompt" and chat.mode and "--mode" not in given:
        given = ["--mode", chat.mode, *given]
    context = click.get_current_context()
    command = context.command
    words = _SHELL.get(name, name).split()
    while words and isinstance(command, click.Group) and (found := command.get_command(context, words[0])):
        command = found
        words.pop(0)
    command.main([*words, *given], prog_name=f"/{called(name)}", standalone_mode=False, parent=context)


def _help(chat: ChatConversation, rest: str) -> None:
    name = rest.removeprefix("/").lower()
    name = name if name in _HELP else command_for(name)
    if name in _HELP and (name not in _OWN or name in _AS_IN_SHELL):
        _shell(chat, name, ["--help"])
    elif name in _HELP:
        click.echo(f"/{called(name)}  {_(_HELP[name])}")
    else:
        if rest:
            screens.note(_('there is no command "{name}"; there are:', name=rest))
        rows = [[click.style(each, fg="cyan"), does] for each, does, _choices in names()]
        print_table(rows, heads=["", ""])
        hint = 'In words: "remember that…", "forget…", "between us: …", "undo". Alt+Enter starts a new line.'
        click.secho("\n" + _(hint), dim=True)


def _clear(chat: ChatConversation, rest: str) -> None:
    chat.start_afresh()
    screens.done(_("restarted"))


def _flush(chat: ChatConversation, rest: str) -> None:
    own = ["--session", chat.session] if chat.soul.sessions.turns(chat.session, last=1) else []
    _shell(chat, "flush", _arguments("flush", rest) or own)


def _mode(chat: ChatConversation, rest: str) -> None:
    chat.mode = checked_mode(rest) if rest else chat.mode
    current = chat.mode or chat.soul.prompt().mode
    click.echo(" · ".join(click.style(mode, bold=True) if mode == current else mode for mode in MODES))


def _model(chat: ChatConversation, rest: str) -> None:
    if rest.split()[:1] == ["choose"]:
        _shell(chat, "model", _arguments("model", rest))
        screens.note(_("The chat uses it from its next start."))
        return
    models = chat.soul.model_names
    tell(models.told)
    if models.talk:
        rows = [[_("talks"), models.talk], [_("learns"), models.background or "-"]]
        print_table(rows, heads=["", ""])
    if rest:
        screens.note(_('"almario --set llm.model={name} chat" uses another model just this once', name=rest))


def _file(chat: ChatConversation, rest: str) -> None:
    if not (given := _arguments("file", rest)):
        raise SoulError("name a file, as in /file notes.txt")
    name, *words = given
    path = os.path.abspath(os.path.expanduser(name))
    if not os.path.isfile(path):
        raise SoulError("{file} is not a file; try /file notes.txt", file=name)
    if os.path.getsize(path) > _LARGEST:
        raise SoulError(
            "{file} is too long for a message; the limit is {most} bytes", file=name, most=_LARGEST
        )
    chat.attached.append(f"{name}\n\n{text_of(path)}")
    if words:
        chat.talk(" ".join(words))
    else:
        screens.note(_("{file} goes with your next message", file=name))


def _off(chat: ChatConversation, rest: str) -> None:
    chat.soul.off_record(chat.session)
    screens.done(_("off the record until /on: what you say is not written down and is gone when you leave"))


def _on(chat: ChatConversation, rest: str) -> None:
    chat.soul.off_record(chat.session, off=False)
    screens.done(_("back on the record"))


def _keep(chat: ChatConversation, rest: str) -> None:
    """Bring back what the last notice took out: off the record, or as it may be a secret."""
    if rest or not chat.put_back():
        _shell(chat, "keep", _arguments("keep", rest))


def _quit(chat: ChatConversation, rest: str) -> None:
    chat.is_over = True


_OWN: dict[str, Callable[[ChatConversation, str], None]] = {
    "help": _help,
    "clear": _clear,
    "flush": _flush,
    "mode": _mode,
    "model": _model,
    "file": _file,
    "off": _off,
    "on": _on,
    "keep": _keep,
    "quit": _quit,
}

"""Where the chat takes place: what is typed there, and how an answer is shown as it comes."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from types import MappingProxyType
from typing import Protocol

import click

from almario.apps.cli.i18n import _, columns, folded
from almario.apps.cli.printing import harmless, one_line, print_diff, print_line
from almario.apps.cli.soul.proposal_commands import tell_doubts
from almario.domain.memories import OUT_OF_USE, Memory
from almario.domain.messages import CommandLine
from almario.domain.model import Hit
from almario.domain.plain_text import shortened
from almario.domain.proposal import Proposal
from almario.memory.rules.admission import is_guess
from almario.named_tuples import NamedTuple
from almario.soul import Soul

Hear = Callable[[str], None]
# What comes in one go and has more lines than these is a document, and no longer the owner's own words.
OWN_LINES = 5


class Typed(NamedTuple):
    """What the owner typed, and the documents that were pasted into it, which are others' words."""

    text: str
    pasted: tuple[str, ...] = ()


class Screen(Protocol):
    """Reads what the owner types and shows what the agent says; all else is printed as any command does."""

    @property
    def can_ask(self) -> bool:
        """Return whether somebody is there to answer a question."""

    def read(self) -> Typed | None:
        """Return the next thing typed that is not empty; None at the end."""

    def answer(self) -> AbstractContextManager[Hear]:
        """Show an answer: what is given to the function is shown as it comes."""

    def ask(self, question: str, choices: Sequence[str]) -> str:
        """Return the choice that was made, by its word or the beginning of it; else the last one."""


class Lines:
    """No terminal: each line of standard input is a message, answers are plain text on standard output."""

    can_ask = False

    def read(self) -> Typed | None:
        while line := sys.stdin.readline() if sys.stdin else "":
            if text := line.strip():
                return Typed(text)
        return None

    @contextmanager
    def answer(self) -> Iterator[Hear]:
        last = ""

        def hear(piece: str) -> None:
            nonlocal last
            if shown := harmless(piece):
                last = shown[-1]
                click.echo(shown, nl=False)

        try:
            yield hear
        finally:
            if last and last != "\n":
                click.echo()

    def ask(self, question: str, choices: Sequence[str]) -> str:
        return choices[-1]


class Mute(Lines):
    """Shows nothing: the answer is printed in another way."""

    @contextmanager
    def answer(self) -> Iterator[Hear]:
        yield lambda piece: None


def choose(question: str, choices: Sequence[str]) -> str:
    """Return the choice that was made, by its beginning; the last one for anything else, also for Ctrl-C."""
    lines = "\n".join(folded(question, columns() - len(": ")))
    try:
        reply = str(click.prompt(lines, default=choices[-1], show_default=False)).strip().lower()
    except click.Abort:
        click.echo()
        return choices[-1]
    return next((choice for choice in choices if reply and choice.lower().startswith(reply)), choices[-1])


# Of each thing recalled so much is named.
_GLANCE = 40


def note(text: str) -> None:
    """Say something beside the conversation."""
    print_line(text, lead="· ", dim=True, err=True)


def done(text: str) -> None:
    """Say what was done."""
    print_line(text, lead=click.style("✓ ", fg="green"), err=True)


def complain(sentence: str) -> None:
    """Say what went wrong; the chat goes on."""
    print_line(sentence, lead=click.style("✗ ", fg="red"), fg="red", err=True)


def tell_recalled(hits: Sequence[Hit]) -> None:
    """Name what was recalled for an answer."""
    words = (f"{hit.key}: {hit.text}" if hit.key else hit.with_mark(_(hit.mark_beside)) for hit in hits)
    texts = list(map(one_line, words))
    if texts:
        note(_("recalled: {what}", what=" · ".join(shortened(text, _GLANCE) for text in texts)))


def tell_memory(hits: Sequence[Hit]) -> None:
    """Say that an answer is the memory's and no model's."""
    if hits:
        note(_("from your memory"))


def tell_learned(
    soul: Soul, lines: Mapping[str, int], replaced: Mapping[str, Memory] = MappingProxyType({})
) -> None:
    """Say what one lesson taught, by the lines that did, and how to undo it.

    What is out of use by now is no news, nor that something was summed up.
    """
    learned = [memory for memory in map(soul.memory.get, lines) if _is_news(memory)]
    for memory in learned:
        _tell_learned(memory, replaced.get(memory.id))
    if learned:
        note(_('"{undo}" undoes it', undo=CommandLine(f"almario undo {lines[learned[0].id]}")))


def _is_news(memory: Memory) -> bool:
    return memory.kind != "summary" and memory.state not in OUT_OF_USE


def _tell_learned(memory: Memory, before: Memory | None) -> None:
    if memory.origin == "untrusted":
        note(_("kept apart, untrusted: {what}", what=one_line(memory.label)))
    elif is_guess(memory):
        note(_("kept as a guess: {what}", what=one_line(memory.label)))
    else:
        was = f" ({_('before')}: {one_line(before.value)})" if before else ""
        done(_("learned: {what}", what=one_line(memory.label) + was))


def settle_proposal(soul: Soul, ask: Callable[[str, Sequence[str]], str], proposal: str) -> None:
    """Show a proposed change, and ask for an answer."""
    found = soul.proposals.get(proposal)
    show_proposal(found)
    choices = (_("accept"), _("reject"), _("later"))
    answer = ask(_("Accept, reject or later? [a/r/L]"), choices)
    if answer == choices[0]:
        tell_answered(soul.proposals.accept(found.id))
    elif answer == choices[1]:
        tell_answered(soul.proposals.reject(found.id))
    else:
        tell_answered(found)


def show_proposal(found: Proposal) -> None:
    """Show what a proposal would change, and why."""
    file, reason = found.file or _("memory"), one_line(_(found.reason))
    print_line(_("The agent proposes a change to {file}: {reason}", file=file, reason=reason))
    tell_doubts(found)
    print_diff(found.diff, brief=True)


def tell_answered(found: Proposal) -> None:
    """Say what became of a proposal."""
    file = found.file or _("memory")
    if found.state == "accepted":
        done(_("accepted: {file} was changed", file=file))
    elif found.state == "rejected":
        done(_("rejected: {file} stays as it is", file=file))
    elif found.state == "refused":
        complain(_("refused: {why}", why=found.why))
    else:
        ways = {verb: CommandLine(f"almario proposals {verb} {found.id}") for verb in ("accept", "reject")}
        sentence = _('Waiting for your answer: "{accept}" or "{reject}".', **ways)
        print_line(sentence, lead="· ", dim=True, err=True)  # a cut id is none

"""`almario exam`: what the agent still knows of what it was told."""

from datetime import date

import click

from almario.apps.cli.arguments import SINCE
from almario.apps.cli.common import CommandCall, flag, make_command, takes, tell
from almario.apps.cli.i18n import _, word
from almario.apps.cli.memory.screens import short
from almario.apps.cli.printing import one_line, print_fitted, print_line
from almario.domain.events import ExamMark
from almario.domain.plain_text import shortened
from almario.domain.soul_models import PastExam
from almario.domain.vocabulary import EXAM_MARKS, EXAM_WAYS
from almario.upkeep.rules.exam import MOST, Exam, ExamQuestion

_COLOURS: dict[ExamMark, str] = {"known": "green", "silent": "green", "missed": "yellow", "wrong": "red"}
_SHOWN = 160


@make_command(
    "exam",
    "Ask questions about what you told your agent, and show what it knows, misses and has wrong. The same "
    "day asks the same questions; nothing is learned from them.",
    "almario exam",
    "almario exam --again",
    "almario exam --ask --questions 10",
)
@takes("--questions", "How many.", type=click.IntRange(1, MOST), default=20, show_default=True, metavar="N")
@takes("--since", "Only about what was learned from this day on.", type=SINCE, metavar=_("DATE"))
@flag("--ask", "Ask the agent itself, too: its model answers from memory, without tools.")
@flag("--again", "Ask what the last exam asked.")
def exam(call: CommandCall, questions: int, since: date | None, ask: bool, again: bool) -> None:
    soul = call.soul()
    taken = soul.exam(questions, since=since, ask=ask, again=again)
    tell(taken.told)
    if not call.gave_json(taken):
        _print(taken, soul.exams[-1])


def _print(taken: Exam, kept: PastExam) -> None:
    made = _("in the words of {model}", model=taken.model) if taken.model else _("made by rule")
    print_line(_("Exam of {day}, {made}.", day=taken.day, made=made))
    print_line(_("Recall: {marks}", marks=_summary(kept, agent=False)))
    if any(each.agent for each in taken.questions):
        print_line(_("Agent: {marks}", marks=_summary(kept, agent=True)))
    click.echo()
    numbered = list(enumerate(taken.questions, 1))
    heads = ["", _("Result"), _("About"), _("Asked by"), _("Question")]
    print_fitted([[str(n), *_row(each)] for n, each in numbered], heads=heads)
    failed = [(n, each) for n, each in numbered if {"missed", "wrong"} & {each.recall, each.agent}]
    for n, each in failed:
        expected = each.answer or _("nothing: nothing is known of this")
        rows = {_("expected"): expected, _("came first"): each.first or _("nothing"), _("agent"): each.reply}
        click.echo(f"\n{n}. {one_line(each.question)}  {short(each.about)}")
        for name, text in rows.items():
            if text:
                print_line(shortened(one_line(text), _SHOWN), lead=f"   {name}: ")
    if failed:
        sentence = (
            'What was missed: "almario remember" it in the words you would ask with, or let a model write '
            'cues for it ("almario memory tidy"); then "almario exam --again". '
            '"almario memory why ID" shows what a memory is based on.'
        )
        click.echo()
        print_line(_(sentence), dim=True)


def _row(each: ExamQuestion) -> list[str]:
    marks = (
        click.style(word(mark, EXAM_MARKS), fg=_COLOURS[mark]) for mark in (each.recall, each.agent) if mark
    )
    return [" / ".join(marks), short(each.about), word(each.way, EXAM_WAYS), each.question]


def _summary(kept: PastExam, *, agent: bool) -> str:
    counts = ((mark, kept.count(mark, agent=agent)) for mark in _COLOURS)
    marks = ", ".join(f"{word(mark, EXAM_MARKS)} {count}" for mark, count in counts if count)
    score = kept.score(agent=agent)
    return marks if score is None else f"{marks} ({score:.0%})"

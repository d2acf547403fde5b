"""Letting wait what a hook was told: what was off the record stays so, and the owner hears of it."""

import os
from collections.abc import Callable

from almario.domain.late import Late
from almario.domain.messages import CommandLine, say
from almario.ports import Spool
from almario.text.forms import NEXT, OFF, forms_in


def waiting_notice(language: str) -> str:
    """Tell the owner at once that what they said off the record waits, and how to have it kept."""
    notice = say(language, "off the record: this is erased when the session ends")
    back = say(language, '"{keep}" brings it back until then', keep=CommandLine("keep"))
    return f"{notice}; {back}"


def write_down(spool: Spool, late: Late, fit_to_keep: Callable[[str], str]) -> bool:
    """Let something wait in a spool, without secrets, if that is wanted; say whether it is off the record.

    Its words can be had again until the session ends, so they wait, too; those of an answer to it do not.
    """
    said = (late.session, "user-prompt")
    waiting = spool.waiting() if late.event == "stop" else ()
    earlier = [each for each in waiting if (each.session, each.event) == said]
    is_answer = bool(earlier)
    is_off = any(form.kind in (OFF, NEXT) and form.text for form in forms_in(late.text))
    off = earlier[-1].off if is_answer else late.event == "user-prompt" and is_off
    text = "" if off and is_answer else fit_to_keep(late.text)
    spool.add(late._replace(text=text, ref=late.ref or os.urandom(8).hex(), off=off))
    return off and not is_answer

"""The chat: messages and commands are taken one after another until the owner leaves."""

import re

import click

from almario.apps.cli import root
from almario.apps.cli.birth.newcomer import title
from almario.apps.cli.common import ChatSoul, left_in_order, tell
from almario.apps.cli.i18n import _, refusal
from almario.apps.cli.printing import one_line
from almario.apps.daemon.bounds import spare_memory
from almario.apps.repl import commands, screens
from almario.apps.repl.conversation import ChatConversation
from almario.apps.repl.screens import Lines, Screen, Typed
from almario.domain.messages import naming
from almario.domain.plain_text import regex
from almario.domain.words import sentences_in
from almario.errors import AlmarioError, LLMError
from almario.soul import Soul
from almario.text.timewords import undated

# So many things that are at most so many days ahead are told when the chat opens.
_FEW, _SOON = 2, 1
# A command's name has no second slash, so that a path can begin a message.
_COMMAND = regex(r"/[^\W\d_?][\w-]*(?=\s|$)|/[?](?=\s|$)", re.IGNORECASE)


class Chat(ChatConversation):
    """A conversation in which commands can be typed."""

    def run(self) -> None:
        """Talk until the owner leaves or the input ends."""
        spare_memory()
        around = click.get_current_context(silent=True)
        # Commands that are typed here find the open soul in the context.
        inside = click.Context(
            root(), info_name="", obj=ChatSoul(self.soul), color=around.color if around else None
        )
        with inside, naming(commands.as_typed):
            self.soul.memory.erase_taken_back(self.session)  # of a chat that was killed
            if self.screen.can_ask:
                self._greet()
            if self.can_learn:
                self.soul.learning.want_left()
            while not self.is_over:
                self.tell_news()
                typed = self.screen.read()
                if typed is None:
                    break
                self.take(typed)
            self.leave()

    def take(self, typed: Typed) -> None:
        """Do a command or answer a message; what goes wrong is told in a sentence."""
        try:
            with left_in_order(self.soul):
                self._take(typed)
        except BrokenPipeError:
            raise
        except LLMError as exc:
            self.tell_reason(refusal(exc))
        except (AlmarioError, OSError) as exc:
            screens.complain(refusal(exc))
        except click.ClickException as exc:
            # Options have no names here.
            screens.complain(exc.message if type(exc) is click.BadParameter else exc.format_message())
        except (KeyboardInterrupt, click.Abort):
            screens.note(_("Stopped."))

    def _take(self, typed: Typed) -> None:
        if _COMMAND.match(typed.text):
            commands.run(self, typed.text)
            return
        if commands.is_to_leave(typed.text):
            self.is_over = True
            return
        self.talk(typed.text, typed.pasted)

    def _greet(self) -> None:
        click.echo(title(self.soul))
        models = self.soul.model_names
        hint = _("/help lists the commands, /off keeps out what follows, Ctrl-D leaves.")
        click.secho(f"{models.talk} · {hint}" if models.talk else hint, dim=True)
        if models.talk.startswith("local/"):
            screens.note(_("It runs on this machine; the first answer may take a minute."))
        if models.talk:  # else the first answer says how to get one
            tell(models.told)
        self._tell_of_the_night()
        if not self.soul.sessions.list():
            screens.note(_('"almario serve" shows your agent in a browser.'))
        click.echo()

    def _tell_of_the_night(self) -> None:
        soul = self.soul
        soul.visit(door="chat")
        found = soul.news(limit=1)
        parts = [_("learned {count}", count=found.total)] if found.since and found.total else []
        if waiting := len(soul.proposals.list()):
            parts.append(_("1 proposal") if waiting == 1 else _("{count} proposals", count=waiting))
        plans = [plan for plan in soul.memory.plans() if plan.away >= 0]
        soon = [plan for plan in plans if plan.away <= _SOON and plan.how_far][:_FEW]
        texts = [undated(one_line(plan.memory.value), plan.today) for plan in soon]
        parts += [f"{text} ({_(plan.how_far or '')})" for text, plan in zip(texts, soon, strict=True)]
        if soon and len(plans) > len(soon):
            parts.append(_("and {count} more", count=len(plans) - len(soon)))
        if parts:
            screens.note(" · ".join(parts))
        night = soul.reflection.latest()
        if found.since and night and night.day >= found.since.date():
            wrote = [line for line in night.entry.splitlines() if line[:1].isalpha()]
            for sentence in sentences_in(wrote[0])[:1] if wrote else ():
                screens.note(one_line(sentence))


def screen_for(soul: Soul, session: str, *, at_terminal: bool) -> Screen:
    """Return where a chat takes place: at the terminal, or from a pipe.

    The arrow keys bring back what the owner said in this session: the
    transcript is the one place where that is kept.
    """
    if not at_terminal:
        return Lines()
    from almario.apps.repl.terminal import Terminal  # noqa: PLC0415 - 230 ms, and only at a terminal

    turns = soul.sessions.window(session).turns
    history = [turn.text for turn in turns if turn.role == "user" and turn.origin == "owner"]
    return Terminal(commands.names, history)

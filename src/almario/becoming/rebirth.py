"""Making an agent anew from a draft."""

from almario.becoming.drafts import SoulDraft, files_of, with_goals
from almario.becoming.rules.locking import locked_spans
from almario.becoming.rules.motivations import LAST_REFLECTION, OBSERVATIONS
from almario.domain.documents.headings import section_body, with_section
from almario.domain.documents.lines import is_blank, without_comments
from almario.domain.messages import Sentence
from almario.domain.soul_events import FILES
from almario.errors import SoulError
from almario.ports import Store

_GENESIS = Sentence("genesis")


def reborn(vault: Store, draft: SoulDraft) -> None:
    """Put a draft in the place of an agent's soul, as its owner's change.

    What was there stays in the history. USER.md is left alone, goals are only
    added, and what the agent has observed of itself stays. A soul with a
    locked section is not replaced.
    """
    wanted = files_of(draft)
    with vault.writing() as write:
        before = {name: vault.read(name) for name in (*FILES, "GOALS.md")}
        for name in FILES:
            if locked_spans(before[name].text):
                raise SoulError("{file} has a locked section; unlock it first", file=name)
        for title in (OBSERVATIONS, LAST_REFLECTION):
            kept = section_body(before["MOTIVATIONS.md"].text, title)
            if not is_blank(without_comments(kept)):
                wanted["MOTIVATIONS.md"] = with_section(wanted["MOTIVATIONS.md"], title, kept)
        if before["GOALS.md"].content is not None:
            wanted["GOALS.md"] = with_goals(before["GOALS.md"].text, draft.goals)
        for name, document in before.items():
            write.change_soul(document, wanted[name], actor="owner", reason=_GENESIS)

"""What is submitted waits, is accepted unasked, or is refused; once, and for a time."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

import almario
from almario.becoming.proposals import Proposals
from almario.becoming.settings import ProposalSettings
from almario.domain.documents.headings import with_section
from almario.domain.proposal import Draft
from almario.domain.turns import Utterance
from almario.errors import ConfigError, EditConflict, SoulError
from almario.memory.rules.admission import Proposed
from almario.ports import Store
from almario.soul import Soul
from almario.store.folder import FolderWrite
from almario.testing import FixedClock
from tests.tables import each_row

pytestmark = pytest.mark.light

MORE = "\nLately I notice that I ask fewer questions than I would like to ask.\n"
LOCKED = "\n<!-- locked -->\nI never lie.\n<!-- /locked -->\n"
Kill = Callable[[str], None]


def adding(text: str = MORE, **more: Any) -> Draft:
    return Draft("SOUL.md", lambda now: now + text, "It suits me")._replace(**more)


def focus(body: str = "- Trains.", title: str = "Current Focus", **more: Any) -> Draft:
    edit = partial(with_section, title=title, body=body)
    return Draft("MOTIVATIONS.md", edit, "News", unasked=True)._replace(**more)


@pytest.fixture
def vault(soul: Soul) -> Store:
    return soul._vault


@pytest.fixture
def proposals(soul: Soul, vault: Store) -> Callable[..., Proposals]:
    """Make proposals with settings of one's own."""

    def make(**settings: object) -> Proposals:
        return Proposals(vault, soul.memory, ProposalSettings(**settings))  # type: ignore[arg-type]

    return make


def test_what_breaks_a_rule_is_kept_with_the_reason_and_cannot_be_accepted(soul: Soul) -> None:
    before = soul.read("SOUL").content

    refused = soul.proposals.submit(Draft("SOUL", lambda _: "# HAL\n", "It is better", by="reflection"))

    assert (refused.state, refused.by, refused.until) == ("refused", "reflection", None)
    assert "30 %" in refused.why
    assert "+# HAL" in refused.diff
    assert soul.proposals.list() == []
    assert [p.id for p in soul.proposals.list(every=True)] == [refused.id]
    for answer in (soul.proposals.accept, soul.proposals.reject):
        with pytest.raises(SoulError, match="was refused: the file would lose"):
            answer(refused.id)
    assert soul.read("SOUL").content == before


def test_of_an_endless_text_only_the_beginning_is_kept(soul: Soul) -> None:
    refused = soul.proposals.submit(adding(f"{'x' * 99}\n" * 2_000))

    assert refused.state == soul.proposals.submit(adding("x" * 200_000)).state == "refused"
    assert len(refused.after) == 100_000


def test_half_a_character_stands_in_nobodys_way(soul: Soul) -> None:
    made = soul.proposals.submit(
        adding(f"{MORE}\ud83d\n", reason="so \ud83d", evidence=("\ud83d#1", "\ud83d"))
    )

    assert (made.state, made.reason, made.evidence) == ("open", "so \ufffd", ("\ufffd#1", "\ufffd"))
    assert made.after.endswith("\ufffd\n")


def test_a_lock_that_came_later_is_not_broken_by_what_was_proposed_before(soul: Soul) -> None:
    text = soul.read("SOUL").text
    proposal = soul.proposals.propose("SOUL", text.replace("I pay attention.", "I look away."), reason="x")
    soul.write(soul.read("SOUL"), f"<!-- locked -->\n{text}<!-- /locked -->\n")

    with pytest.raises(EditConflict, match="locked"):
        soul.proposals.accept(proposal.id)

    assert "I pay attention." in soul.read("SOUL").text


def test_a_section_that_the_settings_name_changes_unasked(soul: Soul) -> None:
    before = soul.read("MOTIVATIONS").text

    done = soul.proposals.submit(focus(by="reflection"))

    assert done.state == "accepted"
    assert soul.read("MOTIVATIONS").text == with_section(before, "Current Focus", "- Trains.")
    version = soul.history("MOTIVATIONS")[-1]
    assert (version.actor, version.reason) == ("agent", f"proposal accepted: {done.id} News")
    soul.restore("MOTIVATIONS", "1")
    assert soul.read("MOTIVATIONS").text == before


def test_the_settings_say_what_changes_unasked(proposals: Callable[..., Proposals]) -> None:
    assert proposals(accept="").submit(focus()).state == "open"
    assert proposals(accept="open QUESTIONS").submit(focus("- Ships.")).state == "open"
    assert proposals(accept="current  FOCUS").submit(focus("- Kites.")).state == "accepted"


@pytest.mark.folder
@pytest.mark.parametrize(
    "value", ["Core Drives", "Current Focus, core drives", "## Core  Drives", "**core drives**"]
)
def test_a_setting_that_names_core_drives_is_an_error(soul: Soul, value: str) -> None:
    (soul.path / "agent.toml").write_text(f'[proposals]\naccept = "{value}"\n')

    with pytest.raises(ConfigError, match="Core Drives, which never changes without asking"):
        almario.open(soul.path.parent.parent)


BOUNDS = "# Soul\n\nI like tea and maps.\n\n## Boundaries\n\n- I never share secrets.\n- I never lie.\n"
WARNING = "a boundary would be removed, reworded or denied"


def warning_of(soul: Soul, before: str, after: str) -> str:
    soul.write(soul.read("SOUL"), before)
    return soul.proposals.submit(Draft("SOUL.md", lambda _: after, "News")).warning


@each_row("boundary", ["", "I share secrets.", "I rarely share secrets.", "I keep what I am told to myself."])
def test_a_boundary_that_is_gone_or_has_other_words_is_told_before_a_yes(soul: Soul, boundary: str) -> None:
    assert warning_of(soul, BOUNDS, BOUNDS.replace("I never share secrets.", boundary)) == WARNING


@each_row(("boundary", "permission"), [("I never lie.", "I lie."), ("Nunca miento.", "Miento.")])
def test_so_is_one_that_stands_beside_its_contrary(soul: Soul, boundary: str, permission: str) -> None:
    before = BOUNDS.replace("I never lie.", boundary)

    assert warning_of(soul, before, before.replace("maps.", f"maps. {permission}")) == WARNING


@each_row("title", ["Límites", "My limits", "Red lines", "Reglas", "What I never do"])
def test_boundaries_are_known_by_many_names(soul: Soul, title: str) -> None:
    before = BOUNDS.replace("Boundaries", title)

    assert warning_of(soul, before, before.replace("- I never lie.\n", "")) == WARNING


def test_there_is_no_warning_of_a_boundary_that_moves_or_comes_or_of_other_words(soul: Soul) -> None:
    moved = BOUNDS.replace("- I never share secrets.\n", "").replace("maps.", "maps. I never share secrets.")

    for after in (moved, f"{BOUNDS}- I never shout.\n", BOUNDS.replace("tea and maps", "coffee and books")):
        assert warning_of(soul, BOUNDS, after) == ""


def test_a_boundary_that_the_owner_gave_up_is_warned_of_no_more(soul: Soul) -> None:
    given_up = BOUNDS.replace("- I never lie.\n", "")
    waiting = soul.proposals.submit(Draft("SOUL.md", lambda now: f"{now}\nI like trains.\n", "News"))
    soul.write(soul.read("SOUL"), BOUNDS)
    soul.write(soul.read("SOUL"), given_up)

    assert soul.proposals.get(waiting.id).warning == ""
    assert warning_of(soul, given_up, given_up.replace("maps", "trains")) == ""


def test_what_would_go_unasked_waits_where_it_breaks_a_boundary(
    proposals: Callable[..., Proposals], soul: Soul
) -> None:
    limits = proposals(accept="My limits")
    document = soul.read("MOTIVATIONS")
    soul.write(document, with_section(document.text, "My limits", "- I never lie.\n"))

    waiting = limits.submit(focus("- I lie.", "My limits"))

    assert (waiting.state, waiting.warning) == ("open", WARNING)
    assert limits.submit(focus("- I never lie.\n- I rest.", "My limits")).state == "accepted"


def test_a_file_that_changes_while_a_proposal_is_made_is_taken_as_it_is_then(
    soul: Soul, reopened: Callable[[], Soul]
) -> None:
    def slow(now: str) -> str:
        if "By hand." not in now:  # takes the lock, which nobody may hold meanwhile
            other = reopened()
            other.write(other.read("SOUL"), other.read("SOUL").text + "\nBy hand.\n")
        return now + MORE

    made = soul.proposals.submit(Draft("SOUL.md", slow, "It suits me"))

    assert made.state == "open"
    assert made.before.endswith("\nBy hand.\n")
    assert made.after.endswith("\nBy hand.\n" + MORE)


@pytest.mark.folder
def test_a_file_that_never_stops_changing_is_given_up(soul: Soul) -> None:
    def busy(now: str) -> str:
        (soul.path / "SOUL.md").write_text(soul.read("SOUL").text + "More.\n")
        return now + MORE

    with pytest.raises(EditConflict, match="keeps changing"):
        soul.proposals.submit(Draft("SOUL.md", busy, "It suits me"))


def test_a_reflection_patches_the_soul_once_in_the_owners_day(soul: Soul, clock: FixedClock) -> None:
    by = "reflection"
    small = soul.proposals.submit(adding("Short.\n", by=by))
    first = soul.proposals.submit(adding(by=by, id="aaaa0001"))
    second = soul.proposals.submit(adding(MORE.upper(), by=by, id="aaaa0002"))

    assert [small.state, first.state, second.state] == ["refused", "open", "refused"]
    assert "once a day" in second.why
    assert soul.proposals.submit(adding(by=by, id="aaaa0001")).state == "open"
    soul.proposals.rewrite(first.id, first.after + "In my words.\n")
    assert soul.proposals.submit(adding(MORE.title(), by="reflection")).state == "refused"
    assert soul.proposals.submit(adding(MORE * 2, by="improve")).state == "open"
    clock.advance(days=1)
    assert soul.proposals.submit(adding(MORE.title(), by="reflection")).state == "open"


def test_a_proposal_expires_and_is_then_not_accepted(soul: Soul, clock: FixedClock) -> None:
    proposal = soul.proposals.submit(adding())
    assert proposal.until == clock.now + timedelta(days=30)

    clock.advance(days=30)

    assert soul.proposals.get(proposal.id).state == "expired"
    assert soul.proposals.list() == []
    for answer in (soul.proposals.accept, soul.proposals.reject):
        with pytest.raises(SoulError, match="has expired"):
            answer(proposal.id)
    assert "questions" not in soul.read("SOUL").text
    assert soul.proposals.submit(adding()).id != proposal.id


@pytest.fixture
def killed(monkeypatch: pytest.MonkeyPatch) -> Kill:
    """Be killed in the middle of the next acceptance, before the file is written or after."""

    def arm(where: str) -> None:
        rewrite = FolderWrite.change_soul

        def dies(self: FolderWrite, *args: object, **kwargs: object) -> None:
            monkeypatch.setattr(FolderWrite, "change_soul", rewrite)
            if where == "after":
                rewrite(self, *args, **kwargs)  # type: ignore[arg-type]
            raise KeyboardInterrupt

        monkeypatch.setattr(FolderWrite, "change_soul", dies)

    return arm


@pytest.mark.parametrize("where", ["before", "after"])
def test_killed_in_the_middle_it_is_finished_by_the_same_draft_and_never_done_twice(
    soul: Soul, reopened: Callable[[], Soul], killed: Kill, where: str
) -> None:
    draft = focus(id="feed0001")
    killed(where)
    with pytest.raises(KeyboardInterrupt):
        soul.proposals.submit(draft)

    states = [reopened().proposals.submit(draft).state for _ in range(3)]

    again = reopened()
    assert states == ["accepted"] * 3
    assert len(again.history("MOTIVATIONS")) == 2
    assert len(again.proposals.list(every=True)) == 1
    again.restore("MOTIVATIONS", "1")
    assert again.proposals.submit(draft).state == "undone"
    assert "Trains" not in again.read("MOTIVATIONS").text


def test_what_was_left_open_by_a_kill_is_asked_for_if_the_file_has_changed_since(
    soul: Soul, reopened: Callable[[], Soul], killed: Kill
) -> None:
    draft = focus(id="feed0001")
    killed("before")
    with pytest.raises(KeyboardInterrupt):
        soul.proposals.submit(draft)
    soul.write(soul.read("MOTIVATIONS"), soul.read("MOTIVATIONS").text + "\n## Mine\n")

    found = reopened().proposals.submit(draft)

    assert (found.state, found.rebased) == ("open", True)


def test_a_change_elsewhere_in_the_file_does_not_stand_in_the_way(soul: Soul) -> None:
    proposal = soul.proposals.submit(adding())
    mine = soul.read("SOUL").text.replace("I pay attention.", "I do pay attention.")
    soul.write(soul.read("SOUL"), mine)

    shown = soul.proposals.get(proposal.id)

    assert (shown.state, shown.rebased, shown.before) == ("open", True, mine)
    assert "+Lately I notice" in shown.diff
    assert "attention" not in "".join(line for line in shown.diff.splitlines() if line[:1] in "+-")
    assert soul.proposals.accept(proposal.id).state == "accepted"
    assert soul.read("SOUL").text == mine + MORE


def test_what_has_come_about_by_hand_and_more_is_accepted(soul: Soul) -> None:
    proposal = soul.proposals.submit(adding())

    soul.write(soul.read("SOUL"), soul.read("SOUL").text.replace("I pay", "I do pay") + MORE)

    assert soul.proposals.get(proposal.id).state == "accepted"


def test_the_owner_may_have_all_of_it_rewritten_and_is_warned(soul: Soul) -> None:
    pirate = "# Soul\n\nArr! Plunder, rum and a following wind.\n"

    proposal = soul.proposals.submit(Draft("SOUL", lambda _: pirate, "As you asked", by="chat"))

    assert proposal.state == "open"
    assert proposal.warning
    soul.proposals.accept(proposal.id)
    assert soul.read("SOUL").text == pirate


@pytest.mark.folder
def test_no_secret_of_a_models_is_kept_and_those_of_the_owner_stay(soul: Soul) -> None:
    card, other = "4111 1111 1111 1111", "5500 0000 0000 0004"
    soul.write(soul.read("SOUL"), soul.read("SOUL").text + f"\nMy card is {card}.\n")

    proposal = soul.proposals.submit(Draft("SOUL", lambda now: f"{now}\nTheirs is {other}.\n", f"As {other}"))

    assert f"My card is {card}.\n\nTheirs is [redacted:card].\n" in proposal.after
    assert not [
        path for path in soul.path.rglob("*") if path.is_file() and other in path.read_text("latin-1")
    ]
    soul.proposals.accept(proposal.id)
    with pytest.raises(SoulError, match="nothing would change"):
        soul.proposals.submit(Draft("SOUL", lambda now: now.replace("[redacted:card]", other), "x"))


def test_words_of_the_owners_that_break_a_rule_leave_the_proposal_as_it_was(soul: Soul) -> None:
    soul.write(soul.read("SOUL"), soul.read("SOUL").text + LOCKED)
    proposal = soul.proposals.submit(adding())

    with pytest.raises(SoulError, match="locked"):
        soul.proposals.rewrite(proposal.id, soul.read("SOUL").text.replace("never", "often"))

    assert soul.proposals.get(proposal.id) == proposal
    assert soul.proposals.rewrite(proposal.id, proposal.after) == proposal


@pytest.mark.folder
@pytest.mark.parametrize("first", [b"\n", b"\r\n"])
def test_line_endings_that_are_mixed_stay_as_they_are(soul: Soul, first: bytes) -> None:
    mixed = b"# Soul" + first + b"\r\nDry.\n<!-- locked -->\nI never lie.\r\n<!-- /locked -->"
    (soul.path / "SOUL.md").write_bytes(mixed)

    proposal = soul.proposals.submit(Draft("SOUL", lambda now: now.replace("Dry.", "Dry and kind."), "x"))

    soul.proposals.accept(proposal.id)
    assert soul.read("SOUL").content == mixed.replace(b"Dry.", b"Dry and kind.")


@pytest.fixture
def strangers(soul: Soul, vault: Store) -> dict[str, str]:
    """Things that a proposal can rest on, by where they come from."""
    turn = soul.memory.append(
        "cli:main", [Utterance("user", "hola", "owner"), Utterance("tool", "obey", "untrusted")]
    )
    vault.archive_turns("cli:main", 2)
    log = "# Memory Log: 2026-11-10\n\n- [09:00] Walked.\n- [10:00] [untrusted] Obey.\n  All of it.\n"
    (soul.path / "memory").mkdir(exist_ok=True)
    (soul.path / "memory" / "2026-11-10.md").write_text(log)
    (soul.path / "memory" / "2026-11-10.conflict-0a1b.md").write_text(log)
    (soul.path / "memory" / "2026-11-11.md").write_bytes(b"- [09:00] \xff\n")
    mine = soul.remember("drink: tea at five").memory
    assert mine
    return {
        "mine": mine.id,
        "own turn": turn[0].id,
        "stranger's turn": turn[1].id,
        "own entry": "memory/2026-11-10.md#3",
        "stranger's entry": "memory/2026-11-10.md#5",
        "whole log": "memory/2026-11-10.md",
        "page": "https://example.org/obey",
        "page, in words": "as it says on https://example.org/obey",
        "page, in short": "WWW.example.org",
        "turn, in spaces": f" {turn[1].id}\n",
        "findings": "memory/explored/2026-11-14.md#3",
        "findings, otherwise": "./Memory//Explored/2026-11-14.md",
        "last words": "memory/snapshots/2026-11-14.md",
        "nothing": "zzzz",
        "no turn": "cli:main#99",
        "no file": "memory/2020-01-01.md#1",
        "no name": "x" * 300 + "#1",
        "no number": "chat#" + "9" * 5000,
        "log, no line": "memory/2026-11-10.md#" + "9" * 5000,
        "copy of a log": "memory/2026-11-10.conflict-0a1b.md#5",
        "elsewhere": "../../other/soul.md",
        "unreadable": "memory/2026-11-11.md#1",
    }


@pytest.mark.folder
@each_row("what", ["mine", "own turn", "own entry", "nothing", "no turn", "no file", "no name", "no number"])
def test_evidence_of_ones_own_or_of_nothing_takes_no_trust_away(
    soul: Soul, strangers: dict[str, str], what: str
) -> None:
    done = soul.proposals.submit(focus(f"- Of {what}.", evidence=(strangers[what],)))

    assert (done.state, done.origin, done.evidence) == ("accepted", "agent", (strangers[what],))


@pytest.mark.folder
@each_row(
    "what",
    [
        *("stranger's turn", "stranger's entry", "whole log", "log, no line", "copy of a log", "page"),
        *("page, in words", "page, in short", "turn, in spaces", "findings", "findings, otherwise"),
        *("elsewhere", "unreadable", "last words"),
    ],
)
def test_what_rests_on_a_stranger_is_asked_for_and_never_touches_the_self(
    soul: Soul, strangers: dict[str, str], what: str
) -> None:
    evidence = (strangers["mine"], strangers[what])

    asked = soul.proposals.submit(focus(f"- Of {what}.", evidence=evidence))
    refused = soul.proposals.submit(adding(f"{MORE}Of {what}.\n", evidence=evidence))

    assert (asked.state, asked.origin) == ("open", "untrusted")
    assert (refused.state, refused.origin) == ("refused", "untrusted")


def test_what_rests_on_a_memory_is_trusted_no_more_than_it(soul: Soul) -> None:
    fact = Proposed("bank", "the bank is Evil Bank", origin="untrusted")
    strange = soul.memory.admit(fact, actor="agent").memory
    assert strange

    assert soul.proposals.submit(adding(evidence=(strange.id,))).state == "refused"
    vouched = soul.memory.change(strange.id, right=True)
    assert soul.proposals.submit(adding(evidence=(vouched.id,))).state == "open"

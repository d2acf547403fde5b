"""A home in which every text that people, models and strangers can write is a payload; and where it shows."""

from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import almario
from almario.domain.model import SOUL_FILES, Persona
from almario.domain.turns import transcript_name
from almario.errors import SoulError
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from proofs.browser.chromium import Site
from proofs.browser.pages import pages_of
from proofs.browser.payloads import PAYLOADS
from tests.apps.dashboard.lived import END

ALL_IN_ONE = "\n\n".join(f"- {each}" for each in PAYLOADS)
DAY = END.date()
SESSION = "app:said"
# So many of them are the evidence of one memory or proposal.
_TOGETHER = 20


class Place(NamedTuple):
    """Where payloads are written: the pages on which they stand, and how each of them reads there."""

    pages: Sequence[str]
    texts: Sequence[str] = PAYLOADS
    # Markdown makes some of them into something else, which is harmless too.
    least: int = len(PAYLOADS)


def poison(home: Path) -> None:
    """Make the home."""
    persona = Persona("en", PAYLOADS[0], "🕰️", PAYLOADS[15], PAYLOADS[20])
    given = {"settings": {"embedder.name": "none"}, "clock": FixedClock(END)}
    llm = ScriptedLLM(*PAYLOADS)
    with almario.create(home, persona=persona, llm=llm, **given) as soul:  # type: ignore[arg-type]
        with soul.memory.together():
            _said(soul)
            _learned(soul)
        for write in (_talked, _proposed, _soul_files, _logged):
            write(soul)
        soul.append("cli:main", "user", ALL_IN_ONE)
        soul.talk(ALL_IN_ONE, session="web:payloads")
    (home / "almario.toml").write_text('[embedder]\nname = "none"\n')
    _name_files(home / "agents" / "default")


def _said(soul: Soul) -> None:
    """Let it be said by everybody, in sessions that are called so too."""
    for payload in PAYLOADS:
        soul.append(SESSION, "user", payload)
        soul.append(SESSION, "user", payload, speaker=payload, origin="untrusted")
        soul.append(SESSION, "assistant", payload)
        soul.append(SESSION, "tool", payload)
        soul.append(session_called(payload), "user", payload)


def session_called(payload: str) -> str:
    """Return a session's key with as much of a payload in it as a file's name can hold."""
    line = payload.replace("\n", " ")
    for end in count(len(line), -1):
        try:
            transcript_name(session := f"app:{line[:end]}")
        except SoulError:
            continue
        return session
    raise AssertionError(payload)


def _learned(soul: Soul) -> None:
    """Let it be learned: of the owner, of strangers, for a day to come; and let some be forgotten."""
    for number, payload in enumerate(PAYLOADS):
        theirs = f"{SESSION}#{4 * number + 2}"
        soul.memory.learn(f"{number} {payload}", payload)
        soul.memory.learn(f"stranger {number} {payload}", payload, origin="untrusted", evidence=[theirs])
        coming = soul.memory.learn(f"coming {number}", payload).memory
        gone = soul.memory.learn(f"gone {number}", payload).memory
        if coming and gone:
            soul.memory.change(coming.id, when=f"2026-12-{number % 28 + 1:02}")
            soul.forget(gone.id)
    for first in range(0, len(PAYLOADS), _TOGETHER):
        turns = [f"{SESSION}#{4 * at + 1}" for at in range(first, first + _TOGETHER)]
        soul.memory.learn(f"together {first}", " ".join(PAYLOADS[first : first + _TOGETHER]), evidence=turns)


def _soul_files(soul: Soul) -> None:
    for number, payload in enumerate(PAYLOADS):
        soul.write(soul.read("TOOLS.md"), f"- {number}\n", reason=payload)
    sections = "\n".join(f"## {each}\n\n- {each}\n" for each in PAYLOADS)
    for file in SOUL_FILES:
        if file not in ("IDENTITY.md", "SOUL.md"):
            soul.write(soul.read(file), f"# {PAYLOADS[0]}\n\n{sections}\n", reason=PAYLOADS[20])


def _proposed(soul: Soul) -> None:
    """Let it be proposed and rejected, with reasons; the last proposals wait for an answer."""
    text = f"# {PAYLOADS[0]}\n\n## {PAYLOADS[15]}\n"
    soul.write(soul.read("SOUL.md"), text)
    for number, payload in enumerate(PAYLOADS):
        if number == len(PAYLOADS) - 3:
            text = f"{text}\n{ALL_IN_ONE}\n"
            soul.write(soul.read("SOUL.md"), text, reason=PAYLOADS[20])
        after = f"{text}\n- {number} {payload}\n"
        # A page of the web has no say in a soul.
        together = PAYLOADS[number : number + _TOGETHER] if number % _TOGETHER == 0 else ()
        evidence = [each for each in together if "https:" not in each]
        made = soul.proposals.propose("SOUL.md", after, reason=payload, evidence=evidence)
        if number < len(PAYLOADS) - 3:
            soul.proposals.reject(made.id, payload)


def _talked(soul: Soul) -> None:
    """Let the model be told it, and answer so."""
    for payload in PAYLOADS:
        soul.talk(payload, session="web:payloads")


def _logged(soul: Soul) -> None:
    for payload in PAYLOADS:
        soul.log(payload)


def _name_files(folder: Path) -> None:
    """Let files be called so too: notes, snapshots, journals, and what is none of ours among transcripts."""
    for number, payload in enumerate(PAYLOADS):
        text = f"# {payload}\n\n- note {number} {payload}\n"
        for place in ("memory", "memory/snapshots", "memory/reflections"):
            (folder / place).mkdir(exist_ok=True)
            named = f"{'' if place == 'memory' else f'{DAY}-'}{file_called(payload)} {number}.md"
            (folder / place / named).write_text(text)
        (folder / "sessions" / f"{file_called(payload)} {number}.txt").write_text(payload)


def file_called(payload: str) -> str:
    """Return a payload as far as a file can be called so."""
    return payload.replace("/", "∕").replace("\n", " ")[:60].strip()


def places_of(site: Site) -> Mapping[str, Place]:
    """Return where the payloads stand, by what they are there."""
    soul = site.soul
    own = [f"/memory/{each.id}" for each in soul.memory.list() if each.key.startswith("together")]
    proposals = [f"/soul/proposals/{each.id}" for each in soul.proposals.list(every=True) if each.evidence]
    count, sessions = len(PAYLOADS), [session_called(each) for each in PAYLOADS]
    lists = [f"/memory?offset={at}" for at in range(0, 3 * count, 40)]
    return {
        "memories": Place(lists),
        "keys": Place(lists, [f"{n} {each}" for n, each in enumerate(PAYLOADS)]),
        "a memory": Place(own),
        "evidence": Place(own),
        "strangers' words": Place([f"/memory?origin=untrusted&offset={at}" for at in range(0, count, 40)]),
        "found": Place([f"/memory?q={quote(each)}" for each in PAYLOADS[::8]], least=10),
        "notes' names": Place([f"/memory?q=note+{at}" for at in range(0, count, 2)], _file_names(), least=40),
        "coming up and gone": Place(["", "/memory?state=out"], least=5),
        "soul files": Place([f"/soul/{name.removesuffix('.md')}" for name in SOUL_FILES], least=60),
        "versions' reasons": Place([f"/soul/TOOLS/versions/{at}" for at in range(1, count + 1)]),
        "proposals' reasons": Place(["/soul", *(f"/soul?offset={at}" for at in range(0, count, 20))]),
        "a proposal": Place(proposals, least=60),
        "transcripts": Place([f"/talk/{SESSION}?turn={at}" for at in range(30, 4 * count + 30, 60)]),
        "sessions' names": Place([f"/talk?offset={at}" for at in (0, 30, 60)], [s[4:] for s in sessions]),
        "a session's name": Place(
            [f"/talk/{quote(session, safe='')}" for session in sessions[::4]],
            [s[4:] for s in sessions[::4]],
            20,
        ),
        "log": Place([f"/days/{DAY}"]),
        "journal and snapshots": Place([f"/days/{DAY}", "/days"], least=60),
        "files' names": Place([f"/days/{DAY}", "/care"], _file_names()),
        "everything else": Place([*pages_of(site).values(), "/care?doctor=1"], least=5),
    }


def _file_names() -> list[str]:
    return [file_called(each) for each in PAYLOADS]


# What must not be on a page: elements and attributes that we have nowhere, and addresses that run.
FOREIGN = """() => {
  const told = [];
  const NEVER = /^(img|image|iframe|object|embed|base|style|video|audio|math|marquee|xss|template)$/;
  const ours = 'link[href^="/assets/"], script[src^="/assets/"], meta[name], meta[charset]';
  for (const each of document.querySelectorAll("*")) {
    const name = each.localName;
    if (/^(script|link|meta)$/.test(name) && !each.matches(ours)) told.push(each.outerHTML);
    if (NEVER.test(name)) told.push(name);
    for (const { name: attribute, value } of each.attributes) {
      if (/^on|^style$|^srcdoc$|^data-evil$/.test(attribute)) told.push(`${name} ${attribute}`);
      const leads = /^(xlink:)?(href|src|action|formaction)$/.test(attribute);
      const runs = /^\\s*(javascript|data|vbscript):/i.test(value);
      if (leads && runs) told.push(`${name} ${attribute}=${value}`);
    }
  }
  return told;
}"""

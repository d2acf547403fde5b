"""`python -m benchmarks.seeds`: things that did not work once; what is typed, and what comes.

Through the public interface alone, without a model, or with a scripted one where the thing is a model's.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import almario
from almario import Soul
from almario.domain.plain_text import shortened
from almario.memory.rules.sources import places_of
from almario.testing import FixedClock, ScriptedLLM
from benchmarks.systems import WORDS_ONLY

MARTA = "Marta's surgery is at the Santa Elena clinic"
GREETINGS = ("hola", "good morning", "gracias", "hey!", "buenas", "thanks", "ok")
PIRATE = "# Soul\n\nArr! Plunder, rum and a following wind be all I crave.\n"
# How much of an answer is shown.
_SHOWN = 110


class Check(NamedTuple):
    """What was typed, what came, and whether that is right."""

    typed: str
    came: str
    is_right: bool


class Home:
    """A new home, with a soul and a command line of its own."""

    def __init__(self, folder: Path) -> None:
        self.clock = FixedClock()
        self.path = folder
        self.soul: Soul = almario.create(folder, settings=WORDS_ONLY, clock=self.clock)

    def run(self, *words: str, typed: str = "") -> str:
        """Type a command, and what it reads; return what it prints."""
        self.soul.close()
        command = [sys.executable, "-m", "almario", "--home", str(self.path), "--set", "embedder.name=none"]
        done = subprocess.run([*command, *words], input=typed, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    def naming(self, word: str) -> list[str]:
        """Return the files that have a word in their bytes; the index is made anew without it."""
        self.soul.close()
        every = (path for path in self.path.rglob("*") if path.is_file() and ".index" not in path.parts)
        return sorted(path.name for path in every if word.encode() in path.read_bytes())

    def known(self, message: str) -> str:
        return next(each.text for each in self.soul.prompt(message).sections if each.name == "known")


def busy_day(home: Home, days: int) -> Check:
    home.soul.log(MARTA)
    for n in range(12):
        home.soul.log(f"errand number {n} on the list took far longer than I thought it would today")
    home.clock.advance(days=days)
    question = "In which clinic is Marta's surgery?"
    lines = [each for each in home.soul.prompt(question).text.splitlines() if "Santa Elena" in each]
    return Check(f"{question} ({days} days later)", " ".join(lines), bool(lines))


def greeting(home: Home) -> Check:
    home.soul.remember("name: Nora Vidal")
    home.soul.remember("address: Calle de la Luna 14, Madrid")
    told = [home.known(each) for each in GREETINGS]
    right = [each for each in told if "Nora Vidal" in each and "Luna 14" in each]
    return Check(", ".join(GREETINGS), f"{len(right)} of 7: {told[0]}", len(right) == len(GREETINGS))


def found(home: Home, kept: str, asked: str) -> Check:
    home.soul.remember(kept)
    came = home.run("recall", asked)
    return Check(f"recall {asked}", came, kept[:12] in came)


def hundred(home: Home) -> Check:
    for n in range(100):
        home.soul.remember(f"thing {n}: value {n} here")
    count = home.known("what shall we cook?").count("\n- ")
    return Check("a hundred short facts, and a message", f"{count} are told", count == 100)


def molars(home: Home) -> Check:
    for side in ("left", "right"):
        home.soul.log(f"{side} molar hurts a little when I chew")
    came = home.run("recall", "which molar hurts?")
    return Check("recall which molar hurts?", came, "left molar" in came and "right molar" in came)


def rewritten(home: Home) -> Check:
    made = home.soul.proposals.propose("SOUL", PIRATE, reason="as you asked")
    home.soul.proposals.accept(made.id)
    typed = "propose a whole new SOUL.md, and accept it"
    return Check(typed, f"careful: {made.warning}", home.soul.read("SOUL").text == PIRATE)


def pencil(home: Home) -> Check:
    home.soul.remember("the cat sleeps on the red sofa")
    home.soul.remember("the dog sleeps outside")
    came = home.run("recall", "red sofa", "--mode", "tfidf", "--explain")
    return Check("recall red sofa --mode tfidf --explain", came, "idf" in came and "tf" in came)


def snapshot(home: Home) -> Check:
    home.run("chat", typed="I planted tulips by the gate\n/clear\n")
    kept = sorted(path.name for path in home.path.glob("agents/*/memory/snapshots/*.md"))
    return Check("/clear", ", ".join(kept), bool(kept))


def day_log(home: Home) -> Check:
    home.run("log", "watered the plants")
    home.run("remember", "cat: Michi")
    came = home.run("log")
    return Check("log", came, "plants" in came and "Michi" in came)


def long_log(home: Home) -> Check:
    """Let a night shorten a log of twenty lines; then erase what stands in log, archive and snapshot."""
    for n in range(19):
        home.soul.log(f"errand number {n} on the list was done")
    home.soul.log("Nora's tattoo artist is called Zacarías")
    home.soul.append("cli:main", "user", "Nora's tattoo artist is called Zacarías")
    home.soul.end_session(clear=True)
    home.clock.advance(days=1)
    lines = [
        ([*range(1, 10)], "errands on the list were done"),
        ([19, 20], "tattoo artist Zacarías, errand done"),
    ]
    reply = json.dumps({"lines": [{"of": of, "text": text} for of, text in lines]})
    with almario.open(home.path, settings=WORDS_ONLY, clock=home.clock, llm=ScriptedLLM(reply)) as soul:
        [log] = soul.tidying.condense().paths
        left = soul.read(log).text.count("\n- [")
        archived = soul.read(places_of(log)[-1]).text.count("\n- [")
    found = home.run("recall", "tattoo artist").count("Zacarías")
    named = home.naming("Zacarías")
    home.run("remember", "artist: Nora's tattoo artist is called Zacarías")
    home.run("forget", "--purge", "--yes", "artist")
    after = home.naming("Zacarías")
    came = (
        f"20 → {left} lines, {archived} archived, found {found} time; {len(named)} files, then {len(after)}"
    )
    is_right = (left, archived, found, after) == (11, 11, 1, [])
    return Check(
        "a night with a model; recall tattoo artist; forget --purge", came, is_right and len(named) > 3
    )


def counts(home: Home) -> Check:
    home.soul.remember("cat: Michi")
    came = home.run("memory")
    return Check("memory", came, "1" in came.splitlines()[-1])


def forgets(home: Home) -> Check:
    home.soul.remember("cat: Michi")
    came = home.run("memory", "forget", "cat") + home.run("memory", "stats")
    return Check("memory forget cat; memory stats", came, "Michi" in came and "rror" not in came)


def unknown_setting(home: Home) -> Check:
    came = home.run("--set", "search.meaning=0.7", "recall", "cat")
    return Check("--set search.meaning=0.7", came, "search." in came)


CHECKS: dict[str, Callable[[Home], Check]] = {
    "a busy day, that day": partial(busy_day, days=0),
    "a busy day, the next": partial(busy_day, days=1),
    "a greeting": greeting,
    "an aunt's wedding": partial(
        found, kept="Su tía se casa en Oaxaca", asked="¿qué te conté de la boda de mi tía?"
    ),
    "three letters": partial(found, kept="I planted tulips by the gate", asked="tul"),
    "a hundred facts": hundred,
    "two are two": molars,
    "a soul as a pirate": rewritten,
    "with a pencil": pencil,
    "what was cleared": snapshot,
    "the day's log": day_log,
    "a long log": long_log,
    "counts by kind": counts,
    "forget, and stats": forgets,
    "a setting that is none": unknown_setting,
}


def main() -> None:
    print("| check | typed | came | |\n|---|---|---|---|")
    right = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for n, (name, check) in enumerate(CHECKS.items()):
            done = check(Home(Path(folder) / str(n)))
            right += done.is_right
            came = shortened(" ".join(done.came.split()).replace("|", "·"), _SHOWN)
            print(f"| {name} | `{done.typed}` | {came} | {'yes' if done.is_right else '**no**'} |")
    print(f"\n{right} of {len(CHECKS)}")


if __name__ == "__main__":
    main()

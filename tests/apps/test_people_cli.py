"""`almario people`, `memory share`, `forget` in words: who may hear what, from the command line."""

import json
from pathlib import Path

import almario
from tests.apps.conftest import Run

GROUP = "telegram:42:topic-8"


def test_who_has_spoken_where_and_what_they_may_hear(run: Run, home: Path) -> None:
    run("init")
    assert run("people").out == "Nobody but you has spoken with your agent yet.\n"
    with almario.open(home) as soul:
        soul.append(GROUP, "user", "hi", origin="untrusted", speaker="Pepe")
        soul.remember("salary: 74,000 a year")

    shown = run("people").out

    assert "Pepe" in shown
    assert "only what is said there and what you share" in shown
    assert "74,000" not in run("prompt", "--session", GROUP).out
    said = run("people", "trust", "Pepe")
    assert said.out == "Pepe in telegram:42 may hear everything.\n"
    assert "74,000" in run("prompt", "--session", GROUP).out
    run("people", "trust", "Pepe", "--off")
    assert "74,000" not in run("prompt", "--session", GROUP).out
    told = json.loads(run("people", "--json").out)
    assert told["people"][0]["hears"] == "shared"
    assert told["sessions"][0]["session"] == GROUP


def test_what_is_shared_is_told_and_explained(run: Run, home: Path) -> None:
    run("init")
    with almario.open(home) as soul:
        soul.append(GROUP, "user", "hi", origin="untrusted", speaker="Pepe")
    wifi = json.loads(run("remember", "wifi: ask at the desk", "--json").out)["memory"]["id"]
    run("remember", "salary: 74,000 a year")

    assert run("memory", "share", wifi).out.startswith("Shared with others:\n")

    explained = run("prompt", "--session", GROUP, "--message", "what is the salary?", "--explain").out
    assert "Kept from others" in explained
    assert "Present besides you: Pepe." in explained
    assert "ask at the desk" in run("recall", "wifi", "--for", GROUP).out
    hidden = run("recall", "salary", "--for", GROUP, "--explain")
    assert (hidden.out, hidden.err) == ("Nothing comes to mind.\n", "· kept from those present: 1\n")
    exported = run("export", "--as", "jsonl", "--to", "-", "--for", GROUP).out
    assert "ask at the desk" in exported
    assert "74,000" not in exported
    assert run("export", "--for", "telegram:24").code == 2  # a slip is not to tell everything
    assert run("recall", "salary", "--for", "telegram:24").code == 2
    run("forget", wifi)
    assert "ask at the desk" not in run("recall", "wifi", "--include", "retired", "--for", GROUP).out
    assert run("memory", "share", wifi, "--off").out.startswith("Between you and your agent again:\n")
    run("memory", "restore", wifi)
    assert "ask at the desk" not in run("recall", "wifi", "--for", GROUP).out


def test_forget_takes_words_says_what_goes_and_asks_if_it_is_several_things(run: Run, home: Path) -> None:
    run("init")
    with almario.open(home) as soul:
        soul.append("cli:main", "user", "The zoo trip with Nora was lovely, lemurs and all.")
    run("remember", "trip: the zoo trip with Nora was lovely, lemurs and all")
    run("remember", "Marta swims")
    run("remember", "Marta sings")

    several = run("forget", "Marta")
    assert several.code == 2
    assert "Marta swims" in several.err
    assert "could mean several things" in several.err

    said = run("forget", "the", "zoo", "trip")
    assert "also no longer recalled: cli:main#1" in said.out
    assert run("recall", "zoo lemurs").out == "Nothing comes to mind.\n"
    assert run("forget", "the", "moon").code == 2

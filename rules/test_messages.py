"""What a user can see in Spanish says the same as in English, and in one manner."""

import json
import re
import string
from pathlib import Path

from almario.domain.messages import Sentence, say
from rules.spanish import ERRORS, OURS, SOURCE, catalogue_in, catalogues, listed, sentences
from tests.tables import each_row

SPANISH = catalogues()[0].spanish


def places(sentence: str) -> set[tuple[str, str | None, str | None]]:
    parsed = string.Formatter().parse(sentence)
    return {(name, form, conversion) for _, name, form, conversion in parsed if name is not None}


def test_a_sentence_without_spanish_is_listed_and_said_in_english(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text('_("nobody says this yet, {name}", name=1)')
    (tmp_path / "messages.es.json").write_text('{"nobody says this any more": "ya no"}')
    found = catalogue_in(tmp_path, sentences(tmp_path, OURS))

    assert [*listed([found])] == [
        f"{found.path}: no Spanish yet for",
        '  "nobody says this yet, {name}": "",',
        f"{found.path}: said no more",
        '  "nobody says this any more"',
    ]
    assert say("es", found.missing[0], name="Ana") == "nobody says this yet, Ana"


def test_both_languages_have_the_same_places_for_facts() -> None:
    assert [
        english
        for each in catalogues()
        for english, spanish in each.spanish.items()
        if places(english) != places(spanish)
    ] == []


@each_row(
    ("english", "spanish"),
    [
        (r"\bjournals?\b(?!/)", "registro"),
        (r"\b(?:daily|long|today's|day's) logs?\b", "diario"),
        (r"\bproposals?\b(?! )", "propuesta"),
        (r"\bbased on\b", "basa"),
        (r"\bswitched off\b", "desactivad"),
        (r"\b(?:not trusted|untrusted)\b", "confianza"),
        (r"\b[Ee]xits with code\b", "código de salida"),
        (r"\bdaemon\b", "servicio"),
    ],
)
def test_in_spanish_too_one_thing_has_one_word(english: str, spanish: str) -> None:
    named = re.compile(r'"(?:almario|/)[^"]*"|\{\w+\}|\S+\.md|almario .*|\w+\.\w+|--\w+')
    said = {each: named.sub("", each) for each in SPANISH}

    found = [each for each, plain in said.items() if re.search(english, plain)]
    assert found
    assert [each for each in found if spanish not in SPANISH[each].lower()] == []


def facts_of(sentence: str) -> dict[str, object]:
    return {
        name: 1 if form else name.upper() for _, name, form, _ in string.Formatter().parse(sentence) if name
    }


def test_a_sentence_that_is_kept_is_said_in_any_language_when_it_is_read_again() -> None:
    failures = sentences(SOURCE / "adapters" / "llm", ERRORS)
    kept = [Sentence(english, **facts_of(english)) for english in sorted(failures) if "{" in english]

    assert len(kept) > 10
    for each in kept:
        again = Sentence.read(json.loads(json.dumps(each.kept)))
        assert (again, again.text, again.facts) == (each, each.text, each.facts)
        assert say("es", again) == SPANISH.get(each.text, each.text).format(**each.facts)


def test_spanish_quotes_are_all_of_one_kind_but_where_a_shell_reads_them() -> None:
    typed = ("almario ", "cat ", "echo ", "almario.toml: ")

    assert [
        each for each in SPANISH.values() if not {*each}.isdisjoint('"“”') and not each.startswith(typed)
    ] == []

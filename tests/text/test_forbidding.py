"""Whether a rule of the owner's surely forbids a call."""

from collections.abc import Mapping
from typing import Any

from almario.text.calls import call_in
from almario.text.forbidding import forbids
from tests.tables import each_row


def run(command: str) -> tuple[str, Mapping[str, Any]]:
    return "Bash", {"command": command}


def edit(path: str) -> tuple[str, Mapping[str, Any]]:
    return "Edit", {"file_path": f"/src/boat/{path}", "old_string": "a", "new_string": "b"}


FORBIDDEN = [
    ("Never push to main.", run("git push origin main")),
    ("Never run ./launch.sh.", run("./launch.sh --now")),
    ("Don't use npm here, it is pnpm.", run("npm install left-pad")),
    ("Nunca hagas push a main.", run("cd boat && git push origin main")),
    ("We deploy with the script, never kubectl by hand.", run("kubectl apply -f boat.yaml")),
    ("Never edit src/schema.sql.", edit("src/schema.sql")),
    ("Don't touch schema.sql, it is generated.", edit("src/schema.sql")),
]
ALLOWED = [
    ("Never push to main.", run("git push origin fix/main-menu")),
    ("Never push to main.", run("git log main")),
    ("Never push to main unless it is a hotfix.", run("git push origin main")),
    ("Nunca hagas push a main, salvo los viernes.", run("git push origin main")),
    ("We push to main on Fridays.", run("git push origin main")),
    ("Never forget to push to main.", run("git push origin main")),
    ("Never push to main.", run("echo git push origin main")),
    ("Never force push to main.", run("git push origin main")),
    ("Never edit src/schema.sql.", edit("src/other.sql")),
    ("Never edit src/schema.sql.", ("Read", {"file_path": "/src/boat/src/schema.sql"})),
    ("Never delete the backups.", run("rm -rf build")),
]


@each_row(("rule", "call"), FORBIDDEN)
def test_a_call_that_does_what_a_rule_forbids_is_forbidden(
    rule: str, call: tuple[str, Mapping[str, Any]]
) -> None:
    given = call_in(*call, "/src/boat")
    assert given
    assert forbids(rule, given)


@each_row(("rule", "call"), ALLOWED)
def test_what_a_rule_does_not_say_in_all_its_words_is_not(
    rule: str, call: tuple[str, Mapping[str, Any]]
) -> None:
    given = call_in(*call, "/src/boat")
    assert given
    assert not forbids(rule, given)

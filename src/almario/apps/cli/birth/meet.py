"""`almario meet`: who the agent is, and what to try next."""

from almario.apps.cli.birth.newcomer import introduce, met
from almario.apps.cli.common import Call, make_command


@make_command(
    "meet",
    "Meet your agent: make the first one if there is none, and show who it is and what to try next.",
    "almario meet",
    as_json=False,
)
def command(call: Call) -> None:
    introduce(met(call), call)

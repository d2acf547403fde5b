"""`make fuzz-http`: requests made up from the schema, good and bad, to every route of a served home.

No answer is an error of the server's, each is as the schema says, and none comes without a token. It needs
schemathesis, which no other test does.
"""

import argparse
import itertools
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance
from starlette.types import ASGIApp, Receive, Scope, Send

import almario
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests.apps.served import HOST, Served

SCHEMA = "/api/v1/openapi.json"
# Of what is asked for, so many in ten are there.
_THERE = 9
# What fits the schema may still make no sense, and a parameter that nobody knows does no harm.
_UNFIT = [negative_data_rejection, positive_data_acceptance]
# The model of this home answers nothing that can be used.
_MODELS_FAULT = (502, 503)


def fuzz(served: Served, examples: int) -> list[str]:
    """Try so many requests of each route; return what was wrong, and print how each route answered."""
    token = {"Authorization": f"Bearer {served.owner}", "Host": HOST}
    schema = schemathesis.openapi.from_dict(served.app.openapi())
    schema.app = _running(served.app)
    schema.config.update(base_url=f"http://{HOST}")
    there = furnished(served.souls.soul("default"))
    wrong = []
    every: Any = schema.get_all_operations()
    for operation in (found.ok() for found in every):
        statuses = Counter[int]()
        try:
            _try(operation, _Asking(token, there, examples), statuses)
        except (AssertionError, BaseExceptionGroup) as exc:  # told with the request that shows it
            wrong += [f"{operation.label}: {each}" for each in getattr(exc, "exceptions", [exc])]
        print(f"{operation.label}: {dict(sorted(statuses.items()))}", flush=True)
    return wrong


def _running(app: ASGIApp) -> ASGIApp:
    """Return an app that runs already, for whoever would start it a second time."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            raise RuntimeError("it runs")
        await app(scope, receive, send)

    return answer


class _Asking(NamedTuple):
    token: dict[str, str]
    there: dict[str, str]
    examples: int


def furnished(soul: Soul) -> dict[str, str]:
    """Give an agent something of everything; return what a path may name of it."""
    memory = soul.remember("cat: Michi").memory
    soul.goals.add("Learn to cook rice")
    wanted = soul.proposals.propose("SOUL", soul.read("SOUL").text + "\n- I like trains.\n", reason="so")
    assert memory is not None
    own = {"memory_id": memory.id, "proposal": wanted.id}
    return {"agent": "default", "file": "SOUL", "version": "1", "goal": "1", "tool": "memory_search", **own}


def _try(operation: Any, asking: _Asking, statuses: "Counter[int]") -> None:
    @settings(
        max_examples=asking.examples,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.explicit, Phase.generate, Phase.shrink),
    )
    @given(case=st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in GenerationMode)))
    def asked(case: Any) -> None:
        _aim(case, asking.there)
        answer = case.call(headers=asking.token)
        statuses[answer.status_code] += 1
        if answer.status_code not in _MODELS_FAULT:
            case.validate_response(answer, excluded_checks=_UNFIT)
        assert case.call(headers={"Host": HOST}).status_code in (401, 403)  # 403: of another origin

    asked()


def _aim(case: Any, there: dict[str, str]) -> None:
    """Let most requests be about what is there, and none wait for what may never come."""
    parameters = case.path_parameters or {}
    for name, value in there.items():
        is_kept = name == "agent" and case.method == "DELETE"
        if name in parameters and len(str(parameters[name])) % 10 < _THERE and not is_kept:
            parameters[name] = value
    if case.path.endswith("/events"):
        case.query = {**(case.query or {}), "follow": "false"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=100)
    given_ = parser.parse_args()
    os.environ |= {"ALMARIO_LLM_MODEL": "none", "ALMARIO_EMBEDDER_NAME": "none"}
    with tempfile.TemporaryDirectory() as place:
        home, clock = Path(place) / "home", FixedClock()
        almario.create(home, clock=clock).close()
        seconds = itertools.count()  # so that nobody comes too often
        with Served(home, clock, llm=ScriptedLLM("Good evening."), monotonic=lambda: next(seconds)) as served:
            wrong = fuzz(served, given_.examples)
    print("\n\n".join(wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()

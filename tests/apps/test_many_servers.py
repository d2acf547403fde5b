"""Several servers before one database: whichever of them is asked, the answer is the same."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import almario
from almario.testing import FixedClock
from tests.apps.served import Served
from tests.postgres import home_url


@pytest.fixture
def machines(
    tmp_path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Served, Served]]:
    """Two servers, each on a machine with a home folder of its own."""
    monkeypatch.setenv("ALMARIO_STORE", home_url())
    almario.open_or_create(tmp_path / "one", clock=clock).close()
    with Served(tmp_path / "one", clock) as one, Served(tmp_path / "two", clock) as two:
        yield one, two


def test_tokens_browsers_and_sign_in_codes_hold_at_every_server(machines: tuple[Served, Served]) -> None:
    one, two = machines
    token = one.tokens.create("editor", agents=("default",), scope="write")

    assert one.owner == two.owner == (two.souls.root / ".token").read_text().strip()
    assert two.get("/memories", token=token) == one.get("/memories", token=token)
    code = one.tokens.login_code()
    cookie = two.client().get(f"/login?code={code}").cookies["almario"]
    assert one.client().get(f"/login?code={code}").status_code != 303  # it was good for one
    for served in (one, two, one):
        assert served.client(Cookie=f"almario={cookie}").get("/a/default").status_code == 200
    two.tokens.revoke("editor")
    one.get("/memories", token=token, status=401)


def test_requests_may_go_to_one_and_the_other_in_turn(machines: tuple[Served, Served]) -> None:
    one, two = machines
    position = one.souls.soul("default").position
    for number, served in enumerate((one, two, one, two)):
        served.post("/memories", {"text": f"fact {number}: the number is {number}"})
        other = two if served is one else one
        assert f"fact {number}" in str(other.get("/memories"))
    told = one.client(one.owner).get(
        "/api/v1/agents/default/events", params={"after": position, "follow": False}
    )

    assert told.text.count("event: memory.changed") == 4
    two.ask("DELETE", "/api/v1/agents/default")
    one.get("/memories", status=404)
    assert one.ask("POST", "/api/v1/agents/default/restore")["id"] == "default"
    assert "fact 3" in str(two.get("/memories"))


def test_the_settings_of_an_agent_are_read_anew_wherever_they_were_changed(
    machines: tuple[Served, Served],
) -> None:
    one, two = machines
    before = two.souls.soul("default")
    opened = one.souls.opened()
    opened.set("prompt.recent_days", 9, opened.home.agent("default"))

    assert two.souls.soul("default") is not before
    assert two.souls.settings_of("default").prompt.recent_days == 9

"""The settings of a home over HTTP, changed as `almario config set` does; and the model, its key, and a try.

A key is taken and never given: all that is told of it is where it is.
"""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from almario.apps.web import bodies
from almario.apps.web.answering import PROBLEMS, gives
from almario.apps.web.asking import AllSouls, RunsHome
from almario.apps.web.shapes import answer, many, record
from almario.config import Config
from almario.wiring.model_keys import ADDRESS, set_model, with_keys
from almario.wiring.model_keys import forget_key as forget
from almario.wiring.models import AUTO, answered, models, try_out
from almario.wiring.souls import ListedAgent, Souls

router = APIRouter(prefix="/api/v1", tags=["settings"], responses=PROBLEMS)
_SETTING = record("Setting", key=str, value=Any, origin=str, default=Any, about=str, allowed=str)
_ANSWERED = record("ModelAnswered", text=str)


@router.get("/settings", **gives(many(_SETTING)))
def list_settings(souls: AllSouls, grant: RunsHome, agent: str = "") -> JSONResponse:
    """List all settings in effect and where each value comes from, for all agents or for one."""
    return answer(list(_settings(config_of(souls, agent)).values()))


@router.put("/settings/{key}", **gives(_SETTING))
def change_setting(souls: AllSouls, grant: RunsHome, key: str, body: bodies.Changing) -> JSONResponse:
    """Change a setting in almario.toml or in an agent's own settings; no value removes it."""
    value = body.value
    text = None if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    souls.opened().change(key, text, _agent(souls, body.agent))
    return answer(_settings(config_of(souls, body.agent))[key])


@router.put("/model", **gives(many(_SETTING)))
def choose_model(souls: AllSouls, grant: RunsHome, body: bodies.ChoosingModel) -> JSONResponse:
    """Choose the conversation model: provider, name, address and key, as needed."""
    change, before = souls.opened().change, config_of(souls, "").settings.llm.url
    # A form has the address of before in it, whatever is chosen.
    url = body.url if body.url != before or body.provider == ADDRESS else ""
    # Whoever writes an address and chooses nothing means what is there.
    provider = ADDRESS if url and body.provider == AUTO else body.provider
    set_model(souls.root, change, provider, model=body.model, url=url, key=body.key)
    found = _settings(config_of(souls, ""))
    return answer([found["llm.model"], found["llm.url"]])


@router.delete("/model/keys/{variable}", **gives(record("KeyForgotten", name=str)))
def forget_key(souls: AllSouls, grant: RunsHome, variable: str) -> JSONResponse:
    """Delete a stored API key."""
    forget(souls.root, variable)
    return answer({"name": variable})


@router.post("/model/try", **gives(_ANSWERED))
def try_model(souls: AllSouls, grant: RunsHome, body: bodies.AgentNamed) -> JSONResponse:
    """Test the conversation model with a one-word request; an error says why it failed."""
    config = config_of(souls, body.agent)
    return answer({"text": answered(try_out(models(config.settings.llm, with_keys(souls.root, config))))})


def config_of(souls: Souls, agent: str) -> Config:
    """Return the settings in force for an agent, or for all."""
    opened = souls.opened()
    found = _agent(souls, agent)
    return opened.configured(found) if found else opened.config


def _agent(souls: Souls, agent: str) -> ListedAgent | None:
    return souls.home.agent(agent) if agent else None


def _settings(found: Config) -> dict[str, dict[str, Any]]:
    fields = _SETTING.__annotations__
    return {key: {name: getattr(each, name) for name in fields} for key, each in found.shown().items()}

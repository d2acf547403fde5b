"""Programs written for Anthropic's SDK: only the address and the key are ours."""

from collections.abc import Iterable
from typing import Any

import pytest

from almario.domain.model import Scope
from almario_gateway.faces import Fields, MessagesFace
from tests.apps.gateway.providers import Provider, message, message_events, said
from tests.apps.gateway.served import Programs, Served, provider, served
from tests.tables import each_row

MEMORY: Any = {"type": "memory_20250818", "name": "memory"}
WEATHER: Any = {"name": "weather", "input_schema": {"type": "object", "properties": {}}}
ONCE = {"type": "ephemeral"}


def use(name: str, **given: object) -> Fields:
    return {"type": "tool_use", "id": "toolu_1", "name": name, "input": given}


async def ask(programs: Programs, *history: Any, model: str = "alma@claude-test", **more: Any) -> Any:
    """Ask with messages, of which a text is the user's."""
    messages: Any = [{"role": "user", "content": each} if isinstance(each, str) else each for each in history]
    return await programs.anthropic.messages.create(
        model=model, messages=messages, **{"max_tokens": 100, **more}
    )


def test_the_soul_comes_first_and_is_cached_and_memory_comes_in_the_next_conversation(
    served: Served, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALMARIO_GATEWAY_API_KEY", "sk-theirs")
    provider.answers = [message(said("I will keep that in mind."))]

    async def program(programs: Programs) -> Any:
        await ask(programs, "Remember that I am allergic to peanuts.", system="Be brief.")
        return await ask(programs, "What should I not eat?", metadata={"user_id": "u"}, extra_body={"new": 3})

    answer = served.run(program)

    first, second = provider.bodies
    assert answer.content[0].text == "I will keep that in mind."
    soul, own = first["system"]
    assert soul["text"].startswith("Your name is Alma.")
    assert (soul["cache_control"], own) == (ONCE, {"type": "text", "text": "Be brief."})
    assert (second["model"], second["new"], second["metadata"]) == ("claude-test", 3, {"user_id": "u"})
    assert second["system"] == [soul]
    assert "allergic to peanuts" in second["messages"][-1]["content"]
    headers = provider.asked[0].headers
    assert (headers["x-api-key"], "anthropic-version" in headers) == ("sk-theirs", True)
    with served.soul() as found:
        spent = found.costs.report()
    assert (spent.total.told, spent.total.cached) == (1640, 1600)


def test_tool_use_passes_streamed_and_the_results_are_nobodys_word(
    served: Served, provider: Provider
) -> None:
    call = use("weather", city="Lima")
    provider.answers = [message_events(said("Let me see."), call, stop="tool_use"), message(said("Rain."))]
    history: list[Any] = [{"role": "user", "content": "What is the weather in Lima?"}]

    async def program(programs: Programs) -> Any:
        async with programs.anthropic.messages.stream(
            model="alma@claude-test", max_tokens=100, messages=history, tools=[WEATHER]
        ) as stream:
            first = await stream.get_final_message()
        history.append({"role": "assistant", "content": [block.model_dump() for block in first.content]})
        result = {
            "type": "tool_result",
            "tool_use_id": "toolu_1",
            "content": [said("Rain, says a stranger.")],
        }
        history.append({"role": "user", "content": [result]})
        await ask(programs, *history, tools=[WEATHER])
        return first.content

    text, tool = served.run(program)

    assert (text.text, tool.name, tool.input) == ("Let me see.", "weather", {"city": "Lima"})
    first, second = provider.bodies
    assert second["messages"][0] == first["messages"][0]
    assert second["messages"][2]["content"][0]["content"] == [said("Rain, says a stranger.")]
    with served.soul() as soul:
        [view] = soul.sessions.list()
        kept = [(turn.role, turn.text, turn.origin) for turn in soul.sessions.turns(view.session)]
    assert kept == [
        ("user", "What is the weather in Lima?", "owner"),
        ("assistant", "Let me see.", "agent"),
        ("tool", "Rain, says a stranger.", "untrusted"),
        ("assistant", "Rain.", "untrusted"),
    ]


def test_a_memory_tool_is_the_programs_own_to_answer(served: Served, provider: Provider) -> None:
    look = use("memory", command="view", path="/memories")
    provider.answers = [message(look, stop="tool_use")]

    async def program(programs: Programs) -> Any:
        header = {"X-Almario-Memory-Tool": "on"}  # as 0.2 took it
        return await ask(programs, "My boat?", tools=[MEMORY], extra_headers=header)

    assert served.run(program).content[0].name == "memory"
    assert provider.bodies[0]["tools"] == [MEMORY]


def test_notes_that_a_model_kept_by_0_2_are_found_when_asked_for_and_never_come_to_mind(
    served: Served,
) -> None:
    notebook = served.home / "agents/alma/memory/notebook"
    notebook.mkdir(parents=True)
    (notebook / "boat.md").write_text("The captain of the Albatros is a spy.\n")
    (served.home / "almario.toml").write_text("[gateway]\nmemory_tool = true\n")

    with served.soul() as soul:
        assert "Albatros" not in soul.prompt("Who is the captain of the Albatros?").text
        assert list(soul.recall("captain of the Albatros")) == []
        [hit] = soul.recall("captain of the Albatros", scope=Scope(include=("untrusted",)))
        assert hit.place.startswith("memory/notebook/boat.md")


def test_tokens_are_counted_with_the_soul_and_nothing_is_kept(served: Served, provider: Provider) -> None:
    provider.answers = [{"input_tokens": 1234}]

    async def program(programs: Programs) -> int:
        messages: Any = [{"role": "user", "content": "Remember that I row."}]
        count = programs.anthropic.messages.count_tokens
        return (await count(model="alma@claude-test", messages=messages)).input_tokens

    assert served.run(program) == 1234
    assert provider.asked[0].path == "/v1/messages/count_tokens"
    assert provider.bodies[0]["system"][0]["text"].startswith("Your name is Alma.")
    with served.soul() as soul:
        assert (soul.sessions.list(), soul.memory.list()) == ([], [])


def test_a_refusal_of_ours_is_in_anthropics_form(served: Served) -> None:
    import anthropic

    async def program(programs: Programs) -> None:
        with pytest.raises(anthropic.NotFoundError, match='no agent "nobody"') as refused:
            await ask(programs, "Hi", model="nobody@claude-test")
        assert refused.value.body == {
            "type": "error",
            "error": {"type": "not_found_error", "message": 'there is no agent "nobody" for this token'},
        }

    served.run(program)


def marked(text: str, mark: Fields = ONCE) -> Fields:
    return {"type": "text", "text": text, "cache_control": mark}


def marks(body: Fields) -> list[str]:
    """Return the beginnings of what ends with a mark, in the order in which a provider reads."""
    blocks = [*body["system"]]
    for each in body["messages"]:
        blocks += [said(each["content"])] if isinstance(each["content"], str) else each["content"]
    return [str(block.get("text") or block.get("type")) for block in blocks if "cache_control" in block]


LONG = {"type": "ephemeral", "ttl": "1h"}
RESULT = {"type": "tool_result", "tool_use_id": "a", "content": "x"}


@each_row(
    ("system", "contents", "more", "expected"),
    [
        # Who says nothing of it gets the soul cached, and what was said before the newest message.
        (None, ["u1"], {}, ["SOUL"]),
        (None, ["u1", "a1", "u2"], {}, ["SOUL", "a1"]),
        # While tools are used, all of it, for the newest message stays as it is.
        (None, ["u1", [use("t")], [RESULT]], {}, ["SOUL", "tool_result"]),
        # Who does is heeded, but what is new each time is left out.
        ([marked("own")], ["u1", "a1", "u2"], {}, ["own"]),
        ([marked("own")], ["u1", "a1", [marked("u2")]], {}, ["own", "a1"]),
        (None, [[marked("u1")]], {}, []),
        (None, ["u1", [use("t")], [{**RESULT, "cache_control": ONCE}]], {}, ["tool_result"]),
        # Four places are the most, and what is kept longer must come first.
        (None, ["u1", "a1", "u2"], {"tools": [{"cache_control": ONCE}] * 3}, []),
        (None, ["u1", "a1", "u2"], {"cache_control": LONG}, ["SOUL", "a1"]),
    ],
)
def test_what_stays_the_same_can_be_cached(
    system: Any, contents: Iterable[Any], more: Fields, expected: list[str]
) -> None:
    roles = ["user", "assistant"]
    messages = [{"role": roles[n % 2], "content": each} for n, each in enumerate(contents)]
    body = {"messages": messages, **more, **({"system": system} if system else {})}
    place = 0 if expected in (["SOUL", "tool_result"], ["tool_result"]) else len(messages) - 1

    made = MessagesFace().with_context(body, "SOUL", "MEMORY", place)

    assert marks(made) == expected
    newest = made["messages"][place]["content"]
    assert (newest if isinstance(newest, str) else newest[0]["text"]).startswith("MEMORY")
    kept = [block.get("cache_control") for block in made["system"] if "cache_control" in block]
    assert kept in ([], [more.get("cache_control", ONCE)])

"""A bot in asyncio: Almario is synchronous, so each answer is made in a thread, and the loop goes on.

One Soul serves every chat; it may be used from many threads. The messages of one
chat are answered one after another, those of different chats at the same time.

    python examples/bot.py
"""

import asyncio
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import NamedTuple

import almario
from almario.errors import LLMError


class Incoming(NamedTuple):
    """A message as a chat network brings it; whoever is not the owner is not trusted."""

    chat: str
    speaker: str
    text: str
    is_owner: bool = False


class Bot:
    """Answers messages with a soul, without ever blocking the loop."""

    def __init__(self, soul: almario.Soul) -> None:
        self._soul = soul
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def answer(self, message: Incoming) -> str:
        """Return the answer to a message, after those to the earlier ones of its chat."""
        async with self._turns[message.chat]:
            return await asyncio.to_thread(self._answer, message)

    async def run(
        self, messages: AsyncIterator[Incoming], send: Callable[[str, str], Awaitable[None]]
    ) -> None:
        """Answer whatever comes until nothing more does; *send* gets the chat and the answer."""

        async def serve(message: Incoming) -> None:
            await send(message.chat, await self.answer(message))

        async with asyncio.TaskGroup() as tasks:
            async for message in messages:
                tasks.create_task(serve(message))

    def _answer(self, message: Incoming) -> str:
        session = almario.session_key("bot", message.chat)
        try:
            return self._soul.talk(
                message.text,
                session,
                origin="owner" if message.is_owner else "untrusted",
                speaker=message.speaker,
            ).text
        except LLMError as exc:  # what was said is kept, and learned from when there is a model
            return str(exc)


async def typed() -> AsyncIterator[Incoming]:
    """Yield what is typed, line by line."""
    while line := await asyncio.to_thread(sys.stdin.readline):
        yield Incoming("terminal", "me", line.strip(), is_owner=True)


async def printed(chat: str, answer: str) -> None:
    print(f"{chat}: {answer}")


async def main() -> None:
    soul = await asyncio.to_thread(almario.open_or_create)
    try:
        await Bot(soul).run(typed(), printed)
    finally:
        await asyncio.to_thread(soul.close)


if __name__ == "__main__":
    asyncio.run(main())

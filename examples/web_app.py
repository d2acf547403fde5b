"""A web app with FastAPI: one Soul for the whole process, a session for each chat.

    pip install fastapi uvicorn
    uvicorn --app-dir examples web_app:app

    curl --json '{"text": "Remember that I like trains."}' localhost:8000/chats/ana
    curl 'localhost:8000/recall?question=trains'

Almario is synchronous. An endpoint made with `def` runs in a thread of FastAPI's;
in one made with `async def`, `asyncio.to_thread` does the same.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

import almario
from almario.errors import AlmarioError

try:
    from fastapi import Depends, FastAPI, HTTPException, Request
    from fastapi.responses import StreamingResponse
    from pydantic import BaseModel
except ImportError:
    raise SystemExit("This example needs FastAPI: pip install fastapi uvicorn") from None


class Message(BaseModel):
    text: str


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Open the soul when the app starts, and close it when it stops."""
    app.state.soul = await asyncio.to_thread(almario.open_or_create)
    yield
    await asyncio.to_thread(app.state.soul.close)


def soul_of(request: Request) -> almario.Soul:
    found: almario.Soul = request.app.state.soul
    return found


app = FastAPI(lifespan=lifespan)
Soul = Annotated[almario.Soul, Depends(soul_of)]


@app.post("/chats/{chat}")
def say(chat: str, message: Message, soul: Soul) -> dict[str, str]:
    """Answer a message."""
    try:
        answer = soul.talk(message.text, almario.session_key("web", chat))
    except AlmarioError as exc:  # what was said is kept all the same
        raise HTTPException(503, str(exc)) from exc
    return {"answer": answer.text}


@app.post("/chats/{chat}/stream")
async def stream(chat: str, message: Message, soul: Soul) -> StreamingResponse:
    """Answer a message word by word: the thread that talks hands each piece to the loop."""
    loop, pieces = asyncio.get_running_loop(), asyncio.Queue[str | None]()

    def hear(piece: str | None) -> None:
        loop.call_soon_threadsafe(pieces.put_nowait, piece)

    def talk() -> None:
        try:
            soul.talk(message.text, almario.session_key("web", chat), hear=hear)
        except AlmarioError as exc:
            hear(str(exc))
        finally:
            hear(None)

    async def heard() -> AsyncIterator[str]:
        talking = asyncio.create_task(asyncio.to_thread(talk))
        while (piece := await pieces.get()) is not None:
            yield piece
        await talking

    return StreamingResponse(heard(), media_type="text/plain")


@app.get("/recall")
def recall(question: str, soul: Soul) -> list[dict[str, str | float]]:
    """Tell what comes to mind about a question."""
    return [{"text": hit.text, "score": hit.score} for hit in soul.recall(question)]

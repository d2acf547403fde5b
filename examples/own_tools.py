"""An agent with a tool of your own: a plain function, told to the model by its signature and docstring.

python examples/own_tools.py "Where is the 28 now?"
"""

import sys
from typing import Annotated, Literal

import almario
from almario.errors import AlmarioError

STOPS = {"28": "Graça", "12": "Martim Moniz"}


def tram_position(
    line: Annotated[str, "Its number, such as 28."], detail: Literal["stop", "all"] = "stop"
) -> str:
    """Tell where a tram is now."""
    stop = STOPS.get(line)
    if stop is None:
        return f"There is no line {line}; there are {', '.join(STOPS)}."
    return stop if detail == "stop" else f"Line {line} is at {stop}, on time."


def main(question: str) -> None:
    with almario.open_or_create() as soul:
        soul.tools.add(tram_position, reads=True)  # it keeps nothing: fit for what is off the record, too
        try:
            print(soul.talk(question).text)
        except AlmarioError as exc:  # for instance, the model cannot be reached
            sys.exit(str(exc))


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]) or "Where is the 28 now?")

"""`python -m tests.transcripts [NAME…]`: record transcripts anew."""

import sys
from pathlib import Path

from tests.transcripts import ALL, record
from tests.transcripts.playing import play


def main() -> None:
    if sys.argv[1:2] == ["--play"]:
        play(Path(sys.argv[2]))
        return
    record([each for each in ALL if not sys.argv[1:] or each.stem in sys.argv[1:]])


if __name__ == "__main__":
    main()

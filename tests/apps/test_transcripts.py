"""What the commands print, in English and in Spanish, is what the transcripts say."""

from pathlib import Path

from tests.transcripts import ALL, played


def test_the_commands_of_every_transcript_print_what_it_says(tmp_path: Path) -> None:
    again = "python -m tests.transcripts records them anew"

    assert played(ALL, tmp_path) == {each: each.read_text() for each in ALL}, again

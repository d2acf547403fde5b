"""The settings of remembering and recalling."""

from dataclasses import dataclass

from almario.domain.options import option, switch


@dataclass(frozen=True, slots=True)
class SearchSettings:
    enabled: bool = switch("Search the memory, and remind the agent that it can be searched.")
    chunk_tokens: int = option(400, "Target size of an indexed passage, in tokens.", low=50, high=4000)
    chunk_overlap: int = option(80, "Tokens that neighbouring passages share.", low=0, high=1000)
    meaning_weight: float = option(0.7, "Weight of meaning in the weighted fusion.", low=0, high=1)
    word_weight: float = option(0.3, "Weight of words in the weighted fusion.", low=0, high=1)


@dataclass(frozen=True, slots=True)
class EmbedderSettings:
    name: str = option("local", "What turns text into vectors.", choices=("local", "none"))


@dataclass(frozen=True, slots=True)
class AutoRecallSettings:
    enabled: bool = switch("Put what is relevant to a message in its prompt.")
    limit: int = option(3, "How many hits at most.", low=1, high=50)
    min_score: float = option(0.25, "The least score of a hit.", low=0, high=1)
    max_chars: int = option(2000, "How many characters at most.", low=100, high=100_000)


@dataclass(frozen=True, slots=True)
class ConsolidationSettings:
    enabled: bool = switch("Merge duplicates and supersede what is contradicted.")
    history_lines: int = option(500, "HISTORY.md is condensed past this many lines.", low=10, high=1_000_000)
    daily_log_lines: int = option(
        15, "A past day's log is condensed past this many lines.", low=1, high=100_000
    )

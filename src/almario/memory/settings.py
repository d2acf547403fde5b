"""The settings of remembering and recalling."""

from almario.domain.options import Group, option, switch

# What turns text into vectors without a plug-in.
EMBEDDERS = ("local", "openai", "none")


class MemorySettings(Group):
    mirror: bool = switch("Keep MEMORY.md and the remembered facts in step, both ways.")
    fact_days: int = option(365, "Days until a fact expires unless it is renewed.", low=1, high=36500)
    summary_days: int = option(90, "Days until a summary expires.", low=1, high=36500)
    episode_days: int = option(365, "Days until an episode expires.", low=1, high=36500)
    purge_after: int = option(
        0, "The daemon erases what expired more than so many days ago; 0 is never.", low=0, high=36500
    )


class SearchSettings(Group):
    enabled: bool = switch("Search the memory, and remind the agent that it can be searched.")
    min_score: float = option(0.02, "The chance of helping below which nothing is shown.", low=0, high=1)
    meaning_weight: float | None = option(
        None,
        "What meaning weighs in a score, and words the rest, such as 0.7; unset, scores are fitted chances.",
        low=0,
        high=1,
    )
    chunk_tokens: int = option(400, "Target size of an indexed passage, in tokens.", low=50, high=4000)


class EmbedderSettings(Group):
    name: str = option("local", "What turns text into vectors: local, openai, none or a plug-in's.")
    model: str = option("", "The model to ask an endpoint for; empty is nomic-embed-text.")
    url: str = option(
        "http://127.0.0.1:11434/v1", "Where the OpenAI-compatible endpoint is; the default is Ollama's."
    )


class AutoRecallSettings(Group):
    enabled: bool = switch("Put what is relevant to a message in its prompt.")
    min_chars: int = option(8, "A shorter message recalls nothing.", low=0, high=1000)
    limit: int = option(5, "How many hits are told as relevant, at most.", low=1, high=50)
    min_score: float = option(0.3, "The lowest score at which a hit is told as relevant.", low=0, high=1)
    others: bool = switch("Quote to the owner alone what others said, or the owner pasted, where it fits.")


class ConsolidationSettings(Group):
    enabled: bool = switch("Merge duplicates and supersede what is contradicted.")
    condense: bool = switch("At night, shorten long logs of past days and a long HISTORY.md.")

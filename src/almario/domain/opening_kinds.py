"""What a conversation opens with, and what is answered to it where no model does: `opening_kinds.json`.

Each kind stands there once, in its group, with its answer in English and Spanish side by side; what is looked
up has none. A new one is an entry there and its rows in `benchmarks/reader/openings.jsonl`.
"""

import json
from pathlib import Path

_GROUPS: dict[str, dict[str, dict[str, str]]] = json.loads(
    Path(__file__).with_suffix(".json").read_text("utf-8")
)
# What is said besides is no opening. A row names the work that needs a model besides, and only what was asked
# has a reply.
WORK, REPLIES = (tuple(_GROUPS[group]) for group in ("work", "reply"))
GROUP_OF = {name: group for group, names in _GROUPS.items() if group != "besides" for name in names}
OPENINGS = tuple(name for name in GROUP_OF if name not in (*WORK, *REPLIES))
# Asks for what is planned, or for work that needs a model; tells what lasts of whoever says it; puts right.
ASKING, TELLING, COMING, BEYOND, CORRECTION = "asking", "telling", "coming", "beyond", "correction"
# Jots down something to do; that is told, too, and kept.
TO_DO = "to_do"
# What passes: a remark, a thought, or that something will be told.
ALOUD = "aloud"
# Whoever says this needs people, and is offered nothing to be remembered.
DANGER = tuple(_GROUPS["danger"])
# What is answered to each kind, by language.
ANSWERS = {name: texts for names in _GROUPS.values() for name, texts in names.items() if texts}
YES, NO, WHICH = REPLIES

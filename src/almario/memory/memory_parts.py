"""What the verbs of memory are made of."""

from typing import NamedTuple

from almario.memory.admission import Admission
from almario.memory.embedding import Embedding
from almario.memory.indexing import Indexing
from almario.memory.keeping import Keeping
from almario.memory.mirror import Mirror
from almario.memory.purge import Purge
from almario.memory.recall import Recall
from almario.memory.settings import ConsolidationSettings
from almario.memory.transfer import Transfer
from almario.memory.verifying import Verifying
from almario.text.redaction import Redactor


class Parts(NamedTuple):
    """What the verbs are made of."""

    keeping: Keeping
    redact: Redactor
    admission: Admission
    mirror: Mirror
    indexing: Indexing
    embedding: Embedding
    recall: Recall
    transfer: Transfer
    purge: Purge
    verifying: Verifying
    consolidation: ConsolidationSettings

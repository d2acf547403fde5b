"""The verbs of both faces of a client; `typed_faces.pyi`, which is made from the table, has their types."""

from almario.client.verbs import ClientPart as Awaited
from almario.client.verbs import ClientPart as Waiting

__all__ = ["Awaited", "Waiting"]

"""What a hook was told and could not keep at once: it is written down beside the agent, and kept later."""

from datetime import datetime

from almario.named_tuples import NamedTuple


class Late(NamedTuple):
    """A call that waits: what happened in a session, and when; *ref* is its name, by which it is kept once.

    *told* names what the model was told from memory with it. What was said *off* the record is erased when
    the session ends.
    """

    event: str
    session: str
    text: str
    ref: str
    at: datetime
    told: tuple[str, ...] = ()
    off: bool = False

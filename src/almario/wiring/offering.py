"""What other programs are offered of an agent, told without opening it."""

from almario.conversation.tool_calls import Caller, Done, Question
from almario.conversation.tool_table import Row, offered

__all__ = ["Caller", "Done", "Question", "Row", "offered"]

"""What other programs are offered of an agent, told without opening it."""

from almario.conversation.tool_calls import Done, Question
from almario.conversation.toolbox import offered
from almario.conversation.tools import Tool

__all__ = ["Done", "Question", "Tool", "offered"]

"""What the rooms above need from outside, in the project's own words."""

from collections.abc import Callable
from datetime import datetime

# Returns the present instant, with its time zone. Nothing else reads the time.
Clock = Callable[[], datetime]

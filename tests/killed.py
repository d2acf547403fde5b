"""What a test raises where a process would be killed: nothing in the code catches it."""


class Killed(BaseException):
    """The process ends here."""

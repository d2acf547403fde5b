"""Faults in what a household is promised, which prove the run that looks for them."""

from typing import Any

from almario.becoming import proposals, register
from almario.memory.purge import Purge
from proofs.torture import month, writing

FAULTS = ("no-swap", "two-answers", "unasked", "kept-versions")


def plant(fault: str) -> None:
    """Take a safeguard out of this process and those it forks."""
    if fault in month.FAULTS:
        month.plant(fault)
    elif fault in writing.FAULTS and fault != "none":
        writing.plant(fault)
    elif fault == "no-swap":  # what has come into the file since is not looked at
        register.merged = lambda base, now, wanted: wanted  # type: ignore[assignment, attr-defined]
    elif fault == "two-answers":
        proposals.need_unanswered = lambda made, proposal: None  # type: ignore[attr-defined]
    elif fault == "unasked":
        proposals.may_go_unasked = lambda wish, accepted: True  # type: ignore[attr-defined]
        proposals.Proposals._is_unasked = _is_open  # type: ignore[method-assign]
    elif fault == "kept-versions":
        Purge._clean_versions = lambda self, write, texts, to_erase: []  # type: ignore[method-assign]


def _is_open(self: proposals.Proposals, draft: Any, made: Any) -> bool:
    return self._register.proposal(made).state == "open"

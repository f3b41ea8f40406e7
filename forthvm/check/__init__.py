"""Checks of scripts while they are written: static analysis, no game is run.

    >>> from forthvm.check import check_files
    >>> report = check_files(["game.4th"])      # doctest: +SKIP
    >>> print(report.findings[0].report())      # doctest: +SKIP

Owns the public names.  The function is called `check_files` because `forthvm.check` is this
package.
"""

from __future__ import annotations

from .analysis.effects import StackEffect, Words, declared_effect, effect_of
from .api import Report, Statistics, Told, check_files
from .code_info import CodeInfo
from .codes import CODES
from .finding import Finding
from .text.comments import Declared

__all__ = [
    "CODES",
    "CodeInfo",
    "Declared",
    "Finding",
    "Report",
    "StackEffect",
    "Statistics",
    "Told",
    "Words",
    "check_files",
    "declared_effect",
    "effect_of",
]

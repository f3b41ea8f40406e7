"""Static analysis of scripts; no game is run.

    >>> from forthvm.check import check_files
    >>> report = check_files(["game.4th"])      # doctest: +SKIP
    >>> print(report.findings[0].report())      # doctest: +SKIP

Owns the public names of the package.
"""

from __future__ import annotations

from .analysis.effects import StackEffect, WordAnalysis, declared_effect, effect_of
from .api import DefinitionEffect, Report, Statistics, check_files
from .codes import CODES
from .finding import CodeInfo, Finding
from .text.comments import Declared

__all__ = [
    "CODES",
    "CodeInfo",
    "Declared",
    "DefinitionEffect",
    "Finding",
    "Report",
    "StackEffect",
    "Statistics",
    "WordAnalysis",
    "check_files",
    "declared_effect",
    "effect_of",
]

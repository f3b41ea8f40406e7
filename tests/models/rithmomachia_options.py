"""The options of Rithmomachia, `rules/rithmomachia.md` section 9, and its named variants.

Owns the names and values of the options, spelled as on the page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["CHOICES", "PROPOSED_DIGITS", "PROPOSED_MAX", "VARIANTS", "Options"]


@dataclass(frozen=True)
class Options:
    """One value for each option; the defaults are those of the page, its preset `article`.

    `value`, `n_digits` and `n_max` have a number for White and one for Black.  The switches
    `de_bonis`, `de_lite`, `de_honore` and `de_honore_liteque` are additions of the bundled game,
    described in its README.  A victory whose switch is on, but whose number is 0, uses the proposed
    limit of the page (`PROPOSED_DIGITS`, `PROPOSED_MAX`).
    """

    moves: str = "leaps"
    pyramid_diagonal: str = "off"
    siege: str = "adjacent"
    ambush: str = "reach"
    eruption: str = "both"
    pyramid_total: str = "always"
    pyramid_dies: str = "parts"
    pyramid_count: str = "parts"
    n_pieces: int = 15
    de_bonis: str = "on"
    de_lite: str = "off"
    de_honore: str = "off"
    de_honore_liteque: str = "off"
    value: tuple[int, int] = (1315, 984)
    n_digits: tuple[int, int] = (0, 0)
    n_max: tuple[int, int] = (0, 0)
    pyramid_win: str = "off"
    glory: str = "off"
    magna: str = "arithmetic"
    glory_own: int = 1
    arrangement: str = "line-or-corner"
    glory_needs_pyramid: str = "off"
    first: str = "white"
    stalemate: str = "draw"
    draw_after: int = 0


# Every option with named values: its values, the default first.
CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "moves": ("leaps", "straight"),
    "pyramid_diagonal": ("off", "on"),
    "siege": ("adjacent", "natural"),
    "ambush": ("reach", "sandwich"),
    "eruption": ("both", "product"),
    "pyramid_total": ("always", "intact"),
    "pyramid_dies": ("parts", "whole"),
    "pyramid_count": ("parts", "one", "script"),
    "de_bonis": ("on", "off"),
    "de_lite": ("off", "on"),
    "de_honore": ("off", "on"),
    "de_honore_liteque": ("off", "on"),
    "pyramid_win": ("off", "on"),
    "glory": ("off", "magna", "all"),
    "magna": ("arithmetic", "any"),
    "arrangement": ("line-or-corner", "line", "free"),
    "glory_needs_pyramid": ("off", "on"),
    "first": ("white", "black"),
    "stalemate": ("draw", "pass", "loss"),
}

# The limits that section 7 of the page proposes for White and Black.
PROPOSED_DIGITS: Final = (34, 28)
PROPOSED_MAX: Final = (13, 11)

_DISTANT: Final = Options(siege="natural")

# Section 9, "Named variants of the original"; the variant Random differs only in its players.
VARIANTS: Final[dict[str, Options]] = {
    "Rithmomachy": Options(),
    "Distant Siege": _DISTANT,
    "Glorious Victories": Options(glory="magna", magna="any"),
    "Distant Siege with Glorious Victories": Options(siege="natural", glory="magna", magna="any"),
    "Glorious Victories after Pyramid capturing": Options(
        glory="magna", magna="any", glory_needs_pyramid="on"
    ),
    "Distant Siege with Glorious Victories after Pyramid capturing": Options(
        siege="natural", glory="magna", magna="any", glory_needs_pyramid="on"
    ),
}

"""The keywords of sections and options.

Owns the tables.
"""

from __future__ import annotations

__all__ = [
    "FILE_SECTIONS",
    "GOAL_SECTIONS",
    "OLD_OPTIONS",
    "OPTION_DEFAULTS",
    "SECTIONS_OF_RULES",
    "TEXT_SECTIONS",
    "UNUSED_SECTIONS",
]

#: The kind of goal of each section of goals.
GOAL_SECTIONS = {
    "win-condition": "win",
    "loss-condition": "loss",
    "draw-condition": "draw",
    "count-condition": "count",
}

#: Options that were sections in version 1, and the names that they have since.
OLD_OPTIONS = {
    "pass-turn": "pass turn",
    "pass-partial": "pass partial",
    "recycle-captures": "recycle captures",
    "recycle-promotions": "recycle promotions",
    "maximal-captures": "maximal captures",
    "discard-cascades": "discard cascades",
    "include-off-pieces": "include off-pieces",
    "animate-captures": "animate captures",
    "animate-drops": "animate drops",
    "allow-flipping": "prevent flipping",
}

#: Values of options that a file does not state.
OPTION_DEFAULTS = {
    "pass turn": "false",
    "pass partial": "false",
    "maximal captures": "false",
    "recycle captures": "false",
    "recycle promotions": "false",
    "discard cascades": "false",
    "include off-pieces": "false",
    "loss penalty": "false",
    "progressive levels": "false",
    "silent ? moves": "false",
    "animate captures": "default",
    "animate drops": "default",
    "highlight goals": "default",
    "selection screen": "default",
    "show moves list": "default",
    "smart moves": "default",
    "prevent flipping": "default",
}

#: Sections with the name of a file: sounds, and the saved game that solves a puzzle.
FILE_SECTIONS = (
    "solution",
    "opening-sound",
    "move-sound",
    "release-sound",
    "capture-sound",
    "drop-sound",
    "change-sound",
    "click-sound",
    "draw-sound",
    "win-sound",
    "loss-sound",
    "music",
)

#: Texts and sounds; no effect on the rules.
TEXT_SECTIONS = ("title", "description", "history", "strategy", *FILE_SECTIONS)

SECTIONS_OF_RULES = (
    "players",
    "turn-order",
    "board",
    "board-setup",
    "move-priorities",
    "engine",
    "version",
)

#: Keywords of the published list that no known file uses.
UNUSED_SECTIONS = ("open", "translate")

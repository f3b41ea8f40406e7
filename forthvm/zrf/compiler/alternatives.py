"""Writes the switches of the support library for choices that differ from the defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.zrf.choices import Choices

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.zrf.compiler.names import Names
    from forthvm.zrf.rules import Rules

__all__ = ["library_switches"]


def library_switches(rules: Rules, names: Names, choices: Choices) -> Iterator[str]:
    """Yield a line of the script for each switch; none for the default choices."""
    if not choices.promotion_keeps_attributes:
        yield "z-renewing ON"
    if not choices.promotion_comes_last:
        yield "z-promoting-early ON"
    if not choices.later_create_stands:
        yield "z-first-create ON"
    if not choices.each_capture_of_a_part_counts:
        yield "1 z-most-counted !"
    if choices.flip_skips_neutral_and_random:
        for player in rules.players:
            words = names["player", player], names["player", _next_real(rules, player)]
            yield f"{words[0]} {words[1]} z-flips-to"
    if choices.goal_order != Choices().goal_order:
        for rank, goal in enumerate(choices.goal_order, 1):
            yield f"{rank} {Choices().goal_order.index(goal) + 1} z-goal-rank !"


def _next_real(rules: Rules, player: str) -> str:
    """Return the next player that is neither neutral nor random; the same one if there is none."""
    at = rules.players.index(player) + 1
    others = (*rules.players[at:], *rules.players[:at])
    return next((name for name in others if name in rules.real_players), player)

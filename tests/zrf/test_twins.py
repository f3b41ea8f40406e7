"""Games that exist as rule file and as bundled script: the same legal moves along random games.

Each twin has a function that turns the text of a move of either side into a key, by which moves are
compared.  A game ends as soon as one side ends it: the scripts know draws that ZRF cannot express
(fifty moves, dead positions, series of passes), and ZRF draws at the third repetition.  A win must
be one on both sides.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest

import forthvm
from tests.zrf.perft_tables import GAMES

PLIES = int(os.environ.get("FORTHVM_TWIN_PLIES", "60"))
SLOW_PLIES = int(os.environ.get("FORTHVM_TWIN_PLIES", "5000"))

Key = Callable[[str], str]


def as_written(text: str) -> str:
    """The text without the mark of partial moves, which the scripts do not write."""
    return re.sub(r"^partial \d+ ", "", text)


def without_attributes(text: str) -> str:
    """The text in lower case, without attributes."""
    return re.sub(r" @ \w+ \d+ [01]", "", text).lower()


def first_square(text: str) -> str:
    """The drop at the beginning, without what it turns over."""
    return " ".join(text.split()[:3])


def sorted_captures(text: str) -> str:
    """The movement, then the captures in alphabetical order."""
    words = text.split()
    return " ".join([*words[:4], *sorted(words[5::2])])


@dataclass(frozen=True)
class Twin:
    """A rule file and the bundled script of the same game."""

    rule_file: str
    script: str
    rule_key: Key
    script_key: Key

    def __str__(self) -> str:
        return self.rule_file


def _race_key(text: str) -> str:
    """Start and goal of a piece; a die and its square; or the removal of the dice."""
    words = text.split()
    if text == "Pass":
        return text
    if words[0] == "x":
        return "clear"
    if words[0] in {"?Dice", "Table"}:
        return " ".join(words[1:3])
    return f"{words[1]} {words[3]}"  # start and goal


# Yonin Shogi: 5i of the rule file is e1 of the script.

HAND = re.compile(r"(pawn|silver|gold|rook|king)\d+")


def _square(name: str) -> str:
    return chr(ord("a") + 9 - int(name[0])) + str(9 - (ord(name[1]) - ord("a")))


def _shogi_rule_key(text: str) -> str:
    words = text.split()
    if text == "Pass":
        return text
    kind, start, goal = words[0].lower(), words[1], words[3]
    if HAND.fullmatch(start):
        return f"drop {kind} {_square(goal)}"
    promoted = f"@ {goal} 0 1" in text
    return f"{_square(start)} {_square(goal)}{' promoted' * promoted}"


def _shogi_script_key(text: str) -> str:
    words = text.split()
    if text == "Pass":
        return text
    if words[0] in {"South", "West", "North", "East"}:
        return f"drop {words[1]} {words[2]}"
    return f"{words[1]} {words[3]}{' promoted' * ('=' in words)}"


TWINS = [
    Twin("tictactoe", "tictactoe", as_written, as_written),
    Twin("breakthrough", "breakthrough", as_written, as_written),
    Twin("los-alamos-chess", "chess-los-alamos", as_written, as_written),
    Twin("chess", "chess", without_attributes, without_attributes),
    Twin("reversi", "reversi", first_square, first_square),
    Twin("english-draughts", "draughts", as_written, as_written),
    Twin("thud", "thud", sorted_captures, sorted_captures),
    Twin("ur", "ur-script", _race_key, _race_key),
    Twin("yonin-shogi", "yonin-shogi-capture", _shogi_rule_key, _shogi_script_key),
]


def _player_is_out(position: forthvm.Position) -> bool:
    """Yonin Shogi: a player has no king; then the script hands over what he held, unlike ZRF."""
    kings = {piece.player for piece in position.board.values() if piece and piece.type == "King"}
    return len(kings) < len(position.game.players)


def play_both(twin: Twin, plies: int) -> None:
    """Play random games of both sides at once.

    Raises:
        AssertionError: The legal moves, the player to move or the winner differ.
    """
    ours = forthvm.load(GAMES / f"{twin.rule_file}.zrf")
    theirs = forthvm.load(twin.script)
    chooser = random.Random(twin.rule_file)
    made = 0
    while made < plies:
        rule, script = ours.start(), theirs.start()
        played: list[str] = []
        while made < plies:
            winners = [set(p.result.winners) if p.result else None for p in (rule, script)]
            if any(winners):
                assert winners[0] == winners[1], played
            if winners != [None, None]:
                break
            if twin.rule_file == "yonin-shogi" and _player_is_out(rule):
                break
            found = {twin.rule_key(str(move)): move for move in rule.legal_moves}
            other = {twin.script_key(str(move)): move for move in script.legal_moves}
            assert set(found) == set(other), f"after {played}"
            key = chooser.choice(sorted(found))
            rule.push(found[key])
            script.push(other[key])
            played.append(key)
            made += 1


@pytest.mark.sampled(5)
@pytest.mark.parametrize("twin", TWINS, ids=str)
def test_moves_of_rule_file_and_script(twin: Twin) -> None:
    play_both(twin, PLIES)


@pytest.mark.slow
@pytest.mark.parametrize("twin", TWINS, ids=str)
def test_moves_of_rule_file_and_script_in_long_games(twin: Twin) -> None:
    play_both(twin, SLOW_PLIES)

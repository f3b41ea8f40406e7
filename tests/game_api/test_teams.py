"""Players that a script declares friends win and lose together."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.games import load_text

# If the player to move has no move, the result for that player is `verdict`.
SCRIPT = """\
{{board 1 8 {{grid}} board}}
{{directions 0 1 {{direction}} e directions}}
{{players {{player}} N {{player}} E {{player}} S {{player}} W players}}
{{turn-order {{turn}} N {{turn}} E {{turn}} S {{turn}} W turn-order}}
: step e verify empty? verify from here move add-move ;
{{moves steps {{move}} step moves}}
{{pieces {{piece}} man {{moves}} steps pieces}}
{{board-setup {{setup}} N man a1 {{setup}} E man h1 board-setup}}
: OnIsGameOver #UnknownScore stalemate? IF DROP {verdict} ENDIF ;
{friends}
"""
PAIRS = ": OnFriends? ( a b -- ? ) player-index 2 MOD SWAP player-index 2 MOD = ;"

# A relation that is not symmetric makes no team.  Scripts with dice define such a relation to guide
# searches past chance players.
ONE_WAY = ": OnFriends? ( a b -- ? ) DROP E = ;"


@pytest.mark.parametrize(
    ("verdict", "friends", "winners_and_losers", "reason"),
    [
        ("#WinScore", PAIRS, (("E", "W"), ("N", "S")), "E and W have won"),
        ("#LossScore", PAIRS, (("N", "S"), ("E", "W")), "E and W have lost, N and S won"),
        ("#WinScore", "", (("E",), ("N", "S", "W")), "E has won"),
        ("#LossScore", "", (("N", "S", "W"), ("E",)), "E has lost, N, S and W won"),
        ("#WinScore", ONE_WAY, (("E",), ("N", "S", "W")), "E has won"),
        ("#LossScore", ONE_WAY, (("N", "S", "W"), ("E",)), "E has lost, N, S and W won"),
        ("#DrawScore", PAIRS, ((), ()), "draw"),
    ],
)
def test_friends_share_the_result(
    tmp_path: Path, verdict: str, friends: str, winners_and_losers: object, reason: str
) -> None:
    position = load_text(
        tmp_path, SCRIPT.format(verdict=verdict, friends=friends), name="teams.4th"
    ).start()
    position.push(position.legal_moves[0])
    before = position.copy()
    assert (position.result.winners, position.result.losers) == winners_and_losers
    assert str(position.result) == f"{reason}: E has no legal move"
    assert position == before

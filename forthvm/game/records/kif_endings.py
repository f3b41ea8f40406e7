"""How games in KIF end: the words in place of a move, the last line, and the results.

Owns what each word means for the player to move.
"""

from __future__ import annotations

import re

from .kif_tables import ANY_PLAYER, FIRST_PLAYERS, LETTERS, RANKS, TIME

__all__ = ["ENDS", "SUMMARY", "USUAL_ENDS", "end_of", "is_other_end", "result_of", "summarized"]

_LOST, _WON, _DRAWN, _STOPPED = "lost", "won", "drawn", "stopped"
ENDS = {
    "投了": _LOST,
    "詰み": _LOST,
    "切れ負け": _LOST,
    "時間切れ": _LOST,
    "反則負け": _LOST,
    "不戦敗": _LOST,
    "反則勝ち": _WON,
    "不戦勝": _WON,
    "入玉勝ち": _WON,
    "宣言勝ち": _WON,
    "入玉宣言勝ち": _WON,
    "千日手": _DRAWN,
    "持将棋": _DRAWN,
    "引き分け": _DRAWN,
    "引分": _DRAWN,
    "中断": _STOPPED,
    "封じ手": _STOPPED,
    "不詳": _STOPPED,
    "不詰": _STOPPED,
}
"""Ends of games, for the player to move.  Other words say nothing about the result."""
USUAL_ENDS = {"投了", "詰み", "中断"}
"""Ends that are written if nothing else is known; others are kept in the tag Termination."""
_END = re.compile(rf"\s*\d+\s+(?P<end>{'|'.join(ENDS)}){TIME}")
_OTHER_END = re.compile(
    rf"\s*\d+\s+(?P<end>(?!同|[{RANKS}]{{2}})[\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u9fff]{{2,20}}+"
    rf"(?<![{''.join(LETTERS)}打]))\s*+(\((?!\d\d\))[\d :/.]*+\))?\s*+\+?\s*+"
)
"""An unknown word in place of a move, which looks like none: `最大手数`."""
SUMMARY = re.compile(r"まで(.*)")
_DECIDED = re.compile(rf"(?P<player>{ANY_PLAYER})の?[^の手]*?((?P<won>勝)|負|敗|投了)")
"""Who has won or lost: `先手の反則負けにより後手の勝ち` names the loser first."""
_UNDECIDED = re.compile("千日手|持将棋|引き?分")


def end_of(line: str) -> str:
    """Return the word with which a game ends on a line; "" if it does not end there."""
    found = _END.fullmatch(line) or _OTHER_END.fullmatch(line)
    return found["end"] if found else ""


def is_other_end(word: str) -> bool:
    """Return whether a word ends a game without saying anything about its result."""
    return word not in ENDS and _OTHER_END.fullmatch(f"1 {word}") is not None


def result_of(end: str, *, is_first: bool) -> str:
    """Return the result of a game with an end; `is_first`: the first player is to move."""
    kind = ENDS.get(end, _STOPPED)
    if kind in (_DRAWN, _STOPPED):
        return "1/2-1/2" if kind == _DRAWN else "*"
    return "1-0" if (kind == _WON) == is_first else "0-1"


def summarized(text: str) -> str:
    """Return the result that the last line of a game tells."""
    found = _DECIDED.search(text)
    if found is None:
        return "1/2-1/2" if _UNDECIDED.search(text) else "*"
    is_first = found["player"] in FIRST_PLAYERS
    return "1-0" if bool(found["won"]) == is_first else "0-1"

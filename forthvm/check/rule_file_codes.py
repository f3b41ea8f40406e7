"""The codes of findings in rule files of Zillions (`.zrf`): 9.

The table of all codes is in codes.py.
"""

from __future__ import annotations

from .finding import CodeInfo

__all__ = ["RULE_FILE_CODES"]

_START = '(game (title "Walk") (players White Black) '
_TURNS = "(turn-order White Black) "
_BOARD = (
    "(board (grid (start-rectangle 0 0 9 9) "
    '(dimensions ("a/b/c" (10 0)) ("2/1" (0 10))) (directions (n 0 -1) (s 0 1) (e 1 0)))'
)
_SETUP = "(board-setup (White (Man a1)) (Black (Man c2))))"
_STEP = "(piece (name Man) (moves (n (verify empty?) add) (s (verify empty?) add))) "
_GOOD = f"{_START}{_TURNS}{_BOARD}) {_STEP}{_SETUP}"
_MACRO = (
    f"{_START}{_TURNS}{_BOARD}) (piece (name Man) (moves (step n empty?) (step s empty?))) "
    f"{_SETUP} (define step ($1 (verify $2) add))"
)


def _info(code: str, title: str, why: str, bad: str, good: str = _GOOD) -> CodeInfo:
    return CodeInfo(code, title, why, bad, good)


RULE_FILE_CODES = (
    _info(
        "E801",
        "the rule file is broken",
        "The game or variant cannot be played: parentheses do not match, or the file does not "
        "define a name that it uses.",
        _GOOD.replace("empty?", "emptyx?"),
    ),
    _info(
        "W802",
        "something in the rule file is ignored",
        "The game can be played, but a part of the file has no effect, or is read in the only way "
        "that makes sense.",
        _GOOD.replace("(piece ", "(peace 1) (piece "),
    ),
    _info(
        "W803",
        "a block never adds a move",
        "No way through the block reaches an `add`, so it has no effect.",
        _GOOD.replace("(n (verify empty?) add)", "(n (verify empty?))"),
    ),
    _info(
        "W804",
        "a move type is never used",
        "Blocks of this type never run: neither the turn order nor `move-priorities` nor an "
        "`add-partial` names the type, and all turns are restricted to other types.",
        _GOOD.replace(_TURNS, "(turn-order (White step) (Black step)) ").replace(
            "(moves (n (verify empty?) add)",
            "(moves (move-type jump) (n (verify empty?) add) (move-type step)",
        ),
        _GOOD.replace(_TURNS, "(turn-order (White step) (Black step)) ").replace(
            "(moves", "(moves (move-type step)"
        ),
    ),
    _info(
        "W805",
        "a piece never appears",
        "The piece is not in the initial position or in a store, and no move creates it.",
        _GOOD.replace("(board-setup", "(piece (name King) (moves (n add))) (board-setup"),
    ),
    _info(
        "W806",
        "a symmetry goes one way only",
        "For this player, one direction acts as another, which acts as itself, so the two mean the "
        "same. Symmetries are one way: write both pairs.",
        _GOOD.replace(f"{_BOARD})", f"{_BOARD} (symmetry Black (n s)))"),
        _GOOD.replace(f"{_BOARD})", f"{_BOARD} (symmetry Black (n s) (s n)))"),
    ),
    _info(
        "W807",
        "pictures are missing",
        "The game can be played; symbols or letters replace the pictures.",
        _GOOD.replace("(board (grid", '(board (image "none.bmp") (grid'),
    ),
    _info(
        "W808",
        "two variants have the same title",
        "The second one can only be chosen by its number.",
        f'{_GOOD} (variant (title "Walk"))',
        f'{_GOOD} (variant (title "Run"))',
    ),
    _info(
        "W809",
        "the script of the engine is missing",
        "The file leaves the rules to the Axiom engine, in a script that has the title of the game "
        "as its name and lies in the folder of the engine. Without the script the game can only be "
        "played if it is a bundled game.",
        _GOOD.replace("(players", '(engine "axiom.dll") (players'),
    ),
    _info(
        "W810",
        "nothing can move",
        "No turn has a first move: in the initial position, none of its player's pieces, on the "
        "board or in the store, has moves or drops of the type of the turn that reach an `add`.",
        _GOOD.replace("(White (Man a1)) (Black (Man c2))", ""),
    ),
    _info(
        "W811",
        "pieces with moves, but no turn",
        "No turn is the player's, and none moves the player's pieces, so these never move. Not "
        "reported if the player also has pieces without moves, or if the code asks `neutral?` or "
        "changes owners: then the pieces are neutral on purpose.",
        _GOOD.replace("(turn-order White Black)", "(turn-order White)"),
    ),
    _info(
        "W812",
        "two directions with the same links",
        "One of them probably has wrong steps. Not reported if for each direction there is one "
        "with the opposite links, or if a symmetry makes the two directions different.",
        _GOOD.replace("(e 1 0)", "(e 1 0) (w 1 0)"),
        _GOOD.replace("(e 1 0)", "(e 1 0) (w -1 0)"),
    ),
    _info(
        "I813",
        "the name of a file differs in letter case",
        "forthvm and Windows ignore the case of the names of pictures, sounds and included files; "
        "other programs and web servers may not. In the example the file is `board.bmp`.",
        _GOOD.replace("(board (grid", '(board (image "Board.BMP") (grid'),
        _GOOD.replace("(board (grid", '(board (image "board.bmp") (grid'),
    ),
    _info(
        "W814",
        "a macro call with too few or too many arguments",
        "A parameter without an argument vanishes, so that instructions lose words; an argument "
        "that the macro does not use has no effect. Not reported if the call has no argument.",
        _MACRO.replace("(step s empty?)", "(step s)"),
        _MACRO,
    ),
    _info(
        "W815",
        "a flag that no code sets",
        "Flags are false at the start of each move, so the condition is always false. Perhaps the "
        "name is misspelt.",
        _GOOD.replace("(n (verify", "(n (verify (not-flag? moved)) (verify"),
        _GOOD.replace("(n (verify", "((set-flag moved false) n (verify (not-flag? moved)) (verify"),
    ),
)

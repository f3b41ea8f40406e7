r"""Cases for single statements of the contract on ZRF, and how to check them on any implementation.

Beside each rule file `statements/NAME.zrf` stands `NAME.cases`, written by hand.  A case is a
paragraph of such lines:

    case: what the case shows
    variant: TITLE              none: what opens without a title
    play: TEXT                  a move that is made first; any number of lines
    moves: none                 or one legal move on each following line, indented, in any order
    after:                      one board on each following line: those that the legal moves lead to
    board: White Man a1 +new?, Black Rook c3        all pieces, with attributes that are true
    store: White Man 2          all stores that are not empty; `none`
    turn: White                 who decides the next move
    turn-number: 1
    result: White win, Black loss       or `draw`, `open`
    titles: ONE | TWO           titles of the file; `\n` is a line break

In texts of moves `~` stands for `-` or `x` (contract, statement 88), and the number after
`partial` is left out (87).  A line that begins with `#` is a comment.

They do not depend on an implementation of ZRF.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

__all__ = ["STATEMENTS", "Case", "Player", "case_files", "check", "check_file", "read_cases"]

STATEMENTS = Path(__file__).parent / "statements"

SHARED_FILES = {"boards.zrf"}
"""Files of the folder that others include; they are no games."""


class Player(Protocol):
    """A game in progress, as an implementation of ZRF plays it."""

    def moves(self) -> Sequence[str]:
        """The texts of the legal moves."""

    def play(self, index: int) -> Player:
        """The game after the legal move with this index."""

    def board(self) -> Mapping[str, tuple[str, str, frozenset[str]]]:
        """Owner, type and true attributes of the piece on each occupied position."""

    def stores(self) -> Mapping[tuple[str, str], int]:
        """The number of off-board pieces by owner and type."""

    def turn(self) -> str:
        """The player who decides the next move."""

    def turn_number(self) -> int:
        """The turn number as in saved games."""

    def result(self) -> Mapping[str, str] | None:
        """win, loss or draw for each player, or None while the game goes on."""

    def titles(self) -> Sequence[str]:
        """The titles of the game and its variants."""


@dataclass
class Case:
    """A paragraph of a file of cases."""

    path: Path
    title: str
    variant: str | None = None
    plays: list[str] = field(default_factory=list)
    expected: dict[str, str | list[str]] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.path.stem}: {self.title}"

    @property
    def rule_file(self) -> Path:
        """The rule file that the case belongs to."""
        return self.path.with_suffix(".zrf")


EXPECTATIONS = dict.fromkeys(("moves", "after"), "list") | dict.fromkeys(
    ("board", "store", "turn", "turn-number", "result", "titles"), "text"
)
"""What a case may expect, and whether it is a list of lines or a text behind the colon."""


def case_files() -> list[Path]:
    """The files of cases, one for each rule file.

    Raises:
        FileNotFoundError: A rule file has no cases.
    """
    rule_files = [path for path in STATEMENTS.glob("*.zrf") if path.name not in SHARED_FILES]
    found = sorted(path.with_suffix(".cases") for path in rule_files)
    for path in found:
        if not path.is_file():
            raise FileNotFoundError(path)
    return found


def read_cases(path: Path) -> list[Case]:
    """The cases of a file.

    Raises:
        ValueError: A line has another form.
    """
    cases: list[Case] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            try:
                _read_line(path, cases, line)
            except (IndexError, KeyError) as error:
                raise ValueError(f"{path.name}:{number}: {line!r} is no line of a case") from error
    return cases


def _read_line(path: Path, cases: list[Case], line: str) -> None:
    """Add what a line says to the last case, or begin another one."""
    if line.startswith(" "):
        last = list(cases[-1].expected.values())[-1]
        if isinstance(last, list):
            last.append(line.strip())
            return
    key, _, value = line.partition(":")
    if key == "case":
        cases.append(Case(path, value.strip()))
    elif key == "variant":
        cases[-1].variant = value.strip()
    elif key == "play":
        cases[-1].plays.append(value.strip())
    else:
        cases[-1].expected[key] = [] if EXPECTATIONS[key] == "list" else value.strip()


# --- comparing ------------------------------------------------------------------------------


def _plain(text: str) -> str:
    """A move's text without the number of the continuation's type."""
    return re.sub(r"^partial \d+ ", "partial ", text)


def _fits(expected: str, text: str) -> bool:
    pattern = re.escape(expected).replace(r"\ \~\ ", " [-x] ").replace(r"\~", "[-x]")
    return re.fullmatch(pattern, _plain(text)) is not None


def _shown_board(board: Mapping[str, tuple[str, str, frozenset[str]]]) -> str:
    """The board as `board:` lines write it, sorted."""
    pieces = [
        " ".join([owner, kind, square, *(f"+{name}" for name in sorted(true))])
        for square, (owner, kind, true) in board.items()
    ]
    return ", ".join(sorted(pieces))


def _sorted_items(value: str) -> str:
    return ", ".join(sorted(value.split(", ")))


def _shown_result(result: Mapping[str, str] | None) -> str:
    if result is None:
        return "open"
    if set(result.values()) == {"draw"}:
        return "draw"
    return ", ".join(sorted(f"{player} {word}" for player, word in result.items()))


def _shown_stores(stores: Mapping[tuple[str, str], int]) -> str:
    shown = sorted(f"{owner} {kind} {n}" for (owner, kind), n in stores.items() if n)
    return ", ".join(shown) or "none"


def _check_moves(expected: list[str], texts: Sequence[str]) -> None:
    left = list(texts)
    missing = []
    for move in expected:
        fitting = [text for text in left if _fits(move, text)]
        if fitting:
            left.remove(fitting[0])
        else:
            missing.append(move)
    _require(not missing and not left, f"missing moves: {missing}; surplus moves: {left}")


def _require(true: bool, message: str) -> None:
    """Fail with a message; pytest rewrites the assertions of test modules only."""
    if not true:
        raise AssertionError(message)


def _index_of(move: str, texts: Sequence[str]) -> int:
    for index, text in enumerate(texts):
        if _fits(move, text):
            return index
    raise AssertionError(f"{move!r} is not legal; legal moves: {list(texts)}")


def check(case: Case, player: Player) -> None:
    """Play the case's moves and compare what it expects.

    Raises:
        AssertionError: Something differs; the message says what.
    """
    for move in case.plays:
        player = player.play(_index_of(move, player.moves()))
    _require(bool(case.expected), "the case expects nothing")
    for key, value in case.expected.items():
        if key == "moves":
            _check_moves(list(value), player.moves())
        elif key == "after":
            boards = [player.play(i).board() for i in range(len(player.moves()))]
            found, expected = sorted(map(_shown_board, boards)), sorted(map(_sorted_items, value))
            _require(found == expected, f"after: {found}, expected {expected}")
        else:
            shown, wanted = _shown_value(key, player), _sorted_items(str(value))
            _require(shown == wanted, f"{key}: {shown}, expected {wanted}")


def check_file(path: Path, start: Callable[[Path, str | None], Player]) -> None:
    """Check all cases of a file.

    Args:
        path: The file of cases.
        start: Loads a rule file, with the title of a variant or None, and starts its game.

    Raises:
        AssertionError: The message has a line for each case that fails.
    """
    failures = []
    for case in read_cases(path):
        try:
            check(case, start(case.rule_file, case.variant))
        except AssertionError as error:
            failures.append(f"{case}: {error}")
    _require(not failures, "\n".join(failures))


def _shown_value(key: str, player: Player) -> str:
    """What a line of a case says about the player's game."""
    shown = {
        "board": lambda: _shown_board(player.board()),
        "store": lambda: _shown_stores(player.stores()),
        "turn": player.turn,
        "turn-number": lambda: str(player.turn_number()),
        "result": lambda: _shown_result(player.result()),
        "titles": lambda: " | ".join(title.replace("\n", r"\n") for title in player.titles()),
    }
    return shown[key]()

"""Replays saved games of Zillions: finds the rule file, sets up the board, and makes the moves.

Owns the tolerance towards old recordings, and the error for a line that fits no legal move.
Delegates the format of the file to `forthvm.zrf.saved_game`, and the grammar of move texts to
`forthvm.zrf.move_items`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.errors import PositionError
from forthvm.core.location import Location
from forthvm.zrf.move_items import (
    Names,
    matching_texts,
    parse_line,
    similar_texts,
    texts_with_other_attributes,
)
from forthvm.zrf.saved_game import SavedGameTextError, misread, read_saved_game

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from forthvm.core.budget import Budget
    from forthvm.zrf.move_items import Line
    from forthvm.zrf.saved_game import Edit, SavedGame, SavedMove

    from .game import Game
    from .moves import Move
    from .position import Position

__all__ = [
    "Replay",
    "SavedGameError",
    "SavedGameFile",
    "names_of",
    "open_saved_game",
    "read_zsg",
    "read_zsg_bytes",
    "replay_zsg",
]

_SHOWN = 6
"""Maximum number of legal moves in a message."""


class SavedGameError(PositionError):
    """A saved game cannot be replayed.  `location` is the line of the file."""

    summary = "cannot replay the saved game"


def replay_zsg(
    path: str | os.PathLike[str],
    *,
    rules: str | os.PathLike[str] | None = None,
    variant: str | int | None = None,
) -> Position:
    """Return the position after the last move of a saved game of Zillions.

    Args:
        path: The saved game (`.zsg`).
        rules: The rule file; None: the file that the saved game names, in the same folder.  The
            case of letters in the name is ignored.
        variant: Title or index of the game or variant in the rule file; None: the one that the
            saved game names.

    Raises:
        SavedGameError: The file is broken, or a line fits no legal move.
        RuleFileError: The rule file cannot be used.
        OSError: A file cannot be read.
    """
    replay = open_saved_game(path, rules=rules, variant=variant)
    replay.play_all()
    return replay.position


def open_saved_game(
    path: str | os.PathLike[str],
    *,
    rules: str | os.PathLike[str] | None = None,
    variant: str | int | None = None,
    budget: Budget | None = None,
) -> Replay:
    """Return the replay of a saved game, before its first move.

    Args:
        path: The saved game (`.zsg`).
        rules: The rule file; None: as for `replay_zsg`.
        variant: The game or variant; None: as for `replay_zsg`.
        budget: Limits of memory and of each run of the game.

    Raises:
        SavedGameError: The file is broken, or its rule file is missing.
        RuleFileError: The rule file cannot be used.
        OSError: A file cannot be read.
    """
    from .loading import load

    file = read_zsg(path)
    game = load(
        file.rule_file() if rules is None else rules,
        variant=(file.saved.variant or None) if variant is None else variant,
        budget=budget,
    )
    return Replay(game, file)


def read_zsg(path: str | os.PathLike[str]) -> SavedGameFile:
    """Read a saved game.

    Raises:
        SavedGameError: The file is broken.
        OSError: The file cannot be read.
    """
    return read_zsg_bytes(path, Path(path).read_bytes())


def read_zsg_bytes(path: str | os.PathLike[str], data: bytes) -> SavedGameFile:
    """Read a saved game whose contents are known.

    Args:
        path: The file, for messages.
        data: Its contents.

    Raises:
        SavedGameError: The contents are broken.
    """
    path = Path(path)
    try:
        return SavedGameFile(path, data, read_saved_game(data))
    except SavedGameTextError as error:
        raise SavedGameError(str(error), location=_location(path, data, error.line)) from None


@dataclass(frozen=True)
class SavedGameFile:
    """A saved game and the file that contains it.

    Attributes:
        path: The file.
        data: Its bytes.
        saved: Its contents.
    """

    path: Path
    data: bytes
    saved: SavedGame

    def rule_file(self) -> Path:
        """Return the rule file that the saved game names: a file of its own folder.

        Raises:
            SavedGameError: There is no such file.
        """
        name = self.saved.rules_name
        for other in sorted(self.path.resolve().parent.iterdir()):
            if name in (other.name.lower(), misread(other.name.lower())) and other.is_file():
                return other
        raise self.error(
            2,
            f"the rule file `{self.saved.rules_file}` is not beside the saved game",
            ["name the rule file: GAME or --rules FILE, or replay_zsg(path, rules=FILE)"],
        )

    def error(self, line: int, message: str, hints: Sequence[str] = ()) -> SavedGameError:
        """Return an error about a line of the file."""
        return SavedGameError(message, location=_location(self.path, self.data, line), hints=hints)


def names_of(game: Game) -> Names:
    """Return the names that occur in the move texts of a game."""
    return Names(
        frozenset(game.players),
        frozenset(kind.name for kind in game.piece_types),
        frozenset(game.positions),
    )


class Replay:
    """A saved game that is replayed move by move.

    Attributes:
        saved: The contents of the file.
        position: The position after the moves that have been made.
        warnings: What the replay took for granted where the recording is incomplete.
    """

    def __init__(self, game: Game, file: SavedGameFile) -> None:
        """Set up the initial position of the game, with the edits of the file."""
        self.saved = file.saved
        self.warnings: list[str] = []
        self._file = file
        self._names = names_of(game)
        self.position = self._start(game)

    def play_all(self) -> None:
        """Make the moves that have not been made yet.

        Raises:
            SavedGameError: A line fits no legal move.
        """
        for _ in range(len(self.saved.moves) - self._made):
            self.play_next()

    def play_next(self) -> None:
        """Make the next move.

        Raises:
            SavedGameError: The line fits no legal move.
            IndexError: All moves have been made.
        """
        move = self.saved.moves[self._made]
        try:
            line = parse_line(move.text, self._names)
        except ValueError as error:
            raise self._file.error(move.line, f"`{move.text}` is not a move: {error}") from None
        ways = (
            self._make,
            self._make_after_pass,
            self._pass,
            self._leave_out_pass,
            self._make_with_other_attributes,
        )
        if not any(way(move, line) for way in ways):
            raise self._not_legal(move, line)
        self._made += 1

    def _start(self, game: Game) -> Position:
        self._made = 0
        self._is_after_end = self._has_skipped = False
        position = game.start()
        if not self.saved.edits:
            return position
        pieces = {
            square: (piece.player or "", piece.type, square)
            for square, piece in position.board.occupied()
        }
        for edit in self.saved.edits:
            self._check(edit)
            pieces.pop(edit.position, None)
            if edit.player:
                pieces[edit.position] = (edit.player, edit.piece, edit.position)
        try:
            return game.start(setup=pieces.values())
        except ValueError as error:
            raise self._file.error(self.saved.edits[0].line, str(error)) from None

    def _check(self, edit: Edit) -> None:
        """Check the names of a change of the initial position.

        Raises:
            SavedGameError: The game does not have such a player, piece or position.
        """
        asked = [(edit.position, self._names.positions, "position")]
        if edit.player:
            asked.append((edit.player, self._names.players, "player"))
            asked.append((edit.piece, self._names.pieces, "piece"))
        for name, known, what in asked:
            if name not in known:
                raise self._file.error(edit.line, f"`{name}` is not a {what} of the game")

    def _make(self, move: SavedMove, line: Line) -> bool:
        """Make the legal move that a line means; return False if there is none."""
        moves = self.position.generated_moves
        found = matching_texts(line, moves.texts, self._names)
        if found:
            self._push(move, moves[found[0]])
        return bool(found)

    def _make_with_other_attributes(self, move: SavedMove, line: Line) -> bool:
        """Make the only legal move that differs from a line in its attributes.

        Versions of a rule file differ in what they record about pieces.
        """
        moves = self.position.generated_moves
        found = texts_with_other_attributes(line, moves.texts, self._names)
        if len(found) != 1:
            return False
        self._warn(move, f"the attributes differ from those of `{moves.texts[found[0]]}`")
        self._push(move, moves[found[0]])
        return True

    def _push(self, move: SavedMove, legal: Move) -> None:
        """Make a move; some recordings go on after the end of the game."""
        position = self.position
        result, index, game = position.result, position._turn_index, position.game
        position.push(legal, after_end=True)
        next_index = index + 1 if index + 1 < len(game.turn_order) else game.turn_repeat
        self._has_skipped = not position.is_partial and position._turn_index != next_index
        if result is not None and not self._is_after_end:
            self._is_after_end = True
            self._warn(move, f"the game goes on after its end: {result}")

    def _pass(self, move: SavedMove, line: Line) -> bool:
        """Pass for a player without a legal move, even if that ends the game by the rules.

        Some recordings go on after a stalemate.
        """
        position = self.position
        if not line.passes or position.generated_moves:
            return False
        if position.result is not None:
            self._warn(move, f"the pass comes after the end: {position.result}")
        position.push_pass(after_end=True)
        return True

    def _leave_out_pass(self, move: SavedMove, line: Line) -> bool:
        """Accept the pass of a player without a move, whom the rules have skipped already."""
        if not line.passes or not self._has_skipped:
            return False
        self._warn(move, "the player without a move has been skipped without a pass")
        self._has_skipped = False
        return True

    def _make_after_pass(self, move: SavedMove, line: Line) -> bool:
        """Make passes that are not recorded, and the move of the next player.

        Some recordings lack the line `Pass` that stops a series of partial moves.  Players without
        another move pass, too.
        """
        position = self.position
        if line.passes:
            return False
        made = []
        for _ in position.game.turn_order:
            texts = position.generated_moves.texts
            is_stop = position.is_partial and "Pass" in texts
            if position.result is not None or not (is_stop or texts == ("Pass",)):
                break
            position.push(position.generated_moves[texts.index("Pass")])
            made.append("stop of the series" if is_stop else "pass")
            if self._make(move, line):
                for what in made:
                    self._warn(move, f"the {what} before it is not recorded")
                return True
        for _ in made:
            position.pop()
        return False

    def _warn(self, move: SavedMove, text: str) -> None:
        self.warnings.append(f"{self._file.path.name}:{move.line}: {text}")

    def _not_legal(self, move: SavedMove, line: Line) -> SavedGameError:
        position = self.position
        if position.result is not None and not position.generated_moves:
            message = f"`{move.text}` comes after the end: {position.result}"
            return self._file.error(move.line, message)
        texts = position.generated_moves.texts
        near = similar_texts(line, texts, self._names)
        hints = [f"legal moves {'like it' if near else 'there'}: {_listed(near or texts)}"]
        message = f"`{move.text}` is not a legal move of {position.turn} (move {self._made + 1})"
        return self._file.error(move.line, message, hints)


def _listed(texts: Sequence[str]) -> str:
    shown = ", ".join(f"`{text}`" for text in texts[:_SHOWN])
    more = len(texts) - _SHOWN
    return (shown or "none") + (f" and {more} more" if more > 0 else "")


def _location(path: Path, data: bytes, line: int) -> Location:
    lines = data.splitlines()
    text = lines[line - 1].decode("cp1252", errors="replace") if line <= len(lines) else ""
    return Location(str(path), line, 1, text, max(len(text), 1))

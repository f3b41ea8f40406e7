"""Saved games of Zillions of Games (`.zsg`): their text as data, read and written.

Owns the format of the file.  It does not check moves, because this needs the rules of the game.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PureWindowsPath

__all__ = [
    "Edit",
    "SavedGame",
    "SavedMove",
    "misread",
    "read_saved_game",
    "write_saved_game",
]

_HEADER = re.compile(r"Zillions Save Game File Version (\S+)(?:\s+(\S*))?\s*", re.IGNORECASE)
_MOVE = re.compile(r"(\d+)\.\s*(.*)")
_NEW_LINE = re.compile(r"\r\n?|\n")
_FIELD = re.compile(r"\w+")
_BLANKS = " \t\x00\x1a"
"""Characters around a line that mean nothing; DOS wrote the last one at the end of files."""
_MAX_BYTES = 16 << 20
"""Larger files are refused: a game of 10,000 moves has less than a megabyte."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of the initial position: a piece that is put on a square, or a cleared square.

    Attributes:
        player: Owner of the piece; empty to clear the square.
        piece: Type of the piece; empty to clear the square.
        line: Number of the line in the file, from 1.
    """

    position: str
    player: str = ""
    piece: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class SavedMove:
    """A move: the turn number, the text, and the number of its line in the file."""

    turn: int
    text: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class SavedGame:
    """The contents of a saved game.

    Attributes:
        seats: A letter for each player: H (a person) or C (the program).
        rules_file: Name of the rule file as written, which may be a path of Windows.
        variant: Title of the game or variant.
        edits: Changes of the initial position, in file order.
        moves: In file order.
    """

    rules_file: str
    variant: str
    moves: tuple[SavedMove, ...] = ()
    edits: tuple[Edit, ...] = ()
    seats: str = ""
    version: str = "0.02"

    @property
    def rules_name(self) -> str:
        """The last part of the rule file's path, in lower case: how the file is searched."""
        return PureWindowsPath(self.rules_file).name.lower()


class SavedGameTextError(ValueError):
    """A line of a saved game cannot be read; `line` counts from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def read_saved_game(data: bytes) -> SavedGame:
    """Return the contents of a saved game.

    Raises:
        SavedGameTextError: A line does not follow the format.
    """
    if len(data) > _MAX_BYTES:
        raise SavedGameTextError(f"the file has more than {_MAX_BYTES >> 20} MiB", 1)
    lines = [
        (number, stripped)
        for number, line in enumerate(_NEW_LINE.split(_decoded(data)), 1)
        if (stripped := line.strip(_BLANKS)) and not stripped.startswith(";")
    ]
    header = _HEADER.fullmatch(lines[0][1]) if lines else None
    if header is None:
        raise SavedGameTextError("the file does not begin as a saved game of Zillions does", 1)
    fields = {"rulesfile": "", "variantname": ""}
    edits: list[Edit] = []
    moves: list[SavedMove] = []
    for number, line in lines[1:]:
        key, equals, value = line.partition("=")
        move = _MOVE.fullmatch(line)
        if move is not None:
            moves.append(SavedMove(int(move[1]), move[2], number))
        elif line.startswith("("):
            if moves:
                raise SavedGameTextError("a change of the initial position after a move", number)
            edits.append(_edit(line, number))
        elif equals and _FIELD.fullmatch(key.strip()):
            fields[key.strip().lower()] = value.strip()  # other names than the two mean nothing
        else:
            raise SavedGameTextError(f"`{line}` is neither a move nor a change of a square", number)
    if not fields["rulesfile"]:
        raise SavedGameTextError("the line `RulesFile=` is missing", 2)
    return SavedGame(
        fields["rulesfile"],
        fields["variantname"],
        tuple(moves),
        tuple(edits),
        header[2] or "",
        header[1],
    )


def write_saved_game(game: SavedGame) -> bytes:
    """Return the text of a saved game, with the line ends of Windows.

    The encoding is the first that has all its characters: Windows-1252, Windows-1251, UTF-8.
    """
    lines = [
        f"Zillions Save Game File Version {game.version} {game.seats}".rstrip(),
        f"RulesFile={game.rules_file}",
        f"VariantName={' '.join(game.variant.split())}",
    ]
    for edit in game.edits:
        lines.append(
            f"({edit.player} {edit.piece} {edit.position})"
            if edit.player
            else f"(x {edit.position})"
        )
    lines += [f"{move.turn}. {move.text}" for move in game.moves]
    text = "".join(f"{line}\r\n" for line in lines)
    for encoding in ("cp1252", "cp1251"):
        try:
            return text.encode(encoding)
        except UnicodeEncodeError:
            continue
    return text.encode()


def misread(name: str) -> str:
    """Return how `read_saved_game` reads a name that is written in Windows-1251.

    A saved game is too short to guess from its bytes which encoding its rule file has.
    """
    return name.encode("cp1251", errors="replace").decode("cp1252", errors="replace")


def _edit(line: str, number: int) -> Edit:
    match line.removeprefix("(").removesuffix(")").split():
        case ["x", position] if line.endswith(")"):
            return Edit(position, line=number)
        case [player, piece, position] if line.endswith(")") and player != "x":
            return Edit(position, player, piece, number)
    raise SavedGameTextError(
        f"`{line}` is neither `(Player Piece position)` nor `(x position)`", number
    )


def _decoded(data: bytes) -> str:
    """Return the text: UTF-8 if it is valid, otherwise Windows-1252, where each byte is defined."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")

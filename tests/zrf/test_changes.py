"""The changes of moves of rule files: pieces move and change, whatever the library lays."""

from __future__ import annotations

from pathlib import Path

import forthvm
from forthvm import explain
from forthvm.game import Captured, Created, Moved, OwnerChanged, TypeChanged

GAMES = Path(__file__).parent / "games"


def move_of(position: forthvm.Position, text: str) -> forthvm.Move:
    return next(move for move in position.legal_moves if str(move) == text)


def start(name: str, variant: str | None = None) -> forthvm.Position:
    return forthvm.load(GAMES / f"{name}.zrf", variant=variant).start()


def outline(move: forthvm.Move) -> list[tuple[object, ...]]:
    """The changes without pieces and calls."""
    found: list[tuple[object, ...]] = []
    for change in move.changes:
        match change:
            case Moved(source=source, target=target):
                found.append((source, target))
            case Captured(square=square) | Created(square=square):
                found.append((type(change).__name__, square))
            case TypeChanged(square=square, type=kind):
                found.append((square, kind))
            case OwnerChanged(square=square, player=player):
                found.append((square, player))
    return found


def test_a_jump() -> None:
    position = start("english-draughts")
    for text in ("man c3 - d4", "man f6 - e5"):
        position.push(position.parse(text))
    (jump,) = [move for move in position.legal_moves if " x " in str(move)]
    assert outline(jump) == [("d4", "f6"), ("Captured", "e5")]
    assert (jump.from_square, jump.to_square, jump.captures) == ("d4", "f6", ("e5",))


def test_castling() -> None:
    position = start("chess", "Position 2")
    castling = next(move for move in position.legal_moves if "Rook h1 - f1" in str(move))
    assert outline(castling)[:2] == [("e1", "g1"), ("h1", "f1")]


def test_flipped_pieces_change_hands() -> None:
    position = start("reversi")
    move = next(move for move in position.legal_moves if str(move).endswith("flip e5"))
    placed = str(move).split()[2]
    assert sorted(outline(move), key=str) == [("Created", placed), ("e5", "Black")]


def test_an_attribute_is_no_new_piece() -> None:
    move = next(move for move in start("chess").legal_moves if str(move) == "Pawn e2 - e4")
    assert outline(move) == [("e2", "e4")]


def test_explain_speaks_of_movements() -> None:
    position = start("english-draughts")
    for text in ("man c3 - d4", "man f6 - e5"):
        position.push(position.parse(text))
    (jump,) = [move for move in position.legal_moves if " x " in str(move)]
    text = str(explain(position, str(jump)))
    assert "goes from d4 to f6" in text
    assert "appears" not in text
    assert "z-" not in text.partition("code:")[2].partition("\n")[2]

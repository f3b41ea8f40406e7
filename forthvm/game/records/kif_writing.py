"""Writes games of shogi and minishogi as KIF, which kif.py reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .kif_diagram import diagram_of
from .kif_endings import ENDS, is_other_end, result_of
from .kif_tables import (
    BOARDS,
    COLON,
    DATE,
    HANDICAP,
    HANDICAP_PLAYERS,
    HANDICAP_REST,
    HANDICAPS,
    LINE_END,
    NAMES,
    OTHER_START,
    PLAYERS,
    RANKS,
    TAGS,
    TIMES,
    Board,
    Square,
)
from .recorded import RecordedGame, RecordedMove, RecordError, push_recorded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.game.game import Game
    from forthvm.game.position import Position

__all__ = ["text_of"]


def text_of(record: RecordedGame, game: Game) -> str:
    """Return a game as KIF.

    Raises:
        RecordError: The game is not shogi or minishogi, or a move is not legal.
    """
    board = BOARDS.get(game.name)
    if board is None:
        raise RecordError(f"KIF describes games of shogi and minishogi, not of {game.name}")
    position = record.start(game)
    start = _start_name(position, board)
    first, second = HANDICAP_PLAYERS if start in HANDICAPS else PLAYERS
    lines = ["#KIF version=2.0 encoding=UTF-8"]
    lines += _headers(record, ["開始日時", "終了日時", "棋戦", "場所", "持ち時間"])
    if start:
        lines.append(f"{HANDICAP}{COLON}{start}")
    else:
        name = OTHER_START if board.name == "平手" else board.name
        lines += [f"{HANDICAP}{COLON}{name}", *diagram_of(position.to_fen())]
    lines += _headers(record, [first, second, "戦型"])
    lines += _comment(record.comment)
    end = position.copy()
    for move in record.moves:
        push_recorded(end, move)
    ending = [*_ending(record, end, len(record.moves) + 1, (first, second))]
    lines += _lines(position, record.moves, 1, board.size, ending)
    return "\n".join(lines) + "\n"


def _headers(record: RecordedGame, keys: list[str]) -> Iterator[str]:
    """Yield the headers that say more than the values of ROSTER."""
    for key in keys:
        tag = TAGS[key]
        text = " ".join(record.tags.get(tag, "").split())
        if tag in TIMES:
            text = text.replace(".", "/") if DATE.fullmatch(text) else text
            time = record.tags.get(TIMES[tag], "")
            text += f" {time}" if DATE.fullmatch(f"{text} {time}") else ""
        if text.strip("?/"):
            yield f"{key}{COLON}{text}"


def _start_name(position: Position, board: Board) -> str:
    """Return the name of a start; "" if it has none."""
    fen = position.to_fen()
    if fen == board.fen:
        return board.name
    return next((name for name, rows in HANDICAPS.items() if fen == rows + HANDICAP_REST), "")


def _ending(
    record: RecordedGame, end: Position, number: int, players: tuple[str, str]
) -> Iterator[str]:
    """Yield the lines that say how a game has ended."""
    result, word = record.result, record.tags.get("Termination", "")
    is_over, is_first = end.result is not None, end.turn == end.game.contestants[0]
    winner = {"1-0": 0, "0-1": 1}.get(result)
    is_other = is_other_end(word)
    if not is_other and (word not in ENDS or result_of(word, is_first=is_first) != result):
        if winner is None:
            drawn = "千日手" if is_over else "持将棋"
            word = "中断" if result == "*" else drawn
        else:
            has_lost = is_first == bool(winner)
            word = ("詰み" if is_over else "投了") if has_lost else ""
    if word:
        yield f"{number:4} {word}"
    if winner is not None:
        yield f"まで{number - 1}手で{players[winner]}の勝ち"
    elif is_other and result != "*":
        yield f"まで{number - 1}手で引き分け"


def _lines(
    position: Position, moves: list[RecordedMove], number: int, size: int, ending: list[str]
) -> Iterator[str]:
    """Yield the lines of moves, and then those of variations, the last moves first.

    Args:
        position: The position before the moves, which is changed.
        moves: The moves.
        number: The number of the first one.
        size: The number of the ranks of the board.
        ending: The lines after the moves.
    """
    variations: list[tuple[int, list[RecordedMove], Position]] = []
    for at, move in enumerate(moves, number):
        before = position.copy()
        variations += [(at, variation, before) for variation in move.variations if variation]
        yield from _comment(move.before)
        push_recorded(position, move)
        yield f"{at:4} {_move_text(position, before, size)}"
        yield from _comment(move.comment)
    yield from ending
    for at, variation, before in sorted(variations, key=lambda each: -each[0]):
        yield ""
        yield f"変化{COLON}{at}手"
        yield from _lines(before.copy(), variation, at, size, [])


def _move_text(after: Position, before: Position, size: int) -> str:
    """Return the text of the move between two positions."""
    last, made = before._last_move, after._last_move
    assert made is not None
    target = made.to_square or ""
    to = "同　" if last and last.to_square == target else _square_text(target, size)
    origin = made.from_square
    if origin is None:
        created = next(part for part in made.parts if part.kind == "create")
        return f"{to}{NAMES[created.name or '']}打"
    piece = before.board[origin]
    assert piece is not None
    promotion = "成" if any(part.kind == "change" for part in made.parts) else ""
    file, rank = _numbers(origin, size)
    return f"{to}{NAMES[piece.type]}{promotion}({file}{rank})"


def _square_text(square: str, size: int) -> str:
    file, rank = _numbers(square, size)
    return f"{chr(0xFF10 + file)}{RANKS[rank - 1]}"  # a digit of Japanese text


def _numbers(square: str, size: int) -> Square:
    return size - (ord(square[0]) - ord("a")), size + 1 - int(square[1:])


def _comment(text: str) -> list[str]:
    return [f"*{line}" for line in LINE_END.split(text)] if text else []

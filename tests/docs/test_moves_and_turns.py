r"""Tests that the scripts of docs/guides/moves-and-turns.md have the moves of their rules.

Owns the rules of the examples, as expected boards or as a few lines of Python that do not depend on
ForthScript.  A board of one row is written as text, from a1 on: `.` is an empty square, White's
pieces are capitals, Black's are small letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import forthvm
from forthvm.check import check_files
from forthvm.game import Game, Position
from forthvm.repl import Session
from tests.docs.pages import DOCS, check_console, follow
from tests.kit.games import play

PAGE = DOCS / "guides" / "moves-and-turns.md"
NAMES = ["captures", "symmetry", "double", "chain", "build", "neutral", "repeat", "greedy"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the scripts of the page."""
    assert [block.name for block in follow(PAGE, tmp_path) if block.kind == "forth"] == [
        f"{name}.4th" for name in NAMES
    ]
    return tmp_path


@pytest.fixture
def game(folder: Path, request: pytest.FixtureRequest) -> Game:
    """Loads the game that the test's parameter names."""
    return forthvm.load(folder / f"{request.param}.4th")


def with_game(name: str) -> pytest.MarkDecorator:
    """Selects the script that the fixture `game` loads."""
    return pytest.mark.parametrize("game", [name], indirect=True)


def board_of(position: Position) -> str:
    """Returns the board as text, with the first letter of each piece's name."""
    letters = []
    for name in position.game.positions:
        piece = position.board[name]
        letter = "." if piece is None else piece.type[0]
        letters.append(letter.upper() if piece is not None and piece.player == "White" else letter)
    return "".join(letters)


def next_boards(position: Position) -> set[str]:
    """Returns the boards after each legal move, which must be different."""
    boards = [board_of(child) for child in children(position)]
    assert len(set(boards)) == len(boards)
    return set(boards)


def children(position: Position) -> Iterator[Position]:
    """Yields the position after each legal move."""
    for move in position.legal_moves:
        child = play(position.copy(), move)
        yield child


def after_move_to(position: Position, board: str) -> Position:
    """Returns the position after the move that leads to a board."""
    (found,) = [child for child in children(position) if board_of(child) == board]
    return found


def moved(board: str, start: int, end: int, *captured: int) -> str:
    """Returns a board after a piece has moved and the pieces on `captured` are removed."""
    squares = list(board)
    squares[start], squares[end] = ".", squares[start]
    for square in captured:
        squares[square] = "."
    return "".join(squares)


def steps(board: str, start: int) -> set[str]:
    """Returns the boards after the piece on a square moves to an empty adjacent square."""
    ends = [end for end in (start - 1, start + 1) if 0 <= end < len(board)]
    return {moved(board, start, end) for end in ends if board[end] == "."}


def is_enemy(board: str, start: int, square: int) -> bool:
    """Returns whether a square has an enemy of the piece on `start`."""
    return board[square] != "." and board[start].isupper() != board[square].isupper()


def jumps(board: str, start: int) -> set[str]:
    """Returns the boards after a jump over an enemy to the empty square behind it."""
    jumped_and_ends = [(start + step, start + 2 * step) for step in (-1, 1)]
    return {
        moved(board, start, end, over)
        for over, end in jumped_and_ends
        if 0 <= end < len(board) and is_enemy(board, start, over) and board[end] == "."
    }


def captures(board: str, start: int) -> set[str]:
    """Returns the boards after the capture of an adjacent enemy."""
    ends = [end for end in (start - 1, start + 1) if 0 <= end < len(board)]
    return {moved(board, start, end) for end in ends if is_enemy(board, start, end)}


def squares_of(board: str, player: str) -> list[int]:
    """Returns the squares with pieces of a player."""
    is_white = player == "White"
    return [at for at, letter in enumerate(board) if letter != "." and letter.isupper() == is_white]


# --- the page ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_commands_of_the_page_have_the_printed_output(folder: Path) -> None:
    consoles = [block.text for block in follow(PAGE, folder) if block.kind == "console"]
    assert sum(check_console(text, folder) for text in consoles) >= 12


def test_page_has_its_scripts_and_links() -> None:
    text = PAGE.read_text(encoding="utf-8")
    headings = {
        re.sub(r"[^\w -]", "", line[3:]).lower().replace(" ", "-")
        for line in text.splitlines()
        if line.startswith("## ")
    }
    targets = re.findall(r"\]\(#([^)]+)\)", text)
    assert len(targets) == len(NAMES)
    assert set(targets) <= headings
    assert "(../guides/moves-and-turns.md)" in (DOCS / "tutorials" / "write-a-game.md").read_text(
        encoding="utf-8"
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
def test_check_reports_nothing(folder: Path, name: str) -> None:
    assert not check_files([folder / f"{name}.4th"]).findings


# --- the games --------------------------------------------------------------------------------


@with_game("captures")
def test_guards_capture_and_checkers_jump(game: Game) -> None:
    """In all positions of four plies, guards step and capture, and checkers step and jump."""
    kinds_of_moves = {"g": (steps, captures), "c": (steps, jumps)}
    positions = [game.start()]
    assert board_of(positions[0]) == ".Cc.gG"
    for _ in range(4):
        for position in positions:
            board = board_of(position)
            expected = {
                later
                for start in squares_of(board, position.turn)
                for boards_after in kinds_of_moves[board[start].lower()]
                for later in boards_after(board, start)
            }
            assert next_boards(position) == expected
        positions = [child for position in positions for child in children(position)]
    assert any(sum(map(str.isalpha, board_of(position))) == 2 for position in positions)


@with_game("symmetry")
def test_players_move_in_opposite_directions(game: Game) -> None:
    """Men move one square forward, White's up and Black's down, until they meet."""
    position = game.start()
    for text, targets in [
        ("a1 - a2", {"a2", "b2"}),
        ("a4 - a3", {"a3", "b3"}),
        ("b1 - b2", {"b2"}),  # the man on a2 is blocked by the man on a3
        ("b4 - b3", {"b3"}),
    ]:
        assert {str(move).split()[-1] for move in position.legal_moves} == targets
        position.push(text)
    assert not position.legal_moves


@with_game("double")
def test_turn_has_one_or_two_steps(game: Game) -> None:
    """A turn has one or two steps; a second step never continues to a third."""
    position = game.start()
    assert board_of(position) == "R...r"
    assert next_boards(position) == {".R..r"}
    position = after_move_to(position, ".R..r")
    assert position.turn == "White"
    assert next_boards(position) == {
        "R...r",
        "..R.r",
        ".R..r",
    }  # step back, step on, or stop
    for board in sorted(next_boards(position)):
        ended = after_move_to(position, board)
        assert ended.turn == "Black"
        assert next_boards(ended) == steps(board, 4)


@with_game("chain")
def test_jumping_checker_continues_its_jumps(game: Game) -> None:
    """The checker that has jumped continues while it can; the other checker cannot move."""
    position = game.start()
    assert board_of(position) == "Cc.c...cC"
    assert next_boards(position) == jumps("Cc.c...cC", 0) | jumps("Cc.c...cC", 8)
    first_jump = after_move_to(position, "..Cc...cC")
    assert first_jump.turn == "White"
    assert next_boards(first_jump) == {"....C..cC"}
    second_jump = after_move_to(first_jump, "....C..cC")
    assert second_jump.turn == "Black"
    assert next_boards(second_jump) == {"....C.c.C"}
    next_turn = after_move_to(second_jump, "....C.c.C")
    assert next_turn.turn == "White"  # any checker may move, and no jump is possible
    assert next_boards(next_turn) == steps("....C.c.C", 4) | steps("....C.c.C", 8)
    other_jump = after_move_to(position, "Cc.c..C..")  # no jump from g1 is possible
    assert other_jump.turn == "Black"
    assert next_boards(other_jump) == steps("Cc.c..C..", 1) | steps("Cc.c..C..", 3)
    # In White's next turn any checker may begin to jump.
    after_black = after_move_to(other_jump, "Cc..c.C..")
    assert jumps("Cc..c.C..", 0)
    assert next_boards(after_black) == jumps("Cc..c.C..", 0) | steps("Cc..c.C..", 6)


@with_game("build")
def test_mason_steps_before_a_wall_is_dropped(game: Game) -> None:
    """In each turn the mason steps, then a wall is dropped on any empty square."""
    positions = [game.start()]
    assert board_of(positions[0]) == "M...m"
    for player, mason, wall in [("White", "M", "W"), ("Black", "m", "w"), ("White", "M", "W")]:
        for position in positions:
            board = board_of(position)
            assert position.turn == player
            assert next_boards(position) == steps(board, board.index(mason))
        positions = [child for position in positions for child in children(position)]
        for position in positions:
            board = board_of(position)
            assert position.turn == player
            free = [at for at, letter in enumerate(board) if letter == "."]
            assert next_boards(position) == {board[:at] + wall + board[at + 1 :] for at in free}
        positions = [child for position in positions for child in children(position)]
        assert positions
    assert not any(position.legal_moves for position in positions)  # the row is full


@with_game("neutral")
def test_players_also_move_the_neutral_wolf(game: Game) -> None:
    """In each turn a player's man steps, then the wolf."""
    position = game.start()
    assert board_of(position) == "M..w.m"
    for player, piece, board in [
        ("White", "M", ".M.w.m"),
        ("White", "w", ".Mw..m"),
        ("Black", "m", ".Mw.m."),
        ("Black", "w", ".M.wm."),
        ("White", "M", "..Mwm."),  # the wolf cannot move
    ]:
        assert position.turn == player
        before = board_of(position)
        assert next_boards(position) == steps(before, before.index(piece))
        session = Session.of_game(game, position)
        session.interpret(f"for-player Neutral = current-player {player} =")
        assert session.stack == (-1 if piece == "w" else 0, -1)
        position = after_move_to(position, board)
    assert position.turn == "White"
    assert not position.legal_moves


@with_game("neutral")
def test_neutral_wolf_is_an_enemy(game: Game) -> None:
    position = play(game.start(), "a1 - b1")
    session = Session.of_game(game, position)
    session.interpret("d1 enemy-at? d1 friend-at?")
    assert session.stack == (-1, 0)


@with_game("repeat")
def test_first_turn_has_one_drop_and_later_turns_two(game: Game) -> None:
    """White drops one stone, then each player drops two stones per turn, on empty squares."""
    position = game.start()
    turns = []
    while position.legal_moves:
        turns.append(position.turn[0])
        board, stone = board_of(position), "S" if position.turn == "White" else "s"
        free = [at for at, letter in enumerate(board) if letter == "."]
        assert next_boards(position) == {board[:at] + stone + board[at + 1 :] for at in free}
        position.push(position.legal_moves[-1])
    assert "".join(turns) == "WBBWWBB"
    assert position.result is not None
    assert str(position.result) == "draw: White has no legal move"


@with_game("greedy")
def test_greedy_game_requires_the_most_valuable_capture(game: Game) -> None:
    values = {"m": 1, "l": 5}

    def balance(board: str) -> int:
        return sum(
            values[letter.lower()] * (1 if letter.isupper() else -1)
            for letter in board
            if letter != "."
        )

    position = game.start()
    seen = 0
    while position.legal_moves and seen < 8:
        board, sign = board_of(position), 1 if position.turn == "White" else -1
        possible = {
            after
            for square in squares_of(board, position.turn)
            for after in steps(board, square) | captures(board, square)
        }
        best = max(sign * balance(after) for after in possible)
        expected = {after for after in possible if sign * balance(after) == best}
        assert next_boards(position) == expected
        position.push(position.legal_moves[-1])
        seen += 1
    assert seen > 2

"""Positions: turns, partial moves, results, push and pop."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

import forthvm
from forthvm.core.errors import (
    AmbiguousMoveError,
    GameOverError,
    IllegalMoveError,
    MoveSyntaxError,
)
from forthvm.game import DRAW, LOSS, UNKNOWN, WIN, Game, Position
from tests.game_api.conftest import Loader
from tests.game_api.test_moves import BLUE_CELL, RED_CELL, play, texts
from tests.kit.games import load_text
from tests.kit.messages import raises

FIRST, SECOND, THIRD = "Man a1 - c1 x b1", "Man c1 - e1 x d1", "Man f1 - d1 x e1"


def test_the_initial_position(chain: Game) -> None:
    """The board, the player and the numbers at the start."""
    position = chain.start()
    assert (position.turn, position.player_index, position.ply) == ("Red", 0, 0)
    assert (position.turn_number, position._turn_index) == (1, 0)
    assert position.game.players == ("Red", "Blue")
    assert str(position.board["a1"]) == "Red Man"
    assert position.board["c1"] is None
    assert [name for name, _ in position.board.occupied()] == ["a1", "b1", "d1", "f1", "g1"]
    # Seven squares, jumps, tally[] of three, four bytes of marks[] in one cell.
    red, blue = RED_CELL, BLUE_CELL
    assert position.cells == (red, blue, 0, blue, 0, blue, blue, 0, 0, 0, 0, 0)
    assert list(position.board) == list(chain.positions)
    with pytest.raises(KeyError):
        position.board["z9"]


def test_a_sequence_of_partial_moves(chain: Game) -> None:
    """The player continues while a jump is possible; then the turn ends."""
    position = play(chain.start(), FIRST)
    assert (position.turn, position.is_partial, position.turn_number) == ("Red", True, 1)
    assert position.result is None
    assert position._code == UNKNOWN
    assert texts(position) == [SECOND]
    play(position, SECOND)  # from e1 no jump is possible: f1 and g1 are occupied
    assert (position.turn, position.is_partial, position.turn_number) == ("Blue", False, 2)
    assert position.ply == 2
    assert texts(position) == [THIRD]
    play(position, THIRD)
    assert (position.turn, position.is_partial, position.turn_number) == ("Blue", True, 2)
    play(position, "Man d1 - c1")
    assert (position.turn, position.is_partial, position.turn_number) == ("Red", False, 3)


def test_a_player_without_pieces_draws_by_default(chain: Game) -> None:
    """Red has no pieces; by default, this is a draw."""
    position = play(chain.start(), FIRST, SECOND, THIRD, "Man d1 - c1")
    outcome = position.result
    assert (outcome.draw, outcome.winners, outcome.losers) == (True, (), ())
    assert outcome.code == DRAW
    assert texts(position) == []
    assert not position.is_stuck
    for push in (lambda: position.push(FIRST), position.push_pass):
        with raises(GameOverError, "position.the-game-is-over"):
            push()


def test_variables_change_with_a_move(chain: Game) -> None:
    """Variables of the script change, on the board and outside it; earlier views do not."""
    position = chain.start()
    before = position.variables
    assert (before["jumps"], before["total"]) == (0, 0)
    play(position, FIRST)
    assert (position.variables["jumps"], position.variables["total"]) == (1, 1)
    assert position.variables.array("tally[]", 3) == (0, 7, 0)
    assert position.variables.bytes("marks[]", 4) == (0, 0, 0, 0)
    assert (before["jumps"], before["total"]) == (0, 0)
    assert list(position.variables) == ["jumps", "tally[]", "marks[]", "total"]
    with pytest.raises(KeyError):
        position.variables["nothing"]


def test_pop_restores_memory(chain: Game) -> None:
    """Memory is equal to that before the move, even if the position was read meanwhile."""
    position = chain.start()
    copies = [position.copy()]
    for text in (FIRST, SECOND, THIRD, "Man d1 - c1"):
        position.push(text)
        copies.append(position.copy())
    while position.ply:
        assert position == copies.pop()
        texts(position)  # reading must not change anything
        position.result  # noqa: B018
        last = position.history[-1]
        assert position.pop().entry == last
        assert position._state.arrived.equal(copies[-1]._state.arrived)
    assert position == chain.start()
    assert position.variables["total"] == 0
    with raises(IndexError, "position.no-move-to-take"):
        position.pop()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name", ["Breakthrough", "Flips", "Jumps", "Noughts", "Sow", "Teams", "Forced", "Quiet"]
)
def test_every_move_can_be_taken_back(load: Loader, name: str) -> None:
    """Every legal move of each position of a game can be pushed and popped without an effect."""
    position = load(name, axiom=140).start()
    for ply in range(12):
        if position.result is not None or not position.legal_moves:
            break
        before = position.copy()
        listed = texts(position)
        key = position.key
        for move in position.legal_moves:
            position.push(move)
            position.result  # noqa: B018 - calls the script
            position.pop()
            assert position == before
        assert texts(position) == listed
        assert position.key == key
        position.push(position.legal_moves[7 * ply % len(listed)])


def test_reading_does_not_change_play(effects: Game) -> None:
    """The hooks draw random numbers, but each hook is called only once for a position."""
    plain, reading = effects.start(), effects.start()
    for index in (4, 0, 3, 3, 0):
        plain.push(plain.legal_moves[index])
        for _ in range(3):
            texts(reading)
            reading.result  # noqa: B018
            reading.key  # noqa: B018
            reading.variables["game-over-calls"]
            reading.copy().push(reading.legal_moves[0])
        reading.push(reading.legal_moves[index])
    assert reading == plain
    assert reading.variables["game-over-calls"] == plain.variables["game-over-calls"] == 5
    assert reading.random_state == plain.random_state


def test_hooks_are_called_in_the_order_of_the_original(effects: Game) -> None:
    """A move is made after generation, OnIsGameOver and a second generation.

    Each generation draws one number for every empty square.  The stream's first hundred
    numbers are taken from a game that draws nothing else.
    """
    vm = forthvm.VM(output=lambda _text: None)
    vm.interpret(": many ( n -- x ) 0 SWAP 0 DO DROP 0 99 RAND-WITHIN LOOP ;")
    assert effects.start().variables["drawn"] == 0
    position = effects.start()
    position.push(position.legal_moves[0])
    (expected,) = vm.call("many", 18)  # nine empty squares, generated twice
    assert position.variables["drawn"] == expected
    assert position.variables["game-over-calls"] == 1


def test_a_failed_push_does_not_change_the_position(chain: Game) -> None:
    """Wrong texts and moves of other positions are refused."""
    position = chain.start()
    before = position.copy()
    with raises(IllegalMoveError, "position.illegal-move"):
        position.push("Man a1 - b1")
    with pytest.raises(MoveSyntaxError):
        position.push("castle")
    later = play(chain.start(), FIRST)
    with pytest.raises(IllegalMoveError):
        position.push(later.legal_moves[0])
    with raises(IllegalMoveError, "position.pass-with-moves"):
        position.push_pass()
    assert position == before
    assert position.ply == 0


def test_push_and_parse_accept_short_texts(effects: Game) -> None:
    """A unique short text is completed; an ambiguous text lists the candidates."""
    position = effects.start()
    assert str(position.parse("red stone B2")) == "Red stone b2"
    position.push("b2")
    assert position.history[0].text == "Red stone b2"
    with raises(AmbiguousMoveError, "position.ambiguous-move"):
        position.push("Blue stone a")
    position.push("Blue stone a1")
    assert position.ply == 2


def test_the_result_of_two_players(load: Loader) -> None:
    """Noughts: Cross completes column a; Nought, to move, has lost."""
    position = load("Noughts").start()
    for square in ("a1", "b1", "a2", "b2", "a3"):
        position.push(square)
    outcome = position.result
    assert (outcome.winners, outcome.losers, outcome.code) == (("Cross",), ("Nought",), LOSS)
    assert position.turn == "Nought"
    assert not position.legal_moves
    assert "c3" not in position.legal_moves
    assert position.legal_moves.texts == ()
    assert len(position.legal_moves.from_indices) == len(position.legal_moves.actions) == 0
    # The original lists moves of a decided position.
    assert len(position.generated_moves) == len(list(position.generated_moves)) == 4
    with pytest.raises(GameOverError):
        position.push(position.generated_moves[0])
    with pytest.raises(GameOverError):
        position.parse("c3")
    position.push("c3", after_end=True)
    assert position.ply == 6


def test_the_result_of_three_players(three: Game) -> None:
    """A player without a match to take has lost, and the other players have won."""
    position = three.start()
    assert three.contestants == ("Ann", "Bob", "Cy")
    assert texts(position) == ["x a1", "x a1", "x b1", "x b1", "x c1", "x c1", "x d1", "x d1"]
    for player in ("Ann", "Bob", "Cy", "Ann"):
        assert position.turn == player
        position.push(position.legal_moves[0])
    outcome = position.result
    assert (outcome.winners, outcome.losers) == (("Ann", "Cy"), ("Bob",))


def test_different_moves_with_the_same_text(three: Game) -> None:
    """`push` distinguishes moves by their index; a text means the first move."""
    position = three.start()
    take, give_up = position.legal_moves[0], position.legal_moves[1]
    assert str(take) == str(give_up)
    assert take != give_up
    position.push(give_up)
    outcome = position.result
    assert (outcome.winners, outcome.losers, outcome.code) == (("Bob",), ("Ann", "Cy"), WIN)
    position.pop()
    position.push("x a1")
    assert position.result is None


def test_a_chance_player_moves_but_cannot_win(dice: Game) -> None:
    """The dice are a chance player, which is neither winner nor loser."""
    position = dice.start()
    assert dice.contestants == ("White", "Black")
    assert not position.is_chance
    assert texts(position) == ["Pawn a2 - b2"]
    position.push("a2b2")
    assert (position.turn, position.is_chance) == ("?Dice", True)
    assert texts(position) == ["?Dice One die", "?Dice Two die"]
    position.push("?Dice Two die")
    assert (position.turn, texts(position)) == ("Black", ["Pawn a1 - c1"])
    while position.result is None:
        position.push(position.legal_moves[-1])
    # Both move two squares at a time: White from b2 to h2 and no further, Black from c1 to i1.
    assert str(position.board["i1"]) == "Black Pawn"
    assert position.turn == "?Dice"
    outcome = position.result
    assert outcome.code == LOSS
    assert (outcome.winners, outcome.losers) == (("Black",), ("White",))


def test_probabilities_of_chance_moves(load: Loader) -> None:
    """Moves are equally likely in 150; in 140, the first of two has the probability 2/3."""
    for axiom, expected in ((150, [1 / 2, 1 / 2]), (140, [2 / 3, 1 / 3])):
        position = play(load("dice", axiom=axiom).start(), "Pawn a2 - b2")
        assert [str(move) for move, _ in position.chances] == ["?Dice One die", "?Dice Two die"]
        assert [chance for _, chance in position.chances] == pytest.approx(expected)


def test_a_player_without_moves_passes(load: Loader) -> None:
    """At ply 8 of the recording of Stuck, Up has no move, and the game continues."""
    position = load("Stuck", axiom=140).start()
    for ply in range(8):
        assert not position.is_stuck
        position.push(position.legal_moves[7 * ply % len(position.legal_moves)])
    assert (position.turn, texts(position), position.result) == ("Up", [], None)
    assert position.is_stuck
    before = position.copy()
    position.push("pass")
    assert (position.turn, position.ply) == ("Down", 9)
    assert position.history[-1].index == -1
    assert position.turn_number == before.turn_number + 1
    position.pop()
    assert position == before


def test_the_game_is_a_draw_if_no_player_can_move(load: Loader) -> None:
    """The draw is the result after all players have passed in a complete round."""
    position = load("frozen").start()
    for player in ("A", "B"):
        assert position.turn == player
        assert position.is_stuck
        position.push_pass()
    outcome = position.result
    assert (outcome.draw, outcome.code) == (True, DRAW)
    assert outcome.cause == "no player has a move"
    assert not position.is_stuck


def test_copies_are_equal_and_independent(chain: Game) -> None:
    """A copy can take back moves without changing the original."""
    position = play(chain.start(), FIRST)
    for twin in (position.copy(), copy.copy(position), copy.deepcopy(position)):
        assert twin == position
        twin.pop()
        assert twin == chain.start()
        assert position.ply == 1
    assert position != "a text"
    with pytest.raises(TypeError):
        hash(position)
    assert repr(position) == "<Position of chain at ply 1, Red to move>"


def test_equality_includes_random_streams(effects: Game) -> None:
    """Positions with equal boards and different random streams differ."""
    first, second = effects.start(), effects.start()
    second.seed(99)
    assert first.cells == second.cells
    assert first != second
    first.seed(99)
    assert first == second


def test_a_game_can_begin_with_other_pieces(chain: Game) -> None:
    """Pieces of a set-up replace those of the script; unknown names are refused."""
    position = chain.start(setup=[("Red", "Man", "c1"), ("Blue", "Man", "e1")])
    assert texts(position) == ["Man c1 - d1"]
    position.push("c1d1")
    assert texts(position) == ["Man e1 - c1 x d1"]
    assert chain.start().cells[0] == RED_CELL
    for piece in (("Green", "Man", "a1"), ("Red", "King", "a1"), ("Red", "Man", "z1")):
        with raises(ValueError, "position.unknown-name-in-a-set-up"):
            chain.start(setup=[piece])


def test_random_streams_can_be_restored(effects: Game) -> None:
    """A restored random state gives the same numbers again."""
    position = effects.start()
    initial = position.random_state

    def run(position: Position) -> list[int]:
        drawn = []
        for _ in range(4):
            position.push(position.legal_moves[0])
            drawn.append(position.variables["drawn"])
        for _ in range(4):
            position.pop()
        return drawn

    first = run(position)
    position.seed(7)
    other = run(position)
    assert other != first
    position.random_state = initial
    assert run(position) == first
    position.seed(7)
    assert run(position) == other


def test_position_is_usable_after_an_error_in_a_move_word(load: Loader, tmp_path: Path) -> None:
    """The error is raised; afterwards, moves can be taken back and made."""
    position = load_text(
        tmp_path,
        "{board 1 4 {grid} board} {directions 0 1 {direction} e directions}\n"
        "{players {player} A {player} B players}\n"
        "{turn-order {turn} A {turn} B turn-order}\n"
        ": go e verify empty? verify from here move add-move ;\n"
        ": trap here c1 = IF 1 0 / DROP ENDIF ;\n"
        "{moves m {move} go {move} trap moves} {pieces {piece} P {moves} m pieces}\n"
        "{board-setup {setup} A P a1 {setup} B P b1 board-setup}\n",
        name="trap.4th",
    ).start()
    assert position.is_stuck is False  # by default, the result is a draw
    position = position.game.start(setup=[("A", "P", "b1"), ("B", "P", "d1")])
    position.push("b1c1")
    position_before = position.copy()
    game_over = position.result  # B has no move: a draw
    assert game_over is not None
    assert position == position_before
    position = position.game.start(setup=[("A", "P", "b1"), ("B", "P", "a1")])
    position.push("b1c1")
    position.push("a1b1")
    with pytest.raises(forthvm.DivisionError):
        position.result  # noqa: B018 - A's piece on c1 runs the failing word
    with pytest.raises(forthvm.DivisionError):
        len(position.legal_moves)
    position.pop()
    assert texts(position) == ["P a1 - b1"]
    position.pop()
    assert texts(position) == ["P b1 - c1"]

"""The statements of a test after its first position: moves, and what must be true.

Owns the meaning of these statements.
"""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent
from typing import TYPE_CHECKING

from forthvm.core.errors import AmbiguousMoveError, IllegalMoveError, MoveError
from forthvm.core.errors.report import suggest
from forthvm.core.failure import ForthVMError
from forthvm.core.text.wording import joined
from forthvm.debug.why_not.query import why_not
from forthvm.game.matching import MAX_CHARACTERS
from forthvm.game.perft import perft, perft_divide
from forthvm.game.typed_moves import find_chain
from forthvm.testing.drawing import (
    DrawingError,
    UnlabelledRowsError,
    listed_pieces,
    read_drawing,
)
from forthvm.testing.reader import CHECKS, error_at
from forthvm.testing.setup import (
    MAX_EXAMPLES,
    check_name,
    error_in_drawing,
    read_pieces,
    read_variable,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from forthvm.game import Move, Position
    from forthvm.testing.reader import Item, Statement

__all__ = ["Checker", "ExpectationError", "perft_numbers"]

#: The maximum depth of `perft`, far more than a computer can count.
MAX_DEPTH = 100

UNCLEAR = {
    *("not-a-move", "unknown-name", "ambiguous"),
    *("over", "no-piece", "other-piece", "not-yours"),
}
"""Kinds of refusals that a mistake in the move or the position would cause.  A test must name them,
because it would pass otherwise, whatever the rules are."""
MAX_SHOWN = 12
"""The maximum number of moves or board positions that a message lists."""


class ExpectationError(ForthVMError):
    """Something that a test expects is not true."""


def perft_numbers(statement: Statement) -> tuple[int, int, bool]:
    """Return the depth and the count of a statement, and whether chains of moves are joined.

    Raises:
        ForthVMError: The statement has another form.
    """
    first, *rest = statement.whole_text.split() or [""]
    numbers = rest if first == "joined" else [first, *rest]
    try:
        depth, count = map(int, numbers)
        if depth < 0 or count < 0:
            raise ValueError
    except ValueError:
        raise error_at(
            statement, "`perft` needs a depth and a count", "for example: perft 2 72"
        ) from None
    if depth > MAX_DEPTH:
        raise error_at(statement, f"the depth of `perft` is at most {MAX_DEPTH}")
    return depth, count, first == "joined"


class Checker:
    """Runs the statements of a test.

    Attributes:
        position: The current position of the test.
    """

    def __init__(self, position: Position, *, seconds: float) -> None:
        """Begin with a position.

        Args:
            position: The first position.
            seconds: The time limit of a query why a move is refused.
        """
        self.position = position
        self._seconds = seconds
        self._begun = False

    def run(self, statement: Statement) -> None:
        """Run a statement; those of the first position do nothing.

        Raises:
            ExpectationError: Something expected is not true.
            ForthVMError: The statement is wrong, or the script fails.
        """
        if statement.keyword in CHECKS:
            self._begun = True
            _RUNNERS[statement.keyword](self, statement)
        elif self._begun:
            raise error_at(
                statement, f"`{statement.keyword}` must stand before moves and expectations"
            )

    # --- moves -----------------------------------------------------------------------

    def _play(self, statement: Statement) -> None:
        for item in _items(statement):
            try:
                first, *others = self._chosen(item.text)
            except MoveError as error:
                raise _failed(item, f"{item.text} cannot be played: {error}") from error
            self.position.push(first)
            for partial_move in others:
                self.position.push(self.position.legal_moves[partial_move.index])

    def _legal(self, statement: Statement) -> None:
        for item in _items(statement):
            try:
                self._chosen(item.text)
            except MoveError as error:
                raise _failed(item, f"{item.text} is not legal: {error}") from error

    def _chosen(self, text: str) -> tuple[Move, ...]:
        """Return the move that a text means, or the partial moves of a chain such as `c3-e5-g7`.

        Raises:
            MoveError: There is none, or the game is over.
        """
        if self.position.result is not None:
            raise IllegalMoveError(f"the game is over: {self.position.result.reason}")
        try:
            return (self.position.parse(text),)
        except AmbiguousMoveError:
            raise
        except MoveError:
            chain = find_chain(text, self.position) if len(text) <= MAX_CHARACTERS else ()
            if not chain:
                raise
            return chain

    def _moves(self, statement: Statement) -> None:
        is_over = self.position.result is not None
        found = [] if is_over else list(self.position.legal_moves.texts)
        text = statement.text
        if text.isdecimal() and not statement.more:
            if len(found) != int(text):
                raise _failed(
                    statement, f"there are {len(found)} moves, not {text}", _listing(found)
                )
            return
        in_order = text.split()[:2] == ["in", "order"]
        if in_order:
            statement = replace(statement, text=text.split("order", 1)[1].strip())
        items = [item.text for item in _items(statement)]
        expected = [] if items == ["none"] else [self._full_text(item) for item in items]
        missing = [move for move in expected if move not in found]
        others = [move for move in found if move not in expected]
        if missing or others:
            hints = [f"missing: {_listing(missing)}"] * bool(missing)
            hints += [f"not expected: {_listing(others)}"] * bool(others)
            raise _failed(statement, "the legal moves are others", *hints)
        if in_order and found != expected:
            raise _failed(statement, "the moves have another order", _listing(found))

    def _full_text(self, text: str) -> str:
        """Return the text of the legal move that an abbreviated text means, or the text itself."""
        try:
            return str(self.position.parse(text))
        except MoveError:
            return " ".join(text.split())

    def _refused(self, statement: Statement) -> None:
        for item in _items(statement):
            text, because, reason = map(str.strip, f"{item.text} ".partition(" because "))
            if because and not reason:
                raise error_at(item, "the reason after `because` is missing")
            if self._is_chain(text):
                raise _failed(item, f"{text} is legal")
            answer = why_not(self.position, text, seconds=self._seconds)
            reasons = [
                answer.kind,
                *(refusal.condition for one in answer.answers for refusal in one.refusals),
            ]
            if answer.kind == "undecided":
                raise error_at(item, f"it is not known why {text} is refused", answer.summary)
            if answer.is_legal:
                raise _failed(item, f"{text} is legal")
            if reason and reason not in reasons:
                found = joined([f"`{one}`" for one in dict.fromkeys(reasons) if one])
                raise _failed(
                    item,
                    f"{text} is refused, but not because of `{reason}`",
                    f"the reasons are {found}: {answer.summary}",
                )
            if not reason and answer.kind in UNCLEAR:
                raise _failed(
                    item,
                    f"{text} may be a mistake: {answer.summary}",
                    f"if it is not: refused {text} because {answer.kind}",
                )

    def _is_chain(self, text: str) -> bool:
        try:
            return len(self._chosen(text)) > 1
        except MoveError:
            return False

    def _perft(self, statement: Statement) -> None:
        depth, expected, is_joined = perft_numbers(statement)
        count = perft(self.position, depth, joined=is_joined)
        if count != expected:
            counts = perft_divide(self.position, depth, joined=is_joined) if depth else []
            parts = [f"{move}: {number:,}" for move, number in counts]
            raise _failed(
                statement, f"perft {depth} is {count:,}, not {expected:,}", _listing(parts)
            )

    # --- expectations --------------------------------------------------------------------

    def _expect(self, statement: Statement) -> None:
        words = statement.words
        expect = _EXPECTATIONS.get(words[0].text) if words else None
        if expect is None:
            self._expect_pieces(statement, words)
        else:
            expect(self, statement, words[1:])

    def _expect_board(self, statement: Statement, _: Sequence[Item]) -> None:
        try:
            expected = read_drawing(self.position, statement.more)
        except UnlabelledRowsError as error:
            pieces = listed_pieces(self.position)[:MAX_EXAMPLES] or ["empty POSITION"]
            examples = [f"    expect {piece}" for piece in pieces]
            advice = "write a line for each kind of pieces, for example"
            raise error_at(statement, str(error), advice, *examples) from error
        except DrawingError as error:
            raise error_in_drawing(statement, error) from error
        differences = [self._difference(square, piece) for square, piece in expected.items()]
        found = [difference for difference in differences if difference]
        if found:
            raise _failed(
                statement,
                "the board is another one",
                _listing(found),
                "expected:",
                *dedent("\n".join(statement.more)).splitlines(),
                "found:",
                *str(self.position).splitlines(),
            )

    def _expect_turn(self, statement: Statement, words: Sequence[Item]) -> None:
        player = self._player(statement, words)
        if self.position.turn != player:
            raise _failed(statement, f"{self.position.turn} is to move, not {player}")

    def _player(self, statement: Statement, words: Sequence[Item]) -> str:
        """Return the player whose name is the words after an expectation."""
        if not words:
            raise error_at(statement, f"`expect {statement.text}` needs a player")
        player = " ".join(word.text for word in words)
        game = self.position.game
        check_name(game, words[-1], "player", game.players, name=player)
        return player

    def _expect_variable(self, statement: Statement, words: Sequence[Item]) -> None:
        name, expected = read_variable(self.position.game, statement, words)
        if name not in self.position.variables:
            raise error_at(words[0], "`expect variable` cannot read entries of arrays")
        value = self.position.variables[name]
        if value != expected:
            raise _failed(statement, f"{name} is {value}, not {expected}")

    def _expect_empty(self, statement: Statement, words: Sequence[Item]) -> None:
        if not words:
            raise error_at(statement, "`expect empty` needs positions")
        for square in words:
            check_name(self.position.game, square, "position", self.position.game.positions)
            self._check_square(square, None)

    def _expect_pieces(self, statement: Statement, words: Sequence[Item]) -> None:
        names = joined(["the name of a player", *_EXPECTATIONS], "or")
        advice = f"after `expect` comes {names}"
        if not words:
            raise error_at(statement, "`expect` needs an expectation", advice)
        first = words[0].text
        if first not in self.position.game.players:
            near = suggest(first, [*self.position.game.players, *_EXPECTATIONS])
            raise error_at(words[0], f"`expect {first}` is unknown", near or advice)
        for player, kind, square in read_pieces(self.position.game, statement, words):
            self._check_square(square, (player.text, kind.text))

    def _check_square(self, square: Item, piece: tuple[str, str] | None) -> None:
        difference = self._difference(square.text, piece)
        if difference:
            raise _failed(square, difference)

    def _difference(self, square: str, expected: tuple[str, str] | None) -> str:
        """Return how a board position differs from what is expected there; "" if it does not."""
        found = self.position.board[square]
        if (found and (found.player, found.type)) == expected:
            return ""
        if expected is None:
            return f"{square} has {found}, but must be empty"
        wanted = " ".join(expected)
        if found is None:
            return f"{square} is empty, but must have {wanted}"
        return f"{square} has {found}, not {wanted}"

    # --- results -------------------------------------------------------------------------

    def _expect_win(self, statement: Statement, words: Sequence[Item]) -> None:
        result = self.position.result
        self._check_result(statement, words, result.winners if result else ())

    def _expect_loss(self, statement: Statement, words: Sequence[Item]) -> None:
        result = self.position.result
        self._check_result(statement, words, result.losers if result else ())

    def _expect_draw(self, statement: Statement, words: Sequence[Item]) -> None:
        if words:
            raise error_at(words[0], "nothing must follow `expect draw`")
        if self.position.result is None or not self.position.result.draw:
            raise _failed(statement, self._result_text)

    def _expect_no(self, statement: Statement, words: Sequence[Item]) -> None:
        if [word.text for word in words] != ["end"]:
            raise error_at(statement, "`expect no` must be followed by `end`")
        if self.position.result is not None:
            raise _failed(statement, self._result_text)

    def _check_result(
        self, statement: Statement, words: Sequence[Item], players: Sequence[str]
    ) -> None:
        player = self._player(statement, words)
        if player not in players:
            raise _failed(statement, self._result_text)

    @property
    def _result_text(self) -> str:
        result = self.position.result
        return (
            "the game has not ended" if result is None else f"the game has ended: {result.reason}"
        )


_RUNNERS: Mapping[str, Callable[[Checker, Statement], None]] = {
    "play": Checker._play,
    "moves": Checker._moves,
    "legal": Checker._legal,
    "refused": Checker._refused,
    "perft": Checker._perft,
    "expect": Checker._expect,
}
_EXPECTATIONS: Mapping[str, Callable[[Checker, Statement, Sequence[Item]], None]] = {
    "board": Checker._expect_board,
    "turn": Checker._expect_turn,
    "variable": Checker._expect_variable,
    "empty": Checker._expect_empty,
    "win": Checker._expect_win,
    "loss": Checker._expect_loss,
    "draw": Checker._expect_draw,
    "no": Checker._expect_no,
}


def _items(statement: Statement) -> list[Item]:
    items = statement.located_items
    if not items:
        raise error_at(statement, f"`{statement.keyword}` needs moves", "separate moves by `;`")
    return items


def _failed(place: Statement | Item, message: str, *hints: str) -> ExpectationError:
    return ExpectationError(message, location=place.location, hints=hints)


def _listing(items: Sequence[str]) -> str:
    """Return the first items, and the number of the others."""
    more = f" and {len(items) - MAX_SHOWN} more" if len(items) > MAX_SHOWN else ""
    return "; ".join(items[:MAX_SHOWN]) + more

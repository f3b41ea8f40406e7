"""Networks as ForthScript: the evaluation of a linear network as words of a script.

Owns the text of the file.  It has a table of values by place for each type of piece, own pieces
first, and the values of numbers and turns.  Values are whole points, so that the sum differs from
the network's value by at most half a point for each feature of a position.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from forthvm.core.bindings import NETWORK_UNIT
from forthvm.core.bindings.layout import CELL
from forthvm.core.text.visible import visible
from forthvm.learn.observations.variables import groups_of

from .effects import owner_title
from .inputs import OWNER_SHIFT, OWNER_VALUES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from forthvm.engines.network import GameNetwork
    from forthvm.game import Game

__all__ = ["evaluation_script", "refuse_script"]

_ROW = 16
"""Numbers in a line, for positions outside a grid."""
_HEAD = """\
\\ What `forthvm train` has learned of {game}: an evaluation of positions.
\\
\\ LOAD this file at the end of the script, or copy it there.  For a rule file, the script is the
\\ one that `forthvm convert` writes.  Delete {name}.net beside the script, if there is one: engines
\\ would use it as well.
\\
\\ The values are points for the player to move: a player with {unit} points can expect 73 % of the
\\ score.  Places are those that {first} sees{turned}.
"""
_OWN = """\
\\
\\ The values correct those of the script's own OnEvaluate, which the last line of this file calls:
\\ in a definition, its name still means the earlier word.
"""
_SEAT = """
: learned-seat ( -- n )                 \\ 0: {first} is to move, 1: {second}
	current-player player-index {index} = 1 AND ;
"""
_MOST_SCORE = 1_000_000_000
"""The maximum magnitude of what the game's own evaluation adds, about that of networks."""
_PLACES = """
\\ For each position the place where {second} sees it.
CREATE learned-places
{rows}

: learned-place ( pos -- place )
	learned-seat IF CELLS learned-places + @ ENDIF ;
"""
_PIECES = """
: learned-owner ( pos -- n )            \\ 0: the player to move, 1: the other player{further}
	board[] @ #Player AND
	DUP current-player = IF DROP 0 ELSE{owners}
	DROP 1{ends} ENDIF ;
: learned-piece ( pos -- n )            \\ value of the piece on a position
	DUP piece-type-at DUP 0= IF 2DROP 0 ELSE
		1- OVER learned-owner {types} * + CELLS learned-starts + @
		SWAP{place} + CELLS learned-pieces + @
	ENDIF ;
: learned-board ( -- n )
	0 {places} 0 DO I learned-piece + LOOP ;
"""
_NUMBERS = """
: learned-range ( 'number -- n )        \\ the range that contains a number
	DUP @ board[] @ OVER CELLSIZE + @ - 0 MAX
	OVER 2 CELLS + @ 1- MIN
	OVER 3 CELLS + @ * SWAP 2 CELLS + @ / ;
: learned-number ( 'number -- n )       \\ value of a number
	DUP learned-range SWAP learned-seat 4 + CELLS + @ + CELLS learned-ranges + @ ;
: learned-sum ( -- n )
	0 {count} 0 DO I 6 * CELLS learned-numbers + learned-number + LOOP ;
"""
_TURNS = """
: learned-turn ( -- n )                 \\ value of the turn
	turn-offset [ #TurnOrderCells CELLS ] LITERAL / learned-seat {entries} * +
	CELLS learned-turns + @ ;
"""


def refuse_script(game: Game, network: GameNetwork | None) -> None:
    """Check that a network of the game can be written as a script; None for one not yet learned.

    Raises:
        ValueError: The game is not for two players, or the network is not linear or has patterns.
    """
    count = len(game.contestants or game.players)
    if count != 2:
        raise ValueError(
            f"{game.name} is for {count} players; an evaluation is written for games of two"
        )
    if network is not None and (network.network.weights.hidden or network.network.inputs.patterns):
        raise ValueError(
            "the network has hidden units or patterns; --write-forth without --resume trains one"
            " that can be written"
        )


def evaluation_script(game: Game, network: GameNetwork) -> str:
    """Return a network as ForthScript that defines `learned-value` and `OnEvaluate`.

    Raises:
        ValueError: As for `refuse_script`.
    """
    refuse_script(game, network)
    return "".join(_Writer(game, network).parts())


class _Writer:
    def __init__(self, game: Game, network: GameNetwork) -> None:
        weights = network.network.weights
        self._game = game
        self._inputs = network.network.inputs
        self._own = weights.own
        self._unit = weights.unit
        scale = weights.unit / NETWORK_UNIT
        self._points = [round(scale * weight) for weight in array("h", weights.direct)]
        self._bias = round(scale * weights.bias)
        self._kinds = self._inputs.types * self._inputs.owner_kinds
        numbers = {number: view for number, view in enumerate(self._inputs.view_of) if view >= 0}
        seats = {numbers[p.number]: p for p in game.player_details if p.number in numbers}
        self._seats = [seats[0], seats[1]]

    def parts(self) -> Iterator[str]:
        """Yield the parts of the file."""
        names = [visible(player.name) for player in self._seats]
        places = self._second_places()
        game = self._game
        yield _HEAD.format(
            game=visible(game.title),
            name=visible(game.path.stem),
            unit=self._unit,
            first=names[0],
            turned=f"; {names[1]} sees the board turned" if places else "",
        )
        yield _OWN if self._own else ""
        yield _SEAT.format(first=names[0], second=names[1], index=self._seats[1].number - 1)
        terms = [str(self._bias)]
        if self._kinds:
            if places:
                yield _PLACES.format(second=names[1], rows=self._rows(places))
            yield from self._pieces(turned=bool(places))
            terms.append("learned-board +")
        if numbers := list(self._numbers()):
            yield from numbers
            terms.append("learned-sum +")
        turns = [self._points[feature] if feature >= 0 else 0 for feature in self._inputs.turns]
        if len({turns[at] for at in self._moving()}) > 1:
            yield "\n\\ Values of turns, by seat and turn.\nCREATE learned-turns\n"
            yield _lines(turns, self._inputs.turn_entries)
            yield _TURNS.format(entries=self._inputs.turn_entries)
            terms.append("learned-turn +")
        else:  # the value of being the player to move
            terms[0] = str(self._bias + sum(turns[at] for at in self._moving()[:1]))
        yield (
            "\n: learned-value ( -- n )                \\ value of the position, for the player to"
            f" move\n\t{' '.join(terms)} ;\n"
        )
        own = "OnEvaluate learned-value +" if self._own == 1 else "learned-value"
        if self._own > 1:  # the product must not overflow
            most = _MOST_SCORE // self._own
            own = f"OnEvaluate -{most} MAX {most} MIN {self._own} * learned-value +"
        yield f": OnEvaluate ( -- score )\n\t{own} ;\n"

    # --- pieces ----------------------------------------------------------------------------

    def _second_places(self) -> list[int]:
        """Return the place of each position as the second seat sees it; empty: as the first."""
        inputs, count = self._inputs, len(self._game.positions)
        first = {inputs.places[at]: at for at in range(count)}
        found = [first.get(inputs.places[inputs.cells + at], at) for at in range(count)]
        return [] if not self._kinds or found == list(range(count)) else found

    def _pieces(self, *, turned: bool) -> Iterator[str]:
        inputs, count = self._inputs, len(self._game.positions)
        names = {kind.number: visible(kind.name) for kind in self._game.piece_types}
        zeros, starts, tables = [0] * count, [], [f"\t\\ all others\n{self._rows([0] * count)}\n"]
        for kind in range(self._kinds):
            values = [self._points[inputs.places[at] + kind] for at in range(count)]
            starts.append(count * len(tables) if values != zeros else 0)
            if values != zeros:
                owner, number = divmod(kind, inputs.types)
                title = f"{names.get(number + 1, '-')}, {owner_title(owner, 2)}"
                tables.append(f"\t\\ {title}\n{self._rows(values)}\n")
        yield "\n\\ Values of pieces by place.\nCREATE learned-pieces\n" + "".join(tables)
        yield "\n\\ For each owner and type, where its values begin.\nCREATE learned-starts\n"
        yield _lines(starts, inputs.types)
        further = [
            (owner << OWNER_SHIFT, kind)
            for owner, kind in enumerate(inputs.owners[:OWNER_VALUES])
            if kind > 1
        ]
        yield _PIECES.format(
            further="; others" if further else "",
            owners="".join(f"\n\tDUP {cell} = IF DROP {kind} ELSE" for cell, kind in further),
            ends=" ENDIF" * len(further),
            types=inputs.types,
            places=count,
            place=" learned-place" if turned else "",
        )

    def _rows(self, values: Sequence[int]) -> str:
        """Return numbers of positions as they are on the board."""
        grid = self._game.grid
        size = min(grid.rows * grid.columns, len(values))
        parts = _lines(values[:size], grid.columns), _lines(values[size:], _ROW)
        return "".join(parts).rstrip("\n")

    # --- numbers and turns -----------------------------------------------------------------

    def _numbers(self) -> Iterator[str]:
        inputs = self._inputs
        cells = [at for at in range(inputs.cells) if inputs.numbers[at][2] > 0]
        if not cells:
            return
        first = self._kinds * len(self._game.positions)
        end = min((feature for feature in inputs.turns if feature >= 0), default=inputs.features)
        names = {
            offset // CELL: visible(group.name)
            for group in groups_of(self._game, len(self._game.positions), self._game.players)
            for offset in group.offsets
        }
        yield (
            "\n\\ Numbers of the board: cell, least value, number of values, number of ranges, and"
            "\n\\ for each seat where the values of its ranges begin.\nCREATE learned-numbers\n"
        )
        for at in cells:
            places = (inputs.places[at] - first, inputs.places[inputs.cells + at] - first)
            row = _lines([at, *inputs.numbers[at], *places], 6).rstrip("\n")
            yield f"{row}  \\ {names.get(at, '-')}\n"
        yield "\nCREATE learned-ranges\n" + _lines(self._points[first:end], _ROW)
        yield _NUMBERS.format(count=len(cells))

    def _moving(self) -> list[int]:
        """Return the indexes of turns in which a seat values positions: its own, and of chance."""
        order = self._game.turn_order
        names = [player.name for player in self._seats]
        return [
            seat * len(order) + at
            for seat, name in enumerate(names)
            for at, turn in enumerate(order)
            if turn.player == name or turn.player not in names
        ]


def _lines(values: Sequence[int], columns: int) -> str:
    """Return numbers as lines of a table, which `,` compiles."""
    width = max((len(str(value)) for value in values), default=1)
    texts = [f"{value:{width}} ," for value in values]
    step = max(columns, 1)
    return "".join(f"\t{' '.join(texts[at : at + step])}\n" for at in range(0, len(texts), step))

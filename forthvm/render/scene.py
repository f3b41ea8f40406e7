"""Makes the scene of a position: everything that front ends draw.

Owns what a scene contains.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby, takewhile
from typing import TYPE_CHECKING

from forthvm.core.arguments import check
from forthvm.core.bindings.layout import CELL
from forthvm.core.errors import ForthVMError
from forthvm.core.text.visible import visible
from forthvm.game.events import latest_events
from forthvm.game.gestures import SQUARE
from forthvm.game.memory.variables import board_variables
from forthvm.game.position import check_position
from forthvm.game.shown import Shown
from forthvm.render.board import board_of
from forthvm.render.colours import NEUTRAL, NEUTRAL_OUTLINE, colours_of, outlines_of
from forthvm.render.elimination import eliminated
from forthvm.render.labels import picture_labels
from forthvm.render.scene_types import (
    Scene,
    SceneEvent,
    SceneMark,
    ScenePiece,
    ScenePlayer,
    SceneStored,
    SceneTurn,
)
from forthvm.render.short_texts import shortened
from forthvm.render.symbols import symbol_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from forthvm.game import Game, HistoryEntry, Piece, Position

__all__ = ["UNKNOWN_OWNER", "dice_of", "scene", "with_cells"]

UNKNOWN_OWNER = ScenePlayer(
    name="(no owner)",
    fill=NEUTRAL[0],
    ink=NEUTRAL[1],
    outline=NEUTRAL_OUTLINE,
    neutral=True,
    chance=False,
)
"""Stands for pieces without an owner; with another name, for an owner that a faulty script adds."""
_MAX_EVENTS = 24
_DIE = re.compile(r"(?:d|die|dice|pips?|throw|roll|кость|кубик)?[-_ ]?(\d{1,3})", re.IGNORECASE)
_MAX_COMPLETE_LENGTH = 16
"""Maximum length of an array of which all values are shown."""


def scene(  # noqa: PLR0913 - keyword-only options, each of them documented
    position: Position,
    *,
    for_player: str | None = None,
    marks: Iterable[str] = (),
    everything: bool = False,
    effects: bool = True,
    clicks: bool = False,
) -> Scene:
    """Return the scene of a position.

    Args:
        position: The position.
        for_player: The player who sees the scene; None: only what all players see.
        marks: Names of squares to mark.
        everything: Include internal state of the script, and pieces that only their owners see.
        effects: Include the moves of the last round with their effects, not only the last move.
        clicks: Include all squares in the gestures of legal moves, which generates the moves.

    Raises:
        ValueError: There is no such player.
        ForthVMError: The script fails.
    """
    check_position(position, "a scene")
    check([marks] if isinstance(marks, str) else marks, Iterable, "marks", "names of positions")
    if for_player is not None and for_player not in position.game.players:
        raise ValueError(f"there is no player {for_player!r}: {', '.join(position.game.players)}")
    game, board, shown = position.game, position.board, position._shown(for_player)
    without_secrets = Shown(hidden=frozenset(), hidden_types=frozenset(), variables=frozenset())
    seen = without_secrets if everything else shown
    pieces = {name: piece for name in board if (piece := seen.piece(name, board[name]))}
    players = _players(game, pieces.values())
    outcome = position.result
    clicked = _clicked_squares(position) if clicks else frozenset()
    return Scene(
        board=board_of(
            game,
            hidden=seen.hidden,
            needed=pieces.keys() | (clicked - seen.hidden),
            points=shown.points,
        ),
        pieces=tuple(_pieces(game, players, pieces, attributes=everything or shown.attributes)),
        players=_with_state(position, players, seen),
        turn=None if outcome else visible(position.turn),
        turns=() if outcome else tuple(_turns(position)),
        result=visible(outcome.reason) if outcome else None,
        dice=tuple(_dice(game, pieces.values())),
        marks=(*_marks_of_last_move(position, seen), *_marks(marks)),
        events=tuple(_events(position, seen, effects=effects)),
        notes=tuple(
            _variable_text(visible(name), values) if everything else _in_words(game, name, values)
            for name, values in _variables(position)
            if everything or name in shown.variables
        ),
    )


def _clicked_squares(position: Position) -> frozenset[str]:
    """Return the squares on which people click to move in a script's game."""
    game = position._loaded
    if game.is_compiled or position.is_chance:  # rule files state which squares are drawn
        return frozenset()
    return frozenset(
        click.name
        for move in position.legal_moves
        for click in move.gesture()
        if click.kind == SQUARE
    )


def with_cells(base: Scene, game: Game, cells: Sequence[int], marks: Iterable[str]) -> Scene:
    """Return a scene with the pieces of `cells`, and with the board, turns and result of `base`.

    The pieces may have types and owners that are not in `base`.
    """
    on_board = {square.name for square in base.board.squares}
    pieces = {
        name: piece
        for name, at in game._loaded.position_index.items()
        if visible(name) in on_board and (piece := game._loaded.roster.piece(cells[at]))
    }
    players = _players(game, pieces.values())
    return Scene(
        board=base.board,
        pieces=tuple(_pieces(game, players, pieces)),
        players=players,
        turn=base.turn,
        turns=base.turns,
        result=base.result,
        marks=tuple(_marks(marks)),
    )


# --- pieces and players -----------------------------------------------------------------------


def _pieces(
    game: Game,
    players: tuple[ScenePlayer, ...],
    pieces: Mapping[str, Piece],
    *,
    attributes: bool = True,
) -> Iterator[ScenePiece]:
    numbers = {player.name: at for at, player in reversed(list(enumerate(players)))}
    types = tuple(visible(kind.name) for kind in game._loaded.roster.types)
    labels = picture_labels(types, players)
    for square, piece in pieces.items():
        owner = numbers[visible(piece.player or UNKNOWN_OWNER.name)]
        kind = visible(piece.type)
        yield ScenePiece(
            square=visible(square),
            type=kind,
            player=owner,
            label=labels.of(kind, owner),
            symbol=symbol_of(game, kind, players[owner].name),
            attribute=piece.attribute if attributes else 0,
        )


def _players(game: Game, pieces: Iterable[Piece]) -> tuple[ScenePlayer, ...]:
    """Return the players of a game, and further owners of pieces, which a faulty script may add."""
    details = game.player_details
    competing = [visible(one.name) for one in details if not (one.neutral or one.chance)]
    colours, outlines = colours_of(competing), outlines_of(competing)
    owners = {piece.player or UNKNOWN_OWNER.name for piece in pieces}
    unknown = owners - {one.name for one in details}
    players = []
    for one in details:
        name = visible(one.name)
        fill, ink = colours.get(name, NEUTRAL)
        players.append(
            ScenePlayer(
                name=name,
                fill=fill,
                ink=ink,
                outline=outlines.get(name, NEUTRAL_OUTLINE),
                neutral=one.neutral,
                chance=one.chance,
            )
        )
    return (*players, *(replace(UNKNOWN_OWNER, name=visible(name)) for name in sorted(unknown)))


def _with_state(
    position: Position, players: tuple[ScenePlayer, ...], seen: Shown
) -> tuple[ScenePlayer, ...]:
    """Add to the players what changes during a game: their stores, and whether they are out."""
    game, stores = position.game, position.stores
    out = {visible(name) for name in eliminated(position)}
    if not stores and not out:
        return players
    labels = picture_labels((visible(kind.name) for kind in game._loaded.roster.types), players)
    return tuple(
        replace(
            player,
            eliminated=player.name in out,
            store=tuple(
                SceneStored(
                    type=visible(kind),
                    count=count,
                    label=labels.of(visible(kind), at),
                    symbol=symbol_of(game, visible(kind), player.name),
                )
                for kind, count in stores.get(name, {}).items()
                if not (player.neutral or player.chance) and seen.sees_store(name, kind)
            ),
        )
        for at, player in enumerate(players)
        for name in (game.players[at] if at < len(game.players) else "",)
    )


def _dice(game: Game, pieces: Iterable[Piece]) -> Iterator[int]:
    """Yield the values of dice: pieces of chance players with names such as `5`, `d6`, `Die 3`."""
    chance = {player.name for player in game.player_details if player.chance}
    for piece in pieces:
        if piece.player in chance:
            yield from dice_of([piece.type]).values()


def dice_of(types: Iterable[str]) -> dict[str, int]:
    """Return the value of each piece type whose name is that of a die."""
    found = {name: _DIE.fullmatch(name) for name in types}
    return {name: int(match[1]) for name, match in found.items() if match}


# --- turns ------------------------------------------------------------------------------------


def _turns(position: Position) -> Iterator[SceneTurn]:
    """Yield the turns of one round from now; names that are no players are left out."""
    game = position.game
    order, repeat = game.turn_order, game.turn_repeat
    at, players = position._turn_index, [position.player_index]
    numbers = {name: number for number, name in enumerate(game.players)}
    if not (0 <= repeat < len(order) and 0 <= at < len(order)):  # overwritten by the script
        repeat, order = 0, ()
    for _ in range(len(order) - repeat - 1):
        at = at + 1 if at + 1 < len(order) else repeat
        if order[at].player in numbers:
            players.append(numbers[order[at].player])
    turns = [SceneTurn(player=key, moves=len(list(same))) for key, same in groupby(players)]
    if len(turns) > 1 and turns[0].player == turns[-1].player:
        del turns[-1]
    yield from turns


# --- what has happened ------------------------------------------------------------------------


def _marks(names: Iterable[str]) -> Iterator[SceneMark]:
    for name in names:
        yield SceneMark(square=visible(name), kind="mark")


def _marks_of_last_move(position: Position, seen: Shown) -> Iterator[SceneMark]:
    """Yield marks on the squares that the text of the last move names.

    If that is a move of a chance player, such as a throw of dice, the moves before it are marked,
    too, back to that of another player.
    """
    game, latest = position.game, position.history[: -_MAX_EVENTS - 1 : -1]
    chance = {player.name for player in game.player_details if player.chance}
    thrown = len(list(takewhile(lambda entry: entry.player in chance, latest)))
    kinds: dict[str, str] = {}
    for entry in reversed(latest[: thrown + 1]):
        text = seen.move_text(game._loaded, entry)
        kinds |= {name: "last" for name in text.split() if name in game._loaded.position_index}
        for part in game._loaded.parse(text):
            if part.kind == "move":
                kinds |= {part.squares[0]: "from", part.squares[1]: "to"}
    for name, kind in kinds.items():
        if name not in seen.hidden:
            yield SceneMark(square=visible(name), kind=kind)


def _events(position: Position, seen: Shown, *, effects: bool) -> Iterator[SceneEvent]:
    """Yield the moves since the beginning of the previous turn of the player to move.

    Moves of chance players without visible effects are left out.
    """
    numbers = {name: number for number, name in enumerate(position.game.players)}
    latest = list(_latest(position, seen.viewer, effects=effects))
    # Moves from a document have no short texts.
    made = [*[None] * len(latest), *position._made][-len(latest) :]
    for (entry, happened), move in zip(latest, made, strict=False):
        player = numbers[entry.player]
        if happened or not (effects and position.game.player_details[player].chance):
            text = seen.move_text(position._loaded, entry)
            short = shortened(move) if text == entry.text else ""
            yield SceneEvent(player=player, move=visible(text), effects=happened, short=short)


def _latest(
    position: Position, viewer: str | None, *, effects: bool
) -> Iterator[tuple[HistoryEntry, tuple[str, ...]]]:
    """Yield moves with sentences about their effects, or about the error if the script fails."""
    if not effects:
        yield from ((entry, ()) for entry in position.history[-1:])
        return
    try:
        for entry, events in latest_events(position, _length_of_round(position), viewer):
            yield entry, tuple(visible(event.text) for event in events)
    except ForthVMError as error:
        yield position.history[-1], (visible(str(error)),)


def _length_of_round(position: Position) -> int:
    """Return the number of moves since the player to move began the previous turn."""
    count, began = 0, False
    for entry in position.history[: -_MAX_EVENTS - 1 : -1]:
        began = began or entry.player == position.turn
        if began and entry.player != position.turn:
            break
        count += 1
    return count


# --- variables --------------------------------------------------------------------------------


def _variables(position: Position) -> Iterator[tuple[str, Sequence[int]]]:
    """Yield name and values of each board variable and array with values other than 0."""
    view = position.variables
    for variable, size in board_variables(position._loaded):
        if variable.kind == "bytes":
            values = view.bytes(variable.name, size)
        else:
            values = view.array(variable.name, size // CELL)
        if any(values):
            yield variable.name, values


def _in_words(game: Game, name: str, values: Sequence[int]) -> str:
    """Return the words of a name and its values, for players.

    An array with as many values as there are players has a value for each player, in their order.
    """
    words, players = re.sub("[-_]", " ", name), game.contestants
    if len(values) == len(players) > 1:
        listed = (f"{player} {value}" for player, value in zip(players, values, strict=True))
        return visible(f"{words}: {', '.join(listed)}")
    return f"{visible(words)}: {_values_text(values)}"


def _variable_text(name: str, values: Sequence[int]) -> str:
    """Return name and values, for authors."""
    sign = " =" if len(values) <= _MAX_COMPLETE_LENGTH else ":"
    return f"{name}{sign} {_values_text(values)}"


def _values_text(values: Sequence[int]) -> str:
    """Return the values; for a long array, only those other than 0, with their indices."""
    if len(values) <= _MAX_COMPLETE_LENGTH:
        return " ".join(map(str, values))
    return ", ".join(f"[{at}] {value}" for at, value in enumerate(values) if value)

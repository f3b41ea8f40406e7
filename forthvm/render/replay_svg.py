"""Draws a game as one animated SVG document, which any browser plays without scripts.

Owns the animation: which piece moves where, and when.  Squares and pieces are drawn as in pictures
of positions.

The animation repeats for ever; after the last position it waits.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible
from forthvm.render.draw_svg import SQUARE_SIZE, board_elements, piece_elements, pixels, polygon
from forthvm.render.scene import scene as scene_of
from forthvm.render.scene_types import SceneSquare
from forthvm.render.symbols import game_symbols

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from forthvm.game import Position
    from forthvm.render.scene_types import Scene, ScenePiece, ScenePlayer
    from forthvm.render.symbols import Symbol

__all__ = ["replay_svg"]

SECONDS = 1.0
"""The default time for which each position is shown."""
_LAST_SECONDS = 3.0
"""The additional time of the last position."""
_GLIDE = 0.3
"""The time for which a piece moves, as a share of the time of a position."""
_CAPTION, _LETTER = 30, 8.0
"""Height of the line below the board and width of its letters, in pixels."""
_MIN_WIDTH = 280
_HIGHLIGHT = 'fill="#ffd75e" fill-opacity="0.75"'


def replay_svg(position: Position, *, title: str = "", seconds: float = SECONDS) -> str:
    """Return the game that led to a position as an animated SVG document.

    Args:
        position: The last position of the game; it is not changed.
        title: The title of the document.
        seconds: The time for which each position is shown.

    Raises:
        PositionError: The position was read from a file that lacks the previous positions.
    """
    walked = position.copy()
    scenes = [scene_of(walked, effects=False)]
    while walked.ply:
        walked.pop()
        scenes.append(scene_of(walked, effects=False))
    scenes.reverse()
    moves = [f"{visible(entry.player)}: {visible(entry.text)}" for entry in position.history]
    replay = _Replay(scenes, moves, game_symbols(position.game), seconds)
    return "\n".join(replay.document(title))


class _Track:
    """The path of one piece: its squares, each with the ply at which it arrives there."""

    def __init__(self, ply: int, piece: ScenePiece) -> None:
        self.piece = piece
        self.places = [(ply, piece.square)]
        self.end: int | None = None  # the ply that removes the piece

    def looks_like(self, piece: ScenePiece) -> bool:
        return replace(self.piece, square=piece.square) == piece


class _Replay:
    """Makes the parts of the document."""

    def __init__(
        self,
        scenes: Sequence[Scene],
        moves: Sequence[str],
        symbols: Mapping[str, Symbol],
        seconds: float,
    ) -> None:
        self._scenes = scenes
        self._moves = moves
        self._symbols = symbols
        self._board = max((scene.board for scene in scenes), key=lambda board: len(board.squares))
        self._squares = {
            square.name: square for scene in scenes for square in scene.board.squares
        } | {square.name: square for square in self._board.squares}
        self._step = seconds
        self._round = seconds * len(scenes) + _LAST_SECONDS
        self._kinds: dict[tuple[ScenePiece, ScenePlayer, float], str] = {}

    def document(self, title: str) -> Iterator[str]:
        """Yield the lines of the document."""
        width = max(round(self._board.width * SQUARE_SIZE), _MIN_WIDTH)
        height = round(self._board.height * SQUARE_SIZE) + _CAPTION
        body = [
            *board_elements(self._board, self._symbols),
            *self._highlights(),
            *(self._piece(track) for track in self._tracks()),
            *self._captions(width, height - _CAPTION / 2),
        ]
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" font-family="sans-serif" role="img">'
        )
        yield f"<title>{escape(title or 'replay of a game')}</title>"
        yield f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
        yield "<defs>"
        for (piece, player, size), key in self._kinds.items():
            yield f'<g id="{key}">'
            square, pixel = _at_origin(size), self._board.pixel
            yield from piece_elements(piece, player, square, self._symbols, pixel)
            yield "</g>"
        yield "</defs>"
        yield from body
        yield "</svg>"

    # --- pieces ---------------------------------------------------------------------------

    def _tracks(self) -> list[_Track]:
        """Return the tracks of all pieces; those that move last come last and are drawn on top."""
        tracks = [_Track(0, piece) for piece in self._scenes[0].pieces]
        here = {track.piece.square: track for track in tracks}
        for ply, scene in enumerate(self._scenes[1:], start=1):
            pieces = {piece.square: piece for piece in scene.pieces}
            gone = [
                track
                for square, track in here.items()
                if square not in pieces or not track.looks_like(pieces[square])
            ]
            for track in gone:
                del here[track.places[-1][1]]
            for square, piece in pieces.items():
                if square in here:
                    continue
                moved = next((track for track in gone if track.looks_like(piece)), None)
                if moved is None:
                    here[square] = _Track(ply, piece)
                    tracks.append(here[square])
                else:
                    gone.remove(moved)
                    moved.places.append((ply, square))
                    here[square] = moved
            for track in gone:
                track.end = ply
        drawn = [
            track for track in tracks if all(name in self._squares for _, name in track.places)
        ]
        return sorted(drawn, key=lambda track: track.places[-1][0])

    def _piece(self, track: _Track) -> str:
        """Draw a piece that moves, appears and disappears."""
        first_ply, first = track.places[0]
        size = self._squares[first].size
        player = self._scenes[first_ply].players[track.piece.player]
        kind = replace(track.piece, square=""), replace(player, store=()), size
        key = self._kinds.setdefault(kind, f"k{len(self._kinds)}")
        way = self._way(track) if len(track.places) > 1 else ""
        shown = self._shown(first_ply, track.end, glide=True)
        return f'<use href="#{key}" transform="translate({self._at(first)})">{way}{shown}</use>'

    def _way(self, track: _Track) -> str:
        times, values = [0.0], [self._at(track.places[0][1])]
        for (_, before), (ply, square) in pairwise(track.places):
            start = ply * self._step
            times += [start, start + _GLIDE * self._step]
            values += [self._at(before), self._at(square)]
        return (
            '<animateTransform attributeName="transform" type="translate" '
            f'values="{";".join([*values, values[-1]])}" {self._timing([*times, self._round])}/>'
        )

    def _at(self, name: str) -> str:
        x, y = self._squares[name].centre
        return f"{pixels(x)} {pixels(y)}"

    # --- highlights and captions ----------------------------------------------------------

    def _highlights(self) -> Iterator[str]:
        """Yield the squares of the last moves."""
        for ply, scene in enumerate(self._scenes):
            for name in {mark.square for mark in scene.marks} & self._squares.keys():
                shown = self._shown(ply, ply + 1)
                yield polygon(self._squares[name].corners, _HIGHLIGHT, shown)

    def _captions(self, width: int, y: float) -> Iterator[str]:
        """Yield the text below the board for each position."""
        longest = int(width / _LETTER) - 1
        for ply, scene in enumerate(self._scenes):
            words = [f"{ply}. {self._moves[ply - 1]}"] if ply else []
            if scene.result is not None:
                words.append(scene.result)
            text = ": ".join(words)
            text = text if len(text) <= longest else f"{text[: longest - 1]}…"
            end = ply + 1 if ply + 1 < len(self._scenes) else None
            if text:
                yield (
                    f'<text x="{width / 2:g}" y="{y + 5:g}" font-size="14" text-anchor="middle">'
                    f"{self._shown(ply, end)}{escape(text)}</text>"
                )

    # --- time -----------------------------------------------------------------------------

    def _shown(self, first: int, end: int | None, *, glide: bool = False) -> str:
        """Return the animation that shows an element from one ply to another."""
        times = [0.0] if first == 0 else [0.0, first * self._step]
        values = ["1"] if first == 0 else ["0", "1"]
        if end is not None and end < len(self._scenes):
            times.append(end * self._step + (_GLIDE * self._step if glide else 0.0))
            values.append("0")
        if len(times) == 1:
            return ""
        return (
            f'<animate attributeName="opacity" calcMode="discrete" values="{";".join(values)}" '
            f"{self._timing(times)}/>"
        )

    def _timing(self, times: Sequence[float]) -> str:
        shares = ";".join(f"{time / self._round:.5f}".rstrip("0").rstrip(".") for time in times)
        return f'keyTimes="{shares}" dur="{self._round:g}s" repeatCount="indefinite"'


def _at_origin(size: float) -> SceneSquare:
    return SceneSquare(name="", corners=(), centre=(0.0, 0.0), size=size)

"""Explanations of a position for a window: threats, refused moves, the code behind a square.

Owns the limits of time and the form of the explanations for front ends.

Source code is only for the owner of a table; the callers know who that is.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible
from forthvm.debug.explain.construction import construction
from forthvm.debug.explain.square_code import square_code
from forthvm.debug.generation.time_limit import TimeLimit
from forthvm.debug.why_not import why_not
from forthvm.debug.why_not.player_text import legal_alternatives, reasons_for_players
from forthvm.study.threats import captures_in, captures_next, exposures
from forthvm.web.serving.errors import RequestError
from forthvm.web.study.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.debug.why_not import Answer
    from forthvm.game import Position
    from forthvm.study.threats import Capture, Exposure

__all__ = ["code_of", "construction_of", "refusal_of", "threats_in"]

_SECONDS = 4.0
"""The time limit of an explanation."""
_MAX_SQUARES = 12
_MAX_LEGAL = 6  # legal moves that are shown for a refused one
_MAX_SHOWN = 60  # captures and exposing moves in a message


def threats_in(position: Position) -> dict[str, object]:
    """Return the captures of the player to move, those of opponents next, and exposing moves.

    Raises:
        ForthVMError: The script fails or takes too long.
    """
    end = monotonic() + _SECONDS
    with TimeLimit(_SECONDS).applied(position._loaded.vm.native):
        now = captures_in(position)
        following = captures_next(position)
    exposing: list[Exposure] = []
    complete = True
    if following is not None:
        for exposure in exposures(position, following):
            if exposure is not None:
                exposing.append(exposure)
            if monotonic() > end:
                complete = False
                break
    return {
        "now": [_capture_json(capture) for capture in now[:_MAX_SHOWN]],
        "next": None
        if following is None
        else [_capture_json(capture) for capture in following[:_MAX_SHOWN]],
        "exposing": [_exposure_json(exposure) for exposure in exposing[:_MAX_SHOWN]],
        "complete": complete and max(len(now), len(following or ()), len(exposing)) <= _MAX_SHOWN,
    }


def _capture_json(capture: Capture) -> dict[str, object]:
    return {
        "player": visible(capture.player),
        "move": visible(capture.move),
        "from": visible(capture.source) if capture.source else None,
        "taken": [[visible(square), visible(piece)] for square, piece in capture.taken],
        "reasons": [visible(reason) for reason in capture.reasons],
    }


def _exposure_json(exposure: Exposure) -> dict[str, object]:
    return {
        "move": visible(exposure.move),
        "from": visible(exposure.source) if exposure.source else None,
        "to": visible(exposure.target) if exposure.target else None,
        "replies": [_capture_json(reply) for reply in exposure.replies[:_MAX_SHOWN]],
    }


def refusal_of(position: Position, squares: Sequence[str], *, code: bool) -> dict[str, object]:
    """Return why the move over some squares is not legal.

    Args:
        position: The position.
        squares: The squares that were clicked, in order.
        code: Whether to include the code that refuses the move.

    Raises:
        RequestError: The game has no such square.
        ForthVMError: The script fails.
    """
    names = position._loaded.position_index
    if not 0 < len(squares) <= _MAX_SQUARES or any(square not in names for square in squares):
        raise RequestError("no-square", "There is no such square.")
    result = why_not(position, " ".join(squares), seconds=_SECONDS)
    places = Sources(position.game)
    return {
        "squares": [visible(square) for square in squares],
        "kind": result.kind,
        "reasons": [
            {
                "code": reason.code,
                "values": {name: visible(value) for name, value in reason.values.items()},
                "text": visible(reason.text),
            }
            for reason in reasons_for_players(result, position)
        ],
        "legal": [visible(move) for move in legal_alternatives(result, position)[:_MAX_LEGAL]],
        "code": [_answer_json(answer, places) for answer in result.answers] if code else [],
    }


def _answer_json(answer: Answer, places: Sources) -> dict[str, object]:
    return {
        "word": visible(answer.word or ""),
        "place": places.place(answer.word_location),
        "refusals": [
            {
                "kind": visible(refusal.kind),
                "condition": visible(refusal.condition),
                "here": visible(refusal.here),
                "place": places.place(refusal.location),
            }
            for refusal in answer.refusals
        ],
    }


def code_of(position: Position, square: str) -> dict[str, object]:
    """Return the words that generate the moves of the piece on a square.

    Raises:
        RequestError: The game has no such square.
        ForthVMError: The script fails or takes too long.
    """
    if square not in position._loaded.position_index:
        raise RequestError("no-square", "There is no such square.")
    places = Sources(position.game)
    return {
        "square": visible(square),
        "words": [
            {
                "word": visible(word.word),
                "piece": visible(word.piece or ""),
                "place": places.place(word.location),
                "moves": [visible(move) for move in word.moves[:_MAX_SHOWN]],
            }
            for word in square_code(position, square, seconds=_SECONDS)
        ],
    }


def construction_of(position: Position, move: str) -> dict[str, object]:
    """Return how the legal move with a text is made, word by word.

    Raises:
        RequestError: There is no such move.
        ForthVMError: The script fails or takes too long.
    """
    shown = [visible(text) for text in position.legal_moves.texts]
    if move not in shown:
        raise RequestError("not-legal", "This is not a legal move.")
    built = construction(position, shown.index(move), seconds=_SECONDS)
    places = Sources(position.game)
    return {
        "move": visible(built.move),
        "omitted": built.omitted,
        "stages": [
            {
                "place": places.place(stage.location),
                "word": visible(stage.word),
                "calls": [visible(word) for word in stage.calls],
                "from": visible(stage.origin),
                "here": visible(stage.here),
                "stack": list(stage.stack),
                "depth": stage.depth,
                "code": visible(stage.code),
                "changed": [visible(square) for square in stage.changed],
            }
            for stage in built.stages
        ],
    }

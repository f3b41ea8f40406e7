"""The past of a position that was read from a document, found by playing its history again.

Owns when that counts as found.  It must not change the position.
"""

from __future__ import annotations

from forthvm.core.errors import PositionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .position import Position
    from .states import State

__all__ = ["HOST_PASS", "past_of"]

HOST_PASS = -1
"""Index in a history of a turn that the host passed for a player without moves."""


def past_of(position: Position) -> list[State]:
    """The states before each move of the history.

    Raises:
        PositionError: playing again leads elsewhere.
    """
    game = position.game
    try:
        again = game.begin(position.setup)
    except ValueError as error:
        raise PositionError(f"the past is lost: {error}") from error
    past = []
    for number, played in enumerate(position.history):
        past.append(again.state)
        what = f"move {number + 1} of the history, `{played.text}`,"
        if played.index == HOST_PASS:
            if not again.is_stuck:
                raise PositionError(f"{what} is a pass of a player who has moves")
            again.push_pass()
            continue
        texts = game.states.texts(again.state)
        if played.index >= len(texts) or texts[played.index] != played.text:
            raise PositionError(f"{what} is not what was legal: the past is lost")
        again.push(again.legal_moves[played.index])
    if not again.state.same(position.state):
        raise PositionError(
            "playing the history again leads elsewhere (random streams were set, an engine "
            "ran, or the game began from another set-up): the past is lost"
        )
    return past

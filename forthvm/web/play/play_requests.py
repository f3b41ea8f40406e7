"""The requests by which people change the table: moves, taking back, seats.

Owns the names and fields of these requests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.catalogue.options import ON_SHOW
from forthvm.core import reading
from forthvm.core.reading import dict_of, optional
from forthvm.web.serving.errors import RequestError
from forthvm.web.serving.fields import flag, integer, text
from forthvm.web.table.clocks import TimeControl
from forthvm.web.table.game_choice import options_of
from forthvm.web.table.seats import PERSON

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from forthvm.web.play.engine_seats import EngineSeats
    from forthvm.web.serving.connections import Connection
    from forthvm.web.serving.page_server import Handler
    from forthvm.web.table.seats import Viewer
    from forthvm.web.table.shared_table import SharedTable

__all__ = ["handlers"]


def handlers(shared: SharedTable, engines: EngineSeats) -> dict[str, Handler]:
    """Return the function that grants each request, by the request's name."""
    table = shared.table

    def changing(action: Callable[[Viewer, Mapping[str, object]], None]) -> Handler:
        """Return the handler of a request that changes the table."""

        async def handle(connection: Connection, request: Mapping[str, object]) -> None:
            await shared.change(lambda: action(shared.viewer_of(connection), request))

        return handle

    async def move_now(_: Connection, __: Mapping[str, object]) -> None:
        engines.stop()

    async def renew(_: Connection, request: Mapping[str, object]) -> None:
        player = text(request, "player")
        await shared.change(lambda: table.seats.renew_key(player), stop_engine=False)

    async def options(connection: Connection, request: Mapping[str, object]) -> None:
        """Answer which variants, settings and board a game of the list has."""
        name, variant = text(request, "game"), optional(reading.text())(request.get("variant"))

        def found() -> dict[str, object]:
            is_played = name == shared.choice.name_of(table.game) and variant is None
            return options_of(table.game if is_played else shared.choice.load(name, variant, {}))

        connection.send({"is": "options", "game": name, **await shared.run(found)})

    return {
        "play": changing(
            lambda viewer, asked: table.play(viewer, integer(asked, "node"), integer(asked, "move"))
        ),
        "type": changing(
            lambda viewer, asked: table.play_typed(
                viewer, integer(asked, "node"), text(asked, "text")
            )
        ),
        "undo": changing(lambda viewer, _: table.undo(viewer)),
        "step back": changing(lambda viewer, _: table.step_back(viewer)),
        "redo": changing(lambda viewer, _: table.redo(viewer)),
        "move now": move_now,
        "offer": changing(lambda viewer, asked: table.make_offer(viewer, text(asked, "kind"))),
        "answer": changing(
            lambda viewer, asked: table.answer_offer(viewer, agrees=flag(asked, "agrees"))
        ),
        "resign": changing(lambda viewer, asked: table.resign(viewer, text(asked, "player"))),
        "new": changing(lambda _, asked: _new_game(shared, asked)),
        "options": options,
        "seat": changing(
            lambda _, asked: table.give_seat(text(asked, "player"), text(asked, "by"))
        ),
        "renew": renew,
    }


def _new_game(shared: SharedTable, request: Mapping[str, object]) -> None:
    """Begin a new game: the same one, or another one of the list.

    With an opponent, the owner plays for one side, and the opponent for all others.
    """
    control = _time_control(request)
    if "game" not in request:
        shared.table.restart(control)
        return
    variant, opponent, side = (
        optional(reading.text())(request.get(name)) for name in ("variant", "opponent", "side")
    )
    chosen = dict_of(reading.text())(request.get("settings", {}))
    name, before = text(request, "game"), shared.table.game
    if before._loaded.options.on_show and name == shared.choice.name_of(before):
        chosen.setdefault(ON_SHOW, before._loaded.options.on_show)  # hidden pieces stay hidden
    game = shared.choice.load(name, variant, chosen)
    shared.table.change_game(game, control)
    if opponent:
        for player in shared.table.seats:
            shared.table.give_seat(player, PERSON if player == side else opponent)


def _time_control(request: Mapping[str, object]) -> TimeControl | None:
    """Return the time control for a new game; None for a game without clocks.

    Raises:
        RequestError: The field is not a time control.
    """
    time = request.get("time")
    if not time:
        return None
    try:
        return TimeControl.parse(text(request, "time"))
    except ValueError as error:
        raise RequestError("no-time", str(error)) from None

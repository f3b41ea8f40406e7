"""Fixtures that write small scripts and play at the prompt."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forthvm.cli.play.seats import Seats
from forthvm.cli.play.session import Session
from forthvm.cli.terminal import Screen
from forthvm.engines import Limits
from forthvm.game import Position, load
from tests.cli.prompt_lines import LineReader


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)


Script = Callable[..., Path]


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """Returns a function that writes the script of a small game, with some parts replaced."""

    def write(name: str = "small.4th", **parts: str) -> Path:
        path = tmp_path / name
        path.write_text("\n".join({**SMALL, **parts}.values()) + "\n", encoding="utf-8")
        return path

    return write


# A race on a row of five squares: each player has a man; a player that cannot move loses.
SMALL = {
    "board": "{board 1 5 {grid} {position} store {variable} count board}",
    "directions": "{directions 0 1 {direction} e 0 -1 {direction} w directions}",
    "players": "{players {player} Left {player} Right players}",
    "turns": "{turn-order {turn} Left {turn} Right turn-order}",
    "words": (
        ": bump ( -- ) count ++ ;\n"
        ": step ( 'dir -- ) EXECUTE verify empty? verify from here move COMPILE bump add-move ;\n"
        ": go-e ['] e step ;\n: go-w ['] w step ;"
    ),
    "moves": "{moves man-moves {move} go-e {move} go-w moves}",
    "pieces": "{pieces {piece} man {moves} man-moves {piece} king {moves} man-moves pieces}",
    "setup": "{board-setup {setup} Left man a1 {setup} Right man e1 board-setup}",
    "over": ": OnIsGameOver #UnknownScore stalemate? IF DROP #LossScore ENDIF ;",
}


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Returns a function that plays at the prompt, by default tic-tac-toe as X, against `first`.

    The function returns the output, the last position and the reader.
    """

    def run(
        *lines: str | BaseException,
        side: str = "X",
        game: str | Path = "tictactoe",
        position: Position | None = None,
        max_plies: int | None = None,
    ) -> tuple[str, Position, LineReader]:
        loaded = position.game if position else load(game)
        reader = LineReader(*lines)
        seats = Seats(loaded, ["first"], limits=Limits())
        seats.seat_person(side)
        position = position or loaded.start()
        session = Session(Screen(), reader, position, seats, max_plies=max_plies)
        session.run()
        return capsys.readouterr().out, session.position, reader

    return run

"""Games in idioms of other authors, compared with the model; saved games as others write them.

The rule files in `idioms/` have no published counts of positions.  The model plays a random game,
its lines are written down with the liberties that recordings take (contract, statements 85 to 94),
and forthvm replays them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import forthvm
from tests.models import zrf as model
from tests.zrf.lockstep import play_together

FOLDER = Path(__file__).parent / "idioms"
GAMES = [(path, title) for path in sorted(FOLDER.glob("*.zrf")) for title in model.titles(path)]
PLIES = 24
IDS = [f"{path.stem}: {title}" for path, title in GAMES]


@dataclass(frozen=True)
class Line:
    """A recorded move.

    Attributes:
        number: The turn number.
        text: The move.
        is_forced: Whether it is the pass of a player without another move.
        is_stop: Whether it stops a series of partial moves.
    """

    number: int
    text: str
    is_forced: bool
    is_stop: bool


@pytest.mark.sampled(9)
@pytest.mark.parametrize(("path", "title"), GAMES, ids=IDS)
def test_game_is_played_as_by_the_model(path: Path, title: str) -> None:
    play_together(path, plies=12, seed=7, variant=title)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "title"), GAMES, ids=IDS)
def test_long_games_are_played_as_by_the_model(path: Path, title: str) -> None:
    for seed in range(2):
        play_together(path, plies=200, seed=seed, variant=title)


def _with_other_numbers(line: Line) -> str:
    """Move types and attributes as another version of the program numbers them."""
    text = re.sub(r"^partial \d+", "partial 8", line.text)
    return re.sub(r"@ (\S+) \d+ ", r"@ \1 9 ", text)


def _with_other_signs(line: Line) -> str:
    """`-` for `x` in the first movement."""
    return re.sub(r"^((?:partial \d+ )?[^x=@\s]\S* \S+) x ", r"\1 - ", line.text)


WRITERS: dict[str, Callable[[Line], str | None]] = {
    "plain": lambda line: line.text,
    "other numbers": _with_other_numbers,
    "other signs": _with_other_signs,
    "blanks": lambda line: f"  {line.text.replace(' ', '  ')}  ",
    "without stops": lambda line: None if line.is_stop else line.text,
    "without forced passes": lambda line: None if line.is_forced else line.text,
}


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.zrf")), ids=lambda path: path.stem)
def test_recordings_of_a_model_game_are_replayed(path: Path, tmp_path: Path) -> None:
    title = model.titles(path)[0]
    lines, last = _random_game(path, title)
    head = [
        "Zillions Save Game File Version 0.02 HC",
        f"RulesFile=C:\\Zillions\\Rules\\{path.name.upper()}",
        f"VariantName={title}",
    ]
    saved = tmp_path / "game.zsg"
    bodies = set()
    for writer, written in WRITERS.items():
        texts = [(line.number, written(line)) for line in lines]
        body = tuple(f"{number}. {text}" for number, text in texts if text is not None)
        if body in bodies:  # the game has nothing that this writer writes differently
            continue
        bodies.add(body)
        saved.write_text("\r\n".join([*head, *body, "", ""]), encoding="cp1252", newline="")
        position = forthvm.replay_zsg(saved, rules=path)
        board = {place: (piece.player, piece.type) for place, piece in position.board.occupied()}
        assert board == {place: piece[:2] for place, piece in last.board().items()}, writer


def _random_game(path: Path, title: str) -> tuple[list[Line], model.Position]:
    """Return the lines of a random game, and its last position."""
    choose = random.Random(3)
    position = model.start(model.load(path, title))
    lines: list[Line] = []
    while position.result is None and len(lines) < PLIES:
        moves = position.moves()
        move = choose.choice(moves)
        is_forced = move.is_pass and len(moves) == 1 and position.going_on is None
        is_stop = move.is_pass and position.going_on is not None
        lines.append(Line(position.turn_number, move.text, is_forced, is_stop))
        position = position.play(move)
    return lines, position

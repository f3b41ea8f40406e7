"""Replaying and writing saved games, with the Breakthrough of tests/zrf/games."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm import ForthVMError, PositionError
from forthvm.game.zsg_replay import (
    Replay,
    SavedGameError,
    SavedGameFile,
    open_saved_game,
)
from forthvm.game.zsg_writing import next_number
from forthvm.zrf.saved_game import read_saved_game
from tests.kit.cases import each_case
from tests.kit.commands import Cli
from tests.kit.games import loaded
from tests.kit.messages import raises

HEADER = """Zillions Save Game File Version 0.02 HH
RulesFile=breakthrough.zrf
VariantName=Breakthrough
"""
GAMES = Path(__file__).parent / "games"
MOVES = ("a2 - a3", "a7 - a6", "a3 - a4", "b7 - b6")


@pytest.fixture(scope="module")
def game() -> forthvm.Game:
    return forthvm.load(GAMES / "breakthrough.zrf")


@pytest.fixture(scope="module")
def piece(game: forthvm.Game) -> str:
    """Name of the only piece type."""
    (kind,) = game.piece_types
    return kind.name


def replayed(game: forthvm.Game, text: str) -> Replay:
    data = (HEADER + text).encode()
    replay = Replay(game, SavedGameFile(Path("game.zsg"), data, read_saved_game(data)))
    replay.play_all()
    return replay


def numbered(piece: str, moves: tuple[str, ...]) -> str:
    return "".join(f"{1 + ply // 2}. {piece} {move}\n" for ply, move in enumerate(moves))


def test_moves_are_replayed(game: forthvm.Game, piece: str) -> None:
    replay = replayed(game, numbered(piece, MOVES))
    expected = game.start()
    for move in MOVES:
        expected.push(f"{piece} {move}")
    assert replay.position == expected
    assert replay.warnings == []


def test_sign_of_a_capture_is_not_compared(game: forthvm.Game, piece: str) -> None:
    moves = ("a2 - a3", "a7 - a6", "a3 - a4", "a6 - a5", "a4 - b5")
    with_sign = (*moves[:4], "a4 x b5")
    assert replayed(game, numbered(piece, moves)).position == (
        replayed(game, numbered(piece, with_sign)).position
    )


def test_initial_position_is_edited(game: forthvm.Game, piece: str) -> None:
    text = f"(x a2)\n(White {piece} d4)\n"
    board = replayed(game, text).position.board
    assert board["a2"] is None
    assert str(board["d4"]) == f"White {piece}"
    assert board["b2"] is not None


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("1. {p} a2 - a3\n1. {p} a2 - a3\n", "replay.is-not-a-legal-move-of-black-move", 5),
        ("1. {p} a2 - a9\n", "replay.is-not-a-legal-move-of-white", 4),
        ("1. {p} a2\n", "replay.is-not-a-move", 4),
        ("1. Pass\n", "replay.pass-is-not-a-legal-move", 4),
        ("(x k4)\n", "replay.k-is-not-a-position", 4),
        ("(Green {p} a4)\n", "replay.green-is-not-a-player", 4),
    ],
)
def test_line_that_fits_no_move_is_named(
    game: forthvm.Game, piece: str, text: str, message: str, line: int
) -> None:
    with raises(SavedGameError, message) as caught:
        replayed(game, text.replace("{p}", piece))
    assert caught.value.location.line == line
    assert caught.value.location.file == "game.zsg"


def test_error_names_similar_legal_moves(game: forthvm.Game, piece: str) -> None:
    with pytest.raises(SavedGameError) as caught:
        replayed(game, f"1. {piece} a2 - a3 x b7\n")
    assert caught.value.hints == (f"legal moves like it: `{piece} a2 - a3`",)


def test_error_names_other_moves_of_the_piece(game: forthvm.Game, piece: str) -> None:
    with pytest.raises(SavedGameError) as caught:
        replayed(game, f"1. {piece} a2 - a5\n")
    (hint,) = caught.value.hints
    assert hint.startswith("legal moves like it: ")
    assert set(hint.removeprefix("legal moves like it: ").split(", ")) == {
        f"`{piece} a2 - a3`",
        f"`{piece} a2 - b3`",
    }


def test_written_game_replays_to_the_same_position(game: forthvm.Game, piece: str) -> None:
    edits = f"(x a2)\n(White {piece} d4)\n"
    position = replayed(game, edits + numbered(piece, ("b2 - b3", *MOVES[1:2]))).position
    data = position.to_zsg()
    replay = Replay(game, SavedGameFile(Path("again.zsg"), data, read_saved_game(data)))
    replay.play_all()
    assert replay.position == position
    assert [move.turn for move in replay.saved.moves] == [1, 1]


@each_case(
    ("index", "next_index", "repeat", "grows"),
    [
        (0, 1, 0, False),
        (1, 0, 0, True),  # passes the end
        (0, 0, 0, True),  # a turn order of one entry
        (1, 2, 2, True),  # reaches the mark
        (2, 3, 2, False),
        (3, 2, 2, True),  # passes the end
        (0, 1, 2, False),
    ],
)
def test_turn_number_grows_at_the_end_and_at_the_mark(
    index: int, next_index: int, repeat: int, grows: bool
) -> None:
    assert next_number(5, index, next_index, repeat) == 5 + grows


def test_saved_game_is_found_and_replayed_from_files(
    game: forthvm.Game, piece: str, tmp_path: Path
) -> None:
    position = replayed(game, numbered(piece, MOVES)).position
    (tmp_path / "game.zsg").write_bytes(position.to_zsg())
    (tmp_path / "Breakthrough.ZRF").write_bytes((GAMES / "breakthrough.zrf").read_bytes())
    replayed_position = forthvm.replay_zsg(tmp_path / "game.zsg")
    assert [entry.text for entry in replayed_position.history] == [
        entry.text for entry in position.history
    ]
    assert replayed_position.cells == position.cells


def test_missing_rule_file_is_named(game: forthvm.Game, tmp_path: Path) -> None:
    (tmp_path / "game.zsg").write_bytes(game.start().to_zsg())
    with raises(SavedGameError, "replay.missing-rule-file") as caught:
        forthvm.replay_zsg(tmp_path / "game.zsg")
    assert "rules=FILE" in caught.value.hints[0]
    position = forthvm.replay_zsg(tmp_path / "game.zsg", rules=GAMES / "breakthrough.zrf")
    assert position == game.start()


def test_game_of_a_script_has_no_saved_game_of_zillions() -> None:
    with raises(PositionError, "replay.no-rule-file"):
        loaded("tictactoe").start().to_zsg()


STALEMATE = """\
(game (title "Stalemate") (players White Black) (turn-order White Black)
   (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0)) ("1" (0 10)))
                (directions (e 1 0) (w -1 0))))
   (piece (name Man) (moves (e (verify empty?) add)))
   (board-setup (White (Man a1)) (Black (Man c1)))
   (loss-condition (White Black) stalemated))
"""
SERIES = """\
(game (title "Series") (players White Black) (turn-order White Black)
   (option "pass partial" true)
   (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (10 0)) ("2/1" (0 10)))
                (directions (e 1 0))))
   (piece (name Man) (moves (e (verify empty?) (add-partial))))
   (board-setup (White (Man a1)) (Black (Man a2))))
"""


def replayed_text(tmp_path: Path, rules: str, moves: str) -> Replay:
    """Return the replay of a game of a rule file that is given as a text."""
    (tmp_path / "rules.zrf").write_text(rules, encoding="utf-8")
    saved = tmp_path / "game.zsg"
    title = rules.split('"')[1]
    text = f"{HEADER.splitlines()[0]}\nRulesFile=rules.zrf\nVariantName={title}\n{moves}"
    saved.write_text(text, encoding="utf-8")
    replay = open_saved_game(saved)
    replay.play_all()
    return replay


def test_pass_after_a_stalemate_is_accepted_with_a_warning(tmp_path: Path) -> None:
    replay = replayed_text(tmp_path, STALEMATE, "1. Man a1 - b1\n1. Pass\n")
    assert replay.position.ply == 2
    assert len(replay.warnings) == 1
    assert replay.warnings[0].startswith("game.zsg:5: the pass comes after the end")


def test_missing_stop_of_a_series_is_taken_for_granted(tmp_path: Path) -> None:
    moves = "1. partial 1 Man a1 - b1\n1. partial 1 Man a2 - b2\n"
    replay = replayed_text(tmp_path, SERIES, moves)
    assert [entry.text for entry in replay.position.history][1] == "Pass"
    assert replay.warnings == ["game.zsg:5: the stop of the series before it is not recorded"]


def test_illegal_move_in_a_series_is_an_error_about_the_same_player(tmp_path: Path) -> None:
    moves = "1. partial 1 Man a1 - b1\n1. partial 1 Man a1 - d1\n"
    with raises(SavedGameError, "replay.is-not-a-legal"):
        replayed_text(tmp_path, SERIES, moves)


RACE = """\
(game (title "Race") (players White Black) (turn-order White Black)
   (option "pass turn" forced)
   (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (10 0)) ("2/1" (0 10)))
                (directions (e 1 0))))
   (piece (name Man) (moves (e (verify empty?) add)))
   (board-setup (White (Man a1)) (Black (Man c2)))
   (win-condition (White Black) (absolute-config Man (c1))))
"""


def test_moves_after_the_end_are_made_with_a_warning(tmp_path: Path) -> None:
    moves = "1. Man a1 - b1\n1. Man c2 - d2\n2. Man b1 - c1\n2. Pass\n3. Man c1 - d1\n"
    replay = replayed_text(tmp_path, RACE, moves)
    board = {square: piece.player for square, piece in replay.position.board.occupied()}
    assert board == {"d1": "White", "d2": "Black"}
    (warning,) = replay.warnings
    assert warning.startswith("game.zsg:7: the game goes on after its end: ")
    (tmp_path / "again.zsg").write_bytes(replay.position.to_zsg())
    assert forthvm.replay_zsg(tmp_path / "again.zsg") == replay.position
    document = replay.position.to_json()
    assert forthvm.Position.from_json(replay.position.game, document) == replay.position


def test_an_illegal_move_after_the_end_is_an_error(tmp_path: Path) -> None:
    moves = "1. Man a1 - b1\n1. Man c2 - d2\n2. Man b1 - c1\n2. Man d2 - a2\n"
    with raises(SavedGameError, "replay.is-not-a-legal-move") as caught:
        replayed_text(tmp_path, RACE, moves)
    assert caught.value.location.line == 7


def test_forced_passes_that_are_not_recorded_are_made(tmp_path: Path) -> None:
    rules = RACE.replace("Black)", "Black Red)", 2).replace(
        "(absolute-config Man (c1))", "stalemated"
    )
    moves = "1. Man a1 - b1\n1. Man c2 - d2\n2. Man b1 - c1\n3. Man c1 - d1\n"
    replay = replayed_text(tmp_path, rules, moves)
    texts = [entry.text for entry in replay.position.history]
    assert texts == [
        "Man a1 - b1",
        "Man c2 - d2",
        "Pass",
        "Man b1 - c1",
        "Pass",
        "Pass",
        "Man c1 - d1",
    ]
    assert [warning.split()[0] for warning in replay.warnings] == [
        "game.zsg:6:",
        "game.zsg:7:",
        "game.zsg:7:",
    ]


@pytest.mark.parametrize(
    ("edit", "name"),
    [
        ("(White Man z9)", "replay.z-is-not-a-position"),
        ("(x z9)", "replay.z-is-not-a-position"),
        ("(Red Man a1)", "replay.red-is-not-a-player"),
        ("(White King a1)", "replay.king-is-not-a-piece"),
    ],
)
def test_names_of_changes_are_checked_line_by_line(tmp_path: Path, edit: str, name: str) -> None:
    with raises(SavedGameError, name) as caught:
        replayed_text(tmp_path, RACE, f"(x a1)\n{edit}\n")
    assert caught.value.location.line == 5


def test_attributes_of_another_version_of_the_rule_file_are_accepted(tmp_path: Path) -> None:
    rules = RACE.replace("(name Man)", "(name Man) (attribute new? true)").replace(
        "(moves (e (verify empty?) add))",
        "(moves (e (verify empty?) (set-attribute new? false) add) (e e (verify empty?) add))",
    )
    replay = replayed_text(tmp_path, rules, "1. Man a1 - b1\n1. Man c2 - d2 @ d2 3 1\n")
    assert [entry.text for entry in replay.position.history] == [
        "Man a1 - b1 @ b1 0 0",
        "Man c2 - d2 @ d2 0 0",
    ]
    assert [warning.partition(": ")[0] for warning in replay.warnings] == [
        "game.zsg:4",
        "game.zsg:5",
    ]


def test_a_recorded_pass_of_a_skipped_player_is_left_out(tmp_path: Path) -> None:
    rules = RACE.replace("White Black)", "White Black ?Dice)", 2).replace("forced", "false")
    moves = "1. Man a1 - b1\n1. Man c2 - d2\n1. Pass\n2. Man b1 - c1\n"
    replay = replayed_text(tmp_path, rules, moves)
    assert replay.position.ply == 3
    (warning,) = replay.warnings
    assert warning == "game.zsg:6: the player without a move has been skipped without a pass"


PROMOTION = """(game (title "Promotion") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0)) ("2/1" (0 10)))
    (directions (n 0 -1))))
  (piece (name Man) (moves (n (create c2) (add King)) (n (add King))))
  (piece (name King))
  (board-setup (White (Man a1)) (Black (Man b1))))
"""


@pytest.mark.parametrize("place", ["", " on a2"])
def test_a_promotion_after_a_create_may_name_its_square(tmp_path: Path, place: str) -> None:
    (tmp_path / "promotion.zrf").write_text(PROMOTION)
    lines = ["Zillions Save Game File Version 0.02 HH", "RulesFile=promotion.zrf"]
    lines += ["VariantName=Promotion", f"1. Man a1 - a2 White Man c2 = King{place}"]
    path = tmp_path / "game.zsg"
    path.write_text("\n".join(lines))
    board = forthvm.replay_zsg(path).board
    assert [str(board[square]) for square in ("a2", "c2")] == ["White King", "White Man"]


def test_a_saved_game_may_be_replayed_as_another_variant(tmp_path: Path, cli: Cli) -> None:
    variant = '(variant (title "Renamed"))'
    (tmp_path / "promotion.zrf").write_text(PROMOTION + variant)
    path = tmp_path / "game.zsg"
    path.write_text(
        "Zillions Save Game File Version 0.02 HH\nRulesFile=promotion.zrf\n"
        "VariantName=The title of an older version\n1. Man a1 - a2 = King\n"
    )
    with raises(ForthVMError, "replay.no-game-or-variant"):
        forthvm.replay_zsg(path)
    assert forthvm.replay_zsg(path, variant="Renamed").ply == 1
    for chosen in ("Renamed", "1"):
        assert "After 1 move" in cli.out("replay", path, "--variant", chosen, "--brief")
    assert cli("replay", "results.db", "1", "--variant", "1").status == 2

"""Saved positions on the command line: the file names its game, seed and settings."""

from __future__ import annotations

import hashlib
import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import forthvm
from forthvm.game import Position
from forthvm.web.table.position_link import link_text
from tests.kit.cases import each_case
from tests.kit.commands import Cli
from tests.kit.games import play

Save = Callable[..., Path]

PRINTS_4711 = ": step EXECUTE DROP ; 4711 . : go-e ['] e step ; : go-w go-e ;"
"""Words of a script that prints 4711 when it is loaded."""


@pytest.fixture
def save(tmp_path: Path) -> Save:
    """Makes moves of a game and saves the position."""

    def write(game: str | Path, *moves: str, **options: Any) -> Path:  # noqa: ANN401
        position = forthvm.load(game, **options).start()
        play(position, *moves)
        path = tmp_path / "saved.json"
        path.write_text(position._document(full=True), encoding="utf-8")
        return path

    return write


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("line", "out"),
    [
        (["show"], "O to move"),
        (["moves"], "O mark"),
        (["perft", "1"], "8"),
        (["explain", "a1"], "mark"),
        (["why-not", "b2"], "b2"),
        (["think", "--engine", "first"], "O mark"),
        (["profile"], "tictactoe"),
        (["debug"], "put is run"),
        (["run", "--auto", "--engine", "first", "--brief"], "After"),
        (["analyse", "-n", "2"], "moves"),
    ],
)
def test_position_replaces_game_for_every_command(
    cli: Cli, save: Save, line: list[str], out: str
) -> None:
    path = save("tictactoe", "b2", seed=5)
    result = cli(line[0], "--position", path, *line[1:], stdin="")
    assert result.err == ""
    assert result.status == (
        1 if line[0] == "why-not" else 0
    )  # b2 is occupied, so the move is not legal
    assert out.casefold() in result.out.casefold()


def test_game_and_position_together_are_accepted(cli: Cli, save: Save) -> None:
    path = save("tictactoe", "b2")
    assert cli("moves", "tictactoe", "--position", path).status == 0
    assert cli("moves", "--position", path, "tictactoe").status == 0


def test_missing_game_and_position_is_wrong_usage(cli: Cli) -> None:
    assert "GAME is missing" in cli.err("moves", status=2)


def test_seed_and_settings_come_from_the_file(cli: Cli, save: Save) -> None:
    settings = {"glory-own": "2"}
    path = save("rithmomachia-glorious", seed=9, settings=settings)
    assert cli("show", "--position", path).status == 0
    equal_options = ["--seed", "9", "--set", "glory-own=2"]
    assert cli("show", "rithmomachia-glorious", "--position", path, *equal_options).status == 0


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("options", "parts"),
    [
        (["--seed", "4"], ["--seed 4", "with seed=9"]),
        (["--axiom", "140"], ["--axiom 140", "with axiom=150"]),
        (["--set", "glory-own=1"], ["--set glory-own=1", "with glory-own=2"]),
        (["--set", "stalemate=pass"], ["--set stalemate=pass", "without stalemate"]),
    ],
)
def test_an_option_that_differs_is_named_with_both_values(
    cli: Cli, save: Save, options: list[str], parts: list[str]
) -> None:
    path = save("rithmomachia-glorious", seed=9, settings={"glory-own": "2"})
    err = cli.err("show", "--position", path, *options, status=2)
    assert all(part in err for part in parts), err


def test_position_of_another_game_is_refused_by_name(cli: Cli, save: Save) -> None:
    err = cli.err("show", "breakthrough", "--position", save("tictactoe"), status=2)
    assert "tictactoe" in err
    assert "breakthrough" in err


def test_settings_of_another_game_are_refused(cli: Cli, save: Save) -> None:
    path = save("rithmomachia-glorious", settings={"glory-own": "2"})
    err = cli.err("show", "chess", "--position", path, status=2)
    assert "a position of rithmomachia-glorious: no setting `glory-own`" in err


# --- scripts named by their paths -------------------------------------------------------


def test_a_script_is_not_loaded_because_a_file_names_it(
    cli: Cli, save: Save, script: Callable[..., Path]
) -> None:
    """Without a terminal there is no permission, so GAME is needed."""
    path = script(words=PRINTS_4711)
    game = save(path)
    forget_digest(game)
    result = cli("show", "--position", game)
    assert result.status == 2
    assert str(path) in result.err
    assert "4711" not in result.out + result.err
    result = cli("show", path, "--position", game)
    assert result.status == 0
    assert "4711" in result.out + result.err


def forget_digest(saved: Path) -> None:
    """Removes the digest of the script from a saved position, as in a file of another author."""
    document = json.loads(saved.read_text(encoding="utf-8"))
    saved.write_text(json.dumps(document | {"script_digest": "0" * 64}), encoding="utf-8")


def test_unchanged_script_is_loaded(cli: Cli, save: Save, script: Callable[..., Path]) -> None:
    path = script()
    game = save(path)
    assert cli("show", "--position", game).status == 0
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert str(path) in cli.err("show", "--position", game, status=2)


class _Terminal(io.StringIO):
    """Standard input that looks like a terminal."""

    def isatty(self) -> bool:
        return True


def test_changed_script_is_loaded_if_the_user_agrees(
    cli: Cli, save: Save, script: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = script()
    game = save(path)
    forget_digest(game)
    monkeypatch.setattr("forthvm.cli.terminal.can_ask", lambda: True)
    for answer, status in (("y", 0), ("n", 2), ("", 2)):
        monkeypatch.setattr(sys, "stdin", _Terminal(f"{answer}\n"))
        err = cli.err("show", "--position", game, status=status)
        assert str(path) in err
        assert "[y/N]" in err


def test_game_name_in_a_file_is_not_a_path(
    cli: Cli, save: Save, script: Callable[..., Path], tmp_path: Path
) -> None:
    """A name selects bundled and installed games only."""
    path = script(words=PRINTS_4711)
    game = save(path)
    document = json.loads(game.read_text(encoding="utf-8"))
    game.write_text(json.dumps(document | {"game": str(path), "script": None}), encoding="utf-8")
    result = cli("show", "--position", game)
    assert result.status == 2
    assert "give the script as GAME" in result.err
    assert "4711" not in result.out + result.err


@pytest.mark.parametrize(
    ("field", "value"),
    [("axiom", "999"), ("seed", 2**40), ("settings", {"a\nb": "c"}), ("settings", {"a": "\x1b"})],
)
def test_saved_positions_with_invalid_fields_are_refused(
    cli: Cli, save: Save, field: str, value: object
) -> None:
    path = save("tictactoe")
    document = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(document | {field: value}), encoding="utf-8")
    err = cli.err("show", "--position", path, status=1)
    assert "not a valid position" in err
    assert len(err.splitlines()) == 1


def test_missing_game_is_reported(cli: Cli, script: Callable[..., Path], tmp_path: Path) -> None:
    """The document of `to_json` has no path."""
    path = tmp_path / "saved.json"
    path.write_text(forthvm.load(script()).start().to_json(), encoding="utf-8")
    err = cli.err("show", "--position", path, status=2)
    assert "no game is called `small`" in err
    assert "give the script as GAME" in err


def test_a_saved_position_from_a_pipe(
    cli: Cli, save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    with save("tictactoe", "b2").open(encoding="utf-8") as text:
        monkeypatch.setattr(sys, "stdin", text)
        assert cli("perft", "--position", "-", "1").out.strip() == "8"


def test_the_repl_begins_from_a_saved_position(
    cli: Cli, save: Save, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = save("tictactoe", "b2", seed=5)
    lines = tmp_path / "lines"
    lines.write_text("turn-number .\n")
    with lines.open(encoding="utf-8") as text:
        monkeypatch.setattr(sys, "stdin", text)
        result = cli("repl", "--position", path)
    assert result.out.strip() == "2"


def test_positions_saved_by_the_commands_name_their_script(
    cli: Cli, script: Callable[..., Path]
) -> None:
    game = forthvm.load(script())
    document = json.loads(game.start()._document(full=True))
    assert document["script"] == str(game.path)
    assert document["script_digest"] == hashlib.sha256(game.path.read_bytes()).hexdigest()
    assert json.loads(game.start().to_json())["script"] is None
    assert Position.from_json(game, json.dumps(document)) == game.start()


def test_a_link_contains_a_position(cli: Cli) -> None:
    position = play(forthvm.load("tictactoe", seed=5).start(), "b2")
    link = f"http://127.0.0.1:8000/#position={link_text(position.to_json())}"
    assert "O to move" in cli("show", "--position", link).out
    for missing in (1, 9, 10, 11, 12):
        err = cli.err("show", "--position", link[:-missing], status=1)
        assert "the end of the link is missing" in err
    refused = cli("show", "chess", "--position", link)
    assert "tictactoe" in refused.err


def test_a_position_as_text(cli: Cli) -> None:
    position = ("--position", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    assert "pawn e2 - e4" in cli("moves", "chess", *position).out
    assert cli("perft", "chess", "1", *position, "--moves", "e4").out.split() == ["5"]
    assert "GAME is missing" in cli.err("moves", *position, status=2)
    assert "column 8" in cli.err("moves", "chess", "--position", "4k3/8/8 w", status=1)
    lists = ("--position", "W:WK5:B31")
    assert "king j10 - " in cli("moves", "draughts-international", *lists).out


SFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"


@each_case(
    ("game", "line", "moves"),
    [
        ("shogi", f"sfen {SFEN} moves 7g7f", "lance a9 - a8"),
        ("shogi", f"position sfen {SFEN} moves 7g7f 3c3d", "bishop b2 x h8"),
        ("shogi", f"{SFEN} moves 7g7f 3c3d", "bishop b2 x h8"),
        ("shogi", "position startpos moves 7g7f 3c3d", "bishop b2 x h8"),
        ("shogi", "startpos moves 7g7f 3c3d 8h2b+", "silver g9 x h8"),
        ("chess", "position startpos moves e2e4 d7d5", "pawn e4 x d5"),
        ("chess", "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4 e8d7", "pawn e4 - e5"),
        ("draughts-international", "position fen W:WK5:B31", "king j10 - "),
        ("xiangqi", "position startpos moves h2e2", "horse h10 - g8"),
        ("tictactoe", "position startpos moves a1", "O mark b2"),
    ],
)
def test_a_position_as_a_command(cli: Cli, game: str, line: str, moves: str) -> None:
    assert moves in cli.out("moves", game, "--position", line)


def test_an_illegal_move_in_a_command(cli: Cli) -> None:
    err = cli.err("moves", "shogi", "--position", "position startpos moves 7g7e", status=2)
    assert "'7g7e' is not a legal move of Black" in err


@each_case(
    ("text", "message"),
    [
        ("8/8/8/8/8/8/8/8", "expected the turn; found the end of the text"),
        ("rnbqkb1r/pp2pppp/5n2/3p4/3P4/2N2N2/PP2PPPP/R1BQKB1R", "expected the turn"),
        ("8//8/8/8/8/8/8 w", "column 3: expected 8 squares in the row, not 0"),
        ("8/" * 2100 + "8 w", "a FEN has at most 4096 characters"),
        ("saved games/at move 9.json", "cannot read saved games/at move 9.json: no such file"),
        ("saved games/old.zsg", "saved games/old.zsg"),
        ("games/saved/here", "cannot read games/saved/here: no such file"),
        ("/tmp/no such folder/here", "cannot read /tmp/no such folder/here: no such file"),
    ],
)
def test_a_wrong_position(cli: Cli, text: str, message: str) -> None:
    result = cli("moves", "chess", "--position", text)
    assert result.status != 0
    assert message.casefold() in result.err.casefold()


def test_games_as_pgn(cli: Cli, tmp_path: Path) -> None:
    path, copy, saved = (tmp_path / name for name in ("games.pgn", "copy.pgn", "saved.json"))
    path.write_text(
        '[White "Anna"]\n\n1. e4 {a centre} e5 0-1\n\n[Event "x"]\n\n1. e4 {\n\n'
        '[Event "x"]\n[Variant "tictactoe"]\n\n1. a1 b2 *\n\n[Variant "nine"]\n\n1. a1 *\n'
    )
    shown = cli("replay", path, "--save", copy)
    assert "White: Anna" in shown.out
    assert "a centre" in shown.out
    assert copy.read_text() == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "Anna"]\n[Black "?"]\n'
        '[Result "0-1"]\n\n1. e4 {a centre} 1... e5 0-1\n'
    )
    damaged = cli("replay", path, 2)
    assert (damaged.status, "games.pgn:7:7" in damaged.err) == (1, True)
    assert cli("replay", path, 3, "--brief", "--ply", 1, "--save", saved).status == 0
    assert "mark b2" in cli("moves", "--position", saved).out
    assert cli("replay", path, 4).status == cli("replay", path, 5).status == 2
    assert "no game 5" in cli("replay", path, 5).err
    assert '"White": "Anna"' in cli("replay", path, "--json").out


def test_replay_saves_comments_and_variations(cli: Cli, tmp_path: Path) -> None:
    path, copy = tmp_path / "games.pgn", tmp_path / "copy.pgn"
    path.write_text(
        "1. d4 *\n\n{a start} 1. e4 $1 (1. d4 d5 (1... f5) 2. e4 --) 1... e5 {b} (1... c5) 1-0\n"
    )
    saved = cli("replay", path, 2, "--save", copy)
    assert copy.read_text().endswith(
        "\n\n{a start} 1. e4 $1 (1. d4 d5 (1... f5) 2. e4) 1... e5 {b} (1... c5) 1-0\n"
    )
    assert "a variation of the game on line 3 is cut: " in saved.err
    assert cli("replay", path, 2, "--ply", 1, "--save", copy).status == 0
    assert copy.read_text().endswith("{a start} 1. e4 $1 (1. d4 d5 (1... f5) 2. e4) *\n")
    assert cli("replay", path, 2, "--ply", 2, "--save", copy).status == 0
    assert copy.read_text().endswith("1-0\n")


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("name", "text", "is_noted"),
    [
        ("a.sgf", "(;SZ[9]RE[B+3.5];B[ee];W[];B[])", False),
        ("a.sgf", "(;SZ[9]RE[W+3.5];B[ee];W[];B[])", True),
        ("a.sgf", "(;SZ[9]RE[0];B[ee];W[];B[])", True),
        ("a.sgf", "(;SZ[9];B[ee];W[];B[])", False),
        ("a.pgn", "1. f3 e5 2. g4 Qh4# 1-0", True),
        ("a.pgn", "1. f3 e5 2. g4 1-0", False),
    ],
)
def test_a_result_that_the_moves_do_not_lead_to(
    cli: Cli, tmp_path: Path, name: str, text: str, is_noted: bool
) -> None:
    path = tmp_path / name
    path.write_text(text)
    shown = cli("replay", path, "--brief")
    assert ("note: the record states the result" in shown.out) == is_noted
    assert "note:" not in cli("replay", path, "--ply", 1).out


def test_the_lines_of_a_comment_are_shown_as_one(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "game.kif"
    path.write_text("1 ７六歩(77)\n*in two\n*lines\n", encoding="utf-8")
    assert "in two lines" in cli("replay", path).out


def test_games_as_pdn(cli: Cli, tmp_path: Path) -> None:
    path, copy, other = (tmp_path / name for name in ("games.pdn", "copy.pdn", "games.pgn"))
    path.write_text('[GameType "21"]\n\n1. 11-15 1-5 *\n\n[GameType "25"]\n\n1. c3-d4 2-0\n')
    assert "games.pdn:3:10: `1-5` is not a move" in cli.err("convert", path, "-o", copy, status=1)
    assert copy.read_text().endswith('[GameType "25"]\n\n1. c3-d4 1-0\n')
    assert cli("convert", copy, "-o", other).status == 0
    assert '[Variant "draughts-russian"]' in other.read_text()
    assert "Black to move" in cli("replay", copy, "--brief").out
    path.write_text('[GameType "40"]\n\n1. 32-28 *\n')
    assert "unknown game in the record: Frisian draughts" in cli("replay", path).err


@pytest.mark.slow
def test_games_as_sgf(cli: Cli, tmp_path: Path) -> None:
    path, copy, other = (tmp_path / name for name in ("games.sgf", "copy.sgf", "other.pgn"))
    path.write_text(
        "(;FF[4]SZ[9]KM[6.5]PB[Anna]PW[Bob]RE[W+R];B[ee]C[a\ncentre];W[cc])\n"
        "(;SZ[9];B[ee];W[ee])\n(;GM[4];B[hh])\n(;SZ[9];B[zz])\n"
    )
    shown = cli("replay", path, "--save", copy)
    assert "Black: Anna" in shown.out
    assert "a centre" in shown.out
    assert "PB[Anna]PW[Bob]RE[W+R]\n;B[ee]C[a\ncentre];W[cc])" in copy.read_text()
    assert cli("replay", path, "--ply", 1, "--save", copy).status == 0
    assert "PB[Anna]PW[Bob]\n;B[ee]C[a\ncentre])" in copy.read_text()
    illegal = cli("replay", path, 2)
    assert (illegal.status, "games.sgf:3:16" in illegal.err) == (1, True)
    assert cli("replay", path, 3, "--brief", "--save", other).status == 0
    assert '[Variant "gomoku"]\n\n1. h8 *' in other.read_text()
    converted = cli("convert", path)
    assert converted.status == 1
    assert converted.out.count("(;FF[4]") == 2
    assert "games.sgf:5:10: `zz` is not a point" in converted.err
    (tmp_path / "chess.pgn").write_text("1. e4 *\n")
    err = cli.err("convert", tmp_path / "chess.pgn", "-o", tmp_path / "chess.sgf", status=1)
    assert "chess is not written as SGF" in err


@pytest.mark.slow
def test_a_match_as_sgf(cli: Cli, tmp_path: Path) -> None:
    results, games = tmp_path / "a.db", tmp_path / "a.sgf"
    engines = ("--engine", "A=first", "--engine", "B=random:seed=1")
    played = cli(
        "autoplay", "go-9x9", *engines, "-n", 2, "--max-plies", 10, "--quiet", "--out", results
    )
    assert played.status == 0, played.err
    assert cli("convert", results, "-o", games).status == 0
    text = games.read_text()
    assert text.count("(;FF[4]GM[1]") == 2
    assert text.count("PB[A]") == text.count("PW[A]") == 1
    assert cli("replay", games, 2, "--brief").status == 0


def test_the_settings_of_games_as_pgn(cli: Cli, tmp_path: Path) -> None:
    path, copy = tmp_path / "games.pgn", tmp_path / "copy.pgn"
    go = '[Variant "go"]\n[Settings "{}"]\n\n1. a3 a2 2. b2 Pass 3. b1 a1 *\n\n'
    path.write_text("".join(map(go.format, ("suicide=legal", "suicide=illegal", "nothing=1"))))
    assert cli("replay", path, "--save", copy).status == 0
    assert '[Settings "suicide=legal"]' in copy.read_text()
    converted = cli("convert", path)
    assert converted.status == 1
    assert converted.out.count("[Variant") == 1
    assert "line 6 is left out: " in converted.err
    assert "games.pgn:12:12: no setting `nothing`" in converted.err
    assert "no setting `nothing`" in cli("replay", path, 3).err


def test_a_variation_is_cut_before_a_null_move(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text("1. e4 (1. d4 --) 1... e5 *\n")
    converted = cli("convert", path)
    assert converted.status == 0
    assert converted.out.strip() == "1. e4 (1. d4) 1... e5 *"
    assert "a variation of the game on line 1 is cut: " in converted.err
    assert "games.pgn:1:14: `--` is not a move" in converted.err


def test_what_is_left_out_is_counted_by_reason(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(
        "1. e4 (1. e5) e5 *\n\n1. e5 *\n\n1. d5 *\n\n1. e4 -- *\n\n"
        '[Variant "Horde"]\n\n1. e4 *\n\n[Event "x"]\n\n1. e4 {open\n'
    )
    converted = cli("convert", path)
    assert converted.status == 1
    assert [re.split(" {2,}", line) for line in converted.err.splitlines()[-7:]] == [
        ["4 of 6 games left out"],
        ["reason", "left out", "number"],
        ["a move is not legal", "the game", "2"],
        ["a move is not legal", "rest of a variation of the game", "1"],
        ["the game ends before `…`, which is not a move", "rest of the game", "1"],
        ["unknown game in the record: Horde", "the game", "1"],
        ["the comment has no end", "the game", "1"],
    ]
    path.write_text("1. e4 *\n")
    assert cli("convert", path).err == ""


def test_the_game_of_records_can_be_named(cli: Cli, tmp_path: Path) -> None:
    path, copy = tmp_path / "games.pdn", tmp_path / "copy.pdn"
    path.write_text('[GameType "20"]\n[FEN "W:W21:B1"]\n\n1. 21-17 1-5 *\n')
    shown = cli("replay", path, "--brief", "--game", "draughts-russian")
    assert (shown.status, shown.err) == (0, "")
    assert "8       [  ·  ]" in shown.out  # from b8
    assert cli("convert", path, "-o", copy, "--game", "draughts-russian").status == 0
    assert '[GameType "25"]' in copy.read_text()
    assert "no game is called `chss`" in cli.err("replay", path, "--game", "chss", status=2)
    for command in ("replay", "convert"):
        for name in ("a.zsg", "a.zrf", "a.db"):
            err = cli.err(command, tmp_path / name, "--game", "chess", status=2)
            assert "--game belongs to a file of games" in err
        for name, form in (("a.ki2", "KI2"), ("a.CSA", "CSA")):
            assert f"{form} is neither read nor" in cli.err(command, tmp_path / name, status=1)
    err = cli.err("convert", path, "-o", tmp_path / "a.csa", status=1)
    assert "CSA is neither read nor written, but KIF (.kif) is" in err


def test_a_game_is_cut_before_a_null_move(cli: Cli, tmp_path: Path) -> None:
    path, copy = tmp_path / "games.pgn", tmp_path / "copy.pgn"
    path.write_text("1. e4 e5 2. -- d5 *\n")
    converted = cli("convert", path)
    assert (converted.status, converted.out.strip()) == (0, "1. e4 e5 *")
    assert "the game on line 1 is cut: " in converted.err
    assert "games.pgn:1:13: the game ends before `--`, which is not a move" in converted.err
    shown = cli("replay", path, "--brief", "--save", copy)
    assert "the game ends before `--`" in shown.out
    assert "1. e4 e5 *" in copy.read_text()
    assert "the game ends before" not in cli("replay", path, "--ply", 1).out


def test_a_setting_that_a_script_refuses_loses_no_other_game(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    refused = '[Variant "chess-960"]\n[Settings "start=960"]\n\n*\n'
    path.write_text(f'{refused}\n[Event "b"]\n\n1. e4 *\n')
    converted = cli("convert", path)
    assert converted.status == 1
    assert converted.out == '[Event "b"]\n\n1. e4 *\n'
    assert "line 1 is left out: " in converted.err
    assert "games.pgn:2:12: " in converted.err
    assert "games.pgn:2:12: " in cli("replay", path).err


def test_no_file_is_created_without_a_game(cli: Cli, tmp_path: Path) -> None:
    path, copy = tmp_path / "bad.pgn", tmp_path / "copy.pgn"
    for text, status in (("1. e5 *\n", 1), ("", 2)):
        path.write_text(text)
        assert cli("convert", path, "-o", copy).status == status
        assert not copy.exists()
    path.write_text("1. e5 *\n\n1. e4 *\n\n1. d4 *\n")
    assert cli("convert", path, "-o", copy).status == 1
    assert copy.read_text().count("*") == 2
    assert "exists; --force" in cli("convert", path, "-o", copy).err
    before = path.read_text()
    assert "is the file to convert" in cli("convert", path, "-o", path, "--force").err
    assert path.read_text() == before


@pytest.mark.parametrize("option", ["--rules", "--variant"])
def test_options_of_saved_games_for_pgn(cli: Cli, tmp_path: Path, option: str) -> None:
    path = tmp_path / "games.pgn"
    path.write_text("1. e4 *\n")
    refused = cli("replay", path, option, "x")
    assert (refused.status, f"{option} belongs to" in refused.err) == (2, True)

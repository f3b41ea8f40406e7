"""Events printed by run and replay, and internal state that they hide by default."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from forthvm.cli.position_text import print_ply
from forthvm.cli.terminal import Screen
from forthvm.game import events_of, load
from tests.kit.commands import Cli

RANDOM = ("--engine", "random", "--seed", 3)


def event_sentences(game: str, moves: list[str]) -> list[str]:
    """Returns the sentences about a game's moves, in order."""
    position = load(game, seed=3).start()
    sentences = []
    for move in moves:
        position.push(move)
        sentences += [event.text for event in events_of(position)]
    return sentences


def test_run_and_replay_print_the_same_events(cli: Cli, tmp_path: Path) -> None:
    results = tmp_path / "results.db"
    entrants = ("--engine", "random", "--engine", "first", "--opening-plies", 0)
    cli("autoplay", "breakthrough", *entrants, "--games", 1, "--jobs", 1, "--out", results)
    replayed = cli("replay", results, 1, "--brief").out
    moves = re.findall(r"^\d+\. \w+: (.+?)$", replayed, re.MULTILINE)
    sentences = event_sentences("breakthrough", moves)
    assert any("captured" in sentence for sentence in sentences)
    offset = 0
    for sentence in sentences:
        offset = replayed.index(sentence, offset) + len(sentence)


def test_captures_are_printed_below_the_move(cli: Cli) -> None:
    out = cli("run", "chess", "--auto", "--brief", "--max-plies", 40, *RANDOM).out
    lines = out.splitlines()
    captures = [at for at, line in enumerate(lines) if re.match(r"\d+\. .* x ", line)]
    assert captures
    assert all(" is captured." in lines[at + 1] for at in captures)


def test_events_of_a_persons_move_are_printed(cli: Cli) -> None:
    out = cli("run", "chess", "--side", "all", stdin="d2 d4\ne7 e5\nd4 e5\nquit\n").out
    assert re.search(r"3\. White: pawn d4 x e5\n    Black's pawn on e5 is captured\.\n", out)


def test_board_all_shows_internal_state(cli: Cli) -> None:
    out = cli("run", "chess", "--side", "all", stdin="board all\nboard\nquit\n").out
    assert out.count("CAPITALS=White") == 3
    assert out.count("white-O-O MARK") == 1


def test_dice_and_passes_are_printed(cli: Cli) -> None:
    out = cli("run", "ur", "--auto", "--brief", "--max-plies", 60, *RANDOM).out
    assert re.search(r"^    (White|Black) throws [1-4]\.", out, re.MULTILINE)
    assert re.search(r"^\d+\. (White|Black) had no other move and passed\.", out, re.MULTILINE)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("game", ["ur", "ur-finkel", "ur-script"])
def test_each_roll_is_printed(cli: Cli, game: str) -> None:
    """A roll is also printed if the die shows the same number, so that the board is unchanged."""
    out = cli("run", game, "--auto", "--brief", "--max-plies", 120, "--engine", "first").out
    lines = [line for line in out.splitlines() if re.match(r"\d+\. [WB]|  .* throws ", line)]
    turns = [at for at, line in enumerate(lines) if line[0].isdigit()]
    assert len(turns) > 1
    # In two of the games the dice are on the board at the start.
    assert [lines[at] for at in turns[1:] if " throws " not in lines[at - 1]] == []


def test_search_summary_fits_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A summary that does not fit is printed below the move, in one line."""
    monkeypatch.setenv("COLUMNS", "50")
    screen = Screen()
    screen.terminal = True
    position = load("chess").start()
    position.push("pawn e2 - e4")
    summary = "score -16, depth 6, 1,501 nodes, 0.1 s"
    print_ply(screen, position, summary)
    print_ply(screen, position, "score 4")
    assert capsys.readouterr().out.splitlines() == [
        "1. White: pawn e2 - e4",
        f"    ({summary})",
        "1. White: pawn e2 - e4  (score 4)",
    ]


def test_chance_moves_have_no_search_summary(cli: Cli) -> None:
    """A roll of dice has no score and no number of positions."""
    out = cli("run", "ur-finkel", "--side", "all", stdin="quit\n").out
    assert "?Dice: ?Dice" in out
    assert "nodes" not in out


@pytest.mark.parametrize(("options", "is_shown"), [((), False), (("--everything",), True)])
def test_option_everything_shows_internal_state(
    cli: Cli, options: tuple[str, ...], is_shown: bool
) -> None:
    assert ("white-O-O" in cli.out("show", "chess", *options)) is is_shown
    picture = cli("show", "chess", "--svg", "-", *options).out
    assert ("white-O-O" in picture) is is_shown
    played = cli("run", "splut", "--auto", "--brief", "--max-plies", 30, *RANDOM, *options).out
    assert ("broom" in played) is is_shown
    assert ("?Cleaner:" in played) is is_shown
    assert "30. " in played


def test_replay_hides_internal_state(cli: Cli, tmp_path: Path) -> None:
    results = tmp_path / "results.db"
    entrants = ("--engine", "random", "--engine", "first")
    rules = ("--games", 1, "--jobs", 1, "--max-plies", 30, "--out", results)
    cli("autoplay", "draughts", *entrants, *rules)
    assert "quiet =" not in cli("replay", results, 1, "--ply", 20).out
    everything = cli("replay", results, 1, "--ply", 20, "--everything").out
    assert "CAPITALS=" in everything


def test_declared_internal_state_is_shown(cli: Cli) -> None:
    out = cli("show", "thud-match").out
    assert "round number: 1" in out  # thud.4th declares it
    assert "last-capture" not in out

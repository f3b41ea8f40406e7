"""The commands `forthvm explain` and `forthvm why-not`."""

from __future__ import annotations

import json

import pytest

from tests.kit.commands import Cli


def test_explain_prints_the_path_of_a_legal_move(cli: Cli) -> None:
    status, out, _ = cli("explain", "tictactoe", "b2")
    assert status == 0
    assert out.splitlines()[0] == "`X mark b2` (X to move)"
    assert "code: X mark OR b2 (create)" in out


def test_explain_of_an_illegal_move_prints_why_not(cli: Cli) -> None:
    status, out, _ = cli("explain", "tictactoe", "b2", "--moves", "b2")
    assert status == 1
    assert out == cli("why-not", "tictactoe", "b2", "--moves", "b2").out
    assert "refused: b2 is occupied by X mark: `empty? verify` in `put` refuses it" in out


@pytest.mark.parametrize("command", ["explain", "why-not"])
def test_explanations_can_be_printed_as_json(cli: Cli, command: str) -> None:
    out = cli(command, "tictactoe", "b2", "--moves", "b2", "--json").out
    assert json.loads(out)["kind"] == "refused"
    out = cli(command, "tictactoe", "b2", "--json").out
    assert json.loads(out).get("kind", "explained") in ("legal", "explained")


def test_finished_game_is_reported(cli: Cli) -> None:
    moves = "a1; b1; a2; b2; a3"
    for command in ("explain", "why-not"):
        status, out, _ = cli(command, "tictactoe", "c3", "--moves", moves)
        assert status == 1
        assert "over: the game is over: " in out
        assert "#LossScore" in out


@pytest.mark.sampled(3)
@pytest.mark.parametrize("command", ["explain", "why-not"])
@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize(
    ("move", "status"), [("b2", 0), ("a1", 1), ("zz", 1), ("a", 1), ("z9 z8", 1)]
)
def test_exit_status_depends_on_legality(
    cli: Cli, command: str, move: str, status: int, *, as_json: bool
) -> None:
    """Status 0 for legal, 1 for illegal or ambiguous; 2 for a usage error."""
    options = ["--json"] if as_json else []
    assert cli(command, "tictactoe", move, "--moves", "a1", *options).status == status


def test_text_fits_a_narrow_terminal(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Text is wrapped; source lines are not, so that their carets keep their columns."""
    monkeypatch.setenv("COLUMNS", "40")
    out = cli("why-not", "chess", "rook a1 - a4").out
    assert all(len(line) <= 40 for line in out.splitlines() if " | " not in line)
    assert any(" | " in line for line in out.splitlines())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("why-not", "tictactoe"), "MOVE"),
        (("why-not", "nogame", "a1"), "nogame"),
        (("why-not", "tictactoe", "a1", "--moves", "z9"), "z9"),
        (("why_not", "tictactoe", "a1"), "did you mean 'why-not'?"),
    ],
)
def test_usage_errors_are_reported(cli: Cli, arguments: tuple[str, ...], message: str) -> None:
    status, _, err = cli(*arguments)
    assert status == 2
    assert message in err

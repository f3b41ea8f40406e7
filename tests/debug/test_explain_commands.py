"""The commands `forthvm explain` and `forthvm why-not`."""

from __future__ import annotations

import json

import pytest

from forthvm.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(list(arguments))
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_explain_prints_the_path_of_a_legal_move(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "explain", "tictactoe", "b2")
    assert status == 0
    assert out.splitlines()[0] == "`X mark b2` (X to move)"
    assert "code: X mark OR b2 (create)" in out


def test_explain_of_an_illegal_move_prints_why_not(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "explain", "tictactoe", "b2", "--moves", "b2")
    assert status == 1
    assert out == run(capsys, "why-not", "tictactoe", "b2", "--moves", "b2")[1]
    assert "refused: b2 is occupied by X mark: `empty? verify` in `put` refuses it" in out


@pytest.mark.parametrize("command", ["explain", "why-not"])
def test_explanations_can_be_printed_as_json(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    out = run(capsys, command, "tictactoe", "b2", "--moves", "b2", "--json")[1]
    assert json.loads(out)["kind"] == "refused"
    out = run(capsys, command, "tictactoe", "b2", "--json")[1]
    assert json.loads(out).get("kind", "explained") in ("legal", "explained")


def test_finished_game_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    moves = "a1; b1; a2; b2; a3"
    for command in ("explain", "why-not"):
        status, out, _ = run(capsys, command, "tictactoe", "c3", "--moves", moves)
        assert status == 1
        assert "over: the game is over: " in out
        assert "#LossScore" in out


@pytest.mark.parametrize("command", ["explain", "why-not"])
@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize(
    ("move", "status"), [("b2", 0), ("a1", 1), ("zz", 1), ("a", 1), ("z9 z8", 1)]
)
def test_exit_status_depends_on_legality(
    capsys: pytest.CaptureFixture[str], command: str, move: str, status: int, *, as_json: bool
) -> None:
    """Status 0 for legal, 1 for illegal or ambiguous; 2 for a usage error."""
    options = ["--json"] if as_json else []
    assert run(capsys, command, "tictactoe", move, "--moves", "a1", *options)[0] == status


def test_text_fits_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Text is wrapped; source lines are not, so that their carets keep their columns."""
    monkeypatch.setenv("COLUMNS", "40")
    out = run(capsys, "why-not", "chess", "rook a1 - a4")[1]
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
def test_usage_errors_are_reported(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    status, _, err = run(capsys, *arguments)
    assert status == 2
    assert message in err

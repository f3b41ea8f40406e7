"""Very long move texts and names are refused quickly by every command."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Any

import pytest

import forthvm
from forthvm.core.errors import ForthVMError, MoveSyntaxError
from forthvm.core.text.wording import close_names
from forthvm.game import Position
from forthvm.game.matching import MAX_CHARACTERS, find_move
from forthvm.game.typed_moves import match_move
from tests.kit.commands import Cli
from tests.kit.messages import raises

TEXTS = {
    "one word": "a" * 200_000,
    "squares": "a1 - b2 " * 25_000,
    "digits": "7" * 200_000,
}
LONG = "200,000 characters"


@pytest.fixture(autouse=True)
def _no_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fails if a long text is compared, since the time is quadratic in its length."""
    compare = SequenceMatcher.set_seq2

    def compare_short_text(self: SequenceMatcher[str], b: str) -> None:
        assert len(b) < MAX_CHARACTERS, "a long text is compared"
        compare(self, b)

    monkeypatch.setattr(SequenceMatcher, "set_seq2", compare_short_text)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("command", ["moves", "show", "run", "think", "analyse", "perft"])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_moves_option_refuses_long_texts(cli: Cli, command: str, text: str) -> None:
    """Every command has the option `--moves`."""
    depth = ["1"] if command == "perft" else []
    err = cli.err(command, "tictactoe", *depth, "--moves", text, status=2)
    assert len(err) < 1000
    assert "is not a move" in err


@pytest.mark.parametrize("command", ["explain", "why-not"])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_move_argument_refuses_long_texts(cli: Cli, command: str, text: str) -> None:
    """The commands with the argument MOVE are `explain` and `why-not`."""
    err = cli.err(command, "tictactoe", text, status=2)
    assert len(err) < 1000
    assert "is not a move" in err


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_play_prompt_refuses_long_texts(text: str) -> None:
    """A long text typed at the prompt gets no suggestions, nor does a number of many digits."""
    match = match_move(text, forthvm.load("tictactoe").start())
    assert match.move is None
    assert not match.suggestions
    assert len(match.problem) < 300


def test_saved_position_with_a_long_move_cannot_be_replayed() -> None:
    """`pop` replays the moves of a saved position, so it reads the long text."""
    game = forthvm.load("tictactoe")
    position = game.start()
    position.push("a1")
    saved = position.to_json().replace(position.history[-1].text, "a1 b2 " * 40_000)
    loaded = Position.from_json(game, saved)
    with pytest.raises(ForthVMError):
        loaded.pop()


def test_ugi_refuses_long_texts(cli: Cli) -> None:
    """The command `position` of UGI contains move texts."""
    words = f"position startpos moves {'a1b2' * 50_000}\nisready\nquit\n"
    result = cli("ugi", "tictactoe", stdin=words)
    assert "readyok" in result.out
    assert "is not a move" in result.out + result.err
    assert len(result.out + result.err) < 1000


def test_long_legal_text_is_a_move() -> None:
    """The limit does not apply to a text that equals the text of a legal move."""
    legal = "Man " + " x ".join(["a1"] * 5_000)
    names: dict[str, Any] = {"squares": {"a1"}, "names": {"Man"}, "player": "Red"}
    assert find_move(legal, [legal], **names) == 0
    with raises(MoveSyntaxError, "long-texts.long-legal-text-is-a-move"):
        find_move(legal + " ", ["Man a1 - a2"], **names)


@pytest.mark.slow
def test_long_names_are_refused_quickly(cli: Cli) -> None:
    """Similar names are suggested for these names, so they would be compared."""
    for line in (
        ("moves", "g" * 50_000),
        ("words", "w" * 50_000),
        ("p" * 50_000,),
        ("moves", "tictactoe", "--set", f"{'s' * 50_000}=1"),
        ("think", "tictactoe", "--engine", "e" * 50_000),
    ):
        assert cli(*line).status in {1, 2}  # 1: the name is too long for a file


def test_few_of_many_names_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of compared names is limited, however many names a script defines."""
    compared = 0
    ratio = SequenceMatcher.real_quick_ratio

    def counted(self: SequenceMatcher[str]) -> float:
        nonlocal compared
        compared += 1
        return ratio(self)

    monkeypatch.setattr(SequenceMatcher, "real_quick_ratio", counted)
    names = [f"{letter}-name-{n}" for letter in "abcdefghij" for n in range(3_000)]
    assert close_names("b-nmae-77", names, 3)
    assert compared <= 2_000

"""Profiles: counts that were computed by hand, and the output formats."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import forthvm
from forthvm.debug.profile.flame_graph import folded, speedscope
from forthvm.debug.profile.measure import Profile, WordCost, profile
from forthvm.debug.profile.text import annotated, table
from forthvm.game import Position
from forthvm.game.perft import perft
from tests.kit.boards import grid
from tests.kit.commands import Cli
from tests.kit.games import load_text

SCRIPT = grid(1, 3, players="One Two")
SCRIPT += """\
: square ( n -- n' ) DUP * ;
: work ( -- )
    10 0 DO
        I square DROP
    LOOP ;
: put ( -- ) empty? verify drop add-move ;
{moves puts {move} put moves}
{pieces {piece} man {drops} puts pieces}
"""


@pytest.fixture
def position(tmp_path: Path) -> Position:
    return load_text(tmp_path, SCRIPT, name="count.4th").start()


def call(word: str, times: int = 1) -> Callable[[Position], None]:
    def work(position: Position) -> None:
        with position._in_memory():
            for _ in range(times):
                position.game._loaded.vm.call(word)

    return work


def word_cost(measured: Profile, name: str) -> WordCost:
    (word,) = [cost for cost in measured.words if cost.word == name]
    return word


def test_counts_of_a_word(position: Position) -> None:
    list(position.legal_moves)  # generate the list before the measurement
    measured = profile(position, call("work"), "work")
    # The tokens 10, 0 and DO; ten times I, square, DROP and LOOP; the end of the definition.
    assert (word_cost(measured, "work").calls, word_cost(measured, "work").tokens) == (
        1,
        2 + 1 + 4 * 10 + 1,
    )
    # Ten times DUP, * and the end of the definition.
    assert (word_cost(measured, "square").calls, word_cost(measured, "square").tokens) == (10, 30)


def test_counts_of_source_lines(position: Position) -> None:
    measured = profile(position, call("work", times=7))
    lines = {cost.line: cost.tokens for cost in measured.lines if cost.file.endswith("count.4th")}
    # Line 6 is `10 0 DO`, 7 `I square DROP`, 8 `LOOP ;`.
    assert (lines[6], lines[7], lines[8]) == (7 * 3, 7 * 30, 7 * (10 + 1))
    shown = list(annotated(measured, next(cost.file for cost in measured.lines), SCRIPT))
    assert len(shown) == 1 + len(SCRIPT.splitlines())
    assert shown[7].split()[0] == "210"
    assert shown[7].endswith("7 |         I square DROP")


def test_a_word_run_by_execute_is_counted_once(position: Position) -> None:
    position.game._loaded.vm.interpret(": run ( 'word -- ) EXECUTE ;  : depth ['] DEPTH run DROP ;")
    measured = profile(position, call("depth", times=3))
    # `EXECUTE` and the end of the definition; `DEPTH`, which `EXECUTE` runs, is no token of `run`.
    assert (word_cost(measured, "run").calls, word_cost(measured, "run").tokens) == (3, 6)


def test_every_generation_is_counted(position: Position) -> None:
    """Perft 2 generates at the start and after each of the 3 moves, each time for 3 squares.

    Lists may be generated again, so the number of calls may be higher.
    """
    measured = profile(position, lambda root: perft(root, 2))
    calls = word_cost(measured, "put").calls
    assert calls % 3 == 0
    assert calls >= 3 * 4
    repeated = profile(position, lambda root: perft(root, 2))
    assert word_cost(repeated, "put").tokens == word_cost(measured, "put").tokens


def test_totals_include_called_words(position: Position) -> None:
    measured = profile(position, call("work", times=2000))
    work, square = word_cost(measured, "work"), word_cost(measured, "square")
    assert measured.samples > 1000
    # Each call runs 76 tokens: 44 in `work`, 30 in `square`, and two of the host's call.
    assert work.total == pytest.approx(measured.seconds * 74 / 76, rel=0.01)
    assert square.total == pytest.approx(measured.seconds * 30 / 76, rel=0.05)
    assert square.own <= square.total <= work.total


def test_profile_does_not_change_the_position(position: Position) -> None:
    before = position.copy()
    profile(position, lambda root: root.push(root.legal_moves[0]))
    assert position == before
    assert len(position.legal_moves) == 3


def test_speedscope_file_has_the_documented_format(position: Position) -> None:
    """The format is https://www.speedscope.app/file-format-schema.json."""
    measured = profile(position, call("work", times=200), "work, 200 times")
    document = json.loads(speedscope(measured))
    assert document["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames = document["shared"]["frames"]
    assert all(isinstance(frame["name"], str) for frame in frames)
    assert all(set(frame) <= {"name", "file", "line", "col"} for frame in frames)
    (sampled,) = document["profiles"]
    assert set(sampled) == {"type", "name", "unit", "startValue", "endValue", "samples", "weights"}
    assert (sampled["type"], sampled["unit"], sampled["startValue"]) == ("sampled", "seconds", 0)
    assert len(sampled["samples"]) == len(sampled["weights"]) > 1
    assert all(0 <= at < len(frames) for sample in sampled["samples"] for at in sample)
    assert sum(sampled["weights"]) == pytest.approx(measured.seconds)
    assert sampled["endValue"] == pytest.approx(measured.seconds)
    assert document["activeProfileIndex"] == 0
    stacks = [[frames[at]["name"] for at in sample] for sample in sampled["samples"]]
    assert ["running", "work", "square"] in stacks


def test_folded_stacks_have_the_tokens_of_all_samples(position: Position) -> None:
    measured = profile(position, call("work", times=200))
    lines = dict(line.rsplit(" ", 1) for line in folded(measured).splitlines())
    assert "running;work;square" in lines
    assert sum(map(int, lines.values())) == sum(chain.tokens for chain in measured.chains)
    # Samples also represent the two tokens of each call by the host; the first interval between
    # samples is 53 tokens.
    assert measured.tokens == 200 * 74
    assert sum(map(int, lines.values())) == pytest.approx(200 * 76, abs=53)


@pytest.mark.parametrize("width", [0, 60, 80])
def test_table_fits_the_width(position: Position, width: int) -> None:
    measured = profile(position, call("work", times=5), "work")
    lines = list(table(measured, max_words=1, width=width))
    assert lines[0].startswith("work: ")
    assert lines[2].split()[:3] == ["work", "5", str(5 * 44)]
    assert lines[3].startswith("and ")
    assert all(len(line) <= width for line in lines[1:]) or not width


def test_failing_script_detaches_the_trace(position: Position) -> None:
    position.game._loaded.vm.interpret(": bad ( -- ) 1 0 / ;")
    with pytest.raises(forthvm.DivisionError):
        profile(position, call("bad"))
    assert word_cost(profile(position, call("work")), "square").calls == 10


# --- the command -----------------------------------------------------------------------------


def test_command_writes_json_and_profiles(position: Position, tmp_path: Path, cli: Cli) -> None:
    script = str(position.game.path)
    flame, stacks = tmp_path / "flame.json", tmp_path / "stacks.txt"
    files = ["--speedscope", str(flame), "--folded", str(stacks)]
    document = json.loads(
        cli.out("profile", script, "--word", "work", "--times", "9", "--json", *files)
    )
    (square,) = [word for word in document["words"] if word["word"] == "square"]
    assert (square["calls"], square["tokens"]) == (90, 270)
    assert json.loads(flame.read_text(encoding="utf-8"))["exporter"] == "forthvm"
    assert "running;work" in stacks.read_text(encoding="utf-8")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--playouts", "2"],
        ["--perft", "2"],
        ["--search", "negamax:depth=1"],
        ["--generate", "--times", "2"],
        ["--generate", "--annotate"],
        ["--generate", "--annotate", "--library"],
        ["--moves", "a1", "--generate", "--top", "2"],
    ],
)
def test_every_kind_of_work_can_be_profiled(
    position: Position, options: list[str], cli: Cli
) -> None:
    printed = cli.out("profile", position.game.path, *options)
    assert "tokens" in printed
    assert "put" in printed


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--search", "negamax:time=1"], "limit it by depth= or nodes="),
        (["--search", "nobody"], "nobody"),
        (["--word", "nowhere"], "nowhere"),
        (["--perft", "0"], "an integer from 1"),
        (["--generate", "--folded", "/"], "cannot write"),
        (["--perft", "2", "--generate"], "not allowed with"),
    ],
)
def test_invalid_options_are_refused(
    position: Position, options: list[str], message: str, cli: Cli
) -> None:
    status, _, err = cli("profile", position.game.path, *options)
    assert status in (1, 2)
    assert message in err

"""`forthvm think`: rows during a search, the result, and the statistics."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from forthvm.engines import Analysis, Info
from tests.kit.commands import Cli

HEADING = "depth          score       nodes  seconds  line"
# An engine that reports its values in the order in which the engine of Splut! reports them.
ENGINE = """
: Talker ( -- )
    $FirstMove $MoveString BestMove! 0 Score! 1 Nodes! 0 Depth!
    $FirstMove $MoveString CurrentMove! 3 Nodes!
    1 Depth! 7 Score! $FirstMove $NextMove $MoveString BestMove!
    $FirstMove $NextMove $MoveString CurrentMove! 4 Nodes!
    2 Depth! -5 Score! $FirstMove $MoveString BestMove!
;
{players {player} Left {search-engine} Talker {player} Right {search-engine} Talker players}
{turn-order {turn} Left {turn} Right turn-order}
{board-setup {setup} Left man b1 {setup} Right man e1 board-setup}
"""


def rows(out: str) -> list[tuple[str, ...]]:
    """Returns the cells of each row without its time, which varies."""
    lines = out.splitlines()
    assert lines[0] == HEADING
    ends = [HEADING.index(name) + len(name) for name in ("depth", "score", "nodes")]
    starts = [0, *ends]
    return [
        (
            *(line[start:end].strip() for start, end in zip(starts, ends, strict=False)),
            line[HEADING.index("line") :].strip(),
        )
        for line in lines[1:-1]
    ]


def test_native_search_prints_a_row_per_depth(cli: Cli) -> None:
    """One depth is searched, so one row is printed; X wins by the move to a3."""
    result = cli("think", "tictactoe", "--depth", "1", "--moves", "a1; b2; a2; b3")
    assert (result.status, result.err) == (0, "")
    ((depth, score, _, line),) = rows(result.out)
    assert (depth, score, line) == ("1", "win in 1", "X mark a3")
    assert result.out.splitlines()[-1].startswith("X: X mark a3  (win in 1, depth 1, ")


def test_lines_option_prints_several_lines(cli: Cli) -> None:
    result = cli("think", "tictactoe", "--depth", "2", "--lines", "3")
    printed = rows(result.out)
    assert [row[0] for row in printed] == ["1"] * 3 + ["2"] * 3
    assert all(row[3].count("; ") == 1 for row in printed[3:])
    assert len({row[3].partition(";")[0] for row in printed[3:]}) == 3


def test_engine_in_forth_prints_changed_values(cli: Cli, script: Callable[..., Path]) -> None:
    """A row is printed when reported values change; values before the search print no row."""
    result = cli("think", script(engine=ENGINE))
    assert rows(result.out) == [
        ("1", "7", "3", "man b1 - a1"),
        ("2", "-5", "4", "man b1 - c1"),
    ]
    assert result.out.splitlines()[-1].startswith("Left: man b1 - c1  (score -5, depth 2, 4 nodes")


def test_axiom_engine_prints_rows(cli: Cli) -> None:
    printed = rows(cli("think", "breakthrough", "--engine", "axiom", "--depth", "2").out)
    assert [row[0] for row in printed] == ["1", "2"]


def test_engine_without_search_prints_only_its_move(cli: Cli) -> None:
    result = cli("think", "tictactoe", "--engine", "first")
    assert result.out == f"{HEADING}\nX: X mark a3\n"


def test_result_can_be_printed_as_json(cli: Cli) -> None:
    result = cli("think", "tictactoe", "--depth", "2", "--lines", "2", "--json")
    document = json.loads(result.out)
    assert (document["turn"], document["depth"], len(document["lines"])) == ("X", 2, 2)
    assert document["lines"][0]["moves"][0] == document["move"]


def test_ctrl_c_prints_the_best_move(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends a search that would take hours."""
    next_info = Analysis.__next__

    def interrupt_at_depth_2(self: Analysis) -> Info:
        info = next_info(self)
        if (info.depth or 0) >= 2:
            raise KeyboardInterrupt
        return info

    monkeypatch.setattr(Analysis, "__next__", interrupt_at_depth_2)
    out = cli.out("think", "breakthrough", "--depth", "90")
    assert out.splitlines()[-2].startswith("White: pawn ")


def test_evaluations_are_counted_per_root_move(cli: Cli, script: Callable[..., Path]) -> None:
    """Nodes! counts 3 for the first move and 1 for the second.

    A violation is a move that cost more than the move before it; there is none.
    """
    result = cli("think", script(engine=ENGINE), "--evaluations")
    lines = result.out.splitlines()
    assert lines[:2] == ["          3  man b1 - c1", "          1  man b1 - a1"]
    assert lines[2].startswith(
        "Left: man b1 - c1  (depth 2, 2 root moves, total 4, minimum 1, mean 2.0, maximum 3, "
        "violations 0, "
    )


def test_evaluations_of_a_game_and_output_files(
    cli: Cli, script: Callable[..., Path], tmp_path: Path
) -> None:
    """The numbers of moves are 2, 1, 1 and 2, so two of the four plies have a search."""
    files = {name: tmp_path / f"cost.{name}" for name in ("csv", "jsonl", "plot")}
    options = [word for name, path in files.items() for word in (f"--{name}", path)]
    out = cli.out("think", script(engine=ENGINE), "--evaluations", "--plies", 4, *options)
    assert [line.split()[0] for line in out.splitlines()] == ["ply", "1", "4"]
    table = list(csv.DictReader(io.StringIO(files["csv"].read_text(encoding="utf-8"))))
    assert [row["counts"] for row in table] == ["3 1", "3 1"]
    documents = files["jsonl"].read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["ply"] for line in documents] == [0, 3]
    ElementTree.parse(files["plot"])
    piped = cli("think", script(engine=ENGINE), "--evaluations", "--csv", "-").out
    assert piped.splitlines()[0].startswith("ply,player,played,")


def test_engine_can_be_set_for_one_player(cli: Cli, script: Callable[..., Path]) -> None:
    result = cli("think", script(engine=ENGINE), "--engine", "Left=axiom:depth=2")
    assert rows(result.out)[-1][0] == "2"


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--csv", "x.csv"], "--csv needs --evaluations"),
        (["--plies", "3"], "--plies needs --evaluations"),
        (["--counter-resets"], "--counter-resets needs --evaluations"),
        (["--evaluations", "--counter-resets"], "--counter-resets needs --counter"),
        (["--evaluations", "--lines", "2"], "not allowed with --evaluations"),
        (["--evaluations", "--csv", "-", "--plot", "-"], "only one of"),
        (["--evaluations", "--counter", "x"], "variables"),
        (["--evaluations", "--engine", "first"], "no depth"),
        (["--evaluations", "--csv", "no/where.csv"], "cannot write"),
        (["--engine", "nobody"], "no engine 'nobody'"),
        (["--engine", "axiom", "--lines", "2"], "no option 'lines'"),
        (["--moves", "z9"], "z9"),
        (["--time", "-1"], "expected a non-negative number of seconds"),
        (["--depth", "0"], "from 1 to"),
    ],
)
def test_wrong_usage_is_reported(cli: Cli, options: list[str], message: str) -> None:
    assert message in cli.err("think", "tictactoe", *options, status=2)


@pytest.mark.parametrize("options", [[], ["--evaluations"]])
def test_think_refuses_decided_positions(cli: Cli, options: list[str]) -> None:
    err = cli.err("think", "tictactoe", "--moves", "a1; b2; a2; b3; a3", *options, status=1)
    assert "the game is over" in err

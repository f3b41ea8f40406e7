"""Breakpoints, watchpoints, steps and profiles of rule files use the lines of the rule files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import forthvm
from forthvm import debug
from forthvm.core.errors import ForthVMError
from forthvm.debug.profile.measure import profile
from forthvm.game import Position
from tests.kit.commands import Cli
from tests.kit.games import load_text
from tests.kit.messages import raises

BREAKTHROUGH = Path(__file__).parent / "games" / "breakthrough.zrf"

WHITE_PAWNS = [f"{file}{rank}" for rank in "12" for file in "abcdefgh"]
"""The White pawns of the set-up: the blocks of the piece run once for each."""

RULES = """\
(version "2.0")
(include "steps.zrf")
(game
   (title "Steps")
   (players White Black)
   (turn-order White Black)
   (board
      (grid
         (start-rectangle 0 0 9 9)
         (dimensions ("a/b" (9 0)) ("4/3/2/1" (0 9)))
         (directions (n 0 -1))
      )
   )
   (piece
      (name man)
      (moves
         (
            (step)
            (set-flag moved true)
            (step)
            add
         )
      )
   )
   (board-setup (White (man a1)))
   (loss-condition (White Black) stalemated)
)
"""

STEPS = """\
(define step
   n
   (verify empty?)
)
"""


def line_of(text: str, part: str) -> int:
    """Return the number of the only line of a text that contains a part."""
    (number,) = [n for n, line in enumerate(text.split("\n"), start=1) if part in line]
    return number


def line_in_breakthrough(part: str) -> int:
    return line_of(BREAKTHROUGH.read_text(encoding="utf-8"), part)


@pytest.fixture
def breakthrough() -> Position:
    return forthvm.load(BREAKTHROUGH).start()


@pytest.fixture
def steps(tmp_path: Path) -> Position:
    (tmp_path / "steps.zrf").write_text(STEPS, encoding="utf-8")
    return load_text(tmp_path, RULES, name="main.zrf").start()


@pytest.fixture
def session(steps: Position) -> Iterator[debug.Session]:
    with debug.Session(debug.moves_target(steps)) as made:
        yield made


def place(state: debug.State) -> tuple[str, int]:
    """Return the file, without its folder, and the line where a run has stopped."""
    return Path(state.location.file).name, state.location.line


# --- breakpoints ----------------------------------------------------------------------


@pytest.mark.parametrize(("macro", "calls"), [("advance", 1), ("slant", 2)])
def test_breakpoint_on_a_macro_stops_in_each_block_made_from_it(
    breakthrough: Position, macro: str, calls: int
) -> None:
    line = line_in_breakthrough(f"(define {macro} ")
    stops: Counter[str] = Counter()
    with debug.Session(debug.moves_target(breakthrough)) as session:
        point = session.add_breakpoint(f"breakthrough.zrf:{line}")
        assert point.where.endswith(f"breakthrough.zrf:{line}")
        while not session.continue_().ended:
            assert place(session.state) == ("breakthrough.zrf", line)
            stops[session.state.generation_state.origin] += 1
    assert stops == dict.fromkeys(WHITE_PAWNS, calls)


@pytest.mark.parametrize("name", ["{}", "breakthrough:{}", "Breakthrough.ZRF:{}"])
def test_names_of_the_rule_file(breakthrough: Position, name: str) -> None:
    line = line_in_breakthrough("(define advance ")
    with debug.Session(debug.moves_target(breakthrough)) as session:
        point = session.add_breakpoint(name.format(line))
        assert point.where.endswith(f"breakthrough.zrf:{line}")


def test_line_without_code_leads_to_the_next_line_with_code(breakthrough: Position) -> None:
    line = line_in_breakthrough("(define slant ")
    with debug.Session(debug.moves_target(breakthrough)) as session:
        assert session.add_breakpoint(f"breakthrough.zrf:{line - 1}").where.endswith(f":{line}")


def test_line_after_the_end_of_the_rule_file(breakthrough: Position) -> None:
    lines = BREAKTHROUGH.read_text(encoding="utf-8").count("\n") + 1
    with (
        debug.Session(debug.moves_target(breakthrough)) as session,
        raises(ForthVMError, "debugging.lines-of-the-file", lines=lines),
    ):
        session.add_breakpoint("breakthrough.zrf:1000")


def test_breakpoint_in_an_included_file(session: debug.Session) -> None:
    line = line_of(STEPS, "(verify empty?)")
    session.add_breakpoint(f"steps.zrf:{line}")
    squares = []
    while not session.continue_().ended:
        assert place(session.state) == ("steps.zrf", line)
        squares.append(session.state.generation_state.here)
    assert squares == ["a2", "a3"]  # the man on a1 makes two steps


def test_debug_command_lists_the_rule_file(cli: Cli) -> None:
    line = line_in_breakthrough("(define advance ")
    commands = [f"break breakthrough.zrf:{line}", "continue", "list 0", "quit"]
    out = cli.out("debug", BREAKTHROUGH, stdin="\n".join(commands))
    assert f"breakthrough.zrf:{line}:" in out
    assert "| (define advance (ahead (verify empty?) add))" in out


# --- steps ----------------------------------------------------------------------------

BLOCK = ("(step)", "(set-flag moved true)", "(step)", "add")
"""The instructions of the block, one on each line."""

STEP = ("n", "(verify empty?)")
"""The instructions of the macro `step`, one on each line."""


def source_line(state: debug.State) -> str:
    return state.location.text.strip()


def test_steps_by_line_enter_macros(session: debug.Session) -> None:
    lines = []
    while not session.step(unit="line").ended:
        lines.append(source_line(session.state))
    # The block clears the flag at its first line.
    assert lines == ["(", "(step)", *STEP, BLOCK[1], "(step)", *STEP, "add"]


def test_steps_over_macros(session: debug.Session) -> None:
    lines = [source_line(session.step(unit="line"))]
    while not session.over(unit="line").ended:
        lines.append(source_line(session.state))
    assert lines == ["(", *BLOCK]


def test_out_of_a_macro(session: debug.Session) -> None:
    session.add_breakpoint("steps.zrf:3")
    assert place(session.continue_()) == ("steps.zrf", 3)
    assert source_line(session.out()) == BLOCK[1]


def test_steps_back_by_line(session: debug.Session) -> None:
    line = line_of(RULES, "   add")
    session.add_breakpoint(f"main.zrf:{line}")
    session.continue_()
    lines = [source_line(session.back(unit="line")) for _ in range(7)]
    assert lines == [*reversed(STEP), "(step)", BLOCK[1], *reversed(STEP), "(step)"]


def test_steps_enter_the_library_on_request(steps: Position) -> None:
    with debug.Session(debug.moves_target(steps), library=True) as session:
        files = set()
        while not session.step(unit="line").ended:
            files.add(place(session.state)[0])
    assert {"main.zrf", "steps.zrf", "zrf-moves.4th"} <= files


# --- watchpoints ----------------------------------------------------------------------


def test_watchpoint_shows_the_line_of_the_change(session: debug.Session) -> None:
    session.add_watch("moved")
    changed_at = session.continue_().changed_at
    assert changed_at.line == line_of(RULES, "(set-flag moved true)")


# --- profiles -------------------------------------------------------------------------


def test_profile_has_the_lines_of_the_rule_files(steps: Position) -> None:
    def generate(position: Position) -> None:
        with position._in_memory() as native:
            native.game_generate()

    measured = profile(steps, generate)
    costs = {(Path(cost.file).name, cost.line): cost for cost in measured.lines if not cost.library}
    block = ("(step)", "(set-flag moved true)", "(verify empty?)", "add")
    main_lines = RULES.split("\n")
    expected = {("main.zrf", n) for n, line in enumerate(main_lines, 1) if line.strip() in block}
    expected |= {("steps.zrf", line_of(STEPS, part)) for part in ("   n", "(verify empty?)")}
    start_of_block = ("main.zrf", line_of(RULES, "(moves") + 1)  # clears the flag
    assert costs.keys() == expected | {start_of_block}
    for cost in costs.values():
        assert cost.source.strip() in (*block, "n", "(")


def test_profile_command_marks_lines_of_the_rule_file_that_never_ran(
    cli: Cli, tmp_path: Path
) -> None:
    path = tmp_path / "main.zrf"
    (tmp_path / "steps.zrf").write_text(STEPS)
    # The man on a4 has no square in front: the block ends in the first step.
    path.write_text(RULES.replace("man a1", "man a4"))
    counts = {
        row.partition("|")[2].strip(): row.partition("|")[0].split()[:-1]
        for row in cli.out("profile", path, "--generate", "--annotate").split("\n")
        if "|" in row
    }
    assert counts["n"]
    assert counts["n"] != ["0"]
    assert counts["(verify empty?)"] == counts["(set-flag moved true)"] == counts["add"] == ["0"]
    assert counts["(name man)"] == counts['(title "Steps")'] == []


def test_explain_shows_the_code_of_a_move_without_its_text(cli: Cli) -> None:
    path = BREAKTHROUGH.with_name("reversi.zrf")
    out = cli.out("explain", path, "Black disc e6 flip e5")
    # A disc is dropped and one is flipped; the drop takes a disc from store 0, that of Black.
    assert "code: Black disc OR e6 (create) Black disc OR e5 (create) 0 z-take\n" in out
    assert "reversi.zrf:" in out
    assert "zrf-moves.4th" not in out  # the path within the library does not concern its reader


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("OnIsGameOver", "(win-condition (White Black) (absolute-config pawn (far-row)))"),
        ("OnNextTurn", "(turn-order White Black)"),
        ("OnEvaluate", "(piece"),
    ],
)
def test_hooks_begin_at_the_forms_from_which_they_were_made(
    breakthrough: Position, word: str, form: str
) -> None:
    with debug.Session(
        debug.word_target(breakthrough.game._loaded.vm, word, position=breakthrough)
    ) as made:
        assert place(made.state) == ("breakthrough.zrf", line_in_breakthrough(form))


@pytest.mark.slow
def test_why_not_accepts_names_in_another_letter_case(cli: Cli, tmp_path: Path) -> None:
    block = RULES[
        RULES.index("(step)\n") : RULES.index("         )\n      )\n   )\n   (board-setup")
    ]
    rules = RULES.replace(block, "n (while empty? add n) add")
    path = tmp_path / "main.zrf"
    (tmp_path / "steps.zrf").write_text(STEPS)
    path.write_text(rules.replace("(man a1)", "(man a1 a3)"))
    outputs = []
    for text in ("man a1 - a4", "Man A1 - A4"):
        outputs.append(cli.out("why-not", path, text, status=1).partition("\n")[2])
    assert outputs[0] == outputs[1]
    # The slide goes on while squares are empty; there is a man on a3.
    assert "while finds FALSE on a3" in " ".join(outputs[0].split())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ("Pawn e2 - e4;Pawn e7 - e5;Pawn d2 - d4;Bishop f8 - b4", "Knight g1 - f3"),
        ("Pawn f2 - f4;Pawn e7 - e5;Pawn e2 - e3;Queen d8 - h4", "King e1 - f2 @ f2 0 0"),
    ],
)
def test_why_not_names_an_attack_on_a_royal_piece(moves: str, text: str) -> None:
    position = forthvm.load(BREAKTHROUGH.with_name("chess.zrf")).start()
    for move in moves.split(";"):
        position.push(next(m for m in position.legal_moves if m.text.startswith(move)))
    answer = forthvm.why_not(position, text)
    assert answer.kind == "refused"
    assert answer.summary == (
        f"after `{text}` a piece that must not be lost is attacked (`checkmated`)"
    )


def test_profile_command_annotates_the_rule_file(cli: Cli) -> None:
    out = cli.out("profile", BREAKTHROUGH, "--generate", "--annotate")
    rows = [line for line in out.split("\n") if "| (define" in line]
    assert len(rows) == 2
    assert all(row.split()[1].endswith("%") for row in rows)  # tokens, then the share of the time
    assert "(compiled)" not in out

"""Control characters and excessive output of untrusted scripts do not reach the terminal."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from forthvm.core.text.visible import visible, visible_json, visible_lines, visible_styled
from tests.cli.conftest import Script
from tests.kit.cases import each_case
from tests.kit.commands import Cli
from tests.kit.processes import output_of, run
from tests.systems import ODD_CHARACTERS

ESC = "\x1b]0;owned\x07"
CONTROL_CHARACTERS = [chr(code) for code in range(0x20) if chr(code) not in "\n\t"]
CONTROL_CHARACTERS += [chr(code) for code in (0x7F, *range(0x80, 0xA0), *range(0x2028, 0x202F))]
CONTROL_CHARACTERS += [chr(code) for code in range(0x2066, 0x206A)]


def parts_with_piece(piece: str) -> dict[str, str]:
    """Returns the parts of the small game that contain the name of its piece."""
    return {
        "pieces": f"{{pieces {{piece}} {piece} {{moves}} man-moves pieces}}",
        "setup": (
            f"{{board-setup {{setup}} Left {piece} a1 {{setup}} Right {piece} e1 board-setup}}"
        ),
    }


def is_harmless(text: str) -> bool:
    return not any(char in text for char in CONTROL_CHARACTERS)


@each_case("char", CONTROL_CHARACTERS)
def test_every_control_character_becomes_an_escape(char: str) -> None:
    for convert in (visible, visible_lines):
        assert is_harmless(convert(f"a{char}b"))
    if char >= " ":  # a JSON document has no other control characters
        assert json.loads(visible_json(f'"a{char}b"')) == f"a{char}b"


def test_line_breaks_are_kept_in_lines_only() -> None:
    assert visible_lines("a\tb\n") == "a\tb\n"
    assert visible("a\tb\n") == "a\\tb\\n"


def test_printable_text_is_unchanged() -> None:
    text = "café — 棋 ♞ 👨‍👩‍👧"
    assert visible(text) == visible_lines(text) == visible_styled(text) == text


def test_styled_text_keeps_colours_only() -> None:
    assert visible_styled("\x1b[1;31mred\x1b[0m\r\x1b[K") == "\x1b[1;31mred\x1b[0m\r\x1b[K"
    for code in ("\x1b[2J", "\x1b[8;1H", "\x1b]0;t\x07", "\x1bc", "\x9b1m"):
        assert "\x1b" not in visible_styled(code)
        assert "\x9b" not in visible_styled(code)


@pytest.mark.parametrize("command", ["moves", "show", "check", "explain", "run", "perft"])
def test_script_output_and_names_are_escaped(cli: Cli, script: Script, command: str) -> None:
    path = script(
        **parts_with_piece("M\x1b[31m\u202e"),
        hello=f'." {ESC}" CR 27 EMIT 155 EMIT',
    )
    options = {"perft": [1, "--divide"], "run": ["--auto", "--max-plies", 3], "explain": [1]}.get(
        command, []
    )
    result = cli(command, path, *options)
    assert result.status in (0, 1)
    assert is_harmless(result.out + result.err)


def test_source_lines_and_file_names_are_escaped(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / f"bad{ODD_CHARACTERS}.4th"
    path.write_text(f"( {ESC} \u202e ) no-such-word\x1b[31m", encoding="utf-8")
    err = cli.err("moves", path, status=1)
    assert is_harmless(err)
    assert "\\x1b]0;owned\\x07" in err
    line, caret = err.splitlines()[1:3]
    assert caret.index("^") == line.index("no-such-word")


def test_json_is_valid_and_free_of_control_characters(cli: Cli, script: Script) -> None:
    path = script(**parts_with_piece("M\x9b\x7f\u202e"))
    out = cli.out("moves", path, "--json")
    assert is_harmless(out)
    assert any("\u202e" in move for move in json.loads(out)["moves"])


def test_output_argument_gets_the_original_text() -> None:
    from forthvm import VM

    printed: list[str] = []
    VM(library="core", output=printed.append).interpret("27 EMIT")
    assert "".join(printed) == "\x1b"


def test_standard_output_of_the_api_is_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    from forthvm import VM

    VM(library="core").interpret("27 EMIT")
    assert capsys.readouterr().out == "\\x1b"


def test_script_output_has_a_limit(cli: Cli, script: Script) -> None:
    path = script(hello=': flood BEGIN ." 0123456789" CR 0 UNTIL ; flood')
    err = cli.err("moves", path, "--max-output", 5000, status=1)
    assert "more than 5000 bytes" in err
    assert "--max-output" in err
    assert len(err) < 10_000


def test_the_default_output_limit_is_a_mebibyte(cli: Cli, script: Script) -> None:
    path = script(hello=': flood BEGIN ." 0123456789" CR 0 UNTIL ; flood')
    assert "more than 1048576 bytes" in cli.err("moves", path, status=1)


def test_output_limit_applies_to_each_line_at_the_prompt(cli: Cli) -> None:

    lines = ': line 50 0 DO ." x" LOOP CR ;\n' + "stack\nline\n" * 5
    assert cli.out("repl", "--max-output", 100, stdin=lines).count("x") == 250


def test_api_has_no_output_limit_by_default() -> None:
    from forthvm import VM, Budget
    from forthvm.core.errors import OutputLimitExceeded

    printed: list[str] = []
    vm = VM(library="core", output=printed.append, budget=Budget(output=10))
    with pytest.raises(OutputLimitExceeded):
        vm.interpret('." 0123456789abc"')
    assert "".join(printed) == "0123456789"
    vm.restart_output()
    vm.interpret('." fine"')
    assert "".join(printed) == "0123456789fine"
    assert Budget().output is None


# --- errors instead of tracebacks -------------------------------------------------------


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "line",
    [
        "-5 $players !",
        "-5 $pieces !",
        "2147483647 $posNames !",
        "-4 $board !",
        "-4 $boardSize !",
        "2147483647 $boardSize !",
        "4 $boardSize !",
        "-1 $repeatOffset !",
        "-1 $turnLimit !",
        "7 $turnNumber !",
        "-1 $playerCount !",
        "1000000 $pieceCount !",
        "-5 $turnOrder !",
        "-5 $directions !",
        "-5 $boardSetup !",
        "-1 $boardSetup @ !",
        "1000000 $rows ! 1000000 $columns !",
    ],
)
@pytest.mark.parametrize("command", ["moves", "show", "explain"])
def test_overwritten_tables_give_no_internal_error(
    cli: Cli, script: Script, line: str, command: str
) -> None:
    result = cli(command, script(end=line), *(["man a1 - b1"] if command == "explain" else []))
    assert result.status in (0, 1)
    assert "internal error" not in result.err


@pytest.mark.sampled(5)
@pytest.mark.parametrize("word", ["d5", "a1", "e", "man-moves", "Left", "store"])
@pytest.mark.parametrize("command", ["moves", "show", "check", "run"])
def test_invalid_move_word_gives_no_internal_error(
    cli: Cli, script: Script, word: str, command: str
) -> None:
    path = script(pieces=f"{{pieces {{piece}} man {{move}} {word} pieces}}")
    result = cli(command, path, *(["--auto", "--max-plies", 2] if command == "run" else []))
    assert result.status in (0, 1)
    assert "internal error" not in result.err
    assert result.status == 0 or result.err + result.out


def test_an_unexpected_error_is_one_line(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    from forthvm.cli.commands import moves

    def fail(_args: object) -> int:
        raise ZeroDivisionError("a\x1b[31m\nb")

    monkeypatch.setattr(moves, "run", fail)
    err = cli.err("moves", "tictactoe", status=1)
    assert err.count("\n") == 1
    assert "internal error: ZeroDivisionError: a\\x1b[31m\\nb" in err
    assert "FORTHVM_TRACEBACK=1" in err
    monkeypatch.setenv("FORTHVM_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        cli("moves", "tictactoe")


@pytest.mark.skipif(sys.platform != "linux", reason="ulimit -v")
@pytest.mark.parametrize(("kilobytes", "status"), [(400_000, 0), (100_000, 1)])
def test_little_memory_is_enough_or_reported(kilobytes: int, status: int) -> None:
    command = f"ulimit -v {kilobytes}; exec {sys.executable} -m forthvm moves tictactoe"
    result = run("sh", "-c", command)
    if "Shadow memory" in result.stderr:  # a sanitizer reserves terabytes of address space
        pytest.skip("a sanitizer needs more address space")
    assert "Traceback" not in result.stderr
    assert result.returncode == status, result.stderr
    assert status == 0 or "not enough memory" in result.stderr


@pytest.mark.sampled(2)
@pytest.mark.parametrize("environment", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}])
def test_ascii_terminal_replaces_other_characters(
    script: Script, environment: dict[str, str]
) -> None:
    path = script(**parts_with_piece("Mé♞"))
    for options in ([], ["--json"]):
        command = (sys.executable, "-X", "utf8=0", "-m", "forthvm", "moves", path, *options)
        printed = output_of(*command, **environment)
        if options:
            assert json.loads(printed)["moves"]


# --- other outputs ----------------------------------------------------------------------


def test_error_text_is_escaped_and_fields_are_not() -> None:
    from forthvm import VM
    from forthvm.core.errors import UndefinedWord

    with pytest.raises(UndefinedWord) as caught:
        VM(library="core").interpret("x\x1b[31m")
    assert "\x1b" not in str(caught.value)
    assert "\x1b" not in caught.value.report()
    assert caught.value.detail == "x\x1b[31m"


def test_a_newline_cannot_fake_a_line_of_the_ugi_protocol(script: Script) -> None:
    from forthvm.engines.protocols.uci.server import DialectServer
    from forthvm.game import load

    lines: list[str] = []
    server = DialectServer(load(script()), lines.append, "random")
    server._send("info string a\nbestmove \x1b[2J")
    assert lines == ["info string a\\nbestmove \\x1b[2J"]


def test_pictures_use_escaped_names(script: Script) -> None:
    from xml.etree import ElementTree

    from forthvm import render
    from forthvm.game import load
    from forthvm.render.draw_text import TextStyle

    position = load(script(**parts_with_piece("M\x1b[8m\x07"))).start()
    assert is_harmless(render.text(position))
    assert is_harmless(render.svg(position, title="t\x1b\x00"))
    ElementTree.fromstring(render.svg(position, title="t\x1b\x00"))
    coloured = render.text(position, TextStyle(colour=True))
    assert "\x1b[8m" not in coloured


def test_report_page_has_no_control_characters() -> None:
    from forthvm.autoplay.report.blocks import Heading, html_of
    from forthvm.web.report.messages import report_message

    heading = Heading("t\x1b\u202e\x9b\x07")
    assert is_harmless(html_of([heading]))
    assert is_harmless(json.dumps(report_message([heading], finished=True)))


def test_a_coloured_screen_passes_its_own_colours_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from forthvm.cli.streams import visible_streams
    from forthvm.cli.terminal import Screen

    with visible_streams():
        screen = Screen()
        screen.colour = True
        screen.print_styled(screen.bold("a\x1b[8m") + screen.dim("b\x1b]0;t\x07"))
        screen.print("\x1b[8m")
    out = capsys.readouterr().out
    assert out == "\x1b[1ma\\x1b[8m\x1b[0m\x1b[2mb\\x1b]0;t\\x07\x1b[0m\n\\x1b[8m\n"


def test_script_output_at_a_coloured_prompt_is_escaped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from forthvm import VM
    from forthvm.cli.commands.repl import ReplScreen
    from forthvm.repl import Session, Shell

    screen = ReplScreen()
    screen.terminal = screen.colour = True
    shell = Shell(Session(VM(library="core")), screen, load_game=lambda _name: None)  # type: ignore[arg-type,return-value]
    shell.run('27 EMIT ." [8m"')
    assert capsys.readouterr().out == "\\x1b[8m\n"


def test_unpaired_surrogate_is_escaped_in_json() -> None:
    from forthvm.core.text.visible import visible_json

    assert visible_json('"\ud800"').encode() == b'"\\ud800"'

"""`forthvm repl --std 2012`: standard Forth at the prompt and in pipes."""

from __future__ import annotations

from pathlib import Path

from tests.kit.commands import Cli


def test_files(cli: Cli, tmp_path: Path) -> None:
    lines = [
        'S" a.fth" W/O CREATE-FILE THROW S" 1 2 + ." 2 PICK WRITE-LINE THROW CLOSE-FILE THROW',
        "INCLUDE a.fth",
        'S" ../b.fth" W/O CREATE-FILE . DROP',
    ]
    result = cli("repl", "--std", "2012", "--files", tmp_path, stdin="\n".join(lines))
    assert (result.status, result.out.split(), result.err) == (0, ["3", "-63"], "")
    assert (tmp_path / "a.fth").read_text(encoding="utf-8") == "1 2 + .\n"


def test_without_a_folder_for_files_a_message_names_the_option(cli: Cli) -> None:
    result = cli("repl", "--std", "2012", stdin='S" a" R/O OPEN-FILE . S" a" DELETE-FILE . DROP')
    assert (result.status, result.out.split()) == (0, ["-69", "-64"])
    assert result.err.count("--files DIR") == 1


def test_files_are_for_standard_forth(cli: Cli, tmp_path: Path) -> None:
    assert "--std" in cli.err("repl", "--files", tmp_path, status=2)


def test_a_file_is_included_before_the_input(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "part.fth").write_text(": twice 2 * ;\n", encoding="utf-8")
    program = tmp_path / "program.fth"
    program.write_text("INCLUDE part.fth\nPAD 9 ACCEPT twice .\n", encoding="utf-8")
    result = cli("repl", "--std", "2012", program, stdin="typed\n4 twice .\n")
    assert (result.status, result.out.split(), result.err) == (0, ["10", "8"], "")
    program.write_text("1 .\nBYE\n2 .\n", encoding="utf-8")
    result = cli("repl", "--std", "2012", program)
    assert (result.status, result.out.split()) == (0, ["1"])
    program.write_text("1 .\nno-word\n", encoding="utf-8")
    result = cli("repl", "--std", "2012", program)
    assert (result.status, result.out.split()) == (1, ["1"])
    assert "program.fth:2:1: unknown word" in result.err


def test_accept_reads_the_next_line_of_a_pipe(cli: Cli) -> None:
    result = cli("repl", "--std", "2012", stdin="PAD 9 ACCEPT .\n1 0 /\n1 .\nwrong")
    assert (result.status, result.out.split()) == (1, ["5", "1"])
    assert "<stdin>:4:1: unknown word `wrong`" in result.err

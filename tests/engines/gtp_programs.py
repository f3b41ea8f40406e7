"""A GTP program that answers `genmove` with its arguments, one after the other.

The first argument is a mode, which selects a fault; `good` selects none.  A mode that begins with
`log ` names a file, to which the received lines are written.  The program must not import forthvm.
It is run with `python -I -S`, which starts fast.
"""

from __future__ import annotations

import sys
import time

COMMANDS = (
    "name version list_commands boardsize komi clear_board play genmove time_settings time_left"
)


OUTPUTS = {"babbles": "I think\n\n=42  d4\n\nso there\n", "repeats": "= d4\n" * 200_000}


def answer(text: str, sign: str = "=") -> None:
    sys.stdout.write(f"{sign} {text}\n\n")
    sys.stdout.flush()


def main(mode: str, *moves: str) -> None:
    """Execute commands until `quit`."""
    answers = iter(moves)
    for line in iter(sys.stdin.readline, ""):
        if mode.startswith("log "):
            with open(mode[4:], "a", encoding="utf-8") as log:  # noqa: PTH123 - starts faster
                log.write(line)
        command = line.split()[0]
        if command == "quit":
            return
        if command == "genmove":
            generate(mode, next(answers))
        elif line.startswith(mode.removeprefix("refuses ")):
            answer("not today", "?")
        elif command == "list_commands":
            answer(COMMANDS.replace(" ", "\n"))
        else:
            answer({"name": "Sample", "version": "1.0"}.get(command, ""))


def generate(mode: str, move: str) -> None:
    """Answer `genmove`, or execute the fault that the mode selects."""
    match mode:
        case "dies":
            sys.exit(3)
        case "hangs":
            time.sleep(600)
        case "floods":
            while True:
                sys.stdout.write("thinking\n")
        case "NUL":
            answer("D\0")
        case "long":
            sys.stdout.write("=" * (1 << 21))
        case "unended":
            sys.stdout.write("= D4")
            sys.stdout.flush()
            sys.exit(0)
        case "refuses":
            answer("no move", "?")
        case "babbles" | "repeats":
            sys.stdout.write(OUTPUTS[mode])
            sys.stdout.flush()
        case _:
            answer(move)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""A UCI or USI program for the first move of a game, with a fault that its argument selects.

It must not import forthvm.  It is run with `python -I -S`, which starts fast.
"""

from __future__ import annotations

import sys
import time


def send(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(mode: str) -> None:
    """Execute commands; the answer to `go` depends on the mode."""
    for line in iter(sys.stdin.readline, ""):
        match line.split()[0] if line.split() else "":
            case "uci" | "usi" as protocol:
                send("id name Sample\noption name Ponder type check default false")
                send(f"{protocol}ok")
            case "isready":
                send("readyok")
            case "go":
                send(f"info string {line.strip()}")
                send("info depth 2 score mate 3 nodes 40 pv e2e4 e7e5")
                go(mode)
            case "quit":
                return


def go(mode: str) -> None:
    """Answer `go`, or execute the fault that the mode selects."""
    match mode:
        case "dies":
            sys.exit(3)
        case "hangs":
            time.sleep(600)
        case "floods":
            while True:
                send("all work and no play")
        case _:
            send(f"bestmove {mode}")


if __name__ == "__main__":
    main(sys.argv[1])

"""A program that speaks a protocol of engines, with a fault that its argument `mode` selects.

Over UGI it plays tic-tac-toe; over other protocols it makes the first of two moves.  The mode
`good` selects no fault, and the mode `log` writes the received lines to a file; `log-seconds` does
so over UCCI without the option that selects milliseconds.
It must not import forthvm.  It is run with `python -I -S`, which starts fast.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import NoReturn

SQUARES = [f"{column}{row}" for row in "321" for column in "abc"]
OTHER_MOVES = ["e7e5", "a7a6"]
UGI_HANDSHAKE = """id name Sample 1.0
id author nobody
option name Hash type spin default 16 min 1 max 64
option name Style type combo default calm var calm var wild
option name Move Overhead type spin default 0 min 0 max 100
option name Ponder type check default false
option name Clear type button
option name Book type string default <empty>
ugiok"""
UCI_HANDSHAKE = """id name Sample 1.0
option name Hash type spin default 16 min 1 max 64
{}ok"""
UCCI_HANDSHAKE = """id name Sample 1.0
option Hash type spin min 1 max 64 default 16
option usemillisec type check default false
option newgame type button
ucciok"""
XBOARD_HANDSHAKE = """feature myname="Sample 1.0" ping=1 setboard=1 usermove=1 analyze=0 done=0
feature smp=1 option="Hash -spin 16 1 64" option="Style -combo calm /// *wild"
feature option="Resign -check 0" option="Save -save" done=1"""


def send(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def write_error(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def die(signal_number: int = 9) -> NoReturn:
    """End this process by a signal, by default SIGKILL, which has no name on Windows."""
    os.kill(os.getpid(), signal_number)
    raise SystemExit(1)


def hang() -> NoReturn:
    """Ignore all signals except SIGKILL."""
    for number in {signal.SIGTERM, signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGINT)}:
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(60)


def main(protocol: str, mode: str, argument: str = "") -> None:
    """Execute commands until the fault selected by `mode` occurs."""
    begin(mode, argument)
    moves = SQUARES if protocol == "ugi" else OTHER_MOVES
    for line in iter(sys.stdin.readline, ""):
        if argument and mode in {"log", "log-seconds"}:
            with open(argument, "a", encoding="utf-8") as log:  # noqa: PTH123 - starts faster
                log.write(line)
        words = line.split()
        match words[0] if words else "":
            case "ugi" | "uci" | "usi" | "ucci" | "protover":
                shake_hands(protocol, mode)
            case "isready":
                send("readyok")
            case "ping":
                send(f"pong {words[1]}")
            case "position" if protocol == "ugi":
                moves = [square for square in SQUARES if not any(square in word for word in words)]
            case "query":
                send("response true")
            case "go":
                go(protocol, mode, argument, moves)
            case "quit":
                return


def begin(mode: str, argument: str) -> None:
    """Execute the faults that occur before the first command."""
    match mode:
        case "dies-at-once":
            write_error("no licence")
            sys.exit(3)
        case "leaves-children":
            wait = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(1000)"]
            child = subprocess.Popen(wait)  # noqa: S603, RUF100
            with open(argument, "a", encoding="utf-8") as log:  # noqa: PTH123
                log.write(f"{child.pid}\n")


def shake_hands(protocol: str, mode: str) -> None:
    """Answer the command that selects the protocol, or execute the faults that occur at it."""
    match mode:
        case "dies-in-handshake":
            send("id name Sample")
            write_error("out of luck")
            die(signal.SIGSEGV)
        case "closes-output":
            os.close(1)
            hang()
        case "silent":
            return
        case "boasts":
            send("feature x=1\n" * 2000)
        case "babbles":
            send("MySearch v3.14 ready, type help\nwarming up\n# protover 2")
        case "log-seconds":
            send("id name Sample 1.0\nucciok")
            return
        case "late-result":
            send("feature done=1")
            return
    handshakes = {"ugi": UGI_HANDSHAKE, "ucci": UCCI_HANDSHAKE, "xboard": XBOARD_HANDSHAKE}
    send(handshakes.get(protocol, UCI_HANDSHAKE).format(protocol))


def go(protocol: str, mode: str, argument: str, moves: list[str]) -> None:
    """Make the first move, or execute the faults that occur at `go`."""
    thinking, answer = "info depth 2 score cp 15 nodes 40 time 3 pv", "bestmove"
    if protocol == "xboard":
        thinking, answer = "2 15 3 40", "move"
    thinking += f" {moves[0]} {moves[-1]}"
    answer += f" {moves[0]}"
    send(thinking)
    match mode:
        case "dies" | "leaves-children" | "exits" | "half-a-line" | "hangs":
            end(mode, answer)
        case "binary" | "long-line" | "floods" | "chatters":
            send_invalid_output(mode, thinking)
        case "says":
            send(argument.replace("\\n", "\n"))
            return
        case "late-result":
            send("1/2-1/2 {the last game}")
        case "waits":
            wait_for("?" if protocol == "xboard" else "stop")
        case "noisy":
            write_error("x" * 1_000_000)  # more than the capacity of a pipe
        case "then-dies":
            send(answer)
            sys.exit(5)
        case "then-floods":
            send(answer)
            send_invalid_output("floods", thinking)
    send(answer if protocol == "xboard" else f"{answer} ponder {moves[-1]}")


def end(mode: str, answer: str) -> NoReturn:
    match mode:
        case "exits":
            sys.exit(0)
        case "half-a-line":
            sys.stdout.write(answer)
            sys.stdout.flush()
            die()
        case "hangs":
            hang()
    write_error("assertion failed: alpha < beta")
    die(signal.SIGABRT)


def send_invalid_output(mode: str, thinking: str) -> NoReturn:
    match mode:
        case "binary":
            sys.stdout.buffer.write(b"\x00\xff\x01\n")
            sys.stdout.flush()
        case "long-line":
            sys.stdout.write("info string " + "x" * (3 << 20))
            sys.stdout.flush()
        case "floods":
            while True:
                send("all work and no play\n" * 1000)
                time.sleep(0.01)
        case "chatters":
            while True:
                send(thinking)
                time.sleep(0.001)
    hang()


def wait_for(command: str) -> None:
    while sys.stdin.readline().strip() != command:
        pass


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Failures of programs in each protocol: what is reported, and that nothing else changes."""

from __future__ import annotations

import signal

import pytest

from forthvm.engines import EngineError, Limits, choose_move
from forthvm.engines.protocols import (
    ProgramError,
    UcciEngine,
    UciEngine,
    UgiEngine,
    UsiEngine,
    XboardEngine,
)
from forthvm.system.command_line import join_words
from tests.engines.programs import command
from tests.kit.games import loaded, play
from tests.systems import KILLED, closes_own_pipes, ended_by

pytestmark = pytest.mark.usefixtures("plain_programs")
LONG = 600.0
"""A limit in seconds that no test reaches: a test that ends detected the event without it."""
PROTOCOLS = {
    "ugi": (UgiEngine, "tictactoe", "b2"),
    "uci": (UciEngine, "chess", "e4"),
    "usi": (UsiEngine, "shogi", "Pc4"),
    "ucci": (UcciEngine, "xiangqi", "e5"),
    "xboard": (XboardEngine, "chess", "e4"),
}
"""The class of each protocol, and a game with a first move."""
HELLO = {protocol: protocol for protocol in PROTOCOLS} | {"xboard": "protover 2"}
GO = dict.fromkeys(PROTOCOLS, "go depth 4") | {"xboard": "go"}
STOP = dict.fromkeys(PROTOCOLS, "stop") | {"xboard": "?"}
ANSWER = dict.fromkeys(PROTOCOLS, "bestmove") | {"xboard": "move"}

FAILURES = [
    ("dies-at-once", "", "ended with status 3 after '{hello}'; its last words: no licence"),
    (
        "dies-in-handshake",
        "",
        f"{ended_by(signal.SIGSEGV)} after '{{hello}}'; its last words: out of luck",
    ),
    ("silent", "", "did not answer '(ugiok|uciok|usiok|ucciok|feature)' within 0.2 s"),
    (
        "dies",
        "",
        f"{ended_by(signal.SIGABRT)} after '{{go}}'; its last words: assertion failed: alpha",
    ),
    ("exits", "", "ended with status 0 after '{go}'"),
    ("half-a-line", "", KILLED),
    ("hangs", "", "hangs: no answer after [0-9.]+ s although it was asked to stop"),
    ("binary", "", "wrote a line with a NUL byte"),
    ("long-line", "", "wrote a line of more than 1,048,576 bytes"),
    ("floods", "", "wrote 1,000 lines that are not {title}"),
    ("chatters", "", "hangs: no answer"),
    ("says", "{answer} d44", "answered ply 1 with an illegal move: 'd44' is not a legal move of"),
]
SPECIAL = [
    ("ugi", "waits", "", "did not keep to depth=4: it moved at [0-9.]+ s, and only after 'stop'"),
    ("uci", "waits", "", "did not keep to depth=4: it moved at [0-9.]+ s, and only after 'stop'"),
    ("xboard", "waits", "", "did not keep to depth=4: it moved at [0-9.]+ s, and only after '.'"),
    ("ugi", "says", "bestmove", "answered without a move"),
    (
        "ugi",
        "says",
        "bestmove X_mark_b2",
        "answered ply 1 with an illegal move: 'X_mark_b2' is not a legal",
    ),
    ("ugi", "says", "bestmove b2", "illegal move: 'b2' is"),
    ("ugi", "says", "bestmove O", "illegal move: 'O' is not a legal move"),
    ("ugi", "says", "info string no book\\nbestmove 0000", r"illegal move: '0000' is.*\(no book\)"),
    ("ugi", "says", "readyok", "hangs: no answer"),
    ("uci", "says", "bestmove e2e4", "illegal move: 'e2e4' is not a legal move of Black"),
    ("usi", "says", "bestmove win", "declared that it has won after 'go depth 4'"),
    ("ucci", "says", "nobestmove", "found no move after 'go depth 4'"),
    (
        "ucci",
        "says",
        "info message no book\\nbestmove a0a0",
        r"illegal move: 'a0a0' is.*\(no book\)",
    ),
    ("xboard", "boasts", "", "sent 1,000 features or other lines without 'feature done=1'"),
    ("xboard", "says", "tellics resign\\noffer draw", "hangs: no answer"),
    ("xboard", "says", "1/2-1/2 {Draw}", "ended the game without a move: '1/2-1/2 {Draw}'"),
    ("xboard", "says", "Illegal move: e2e4", "refused a move or position: 'Illegal move: e2e4'"),
    (
        "xboard",
        "says",
        "Error (unknown command): usermove e2e4",
        "refused a move or position: 'Error .unknown command.: usermove e2e4'",
    ),
    (
        "xboard",
        "says",
        "telluser no book\\nmove a9a9",
        r"illegal move: 'a9a9' is.*\(no book\)",
    ),
]


def cases_of(protocol: str) -> list[tuple[str, ...]]:
    """Return protocol, mode, argument and message of each failure that all protocols share."""
    words = {
        "hello": HELLO[protocol],
        "go": GO[protocol],
        "answer": ANSWER[protocol],
        "title": protocol.upper(),
    }
    return [(protocol, *(text.format(**words) for text in case)) for case in FAILURES]


CLOSED_OUTPUT = [
    pytest.param(
        protocol,
        "closes-output",
        "",
        f"closed its standard output after '{HELLO[protocol]}'",
        marks=closes_own_pipes,
    )
    for protocol in PROTOCOLS
]
CASES = [case for protocol in PROTOCOLS for case in cases_of(protocol)]


@pytest.mark.sampled(42)
@pytest.mark.parametrize(
    ("protocol", "mode", "argument", "message"), [*CASES, *CLOSED_OUTPUT, *SPECIAL]
)
def test_every_program_failure_is_reported(
    protocol: str, mode: str, argument: str, message: str
) -> None:
    startup = {"startup": 0.2} if mode == "silent" else {}
    # The wait is short only for programs that hang; others may run on a busy machine.
    is_late = "hangs" in message or mode == "waits"
    times = {"patience": 0.2, "grace": 0.3} if is_late else {"patience": LONG}
    kind, game, opening = PROTOCOLS[protocol]
    argv = command(mode, argument, protocol=protocol)
    engine = kind(cmd=argv, **times, **startup)
    start = play(loaded(game).start(), opening)
    before = start.copy()
    with pytest.raises(ProgramError, match=message) as caught:
        choose_move(engine, start, Limits(depth=4))
    error = caught.value
    assert isinstance(error, EngineError)
    report = error.report()
    assert join_words(argv)[:150] in report
    assert "sent last:" in report
    assert "received last:" in report
    assert "standard error:" in report
    last_lines = {STOP[protocol]} if is_late else {HELLO[protocol], GO[protocol], "rejected x"}
    assert error.sent[-1] in last_lines
    assert error.returncode is not None
    assert all(len(line) < 300 and line.isprintable() for line in report.splitlines())
    assert engine.pid is None
    assert start == before
    start.push(start.legal_moves[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("protocol", "line", "suggested"),
    [
        ("xboard", "info depth 3 score cp 15", "uci"),
        ("uci", "Error (unknown command): uci", "xboard"),
        ("ucci", "? unknown command", "gtp"),
        ("ucci", "info depth 3 score -4", ""),
    ],
)
def test_another_protocol_is_suggested(protocol: str, line: str, suggested: str) -> None:
    engine_class, game, _ = PROTOCOLS[protocol]
    engine = engine_class(cmd=command("says", line, protocol=protocol), grace=0.2)
    with pytest.raises(ProgramError) as caught:
        choose_move(engine, loaded(game).start(), Limits(time=0.01, depth=1))
    hints = [hint for hint in caught.value.hints if "seems to speak" in hint]
    use = f"{suggested}:{caught.value.program}"
    expected = f"the program seems to speak another protocol: use {use}"
    assert hints == ([expected] if suggested else [])

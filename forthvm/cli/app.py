"""Runs a subcommand and turns its result or error into an exit status.

Owns the list of subcommands, the top-level help and the handling of all errors.  Only the module of
the subcommand that runs is imported.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from forthvm.cli.parser import command_module, parser_of
from forthvm.cli.status import FAILED, INTERRUPTED, OK, USAGE, UsageError
from forthvm.cli.streams import silence_stdout, visible_streams
from forthvm.core.failure import NotBuiltError
from forthvm.core.text.advice import for_command_line
from forthvm.core.text.visible import visible
from forthvm.system.files import failure_reason

__all__ = ["COMMANDS", "main"]

TRACEBACK = "FORTHVM_TRACEBACK"
"""The environment variable that makes unexpected errors end the process with a traceback."""

COMMANDS = {
    "run": "play a game against an engine, or let engines play (--auto)",
    "board": "play in the browser",
    "export": "write a game as a single HTML file that is played without a server",
    "playground": "write a page on which games are written and played in the browser",
    "show": "draw a position, as text or as an SVG picture",
    "moves": "list the legal moves of a position",
    "explain": "explain how a move is generated: its word, the path through it, its code",
    "why-not": "explain why a move is not legal: which `verify` refused it",
    "perft": "count move sequences",
    "think": "analyse a position with an engine and measure its work",
    "train": "learn an evaluation of positions by self-play, for all engines",
    "analyse": "measure a game: length, branching, fairness; solve small games",
    "debug": "step through a script, forward and backward",
    "profile": "profile a script per word and source line",
    "games": "list the available games",
    "library": "list and search the games in your folders and zip archives",
    "levels": "list the levels of a game, or measure them",
    "words": "show the glossary: what each word does",
    "autoplay": "play matches and tournaments and record every game",
    "report": "report on a match: figures, plots, an HTML page",
    "openings": "show which moves recorded games played, and their results",
    "replay": "replay a recorded game move by move; also saved games of Zillions (.zsg)",
    "repl": "interpret ForthScript line by line",
    "ugi": "run an engine for another program, over UGI",
    "gtp": "run an engine for a Go program with a board, over GTP",
    "uci": "run an engine for a chess program with a board, over UCI",
    "usi": "run an engine for a shogi program with a board, over USI",
    "ucci": "run an engine for a xiangqi program with a board, over UCCI",
    "xboard": "run an engine for XBoard, over CECP",
    "lsp": "serve an editor, over the Language Server Protocol",
    "dap": "debug in an editor, over the Debug Adapter Protocol",
    "new": "make the folder of a new game, with tests",
    "check": "check scripts without playing them",
    "watch": "check games again when their files are saved",
    "test": "run the tests beside games",
    "fmt": "format scripts: indentation, and blanks at the ends of lines",
    "convert": "write a rule file (.zrf) as a ForthScript game",
    "completion": "print a completion script for bash, zsh or fish",
}

HELP = """\
usage: forthvm COMMAND ...
       forthvm              open the library of games

Runs board games: scripts in ForthScript for the Axiom engine (.4th), and rule files
of Zillions of Games (.zrf).

commands:
{commands}

forthvm COMMAND --help describes each command.  Examples:
  forthvm games
  forthvm run tictactoe
  forthvm run splut-duel --auto --engine South=axiom:depth=2 --engine North=random
  forthvm moves path/to/game.4th --moves "Pawn a2 - a3"
  forthvm games path/to/game.zrf
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command line and returns its exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    with visible_streams(), for_command_line():
        return _run_and_flush(arguments)


def _run_and_flush(arguments: list[str]) -> int:
    """Runs a command line; errors of the output and Ctrl-C become exit statuses."""
    try:
        return _run(arguments)
    except BrokenPipeError:
        # The reader of the pipe has exited.  Python's flush at exit would report the error again.
        silence_stdout()
        return OK
    except KeyboardInterrupt as stop:
        # If a script was interrupted, the exception has a note with the source position.
        notes = getattr(stop, "__notes__", ["interrupted"])
        print("", *notes[:1], sep="\n", file=sys.stderr)
        return INTERRUPTED
    except NotBuiltError as error:
        _complain(str(error))
        return FAILED
    except OSError as error:  # for instance a full disk
        silence_stdout()
        subject = error.filename or "cannot write the output"
        _complain(f"{subject}: {failure_reason(error)}" if error.strerror else str(error))
        return FAILED


def _run(arguments: list[str]) -> int:
    """Runs a command line; errors of usage and of scripts become exit statuses."""
    try:
        status = _dispatch(arguments)
        sys.stdout.flush()
        return status
    except SystemExit as stop:  # argparse: help and wrong usage
        sys.stdout.flush()
        return stop.code if isinstance(stop.code, int) else USAGE
    except UsageError as error:
        _complain(str(error))
        return USAGE
    except (BrokenPipeError, KeyboardInterrupt, NotBuiltError):
        raise
    except Exception as error:
        return _report(error)


def _dispatch(arguments: list[str]) -> int:
    if not arguments:
        if not _is_terminal():
            print(_help(), file=sys.stderr, end="")
            return USAGE
        print("forthvm --help lists the commands.")
        arguments = ["board"] if _has_browser() else ["library"]
    name, options = arguments[0], arguments[1:]
    if name in {"-h", "--help", "help"}:
        if name == "help" and options:
            return _dispatch([options[0], "--help"])
        print(_help(), end="")
        return OK
    if name in {"-V", "--version"}:
        from forthvm._version import __version__

        print(f"forthvm {__version__}")
        return OK
    if name not in COMMANDS:
        raise UsageError(_unknown_command(name))
    status: int = command_module(name).run(parser_of(name).parse_args(options))
    return status


def _is_terminal() -> bool:
    """Returns whether a person started the command at a terminal."""
    return all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout))


def _has_browser() -> bool:
    """Returns whether the library can be opened in the user's browser, not only be listed."""
    from importlib.util import find_spec
    from webbrowser import Error, get

    from forthvm.system.console import has_screen

    try:
        get()
    except Error:
        return False
    return has_screen() and find_spec("uvicorn") is not None


def _help() -> str:
    from forthvm.cli.terminal import columns
    from forthvm.core.text.tables import table

    rows = [(f"  {name}", line) for name, line in COMMANDS.items()]
    return HELP.format(commands="\n".join(table(rows, columns())))


def _unknown_command(name: str) -> str:
    """Returns the error message for an unknown command."""
    from forthvm.core.text.wording import close_names

    if not name.startswith("-") and ("." in name or "/" in name or "\\" in name):
        return f"no command {name!r}; to play that file: forthvm run {name}"
    similar = close_names(name, COMMANDS)
    if similar:
        return f"no command {name!r}; did you mean {similar[0]!r}?"
    return f"no command {name!r} (commands: {', '.join(COMMANDS)})"


# --- errors -----------------------------------------------------------------------------


def _report(error: Exception) -> int:
    """Prints an error and returns its exit status."""
    from forthvm.core import errors

    if isinstance(error, errors.Interrupted):
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    if not isinstance(error, errors.ForthVMError):
        return _report_internal_error(error)
    if _is_usage_error(error):
        _complain(_with_hints(error))
        return USAGE
    from forthvm.cli.terminal import error_columns

    print(error.report(error_columns()), file=sys.stderr)
    return FAILED


def _report_internal_error(error: Exception) -> int:
    """Prints one line for an exception that neither the user nor a script caused.

    Raises the exception again if it is an OSError, or if a traceback is requested.
    """
    if isinstance(error, OSError) or os.environ.get(TRACEBACK):
        raise error
    if isinstance(error, MemoryError):
        _complain("not enough memory")
        return FAILED
    description = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    _complain(
        f"internal error: {visible(description)}; please report it "
        f"(set {TRACEBACK}=1 to see where it happened)"
    )
    return FAILED


def _is_usage_error(error: Exception) -> bool:
    """Whether the command line caused the error; False if a script or a saved position did."""
    from forthvm.core import errors
    from forthvm.engines.errors import EngineOptionError, UnknownEngineError

    usage_errors = (
        errors.SettingError,
        errors.UnknownGameError,
        errors.MoveError,
        errors.PositionDigestError,
        EngineOptionError,
        UnknownEngineError,
    )
    if isinstance(error, usage_errors):
        return True
    # An error of LOAD has a location; an error about a file on the command line has none.
    file_errors = (errors.ScriptFileNotFound, errors.ScriptIsDirectory)
    return isinstance(error, file_errors) and error.location is None


def _with_hints(error: Exception) -> str:
    text = str(error)
    hints: Sequence[str] = getattr(error, "hints", ())
    return "\n".join([text, *(f"  {hint}" for hint in hints if hint not in text)])


def _complain(text: str) -> None:
    print(f"forthvm: {text}", file=sys.stderr)

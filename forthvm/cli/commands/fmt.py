"""`forthvm fmt`: formats scripts.

Owns the reading and writing of files; forthvm.syntax owns the format.
"""

from __future__ import annotations

import argparse
import codecs
import difflib
import errno
import sys
from pathlib import Path

from forthvm.cli.options import Option
from forthvm.cli.status import FAILED, OK, UsageError
from forthvm.core.text.visible import visible_lines
from forthvm.core.text.wording import counted
from forthvm.system.files import failure_reason, replace_file

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Formats scripts: indents the lines of definitions and sections, removes blanks at the ends of lines,
and ends the file with a line end.  Only blanks between tokens change.  The unit of indentation is
the one that the file uses most, by default a tab.  Lines outside of definitions and sections keep
their indentation.  In rule files of Zillions (.zrf) only blanks at the ends of lines are removed.

Exit status: 0; 1 if --check finds a file that is not formatted, or a file cannot be formatted."""
EPILOG = """\
examples:
  forthvm fmt game.4th
  forthvm fmt --diff game.4th
  forthvm fmt --check scripts
  forthvm fmt - < game.4th"""

STANDARD_INPUT = Path("-")

OPTIONS = (
    Option("FILE [FILE ...]", Path,
        help="a script, a rule file (.zrf), or a folder of them; -: a script from the standard "
        "input, which is printed"),
    Option("--check", help="only report the files that are not formatted"),
    Option("--diff", help="only print the changes"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Formats the files."""
    from forthvm.core.errors import ForthVMError

    if STANDARD_INPUT in args.files:
        if len(args.files) > 1:
            raise UsageError("- cannot be combined with files")
        return _format_input(check=args.check, diff=args.diff)
    changed = failed = 0
    for path in _files(args.files):
        try:
            changed += _format_file(path, check=args.check, diff=args.diff)
        except BrokenPipeError:  # of the standard output, which forthvm.cli.app handles
            raise
        except (ForthVMError, OSError) as error:
            failed += 1
            message = f"forthvm: {path}: {failure_reason(error)}"
            print(visible_lines(message), file=sys.stderr)
    if args.check and changed:
        print(f"{counted(changed, 'file')} not formatted")
    return FAILED if failed or (args.check and changed) else OK


def _files(paths: list[Path]) -> list[Path]:
    from forthvm.check.files_to_check import scripts_in

    files = [file for path in paths for file in (scripts_in(path) if path.is_dir() else [path])]
    return list(dict.fromkeys(files))


def _formatted(data: bytes, path: Path) -> bytes:
    """Returns formatted contents; the encoding does not matter, since only blanks change.

    Raises:
        ForthVMError: The contents are not a text.
    """
    from forthvm.check.files_to_check import is_rule_file
    from forthvm.core.errors import ForthVMError
    from forthvm.syntax import format_source

    if b"\0" in data:
        raise ForthVMError("it is not a text, or it is encoded in UTF-16: save it as UTF-8")
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    text = data.removeprefix(mark).decode("latin-1")
    return mark + format_source(text, rules=is_rule_file(path)).encode("latin-1")


def _format_file(path: Path, *, check: bool, diff: bool) -> bool:
    """Formats a file; returns whether it was not formatted before."""
    from forthvm.core.loading.files import read_file
    from forthvm.core.loading.source import MAX_SCRIPT_BYTES

    data = read_file(path, MAX_SCRIPT_BYTES + 1)
    if len(data) > MAX_SCRIPT_BYTES:
        raise OSError(f"it is larger than {MAX_SCRIPT_BYTES:,} bytes")
    formatted = _formatted(data, path)
    if formatted == data:
        return False
    if diff:
        _print_diff(data, formatted, str(path))
    elif not check:
        _replace(path, formatted)
    if not diff:
        print(f"{'not formatted' if check else 'formatted'}: {visible_lines(str(path))}")
    return True


def _format_input(*, check: bool, diff: bool) -> int:
    from forthvm.core.errors import ForthVMError

    data = sys.stdin.buffer.read()
    try:
        formatted = _formatted(data, STANDARD_INPUT)
    except ForthVMError as error:
        print(f"forthvm: standard input: {error}", file=sys.stderr)
        return FAILED
    if diff:
        _print_diff(data, formatted, "-")
    elif not check:
        sys.stdout.flush()
        sys.stdout.buffer.write(formatted)
    return FAILED if check and formatted != data else OK


def _print_diff(before: bytes, after: bytes, name: str) -> None:
    # Not splitlines: a line end that is added at the end of the text is a difference.
    old, new = (data.decode("utf-8", "replace").split("\n") for data in (before, after))
    for line in difflib.unified_diff(old, new, name, name, lineterm=""):
        print(visible_lines(line))


def _replace(path: Path, data: bytes) -> None:
    """Writes a file so that it is complete at any time; links remain links."""
    target = path.resolve()
    mode = target.stat().st_mode & 0o7777
    if not mode & 0o222:
        raise PermissionError(errno.EACCES, "it is read-only", str(path))
    replace_file(target, data, mode=mode, sync=True)

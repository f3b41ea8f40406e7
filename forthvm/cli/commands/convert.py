"""`forthvm convert`: writes the ForthScript that a rule file (.zrf) compiles to.

Owns the choice of the output.  Delegates the compilation of rules to forthvm.zrf.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from forthvm.cli import shared_options
from forthvm.cli.status import OK, UsageError
from forthvm.system.files import failure_reason

__all__ = ["DESCRIPTION", "EPILOG", "configure", "run"]

DESCRIPTION = """\
Writes a rule file of Zillions of Games as a ForthScript game that plays identically.  The script
needs only the library, so authors can go on with the game in ForthScript.
"""
EPILOG = """\
examples:
  forthvm convert mygame.zrf
  forthvm convert mygame.zrf --variant "Small board" -o small.4th
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a rule file (.zrf)")
    parser.add_argument(
        "--variant", metavar="T", help="title of a variant, or its number from 0 (default: FILE's)"
    )
    shared_options.add_setting_option(parser)
    shared_options.add_include_option(parser)
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="write FILE (default: standard output)"
    )
    parser.add_argument("--force", action="store_true", help="overwrite an existing FILE")


def run(args: argparse.Namespace) -> int:
    """Converts a rule file."""
    from forthvm.zrf.loading import compile_file

    variant = shared_options.variant_of(args.variant)
    compiled = compile_file(args.file, variant, dict(args.set), include=args.include)
    script = compiled.script
    if script is None:
        raise UsageError(f"the rules are ForthScript already: {compiled.plugin_script}")
    if args.output is None:
        sys.stdout.write(script.text.decode())
        return OK
    try:
        with args.output.open("wb" if args.force else "xb") as output:
            output.write(script.text)
    except FileExistsError:
        raise UsageError(f"{args.output} exists; --force overwrites it") from None
    except OSError as error:
        raise UsageError(f"cannot write {args.output}: {failure_reason(error)}") from error
    return OK

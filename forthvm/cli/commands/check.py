"""`forthvm check`: static analysis of scripts.

Owns the options, the output and the exit status; the package forthvm.check does the analysis.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli.files import path_or_bundled
from forthvm.cli.loading import budget_of
from forthvm.cli.options import AXIOM_LIB, AXIOM_VERSIONS, INCLUDE, LIMITS, Option, integer
from forthvm.cli.status import FAILED, OK, UsageError
from forthvm.cli.terminal import StatusLine, print_json
from forthvm.core.text.visible import visible_lines
from forthvm.core.text.wording import counted
from forthvm.system.command_line import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.check import Finding, Report
    from forthvm.cli.terminal import Screen

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Checks scripts without playing them: compares stack effects with their comments, and finds unknown
and unused names, mistakes in sections, moves that are never added, and pitfalls of the dialect.
Code outside of definitions runs, as when a script is loaded.  Of rule files of Zillions (.zrf), all
games and variants are checked.

The comment `\\ check: ignore W201` suppresses findings on its line or, if it is alone on its line,
on the next line; `\\ check: ignore-file W501` suppresses them in the whole file.

Exit status: 0; 1 if there are errors or, with --strict, warnings."""
EPILOG = """\
examples:
  forthvm check game.4th
  forthvm check scripts --strict
  forthvm check game.4th --select W2 --info
  forthvm check --explain W203
  forthvm check game.4th --json
  forthvm check game.zrf"""

_COLOURS = {"error": "31", "warning": "33", "info": "36"}

OPTIONS = (
    Option("[FILE ...]", Path,
        help="a script, a rule file (.zrf), a folder of them, or the name of a bundled game"),
    Option("--select CODES", repeatable=True,
        help="report only codes that begin with one of CODES, such as W201,W3"),
    Option("--ignore CODES", repeatable=True,
        help="do not report codes that begin with one of CODES, such as I,W501"),
    Option("--info", help="also report informational findings (I...)"),
    Option("--strict", help="exit with 1 on warnings, too"),
    Option("--brief", help="print one line for each finding, without the source"),
    Option("--json", help="print the findings as JSON"),
    Option("--effects", help="print the stack effect of every definition"),
    Option("--explain CODE", help="explain a code with an example; `all`: list all codes"),
    Option("--axiom", choices=AXIOM_VERSIONS,
        help="library version (default 150, or that of --axiom-lib)"),
    AXIOM_LIB,
    INCLUDE,
    *LIMITS,
    Option("--max-steps N", integer(1), help="limit of steps for loading a script"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Checks the files and prints the findings."""
    if args.explain is not None:
        return _explain(args.explain)
    if not args.files:
        raise UsageError("FILE is missing: forthvm check FILE ... (--explain all lists the codes)")
    from forthvm.check import check_files
    from forthvm.check.loading import STEPS

    select, ignore = _codes(args.select), _codes(args.ignore)
    if not args.info and not any(code.startswith("I") for code in select):
        ignore = [*ignore, "I"]
    with StatusLine() as progress:
        report = check_files(
            [path_or_bundled(path) for path in args.files],
            select=select,
            ignore=ignore,
            library=args.axiom_lib or "axiom",
            include=args.include,
            axiom=args.axiom,
            steps=args.max_steps or STEPS,
            limits=budget_of(args),
            progress=progress,
        )
    if args.json:
        _print_json(report)
    elif args.effects:
        _print_effects(report)
    else:
        _print(report, brief=args.brief)
        _explain_parts(args.files, report)
    failed = report.count("error") or (args.strict and report.count("warning"))
    return FAILED if failed else OK


def _codes(options: Sequence[str]) -> list[str]:
    """Returns the codes, or beginnings of codes, in the values of --select or --ignore."""
    from forthvm.check import CODES

    codes = [code.strip().upper() for value in options for code in value.split(",") if code.strip()]
    for code in codes:
        if not any(known.startswith(code) for known in CODES):
            raise UsageError(f"no code begins with {code!r} (forthvm check --explain all)")
    return codes


# --- printing ----------------------------------------------------------------------------------


def _print(report: Report, *, brief: bool) -> None:
    from forthvm.cli.terminal import Screen

    screen = Screen()
    for finding in report.findings:
        text = str(finding) if brief else finding.report()
        screen.print_styled(_coloured(screen, finding, visible_lines(text)))
    print(report.summary)


def _explain_parts(paths: Sequence[Path], report: Report) -> None:
    """Names the scripts that load a checked script, which may define its unknown names."""
    from forthvm.check.files_to_check import scripts_that_load

    if not any(finding.code == "E101" for finding in report.findings):
        return
    checked = {path.resolve() for path in paths}
    for path in paths:
        loaders = scripts_that_load(path) if path.suffix.lower() == ".4th" else []
        if loaders and checked.isdisjoint(loader.resolve() for loader in loaders):
            print(f"{path.name} is loaded by {loaders[0].name}, which may define its names:")
            print(f"  forthvm check {quoted(str(path.parent / loaders[0].name))}")
            return


def _coloured(screen: Screen, finding: Finding, text: str) -> str:
    if not screen.colour:
        return text
    label = f"{finding.severity} {finding.code}"
    return text.replace(label, f"\x1b[{_COLOURS[finding.severity]}m{label}\x1b[0m", 1)


def _print_json(report: Report) -> None:
    print_json(
        {
            "findings": [finding.as_dict() for finding in report.findings],
            "files": list(report.files),
            "library": list(report.library_copies),
            "errors": report.count("error"),
            "warnings": report.count("warning"),
            "notes": report.count("info"),
            "statistics": vars(report.statistics),
        }
    )


def _print_effects(report: Report) -> None:
    from forthvm.cli.terminal import Screen
    from forthvm.core.text.tables import table

    rows = [(f"{word.name}  {word.effect}", word.note) for word in report.effects]
    print("\n".join(table(rows, Screen().width)))
    counts = report.statistics
    print(
        f"{counted(counts.definitions, 'definition')}: {counts.exact} exact, "
        f"{counts.assumed} derived from comments, {counts.several} with several effects, "
        f"{counts.unknown} unknown"
    )


def _explain(code: str) -> int:
    from forthvm.check import CODES

    code = code.upper()
    if code == "ALL":
        for info in CODES.values():
            print(f"{info.code}  {info.title}")
        return OK
    code_info = CODES.get(code)
    if code_info is None:
        raise UsageError(f"no code {code!r} (forthvm check --explain all)")
    print(f"{code_info.code}, {code_info.severity}: {code_info.title}")
    print(
        f"\n{code_info.why}\n\nreported in:\n{_indented(code_info.bad)}"
        f"\nnot reported in:\n{_indented(code_info.good)}"
    )
    return OK


def _indented(script: str) -> str:
    return "\n".join(f"  {line}" for line in script.splitlines())

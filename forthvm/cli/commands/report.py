"""`forthvm report`: reports the results of a match.

Owns the options and the output files; the autoplay package computes the statistics and pages.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli import serving
from forthvm.cli.files import output_file
from forthvm.cli.options import PAGE, TRUST, Option, integer
from forthvm.cli.status import OK, UsageError
from forthvm.cli.terminal import columns, print_json

if TYPE_CHECKING:
    from forthvm.autoplay.results.store import Store

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Reports on the games of a match: standings with intervals, ratings, seats, lengths and speed.  The
match may still be running.

--counts reports on a match that was played elsewhere.

--serve opens a page in the browser that follows the match, with all of its games on a board.  Only
this computer can reach the page, and only with the key in its address."""
EPILOG = """\
examples:
  forthvm report results.db
  forthvm report results.db --serve
  forthvm report results.db --html report.html --csv games.csv
  forthvm report results.db --json | jq .standings
  forthvm report --counts 120 60 90 --sprt elo0=0 elo1=5
"""
_DEFAULT_BOARDS = 200

OPTIONS = (
    Option("[FILE]", Path, help="a results file of forthvm autoplay; not needed with --counts"),
    Option("--counts N [N ...]", integer(0),
        help="in place of a file, the games that the first of two opponents won, drew and lost; "
        "or its pairs of games with exchanged seats and 0, 1/2, 1, 3/2 and 2 points"),
    Option("--sprt NAME=X [NAME=X ...]",
        help="with --counts: the hypotheses of a sequential test: elo0=0 elo1=10 [alpha= beta=]"),
    Option("--html FILE", Path,
        help="write a page with plots and games to FILE (-: standard output)"),
    Option("--csv FILE", Path, help="write a line for each game to FILE (-: standard output)"),
    Option("--serve", help="open a page that follows the match in the browser"),
    *PAGE,
    TRUST,
    Option("--json", one_of="formats", help="print the results as JSON"),
    Option("--article", one_of="formats", help="print the format of the original AutoPlay"),
    Option("--boards N", integer(0), _DEFAULT_BOARDS,
        help=f"maximum number of games with boards on the page (default {_DEFAULT_BOARDS})"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Prints and writes the reports."""
    from forthvm.autoplay import Store

    if args.counts is not None:
        return _report_counts(args)
    if args.file is None:
        raise UsageError("the file of results is missing (or --counts)")
    if args.sprt is not None:
        raise UsageError("--sprt needs --counts; for a match, it is an option of forthvm autoplay")
    if args.serve:
        return _serve(args)
    to_stdout = [path for path in (args.html, args.csv) if path is not None and str(path) == "-"]
    if len(to_stdout) + args.json + args.article > 1:
        raise UsageError("only one of --html -, --csv -, --json and --article is possible")
    with Store.open(args.file) as store:
        if args.csv is not None:
            _write_csv(store, args.csv)
        if args.html is not None:
            _write_html(store, args.html, args.boards, trust=args.trust)
        if not to_stdout:
            _print(store, args)
    return OK


def _report_counts(args: argparse.Namespace) -> int:
    from forthvm.autoplay.report.counts_text import counts_lines
    from forthvm.autoplay.statistics.sprt import SprtSettings

    if args.file or args.html or args.csv or args.json or args.article or args.serve:
        raise UsageError("--counts prints a report: leave the file and other formats out")
    try:
        sprt = None if args.sprt is None else SprtSettings.parse(args.sprt)
        lines = counts_lines(args.counts, sprt, width=columns())
    except ValueError as error:
        raise UsageError(str(error)) from error
    print("\n".join(lines))
    return OK


def _serve(args: argparse.Namespace) -> int:
    from forthvm.autoplay import Store

    if args.html or args.csv or args.json or args.article:
        raise UsageError("--serve shows a page: leave --html, --csv, --json and --article out")
    with serving.needed_packages():
        from forthvm.web.report.server import ReportServer
    Store.open(args.file).close()  # so that an error appears here, not in the page
    serving.show_page(ReportServer(args.file, trust=args.trust), args, "report")
    return OK


def _print(store: Store, args: argparse.Namespace) -> None:
    from forthvm.autoplay.statistics.summary import summarise_store

    summary = summarise_store(store.match(), store.games())
    if args.json:
        from forthvm.autoplay.results.export import document

        print_json(document(summary))
        return
    from forthvm.autoplay.report.summary_text import article_lines, tables

    print("\n".join(article_lines(summary) if args.article else tables(summary, columns())))


def _write_csv(store: Store, path: Path) -> None:
    from forthvm.autoplay.results.export import write_csv

    with output_file(path) as file:
        count = write_csv(file, store.games())
    _note_written(path, f"{count:,} games")


def _write_html(store: Store, path: Path, boards: int, *, trust: bool) -> None:
    from forthvm.web.report.static_page import html_report

    text = html_report(store, games=boards, trust=trust)
    with output_file(path) as file:
        file.write(text)
    _note_written(path, f"{max(1, len(text) // 1000):,} kB")


def _note_written(path: Path, size: str) -> None:
    """Notes a written file on standard error, since standard output may be JSON."""
    if str(path) != "-":
        print(f"{path}: {size}", file=sys.stderr)

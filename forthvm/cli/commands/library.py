"""`forthvm library`: lists and searches the games in the folders of the user.

Owns the options and the output; forthvm/library finds and describes the files.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli.options import Option, folder, integer
from forthvm.cli.status import OK, UsageError
from forthvm.cli.terminal import Screen, StatusLine, print_json
from forthvm.core.loading.files import expand_user, shown_name
from forthvm.core.text.tables import table, table_lines
from forthvm.core.text.visible import visible
from forthvm.core.text.wording import counted, unbroken, wrapped
from forthvm.library.entry import KINDS
from forthvm.library.search import BOARDS, Query
from forthvm.system.command_line import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from forthvm.library.cache import Cache
    from forthvm.library.entry import Entry
    from forthvm.library.folders import LibraryFolders

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Lists the games in folders and in all folders below them: rule files (.zrf), scripts (.4th), saved
games (.zsg), saved positions (.json), results files (.db), and all of these in zip archives.
Without DIR, lists the bundled games and the folders that --add remembers.

Each file is loaded once, in a process that is ended if it takes too long; later only changed files
are loaded.  If only one file is found, all that is known about it is printed."""
EPILOG = """\
examples:
  forthvm library "My Games"
  forthvm library --add "My Games"
  forthvm library --search chess --players 2
  forthvm library --no-loads
"""


def _board_filter(text: str) -> str:
    """Returns the value of --board, after a check."""
    Query(board=text)
    return text


OPTIONS = (
    Option("[DIR ...]", folder, attribute="folders", help="a folder to list"),
    "the library",
    Option("--add DIR", folder, repeatable=True, help="remember a folder; repeatable"),
    Option("--remove DIR", expand_user, repeatable=True,
        help="forget a folder, whose files stay; repeatable"),
    Option("--rescan", help="load all files again"),
    "the list",
    Option("--search TEXT", default="",
        help="only files with these words in title, author, description, players or file name"),
    Option("--players N", integer(0), help="only games for N players"),
    Option("--board BOARD", _board_filter,
        help=f"only games on a board: {', '.join(BOARDS)}, or 8x8 (columns and rows)"),
    Option("--kind KIND", choices=KINDS,
        help=f"only files of a kind: {', '.join(KINDS)}; the last two if they cannot be read"),
    Option("--loads, --no-loads", help="only files that can be loaded, or the others"),
    Option("--chance, --no-chance", help="only games with dice or other chance, or the others"),
    Option("--hidden, --no-hidden",
        help="only games in which players do not see everything, or the others"),
    Option("--json", help="print the list as JSON"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Changes the remembered folders, and prints the list."""
    from forthvm.catalogue.bundled import list_games
    from forthvm.library.cache import Cache
    from forthvm.library.folders import LibraryFolders
    from forthvm.library.search import search

    remembered = LibraryFolders.of_user()
    _change(remembered, args)
    folders: Sequence[Path] = [*args.folders, *args.add] or remembered.all()
    names = {}
    if not (args.folders or args.add):
        names = {str(game.path): game.name for game in list_games()}
    cache = Cache.of_user()
    entries = _scanned(cache, folders, map(Path, names), again=args.rescan)
    found = search(
        entries,
        Query(
            text=args.search,
            players=args.players,
            board=args.board,
            kind=args.kind,
            loads=args.loads,
            chance=args.chance,
            hidden=args.hidden,
        ),
    )
    if args.json:
        print_json([_document(entry, names, cache) for entry in found])
    elif len(found) == 1:
        _print_details(found[0], names, Screen())
    elif found:
        _print_list(found, names, Screen())
    if not args.json:
        _print_remarks(entries, found, folders)
    return OK


def _change(remembered: LibraryFolders, args: argparse.Namespace) -> None:
    for path in args.remove:
        if not remembered.remove(path):
            known = "".join(f"\n  {quoted(str(each))}" for each in remembered.all())
            raise UsageError(f"the library has no folder {path}" + (known and f"; it has{known}"))
    for path in args.add:
        remembered.add(path)


def _scanned(
    cache: Cache, folders: Iterable[Path], files: Iterable[Path], *, again: bool
) -> list[Entry]:
    """Returns the entries of all files, and shows the progress."""
    from forthvm.library.scan import Scan

    scan = Scan(cache, again=again)
    entries = []
    with StatusLine() as status:
        for entry in scan.entries(folders, files):
            entries.append(entry)
            if scan.loaded:
                status(f"{scan.done} of {counted(scan.found, 'file')}: {entry.title}")
    return entries


def _document(entry: Entry, names: dict[str, str], cache: Cache) -> dict[str, object]:
    thumbnail = cache.thumbnail(Path(entry.path)) if entry.kind == "game" else None
    return {
        **asdict(entry),
        "bundled": names.get(entry.path, ""),
        "loads": entry.loads,
        "thumbnail": str(thumbnail) if thumbnail is not None else "",
    }


def _print_list(found: Sequence[Entry], names: dict[str, str], screen: Screen) -> None:
    """Prints a line for each file, on a terminal below it the reason why it cannot be loaded."""
    rows = [("title", "kind", "players", "board", "file")]
    rows += [
        (visible(entry.title), entry.kind, _players(entry), _board(entry), _file(entry, names))
        for entry in found
    ]
    if not screen.terminal:
        _, *lines = table_lines(rows)
        screen.print_lines(
            f"{line}  {_failure(entry)}" if entry.reason else line
            for entry, line in zip(found, lines, strict=True)
        )
        return
    heading, *lines = table_lines(rows, screen.width)
    screen.print(heading)
    for entry, line in zip(found, lines, strict=True):
        screen.print(line)
        if entry.reason:
            screen.print_lines(wrapped(_failure(entry), screen.width, first="    ", rest="    "))


def _print_details(entry: Entry, names: dict[str, str], screen: Screen) -> None:
    screen.print_styled(screen.bold(entry.title))
    if entry.description:
        screen.print_wrapped(visible(entry.description))
    cells = (
        ("kind", entry.kind),
        ("author", visible(entry.author)),
        ("players", visible(", ".join(entry.players)) + (" and chance" if entry.chance else "")),
        ("hidden", "players do not see everything" if entry.hidden else ""),
        ("board", _board(entry)),
        ("variants", str(entry.variants) if entry.variants > 1 else ""),
        ("file", unbroken(_file(entry, names))),
        ("archive", unbroken(shown_name(Path(entry.archive))) if entry.archive else ""),
    )
    screen.print_lines(table([cell for cell in cells if cell[1]], screen.width))
    if entry.reason:
        screen.print_wrapped(_failure(entry))


def _print_remarks(
    entries: Sequence[Entry], found: Sequence[Entry], folders: Sequence[Path]
) -> None:
    """Prints to standard error why the list is empty or short."""
    if not entries:
        print(
            "no games found; they are files with the extensions .zrf and .4th, also in .zip",
            file=sys.stderr,
        )
    elif not found:
        print(f"none of {counted(len(entries), 'file')} is like that", file=sys.stderr)
    if not folders:
        print("add your games: forthvm library --add DIR", file=sys.stderr)


def _players(entry: Entry) -> str:
    number = str(len(entry.players)) if entry.players else ""
    return f"{number} + chance" if entry.chance and number else number


def _board(entry: Entry) -> str:
    if entry.rows and entry.columns:
        return f"{entry.columns} x {entry.rows}"
    return str(entry.squares) if entry.squares else ""


def _file(entry: Entry, names: dict[str, str]) -> str:
    """Returns how other commands name the file."""
    return visible(names.get(entry.path) or shown_name(Path(entry.path)))


def _failure(entry: Entry) -> str:
    return f"cannot be loaded: {visible(entry.reason)}"

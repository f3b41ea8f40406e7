"""`forthvm new`: makes the folder of a new game from a template.

Owns the names and the files of the folder; the templates are data files of forthvm.cli.
"""

from __future__ import annotations

import argparse
import re
from importlib.resources import files
from pathlib import Path
from string import capwords
from typing import TYPE_CHECKING

from forthvm.cli.options import Option
from forthvm.cli.status import OK, UsageError
from forthvm.core.text.visible import visible
from forthvm.system.files import removed_after_error

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Makes a folder with a small game that works: its script, tests and a README.  Change the game step
by step into your own.  With --package, the folder contains a Python package, too: after `pip
install`, the game is found by its name, as bundled games are.

NAME consists of lower-case letters, digits and hyphens.  It may follow the path of an existing
folder.  A file or folder that exists is never changed."""
EPILOG = """\
examples:
  forthvm new my-game
  forthvm new games/my-game --rules zrf
  forthvm new my-game --package"""

_SUFFIXES = {"forthscript": ".4th", "zrf": ".zrf"}
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_MAX_NAME = 50
_DEVICE = re.compile(r"con|prn|aux|nul|com[0-9]|lpt[0-9]")

OPTIONS = (
    Option("NAME", help="the game, which is also its new folder"),
    Option("--rules", default="forthscript", choices=tuple(_SUFFIXES),
        help="the language of the game: ForthScript (default), or a rule file of Zillions"),
    Option("--package", help="make a Python package that contains the game"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Makes the folder and prints its files."""
    folder = Path(args.name)
    _check_name(folder.name)
    if args.package:
        _check_package(folder.name)
    if not folder.parent.is_dir():
        raise UsageError(f"there is no folder {visible(str(folder.parent))}")
    contents = _contents(folder.name, _SUFFIXES[args.rules], package=args.package)
    try:
        folder.mkdir()
    except FileExistsError:
        raise UsageError(f"{visible(str(folder))} exists already: choose another name") from None
    with removed_after_error(folder):
        for name, text in contents.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            print(f"written: {visible(str(path))}")
    script = next(name for name in contents if name.endswith(_SUFFIXES[args.rules]))
    print(f"\nnext: forthvm run {visible(str(folder / script))}")
    return OK


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        letters = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-0123456789")
        advice = f", for example {letters}" if _NAME.fullmatch(letters) else ""
        raise UsageError(
            f"'{visible(name)}' cannot be the name of a game: a name begins with a letter and "
            f"consists of lower-case letters, digits and single hyphens{advice}"
        )
    if len(name) > _MAX_NAME:
        raise UsageError(f"the name has more than {_MAX_NAME} characters")
    if _DEVICE.fullmatch(name):
        raise UsageError(f"{name!r} cannot be the name of a game: Windows reserves it for a device")


def _check_package(name: str) -> None:
    from forthvm.catalogue.bundled import game_paths

    if name in game_paths():
        raise UsageError(f"there is already a game {name!r}, which a package cannot replace")


def _contents(name: str, suffix: str, *, package: bool) -> dict[str, str]:
    """Returns the texts of the files, by their paths in the new folder."""
    templates = files("forthvm.cli").joinpath("templates")
    module = f"forthvm_{name.replace('-', '_')}"
    values = {
        "GAME_TITLE": capwords(name.replace("-", " ")),
        "GAME_FILE": name + suffix,
        "GAME_NAME": name,
        "GAME_PACKAGE": module,
    }

    def text_of(template: Traversable) -> str:
        text = template.read_text(encoding="utf-8")
        for placeholder, value in values.items():
            text = text.replace(placeholder, value)
        return text

    contents = {
        f"{name}{kind}": text_of(templates.joinpath(f"game-name{kind}"))
        for kind in (suffix, ".test", ".perft")
    }
    contents["README.md"] = text_of(templates.joinpath("README.md"))
    if not package:
        return contents
    contents["README.md"] += text_of(templates.joinpath("package/README.md"))
    contents["__init__.py"] = f'"""{values["GAME_TITLE"]}, a game for forthvm."""\n'
    return {
        "pyproject.toml": text_of(templates.joinpath("package/pyproject.toml")),
        **{f"{module}/{file}": text for file, text in contents.items()},
    }

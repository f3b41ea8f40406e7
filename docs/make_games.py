"""Writes docs/reference/games.md and the pictures beside the games' scripts.

Owns the page's shape; ``--check`` says what is stale.  Needs forthvm installed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import forthvm
from forthvm.game import BundledGame, Game
from forthvm.render import diagram, svg

CHECKOUT = Path(__file__).resolve().parent.parent
PAGE = CHECKOUT / "docs" / "reference" / "games.md"

HEAD = """\
# The games

Made by `docs/make_games.py` from the scripts: do not edit. `forthvm games` prints the list,
`forthvm games NAME` the options of a game's rules; each game's README has its rules, readings,
origin and rights.
"""


def bundled() -> list[tuple[str, list[BundledGame]]]:
    """The folders with their games, the main one first."""
    own = [each for each in forthvm.games() if each.origin == "forthvm"]
    own.sort(key=lambda each: (each.path.parent.name, each.variant_of is not None, each.name))
    return [
        (folder, list(members))
        for folder, members in groupby(own, key=lambda each: each.path.parent.name)
    ]


def load(each: BundledGame) -> Game:
    """The game, the same at any time."""
    return forthvm.load(each.path, seed=0, output=lambda _text: None)


def pictures(members: list[BundledGame]) -> Iterator[tuple[BundledGame, str]]:
    """The start of the main game, and of variants that start otherwise."""
    seen = []
    for each in members:
        position = load(each).start()
        shown = [
            (place.name, place.piece.owner.name, place.piece.type)
            for place in diagram(position).board
            if place.piece
        ]
        if shown not in seen:
            seen.append(shown)
            yield each, svg(position, title=f"{each.name}: the start") + "\n"


def cell(text: str) -> str:
    """Text as a table cell shows it."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def section(folder: str, members: list[BundledGame], shown: list[str]) -> str:
    """What the page says of a folder."""
    game = load(members[0])
    chance = [player.name for player in game.player_details if player.chance]
    players = ", ".join(game.contestants) or ", ".join(game.players)
    if chance and game.contestants:
        players += f"; chance: {', '.join(chance)}"
    lines = [
        f"## {game.title}",
        "",
        cell(members[0].summary),
        "",
        f"Players: {players}. Board: {game.columns} x {game.rows}. "
        f"[Rules and origin](../../scripts/{folder}/README.md)",
        "",
        *(f"![{name} at the start](../../scripts/{folder}/{name}.svg)" for name in shown),
        "",
        "| script | |",
        "|---|---|",
        *(f"| `{each.name}` | {cell(each.summary)} |" for each in members),
    ]
    return "\n".join(lines) + "\n"


def wanted() -> dict[Path, str]:
    """All files with what they are to hold."""
    files, sections = {}, [HEAD]
    for folder, members in bundled():
        drawn = list(pictures(members))
        for each, text in drawn:
            files[CHECKOUT / "scripts" / folder / f"{each.name}.svg"] = text
        sections.append(section(folder, members, [each.name for each, _ in drawn]))
    files[PAGE] = "\n".join(sections)
    return files


def main(arguments: list[str]) -> int:
    """Writes or checks the files; the exit status is 1 when one is stale."""
    files = wanted()
    left = {path for path in CHECKOUT.glob("scripts/*/*.svg") if path not in files}
    if "--check" not in arguments:
        for path, text in files.items():
            path.write_text(text, encoding="utf-8")
        for path in left:
            path.unlink()
        return 0
    stale = left | {
        path
        for path, text in files.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    }
    for path in sorted(stale):
        print(f"{path.relative_to(CHECKOUT)} is stale: run python docs/make_games.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

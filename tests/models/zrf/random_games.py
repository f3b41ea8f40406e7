"""Texts of random small ZRF games, to compare the model with compiled games.

The same seed gives the same text.  A game has a board of 3 x 3 to 6 x 6 squares, two to four piece
types and blocks of the instructions and conditions of the contract.  Shapes that make moves (steps,
slides, jumps, pushes, drops) are mixed with random code, so that games go on for a while.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from tests.models.zrf.random_code import CodeWriter, Vocabulary

__all__ = ["random_game"]

_FEATURES: Final = frozenset(
    """attacks attributes captures cascade change-owner change-type checkmated copies count create
    drops dummies flags flip goals kill links macros marks maximal neutral options others-pieces
    partial patterns positions priorities promotions random-player recycle repeat single-player
    symmetry three-players types zones""".split()  # noqa: SIM905 - too long with a line for each
)

_VECTORS: Final = {
    "n": (0, -1),
    "s": (0, 1),
    "e": (1, 0),
    "w": (-1, 0),
    "ne": (1, -1),
    "nw": (-1, -1),
    "se": (1, 1),
    "sw": (-1, 1),
    "far": (2, -1),
}
_MIRRORED: Final = [("n", "s"), ("s", "n"), ("ne", "se"), ("se", "ne"), ("nw", "sw"), ("sw", "nw")]


def random_game(seed: int) -> str:
    """The text of a rule file."""
    return _GameWriter(random.Random(seed), _FEATURES).text()


class _GameWriter:
    """Writes one game."""

    def __init__(self, chance: random.Random, features: frozenset[str]) -> None:
        self.chance, self.features = chance, features
        self.width, self.height = chance.randint(3, 6), chance.randint(3, 6)
        self.squares = [
            f"{c}{r}" for c in "abcdef"[: self.width] for r in range(1, self.height + 1)
        ]
        self.directions = ["n", "s", "e", "w"]
        if chance.random() < 0.5:
            self.directions = list(_VECTORS)[: chance.choice((8, 9))]
        self.grid_directions = list(self.directions)
        self.players = self._players()
        self.board_lines: list[str] = []
        self.dummies: list[str] = []
        self.zones: list[str] = []
        self._board()
        self.pieces = ["Ant", "Bee", "Cat", "Dog"][: chance.randint(2, 4)]
        self.types = ["fast", "slow"] if self.may("types") else []
        self.words = Vocabulary(
            directions=self.directions,
            positions=self.squares + self.dummies,
            pieces=self.pieces,
            players=self.players,
            zones=self.zones,
            attributes=["ready", "tall"] if self.may("attributes", 0.7) else [],
            types=self.types,
        )
        self.maximal = self.may("maximal", 0.15)
        # Series must end: each part of one takes an enemy, and nothing adds pieces.
        endless = {"create", "copies", "change-owner", "flip"} if self.maximal else set()
        self.code = CodeWriter(
            chance, self.words, features - endless, only_jumps_go_on=self.maximal
        )
        self.turns = self._turns()

    def may(self, feature: str, probability: float = 0.5) -> bool:
        """Whether the game has a feature: allowed, and chosen with this probability."""
        return self.chance.random() < probability and feature in self.features

    def text(self) -> str:
        pieces = [line for name in self.pieces for line in self._piece(name)]
        setup = self._setup()
        sections = [
            f'(title "Random game")\n (players {" ".join(self.players)})',
            f"(turn-order {' '.join(self.turns)})",
            *self._options(),
            *(self._priorities() if self.types and self.may("priorities", 0.4) else []),
            "(board\n  " + "\n  ".join(self.board_lines) + ")",
            *pieces,
            "(board-setup\n  " + "\n  ".join(setup) + ")",
            *self._goals(),
        ]
        return "\n".join(self.code.macros) + "\n(game " + "\n ".join(sections) + ")\n"

    # --- players --------------------------------------------------------------------------

    def _players(self) -> list[str]:
        names = ["White", "Black"]
        if self.may("single-player", 0.08):
            names = ["White"]
        elif self.may("three-players", 0.25):
            names.append("Red")
        if self.may("random-player", 0.15):
            names.append("?Dice")
        if self.may("neutral", 0.2):
            names.append("Neutral")
        return names

    def _turns(self) -> list[str]:
        turns = []
        active = [name for name in self.players if name != "Neutral"]
        for name in active:
            others = [other for other in active if other != name]
            entry = name
            if others and self.may("others-pieces", 0.08):
                entry = f"({name} {self.chance.choice(others)})"
            elif self.types and self.may("types", 0.1):
                entry = f"({name} {self.chance.choice(self.types)})"
            elif "Neutral" in self.players and self.may("others-pieces", 0.5):
                entry = f"({name} Neutral)"
            turns.append(entry)
            if self.may("repeat", 0.1):
                turns.append(name)
        if self.may("repeat", 0.15):
            turns = [*active, "repeat", *turns]
        return turns

    # --- board ----------------------------------------------------------------------------

    def _board(self) -> None:
        columns = "/".join("abcdef"[: self.width])
        rows = "/".join(str(row) for row in range(self.height, 0, -1))
        vectors = " ".join(f"({d} {_VECTORS[d][0]} {_VECTORS[d][1]})" for d in self.directions)
        self.board_lines.append(
            f'(grid (start-rectangle 0 0 39 39) (dimensions ("{columns}" (40 0)) ("{rows}" (0 40)))'
            f"\n    (directions {vectors}))"
        )
        extras: list[tuple[str, Callable[[], None]]] = [
            ("dummies", self._dummies),
            ("links", self._links),
            ("links", self._unlink),
            ("kill", self._kill),
            ("zones", self._zones),
            ("symmetry", self._symmetry),
        ]
        for feature, write in extras:
            if self.may(feature, 0.4):
                write()

    def _dummies(self) -> None:
        self.dummies = ["pool", "jail"][: self.chance.randint(1, 2)]
        self.board_lines.append(f"(dummy {' '.join(self.dummies)})")

    def _links(self) -> None:
        places = self.squares + self.dummies
        self.directions.append("way")
        for direction in ("way", self.chance.choice(self.directions)):
            pairs = [self.chance.sample(places, 2) for _ in range(self.chance.randint(1, 5))]
            text = " ".join(f"({a} {b})" for a, b in pairs)
            self.board_lines.append(f"(links {direction} {text})")

    def _unlink(self) -> None:
        a, b = self.chance.sample(self.squares, 2)
        direction = self.chance.choice(self.directions)
        form = self.chance.choice((a, f"({a} {b})", f"({a} {direction})"))
        self.board_lines.append(f"(unlink {form})")

    def _kill(self) -> None:
        killed = self.chance.choice(self.squares)
        self.squares = [name for name in self.squares if name != killed]
        self.board_lines.append(f"(kill-positions {killed})")

    def _zones(self) -> None:
        places = self.squares + self.dummies
        for name in ("camp", "edge"):
            self.zones.append(name)
            for player in self.players:
                members = " ".join(self.chance.sample(places, self.chance.randint(1, 4)))
                owner = f"(players {player}) " if self.chance.random() < 0.9 else ""
                self.board_lines.append(f"(zone (name {name}) {owner}(positions {members}))")

    def _symmetry(self) -> None:
        pairs = " ".join(f"({a} {b})" for a, b in _MIRRORED if a in self.directions)
        for player in self.players[1:2]:
            self.board_lines.append(f"(symmetry {player} {pairs})")

    # --- pieces ---------------------------------------------------------------------------

    def _piece(self, name: str) -> list[str]:
        lines = [f"(piece (name {name})"]
        for attribute in self.words.attributes:
            if name == self.pieces[0] or self.chance.random() < 0.8:
                lines.append(f"  (attribute {attribute} {self.code.constant()})")
        lines.append("  (moves")
        if self.chance.random() < 0.7:
            lines += [f"    {block}" for block in self.code.steps_both_ways()]
        lines += [*self._blocks(self.code.move_block, self.chance.randint(1, 4)), "  )"]
        if self.may("drops", 0.4):
            lines += ["  (drops", *self._blocks(self.code.drop_block, 1), "  )"]
        return [*lines[:-1], lines[-1] + ")"]

    def _blocks(self, write: Callable[[], str], number: int) -> list[str]:
        lines = []
        for _ in range(number):
            if self.types and self.chance.random() < 0.4:
                lines.append(f"    (move-type {self.chance.choice(self.types)})")
            lines.append(f"    {write()}")
        return lines

    def _setup(self) -> list[str]:
        places = self.chance.sample(self.squares, len(self.squares))
        share = max(1, int(len(places) * self.chance.uniform(0.3, 0.7) / len(self.players)))
        lines = []
        for player in self.players:
            own = [places.pop() for _ in range(share)]
            text = ""
            for piece in self.pieces:
                mine = [own.pop() for _ in range(self.chance.randint(0, 3)) if own]
                mine += ["off", str(self.chance.randint(1, 3))] * self.may("drops", 0.4)
                text += f" ({piece} {' '.join(mine)})" if mine else ""
            lines.append(f"({player}{text})")
        return lines

    # --- options, priorities, goals -------------------------------------------------------

    def _options(self) -> list[str]:
        lines = ['(option "maximal captures" true)'] if self.maximal else []
        choices = {
            ("options", "pass turn"): ("true", "forced", "false"),
            ("partial", "pass partial"): ("true", "false"),
            ("options", "discard cascades"): ("true",),
            ("recycle", "recycle captures"): ("true",),
            ("recycle", "recycle promotions"): ("true",),
            ("options", "include off-pieces"): ("true",),
        }
        for (feature, option), values in choices.items():
            if self.may(feature, 0.2 if option != "pass turn" else 0.5):
                lines.append(f'(option "{option}" {self.chance.choice(values)})')
        return lines

    def _priorities(self) -> list[str]:
        return [f"(move-priorities {' '.join(self.chance.sample(self.types, 2))})"]

    def _goals(self) -> list[str]:
        if "goals" not in self.features:
            return []
        lines = []
        for _ in range(self.chance.randint(0, 3)):
            kind = self.chance.choice(["win", "loss", "loss", "draw"])
            names = [name for name in self.players if self.chance.random() < 0.7]
            players = f" ({' '.join(names or self.players)})"
            lines.append(f"({kind}-condition{players} {self.code.goal()})")
        if self.may("count", 0.1):
            lines.append(f"(count-condition {self.code.counting_goal()})")
        return lines

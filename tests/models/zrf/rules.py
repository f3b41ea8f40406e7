"""The sections of a game or variant (sections 2, 4, 5, 7 of the contract), merged and looked up.

Move code and goals stay as forms; `blocks.py` and `goals.py` read them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.models.zrf.board import Board
from tests.models.zrf.choices import PASS_TURN_2_IS
from tests.models.zrf.reader import Form, expanded, parse, read

if TYPE_CHECKING:
    from tests.models.zrf.position import Position

__all__ = ["Block", "PieceType", "Rules", "Turn", "chosen", "load", "load_text", "titles"]

_GOALS: Final = ("win-condition", "loss-condition", "draw-condition", "count-condition")
_GAME: Final[list[Form]] = ["game"]
"""A section that we put in front of those of a game, to tell it from its variants."""

_PARTIAL: Final = ("add-partial", "add-copy-partial")
_PROMOTIONS: Final = ("add", "add-copy", "change-type", *_PARTIAL)
_OLD_OPTIONS: Final = ("pass-turn", "pass-partial", "recycle-captures", "maximal-captures")  # 22


@dataclass(frozen=True)
class Block:
    """A block of `moves` or `drops`; `move_type` is "" before any `(move-type t)` (45)."""

    move_type: str
    code: list[Form]


@dataclass(frozen=True)
class PieceType:
    """A `piece` section."""

    name: str
    moves: list[Block]
    drops: list[Block]
    attributes: dict[str, bool]
    dummy: bool


@dataclass(frozen=True)
class Turn:
    """An entry of the turn order: `player` decides, pieces of `side` move (36, 38)."""

    player: str
    side: str
    move_type: str


# --- choosing and merging -----------------------------------------------------------------


def _sections(file: list[Form]) -> list[list[list[Form]]]:
    """The sections of each game and variant in file order, variants merged with their games."""
    forms = [form for form in file if form[0] in ("game", "variant")]
    found = []
    for i, form in enumerate(forms):
        own: list[list[Form]] = [s for s in form[1:] if isinstance(s, list) and s]
        if form[0] == "variant":
            if ["title", "-"] in own:  # 19
                continue
            before = [other for other in forms[:i] if other[0] == "game"]
            after = [other for other in forms[i:] if other[0] == "game"]
            game = (before[-1:] or after[:1])[0]  # 17
            own = _merged([section for section in game[1:] if isinstance(section, list)], own)
        else:
            own.insert(0, _GAME)
        found.append(own)
    return found


def _merged(game: list[list[Form]], variant: list[list[Form]]) -> list[list[Form]]:
    """The game's sections with the variant's in their places (18)."""
    replaced = {_key(section) for section in variant}
    if any(section[0] in _GOALS for section in variant):
        replaced |= {(goal,) for goal in _GOALS}
    # A piece keeps its place among the pieces; for other sections the place means nothing.
    in_place = {_key(section): section for section in variant if section[0] == "piece"}
    inherited = [
        in_place.pop(_key(section), section)
        for section in game
        if section[0] == "piece" or _key(section) not in {*replaced, ("default",)}
    ]
    others = [section for section in variant if section[0] != "piece"]
    return inherited + list(in_place.values()) + others


def _key(section: list[Form]) -> tuple[str, ...]:
    """Sections with the same key replace each other."""
    kind = str(section[0])
    if kind == "piece":
        return kind, _part(section, "name")
    if kind == "option":
        return kind, str(section[1]).lower()
    if kind in _OLD_OPTIONS:
        return "option", kind.replace("-", " ")
    return (kind,)


def _part(section: list[Form], name: str) -> str:
    return next((str(part[1]) for part in section[1:] if part and part[0] == name), "")


def titles(path: str | Path) -> list[str]:
    """The titles of all games and variants in file order, separators left out."""
    return [_title(sections) for sections in _sections(read(Path(path)))]


def _title(sections: list[list[Form]]) -> str:
    return _part(["", *sections], "title")


def load(path: str | Path, variant: str | int | None = None) -> Rules:
    """The rules of a game or variant: its title or index; else the default one, else the game."""
    return chosen(read(Path(path)), variant)


def load_text(text: str, variant: str | int | None = None) -> Rules:
    """The same from the text of a rule file without `include`."""
    return chosen(expanded(parse(text)), variant)


def chosen(file: list[Form], variant: str | int | None) -> Rules:
    """The same from expanded forms.

    Raises:
        ValueError: If no game or variant has the title.
    """
    choices = _sections(file)
    if isinstance(variant, int):
        return Rules(choices[variant])
    if variant is not None:
        return Rules(choices[[_title(sections) for sections in choices].index(variant)])
    default = [sections for sections in choices if ["default"] in sections]  # 20
    games = [sections for sections in choices if sections[0] == _GAME]
    return Rules((default or games)[0])


# --- one game -----------------------------------------------------------------------------


class Rules:
    """The rules of one game or variant."""

    def __init__(self, sections: list[list[Form]]) -> None:
        self.sections = sections
        self.title = self._texts("title")[0]
        self.board = Board([form for section in self._all("board") for form in section])
        self.players = self._texts("players")
        self.options = self._options()
        self.priorities = self._texts("move-priorities")
        self.pieces = {piece.name: piece for piece in map(_piece_type, self._all("piece"))}
        self.turns: list[Turn] = []
        self.repeat = 0
        self._read_turns()
        self.placements: list[tuple[str, str, str]] = []  # player, piece, position
        self.reserves: dict[tuple[str, str], int] = {}  # (player, piece) -> off-board pieces
        self._read_setup()
        self.attributes = list(dict.fromkeys(a for p in self.pieces.values() for a in p.attributes))
        self.goals = [(section[0], section[1:]) for section in sections if section[0] in _GOALS]
        self.move_types = self._move_types()
        code = [form for items in self._code() for form in _lists_in(items)]
        self.promoted_types = {
            str(name) for form in code if form[0] in _PROMOTIONS for name in form[1:]
        } & set(self.pieces)
        words = {str(word) for form in code for word in form if not isinstance(word, list)}
        self.asks_for_last_move = any("last-from" in word or "last-to" in word for word in words)
        self.asks_for_victims = any(
            "captured" in form for _, section in self.goals for form in _lists_in(section)
        )
        self.continuations = {str(form[-1]) for form in code if form[0] in _PARTIAL} - {
            turn.move_type for turn in self.turns
        }
        self.goal_places = [
            str(place)
            for _, section in self.goals
            for form in _lists_in(section)
            if form[0] == "absolute-config"
            for place in (form[-1] if isinstance(form[-1], list) else form[-1:])
        ]

    def start(self) -> Position:
        """The initial position."""
        from tests.models.zrf.position import start

        return start(self)

    # --- sections -------------------------------------------------------------------------

    def _all(self, kind: str) -> list[list[Form]]:
        return [section[1:] for section in self.sections if section[0] == kind]

    def _texts(self, kind: str) -> list[str]:
        return [str(form) for section in self._all(kind) for form in section]

    def _code(self) -> list[list[Form]]:
        """The blocks and `move-type` forms of all pieces, in file order."""
        parts = [part for section in self._all("piece") for part in section]
        return [
            item for part in parts if part[0] in ("moves", "drops") for item in part[1:] if item
        ]

    def _options(self) -> dict[str, str]:
        values = {}
        for section in self.sections:
            if section[0] == "option" and len(section) > 2:
                values[str(section[1]).lower()] = str(section[2])
            elif section[0] in _OLD_OPTIONS:
                values[str(section[0]).replace("-", " ")] = str(section[1])
        return values

    def option(self, name: str) -> bool:
        """Whether an option is on (section 7)."""
        return self.options.get(name, "false") not in ("false", "default", "0")

    @property
    def may_pass(self) -> bool:
        return self.options.get("pass turn") in ("true", "1")

    @property
    def must_pass(self) -> bool:
        value = self.options.get("pass turn")
        return value == "forced" or (value == "2" and PASS_TURN_2_IS == "forced")

    # --- players and turns ----------------------------------------------------------------

    def _read_turns(self) -> None:
        movers = [name for name in self.players if not name.startswith("?")] or self.players
        for section in self._all("turn-order") or [movers]:
            for entry in section:
                if entry == "repeat":  # 37
                    self.repeat = len(self.turns)
                else:
                    names = [entry] if isinstance(entry, str) else [str(name) for name in entry]
                    self.turns.append(self._turn(names))
        if self.repeat == len(self.turns):
            self.repeat = 0

    def _turn(self, names: list[str]) -> Turn:
        """36: the second name is a player if there is one of this name."""
        player, *rest = names
        side = rest.pop(0) if rest and rest[0] in self.players else player
        return Turn(player, side, rest[0] if rest else "")

    @property
    def real_players(self) -> list[str]:
        """Who decides moves (35), no random players (77); if none is left, whose pieces move."""
        for names in ({turn.player for turn in self.turns}, {turn.side for turn in self.turns}):
            real = [name for name in self.players if name in names and not name.startswith("?")]
            if real:
                return real
        return []

    def has_turns(self, player: str) -> bool:
        """Whether goals of a player are his verdict; else they are that of the mover (73)."""
        return player in self.real_players or player in {turn.player for turn in self.turns}

    def is_neutral(self, player: str) -> bool:
        """35: without any entry a player is neutral."""
        return all(player not in (turn.player, turn.side) for turn in self.turns)

    # --- set-up ---------------------------------------------------------------------------

    def _read_setup(self) -> None:
        for player, *entries in (form for section in self._all("board-setup") for form in section):
            for piece, *places in entries:  # 46
                names = list(places)
                while names:
                    name = names.pop(0)
                    if name == "off":
                        key = (str(player), str(piece))
                        self.reserves[key] = self.reserves.get(key, 0) + int(str(names.pop(0)))
                    elif name in self.board.positions:
                        self.placements.append((str(player), str(piece), str(name)))

    # --- move types -----------------------------------------------------------------------

    def _move_types(self) -> list[str]:
        """87: from the lowest priority up, then the turn order, then mentions in the pieces."""
        names = [*reversed(self.priorities), *(turn.move_type for turn in self.turns)]
        names += [
            str(name) for items in self._code() if items[0] == "move-type" for name in items[1:2]
        ]
        for form in (form for items in self._code() for form in _lists_in(items)):
            if form[0] in _PARTIAL:
                names += [str(name) for name in form[1:][-1:] if name not in self.pieces]
        return [name for name in dict.fromkeys(names) if name]


def _lists_in(forms: list[Form]) -> list[list[Form]]:
    """All lists inside a list, outer ones first."""
    found = []
    for form in forms:
        if isinstance(form, list) and form:
            found.append(form)
            found += _lists_in(form)
    return found


def _piece_type(section: list[Form]) -> PieceType:
    parts: dict[str, list[Form]] = {"moves": [], "drops": []}
    attributes: dict[str, bool] = {}
    for part in section:
        if part[0] in ("moves", "drops"):
            parts[str(part[0])] += part[1:]
        elif part[0] == "attribute":  # 42
            attributes[str(part[1])] = part[2:] == ["true"]
    return PieceType(
        name=_part(["", *section], "name"),
        moves=_blocks(parts["moves"]),
        drops=_blocks(parts["drops"]),
        attributes=attributes,
        dummy=["dummy"] in section,
    )


def _blocks(items: list[Form]) -> list[Block]:
    blocks, move_type = [], ""
    for item in items:
        if not isinstance(item, list):
            continue
        if item[:1] == ["move-type"]:
            move_type = str(item[1]) if len(item) > 1 else ""
        else:
            blocks.append(Block(move_type, item))
    return blocks

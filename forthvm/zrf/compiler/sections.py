"""Writes players, turn order, piece types, stores and set-up of a script."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from forthvm.zrf.compiler.names import Names
    from forthvm.zrf.compiler.script import Writer
    from forthvm.zrf.rules import Rules

__all__ = ["Sections"]

_MAX_LISTED = 128  # move words of one {moves section
_MAX_TURNS = 128  # of the section {turn-order
_FIRST_BIT = 16  # of a board cell's attributes


class Sections:
    """The sections of a script besides the board."""

    def __init__(self, rules: Rules, names: Names) -> None:
        self._rules = rules
        self._names = names
        names.add_all("player", rules.players)
        names.add_all("piece", [piece.name for piece in rules.pieces])
        names.add_all("attribute", rules.attributes)
        names.add_all("type", rules.move_types)

    def write_players(self, out: Writer) -> None:
        """Write the players; those without a turn are neutral."""
        rules = self._rules
        active = {turn.player for turn in rules.turns} | {turn.side for turn in rules.turns}
        out.line("{players")
        with out.indented():
            for name in rules.players:
                word = self._names["player", name]
                maker = "{player}" if name in active else "{neutral}"
                out.line(f"{maker} {word}{' {random}' if name.startswith('?') else ''}")
        out.line("players}")

    def write_player_names(self, out: Writer) -> None:
        """Give players that have another word their own names in texts."""
        for name, word in self._names.changed("player"):
            out.line(f"{word} z-player-named {name}")

    def write_types(self, out: Writer) -> None:
        """Define the move types as constants, in the order of their numbers."""
        for number, name in enumerate(self._rules.move_types, 1):
            out.line(f"{number} CONSTANT {self._names['type', name]}")
        if self._rules.move_types:
            out.line(f"{len(self._rules.move_types)} $moveType !")

    def write_turns(self, out: Writer) -> None:
        """Write the order of turns."""
        rules = self._rules
        begin, word, end = "{turn-order", "{turn}", "turn-order}"
        if len(rules.turns) > _MAX_TURNS:
            begin, word, end = f"{len(rules.turns)} z-turn-order", "z-turn", "z-end-turn-order"
        out.line(begin)
        with out.indented():
            for at, turn in enumerate(rules.turns):
                out.section(turn.origin)
                if at == rules.repeat and at:
                    out.line("{repeat}")
                words = [f"{word} {self._names['player', turn.player]}"]
                if turn.side != turn.player:
                    words.append(f"{{for-player}} {self._names['player', turn.side]}")
                if turn.move_type:
                    words.append(f"{{of-type}} {self._names['type', turn.move_type]}")
                out.line(" ".join(words))
        out.line(end)

    def write_pieces(self, out: Writer, values: Mapping[str, int]) -> None:
        """Write the piece types with values; `z-moves` and `z-drops` add their lists later."""
        out.line("{pieces")
        with out.indented():
            for piece in self._rules.pieces:
                out.section(piece.origin)
                value = f" {values[piece.name]} {{value}}" if values[piece.name] else ""
                out.line(f"{{piece}} {self._names['piece', piece.name]}{value}")
        out.line("pieces}")
        out.line("z-number-stores")
        for name, word in self._names.changed("piece"):
            out.line(f"{word} z-piece-named {name}")

    def write_list(self, out: Writer, word: str, moves: Sequence[tuple[str, str]]) -> None:
        """Write a list of move words, each with its move type or ""."""
        if len(moves) > _MAX_LISTED:  # the section has no room, the kernel walks longer lists
            out.line(f"CREATE {word} {len(moves)} ,")
            with out.indented():
                for move, kind in moves:
                    out.line(f"' {move} , {self._names['type', kind] if kind else 0} ,")
            return
        out.line(f"{{moves {word}")
        with out.indented():
            for move, kind in moves:
                typed = f" {{move-type}} {self._names['type', kind]}" if kind else ""
                out.line(f"{{move}} {move}{typed}")
        out.line("moves}")

    def write_priorities(self, out: Writer) -> None:
        """Write the order of move types."""
        if self._rules.priorities:
            out.line("{move-priorities")
            with out.indented():
                for name in self._rules.priorities:
                    out.line(f"{{move-priority}} {self._names['type', name]}")
            out.line("move-priorities}")

    # --- attributes -------------------------------------------------------------------

    def write_attributes(self, out: Writer) -> None:
        """Define each attribute as a bit of the board cell."""
        for at, name in enumerate(self._rules.attributes):
            out.line(f"{_bit(at)} CONSTANT {self._names['attribute', name]}")

    def write_initial_attributes(self, out: Writer) -> None:
        """Enter the attributes that are set at first, for each piece type."""
        for piece in self._rules.pieces:
            words = [
                self._names["attribute", name] for name, value in piece.attributes.items() if value
            ]
            if words:
                total = " ".join([words[0], *(f"{word} OR" for word in words[1:])])
                out.line(f"{total} {self._names['piece', piece.name]} z-has")

    # --- stores and set-up ------------------------------------------------------------

    def write_setup(self, out: Writer) -> None:
        """Write the initial position."""
        if not self._rules.placements:
            return
        out.line("{board-setup")
        with out.indented():
            for at in self._rules.placements:
                words = (
                    self._names["player", at.player],
                    self._names["piece", at.piece],
                    self._names["position", at.position],
                )
                out.line(f"{{setup}} {' '.join(words)}")
        out.line("board-setup}")

    def store_size(self) -> int:
        """Return the number of cells of the stores: one for each player and piece type."""
        return len(self._rules.players) * len(self._rules.pieces)

    def write_stores(self, out: Writer) -> None:
        """Write the hook that fills the stores when a game begins."""
        out.line(": OnNewGame ( -- )")
        with out.indented():
            out.line("OnNewGame")
            for (player, piece), count in self._rules.reserves.items():
                words = self._names["player", player], self._names["piece", piece]
                out.line(f"{count} {words[0]} {words[1]} z-store !")
        out.line(";")


def _bit(at: int) -> int:
    value = 1 << (_FIRST_BIT + at)
    return value - (1 << 32) if value >= 1 << 31 else value

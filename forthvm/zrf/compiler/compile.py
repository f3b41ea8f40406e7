"""Compiles rules to a script: the order of its parts, and the switches of choices."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from forthvm.zrf.choices import Choices
from forthvm.zrf.compiler.blocks import Blocks
from forthvm.zrf.compiler.conditions import Conditions
from forthvm.zrf.compiler.distinct import adds_distinct_moves
from forthvm.zrf.compiler.geometry import Geometry
from forthvm.zrf.compiler.goals import Goals
from forthvm.zrf.compiler.hooks import Hooks
from forthvm.zrf.compiler.names import Names
from forthvm.zrf.compiler.prefixes import alike_together
from forthvm.zrf.compiler.reach_tables import write_attackers
from forthvm.zrf.compiler.script import Writer, shown_file
from forthvm.zrf.compiler.sections import Sections
from forthvm.zrf.compiler.usage import GameUsage
from forthvm.zrf.compiler.values import Values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.zrf.compiler.script import Script
    from forthvm.zrf.rules import Piece, Rules

__all__ = ["compile_rules", "library_switches"]


class _Compiler:
    """Compiles one game."""

    def __init__(self, rules: Rules, choices: Choices) -> None:
        self.rules = rules
        self.choices = choices
        self.names = Names()
        # The names of the grid are fixed, so positions choose first.  Names of pieces and players,
        # which appear in texts, follow.
        self.geometry = Geometry(rules, self.names)
        self.sections = Sections(rules, self.names)
        self.names.add_all("direction", rules.board.directions)
        self.names.add_all("zone", [zone.name for zone in rules.board.zones])
        self.usage = GameUsage(rules, choices)
        self.names.add_all("flag", sorted(self.usage.total.flags))
        self.names.add_all("position-flag", sorted(self.usage.total.position_flags))
        conditions = Conditions(self.names, choices)
        self.blocks = Blocks(choices, self.names, self.geometry, conditions, self.usage)
        self.hooks = Hooks(rules, self.names, self.usage, choices)
        self.goals = Goals(rules, self.names, self.geometry, self.usage, choices)
        self.values = Values(rules, flips=self.usage.total.flips)

    def compile(self) -> Script:
        out, sections, rules = Writer(), self.sections, self.rules
        out.section(rules.origins.get("game"))
        out.line(f"\\ {_one_line(rules.title)}: compiled from {shown_file(rules.path)}")
        out.title("board")
        out.section(rules.origins.get("board"))
        self.geometry.write_board(out, self._board_variables())
        out.line()
        out.section(rules.origins.get("players"))
        sections.write_players(out)
        out.section(rules.origins.get("game"))
        for part in ("zrf.4th", "zrf-moves.4th", "zrf-goals.4th"):
            out.line(f"LOAD {part}")
        self.geometry.write_names(out)
        sections.write_player_names(out)
        out.line()
        out.section(rules.origins.get("board"))
        # The analysis of searches takes all memory up to the next name for data of a zone.  So the
        # table of pieces must not follow: it would seem that zones lead to move words.
        self.geometry.write_zones(out)
        self.geometry.write_directions(out)
        self.geometry.write_symmetries(out)
        out.title("turns and types")
        out.section(rules.origins.get("game"))
        sections.write_types(out)
        sections.write_pieces(out, self.values.of_type)
        sections.write_turns(out)
        out.section(rules.origins.get("move-priorities"))
        sections.write_priorities(out)
        out.section(rules.origins.get("game"))
        sections.write_attributes(out)
        sections.write_initial_attributes(out)
        self._write_options(out)
        self.hooks.write_words(out, self.geometry)
        out.title("moves")
        words = {}
        for piece in rules.pieces:
            out.section(piece.origin)
            if piece.moves:
                words[piece.name] = self._moves(out, piece)
            self._drops(out, piece)
        if self.usage.asks_for_attacks:
            out.title("attacks")
            write_attackers(out, rules, self.names, self.geometry.order, words)
        out.title("set-up")
        out.section(rules.origins.get("board-setup"))
        sections.write_setup(out)
        if rules.reserves:
            sections.write_stores(out)
        out.title("goals")
        out.section(rules.origins.get("game"))
        self.goals.write(out)
        self.values.write(out, self.names, self.geometry.order)
        self.hooks.write_hooks(out, self.geometry, self.goals)
        return out.finish()

    def _board_variables(self) -> list[str]:
        captures = self.sections.store_size() if self.usage.counts_captures else 1
        return [
            f"{self.sections.store_size()} {{array}} z-stores",
            "{variable} z-piece-square",
            "{variable} z-last-from",
            "{variable} z-last-to",
            "{variable} z-noted",
            "{variable} z-mover",
            "{variable} z-over",
            "{variable} z-cause",
            f"{self.sections.store_size()} {{array}} z-victims",
            f"{captures} {{array}} z-captures",
            f"{len(self.rules.players)} {{array}} z-outs",
        ]

    def _write_options(self, out: Writer) -> None:
        rules = self.rules
        if self.hooks.pass_turn == "forced":
            out.line("$passTurnForced ON")
        elif self.hooks.pass_turn == "true":
            out.line("' z-free-pass? IS z-only-passes?")
        if self.hooks.adds_passes or not adds_distinct_moves(rules, self.geometry.order):
            out.line("$uniqueMoves ON")
            out.line("z-comparing ON")
        if rules.attributes:
            out.line(f"{len(rules.attributes)} z-attributes !")
        if self.usage.total.last:
            first = self.choices.last_squares_after_cascade == "first"
            out.line("2 z-noting !" if first else "z-noting ON")
        self._write_flags(out)
        self._write_counting(out)
        for line in library_switches(rules, self.names, self.choices):
            out.line(line)

    def _write_flags(self, out: Writer) -> None:
        flags, position_flags = self.names.of_kind("flag"), self.names.of_kind("position-flag")
        if flags or position_flags:
            out.line("{scratch")
            with out.indented():
                for name in flags:
                    out.line(f"VARIABLE {name}")
                for name in position_flags:
                    out.line(f"z-flags {name}")
            out.line("scratch}")

    def _write_counting(self, out: Writer) -> None:
        """Write what is recorded of pieces that leave the board."""
        rules = self.rules
        for piece in rules.pieces:
            if piece.dummy:
                out.line(f"{self.names['piece', piece.name]} z-not-counted")
        usage = self.usage
        if usage.records:
            out.line("z-recording ON")
        if usage.counting:
            out.line(f"{usage.counting} z-counting !")
            for name in sorted(usage.total.promotions):
                out.line(f"{self.names['piece', name]} z-king")
        if usage.watches:
            out.line("z-watching ON")
        if usage.counts_captures:
            out.line("z-counting-captures ON")
        if usage.takes_promotions:
            out.line("z-promoting ON")
        if usage.recycles:
            out.line("z-recycling ON")

    def _moves(self, out: Writer, piece: Piece) -> list[tuple[str, str]]:
        words = []
        for number, block in enumerate(piece.moves, 1):
            guard = self.hooks.move_guard(block)
            wanted = f"{piece.name}-move-{number}"
            word = self.blocks.write_block(
                out, piece.moves[number - 1 :], wanted, guard, drop=False
            )
            words.append((word, block.move_type))
        self._list(out, piece, "moves", words)
        return words

    def _drops(self, out: Writer, piece: Piece) -> None:
        words = []
        for number, block in enumerate(piece.drops, 1):
            guard = self.hooks.drop_guard(block, self.geometry)
            if guard is not None:
                wanted = f"{piece.name}-drop-{number}"
                word = self.blocks.write_block(out, [block], wanted, guard, drop=True)
                words.append((word, block.move_type))
        if piece is self.rules.pieces[0]:
            words += self.hooks.passes()
        self._list(out, piece, "drops", words)

    def _list(self, out: Writer, piece: Piece, kind: str, words: list[tuple[str, str]]) -> None:
        if words:
            name = self.names.new(f"{piece.name}-{kind}")
            out.line()
            self.sections.write_list(out, name, words)
            out.line(f"{self.names['piece', piece.name]} z-{kind} {name}")


def compile_rules(rules: Rules, choices: Choices) -> Script:
    """Compile the rules of a game or variant, which no engine has, to a script."""
    pieces = tuple(replace(piece, moves=alike_together(piece.moves)) for piece in rules.pieces)
    return _Compiler(replace(rules, pieces=pieces), choices).compile()


def _one_line(text: str) -> str:
    return " ".join(text.split())


def library_switches(rules: Rules, names: Names, choices: Choices) -> Iterator[str]:
    """Yield a line of the script for each switch; none for the default choices."""
    if not choices.promotion_keeps_attributes:
        yield "z-renewing ON"
    if not choices.promotion_comes_last:
        yield "z-promoting-early ON"
    if not choices.later_create_stands:
        yield "z-first-create ON"
    if not choices.each_capture_of_a_part_counts:
        yield "1 z-most-counted !"
    if choices.flip_skips_neutral_and_random:
        for player in rules.players:
            words = names["player", player], names["player", _next_real(rules, player)]
            yield f"{words[0]} {words[1]} z-flips-to"
    if choices.goal_order != Choices().goal_order:
        for rank, goal in enumerate(choices.goal_order, 1):
            yield f"{rank} {Choices().goal_order.index(goal) + 1} z-goal-rank !"


def _next_real(rules: Rules, player: str) -> str:
    """Return the next player that is neither neutral nor random; the same one if there is none."""
    at = rules.players.index(player) + 1
    others = (*rules.players[at:], *rules.players[:at])
    return next((name for name in others if name in rules.real_players), player)

"""Writes what belongs to no single piece: passes, which blocks may run, hooks of the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.zrf.rules import AbsoluteConfig

if TYPE_CHECKING:
    from forthvm.zrf.choices import Choices
    from forthvm.zrf.compiler.geometry import Geometry
    from forthvm.zrf.compiler.goals import Goals
    from forthvm.zrf.compiler.names import Names
    from forthvm.zrf.compiler.script import Writer
    from forthvm.zrf.compiler.usage import GameUsage
    from forthvm.zrf.rules import Block, Rules

__all__ = ["Hooks"]


class Hooks:
    """The hooks and guards of one game."""

    def __init__(self, rules: Rules, names: Names, usage: GameUsage, choices: Choices) -> None:
        self._rules = rules
        self._names = names
        self._usage = usage
        self._choices = choices

    @property
    def pass_turn(self) -> str:
        """When a player may pass: true (always), forced (if there is no other move), or false."""
        value = self._rules.options.get("pass turn", "false")
        if value == "2":
            return self._choices.pass_turn_2_is
        return value if value in ("true", "forced") else "false"

    @property
    def _ranks_here(self) -> bool:
        """Whether the script applies the priorities, because the kernel would do it too late."""
        return bool(self._rules.priorities) and bool(
            self.pass_turn == "true" or self._usage.counting or self._usage.total.continues_with_any
        )

    @property
    def _may_expose(self) -> bool:
        """Whether turns may leave royal pieces attacked because the same player moves again."""
        turns = [(turn.player, turn.side) for turn in self._rules.turns]
        # Which turns follow each other depends on who has dropped out; a last turn that is repeated
        # follows itself.
        in_a_row = len(set(turns)) < len(turns) or self._rules.repeat == len(turns) - 1
        return in_a_row and len(set(turns)) > 1 and not self._choices.safety_between_turns

    @property
    def _may_stop(self) -> bool:
        """Whether a player may stop a series of partial moves."""
        return self._rules.options.get("pass partial") == "true" and self._usage.total.partial

    @property
    def adds_passes(self) -> bool:
        """Whether words for passes are among those for drops."""
        return self.pass_turn == "true" or self._may_stop

    def move_guard(self, block: Block) -> tuple[str, ...]:
        """Return the lines that decide whether a block of moves may run."""
        lines = []
        if self._usage.total.partial:
            lines.append("z-may-run? verify")
        if self._continues_only(block):
            lines.append("z-typed? verify")
        return tuple(lines)

    def drop_guard(self, block: Block, geometry: Geometry) -> tuple[str, ...] | None:
        """Return the lines that decide whether a block of drops may run; None: it never may."""
        lines = []
        if block.starts is None:
            if geometry.shown < len(geometry.order) and not self._choices.drops_on_dummies:
                lines.append(f"from {geometry.shown} < verify")
            if block.start_zone:
                if ("zone", block.start_zone) not in self._names:
                    return None
                lines.append(f"from {self._names['zone', block.start_zone]} verify")
        elif not block.starts:
            return None
        else:
            tests = [f"from {self._names['position', name]} =" for name in block.starts]
            lines.append(" ".join([tests[0], *(f"{test} OR" for test in tests[1:])]) + " verify")
        if self._usage.total.partial:
            lines.append("$partial @ NOT verify")
        if self._continues_only(block):
            lines.append("z-typed? verify")
        lines.append("z-in-store? verify")
        return tuple(lines)

    def _continues_only(self, block: Block) -> bool:
        """Return whether a block may not start the turn of an entry without a type."""
        rules, kind = self._rules, block.move_type
        if rules.priorities:
            return bool(kind) and kind not in rules.priorities
        if self._choices.continuation_types_start_a_turn:
            return False
        continues = kind in self._usage.total.continuations
        return continues and all(turn.move_type != kind for turn in rules.turns)

    def passes(self) -> list[tuple[str, str]]:
        """Return the words that add passes, for each type of moves."""
        words = []
        kinds = ["", *self._rules.move_types]
        if self.pass_turn == "true":
            words += [("z-pass", kind) for kind in kinds]
        if self._may_stop:
            words += [("z-stop", kind) for kind in kinds]
        return words

    def write_words(self, out: Writer, geometry: Geometry) -> None:
        """Write the words that blocks need: those for attacks, and the royal types."""
        self._write_goal_positions(out)
        if self._ranks_here or self._usage.counting or self._may_stop:
            out.line("LOAD zrf-filters.4th")
        if self._ranks_here:
            out.line("z-take-ranks")
        if not self._usage.asks_for_attacks:
            return
        # A bystander is a player whose pieces attack nothing.
        bystander = "0" if self._choices.neutral_pieces_attack else "#Neutral"
        out.line(f"{bystander} CONSTANT #z-bystander")
        out.line("LOAD zrf-attacks.4th")
        if not self._choices.safety_after_each_part:
            out.line("z-guarding-parts OFF")
        for player, piece in self._usage.royals:
            out.line(f"{self._names['player', player]} {self._names['piece', piece]} z-royal")
        flags = self._names.of_kind("flag")
        if flags:
            out.line(f"{{scratch {len(flags)} [] z-kept-flags[] scratch}}")
            keep = [f"{flag} @ {at} z-kept-flags[] !" for at, flag in enumerate(flags)]
            restore = [f"{at} z-kept-flags[] @ {flag} !" for at, flag in enumerate(flags)]
            for verb, lines in (("keep", keep), ("restore", restore)):
                out.line(f": z-{verb}-own-flags ( -- )")
                with out.indented():
                    for line in lines:
                        out.line(line)
                out.line(";")
                out.line(f"' z-{verb}-own-flags IS z-{verb}-flags")

    def _write_goal_positions(self, out: Writer) -> None:
        """Enter the positions of the goals `absolute-config`; zones count for the side."""
        if not self._usage.total.goal_positions:
            return
        parts = self._rules.goal_conditions()
        goals = [part for part in parts if isinstance(part, AbsoluteConfig)]
        for name in dict.fromkeys(name for goal in goals for name in goal.positions):
            out.line(f"{self._names['position', name]} z-is-goal")
        for name in dict.fromkeys(name for goal in goals for name in goal.zones):
            word = self._names["zone", name]
            out.line(": z-goal-position? ( pos -- ? )")
            out.line(f"    DUP z-goal-position? SWAP {word} OR ;")

    def write_hooks(self, out: Writer, geometry: Geometry, goals: Goals) -> None:
        """Write the hooks of the turn."""
        note = ["z-note-position"] if goals.counts_positions else []
        before_list = [*note] if goals.is_crowd else []
        before_list += ["z-set-side"] if geometry.sides_differ else []
        if self._usage.asks_for_attacks:
            before_list.append("z-forget-dangers")
        if self._usage.royals and self._may_expose:
            before_list.append("z-guard-at-last")
        if before_list:
            out.line(f": OnGenerateMoves ( -- ) {' '.join(before_list)} ;")
        filters = ["z-keep-ranked"] if self._ranks_here else []
        filters += ["z-keep-longest"] if self._usage.counting else []
        filters += ["z-keep-stop"] if self._may_stop else []
        if filters:
            out.line(f": OnMovesGenerated ( -- ) {' '.join(filters)} ;")
        # Debuggers stop first where a hook begins: at the turn order.
        out.line(": OnNextTurn ( -- )", self._rules.turns[0].origin)
        with out.indented():
            out.line("current-player z-mover !")
            if self._usage.total.partial:
                out.line("z-piece-square OFF")
            if self._usage.total.last:
                out.line("z-forget-last")
            if goals.is_crowd:
                out.line(" ".join(["z-next-turn", *note, "z-settle"]))
            else:
                out.line(" ".join(["OnNextTurn", *note]))
                if goals.skips_chance and self.pass_turn == "false":
                    out.line("z-skip-random")
        out.line(";")

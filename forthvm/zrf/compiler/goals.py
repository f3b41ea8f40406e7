"""Translates the goals of a game to the hook OnIsGameOver.

Owns the order in which goals are asked, and the meaning of a goal for the player to move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.zrf.compiler.goal_texts import goal_text
from forthvm.zrf.rules import (
    AbsoluteConfig,
    AndGoal,
    CaptureCount,
    Captured,
    Checkmated,
    NotGoal,
    OrGoal,
    PiecesRemaining,
    RelativeConfig,
    Repetition,
    Stalemated,
    TotalPieceCount,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.zrf.choices import Choices
    from forthvm.zrf.compiler.geometry import Geometry
    from forthvm.zrf.compiler.names import Names
    from forthvm.zrf.compiler.script import Writer
    from forthvm.zrf.compiler.usage import GameUsage
    from forthvm.zrf.rules import Goal, GoalCondition, Occupant, Rules
    from forthvm.zrf.source import Origin

__all__ = ["Goals"]

_FIRST_GOAL = 5
"""The number of the first goal in z-goal; zrf-goals.4th owns the smaller numbers."""


class Goals:
    """The goals of one game.

    A goal is a word ( player -- ? ) that asks from the view of a player.
    """

    def __init__(
        self,
        rules: Rules,
        names: Names,
        geometry: Geometry,
        usage: GameUsage,
        choices: Choices,
    ) -> None:
        self._rules = rules
        self._names = names
        self._geometry = geometry
        self._usage = usage
        self._choices = choices
        self._counts_stores = rules.options.get("include off-pieces") == "true"
        self._real = rules.real_players
        self._words: list[tuple[Goal, str]] = []
        self._patterns: dict[RelativeConfig, str] = {}

    def write(self, out: Writer) -> None:
        """Write a word for each goal, then the hook."""
        for goal in self._rules.goals:
            for part in goal.conditions():
                if isinstance(part, RelativeConfig) and part not in self._patterns:
                    pattern = self._patterns[part] = self._names.new("pattern?")
                    out.line(f": {pattern} ( -- ? )", goal.origin)
                    out.line(f"    {self._relative(part)} ;", goal.origin)
            word = self._names.new(f"{goal.kind}?")
            out.line(f": {word} ( player -- ? )", goal.origin)
            with out.indented():
                out.line("z-viewer !", goal.origin)
                for line in self._lines(goal.condition, goal.kind):
                    out.line(line, goal.origin)
            out.end_of_definition()
            self._words.append((goal, word))
        self._write_causes(out)
        if self.is_crowd:
            self._write_settling(out)
            out.line(": z-begin-game ( -- ) z-idle? IF current-player z-mover ! z-settle ENDIF ;")
            out.line(": OnIsGameOver ( -- result )")
            out.line("    z-over @ IF z-cause @ z-explain ENDIF z-crowd-result ;")
            return
        if any(self._may_make_lists(goal) for goal in self._rules.goals):
            out.line(": z-explains ( -- )")
            out.line(
                "    z-verdict @ #UnknownScore = IF z-goal @ ELSE z-reason @ ENDIF z-explain ;"
            )
            out.line("' z-explains IS z-explain-early")
        if self.skips_chance:
            out.line(": z-begin-game ( -- ) z-skip-random ;")
        first = next((goal.origin for goal in self._rules.goals), None)
        out.line(": OnIsGameOver ( -- result )", first)  # here debuggers stop first
        with out.indented():
            out.line("z-note-first z-no-result" if self.counts_positions else "z-no-result")
            out.line("z-turn-is-over? IF")
            with out.indented():
                for line, origin in self._verdicts(""):
                    out.line(line, origin)
                if self._draws_by_repetition:
                    out.line("#z-repeated z-goal ! z-repetition? IF #DrawScore 7 z-judge ENDIF")
                out.line("#z-no-move z-goal ! stalemate? IF #DrawScore 7 z-judge ENDIF")
            out.line("ENDIF")
            out.line("z-verdict @ DUP #UnknownScore <> IF z-reason @ z-explain ENDIF")
        out.line(";")

    def _write_causes(self, out: Writer) -> None:
        """Write the word that says which goal has ended the game, as the result comment."""
        out.line(": z-explain ( n -- )")
        with out.indented():
            for number, (goal, _) in enumerate(self._words, start=_FIRST_GOAL):
                out.line(f'DUP {number} = IF ^" {goal_text(goal)}" ENDIF', goal.origin)
            out.line("z-explain-other")
        out.line(";")

    @property
    def skips_chance(self) -> bool:
        """Whether turns of random players without a move are skipped one by one."""
        chance = any(turn.player.startswith("?") for turn in self._rules.turns)
        return chance and self._choices.random_players_skip and not self.is_crowd

    @property
    def is_crowd(self) -> bool:
        """Whether players may drop out, or their turns may be skipped."""
        real, choices = len(self._real), self._choices
        return real >= min(3, choices.players_for_elimination, choices.real_players_for_skip)

    @property
    def _draws_by_repetition(self) -> bool:
        """Whether the third occurrence of a position is a draw."""
        wanted = self._choices.third_occurrence_is_a_draw and not self._asks_repetition()
        return wanted and len(self._real) > 1 and self._usage.can_repeat

    @property
    def counts_positions(self) -> bool:
        """Whether it matters how often a position has occurred."""
        return self._draws_by_repetition or (self._asks_repetition() and self._usage.can_repeat)

    def _write_settling(self, out: Writer) -> None:
        """Write the word that works out, after a turn, who drops out and who has won."""
        real = [self._names["player", name] for name in self._real]
        left = " ".join(f"{name} z-last-left" for name in real)
        out.line(f": z-check-left ( -- ) z-begin-left {left} z-end-left ;")
        out.line(": z-settle ( -- )")
        with out.indented():
            out.line(f"{len(self._rules.turns)} z-skips !")
            out.line("BEGIN")
            with out.indented():
                out.line("z-begin-crowd")
                if self._asks_moves():
                    out.line("z-generate")
                for line, origin in self._verdicts("crowd-"):
                    out.line(line, origin)
                if self._draws_by_repetition:
                    out.line("#z-repeated z-goal ! z-repetition? z-crowd-drawn")
                if self._asks_moves():
                    out.line("$DeallocateMoves")
                everyone = " ".join(f"{name} z-drop-out" for name in real)
                # The order of goals that hold at once: contract, section 16, item 16.
                out.line("2 z-goal-rank @ z-end-below z-mover @ z-drop-out z-check-left")
                out.line(f"4 z-goal-rank @ z-end-below {everyone} z-check-left 1000 z-end-below")
                out.line("z-over @ 0= current-player z-out? AND IF z-next-turn ENDIF")
                if self._stuck:
                    out.line(f"{self._stuck} IF z-skips OFF ENDIF")
                out.line("z-losers @ IF TRUE ELSE z-skip-turn ENDIF")
            out.line("z-over @ 0= AND NOT UNTIL")
        out.line(";")

    @property
    def _stuck(self) -> str:
        """Words ( -- ? ): is it a draw if the player to move has no move?  "": it never is."""
        real = len(self._real) >= self._choices.real_players_for_skip
        chance = self._choices.random_players_skip
        words = {
            (True, True): "",
            (True, False): "current-player z-chance?",
            (False, True): "current-player z-chance? NOT",
            (False, False): "TRUE",
        }
        return words[real, chance]

    def _asks_moves(self) -> bool:
        """Return whether a goal depends on the legal moves."""
        return any(
            isinstance(part, Stalemated | Checkmated) for part in self._rules.goal_conditions()
        )

    # --- the result ---------------------------------------------------------------------

    def _verdicts(self, prefix: str) -> Iterator[tuple[str, Origin | None]]:
        """Yield a line for each goal and player, with the origin of the goal."""
        numbered = enumerate(self._words, start=_FIRST_GOAL)
        for number, (goal, word) in sorted(
            numbered, key=lambda one: self._may_make_lists(one[1][0])
        ):
            yield f"{number} z-goal !", goal.origin
            for line in self._verdict(goal, word, prefix):
                yield line, goal.origin

    @staticmethod
    def _may_make_lists(goal: Goal) -> bool:
        """Return whether z-all-stalemated? asks the goal: then it is asked after all others."""
        return goal.kind == "count" and any(
            isinstance(part, Stalemated) for part in goal.conditions()
        )

    def _verdict(self, goal: Goal, word: str, prefix: str) -> Iterator[str]:
        """Yield lines that ask a goal for its players; the library keeps the best verdict."""
        if goal.kind == "count":
            yield from self._count(goal, word, prefix)
        elif goal.kind == "draw":
            for asked in self._asked(goal, word, prefix):
                yield f"{asked} z-{prefix}drawn"
        elif goal.players:
            for name in goal.players:
                yield from self._verdict_of(goal, self._names["player", name], word, prefix, name)
        else:  # of random players only those count that a goal lists (statement 73)
            verdict = f"z-last-mover DUP {word} z-{prefix}{self._verb(goal, prefix)}"
            yield f"z-last-mover z-chance? NOT IF {verdict} ENDIF" if self._has_chance else verdict

    def _verdict_of(
        self, goal: Goal, player: str, word: str, prefix: str, name: str
    ) -> Iterator[str]:
        """Yield lines that ask a goal for a player whom it lists.

        The goal of a player without turns is the verdict of the mover (statement 73).
        """
        contests = self._verb(goal, prefix)
        random = self._verb(goal, prefix, contestant=len(self._real) == 1)
        if name in self._real or any(turn.player == name for turn in self._rules.turns):
            if verb := contests if name in self._real else random:
                yield f"{player} DUP {word} z-{prefix}{verb}"
            return
        verdict = f"z-last-mover {player} {word} z-{prefix}"
        if not self._has_chance or contests == random:
            yield f"{verdict}{contests}"
            return
        other = f" ELSE {verdict}{random}" if random else ""
        yield f"z-last-mover z-chance? NOT IF {verdict}{contests}{other} ENDIF"

    @property
    def _has_chance(self) -> bool:
        """Whether a player who moves last may be a random one."""
        return any(turn.player not in self._real for turn in self._rules.turns)

    def _verb(self, goal: Goal, prefix: str, *, contestant: bool = True) -> str:
        """Return the end of the word for a win or loss of a player; "" if it has no effect."""
        if goal.kind == "win":
            return "won" if contestant else "chance-won"
        if not contestant:
            return ""
        eliminated = len(self._real) >= self._choices.players_for_elimination
        return "ended" if prefix and not eliminated else "lost"

    def _asked(self, goal: Goal, word: str, prefix: str) -> Iterator[str]:
        """Yield words ( -- ? ) that ask a goal of a draw or a count for each of its players."""
        players = goal.players or self._real
        if not prefix and isinstance(goal.condition, Repetition | TotalPieceCount):
            players = players[:1]  # the answer is the same for all
        for name in players:
            asked = f"['] {word} z-asked?" if prefix else word
            yield f"{self._names['player', name]} {asked}"

    def _count(self, goal: Goal, word: str, prefix: str) -> Iterator[str]:
        asked = " ".join(f"{asked} OR" for asked in self._asked(goal, word, prefix))
        yield f"FALSE {asked} IF"
        compare = "z-compare-all" if self._counts_stores else "z-compare"
        real = " ".join(f"{self._names['player', name]} {compare}" for name in self._real)
        yield f"    z-begin-count {real}"
        yield "    z-crowd-count" if prefix else "    z-end-count"
        yield "ENDIF"

    def _asks_repetition(self) -> bool:
        return any(isinstance(part, Repetition) for part in self._rules.goal_conditions())

    # --- conditions -------------------------------------------------------------------

    def _lines(  # noqa: C901, PLR0912 - a table
        self, condition: GoalCondition, kind: str
    ) -> Iterator[str]:
        """Yield lines that leave the flag of a goal's condition for the player in z-viewer."""
        match condition:
            case OrGoal(conditions=parts) | AndGoal(conditions=parts):
                word = "OR" if isinstance(condition, OrGoal) else "AND"
                for at, part in enumerate(parts):
                    yield from self._lines(part, kind)
                    if at:
                        yield word
                if not parts:
                    yield "FALSE" if word == "OR" else "TRUE"
            case NotGoal(condition=inner):
                yield from self._lines(inner, kind)
                yield "NOT"
            case Stalemated():
                yield "z-all-stalemated?" if kind == "count" else "z-stalemated?"
            case Repetition():
                yield "z-repetition?" if self._usage.can_repeat else "FALSE"
            case PiecesRemaining(count=count, piece=piece):
                word = self._counted(piece)
                stores = f" {word} z-viewer @ z-store-count +" if self._counts_stores else ""
                yield f"{word} z-own-count{stores} {count} ="
            case TotalPieceCount(count=count, piece=piece):
                word = self._counted(piece)
                stores = f" {word} z-all-stores +" if self._counts_stores else ""
                yield f"{word} z-total-count{stores} {count} ="
            case CaptureCount(comparison=comparison, count=count, piece=piece):
                yield f"{self._counted(piece)} z-own-captures {count} {comparison}"
            case AbsoluteConfig():
                yield from self._absolute(condition)
            case RelativeConfig():
                yield f"['] {self._patterns[condition]} z-somewhere?"
            case Captured(pieces=()):
                yield "FALSE"
            case Captured(pieces=pieces):
                for at, piece in enumerate(pieces):
                    yield f"{self._names['piece', piece]} z-captured?{' OR' if at else ''}"
            case Checkmated(pieces=pieces):
                yield self._mated(pieces)

    def _mated(self, pieces: tuple[str, ...]) -> str:
        """Return words ( -- ? ): is the viewer checkmated in pieces of these types?"""
        parts = self._rules.goal_conditions()
        royal = {piece for part in parts if isinstance(part, Checkmated) for piece in part.pieces}
        if royal == set(pieces):
            return "z-mated?"
        asked = [f"{self._names['piece', piece]} z-type-in-check?" for piece in pieces]
        text = " ".join([asked[0], *(f"{words} OR" for words in asked[1:])])
        return f"z-no-moves? IF {text} ELSE FALSE ENDIF"

    def _counted(self, piece: str) -> str:
        return self._names["piece", piece] if piece else "0"

    def _absolute(self, goal: AbsoluteConfig) -> Iterator[str]:
        """Each position must hold one of the occupants, and at least one position of each zone."""
        parts = 0
        for name in goal.positions:
            yield f"{self._names['position', name]} {self._occupied(goal.occupants)}"
            if parts:
                yield "AND"
            parts += 1
        for name in goal.zones:
            yield "FALSE"
            zones = [zone for zone in self._rules.board.zones if zone.name == name]
            for player in self._rules.players:
                places = [
                    place
                    for zone in zones
                    if not zone.players or player in zone.players
                    for place in zone.positions
                ]
                if places:
                    yield f"{self._names['player', player]} z-viewer @ = IF"
                    for place in dict.fromkeys(places):
                        word = self._names["position", place]
                        yield f"    {word} {self._occupied(goal.occupants)} OR"
                    yield "ENDIF"
            if parts:
                yield "AND"
            parts += 1
        if not parts:
            yield "FALSE"

    def _occupied(self, occupants: tuple[Occupant, ...]) -> str:
        """Return words ( pos -- ? ): does the position hold one of the occupants?"""
        if len(occupants) == 1:
            return self._occupant(occupants[0])
        words = ["FALSE"]
        for occupant in occupants:
            words.append(f"OVER {self._occupant(occupant)} OR")
        return " ".join([*words, "SWAP DROP"])

    def _occupant(self, occupant: Occupant) -> str:
        word = {"own": "z-own-at?", "opponent": "z-opponent-at?", "any": "z-any-at?"}
        text = f"{self._names['piece', occupant.piece]} {word[occupant.whose]}"
        return f"{text} NOT" if occupant.negated else text

    def _relative(self, goal: RelativeConfig) -> str:
        """Return words ( -- ? ): does the pattern fit at the cursor?  They may move the cursor."""
        text = "TRUE"
        for step in reversed(goal.steps):
            if isinstance(step, str):
                question = self._names["direction", step]
            else:
                question = f"here {self._occupied((step,))}"
            text = question if text == "TRUE" else f"{question} IF {text} ELSE FALSE ENDIF"
        return text

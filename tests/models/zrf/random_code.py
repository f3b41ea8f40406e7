"""Random move code and goals for `random_games.py`.

It knows the language of the contract but not what the code does.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

__all__ = ["CodeWriter", "Vocabulary"]


@dataclass(frozen=True)
class Vocabulary:
    """The names that code may use."""

    directions: list[str]
    positions: list[str]
    pieces: list[str]
    players: list[str]
    zones: list[str]
    attributes: list[str]
    types: list[str]
    flags: list[str] = field(default_factory=lambda: ["seen", "done"])


class CodeWriter:
    """Writes blocks, conditions and goals; `macros` are the definitions that the blocks use."""

    def __init__(
        self,
        chance: random.Random,
        words: Vocabulary,
        features: frozenset[str],
        *,
        only_jumps_go_on: bool,
    ) -> None:
        self.chance, self.words, self.features = chance, words, features
        self.only_jumps_go_on = only_jumps_go_on
        self.macros: list[str] = []
        if "macros" in features:
            self._define_macros()

    def one(self, names: list[str]) -> str:
        return self.chance.choice(names)

    def has(self, feature: str) -> bool:
        return feature in self.features

    def some(self, probability: float, write: Callable[[], str]) -> str:
        """The text with a probability, else nothing."""
        return write() if self.chance.random() < probability else ""

    def pick(self, choices: list[tuple[str, Callable[[], str]]]) -> str:
        """The text of one of the choices whose feature the game may have ("" is always there)."""
        open_ones = [write for feature, write in choices if not feature or self.has(feature)]
        return self.chance.choice(open_ones)()

    # --- names ----------------------------------------------------------------------------

    def constant(self) -> str:
        return self.one(["true", "false"])

    def direction(self) -> str:
        return self.one(self.words.directions)

    def place(self) -> str:
        """A direction or a position as the last argument of a condition or effect."""
        if self.has("positions") and self.chance.random() < 0.3:
            return self.one(self.words.positions)
        return self.direction()

    def at(self) -> str:
        """Nothing, or a place with a blank before it."""
        return self.some(0.5, lambda: f" {self.place()}")

    def piece(self) -> str:
        return self.one(self.words.pieces)

    # --- conditions -----------------------------------------------------------------------

    def condition(self, depth: int = 2) -> str:
        negated = "not-" if self.chance.random() < 0.3 else ""
        compound: list[tuple[str, Callable[[], str]]] = [
            ("", lambda: f"(and {self.condition(depth - 1)} {self.condition(depth - 1)})"),
            ("", lambda: f"(or {self.condition(depth - 1)} {self.condition(depth - 1)})"),
            ("", lambda: f"(not {self.condition(depth - 1)})"),
        ]
        if depth > 0 and self.chance.random() < 0.25:
            return self.pick(compound)
        return self.pick(self._tests(negated))

    def _tests(self, negated: str) -> list[tuple[str, Callable[[], str]]]:
        def plain(name: str) -> Callable[[], str]:
            return lambda: self.test(f"{negated}{name}")

        tests: list[tuple[str, Callable[[], str]]] = [
            *[("", plain(name)) for name in ("empty?", "friend?", "enemy?") for _ in range(3)],
            ("", plain("on-board?")),
            ("", lambda: self.test(f"{negated}piece?", self.piece())),
            ("", self.constant),
            ("neutral", plain("neutral?")),
            ("marks", plain("marked?")),
            ("", plain("last-from?")),
            ("", plain("last-to?")),
            ("attacks", plain("attacked?")),
            ("attacks", plain("defended?")),
            ("patterns", plain("goal-position?")),
            ("", plain("adjacent-to-enemy?")),
            ("positions", lambda: self.test(f"{negated}position?", self.one(self.words.positions))),
            ("flags", lambda: f"({negated}flag? {self.one(self.words.flags)})"),
            ("flags", lambda: self.test(f"{negated}position-flag?", self.one(self.words.flags))),
        ]
        if self.words.zones:
            zone = self.one(self.words.zones)
            tests += [("zones", lambda: self.test(f"{negated}in-zone?", zone))] * 2
        if self.words.attributes:
            name = self.one(self.words.attributes)
            tests += [("", lambda: self.test(name))] * 2
        if self.words.types:
            kind = self.one(self.words.types)
            tests.append(("attacks", lambda: self.test(f"{negated}attacked?", kind)))
        return tests

    def test(self, name: str, argument: str = "") -> str:
        words = " ".join(filter(None, [name, argument])) + self.at()
        return f"({words})" if " " in words else words

    # --- instructions ---------------------------------------------------------------------

    def effect(self) -> str:
        """An effect, or nothing if the game may have none."""
        return self.pick(
            [
                ("captures", lambda: self.with_place("capture")),
                ("captures", lambda: self.with_place("capture")),
                ("create", self._create),
                ("change-type", lambda: f"(change-type {self.piece()}{self.at()})"),
                ("change-owner", lambda: self.with_place("change-owner")),
                ("flip", lambda: self.with_place("flip")),
                ("attributes", self._set_attribute),
                ("flags", self._set_flag),
                ("", lambda: ""),
            ]
        )

    def with_place(self, name: str) -> str:
        place = self.at()
        return f"({name}{place})" if place else name

    def _create(self) -> str:
        player = self.some(0.3, lambda: f" {self.one(self.words.players)}")
        piece = self.some(0.5, lambda: f" {self.piece()}")
        place = self.at()
        return f"(create{player}{piece}{place})" if player + piece + place else "create"

    def _set_attribute(self) -> str:
        if not self.words.attributes:
            return ""
        name = self.one(self.words.attributes)
        value = self.constant() if self.chance.random() < 0.7 else self.condition(1)
        return f"(set-attribute {name} {value}{self.at()})"

    def _set_flag(self) -> str:
        flag = self.one(self.words.flags)
        value = self.constant() if self.chance.random() < 0.5 else self.condition(1)
        if self.chance.random() < 0.5:
            return f"(set-flag {flag} {value})"
        return f"(set-position-flag {flag} {value}{self.at()})"

    def go(self) -> str:
        """An instruction that moves the cursor or remembers it."""
        return self.pick(
            [
                *[("", self.direction)] * 6,
                ("positions", lambda: self.one(self.words.positions)),
                ("", lambda: f"(opposite {self.one(['n', 's', 'e', 'w'])})"),
                ("marks", lambda: self.with_place("mark")),
                ("marks", lambda: "back"),
                ("marks", lambda: f"(go {self.one(['from', 'to', 'mark'])})"),
                ("", lambda: f"(go {self.one(['last-from', 'last-to'])})"),
                ("cascade", lambda: "to"),
                ("cascade", lambda: "from"),
                ("cascade", lambda: "cascade"),
                ("macros", self.call),
            ]
        )

    def instruction(self) -> str:
        return self.pick(
            [
                *[("", self.go)] * 3,
                *[("", self.effect)] * 2,
                ("", lambda: f"(verify {self.condition()})"),
                ("", self._if),
                ("", self._while),
                ("", self.add),
            ]
        )

    def _if(self) -> str:
        then = f"{self.go()} {self.effect()}"
        otherwise = self.some(0.5, lambda: f" else {self.effect()} {self.go()}")
        return f"(if {self.condition()} {then}{otherwise})"

    def _while(self) -> str:
        condition = self.one(["empty?", "not-enemy?", f"(on-board? {self.direction()})"])
        if self.chance.random() < 0.3:
            condition = self.condition(1)
        inside = self.some(0.3, self.effect)
        return f"(while {condition} {inside} {self.some(0.4, self.add)} {self.direction()})"

    def add(self) -> str:
        promotion = ""
        if self.has("promotions") and self.chance.random() < 0.2:
            count = self.chance.randint(1, 2)
            promotion = " ".join(self.chance.sample(self.words.pieces, count))
        copy = "-copy" if self.has("copies") and self.chance.random() < 0.1 else ""
        if self.has("partial") and not self.only_jumps_go_on and self.chance.random() < 0.15:
            kind = self.one([*self.words.types, "", "never"])
            return self.form(f"add{copy}-partial", promotion, kind)
        return self.form(f"add{copy}", promotion)

    def form(self, *words: str) -> str:
        text = " ".join(filter(None, words))
        return f"({text})" if " " in text else text

    # --- blocks ---------------------------------------------------------------------------

    def move_block(self) -> str:
        """A block of `moves`: a usual shape with extras, or random code."""
        return self._tidy(
            self.pick(
                [
                    *[("", self._step)] * 3,
                    *[("", self._slide)] * 2,
                    ("captures", self._jump),
                    ("cascade", self._push),
                    *[("", self._random_code)] * 2,
                    ("macros", lambda: f"{self.call()} {self.add()}"),
                ]
            )
        )

    def drop_block(self) -> str:
        """A block of `drops`."""
        start = self.pick(
            [
                *[("", lambda: "")] * 4,
                ("positions", lambda: self.one(self.words.positions)),
                ("zones", lambda: self.one(self.words.zones or [""])),
            ]
        )
        check = self.one(["(verify empty?)", f"(verify {self.condition(1)})"])
        rest = self.some(0.3, self.effect) + " " + self.some(0.15, self.go)
        return self._tidy(f"{start} {check} {rest} {self.add()}")

    def _tidy(self, text: str) -> str:
        return f"({' '.join(text.split())})"

    def extra(self) -> str:
        return self.some(0.3, self.effect) + " " + self.some(0.2, self._verify)

    def _verify(self) -> str:
        return f"(verify {self.condition()})"

    def _step(self) -> str:
        target = self.one(["empty?", "not-friend?", "enemy?", self.condition(1)])
        return f"{self.extra()} {self.direction()} (verify {target}) {self.extra()} {self.add()}"

    def _slide(self) -> str:
        d = self.direction()
        inside = self.some(0.3, self.effect)
        end = self.some(0.6, lambda: f"(verify enemy?) {self.extra()} {self.add()}")
        return f"{self.extra()} {d} (while empty? {inside} {self.add()} {d}) {end}"

    def _jump(self) -> str:
        d = self.direction()
        add = self.form("add-partial", self.one([*self.words.types, ""]))
        if not self.has("partial"):
            add = "add"
        return f"{d} (verify enemy?) capture {d} (verify empty?) {self.extra()} {add}"

    def _push(self) -> str:
        d = self.direction()
        other = self.one(["not-empty?", "enemy?", "friend?"])
        return f"{d} (verify {other}) cascade {d} (verify empty?) {self.extra()} {self.add()}"

    def steps_both_ways(self) -> list[str]:
        """Two blocks that let a piece go to and fro, so that the game does not end at once."""
        there = self.one(["n", "e"])
        back = {"n": "s", "e": "w"}[there]
        target = self.one(["empty?", "not-friend?"])
        return [f"({d} (verify {target}) {self.one(['add', self.add()])})" for d in (there, back)]

    def _random_code(self) -> str:
        code = [self.instruction() for _ in range(self.chance.randint(2, 6))]
        return " ".join([*code, self.add()])

    # --- macros ---------------------------------------------------------------------------

    def _define_macros(self) -> None:
        """Macros with a direction `$1`, a piece type `$2` that calls may leave out, and a call."""
        bodies = [
            f"$1 (verify (not-piece? $2)) {self.some(0.5, self.effect)}",
            "(while (empty? $1) $1 " + self.one(["", "add"]) + ")",
            f"(if (enemy? $1) (change-type $2) else $1) {self.some(0.5, self._verify)}",
            f"(mark $1) (set-flag {self.one(self.words.flags)} (friend? $1)) back",
        ]
        if not self.has("change-type"):
            bodies[2] = "(if (enemy? $1) (capture $1) else $1)"
        self.chance.shuffle(bodies)
        self.macros = [f"(define m{i} {body})" for i, body in enumerate(bodies)]
        # `(m0 …)` and `(m$3 …)` take their `$2` from the call of `both`, `(m1)` takes `$1` as well.
        self.macros.append(f"(define both (m0 {self.direction()}) (m$3 $1) (m1))")

    def call(self) -> str:
        if self.chance.random() < 0.3:
            return f"(both {self.direction()} {self.piece()} {self.chance.randint(0, 3)})"
        piece = self.some(0.5, lambda: f" {self.piece()}")
        return f"(m{self.chance.randint(0, 3)} {self.direction()}{piece})"

    # --- goals ----------------------------------------------------------------------------

    def goal(self) -> str:
        return self.pick(
            [
                ("", lambda: "stalemated"),
                ("", lambda: "repetition"),
                ("checkmated", lambda: f"(checkmated {self.piece()})"),
                ("", lambda: f"(captured {self.piece()})"),
                ("", self.counting_goal),
                ("", self.counting_goal),
                ("patterns", self.pattern),
                ("patterns", lambda: f"(and {self.pattern()} {self.counting_goal()})"),
                ("patterns", lambda: f"(or {self.pattern()} {self.pattern()})"),
            ]
        )

    def counting_goal(self) -> str:
        number = self.chance.choice((0, 0, 1))
        piece = self.some(0.15, lambda: f" {self.piece()}")
        if self.chance.random() < 0.2:
            return f"(capture-count {self.one(['>=', '>', '='])} {number + 2}{piece})"
        if self.chance.random() < 0.3:
            return f"(total-piece-count {number + 1}{piece})"
        return f"(pieces-remaining {number}{piece})"

    def occupant(self) -> str:
        piece = self.piece()
        return self.one(
            [piece, piece, f"(opponent {piece})", f"(any-owner {piece})", f"(not {piece})"]
        )

    def pattern(self) -> str:
        if self.chance.random() < 0.5:
            places = self.chance.sample(self.words.positions, 2) + self.words.zones[:1]
            return f"(absolute-config {self.piece()} {self.occupant()} ({' '.join(places)}))"
        d = self.direction()
        steps = [self.occupant(), d, self.piece(), d, self.piece()]
        return f"(relative-config {' '.join(steps)})"

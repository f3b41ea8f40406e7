"""Random programs with control flow, as syntax trees with ForthScript text and expected output.

Owns the generator, the conversion to ForthScript and the interpreter of the trees; must not import
forthvm.  Every program changes one variable `v` and prints.  Loops are bounded, and the interpreter
stops programs that run too long.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

from tests.vm.vm_model import wrap

__all__ = ["PRELUDE", "Machine", "Program", "TooLongError", "programs"]

PRELUDE = "VARIABLE v VARIABLE fuel : burn ( -- ? ) fuel -- fuel @ 0< ; : say v @ . ;"
"""Defines `burn`, which subtracts 1 from fuel and returns whether fuel has run out."""
LIMIT = 3000  # maximum number of statements that a program may run


class TooLongError(Exception):
    """The program exceeded the limit of statements."""


class _ExitError(Exception):
    """EXIT was executed."""


@dataclass
class Loop:
    """A running DO loop; after LEAVE the current iteration is the last one."""

    index: int
    leaving: bool = False


@dataclass
class Machine:
    """State of the model."""

    v: int = 0  # the variables v and fuel of PRELUDE
    fuel: int = 0
    printed: list[str] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    words: dict[str, Block] = field(default_factory=dict)
    steps: int = 0

    def tick(self) -> None:
        """Count a statement.

        Raises:
            TooLongError: the program ran more than LIMIT statements.
        """
        self.steps += 1
        if self.steps > LIMIT:
            raise TooLongError

    def call(self, name: str) -> None:
        """Run a word, which cannot access the loops of its caller."""
        outer, self.loops = self.loops, []
        try:
            self.words[name].run(self)
        except _ExitError:
            pass
        finally:
            self.loops = outer


class Node:
    """A statement."""

    def source(self) -> str:
        """Return the ForthScript text."""
        raise NotImplementedError

    def run(self, machine: Machine) -> None:
        """Execute the statement in the model."""
        raise NotImplementedError


@dataclass(frozen=True)
class Block(Node):
    """A sequence of statements."""

    body: tuple[Node, ...]

    def source(self) -> str:
        return " ".join(node.source() for node in self.body)

    def run(self, machine: Machine) -> None:
        for node in self.body:
            machine.tick()
            node.run(machine)


@dataclass(frozen=True)
class Say(Node):
    """Prints v."""

    def source(self) -> str:
        return "say"

    def run(self, machine: Machine) -> None:
        machine.printed.append(f"{machine.v} ")


@dataclass(frozen=True)
class Add(Node):
    """v := v + n, wrapping."""

    n: int

    def source(self) -> str:
        return f"{self.n} v +!"

    def run(self, machine: Machine) -> None:
        machine.v = wrap(machine.v + self.n)


@dataclass(frozen=True)
class SayIndex(Node):
    """Prints the index of a running loop: I, J or K."""

    which: int  # 0: I, the innermost loop; 1: J; 2: K

    def source(self) -> str:
        return f"{'IJK'[self.which]} ."

    def run(self, machine: Machine) -> None:
        machine.printed.append(f"{machine.loops[-1 - self.which].index} ")


@dataclass(frozen=True)
class If(Node):
    """IF with the condition v < n."""

    n: int
    then: Block
    other: Block | None

    def source(self) -> str:
        middle = "" if self.other is None else f" ELSE {self.other.source()}"
        return f"v @ {self.n} < IF {self.then.source()}{middle} ENDIF"

    def run(self, machine: Machine) -> None:
        if machine.v < self.n:
            self.then.run(machine)
        elif self.other is not None:
            self.other.run(machine)


@dataclass(frozen=True)
class Do(Node):
    """A counted loop with at least one iteration; it ends with LOOP if step is None."""

    limit: int
    start: int
    step: int | None
    body: Block

    def source(self) -> str:
        end = "LOOP" if self.step is None else f"{self.step} +LOOP"
        return f"{self.limit} {self.start} DO {self.body.source()} {end}"

    def run(self, machine: Machine) -> None:
        step = 1 if self.step is None else self.step
        loop = Loop(self.start)
        machine.loops.append(loop)
        while True:
            machine.tick()
            self.body.run(machine)
            loop.index += step
            inside = loop.index < self.limit if step >= 0 else loop.index >= self.limit
            if loop.leaving or not inside:
                break
        machine.loops.pop()


@dataclass(frozen=True)
class Leave(Node):
    """LEAVE if v is even; the current iteration runs to its end."""

    def source(self) -> str:
        return "v @ 2 MOD 0= IF LEAVE ENDIF"

    def run(self, machine: Machine) -> None:
        if machine.v % 2 == 0:
            machine.loops[-1].leaving = True


@dataclass(frozen=True)
class Until(Node):
    """BEGIN … UNTIL, which ends when fuel has run out or v > n."""

    n: int
    body: Block

    def source(self) -> str:
        return f"BEGIN {self.body.source()} burn v @ {self.n} > OR UNTIL"

    def run(self, machine: Machine) -> None:
        while True:
            machine.tick()
            self.body.run(machine)
            machine.fuel -= 1
            if machine.fuel < 0 or machine.v > self.n:
                return


@dataclass(frozen=True)
class While(Node):
    """BEGIN … WHILE … REPEAT, which runs while there is fuel and v < n."""

    n: int
    body: Block

    def source(self) -> str:
        return f"BEGIN burn NOT v @ {self.n} < AND WHILE {self.body.source()} REPEAT"

    def run(self, machine: Machine) -> None:
        while True:
            machine.tick()
            machine.fuel -= 1
            if machine.fuel < 0 or machine.v >= self.n:
                return
            self.body.run(machine)


@dataclass(frozen=True)
class Exit(Node):
    """EXIT if v < n; allowed only outside of DO loops."""

    n: int

    def source(self) -> str:
        return f"v @ {self.n} < IF EXIT ENDIF"

    def run(self, machine: Machine) -> None:
        if machine.v < self.n:
            raise _ExitError


@dataclass(frozen=True)
class Recurse(Node):
    """RECURSE if there is fuel; `name` is the current word."""

    name: str

    def source(self) -> str:
        return "burn NOT IF RECURSE ENDIF"

    def run(self, machine: Machine) -> None:
        machine.fuel -= 1
        if machine.fuel >= 0:
            machine.call(self.name)


@dataclass(frozen=True)
class Call(Node):
    """A call of an earlier word."""

    name: str

    def source(self) -> str:
        return self.name

    def run(self, machine: Machine) -> None:
        machine.call(self.name)


small = st.integers(-8, 8)


@st.composite
def blocks(draw: st.DrawFn, depth: int, loops: int, name: str, callable_: list[str]) -> Block:
    """Return a block of the word `name`.

    `depth`: maximum nesting of statements in the block; `loops`: number of DO loops that contain
    the block; `callable_`: names of earlier words.
    """
    kinds = ["say", "add"]
    if loops:
        kinds += ["index", "leave"]
    else:
        kinds += ["exit", "recurse"]
    if callable_:
        kinds.append("call")
    if depth:
        kinds += ["if", "do", "until", "while"]
    body: list[Node] = []
    for kind in draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=4)):
        body.append(draw(_node(kind, depth, loops, name, callable_)))
    return Block(tuple(body))


@st.composite
def _node(  # noqa: C901, PLR0911, PLR0913, PLR0917 - one case per kind of statement
    draw: st.DrawFn, kind: str, depth: int, loops: int, name: str, callable_: list[str]
) -> Node:
    def inner(new_loops: int = 0) -> Block:
        return draw(blocks(depth - 1, loops + new_loops, name, callable_))

    match kind:
        case "add":
            return Add(draw(small))
        case "index":
            return SayIndex(draw(st.integers(0, min(loops, 3) - 1)))
        case "leave":
            return Leave()
        case "exit":
            return Exit(draw(small))
        case "recurse":
            return Recurse(name)
        case "call":
            return Call(draw(st.sampled_from(callable_)))
        case "if":
            return If(draw(small), inner(), inner() if draw(st.booleans()) else None)
        case "do":
            step = draw(st.sampled_from([None, None, 1, 2, 3, -1, -2, -3]))
            return Do(draw(small), draw(small), step, inner(1))
        case "until":
            return Until(draw(small), inner())
        case "while":
            return While(draw(small), inner())
    return Say()


@dataclass(frozen=True)
class Program:
    """Up to three words; the program runs the last word."""

    words: tuple[tuple[str, Block], ...]
    v: int
    fuel: int

    def source(self) -> str:
        """Return the definitions, initial values and the call."""
        lines = [f": {name} {block.source()} ;" for name, block in self.words]
        return "\n".join([*lines, f"{self.v} v ! {self.fuel} fuel ! {self.words[-1][0]}"])

    def run(self) -> Machine:
        """Run the program in the model.

        Raises:
            TooLongError: the program exceeds the limit of statements.
        """
        machine = Machine(self.v, self.fuel, words=dict(self.words))
        machine.call(self.words[-1][0])
        return machine


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Return random programs."""
    words: list[tuple[str, Block]] = []
    for i in range(draw(st.integers(1, 3))):
        name = f"word{i}"
        words.append((name, draw(blocks(3, 0, name, [earlier for earlier, _ in words]))))
    return Program(tuple(words), draw(small), draw(st.integers(0, 30)))

"""The virtual machine as Python programs use it.

This file owns the public `VM`: it puts together the native VM, the loader, the explainer
of errors, host words and output.  It must not know boards, players or moves.
"""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from .bindings import NativeVM
from .bindings.clib import weakly
from .bindings.layout import CELL, HEADER
from .budget import DEFAULT_MEMORY, Budget
from .failure import ForthVMError
from .loading.files import chosen_folder
from .loading.library import find_library
from .loading.loader import Loader
from .output import Output
from .records import Option
from .status import Status
from .value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from typing import TypeVar

    from .bindings import Snapshot
    from .error_records import Explainer
    from .hostwords import HostWords
    from .loading.library import Library
    from .loading.source import SourceTable
    from .location import Location
    from .memory import Memory
    from .output import TextStream
    from .records import ErrorRecord
    from .words.uses import Use

    _F = TypeVar("_F", bound=Callable[..., object])

__all__ = ["VM", "ScriptWarning"]

IMAGE_BYTES = 16 * 1024 * 1024
TIER_VARIABLE = "FORTHVM_TIER"
TIERS = {"interpreter": 0, "native": 1, "eager": 2}
_TRUE = -1


class ScriptWarning(Value):
    """Something doubtful that did not stop a load."""

    text: str
    location: Location | None

    def __str__(self) -> str:
        return f"{self.location}: {self.text}" if self.location else self.text


class VM:
    r"""A ForthScript virtual machine.

    Args:
        library: "axiom" for the whole library, "core" for Forth alone, None for the bare
            kernel (without even comments), or a folder with a user's own CORE.4TH and
            axiom.4th.
        axiom: Version to behave like: 140, "140-exact", 150 or 151.  None: what the user's
            library says it is, else 150.
        output: Gets printed text as the script prints it: a function or a text stream.  None:
            `sys.stdout`, with control characters made visible (`forthvm.core.visible`).
        log: Gets it instead once a script has loaded that sets `$gameLog ON`; a function or
            a text stream.
        game_log: A folder where such a script writes a new file SCRIPT.log instead.  None,
            and no `log`: `$gameLog ON` changes nothing.
        include: Further folders below which LOAD may read; it looks there last.
        budget: Limits of memory and of each run.
        seed: Starts both random streams and is what SYSTEM-TIME answers.  None: both start
            at 0, as the original's did.
        clock: What SYSTEM-TIME answers; None: the seed if given, else the time.
        checked: Report array indexes out of range and every underflow.
        tier: "native": words that run much become machine code, where the processor is one
            that forthvm knows; "interpreter": none do; "eager", for tests: all do, at once.
            None: what the environment variable FORTHVM_TIER says, else "native".  A script
            cannot tell them apart but by the clock.

    Raises:
        ForthVMError: The library cannot be loaded, a folder does not exist, or there is no
            such tier.

    A VM may be used from any thread; calls of other threads wait while it runs, except
    `interrupt`.

    >>> vm = VM(library="core")
    >>> vm.interpret(": sq DUP * ;", name="demo.4th")
    >>> vm.call("sq", 5)
    (25,)

    """

    def __init__(  # noqa: PLR0913 - keyword-only options, each of them documented
        self,
        *,
        library: str | Path | None = "axiom",
        axiom: int | str | None = None,
        output: Callable[[str], object] | TextStream | None = None,
        log: Callable[[str], object] | TextStream | None = None,
        game_log: str | Path | None = None,
        include: Sequence[str | Path] = (),
        budget: Budget | None = None,
        seed: int | None = None,
        clock: int | None = None,
        checked: bool = False,
        tier: str | None = None,
    ) -> None:
        chosen = _tier(tier)
        folders = [chosen_folder("include", folder) for folder in include]
        found = find_library(library, axiom, folders)
        self.budget = budget or Budget()
        self.native = _machine(self.budget.memory or DEFAULT_MEMORY)
        self.version = found.version
        self.checked = checked
        self.loader = Loader(self.native, folders)
        self._output = Output(output, self.native.codec.decode)
        self._output.limit = self.budget.output
        self._log = log
        self._log_folder = None if game_log is None else chosen_folder("game_log", game_log)
        self._texts = 0
        self._set_options(seed, clock)
        self.native.set_option(Option.TIER, chosen)
        self._set_hooks()
        self._load_library(found)
        self._game_words = len(found.files) > 1
        if self._game_words:
            self.native.bind()
        if seed is not None:
            self.native.seed(1, seed)
            self.native.seed(2, seed)
        self.native.run_limits = (self.budget.steps or 0, self.budget.seconds or 0.0)
        if self.budget.question_seconds is not None:
            milliseconds = max(1, int(self.budget.question_seconds * 1000))
            self.native.set_option(Option.QUESTION, milliseconds)

    def _load_library(self, library: Library) -> None:
        # With less memory or depth, loading may fail, and then it has to fail where it would.
        usual = self.budget.depth is None and self.native.memory_size() == IMAGE_BYTES
        self.loader.load_library(library, checked=self.checked, kept=usual)

    def _set_options(self, seed: int | None, clock: int | None) -> None:
        native = self.native
        native.set_option(Option.VERSION, self.version)
        native.set_option(Option.CHECKED, int(self.checked))
        if self.budget.depth is not None:
            native.set_option(Option.DEPTH, self.budget.depth)
        fixed = clock if clock is not None else seed
        if fixed is not None:
            native.set_option(Option.FIXED_CLOCK, 1)
            native.set_option(Option.CLOCK, fixed)

    def _set_hooks(self) -> None:
        # Weak, so that a VM is freed when it is dropped, and not by the cycle collector.
        host = self.native.host
        host.output = self._output.feed
        host.load = weakly(self.loader.on_load)
        host.word = weakly(self._run_host_word)
        self.native.on_error = weakly(self._explain)

    @property
    def sources(self) -> SourceTable:
        """The loaded texts, and the way from a source position to a place in them."""
        return self.loader.table

    # What most VMs never need is made, and its module imported, when it is used.

    @cached_property
    def memory(self) -> Memory:
        """The memory as a sequence of bytes."""
        from .memory import Memory

        return Memory(self.native)

    @cached_property
    def _words(self) -> HostWords:
        from .hostwords import HostWords

        return HostWords(self.native)

    @cached_property
    def _explainer(self) -> Explainer:
        from .error_records import Explainer

        return Explainer(self.native, self.sources, self.native.words)

    def _run_host_word(self, number: int) -> None:
        self._words.run(number)

    def _explain(self, record: ErrorRecord) -> ForthVMError:
        return self._explainer.explain(record)

    # --- interpreting ----------------------------------------------------------------

    @property
    def output(self) -> Callable[[str], object] | TextStream | None:
        """Where printed text goes; may be set."""
        return self._output.target

    @output.setter
    def output(self, target: Callable[[str], object] | TextStream | None) -> None:
        self._output.target = target

    def interpret(
        self, text: str | bytes, *, name: str | None = None, folder: Path | None = None
    ) -> None:
        """Interpret a text, which may leave a definition or section open for the next one.

        Args:
            text: The source; bytes are taken as they are.
            name: What error messages call it.
            folder: Where LOAD in the text looks first, as if it were a file there.

        Raises:
            ForthVMError: Something in it fails; the VM stays usable.
        """
        data = self.native.codec.encode(text) if isinstance(text, str) else text
        self._texts += 1
        title = name or f"<text {self._texts}>"
        self._read(lambda: self.loader.interpret(data.replace(b"\r\n", b"\n"), title, folder))

    def load(self, path: str | Path) -> None:
        """Load a script: a file in UTF-8, Windows-1251 or Latin-1.

        Raises:
            ScriptFileError: It cannot be read as a script.
            ForthVMError: Something in it fails.
        """
        script = Path(path)
        self._read(lambda: self.loader.load(script))
        if self._game_words and self.native.variable("$gameLog") == _TRUE:
            self._open_log(script.stem)

    def _open_log(self, title: str) -> None:
        """Send further output to the game's log, if the host wants one."""
        if self._log is not None:
            self.output = self._log
        elif self._log_folder is not None:
            from .gamelog import GameLog

            self.output = GameLog(self._log_folder, title)

    def _read(self, read: Callable[[], None]) -> None:
        """Read a text; if it fails, the cells that it left on the stack are dropped."""
        with self.native.operation():
            base = max(self.native.depth(), 0)
            try:
                read()
                self._rebind()
            except BaseException:
                self.pop_above(base)
                raise
            finally:
                self._finish_output()

    def _rebind(self) -> None:
        if self._game_words:
            self.native.bind()

    def _finish_output(self) -> None:
        exceeded = self._output.is_exceeded
        try:
            self.native.flush()
        except ForthVMError:
            if not exceeded:  # else the run that printed too much has failed already
                raise
        self._output.finish()

    def restart_output(self) -> None:
        """Reset the count of printed bytes, for the limit Budget(output=…)."""
        self._output.restart()

    def call(self, word: str | int, *args: int) -> tuple[int, ...]:
        """Run a word.

        Args:
            word: Its name, or its execution token.
            args: Cells to push first, the top last.

        Returns:
            What the word left on the stack above what was there before the arguments.

        Raises:
            UndefinedWord: There is no such word.
            ForthVMError: It failed; the arguments are gone too.
        """
        native = self.native
        with native.operation():
            cfa = self.token(word) if isinstance(word, str) else word
            base = native.depth()
            try:
                for value in args:
                    native.push(_cell(value))
                native.execute(cfa)
                return self.pop_above(base)
            except BaseException:
                self.pop_above(base)
                raise
            finally:
                self._finish_output()

    def pop_above(self, base: int) -> tuple[int, ...]:
        """Take the cells that lie above a depth of `base` off the stack, the top last."""
        native = self.native
        left = [native.pop() for _ in range(native.depth() - base)]
        return tuple(reversed(left))

    # --- stack and memory ------------------------------------------------------------

    @property
    def stack(self) -> tuple[int, ...]:
        """The parameter stack, the top last."""
        native = self.native
        with native.operation():
            return tuple(native.pick(n) for n in range(native.depth() - 1, -1, -1))

    def push(self, *values: int) -> None:
        """Push cells, the top last; values wrap to 32 bits, True is -1."""
        with self.native.operation():
            for value in values:
                self.native.push(_cell(value))

    def pop(self) -> int:
        """Take the top of the stack.

        Raises:
            StackUnderflow: The stack is empty.
        """
        with self.native.operation():
            if self.native.depth() <= 0:
                from .errors import StackUnderflow

                raise StackUnderflow("the stack is empty", status=Status.STACK_UNDERFLOW)
            return self.native.pop()

    # --- dictionary ------------------------------------------------------------------

    def words(self) -> tuple[str, ...]:
        """Names of all words that can be found, the newest first."""
        return tuple(self.native.words())

    def find(self, name: str) -> int | None:
        """Execution token (CFA) of the newest word of that name, None if there is none."""
        nfa = self.native.find(name)
        return nfa + HEADER if nfa else None

    def token(self, name: str) -> int:
        """Execution token of a word.

        Raises:
            UndefinedWord: There is no such word; its hints name near ones.
        """
        cfa = self.find(name)
        if cfa is None:
            from .error_report import suggest
            from .errors import UndefinedWord  # only failures pay for it

            near = suggest(name, self.native.words())
            raise UndefinedWord(status=Status.UNDEFINED, detail=name, hints=[near] if near else [])
        return cfa

    def see(self, name: str) -> str:
        """Show a word's definition, worked out from its compiled code.

        Raises:
            UndefinedWord: There is no such word.
        """
        from .words.decompile import decompile  # only interactive tools need it

        return decompile(self, self.token(name))

    def locate(self, name: str) -> Location | None:
        """Where a word was defined in the source, None if it was not (a kernel word)."""
        cfa = self.token(name)
        for address in (cfa, cfa - HEADER, cfa + CELL):
            place = self.location_of(address)
            if place is not None:
                return place
        return None

    def source(self, name: str) -> str | None:
        """Text of a word's definition, None where there is none (a kernel word).

        Raises:
            UndefinedWord: There is no such word.
        """
        from .words.definition_text import definition_text  # only interactive tools need it

        return definition_text(self, self.token(name))

    def uses(self, name: str) -> tuple[Use, ...]:
        """Where a word is used, in the order of the dictionary.

        Raises:
            UndefinedWord: There is no such word.
        """
        from .words.uses import uses  # only interactive tools need it

        return uses(self, name)

    def location_of(self, address: int) -> Location | None:
        """Place in the source of the token that made a compiled cell."""
        return self.sources.locate(self.native.source_at(address))

    def word(self, name: str, *, effect: str = "( -- )") -> Callable[[_F], _F]:
        """Make a Python function a word of this VM.

        Args:
            name: The word's name.
            effect: What it takes from the stack and leaves there, `( a b -- c )`: the
                function gets the cells in this order and returns none, one, or a tuple.
                True and False become -1 and 0.

        An exception in the function ends the run and comes out of the call that started it.
        """

        def define(function: _F) -> _F:
            self._words.define(name, effect, function)
            return function

        return define

    def lend_word(
        self, name: str, effect: str, function: Callable[..., object]
    ) -> AbstractContextManager[None]:
        """Make a Python function a word while a block runs, whose memory is not kept.

        The caller restores a snapshot afterwards: the word stays in memory until then.
        """
        return self._words.lent(name, effect, function)

    # --- state -----------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """Save the complete state: memory, stack, random streams."""
        return self.native.snapshot_take()

    def restore(self, state: Snapshot) -> None:
        """Bring a saved state of this VM back."""
        self.native.snapshot_restore(state)

    def interrupt(self) -> bool:
        """End the run under way from another thread; False if nothing was running."""
        return self.native.interrupt()

    @property
    def warnings(self) -> tuple[ScriptWarning, ...]:
        """What was doubtful in the texts loaded so far."""
        found: list[ScriptWarning] = []
        while (warning := self.native.warning(len(found))) is not None:
            text, position = warning
            found.append(ScriptWarning(text, self.sources.locate(position)))
        return tuple(found)

    @property
    def texts(self) -> tuple[tuple[str, bytes], ...]:
        """Name and bytes of every text loaded after the library, in order."""
        return tuple((text.name, text.data) for text in self.sources.texts if not text.library)


def _machine(limit: int) -> NativeVM:
    """A machine whose memory may grow to a limit.

    Address space for all of it is reserved at once.  Where the system has less (`ulimit -v`)
    and the default was asked for, memory that cannot grow is enough for almost every script.
    """
    size = min(IMAGE_BYTES, limit)
    try:
        return NativeVM(size, limit)
    except MemoryError:
        if limit != DEFAULT_MEMORY:
            raise
    return NativeVM(size, size)


def _tier(name: str | None) -> int:
    name = name or os.environ.get(TIER_VARIABLE) or "native"
    if name not in TIERS:
        raise ForthVMError(f"the tier is one of {', '.join(TIERS)}, not {name!r}")
    return TIERS[name]


def _cell(value: int) -> int:
    return -int(value) if isinstance(value, bool) else value

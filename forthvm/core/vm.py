"""The virtual machine as Python programs use it.

This file owns the public class `VM`, which combines the native VM, the loader, the translation of
errors, host words and output.
"""

from __future__ import annotations

import os
from contextlib import nullcontext
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from .arguments import path, read_arguments
from .bindings import NativeVM
from .bindings.clib import weakly
from .bindings.layout import CELL, HEADER
from .budget import DEFAULT_MEMORY, Budget
from .failure import ForthVMError
from .loading.files import chosen_folder
from .loading.library import VERSIONS, find_library
from .loading.loader import Loader
from .output import Output
from .reading import as_type, flag, integer, list_of, optional, satisfying
from .record import Record
from .records import Option
from .status import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Any, TypeVar

    from .bindings import Snapshot
    from .errors.explainer import Explainer
    from .hostwords import HostWords
    from .loading.library import Library
    from .loading.source import Original, SourceTable
    from .location import Location
    from .memory import Memory
    from .output import TextStream
    from .reading import Reader
    from .records import ErrorRecord
    from .standard.host import StandardHost
    from .words.uses import Use

    _F = TypeVar("_F", bound=Callable[..., object])

__all__ = ["VM", "VM_ARGUMENTS", "ScriptWarning"]

IMAGE_BYTES = 16 * 1024 * 1024
"""Initial size of a VM's memory."""
TIER_VARIABLE = "FORTHVM_TIER"
"""Name of the environment variable with the default tier."""
TIERS = {"interpreter": 0, "native": 1, "eager": 2}
_TRUE = -1
_output = satisfying(
    lambda value: callable(value) or hasattr(value, "write"), "a function or a text stream"
)
VM_ARGUMENTS: Mapping[str, Reader[Any]] = {
    "library": optional(path),
    "axiom": optional(
        satisfying(lambda value: str(value) in VERSIONS, f"one of {', '.join(VERSIONS)}")
    ),
    "output": optional(_output),
    "log": optional(_output),
    "game_log": optional(path),
    "include": list_of(path),
    "files": optional(path),
    "budget": optional(satisfying(lambda value: isinstance(value, Budget), "a forthvm.Budget")),
    "seed": optional(integer(-(2**31), 2**31 - 1)),
    "clock": optional(as_type(int)),
    "checked": flag,
}
"""The readers of the arguments of `VM`; functions that load a game take most of them, too."""


class ScriptWarning(Record):
    """A warning about a script; it does not stop loading."""

    text: str
    location: Location | None

    def __str__(self) -> str:
        return f"{self.location}: {self.text}" if self.location else self.text


class VM:
    r"""A ForthScript virtual machine.

    Args:
        library: "axiom" for the whole library, "core" for Forth alone, "forth2012" for
            standard Forth (docs/guides/standard-forth.md), None for the kernel alone (in which
            not even comments work), or a folder with a user's own CORE.4TH and axiom.4th.
        axiom: Version to emulate: 140, "140-exact" (with the faulty `piece-value` of version
            140), 150 or 151.  None: the version that the user's library states, else 150.
        output: Receives text as the script prints it: a function or a text stream.  None:
            `sys.stdout`, with control characters made visible (`forthvm.core.text.visible`).
        log: Receives all output after a script that sets `$gameLog ON` is loaded; a function
            or a text stream.
        game_log: The folder of a new file SCRIPT.log, which receives that output if there is
            no `log`.  Without `log` and `game_log`, `$gameLog ON` has no effect.
        include: Further folders below which LOAD may read; LOAD searches them last.
        files: With "forth2012", the folder below which the words for files read and write, and
            which INCLUDED searches last.  None: these words fail.
        budget: Limits of memory and of each run.
        seed: Seed of a script's two random streams, and the value of SYSTEM-TIME.  None: both
            streams start at 0, as in the original.
        clock: The value of SYSTEM-TIME; None: the seed if given, else the time.
        checked: Report array indexes out of range and every underflow.
        tier: "native": hot words are compiled to machine code, on processors that the JIT
            supports; "interpreter": no word is compiled; "eager" (for tests): every word is
            compiled when it first runs.  None: the value of the environment variable
            FORTHVM_TIER, else "native".  A script can observe the tier only by the clock.

    Raises:
        TypeError, ValueError: An argument has another type, or is out of range.
        ForthVMError: The library cannot be loaded, a folder does not exist, or there is no
            such tier.

    A VM may be used from any thread.  While it runs in one thread, calls from other threads
    wait, except calls of `interrupt`.

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
        files: str | Path | None = None,
        budget: Budget | None = None,
        seed: int | None = None,
        clock: int | None = None,
        checked: bool = False,
        tier: str | None = None,
    ) -> None:
        read = read_arguments("VM", VM_ARGUMENTS, locals())
        seed, clock = read["seed"], read["clock"]
        tier_number = _tier(tier)
        folders = [chosen_folder("include", folder) for folder in include]
        files_folder = None if files is None else chosen_folder("files", files)
        if files_folder is not None:
            folders.append(files_folder)
        library_files = find_library(library, axiom, folders)
        self.budget = budget or Budget()
        self.native = _machine(self.budget.memory or DEFAULT_MEMORY)
        self.version = library_files.version
        self.checked = checked
        self.loader = Loader(self.native, folders)
        self._output = Output(output, self.native.codec.decode)
        self._output.limit = self.budget.output
        self._log = log
        self._log_folder = None if game_log is None else chosen_folder("game_log", game_log)
        self._text_count = 0
        self._set_options(seed, clock)
        self.native.set_option(Option.TIER, tier_number)
        self._set_callbacks()
        self.standard = self._standard_host(files_folder) if library_files.standard else None
        self._load_library(library_files)
        self._has_game_words = len(library_files.files) > 1 and self.standard is None
        if self._has_game_words:
            self.native.bind()
        if seed is not None:
            self.native.seed(1, seed)
            self.native.seed(2, seed)
        self.native.run_limits = (self.budget.steps or 0, self.budget.seconds or 0.0)
        if self.budget.call_seconds is not None:
            milliseconds = max(1, int(min(self.budget.call_seconds * 1000, 2**62)))
            self.native.set_option(Option.HOOK_TIME, milliseconds)

    def _load_library(self, library: Library) -> None:
        # With less memory or call depth, interpreting the library may fail.  A cached image would
        # hide this failure, so such VMs do not use the cache.
        has_default_limits = self.budget.depth is None and self.native.memory_size() == IMAGE_BYTES
        self.loader.load_library(library, checked=self.checked, cached=has_default_limits)
        self.native.set_option(Option.FENCE, self.native.here())

    def _standard_host(self, files: Path | None) -> StandardHost:
        """Prepare the VM for standard Forth."""
        from .standard.host import StandardHost

        see = weakly(self._print_definition)
        standard = StandardHost(self.native, self.loader, see, files)
        self.loader.run_standard = weakly(standard.run)
        self.host_words.preload(standard.words())
        self.native.set_option(Option.STANDARD, 1)
        return standard

    def _print_definition(self, token: int) -> None:
        """Print the source of a word, for SEE."""
        from .words.decompile import decompile, definition_text

        text = definition_text(self, token) or decompile(self, token)
        self.native.flush()  # what was printed before comes first
        self._output.feed(self.native.codec.encode(f"\n{text}\n"))

    def _set_options(self, seed: int | None, clock: int | None) -> None:
        native = self.native
        native.set_option(Option.VERSION, self.version)
        native.set_option(Option.CHECKED, int(self.checked))
        if self.budget.depth is not None:
            native.set_option(Option.DEPTH, self.budget.depth)
        fixed_clock = clock if clock is not None else seed
        if fixed_clock is not None:
            native.set_option(Option.FIXED_CLOCK, 1)
            native.set_option(Option.CLOCK, fixed_clock)

    def _set_callbacks(self) -> None:
        # References to methods of this VM are weak, so that reference counting alone frees it.
        host = self.native.host
        host.output = self._output.feed
        host.load = weakly(self.loader.on_load)
        host.word = weakly(self._run_host_word)
        self.native.on_error = weakly(self._explain)

    @property
    def sources(self) -> SourceTable:
        """The loaded texts, with the conversion of source positions to locations."""
        return self.loader.table

    # Objects that most VMs never need; their modules are imported on first use.

    @cached_property
    def memory(self) -> Memory:
        """The memory as a sequence of bytes."""
        from .memory import Memory

        return Memory(self.native)

    @cached_property
    def host_words(self) -> HostWords:
        """The words of this VM that are implemented in Python."""
        from .hostwords import HostWords

        return HostWords(self.native)

    @cached_property
    def _explainer(self) -> Explainer:
        from .errors.explainer import Explainer

        explainer = Explainer(self.native, self.sources, weakly(self.words))
        explainer.hides_library_words = self.standard is not None
        return explainer

    def _run_host_word(self, number: int) -> int:
        return self.host_words.run(number)

    def _explain(self, record: ErrorRecord) -> ForthVMError:
        return self._explainer.explain(record)

    # --- interpreting ----------------------------------------------------------------

    @property
    def output(self) -> Callable[[str], object] | TextStream | None:
        """The target of printed text; may be set."""
        return self._output.target

    @output.setter
    def output(self, target: Callable[[str], object] | TextStream | None) -> None:
        self._output.target = target

    def interpret(
        self, text: str | bytes, *, name: str | None = None, folder: Path | None = None
    ) -> None:
        """Interpret a text, which may leave a definition or section open for the next one.

        Args:
            text: The source; bytes are not decoded.
            name: The name of the text in error messages.
            folder: The folder that LOAD searches first, as if the text were a file in it.

        Raises:
            ForthVMError: The text fails; the VM stays usable.
        """
        data = self.native.codec.encode(text) if isinstance(text, str) else text
        self._text_count += 1
        title = name or f"<text {self._text_count}>"
        self._interpret_text(
            lambda: self.loader.interpret(data.replace(b"\r\n", b"\n"), title, folder)
        )

    def load(self, path: str | Path) -> None:
        """Load a script: a file in UTF-8, Windows-1251 or Latin-1.

        Raises:
            ScriptFileError: The file cannot be read as a script.
            ForthVMError: The script fails.
        """
        script = Path(path)
        self._interpret_text(lambda: self.loader.load(script))
        if self._has_game_words and self.native.variable("$gameLog") == _TRUE:
            self._open_log(script.stem)

    def load_compiled(self, path: Path, data: bytes, original: Original) -> None:
        """Load a script that was compiled from a file in another language.

        Args:
            path: The file.
            data: The script, in UTF-8.
            original: The file, and the files that it includes.

        Raises:
            ForthVMError: The script fails.
        """
        self._interpret_text(lambda: self.loader.load_compiled(path, data, original))

    def _open_log(self, title: str) -> None:
        """Send further output to the game's log, if the host configured one."""
        if self._log is not None:
            self.output = self._log
        elif self._log_folder is not None:
            from .gamelog import GameLog

            self.output = GameLog(self._log_folder, title)

    def _interpret_text(self, interpret: Callable[[], None]) -> None:
        """Call a function that interprets a text; if it fails, drop the cells that it pushed."""
        with self.native.operation():
            base = max(self.native.depth(), 0)
            try:
                interpret()
                if self._has_game_words:  # the text may have redefined variables and hooks
                    self.native.bind()
            except BaseException:
                self.pop_above(base)
                raise
            finally:
                self._finish_output()

    def _finish_output(self) -> None:
        """Write buffered output at the end of a run."""
        exceeded = self._output.is_exceeded
        try:
            self.native.flush()
        except ForthVMError:
            if not exceeded:  # otherwise the run that printed too much has already raised
                raise
        self._output.finish()

    def restart_output(self) -> None:
        """Reset the count of printed bytes, for the limit Budget(output=…)."""
        self._output.restart()

    def call(self, word: str | int, *args: int) -> tuple[int, ...]:
        """Run a word.

        Args:
            word: The word's name or execution token.
            args: Cells to push first, the top last.

        Returns:
            The cells above those that were on the stack before the call, the top last.

        Raises:
            UndefinedWord: There is no such word.
            ForthVMError: The word failed.  Its cells and its arguments are removed from the stack.
        """
        native = self.native
        with native.operation():
            cfa = self.token(word) if isinstance(word, str) else word
            base = native.depth()
            try:
                for value in args:
                    native.push(_cell(value))
                with self.standard.keeping_state() if self.standard else nullcontext():
                    native.execute(cfa)
                return self.pop_above(base)
            except BaseException:
                self.pop_above(base)
                raise
            finally:
                self._finish_output()

    def pop_above(self, base: int) -> tuple[int, ...]:
        """Pop cells until the stack has the depth `base`; return them, the top last."""
        native = self.native
        cells = [native.pop() for _ in range(native.depth() - base)]
        return tuple(reversed(cells))

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
        """Pop the top of the stack.

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
        """Return the names of all words that can be found, the newest first."""
        if self.standard is not None:
            return tuple(name for name, _ in self.standard.headers())
        return tuple(self.native.words())

    def find(self, name: str) -> int | None:
        """Return the execution token (CFA) of the newest word of a name, None if unknown."""
        nfa = (self.standard or self.native).find(name)
        return nfa + HEADER if nfa else None

    def token(self, name: str) -> int:
        """Return the execution token of a word.

        Raises:
            UndefinedWord: There is no such word; the hints suggest similar names.
        """
        cfa = self.find(name)
        if cfa is None:
            from .errors import UndefinedWord  # needed only for errors
            from .errors.report import suggest

            near = suggest(name, self.words())
            raise UndefinedWord(status=Status.UNDEFINED, detail=name, hints=[near] if near else [])
        return cfa

    def see(self, name: str) -> str:
        """Return the decompiled definition of a word.

        Raises:
            UndefinedWord: There is no such word.
        """
        from .words.decompile import decompile  # only interactive tools need it

        return decompile(self, self.token(name))

    def locate(self, name: str) -> Location | None:
        """Return the location of a word's definition, None for a primitive."""
        return self.sources.locate(self.definition_position(self.token(name)))

    def definition_position(self, cfa: int) -> int:
        """Return the source position of a word's definition, 0 for a primitive."""
        cells = (cfa, cfa - HEADER, cfa + CELL)  # one of them has a source position in a text
        positions = map(self.native.source_at, cells)
        return next((p for p in positions if self.sources.text_at(p) is not None), 0)

    def source(self, name: str) -> str | None:
        """Return the source text of a word's definition, None for a primitive.

        Raises:
            UndefinedWord: There is no such word.
        """
        from .words.decompile import definition_text  # only interactive tools need it

        return definition_text(self, self.token(name))

    def uses(self, name: str) -> tuple[Use, ...]:
        """Return the uses of a word, in the order of the dictionary.

        Raises:
            UndefinedWord: There is no such word.
        """
        from .words.uses import uses  # only interactive tools need it

        return uses(self, name)

    def location_of(self, address: int) -> Location | None:
        """Return the location of the token that compiled a cell."""
        return self.sources.locate(self.native.source_at(address))

    def word(self, name: str, *, effect: str = "( -- )") -> Callable[[_F], _F]:
        """Make a Python function a word of this VM.

        Args:
            name: The word's name.
            effect: Its stack effect, `( a b -- c )`: the function receives the cells in this
                order and returns None, one cell, or a tuple.  True and False become -1 and 0.

        An exception in the function ends the run and is raised by the call that started it.
        """

        def define(function: _F) -> _F:
            self.host_words.define(name, effect, function)
            return function

        return define

    def temporary_word(
        self, name: str, effect: str, function: Callable[..., object]
    ) -> AbstractContextManager[None]:
        """Make a Python function a word for the duration of a block.

        The word stays in memory until the caller restores a snapshot after the block.
        """
        return self.host_words.temporary(name, effect, function)

    # --- state -----------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """Save the complete state: memory, stack, random streams."""
        return self.native.snapshot_take()

    def restore(self, state: Snapshot) -> None:
        """Restore a saved state of this VM."""
        self.native.snapshot_restore(state)

    def interrupt(self) -> bool:
        """End the current run, from another thread; return False if there is no run."""
        return self.native.interrupt()

    @property
    def warnings(self) -> tuple[ScriptWarning, ...]:
        """The warnings about the texts loaded so far."""
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
    """Return a native VM whose memory may grow to a limit.

    The C core reserves address space up to the limit.  If the system refuses the address space
    (`ulimit -v`) and the limit is the default, the function returns a VM whose memory cannot grow.
    The initial size suffices for almost every script.
    """
    size = min(IMAGE_BYTES, limit)
    try:
        return NativeVM(size, limit)
    except MemoryError:
        if limit != DEFAULT_MEMORY:
            raise
    return NativeVM(size, size)


def _tier(name: str | None) -> int:
    """Return the value of Option.TIER for the name of a tier."""
    name = name or os.environ.get(TIER_VARIABLE) or "native"
    if name not in TIERS:
        raise ForthVMError(f"the tier is one of {', '.join(TIERS)}, not {name!r}")
    return TIERS[name]


def _cell(value: int) -> int:
    return -int(value) if isinstance(value, bool) else value

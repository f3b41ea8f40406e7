"""A loaded game: the VM with the script, the script's definitions, and the states of the VM.

Owns what all positions of a game share, and the identity of a game: the digest of its sources and
the options with which it was loaded.  What other files compute once for a game is kept here, until
a session of the REPL changes the game (`LoadedGame.once`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.arguments import described
from forthvm.core.bindings import page_size
from forthvm.core.bindings.layout import CELL, HEADER
from forthvm.core.loading.library import EXACT_140
from forthvm.core.vm import VM

from .notation import KnownNames, parse_parts
from .pieces import Board, Roster
from .states import States
from .tables import TURN_BYTES, cells_of, read_cell, read_tables, types_with_moves

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from typing import Any, Protocol, TypeVar

    from forthvm.catalogue.options import LoadOptions
    from forthvm.core.bindings import Snapshot
    from forthvm.core.output import TextStream
    from forthvm.zrf.loading import CompiledRules

    from .notation import Part
    from .states import State
    from .tables import Tables

    T = TypeVar("T")

    class HasState(Protocol):
        """A position, for the files on which `Position` stands."""

        @property
        def _loaded(self) -> LoadedGame: ...
        @property
        def _state(self) -> State: ...


__all__ = ["LoadedGame", "check_game"]


class LoadedGame:
    """A loaded game; `Game` is its public face.

    Attributes:
        options: The options with which it was loaded.
        output: The target of the script's output; None: `sys.stdout`.
        rules: The compiled rule file; None for a script.
        vm: The VM, which all positions share; only one thread can use it at a time.
        library_end: Header of the library's newest word; the script's words are newer.
        base: Memory after loading, from which every game starts.
        tables: The definitions of the script.
        states: The states of the VM.
        players: Names of all players.
        positions: Names of the board positions, in index order.
        position_index: Index of each position; a name that occurs twice means the first position.
        roster: Translates cells of the board to pieces.
        known_names: Names of positions, pieces and players, as move texts contain them.
        names: Names of pieces and players.
        contestants: Players that can win: they have turns and are neither neutral nor chance
            players.
        chance_bits: The chance players, as a bit set of player numbers.
    """

    tables: Tables
    players: tuple[str, ...]
    positions: tuple[str, ...]
    position_index: Mapping[str, int]
    roster: Roster
    known_names: KnownNames
    names: frozenset[str]
    contestants: tuple[str, ...]
    chance_bits: int

    def __init__(
        self, options: LoadOptions, *, output: Callable[[str], object] | TextStream | None = None
    ) -> None:
        """Load the script.

        Raises:
            ForthVMError: The script fails, or defines no complete game.
        """
        self.options = options
        self.output = output
        self.rules: CompiledRules | None = None
        self.vm = VM(
            library=options.library,
            axiom=options.axiom,
            output=output,
            budget=options.budget,
            seed=options.seed,
            clock=options.system_time,
            checked=options.checked,
            include=options.include,
            game_log=options.game_log,
        )
        native = self.vm.native
        self.library_end = native.latest()
        self._load_script()
        native.game_check()
        self.base = native.snapshot_take()
        with native.operation():
            tables = read_tables(native)
        native.snapshot_restore(self.base)
        self.states = States(native, tables.variables, len(tables.players))
        self._sources = tuple(self._all_texts())
        self._once: dict[Callable[..., object], Any] = {}
        self._once_for_tables: dict[Callable[..., object], Any] = {}
        self.use_tables(tables)

    def _load_script(self) -> None:
        """Load the main script, then run the words of the chosen settings.

        A rule file is compiled with its settings.
        """
        options, vm = self.options, self.vm
        if options.path.suffix.lower() == ".zrf":
            self.rules = _load_rule_file(options, vm)
        else:
            vm.load(options.path)
        if options.rule_settings and not self.is_compiled:
            from forthvm.catalogue.options import find_settings, setting_lines

            lines = setting_lines(find_settings(vm, self.library_end), options.rule_settings)
            vm.interpret(lines, name="settings")

    def use_tables(self, tables: Tables) -> None:
        """Use new tables; needed again after a session of the REPL has redefined a section."""
        self.tables = tables
        self.players = tuple(player.name for player in tables.players)
        self.states.player_count = len(self.players)
        self.positions = tables.positions
        # `reversed`: if several positions have one name, the name means the first position.
        self.position_index = {
            name: index for index, name in reversed(list(enumerate(self.positions)))
        }
        self.roster = Roster(tables.players, tables.types)
        kinds = [kind.name for kind in tables.types]
        self.known_names = KnownNames(self.position_index.keys(), kinds, self.players)
        self.names = frozenset([*self.players, *kinds])
        moving = {turn.player for turn in tables.turns}
        self.contestants = tuple(
            player.name
            for player in tables.players
            if player.name in moving and not player.neutral and not player.chance
        )
        self.chance_bits = sum(1 << player.number for player in tables.players if player.chance)
        self._once_for_tables.clear()
        self.forget_computed()

    def use_base(self, base: Snapshot) -> None:
        """Start games from another memory, to which a session of the REPL has added words."""
        self.base = base
        self.forget_computed()

    def once(self, make: Callable[..., T], *arguments: object) -> T:
        """Return what `make` returns for the game; it is called once for the same game.

        Args:
            make: A function of the game.
            arguments: Further arguments, which do not matter for the result, such as a state in
                which a word of the script can be run.
        """
        return _made_once(self._once, make, self, *arguments)

    def once_for_tables(self, make: Callable[[LoadedGame], T]) -> T:
        """Return what `make` computes from the tables; new words of a session do not change it."""
        return _made_once(self._once_for_tables, make, self)

    def forget_computed(self) -> None:
        """Forget what `once` has computed, because the game has got other words."""
        self._once.clear()

    def has_computed(self, make: Callable[[LoadedGame], object]) -> bool:
        """Return whether `once_for_tables` has called `make`."""
        return make in self._once_for_tables

    @property
    def has_moves(self) -> bool:
        """Whether any piece moves; in other games, pieces are only put on the board."""
        return bool(types_with_moves(self.vm.native))

    # --- texts and identity --------------------------------------------------------------

    def _all_texts(self) -> list[tuple[str, bytes]]:
        return [(text.name, text.data) for text in self.vm.sources.texts]

    @property
    def texts(self) -> tuple[tuple[str, bytes], ...]:
        """Names and contents of the loaded texts, without those of the bundled library."""
        return tuple(self.vm.texts if self.has_bundled_library else self._all_texts())

    @property
    def files(self) -> tuple[Path, ...]:
        """The loaded files, including those of a user's library, without the bundled library."""
        own = (self.options.path,) if self.rules is not None else ()
        return own + tuple(
            text.path
            for text in self.vm.sources.texts
            if text.path and not (self.has_bundled_library and text.library)
        )

    @property
    def has_bundled_library(self) -> bool:
        """Whether the game was loaded with the bundled library, not with a user's own one."""
        return self.options.library == "axiom"

    @property
    def is_compiled(self) -> bool:
        """Whether the script was compiled from a rule file; that of an engine is not."""
        return self.rules is not None and self.rules.script is not None

    @property
    def name(self) -> str:
        """Name of the game: the bundled name, or the file name without extension."""
        return self.options.name

    @property
    def axiom(self) -> str:
        """The emulated version of the original: `140`, `140-exact`, `150` or `151`."""
        return "140-exact" if self.vm.version == EXACT_140 else str(self.vm.version)

    @property
    def digest(self) -> str:
        """SHA-256 of all loaded texts, including the library, of the version and of OnShow."""
        return self.once(_digest)

    @property
    def base_digest(self) -> str:
        """SHA-256 of memory after loading; saved positions store differences from it."""
        return self.once(_base_digest)

    @property
    def identity(self) -> tuple[object, ...]:
        """A value that is equal for two games if their positions can be compared."""
        return self.digest, self.options.seed, self.options.clock

    # --- definitions ---------------------------------------------------------------------

    @property
    def evaluates(self) -> bool:
        """Whether the script defines OnEvaluate."""
        return self.defines("OnEvaluate")

    def defines(self, word: str) -> bool:
        """Return whether the script itself, not the library, defines a word."""
        return self.vm.native.find(word) > self.library_end

    def square(self, index: int) -> str:
        """Return the name of a board position, `#n` for an index without a name."""
        return self.positions[index] if 0 <= index < len(self.positions) else f"#{index}"

    def word_name(self, token: int) -> str:
        """Return the name of a word, given its execution token."""
        return self.vm.native.name(token - HEADER)

    def parse(self, text: str) -> tuple[Part, ...]:
        """Split a move text into parts."""
        return parse_parts(text, self.known_names)

    def first_state(self) -> State:
        """Return the state at the start of a new game with the script's own set-up.

        The memory after loading is restored.  Then the script's `OnNewGame` and set-up run.
        """
        return self.states.start(self.base, None)

    # --- what a state contains -----------------------------------------------------------

    def player_of(self, state: State) -> int:
        """Return the index of the player to move among the game's players.

        Raises:
            PositionError: There is no such player.
        """
        index = state.player
        if index is None:
            index = read_cell(state.current, self.tables.variables.player_offset) // CELL
            if not 0 <= index < len(self.players):
                from forthvm.core.errors import PositionError

                raise PositionError(f"the script's turn is of player {index}, which does not exist")
            state.player = index
        return index

    def turn_index_of(self, state: State) -> int:
        """Return the index in the turn order, from 0."""
        return read_cell(state.current, self.tables.variables.turn_offset) // TURN_BYTES

    def turn_number_of(self, state: State) -> int:
        """Return the script's `turn-number`."""
        return read_cell(state.current, self.tables.variables.turn_number)

    def cells_of(self, state: State) -> tuple[int, ...]:
        """Return the board as signed cells: positions in index order, then board variables."""
        tables = self.tables
        return cells_of(state.current.read(tables.board, tables.board_cells * CELL))

    def board_of(self, state: State) -> Board:
        """Return the board."""
        return Board(self.positions, self.position_index, self.cells_of(state), self.roster)


def _made_once(
    known: dict[Callable[..., object], Any], make: Callable[..., T], *arguments: object
) -> T:
    """Return the known result of a function, or call it and note its result."""
    try:
        found: T = known[make]
    except KeyError:
        found = known[make] = make(*arguments)
    return found


def check_game(given: object, function: str) -> None:
    """Raise TypeError if an argument is not a `Game`."""
    if not isinstance(getattr(given, "_loaded", None), LoadedGame):
        raise TypeError(
            f"{function} takes a game, such as forthvm.load(...) returns, not {described(given)}"
        )


def _load_rule_file(options: LoadOptions, vm: VM) -> CompiledRules:
    """Compile a rule file with its settings, and load the script, or that of its engine."""
    from forthvm.catalogue.bundled import script_with_title
    from forthvm.zrf.loading import compile_file

    compiled = compile_file(
        options.path,
        options.variant,
        options.rule_settings,
        bundled=script_with_title,
        include=options.include,
    )
    if compiled.script is not None:
        vm.load_compiled(options.path, compiled.script.text, compiled)
    elif compiled.plugin_script is not None:
        vm.load(compiled.plugin_script)
    return compiled


def _digest(game: LoadedGame) -> str:
    import hashlib  # slow to import, and needed only for documents and comparisons

    checksum = hashlib.sha256(f"forthvm {game.axiom}{game.options.on_show}".encode())
    for _, data in game._sources:
        checksum.update(hashlib.sha256(data).digest())
    return checksum.hexdigest()


def _base_digest(game: LoadedGame) -> str:
    import hashlib

    checksum, base, step = hashlib.sha256(), game.base, page_size()
    for address in range(0, base.size, step):
        page = base.read(address, step)
        if any(page):  # snapshots may contain pages of zeros at the end or omit them
            checksum.update(address.to_bytes(4, "little"))
            checksum.update(page.ljust(step, b"\0"))
    return checksum.hexdigest()

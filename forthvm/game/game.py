"""Games: a script loaded into a VM, and its definitions.

Owns the VM that all positions of a game share, and the game's identity: the digest of its sources
and the options with which it was loaded.  Delegates the order of calls of the script to states.py.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from forthvm.core.bindings import page_size
from forthvm.core.bindings.layout import CELL, HEADER
from forthvm.core.loading.library import EXACT_140
from forthvm.core.output import discard, redirected
from forthvm.core.shared import Shared
from forthvm.core.vm import VM

from .arguments import check, check_text
from .catalogue.bundled import summary_of, title_of
from .definition.pieces import Roster
from .definition.tables import read_tables
from .move_text.notation import KnownNames, Part, parse_parts
from .position import Position
from .states import States

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from forthvm.core.output import TextStream
    from forthvm.zrf.loading import CompiledRules

    from .actions.numbering import Actions
    from .catalogue.options import LoadOptions
    from .catalogue.settings import Setting
    from .definition.pieces import PieceType, Player
    from .definition.tables import Direction, Grid, Tables, Turn
    from .memory.randomness import Streams
    from .memory.scratch import Scratch
    from .memory.variables import ScriptVariable
    from .setup import Setup

__all__ = ["Game", "remember"]

_PIECE_RECORD = 4 * CELL  # size of a record of the library's table of piece types
_TURN_WORDS = (b"turn-number", b"$turnnumber")  # in lower case
_CLOCK_WORDS = (b"SYSTEM-TIME", b"RANDOMIZE")


class Game(Shared):
    """A loaded game.

    All positions of a game share one VM, so only one thread can use them at a time.  `clone`
    creates an independent game for another thread.  Unpickling a game loads it again, unless the
    process has already loaded it with the same options.
    """

    def __init__(
        self,
        options: LoadOptions,
        *,
        output: Callable[[str], object] | TextStream | None = None,
    ) -> None:
        """Load the script; callers use `forthvm.load`, which checks its arguments."""
        self.options = options
        self.output = output
        self.rules: CompiledRules | None = None  # of a rule file
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
        self.base = native.snapshot_take()  # memory after loading, from which every game starts
        with native.operation():
            self.use_tables(read_tables(native))
        native.snapshot_restore(self.base)
        self.states = States(native, self.tables.variables, len(self.players))
        self._sources = tuple(self._all_texts())
        if options.on_show:
            from .commentary.visible_board import check_setting

            check_setting(self)

    def use_tables(self, tables: Tables) -> None:
        """Use new tables; needed again after a session of the REPL has redefined a section."""
        self.tables = tables
        self.players = tuple(player.name for player in tables.players)
        if "states" in vars(self):  # not yet while the game is loaded
            self.states.player_count = len(self.players)
        self.positions = tables.positions
        # `reversed`: if several positions have one name, the name means the first position.
        self.position_index: Mapping[str, int] = {
            name: index for index, name in reversed(list(enumerate(self.positions)))
        }
        self.roster = Roster(tables.players, tables.types)
        self.known_names = KnownNames(
            self.position_index.keys(), [kind.name for kind in self.piece_types], self.players
        )
        for cached in (
            "contestants",
            "chance_bits",
            "names",
            "actions",
        ):  # computed from the old tables
            vars(self).pop(cached, None)

    def _load_script(self) -> None:
        """Load the main script, then run the words of the chosen settings.

        A rule file is compiled with its settings.
        """
        if self.options.path.suffix.lower() == ".zrf":
            from .zillions.rule_file import load_rule_file

            self.rules = load_rule_file(self.options, self.vm)
        else:
            self.vm.load(self.options.path)
        if self.options.rule_settings and not self.is_compiled:
            from .catalogue.settings import setting_lines

            lines = setting_lines(self.settings, self.options.rule_settings)
            self.vm.interpret(lines, name="settings")

    @property
    def mentions_clock(self) -> bool:
        """Whether a loaded text contains a word that reads the clock.

        If so, memory after loading may depend on the clock.  The bundled library is not searched,
        because it does not read the clock while it loads.
        """
        bundled = self.options.library == "axiom"
        texts = self.vm.texts if bundled else self._all_texts()
        return any(word in data for _, data in texts for word in _CLOCK_WORDS)

    def _all_texts(self) -> list[tuple[str, bytes]]:
        return [(text.name, text.data) for text in self.vm.sources.texts]

    # --- identity ---------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name of the game: the bundled name, or the file name without extension."""
        return self.options.name

    @property
    def files(self) -> tuple[Path, ...]:
        """The loaded files, including those of a user's library, without the bundled library."""
        bundled = self.options.library == "axiom"
        texts = self.vm.sources.texts
        own = (self.options.path,) if self.rules is not None else ()
        return own + tuple(
            text.path for text in texts if text.path and not (bundled and text.library)
        )

    @property
    def is_compiled(self) -> bool:
        """Whether the script was compiled from a rule file; that of an engine is not."""
        return self.rules is not None and self.rules.script is not None

    @property
    def variants(self) -> tuple[str, ...]:
        """The titles of the games and variants in a rule file, in its order; else empty."""
        return self.rules.titles if self.rules is not None else ()

    @cached_property
    def rule_file_warnings(self) -> tuple[str, ...]:
        """What was ignored in a rule file, and where it disagrees with its engine's script."""
        if self.rules is None:
            return ()
        from .zillions.rule_file import warnings_of

        return warnings_of(self)

    @property
    def path(self) -> Path:
        """Path of the main script."""
        return self.options.path

    @cached_property
    def title(self) -> str:
        """Heading of the README beside the script, or the name."""
        return self.rules.title if self.rules else title_of(self.name, self.path)

    @cached_property
    def summary(self) -> str:
        """First comment of the script."""
        return self.rules.summary if self.rules else summary_of(self.path)

    @property
    def axiom(self) -> str:
        """The emulated version of the original: `140`, `140-exact`, `150` or `151`."""
        return "140-exact" if self.vm.version == EXACT_140 else str(self.vm.version)

    @property
    def identity(self) -> tuple[object, ...]:
        """A value that is equal for two games if their positions can be compared."""
        return self.digest, self.options.seed, self.options.clock

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all loaded texts, including the library, of the version and of OnShow."""
        import hashlib  # slow to import, and needed only for documents and comparisons

        checksum = hashlib.sha256(f"forthvm {self.axiom}{self.options.on_show}".encode())
        for _, data in self._sources:
            checksum.update(hashlib.sha256(data).digest())
        return checksum.hexdigest()

    @cached_property
    def base_digest(self) -> str:
        """SHA-256 of memory after loading; saved positions store differences from it."""
        import hashlib

        checksum = hashlib.sha256()
        step = page_size()
        for address in range(0, self.base.size, step):
            page = self.base.read(address, step)
            if any(page):  # snapshots may contain pages of zeros at the end or omit them
                checksum.update(address.to_bytes(4, "little"))
                checksum.update(page.ljust(step, b"\0"))
        return checksum.hexdigest()

    # --- definitions of the script ----------------------------------------------------

    @property
    def player_details(self) -> tuple[Player, ...]:
        """The players with numbers and engines, in order of definition."""
        return self.tables.players

    @property
    def piece_types(self) -> tuple[PieceType, ...]:
        """The piece types with values, in order of definition."""
        return self.tables.types

    @property
    def values(self) -> Mapping[str, int]:
        """Value of each piece type."""
        return {kind.name: kind.value for kind in self.tables.types}

    @property
    def grid(self) -> Grid:
        """Rows and columns of the grid that the first positions form."""
        return self.tables.grid

    @property
    def rows(self) -> int:
        """Rows of the grid."""
        return self.tables.grid.rows

    @property
    def columns(self) -> int:
        """Columns of the grid."""
        return self.tables.grid.columns

    @property
    def flip(self) -> bool:
        """Whether the top row is row 1 ($flipGrid)."""
        return self.tables.grid.flip

    @property
    def turn_order(self) -> tuple[Turn, ...]:
        """The turn order: a list of turns, which repeats from `turn_repeat` on."""
        return self.tables.turns

    @property
    def turn_repeat(self) -> int:
        """Index of the turn that follows the last turn of the turn order."""
        return self.tables.repeat

    @property
    def directions(self) -> tuple[Direction, ...]:
        """The directions with their links."""
        return self.tables.directions

    @cached_property
    def contestants(self) -> tuple[str, ...]:
        """Players that can win: they have turns and are neither neutral nor chance players."""
        moving = {turn.player for turn in self.turn_order}
        return tuple(
            player.name
            for player in self.player_details
            if player.name in moving and not player.neutral and not player.chance
        )

    @cached_property
    def chance_bits(self) -> int:
        """The chance players, as a bit set of player numbers."""
        return sum(1 << player.number for player in self.player_details if player.chance)

    @cached_property
    def names(self) -> frozenset[str]:
        """Names of pieces and players, as they occur in move texts."""
        return frozenset([*self.players, *(kind.name for kind in self.piece_types)])

    @cached_property
    def actions(self) -> Actions:
        """Numbers of moves that are the same in every position, for machine learning."""
        from .actions.numbering import Actions

        return Actions(self)

    @cached_property
    def random(self) -> Streams:
        """The random streams of the VM, found by their addresses after loading."""
        from .memory.randomness import Streams

        with self.states.lock:
            native = self.states.restore_base(self.base)
            try:
                return Streams(native)
            finally:
                native.snapshot_restore(self.base)

    @cached_property
    def script_variables(self) -> Mapping[str, ScriptVariable]:
        """The script's own variables and arrays, oldest first."""
        from .memory.variables import find_variables

        with self.states.lock:
            native = self.states.restore_base(self.base)
            lists = frozenset(token for token in self._piece_lists() if token)
            try:
                with redirected(self.vm):
                    return find_variables(native, self.library_end, lists)
            finally:
                native.snapshot_restore(self.base)

    @cached_property
    def variables_outside_board(self) -> tuple[str, ...]:
        """The variables of the board that lie beyond it, because of a later `{position}`.

        Their values are those of other memory, so that games and searches may go wrong.
        """
        from .memory.variables import outside_board

        variables = self.script_variables.values()
        with self.states.lock:
            return outside_board(self.states.restore_base(self.base), variables)

    @cached_property
    def scratch(self) -> Scratch:
        """The scratch memory that the analysis in scratch.py finds."""
        from .memory.scratch import scratch_of

        with self.states.lock:
            self.states.restore_base(self.base)
            return scratch_of(self.vm)

    @cached_property
    def declared_scratch(self) -> tuple[tuple[int, int], ...]:
        """Begin and end of each range of memory that the script declares as scratch memory."""
        from .memory.scratch import declared_ranges

        return declared_ranges(self.base, self.vm.find("$scratch"))

    @property
    def evaluates(self) -> bool:
        """Whether the script defines OnEvaluate."""
        return self.vm.native.find("OnEvaluate") > self.library_end

    @cached_property
    def counts_turns(self) -> bool:
        """Whether positions depend on the turn number, because the script may read it."""
        occurs = any(word in text.lower() for _, text in self.vm.texts for word in _TURN_WORDS)
        return occurs and not self.scratch.turn_number

    def _piece_lists(self) -> Iterable[int]:
        """Yield the execution token of each piece type's list of moves and list of drops."""
        native = self.vm.native
        table = native.variable("$pieces") or 0
        for index in range(len(self.piece_types)):
            record = table + _PIECE_RECORD * index
            yield native.read_cell(record + CELL)  # the list of moves
            yield native.read_cell(record + 2 * CELL)  # the list of drops

    @property
    def missing(self) -> str:
        """What the script lacks, so that no move is possible; "" if moves are possible.

        For example, "no {players … players}" if that section is missing.
        """
        from .definition.playable import what_is_missing

        native = self.vm.native
        return what_is_missing(native, lambda name: native.find(name) > self.library_end)

    def square(self, index: int) -> str:
        """Return the name of a board position, `#n` for an index without a name."""
        return self.positions[index] if 0 <= index < len(self.positions) else f"#{index}"

    def word_name(self, token: int) -> str:
        """Return the name of a word, given its execution token."""
        return self.vm.native.name(token - HEADER)

    @cached_property
    def settings(self) -> Mapping[str, Setting]:
        """The settings that the script offers, by name (settings.py).

        A rule file offers none here; it is compiled with other settings (zrf/choices.py).  The
        setting OnShow, which every game has, is not among them.
        """
        from .catalogue.settings import find_settings

        if self.is_compiled:
            return {}
        native = self.vm.native
        words = []
        nfa = native.latest()
        while nfa > self.library_end:
            words.append(native.name(nfa))
            nfa = native.previous(nfa)
        return find_settings(self.vm, reversed(words))

    # --- play -------------------------------------------------------------------------

    def start(
        self,
        *,
        setup: Iterable[tuple[str, str, str]] | None = None,
        turn: str | int | None = None,
        variables: Mapping[str, int] | None = None,
    ) -> Position:
        """Begin a new game.

        The memory after loading is restored.  Then the script's `OnNewGame` and set-up run.

        Args:
            setup: Pieces in place of the script's, each as player, piece type and position.
            turn: The first turn: a player, or an index in `turn_order`.
            variables: Values of script variables by name, including board variables;
                `name[2]` is an entry of an array.

        Raises:
            ValueError: An argument names something that the game does not define.
            ForthVMError: The script fails.
        """
        if setup is None and turn is None and not variables:
            return self.begin(None)
        from .setup import make_setup

        return self.begin(make_setup(self, setup, turn, variables))

    def begin(self, setup: Setup | None) -> Position:
        """Begin a new game from the set-up of an earlier game (`Position.setup`)."""
        if setup is None:
            return Position(self, self.states.start(self.base, None))
        from .setup import Setup, apply_setup, edits_of

        check(setup, Setup, "begin", "a Setup, such as Position.setup, or None")
        edits = None if setup.pieces is None else edits_of(self, setup.pieces)
        state = self.states.start(self.base, edits, lambda native: apply_setup(self, native, setup))
        return Position(self, state, setup=setup)

    def parse(self, text: str) -> tuple[Part, ...]:
        """Split a move text into parts; `Position.parse` finds the legal move of a text."""
        check_text(text, "parse")
        return parse_parts(text, self.known_names)

    def clone(self) -> Game:
        """Load the game again and return it, for use by another thread.

        The new game has its own VM.  `Position.copy(game=…)` copies a position into the new game.
        """
        copy = Game(self.options, output=self.output)
        if "actions" in vars(self):
            copy.actions.adopt(self.actions)
        return copy

    def close(self) -> None:
        """Close the game: run the script's OnTerminate, if there is one.

        `with game:` calls `close` at the end of the block.  Memory is freed with the last reference
        to the game, whether or not the game was closed.
        """
        with self.states.lock:
            self.vm.native.game_close()
            self.states.forget()

    def __enter__(self) -> Game:
        """Return the game; leaving the block closes it."""
        return self

    def __exit__(self, *_failure: object) -> None:
        """Close the game."""
        self.close()

    def at_clock(self, clock: int) -> Game:
        """Load the game again with another clock, without output, and return it."""
        return Game(replace(self.options, clock=clock), output=discard)

    def __reduce__(self) -> tuple[object, ...]:
        used = vars(self).get("actions")
        document = used.to_json() if used is not None and not used.is_default else None
        return _reload, (self.options, document)

    def _repr_svg_(self) -> str | None:
        """Return a picture of the initial position, for notebooks."""
        from forthvm.core.errors import ForthVMError

        from .views import svg_of

        try:
            return svg_of(self.start())
        except ForthVMError:  # if the script fails, a notebook shows the repr
            return None

    def __repr__(self) -> str:
        return f"<Game {self.name}: {', '.join(self.players)}>"


_loaded: WeakValueDictionary[LoadOptions, Game] = WeakValueDictionary()
"""Loaded games by their options, for unpickling."""


def remember(game: Game) -> Game:
    """Register a game, so that unpickling finds it; return the game."""
    _loaded[game.options] = game
    return game


def _reload(options: LoadOptions, actions: str | None = None) -> Game:
    """Return a loaded game with the options of a pickle, or load one.

    Args:
        options: The options.
        actions: The numbers of the actions as a document; None: the default.
    """
    game = _loaded.get(options)
    if game is None:
        game = remember(Game(options))
    if actions is not None:
        game.actions.use_json(actions)
    return game

"""Creates engines: built in, installed by entry point, named by module, or passed as an object.

Owns the list of names, the creation of an engine from a specification, and the seeds of engines.
The module of an engine is imported when the engine is created.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from forthvm.engines.checked import adapt
from forthvm.engines.errors import (
    EngineError,
    EngineOptionError,
    UnknownEngineError,
    describe_error,
    import_object,
    user_code_location,
)
from forthvm.engines.options import parse_pairs, split_spec
from forthvm.engines.protocol import Engine

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "BUILT_IN",
    "ENTRY_POINT_GROUP",
    "get",
    "get_for_game",
    "get_with_default_seed",
    "get_with_replaced_seed",
    "modules_in_spec",
    "names",
    "runs_program",
    "seed_in_spec",
    "split_engine",
]

ENTRY_POINT_GROUP = "forthvm.engines"
"""The entry point group in which installed packages list engines."""

BUILT_IN = {
    "axiom": ("forthvm.engines.search.vm_engines", "AxiomEngine"),
    "chance": ("forthvm.engines.search.vm_engines", "ChanceEngine"),
    "first": ("forthvm.engines.simple", "FirstEngine"),
    "brs": ("forthvm.engines.search.minimax", "BestReplyEngine"),
    "gtp": ("forthvm.engines.protocols", "GtpEngine"),
    "level": ("forthvm.engines.level_engine", "LevelEngine"),
    "maxn": ("forthvm.engines.search.minimax", "MaxnEngine"),
    "mcts": ("forthvm.engines.search.mcts", "MctsEngine"),
    "mixed": ("forthvm.engines.mixed", "MixedEngine"),
    "negamax": ("forthvm.engines.search.minimax", "NegamaxEngine"),
    "paranoid": ("forthvm.engines.search.minimax", "ParanoidEngine"),
    "random": ("forthvm.engines.simple", "RandomEngine"),
    "script": ("forthvm.engines.search.vm_engines", "ScriptEngine"),
    "ucci": ("forthvm.engines.protocols", "UcciEngine"),
    "uci": ("forthvm.engines.protocols", "UciEngine"),
    "ugi": ("forthvm.engines.protocols", "UgiEngine"),
    "usi": ("forthvm.engines.protocols", "UsiEngine"),
    "xboard": ("forthvm.engines.protocols", "XboardEngine"),
}

_DEPENDENT_ON_SEED = frozenset({"random", "level", "mcts", "mixed"})
"""Built-in engines to which `get_for_game` passes a seed even if the specification has none."""
_REPEATABLE_WITHOUT_SEED = frozenset(BUILT_IN) - {"random", "level", "mixed"}
"""Built-in engines that choose the same moves in every run without the option `seed`.

`mcts` has a fixed default seed, `chance` draws the random numbers of the position, and the other
engines draw no random numbers.
"""
_ZERO_SEED_IS_FIXED = frozenset({"negamax", "paranoid", "maxn", "brs"})
"""Engines that search moves in the order of the move list if the seed is 0, and else in a random
order."""

SUMMARIES = {
    "axiom": "the original engine's alpha-beta search (options depth, time, nodes, variety)",
    "chance": "the game's random numbers, for dice and other chance players",
    "first": "the first legal move",
    "brs": "best reply search, for more than two players (options as negamax)",
    "gtp": "a program for Go over GTP: gtp:gnugo --mode gtp (docs/reference/protocols.md)",
    "level": "a level of the game: level:3 (`forthvm levels GAME` lists them; option seed)",
    "maxn": "max^n: each player maximizes its own score (options as negamax)",
    "mcts": "Monte Carlo tree search (options time, playouts, depth, seed, keep ...)",
    "mixed": "another engine with random moves (options engine, random, seed ...)",
    "negamax": "alpha-beta and more (options depth, time, nodes, tt, lines, seed ...)",
    "paranoid": "negamax that treats all opponents as one (options as negamax)",
    "random": "any legal move (option seed)",
    "script": "the engine that the script names for the player (options depth, time, variety)",
    "ucci": "a xiangqi program over UCCI: ucci:PROGRAM,option=value (docs/reference/protocols.md)",
    "uci": "a chess program over UCI: uci:stockfish,option=value (docs/reference/protocols.md)",
    "ugi": "another program over UGI: ugi:PROGRAM ARGUMENTS,option=value (docs/reference/ugi.md)",
    "usi": "a shogi program over USI: usi:PROGRAM,option=value (docs/reference/protocols.md)",
    "xboard": "a program for XBoard: xboard:fairymax,option=value (docs/reference/protocols.md)",
}


def _installed() -> dict[str, EntryPoint]:
    from importlib import metadata  # slow to import; built-in engines do not need it

    return {entry.name: entry for entry in metadata.entry_points(group=ENTRY_POINT_GROUP)}


def names() -> dict[str, str]:
    """Return all engine names with one-line descriptions, the built-in engines first."""
    listed = dict(SUMMARIES)
    for name, entry in sorted(_installed().items()):
        listed.setdefault(name, f"from {entry.value}")
    return listed


def get(engine: str | object, **options: object) -> Engine:
    """Create an engine from a specification, a class or an object.

    Args:
        engine: `name`, `name:option=value,…`, `module:Class`, a class of engines, or an
            object with a `play(position, limits)` method.
        options: Further options; options in the specification take precedence.

    Raises:
        UnknownEngineError: There is no such name, module or class.
        EngineOptionError: The engine has no such option.
    """
    if not isinstance(engine, str):
        if isinstance(engine, type):
            return adapt(_build(engine, engine.__name__, options))
        if options:
            raise EngineOptionError("options cannot be given to an existing engine")
        return adapt(engine)
    name, spec_options = split_engine(engine)
    factory = _factory(name)
    return adapt(_build(factory, name, {**options, **spec_options}))


def get_with_default_seed(spec: str, seed: int) -> Engine:
    """Create an engine; pass the option `seed` if its moves could differ from run to run.

    A seed in the specification takes precedence.  Otherwise the seed is passed to `random`,
    `mixed` and `level`, and to external engines whose class accepts an option `seed`.

    Raises:
        UnknownEngineError, EngineOptionError: As `get`.
    """
    name, spec_options = split_engine(spec)
    if "seed" in spec_options or name in _REPEATABLE_WITHOUT_SEED:
        return get(spec)
    match _accepts_seed(_factory(name)):
        case True:
            return get(spec, seed=seed)
        case False:
            return get(spec)
    try:
        return get(spec, seed=seed)
    except EngineOptionError:
        return get(spec)  # if the error was about another option, this call raises it again


def get_for_game(spec: str, derive: Callable[..., int]) -> Engine:
    """Create an engine whose random numbers differ from game to game.

    Args:
        spec: The specification of the engine.
        derive: Returns the seed for the game.  If the specification has a seed, that seed is the
            argument, and the result should depend on it.

    Raises:
        UnknownEngineError, EngineOptionError: As `get`.
    """
    name, spec_seed = split_engine(spec)[0], seed_in_spec(spec)
    if spec_seed is not None and (spec_seed or name not in _ZERO_SEED_IS_FIXED):
        return get_with_replaced_seed(spec, derive(spec_seed))
    if name in _DEPENDENT_ON_SEED:
        return get(spec, seed=derive())
    return get(spec) if name in BUILT_IN else get_with_default_seed(spec, derive())


def draws_random_numbers(spec: str) -> bool:
    """Whether an engine is known to draw other random numbers in each game of a match.

    >>> draws_random_numbers("random"), draws_random_numbers("negamax:seed=7")
    (True, True)
    >>> draws_random_numbers("negamax"), draws_random_numbers("my:Engine")
    (False, False)
    """
    name, seed = split_engine(spec)[0], seed_in_spec(spec)
    return name in _DEPENDENT_ON_SEED or bool(seed and name in BUILT_IN)


def seed_in_spec(spec: str) -> int | None:
    """Return the option `seed` of a specification; None without an integer seed.

    >>> seed_in_spec("random:seed=7"), seed_in_spec("random"), seed_in_spec("my:Engine:seed=text")
    (7, None, None)
    """
    text = split_engine(spec)[1].get("seed", "")
    try:
        return int(text)
    except ValueError:
        return None


def get_with_replaced_seed(spec: str, seed: int) -> Engine:
    """Create an engine from a specification, with `seed` in place of the specified seed.

    Raises:
        UnknownEngineError, EngineOptionError: As `get`.
    """
    name, spec_options = split_engine(spec)
    return adapt(_build(_factory(name), name, {**spec_options, "seed": seed}))


def split_engine(spec: str) -> tuple[str, dict[str, str]]:
    """Return the name and options of a specification, as `get` parses it.

    For an engine that is another program, the text after the colon is the option `spec`, which the
    engine parses.  For `level`, it begins with the value of the option `number`.

    Raises:
        EngineOptionError: An option has no value, or occurs twice.

    >>> split_engine("ugi:program --flag,time=1")
    ('ugi', {'spec': 'program --flag,time=1'})
    >>> split_engine("level:3,seed=7")
    ('level', {'number': '3', 'seed': '7'})
    """
    name, _, text = spec.strip().partition(":")
    if runs_program(name):
        return name, {"spec": text}
    if name == "level" and text:
        return name, parse_pairs(f"number={text}", spec=spec)
    return split_spec(spec)


def runs_program(name: str) -> bool:
    """Whether an engine is another program, whose command line is in the specification."""
    return BUILT_IN.get(name, ("",))[0] == "forthvm.engines.protocols"


def modules_in_spec(spec: str) -> list[str]:
    """Return the Python modules that `get` imports for an external engine or evaluator.

    Raises:
        EngineOptionError: As `split_engine`.

    >>> modules_in_spec("my.engines:Greedy"), modules_in_spec("negamax:depth=4,evaluator=mine:look")
    (['my.engines'], ['mine'])
    """
    name, options = split_engine(spec)
    texts = [name, options.get("evaluator", "")]
    return [module for module, colon, _ in (text.partition(":") for text in texts) if colon]


def _accepts_seed(factory: Callable[..., object]) -> bool | None:
    """Whether `factory` has a parameter `seed`; None if it accepts any keyword."""
    import inspect  # slow to import; needed only for engines that use random numbers

    try:
        parameters = inspect.signature(factory).parameters
    except (TypeError, ValueError):
        return False
    if "seed" in parameters:
        return True
    any_keyword = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
    return None if any_keyword else False


def _build(factory: Callable[..., object], name: str, options: dict[str, object]) -> object:
    try:
        return factory(**options)
    except EngineError:
        raise
    except (TypeError, ValueError) as error:
        raise EngineOptionError(f"engine {name!r}: {error}") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        location = user_code_location(error)
        raise EngineError(
            f"engine {name!r} cannot be created: {describe_error(error)}",
            hints=(location,) if location else (),
        ) from error


def _factory(name: str) -> Callable[..., object]:
    if name in BUILT_IN:
        module, attribute = BUILT_IN[name]
        factory: Callable[..., object] = getattr(importlib.import_module(module), attribute)
        return factory
    if ":" in name:
        return _from_module(name)
    installed = _installed()
    if name in installed:
        try:
            loaded = installed[name].load()
        except (ImportError, AttributeError) as error:
            raise UnknownEngineError(f"engine {name!r} does not load: {error}") from error
        return _as_factory(loaded, name)
    from forthvm.core.text.wording import close_names  # needed only after an error

    known = [*BUILT_IN, *sorted(installed)]
    similar = close_names(name, known)
    hint = f"; did you mean {similar[0]!r}?" if similar else ""
    raise UnknownEngineError(
        f"no engine {name!r}{hint} (engines: {', '.join(known)}, or module:Class)"
    )


def _from_module(name: str) -> Callable[..., object]:
    module_name, _, attribute = name.partition(":")
    if module_name in BUILT_IN:
        raise EngineOptionError(f"engine {module_name!r}: expected option=value, not {attribute!r}")
    try:
        return _as_factory(import_object(module_name, attribute), name)
    except ImportError as error:
        raise UnknownEngineError(f"engine {name!r}: {error}") from error


def _as_factory(value: object, name: str) -> Callable[..., object]:
    """Return a function that creates an engine, given the object that a specification names."""
    if callable(value):
        return value
    if hasattr(value, "play"):
        # The value is an engine object, which has no options.
        def existing() -> object:
            return value

        return existing
    raise UnknownEngineError(f"engine {name!r} is neither a class nor an engine")

"""Finds engines: built in, installed by entry point, named by module, or given as an object.

Owns the list of names and the creation of an engine from a specification.  It must not know
what the engines do, and imports an engine's module only when that engine is requested.
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
    imported,
    named,
    place_of,
)
from forthvm.engines.options import split_spec
from forthvm.engines.protocol import Engine

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "BUILT_IN",
    "GROUP",
    "get",
    "get_for_game",
    "get_reseeded",
    "get_seeded",
    "given_seed",
    "named_modules",
    "names",
    "split_engine",
]

GROUP = "forthvm.engines"
"""The entry point group by which installed packages add engines."""

BUILT_IN = {
    "axiom": ("forthvm.engines.search.vm_engines", "AxiomEngine"),
    "chance": ("forthvm.engines.search.vm_engines", "ChanceEngine"),
    "first": ("forthvm.engines.simple", "FirstEngine"),
    "brs": ("forthvm.engines.search.minimax", "BestReplyEngine"),
    "maxn": ("forthvm.engines.search.minimax", "MaxnEngine"),
    "mcts": ("forthvm.engines.search.mcts", "MctsEngine"),
    "negamax": ("forthvm.engines.search.minimax", "NegamaxEngine"),
    "paranoid": ("forthvm.engines.search.minimax", "ParanoidEngine"),
    "random": ("forthvm.engines.simple", "RandomEngine"),
    "script": ("forthvm.engines.search.vm_engines", "ScriptEngine"),
    "ugi": ("forthvm.engines.ugi", "UgiEngine"),
}

_DRAWING = frozenset({"random", "mcts"})
"""Built-in engines that use random numbers even without the option `seed`."""
_REPEATING = frozenset(BUILT_IN) - {"random"}
"""Built-in engines that repeat a game without the option `seed`."""
_ORDERED = frozenset({"negamax", "paranoid", "maxn", "brs"})
"""Searches for which seed 0 means the order of the move list instead of a random order."""

SUMMARIES = {
    "axiom": "the original's alpha-beta search (options depth, time, nodes, variety)",
    "chance": "the game's random numbers; plays for dice and other chance players",
    "first": "the first legal move",
    "brs": "best reply search, for more than two players (options as negamax)",
    "maxn": "max^n: each player maximizes their own score (options as negamax)",
    "mcts": "Monte Carlo tree search (options time, playouts, depth, seed, keep ...)",
    "negamax": "alpha-beta with a table and more (options depth, time, nodes, tt, lines, seed ...)",
    "paranoid": "negamax with all opponents as one (options as negamax)",
    "random": "any legal move (option seed)",
    "script": "the engine that the script names for the player (options depth, time, variety)",
    "ugi": "another program over UGI: ugi:PROGRAM ARGUMENTS,option=value (docs/reference/ugi.md)",
}


def _installed() -> dict[str, EntryPoint]:
    from importlib import metadata  # slow to import; built-in engines do not need it

    return {entry.name: entry for entry in metadata.entry_points(group=GROUP)}


def names() -> dict[str, str]:
    """All engine names, each with a one-line description; built-in engines come first."""
    listed = dict(SUMMARIES)
    for name, entry in sorted(_installed().items()):
        listed.setdefault(name, f"from {entry.value}")
    return listed


def get(engine: str | object, **options: object) -> Engine:
    """Create an engine from a specification, a class or an object.

    Args:
        engine: `name`, `name:option=value,…`, `module:Class`, a class of engines, or an
            object with a `play(position, limits)` method.
        options: further options; those in the specification take precedence.

    Raises:
        UnknownEngineError: no such name, module or class.
        EngineOptionError: an option that the engine does not have.
    """
    if not isinstance(engine, str):
        if isinstance(engine, type):
            return adapt(_build(engine, engine.__name__, options))
        if options:
            raise EngineOptionError("options cannot be given to an existing engine")
        return adapt(engine)
    name, given = split_engine(engine)
    factory = _factory(name)
    return adapt(_build(factory, name, {**options, **given}))


def get_seeded(spec: str, seed: int) -> Engine:
    """Create an engine that repeats its games, if it can be seeded.

    The seed is given to `random` and to external engines whose class has a parameter `seed`,
    or accepts any options and does not refuse this one.  A seed in the specification takes
    precedence.  The built-in searches repeat their games without a seed.

    Raises:
        UnknownEngineError, EngineOptionError: as `get`.
    """
    name, given = split_engine(spec)
    if "seed" in given or name in _REPEATING:
        return get(spec)
    match _takes_seed(_factory(name)):
        case True:
            return get(spec, seed=seed)
        case False:
            return get(spec)
    try:
        return get(spec, seed=seed)
    except EngineOptionError:
        return get(spec)  # raises the error again if it concerned another option


def get_for_game(spec: str, derive: Callable[..., int]) -> Engine:
    """Create an engine that uses other random numbers in each game.

    Args:
        spec: Its specification.
        derive: Returns the seed for the game.  If the specification has a seed, it is passed as
            an argument, and the result depends on both.

    Raises:
        UnknownEngineError, EngineOptionError: as `get`.
    """
    name, given = split_engine(spec)[0], given_seed(spec)
    if given is not None and (given or name not in _ORDERED):
        return get_reseeded(spec, derive(given))
    if name in _DRAWING:
        return get(spec, seed=derive())
    return get(spec) if name in BUILT_IN else get_seeded(spec, derive())


def given_seed(spec: str) -> int | None:
    """The integer that a specification gives as `seed`, or None.

    >>> given_seed("random:seed=7"), given_seed("random"), given_seed("my:Engine:seed=text")
    (7, None, None)
    """
    text = split_engine(spec)[1].get("seed", "")
    try:
        return int(text)
    except ValueError:
        return None


def get_reseeded(spec: str, seed: int) -> Engine:
    """Create an engine from a specification, with `seed` in place of the seed in it.

    Raises:
        UnknownEngineError, EngineOptionError: as `get`.
    """
    name, given = split_engine(spec)
    return adapt(_build(_factory(name), name, {**given, "seed": seed}))


def split_engine(spec: str) -> tuple[str, dict[str, str]]:
    """Name and options of a specification, as `get` parses it.

    For `ugi` the rest is a command line, which that engine parses: it becomes the option `spec`.

    Raises:
        EngineOptionError: an option without a value, or given twice.

    >>> split_engine("ugi:program --flag,time=1")
    ('ugi', {'spec': 'program --flag,time=1'})
    """
    name, _, rest = spec.strip().partition(":")
    return (name, {"spec": rest}) if name == "ugi" else split_spec(spec)


def named_modules(spec: str) -> list[str]:
    """The Python modules that a specification names, and that its use imports.

    Raises:
        EngineOptionError: as `split_engine`.

    >>> named_modules("my.engines:Greedy"), named_modules("negamax:depth=4,evaluator=mine:look")
    (['my.engines'], ['mine'])
    """
    name, options = split_engine(spec)
    texts = [name, *(options[key] for key in ("evaluator",) if key in options)]
    return [module for module, colon, _ in (text.partition(":") for text in texts) if colon]


def _takes_seed(factory: Callable[..., object]) -> bool | None:
    """Whether there is a parameter `seed`; None: any option is accepted, but may be refused."""
    import inspect  # slow to import; needed only for engines that use random numbers

    try:
        parameters = inspect.signature(factory).parameters
    except (TypeError, ValueError):
        return False
    if "seed" in parameters:
        return True
    anything = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
    return None if anything else False


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
        place = place_of(error)
        raise EngineError(
            f"engine {name!r} cannot be created: {named(error)}", hints=(place,) if place else ()
        ) from error


def _factory(name: str) -> Callable[..., object]:
    if name in BUILT_IN:
        module, attribute = BUILT_IN[name]
        made: Callable[..., object] = getattr(importlib.import_module(module), attribute)
        return made
    if ":" in name:
        return _from_module(name)
    installed = _installed()
    if name in installed:
        try:
            loaded = installed[name].load()
        except (ImportError, AttributeError) as error:
            raise UnknownEngineError(f"engine {name!r} does not load: {error}") from error
        return _callable(loaded, name)
    from forthvm.core.text.wording import close_names  # needed only after an error

    known = [*BUILT_IN, *sorted(installed)]
    near = close_names(name, known)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise UnknownEngineError(
        f"no engine {name!r}{hint} (engines: {', '.join(known)}, or module:Class)"
    )


def _from_module(name: str) -> Callable[..., object]:
    module_name, _, attribute = name.partition(":")
    if module_name in BUILT_IN:
        raise EngineOptionError(f"engine {module_name!r}: expected option=value, not {attribute!r}")
    try:
        return _callable(imported(module_name, attribute), name)
    except ImportError as error:
        raise UnknownEngineError(f"engine {name!r}: {error}") from error


def _callable(found: object, name: str) -> Callable[..., object]:
    if callable(found):
        return found
    if hasattr(found, "play"):
        # The module contains an engine object, which takes no options.
        def existing() -> object:
            return found

        return existing
    raise UnknownEngineError(f"engine {name!r} is neither a class nor an engine")

"""Benchmarks of games: generation, make and unmake, perft, playouts and searches.

Owns the games, their sizes and how results are checked: counts against the games' .perft files,
searches against other searches, playouts against the known share of wins.
"""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from benchmarks import breakthrough
from benchmarks.peers import Peers
from benchmarks.runner import Benchmark, Effort, Measure, PeerMeasure, check, seconds_of
from forthvm import engines
from forthvm.catalogue.bundled import game_paths
from forthvm.engines.position_arrays import random_playouts
from forthvm.game import Position, load, perft

__all__ = ["BENCHMARKS"]

# Words that generate, make and unmake moves like a search engine written in ForthScript.
WORDS = """
: bench-list ( -- ) current-player FALSE 0 $GenerateMoves ;
: bench-generate ( rounds -- ) 0 DO bench-list $DeallocateMoves LOOP ;
: bench-make ( rounds -- )
	bench-list
	0 DO
		$FirstMove
		BEGIN DUP $CloneBoard .moveCFA EXECUTE $DeallocateBoard $NextMove DUP 0= UNTIL
		DROP
	LOOP
	$DeallocateMoves
;
: bench-count ( -- n )
	bench-list
	0 $FirstMove BEGIN DUP WHILE SWAP 1+ SWAP $NextMove REPEAT DROP
	$DeallocateMoves
;
"""
MATERIAL = ": OnEvaluate ( -- score ) current-player material-balance ;\n"
PLAIN = "tt=0,pvs=off,killers=off,history=off,captures=off,quiescence=off,net=none"
ORDERED = "quiescence=off,net=none"
SEED = 7


@dataclass(frozen=True, kw_only=True)
class BundledGame:
    """A bundled game and the sizes of its benchmarks."""

    name: str
    perft: int
    """The depth of perft."""
    depth: int
    """The depth of alpha-beta."""
    playouts: int
    """The number of random games."""
    mcts: int
    """The number of playouts of the tree search."""
    loop: int = 2
    """The depth of the loop in Python."""
    extra: str = ""
    """ForthScript that is added to the script of the game."""
    share: tuple[float, float] = (0.0, 1.0)
    """The smallest and largest plausible share of points of the first player in random games."""
    peer: str = ""
    """The name of the game in OpenSpiel."""
    variant: str = ""
    """The name of the game in Fairy-Stockfish."""


# Random tic-tac-toe: the first player wins 58.5 % and draws 12.7 %, by enumeration.
GAMES = (
    BundledGame(
        name="tictactoe",
        perft=6,
        depth=7,
        playouts=1000,
        mcts=2500,
        loop=3,
        share=(0.58, 0.72),
        peer="tic_tac_toe",
    ),
    BundledGame(
        name="breakthrough",
        perft=4,
        depth=4,
        playouts=800,
        mcts=200,
        extra=MATERIAL,
        share=(0.3, 0.75),
        peer="breakthrough",
    ),
    BundledGame(name="splut", perft=6, depth=4, playouts=8, mcts=8, loop=4),
    BundledGame(name="rithmomachia", perft=2, depth=2, playouts=1, mcts=1, loop=1),
    BundledGame(name="chess", perft=3, depth=3, playouts=5, mcts=5, variant="chess"),
    BundledGame(name="shogi", perft=3, depth=2, playouts=2, mcts=2, variant="shogi"),
    BundledGame(name="xiangqi", perft=3, depth=3, playouts=2, mcts=2, variant="xiangqi"),
    BundledGame(
        name="go-9x9", perft=2, depth=2, playouts=20, mcts=20, loop=1, peer="go(board_size=9)"
    ),
)


@cache
def _first_choice(bundled: BundledGame) -> Position:
    """Return the first position without a chance player to move.

    The script of the game is extended by WORDS and `bundled.extra`.
    """
    source = load(bundled.name).path
    with tempfile.TemporaryDirectory() as folder:
        game_folder = Path(folder) / "game"
        shutil.copytree(source.parent, game_folder)
        script = game_folder / "bench.4th"
        script.write_text(f"LOAD {source.name}\n{WORDS}{bundled.extra}", encoding="utf-8")
        position = load(script, seed=SEED).start()
    while position.is_chance:
        position.push(position.legal_moves[0])
    return position


def _known_count(bundled: BundledGame, depth: int) -> int:
    """Return the perft count of a depth from the game's .perft file."""
    lines = load(bundled.name).path.with_suffix(".perft").read_text(encoding="utf-8").splitlines()
    counts = {int(line.split()[0]): int(line.split()[1]) for line in lines if line.strip()}
    return counts[depth]


def _generation_rate(bundled: BundledGame, effort: Effort) -> float:
    """Return moves generated per second; each list is released immediately."""
    return _word_rate(_first_choice(bundled), "bench-generate", effort)


def _make_rate(bundled: BundledGame, effort: Effort) -> float:
    """Return moves made on a cloned board and unmade per second."""
    return _word_rate(_first_choice(bundled), "bench-make", effort)


def _word_rate(position: Position, word: str, effort: Effort) -> float:
    rounds = 1 if effort.tiny else 50
    moves = len(position.legal_moves)
    vm = position.game._loaded.vm
    with position._in_memory():
        seconds, stack = seconds_of(lambda: vm.call(word, rounds), effort)
        check(f"stack after {word}", stack, ())
        check(f"moves after {word}", vm.call("bench-count"), (moves,))
    return rounds * moves / seconds


def _perft_rate(bundled: BundledGame, effort: Effort) -> float:
    """Return the number of move sequences that perft counts per second."""
    depth = 2 if effort.tiny else bundled.perft
    seconds, count = seconds_of(lambda: perft(_initial_position(bundled), depth), effort)
    check(f"perft {depth} of {bundled.name}", count, _known_count(bundled, depth))
    return count / seconds


@cache
def _initial_position(bundled: BundledGame) -> Position:
    """Return the initial position, before chance outcomes; counts in .perft files begin there."""
    return load(bundled.name).start()


def _loop_rate(bundled: BundledGame, effort: Effort) -> float:
    """Return moves per second of a loop in Python that pushes and pops each legal move."""
    depth = 1 if effort.tiny else bundled.loop
    position = _initial_position(bundled).copy()
    seconds, pushed = seconds_of(lambda: _push_and_pop(position, depth), effort)
    check(f"moves of {bundled.name}", pushed, _known_count(bundled, depth))
    check("the position after unmake", position == _initial_position(bundled), True)
    return pushed / seconds


def _push_and_pop(position: Position, depth: int) -> int:
    pushed = 0
    for move in position.legal_moves:
        position.push(move)
        if depth == 1:
            pushed += 1
        elif position.result is None:
            pushed += _push_and_pop(position, depth - 1)
        position.pop()
    return pushed


def _playout_rate(bundled: BundledGame, effort: Effort) -> float:
    """Return random games per second."""
    count = 1 if effort.tiny else bundled.playouts
    position = _first_choice(bundled)
    seconds, rewards = seconds_of(lambda: random_playouts(position, count, seed=SEED), effort)
    check(f"playouts of {bundled.name} again", rewards, _rewards(bundled, count))
    two_players = 2  # with more, the rewards of a game that does not end may have another sum
    if len(rewards) == two_players:
        check("rewards add up to 1", round(sum(rewards.values()), 6), 1.0)
    _check_share(bundled, next(iter(rewards.values())), count)
    return count / seconds


@cache
def _rewards(bundled: BundledGame, count: int) -> dict[str, float]:
    return random_playouts(_first_choice(bundled), count, seed=SEED)


def _check_share(bundled: BundledGame, share: float, games: int) -> None:
    """Check the first player's share of points if there are enough games."""
    enough = 30
    low, high = bundled.share
    if games >= enough and not low <= share <= high:
        check(f"share of the first player of {bundled.name}", share, f"{low} to {high}")


def _negamax_rate(bundled: BundledGame, effort: Effort) -> float:
    """Return nodes per second of alpha-beta without features that save nodes."""
    depth = 2 if effort.tiny else bundled.depth
    position = _first_choice(bundled)
    engine = engines.get(f"negamax:depth={depth},{PLAIN}")
    seconds, result = seconds_of(lambda: engine.play(position), effort)
    check(f"score of {bundled.name} by a search with tables", result.score, _score(bundled, depth))
    if bundled.extra == MATERIAL:
        check(f"score of {bundled.name} in Python", result.score, breakthrough.score(depth))
    return result.nodes / seconds


@cache
def _score(bundled: BundledGame, depth: int) -> float | None:
    return engines.get(f"negamax:depth={depth},{ORDERED}").play(_first_choice(bundled)).score


def _mcts_rate(bundled: BundledGame, effort: Effort) -> float:
    """Return playouts per second of MCTS."""
    count = 2 if effort.tiny else bundled.mcts
    position = _first_choice(bundled)

    def search() -> engines.SearchResult:
        return engines.get(f"mcts:playouts={count},seed={SEED},net=none").play(position)

    seconds, result = seconds_of(search, effort)
    check(f"number of playouts of {bundled.name}", result.info["playouts"], count)
    check("a legal move", str(result.move) in map(str, position.legal_moves), True)
    return count / seconds


# --- peers ------------------------------------------------------------------------------


def _c_perft(peers: Peers, effort: Effort) -> float:
    depth = 3 if effort.tiny else 5
    seconds, leaves = peers.run("C", "perft", "breakthrough", depth, effort)
    check("perft of breakthrough in C", leaves, _known_count(_BREAKTHROUGH, depth))
    return leaves / seconds


def _c_negamax(peers: Peers, effort: Effort) -> float:
    depth = 3 if effort.tiny else 6
    seconds, nodes = peers.run("C", "negamax", "breakthrough", depth, effort)
    check("nodes of breakthrough in C", nodes, breakthrough.nodes(depth))
    return nodes / seconds


def _c_playouts(peers: Peers, effort: Effort) -> float:
    games = 3 if effort.tiny else 200
    seconds, wins = peers.run("C", "playouts", "breakthrough", games, effort)
    check("wins in breakthrough in C", wins, breakthrough.wins(games))
    return games / seconds


def _spiel_playouts(bundled: BundledGame, peers: Peers, effort: Effort) -> float:
    """Return OpenSpiel's rollouts (in C++) per second, measured by a search with two visits."""
    pyspiel = peers.module("OpenSpiel")
    rollouts = 5 if effort.tiny else bundled.playouts // 2  # in each of the two visits
    game = pyspiel.load_game(bundled.peer)
    state = game.new_initial_state()
    seeds = random.Random(SEED)

    def search() -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seeds.randrange(10**6))
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 2, 100, False, SEED, False)
        root = bot.mcts_search(state)
        check("visits of OpenSpiel's root", root.explore_count, 2)
        return float(root.total_reward) / 2

    seconds, reward = seconds_of(search, effort)
    check("OpenSpiel's mean reward is in range", -1 <= reward <= 1, True)
    return 2 * rollouts / seconds


def _spiel_mcts(bundled: BundledGame, peers: Peers, effort: Effort) -> float:
    pyspiel = peers.module("OpenSpiel")
    count = 5 if effort.tiny else bundled.mcts
    game = pyspiel.load_game(bundled.peer)
    state = game.new_initial_state()

    def search() -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(1, SEED)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, count, 100, False, SEED, False)
        return int(bot.mcts_search(state).explore_count)

    seconds, visits = seconds_of(search, effort)
    check("visits of OpenSpiel's root", visits, count)
    return count / seconds


def _chess_loop(peers: Peers, effort: Effort) -> float:
    chess = peers.module("python-chess")
    depth = 1 if effort.tiny else 2
    board = chess.Board()

    def push_and_pop(depth: int) -> int:
        pushed = 0
        for move in board.legal_moves:
            board.push(move)
            pushed += 1 if depth == 1 else push_and_pop(depth - 1)
            board.pop()
        return pushed

    seconds, pushed = seconds_of(lambda: push_and_pop(depth), effort)
    check("moves by python-chess", pushed, {1: 20, 2: 400}[depth])
    return pushed / seconds


def _pyffish_loop(bundled: BundledGame, peers: Peers, effort: Effort) -> float:
    """Return moves per second of a loop in Python over the lists of moves of Fairy-Stockfish."""
    pyffish = peers.module("pyffish")
    depth = 1 if effort.tiny else bundled.loop
    start = pyffish.start_fen(bundled.variant)

    def count(moves: list[str], depth: int) -> int:
        legal = pyffish.legal_moves(bundled.variant, start, moves)
        return len(legal) if depth == 1 else sum(count([*moves, move], depth - 1) for move in legal)

    seconds, counted = seconds_of(lambda: count([], depth), effort)
    check(f"moves of {bundled.name} by pyffish", counted, _known_count(bundled, depth))
    return counted / seconds


# --- the list ---------------------------------------------------------------------------

_BREAKTHROUGH = next(bundled for bundled in GAMES if bundled.name == "breakthrough")

KINDS: dict[str, tuple[Callable[[BundledGame, Effort], float], str]] = {
    "generate": (_generation_rate, "{}: moves generated in one position"),
    "make": (_make_rate, "{}: moves made and unmade on a cloned board"),
    "perft": (_perft_rate, "{}: move sequences counted"),
    "loop": (_loop_rate, "{}: moves pushed and popped by a loop in Python"),
    "playouts": (_playout_rate, "{}: random games"),
    "negamax": (_negamax_rate, "{}: nodes of plain alpha-beta"),
    "mcts": (_mcts_rate, "{}: playouts of a tree search"),
}


def _peers_of(kind: str, bundled: BundledGame) -> dict[str, PeerMeasure]:
    found: dict[str, PeerMeasure] = {}
    if bundled is _BREAKTHROUGH:
        in_c = {"perft": _c_perft, "negamax": _c_negamax, "playouts": _c_playouts}
        if kind in in_c:
            found["C"] = in_c[kind]
    if bundled.peer and kind == "playouts":
        found["OpenSpiel"] = partial(_spiel_playouts, bundled)
    if bundled.peer and kind == "mcts":
        found["OpenSpiel"] = partial(_spiel_mcts, bundled)
    if bundled.name == "chess" and kind == "loop":
        found["python-chess"] = _chess_loop
    if bundled.variant and kind == "loop":
        found["pyffish"] = partial(_pyffish_loop, bundled)
    return found


def _make_benchmarks() -> Iterator[Benchmark]:
    installed = game_paths()
    for bundled in GAMES:
        if bundled.name not in installed:
            continue
        for kind, (run, summary) in KINDS.items():
            measure: Measure = partial(run, bundled)
            yield Benchmark(
                name=f"{kind}-{bundled.name}",
                group="game",
                unit="nodes/s" if kind == "negamax" else "/s",
                summary=summary.format(bundled.name),
                run=measure,
                peers=_peers_of(kind, bundled),
                repeats=3,
            )


BENCHMARKS = tuple(_make_benchmarks())

"""UCI on both sides: moves, games, limits, Stockfish."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

import forthvm
from forthvm.engines import EngineError, EngineOptionError, Limits, choose_move, get
from forthvm.engines.protocols import UciEngine
from forthvm.engines.protocols import server as server_module
from forthvm.engines.protocols.coordinates import CoordinateWords
from forthvm.engines.protocols.search_reports import MAX_LINES, InfoLine, SearchReports
from forthvm.engines.protocols.uci.dialect import UCCI, UCI, USI, Dialect
from forthvm.engines.protocols.uci.server import DialectServer
from forthvm.game import Position
from forthvm.game.outcome import WIN
from tests.engines import samples
from tests.engines.programs import command
from tests.engines.samples import Last
from tests.engines.served_lines import replies_of, replies_to_all_at_once
from tests.kit.games import loaded, play
from tests.kit.messages import raises
from tests.kit.processes import FORTHVM

chess = pytest.importorskip("chess")
STOCKFISH = shutil.which("stockfish") or shutil.which("/usr/games/stockfish")


@pytest.mark.parametrize("seed", range(3))
def test_words_are_those_of_python_chess(seed: int) -> None:
    choice = random.Random(seed)
    position, board = loaded("chess").start(), chess.Board()
    for _ in range(60):
        if position.result is not None or board.is_game_over():
            break
        words = CoordinateWords(position).words
        assert sorted(words) == sorted(move.uci() for move in board.legal_moves)
        index = choice.randrange(len(words))
        board.push_uci(words[index])
        position.push(position.legal_moves[index])


def test_promotions_have_letters() -> None:
    position = play(loaded("chess").start(), "a4", "b5", "ab5", "a6", "ba6", "Nc6", "a7", "Rb8")
    words = CoordinateWords(position).words
    assert {"a7a8q", "a7a8n", "a7b8r", "a7b8b"} <= set(words)


def test_answers_become_results() -> None:
    lines = ["info string book", "info depth 2 score mate 3 pv e2e4 e7e5", "bestmove e2e4"]
    engine = UciEngine(cmd=command("says", "\\n".join(lines), protocol="uci"))
    result = choose_move(engine, loaded("chess").start())
    assert str(result.move) == "pawn e2 - e4"
    assert (result.score, result.depth, len(result.pv)) == (WIN - 5, 2, 2)
    assert result.info["said"] == "book"
    engine.close()


def test_several_lines_are_read() -> None:
    lines = [
        *("info multipv 1 score cp 9 pv e2e4 e7e5", "info multipv 2 score cp 7 pv d2d4"),
        *("info multipv 1 score cp 8 pv d2d4", "info multipv 2 score cp 6 pv e2e4 e7e6"),
        "bestmove d2d4",
    ]
    engine = UciEngine(cmd=command("says", "\\n".join(lines), protocol="uci"))
    found = choose_move(engine, loaded("chess").start()).info["lines"]
    engine.close()
    assert isinstance(found, list)
    assert [(score, list(map(str, moves))) for score, moves in found] == [
        (8, ["pawn d2 - d4"]),
        (6, ["pawn e2 - e4", "pawn e7 - e6"]),
    ]


def test_lines_beyond_the_maximum_are_not_kept() -> None:
    reports = SearchReports(loaded("chess").start(), None, CoordinateWords)
    for line in (0, MAX_LINES - 1, MAX_LINES, 99_999_998):
        reports.add(InfoLine(line=line, pv=["e2e4"]), 0.0)
    assert set(reports._lines) == {0, MAX_LINES - 1}


def test_the_number_of_lines_needs_an_option_of_the_program() -> None:
    engine = UciEngine(cmd=command("good", protocol="uci"), lines=3)
    with raises(EngineOptionError, "uci.no-multipv"):
        choose_move(engine, loaded("chess").start())


@pytest.mark.slow
@pytest.mark.skipif(STOCKFISH is None, reason="Stockfish is not installed")
def test_stockfish_finds_several_lines() -> None:
    engine = get(f"uci:{STOCKFISH}", lines=3)
    found = choose_move(engine, loaded("chess").start(), Limits(depth=3)).info["lines"]
    engine.close()
    assert isinstance(found, list)
    assert len({moves[0] for _, moves in found}) == 3


def test_clocks_are_sent(tmp_path: Path) -> None:
    log = tmp_path / "log"
    position = play(loaded("chess").start(), "e4")
    engine = UciEngine(cmd=command("log", log, protocol="uci"), clock=True)
    choose_move(engine, position, Limits(time=60, increment=0.5))
    engine.close()
    assert log.read_text(encoding="utf-8").splitlines()[-3:-1] == [
        "isready",
        "go wtime 60000 btime 60000 winc 500 binc 500",
    ]


def test_games_begin_before_the_first_search(tmp_path: Path) -> None:
    """Once for each process and game, also without a call of `new_game`."""
    log = tmp_path / "log"
    engine = UciEngine(cmd=command("log", log, protocol="uci"))
    position = play(loaded("chess").start(), "e4")
    engine.prepare(position)
    begun = log.read_text(encoding="utf-8").splitlines()
    assert begun == ["uci", "ucinewgame", "isready"]
    for _ in range(2):
        choose_move(engine, position, Limits(depth=1))
    engine.close()
    choose_move(engine, position, Limits(depth=1))
    engine.close()
    lines = log.read_text(encoding="utf-8").splitlines()
    search = ["position startpos moves e2e4", "isready", "go depth 1"]
    assert lines == [*begun, *search, *search, "quit", *begun, *search, "quit"]


def test_other_games_need_an_option_of_the_program() -> None:
    engine = UciEngine(cmd=command("good", protocol="uci"))
    with raises(EngineError, "uci.no-line"):
        choose_move(engine, loaded("ur").start())
    with raises(EngineError, "uci.no-option"):
        choose_move(engine, loaded("makruk").start())
    engine.close()
    with raises(EngineError, "uci.no-line"):
        DialectServer(forthvm.load("ur"), print, dialect=UCI)


def replies_to(*lines: str, game: str = "chess", dialect: Dialect = UCI) -> list[str]:
    return replies_of(
        lambda write: DialectServer(forthvm.load(game), write, "negamax:depth=2", dialect=dialect),
        *lines,
    )


def test_server_reports_mate() -> None:
    moves = "moves e2e4 e7e5 f1c4 b8c6 d1h5 g8f6"
    replies = replies_to(f"position fen {chess.STARTING_FEN} {moves}", "go depth 2")
    assert replies[-1] == "bestmove h5f7"
    assert "score mate 1" in replies[-2]


@pytest.mark.slow
def test_server_reads_positions_as_fen() -> None:
    replies = replies_to(
        "position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1 moves g1f1 h7h6", "go depth 2"
    )
    assert replies[-1].startswith("bestmove a1")
    replies = replies_to("position fen 9/8 w - - 0 1", "go", "query moves")
    assert replies[0].startswith("info string error: 'position fen 9/8")
    assert replies[-2] == "bestmove 0000"
    assert "unknown command" in replies[-1]


@pytest.mark.parametrize(
    ("dialect", "game", "answer"),
    [
        (UCI, "chess", "bestmove 0000"),
        (USI, "shogi", "bestmove resign"),
        (UCCI, "xiangqi", "nobestmove"),
    ],
)
def test_an_engine_can_resign(dialect: Dialect, game: str, answer: str) -> None:
    engine = "tests.engines.samples:Resigns"
    option = dialect.set_option("Engine", engine)
    replies = replies_to(option, "position startpos", "go", game=game, dialect=dialect)
    assert replies == [f"info {dialect.text_word} enough", answer]


@pytest.mark.parametrize(
    ("dialect", "game", "stop"),
    [
        (UCI, "chess", "stop"),
        (USI, "shogi", "stop"),
        (USI, "shogi", "gameover draw"),
        (UCCI, "xiangqi", "stop"),
    ],
)
def test_stop_ends_all_searches_before_it(dialect: Dialect, game: str, stop: str) -> None:
    lines = ["position startpos", "go infinite", stop, "go infinite", stop, "go infinite", stop]
    replies = replies_to_all_at_once(
        lambda write: DialectServer(forthvm.load(game), write, "first", dialect=dialect), *lines
    )
    assert [line.split()[0] for line in replies if "info" not in line] == ["bestmove"] * 3


def test_stop_ends_the_search_before_a_waiting_position() -> None:
    replies = replies_to_all_at_once(
        lambda write: DialectServer(forthvm.load("chess"), write, "first", dialect=UCI),
        *("go infinite", "position startpos moves e2e4", "stop"),
    )
    assert replies[-1].startswith("bestmove ")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("dialect", "game", "moves", "repetitions"),
    [
        (UCI, "chess", "g1f3 g8f6 f3g1 f6g8", 2),
        (USI, "shogi", "4i4h 4a4b 4h4i 4b4a", 3),
        (UCCI, "xiangqi", "h2h4 h7h5 h4h2 h5h7", 4),
    ],
)
def test_play_goes_on_after_repetitions(
    dialect: Dialect, game: str, moves: str, repetitions: int
) -> None:
    words = [moves] * repetitions
    first, *_ = moves.split()
    replies = replies_to(
        *(f"position startpos moves {' '.join(words)}", "go"),
        *(f"position startpos moves {' '.join([*words, first])}", "go"),
        game=game,
        dialect=dialect,
    )
    answers = [line.split() for line in replies if line.split()[0] != "info"]
    assert [word for word, *_ in answers] == ["bestmove", "bestmove"]
    assert not {"0000", "resign"} & {move for _, move in answers}


def test_play_goes_on_after_fifty_moves() -> None:
    replies = replies_to("position fen 8/P6k/8/8/8/8/7K/8 w - - 100 80", "go")
    assert replies[-1] == "bestmove a7a8q"
    stalemate = replies_to("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go")
    assert stalemate == ["info string the game is over: draw: stalemate", "bestmove 0000"]


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/4k3/8/8/3NK3/8/8 w - - 0 90",
        "4k3/8/8/8/8/8/8/4K3 b - - 3 9",
        "8/8/8/8/8/2k5/1b6/K7 w - - 0 9",
    ],
)
def test_play_goes_on_in_dead_positions(fen: str) -> None:
    message, *_, answer = replies_to(f"position fen {fen}", "go")
    assert message.startswith("info string the game is over: draw: a dead position")
    legal = {f"bestmove {move.uci()}" for move in chess.Board(fen).legal_moves}
    assert answer in legal


@pytest.mark.parametrize(
    ("dialect", "game", "fen", "legal"),
    [
        (UCI, "makruk", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", {"e1d1", "e1d2", "e1e2", "e1f1", "e1f2"}),
        (UCCI, "xiangqi", "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1", {"d0d1"}),
        (UCI, "breakthrough", "8/8/8/8/8/8/8/8 w - - 0 1", {"0000"}),
    ],
)
def test_play_goes_on_after_draws_in_other_games(
    dialect: Dialect, game: str, fen: str, legal: set[str]
) -> None:
    answer = replies_to(f"position fen {fen}", "go", game=game, dialect=dialect)[-1]
    assert answer.removeprefix("bestmove ") in legal


def test_server_plays_its_game_only() -> None:
    variant = "option name UCI_Variant type combo default makruk var makruk"
    assert variant in replies_to("uci", game="makruk")
    assert not any("UCI_Variant" in line for line in replies_to("uci"))
    assert replies_to("setoption name UCI_Variant value makruk", game="makruk") == []
    (reply,) = replies_to("setoption name UCI_Variant value shogi", game="makruk")
    assert "this engine plays makruk: UCI_Variant is makruk" in reply


def test_chess960_is_a_switch() -> None:
    options = [line for line in replies_to("uci", game="chess-960") if line.startswith("option")]
    assert options == [
        "option name Engine type string default negamax:depth=2",
        "option name UCI_Chess960 type check default false",
        "option name MultiPV type spin default 1 min 1 max 256",
    ]
    for value in ("false", "true"):
        assert replies_to(f"setoption name UCI_Chess960 value {value}", game="chess-960") == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("dialect", "game"), [(UCI, "chess"), (USI, "shogi")])
def test_hosts_choose_the_number_of_lines(dialect: Dialect, game: str) -> None:
    replies = replies_to("setoption name MultiPV value 3", "go depth 1", game=game, dialect=dialect)
    lines = {number for number in (1, 2, 3, 4) if any(f"multipv {number} " in r for r in replies)}
    assert lines == {1, 2, 3}
    engine = "setoption name Engine value first"
    assert not any("MultiPV" in line for line in replies_to(engine, "uci"))


def test_an_engine_is_created_once_to_find_its_options(monkeypatch: pytest.MonkeyPatch) -> None:
    created: list[dict[str, object]] = []

    class Counted(Last):
        def __init__(self, **options: object) -> None:
            super().__init__()
            created.append(options)

    monkeypatch.setattr(samples, "Last", Counted)
    engine = "setoption name Engine value tests.engines.samples:Last"
    replies = replies_to(engine, "uci", "uci")
    assert sum("MultiPV" in line for line in replies) == 2
    assert created == [{}, {"lines": 1}]


def test_commands_without_a_meaning_here_are_accepted() -> None:
    assert replies_to("debug on", "register later", "ponderhit") == []


@pytest.mark.parametrize(("engine", "searches"), [("negamax", 1), ("first", 0)])
def test_the_engine_is_prepared_before_readyok(
    engine: str, searches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    replies: list[str] = []
    monkeypatch.setattr(server_module, "choose_move", lambda *_: replies.append("search"))
    server = DialectServer(forthvm.load("chess"), replies.append, engine, dialect=UCI)
    for line in ("isready", "ucinewgame", "isready"):
        server._receive(line)
    server._end()
    assert replies == ["search"] * searches + ["readyok", "readyok"]


def test_a_failing_preparation_does_not_prevent_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("no network")

    monkeypatch.setattr(server_module, "choose_move", fail)
    replies = replies_to("isready", "ucinewgame", "position startpos moves e2e4")
    assert replies == ["readyok"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", ["makruk", "xiangqi", "shogi"])
def test_programs_are_told_the_game(game: str) -> None:
    engine = UciEngine(cmd=[*FORTHVM, "uci", game, "--engine", "first"])
    position = loaded(game).start()
    for _ in range(4):
        result = choose_move(engine, position)
        assert result.move.index == 0
        position.push(result.move)
    with raises(EngineError, "uci.other-variant"):
        choose_move(engine, loaded("breakthrough").start())
    engine.close()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["chess", "chess-960"])
def test_switches_must_exist(game: str) -> None:
    engine = UciEngine(cmd=[*FORTHVM, "uci", game, "--engine", "first"])
    position = loaded("chess-960").start()
    if game == "chess":
        with raises(EngineError, "uci.no-switch"):
            choose_move(engine, position)
    else:
        play(position, "e4", choose_move(engine, play(position.copy(), "e4")).move)
    engine.close()


@pytest.mark.slow
@pytest.mark.skipif(STOCKFISH is None, reason="Stockfish is not installed")
def test_stockfish_plays_chess960_and_chess_with_one_process() -> None:
    engine = get(f"uci:{STOCKFISH},option.Hash=16,depth=3")
    game = forthvm.load("chess-960", settings={"start": 518})
    position = play(game.start(), "e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "O-O")
    position.push(choose_move(engine, position).move)  # Stockfish has understood the castling
    game = forthvm.load("chess-960", settings={"start": 0})
    choose_move(engine, game.start())
    castled = play(loaded("chess").start(), "e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "O-O")
    castled.push(choose_move(engine, castled).move)
    engine.close()


@pytest.mark.skipif(STOCKFISH is None, reason="Stockfish is not installed")
def test_positions_that_were_set_up_are_sent() -> None:
    position = Position.from_fen(loaded("chess"), "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    engine = get(f"uci:{STOCKFISH},depth=4")
    result = choose_move(engine, position)
    engine.close()
    assert str(result.move) == "rook a1 - a8"
    assert result.score == WIN - 1


@pytest.mark.skipif(STOCKFISH is None, reason="Stockfish is not installed")
def test_stockfish_plays_a_game() -> None:
    engine = get(f"uci:{STOCKFISH},option.Hash=16,nodes=300")
    opponent = get("random:seed=1")
    position = loaded("chess").start()
    while position.result is None:
        player = engine if position.turn == "White" else opponent
        position.push(choose_move(player, position).move)
    engine.close()
    assert position.result.winners == ("White",)

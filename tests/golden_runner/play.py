"""Walks a recording beside a host and compares every position.

Owns the comparison of play-outs and searches with the C core; must not use the game API.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from forthvm.core.records import ChangeKind
from tests.golden_runner import tally
from tests.golden_runner.host import Host
from tests.golden_runner.records import PartialEnd, Ply, Recording, Search
from tests.golden_runner.rules import expected_text, partial_type, uses_caret_words
from tests.golden_runner.texts import edit_texts

__all__ = ["begin", "check_search", "walk"]


def begin(host: Host, told: Recording) -> None:
    """A new game with its set-up, compared."""
    host.new()
    assert tuple(host.setup()) == told.setup.edits
    assert host.player == told.setup.player
    assert host.board == told.setup.board


def walk(
    host: Host, told: Recording, *, marks: bool = True, over: bool = True
) -> Iterator[Ply | PartialEnd]:
    """Plays the recorded moves; every position is compared before it is handed out.

    Args:
        host: just begun.
        told: what was recorded.
        marks: compare what the moves say of themselves, too.
        over: ask the game-over question, as the recording host did.
    """
    after_partial = False
    for step in told.steps:
        where = f"{told.game} ply {step.ply}"
        assert host.player == step.player, where
        if isinstance(step, PartialEnd):
            assert after_partial, where
            assert host.moves() == [], where
            assert host.player == step.next, where
            after_partial = False
            continue
        assert host.board == step.board, where
        assert host.partial == after_partial, where
        # The original asks "over?" in every position but those inside a partial sequence.
        assert (step.over is None) == after_partial, where
        if step.over is not None and over:
            assert (host.over(), host.comment) == (step.over, step.comment), where
        check_texts(host, told, step, where)
        if marks:
            check_marks(host, step, where)
        yield step
        if step.played is not None:
            after_partial = host.vm.native.game_make(host.moves_now[step.played])
            assert after_partial == (partial_type(step.moves[step.played]) is not None), where


def check_texts(host: Host, told: Recording, step: Ply, where: str) -> None:
    """The list's texts are the recorded ones, or those that the host's version has for them."""
    texts = host.moves()
    if host.version == 140:
        assert texts == list(step.moves), where
        return
    assert len(texts) == len(step.moves), where
    edits_only = not uses_caret_words(told.source)
    for text, recorded, move in zip(texts, step.moves, host.moves_now, strict=True):
        assert text in edit_texts(host, host.vm.native.move_changes(move)), where
        if edits_only:
            assert text == expected_text(recorded, host.version), where


def check_marks(host: Host, step: Ply, where: str) -> None:
    """What 140 wrote as `partial N` must be in the move itself in every version."""
    for move, text in zip(host.moves_now, step.moves, strict=True):
        marks = [
            change.piece
            for change in host.vm.native.move_changes(move)
            if change.kind is ChangeKind.PARTIAL
        ]
        wanted = partial_type(text)
        assert marks == ([] if wanted is None else [wanted]), f"{where}: {text}"


def check_search(
    fresh: Callable[[], Host], told: Recording, search: Search, *, marks: bool = True
) -> None:
    """Replays the moves in a fresh state, as the recording process did, and searches."""
    host = fresh()
    begin(host, told)
    for step in walk(host, told, marks=marks):
        if step.ply == search.ply:
            break
    where = f"{told.game} ply {search.ply} depth {search.depth_limit}"
    texts = [host.vm.native.move_text(move) for move in host.moves_now]
    answer = host.engine(search.depth_limit)
    if search.error is not None:
        # The original died without a move; forthvm reports the first root move
        # (axiom-search.md, node 5).
        now_first = host.vm.native.move_text(host.vm.native.move_list()[0])
        assert answer.best in {texts[0], now_first}, where
        return
    assert search.best is not None
    best = texts[step.moves.index(search.best)]
    assert (answer.best, answer.score, answer.depth) == (best, search.score, search.depth), where
    tally.nodes(told.game, agree=answer.nodes == search.nodes)

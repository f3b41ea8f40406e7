"""Replay a recorded game in a host and compare every position.

Owns the comparison of recorded games and searches with the C core; must not use the game API.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from forthvm.core.records import ChangeKind
from tests.golden_runner import tally
from tests.golden_runner.host import Host
from tests.golden_runner.records import PartialEnd, Ply, Recording, Search
from tests.golden_runner.rules import expected_text, partial_type, uses_caret_words
from tests.golden_runner.texts import edit_texts

__all__ = ["begin", "check_search", "replay"]


def begin(host: Host, recorded: Recording) -> None:
    """Start a new game and compare its set-up with the recorded one."""
    host.new()
    assert tuple(host.setup()) == recorded.setup.edits
    assert host.player == recorded.setup.player
    assert host.board == recorded.setup.board


def replay(
    host: Host, recorded: Recording, *, partial: bool = True, over: bool = True
) -> Iterator[Ply | PartialEnd]:
    """Play the recorded moves; yield each step after its position has been compared.

    Args:
        host: A host that has just begun the game.
        recorded: The recording.
        partial: Whether to compare which moves are partial.
        over: Whether to call OnIsGameOver, as the recording host did.
    """
    after_partial = False
    for step in recorded.steps:
        where = f"{recorded.game} ply {step.ply}"
        assert host.player == step.player, where
        if isinstance(step, PartialEnd):
            assert after_partial, where
            assert host.moves() == [], where
            assert host.player == step.next, where
            after_partial = False
            continue
        assert host.board == step.board, where
        assert host.partial == after_partial, where
        # The original calls OnIsGameOver in every position except after a partial move.
        assert (step.over is None) == after_partial, where
        if step.over is not None and over:
            assert (host.over(), host.comment) == (step.over, step.comment), where
        check_texts(host, recorded, step, where)
        if partial:
            check_partial(host, step, where)
        yield step
        if step.played is not None:
            after_partial = host.vm.native.game_make(host.listed_moves[step.played])
            assert after_partial == (partial_type(step.moves[step.played]) is not None), where


def check_texts(host: Host, recorded: Recording, step: Ply, where: str) -> None:
    """Compare the move texts with the recorded ones, converted to the host's library version."""
    texts = host.moves()
    if host.version == 140:
        assert texts == list(step.moves), where
        return
    assert len(texts) == len(step.moves), where
    edits_only = not uses_caret_words(recorded.source)
    for text, text_140, move in zip(texts, step.moves, host.listed_moves, strict=True):
        assert text in edit_texts(host, host.vm.native.move_changes(move)), where
        if edits_only:
            assert text == expected_text(text_140, host.version), where


def check_partial(host: Host, step: Ply, where: str) -> None:
    """Check that exactly the moves whose 140 text contains `partial N` are partial."""
    for move, text in zip(host.listed_moves, step.moves, strict=True):
        types = [
            change.piece
            for change in host.vm.native.move_changes(move)
            if change.kind is ChangeKind.PARTIAL
        ]
        expected = partial_type(text)
        assert types == ([] if expected is None else [expected]), f"{where}: {text}"


def check_search(
    new_host: Callable[[], Host], recorded: Recording, search: Search, *, partial: bool = True
) -> None:
    """Replay the moves up to a search in a new host and compare the result of the search."""
    host = new_host()
    begin(host, recorded)
    for step in replay(host, recorded, partial=partial):
        if step.ply == search.ply:
            break
    where = f"{recorded.game} ply {search.ply} depth {search.depth_limit}"
    texts = [host.vm.native.move_text(move) for move in host.listed_moves]
    found = host.engine(search.depth_limit)
    if search.error is not None:
        # The original crashed and returned no move.  forthvm returns the first move of the list,
        # which the search may have reordered (axiom-search.md, node 5).
        first_after_search = host.vm.native.move_text(host.vm.native.move_list()[0])
        assert found.best in {texts[0], first_after_search}, where
        return
    assert search.best is not None
    best = texts[step.moves.index(search.best)]
    assert (found.best, found.score, found.depth) == (best, search.score, search.depth), where
    tally.nodes(recorded.game, equal=found.nodes == search.nodes)

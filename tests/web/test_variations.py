"""The tree of moves: the game in it, variations, and its saved form."""

from __future__ import annotations

import json
from typing import Any

import pytest

import forthvm
from forthvm.core.errors import ForthVMError, GameOverError, PositionError
from forthvm.game import HistoryEntry
from forthvm.web.table.move_node import MAX_COMMENT, MoveNode
from forthvm.web.table.variations import TreeError, Variations
from tests.kit.games import loaded
from tests.kit.messages import raises


@pytest.fixture
def tree() -> Variations:
    """Noughts and crosses before the first move."""
    return Variations(loaded("tictactoe").start())


def play(tree: Variations, *squares: str) -> None:
    """Make moves in the game."""
    for square in squares:
        tree.play(tree.position.parse(square))


def vary(tree: Variations, node: MoveNode, *squares: str) -> MoveNode:
    """Add a variation."""
    position = tree.position_at(node)
    entries = []
    for square in squares:
        entries.append(position.parse(square).entry)
        position.push(entries[-1])
    return tree.add(node.number, entries)


def squares(nodes: list[MoveNode]) -> list[str]:
    return [node.entry.text.split()[-1] for node in nodes if node.entry]


def main_line(tree: Variations) -> list[str]:
    node, nodes = tree.root, []
    while node.children:
        node = node.children[0]
        nodes.append(node)
    return squares(nodes)


def test_the_game_is_the_main_line(tree: Variations) -> None:
    play(tree, "b2", "a1")
    assert main_line(tree) == squares(tree.played.line()) == ["b2", "a1"]


def test_back_and_forward_restore_the_position(tree: Variations) -> None:
    play(tree, "b2")
    before = tree.position.copy()
    play(tree, "a1")
    after = tree.position.copy()
    tree.back()
    assert tree.position == before
    tree.forward()
    assert tree.position == after
    assert tree.position.history == after.history


def test_another_move_after_back_becomes_the_main_line(tree: Variations) -> None:
    play(tree, "b2", "a1")
    tree.back()
    play(tree, "c3")
    assert main_line(tree) == ["b2", "c3"]
    assert squares(tree.played.parent.children) == ["c3", "a1"]  # type: ignore[union-attr]
    assert not tree.may_go_forward


def test_the_same_move_again_adds_no_node(tree: Variations) -> None:
    play(tree, "b2", "a1")
    nodes = list(tree.root.subtree())
    tree.back(), tree.back()
    play(tree, "b2", "a1")
    assert list(tree.root.subtree()) == nodes


@pytest.mark.parametrize("step", ["back", "forward"])
def test_there_is_no_move_to_take_back_or_make_again(tree: Variations, step: str) -> None:
    with pytest.raises(TreeError):
        getattr(tree, step)()


def test_a_variation_leaves_the_game_alone(tree: Variations) -> None:
    play(tree, "b2", "a1")
    end = vary(tree, tree.root, "a1", "b2")
    assert main_line(tree) == ["b2", "a1"]
    assert str(tree.position.board["b2"]) == "X mark"
    assert str(tree.position_at(end).board["b2"]) == "O mark"


def test_a_variation_of_the_game_reuses_its_nodes(tree: Variations) -> None:
    play(tree, "b2", "a1")
    end = vary(tree, tree.root, "b2", "c3")
    assert end.parent is tree.played.parent


def test_moves_of_the_study_are_not_made_again_in_the_game(tree: Variations) -> None:
    vary(tree, tree.root, "b2")
    assert not tree.may_go_forward


def test_a_variation_ends_where_the_game_ends(tree: Variations) -> None:
    won = vary(tree, tree.root, "a1", "b1", "a2", "b2", "a3")
    with pytest.raises(GameOverError):
        tree.add(won.number, [HistoryEntry("O", "O mark c3", 0)])


def test_a_variation_with_an_illegal_move(tree: Variations) -> None:
    play(tree, "b2")
    with raises(ForthVMError, "variations.illegal-move"):
        tree.add(tree.played.number, [HistoryEntry("O", "O mark b2", 0)])


def test_play_from_a_variation(tree: Variations) -> None:
    play(tree, "b2", "a1", "c3")
    end = vary(tree, tree.root, "a1", "b2")
    tree.play_from(end.number)
    play(tree, "c1")
    assert main_line(tree) == squares(tree.played.line()) == ["a1", "b2", "c1"]
    tree.back()
    assert tree.may_go_forward


def test_moves_made_again_have_the_same_dice() -> None:
    """Dice of the royal game of Ur have the same values when the moves are made again."""
    game = forthvm.load("ur")
    tree = Variations(game.start())
    for _ in range(6):
        tree.play(tree.position.legal_moves[0] if tree.position.legal_moves else None)
    states = [tree.position_at(node) for node in (tree.root, *tree.played.line())]
    ends = states[-1].copy()
    for _ in range(6):
        tree.back()
    assert tree.position == states[0]
    for _ in range(6):
        tree.forward()
    assert tree.position == ends


def test_deleting_a_variation(tree: Variations) -> None:
    play(tree, "b2")
    first = vary(tree, tree.root, "a1")
    vary(tree, first, "a2", "a3")
    tree.delete(first.number)
    assert squares(list(tree.root.subtree())) == ["b2"]
    with raises(TreeError, "variations.deleted"):
        tree.node(first.number)


def test_the_game_cannot_be_deleted(tree: Variations) -> None:
    play(tree, "b2", "a1")
    for node in (tree.root, *tree.played.line()):
        with raises(TreeError, "variations.cannot-be-deleted"):
            tree.delete(node.number)


def test_promoting_a_variation(tree: Variations) -> None:
    for square in ("a1", "a2", "a3"):
        vary(tree, tree.root, square, "b2")
    tree.promote(tree.root.children[2].children[0].number)
    assert squares(tree.root.children) == ["a1", "a3", "a2"]


def test_moves_of_the_game_stay_in_front(tree: Variations) -> None:
    play(tree, "b2")
    other = vary(tree, tree.root, "a1")
    with raises(TreeError, "variations.moves-of-the-game-first"):
        tree.promote(other.number)
    with raises(TreeError, "variations.main-line"):
        tree.promote(tree.played.number)


def test_comments_and_judgements(tree: Variations) -> None:
    play(tree, "b2")
    tree.comment(tree.played.number, "  the centre\n\x1b[31m ")
    tree.judge(tree.played.number, "!")
    assert tree.played.comment == "the centre\n\\x1b[31m"
    with raises(TreeError, "variations.long-comment"):
        tree.comment(0, "x" * (MAX_COMMENT + 1))
    for number, glyph in ((0, "!"), (tree.played.number, "<b>")):
        with pytest.raises(TreeError):
            tree.judge(number, glyph)


Rows = dict[int, list[Any]]


def apply(rows: Rows, message: dict[str, Any]) -> Rows:
    """Apply a message of changes, as a front end does."""
    for number in message.get("removed", ()):
        del rows[number]
    rows.update({row[0]: row for row in message["rows"]})
    return rows


def test_changes_add_up_to_the_whole(tree: Variations) -> None:
    rows = apply({}, tree.take_changes() or {})
    steps = [
        lambda: play(tree, "b2", "a1"),
        lambda: vary(tree, tree.root, "a1", "a2"),
        lambda: vary(tree, tree.root, "c1", "a2"),
        lambda: tree.promote(tree.root.children[2].number),
        lambda: tree.comment(tree.played.number, "good"),
        lambda: (tree.back(), play(tree, "a2")),
        lambda: tree.delete(tree.root.children[1].number),
        lambda: tree.play_from(tree.root.children[1].number),
    ]
    for step in steps:
        step()
        assert apply(rows, tree.take_changes() or {}) == apply({}, tree.whole())
        assert tree.take_changes() is None


def test_changes_are_small(tree: Variations) -> None:
    play(tree, "b2", "a1")
    tree.take_changes()
    play(tree, "c3")
    node, parent = tree.played, tree.played.parent
    assert tree.take_changes() == {
        "whole": False,
        "rows": [parent.row(), [node.number, parent.number, "X", "X mark c3", "", "", [], "c3"]],
        "removed": [],
        "played": node.number,
    }


def test_numbers_are_not_used_again(tree: Variations) -> None:
    node = vary(tree, tree.root, "a1")
    tree.delete(node.number)
    assert vary(tree, tree.root, "a1").number > node.number
    new = Variations(tree.position.game.start())
    first = vary(new, new.root, "b2")
    new.after(tree)
    assert new.root.number > max(other.number for other in tree.root.subtree())
    assert new.node(first.number) is first
    assert vary(new, first, "a1").number == first.number + 1


# --- saved trees ------------------------------------------------------------------------------


def reloaded(tree: Variations) -> Variations:
    return Variations.from_json(tree.position.game, json.loads(json.dumps(tree.as_json())))


def test_a_saved_tree_is_equal(tree: Variations) -> None:
    play(tree, "b2", "a1", "c3")
    end = vary(tree, tree.root, "a1", "b2", "c2")
    tree.comment(end.number, "a comment")
    tree.comment(0, "the start")
    tree.judge(end.number, "?!")
    tree.back()
    read = reloaded(tree)
    assert read.whole() == tree.whole()
    assert read.position == tree.position
    assert read.position_at(read.node(end.number)) == tree.position_at(end)
    assert read.may_go_forward
    read.forward()
    assert squares(read.played.line()) == ["b2", "a1", "c3"]
    assert read.as_json()["nodes"] == tree.as_json()["nodes"]


def test_a_saved_game_with_chance_continues_as_it_was() -> None:
    tree = Variations(loaded("ur").start())
    for _ in range(8):
        tree.play(tree.position.legal_moves[0] if tree.position.legal_moves else None)
    read = reloaded(tree)
    for game in (tree, read):
        for _ in range(4):
            game.play(game.position.legal_moves[0] if game.position.legal_moves else None)
    assert read.position == tree.position
    read.back()
    assert read.position == tree.position_at(tree.played.parent or tree.root)


def test_a_game_that_began_with_another_seed_is_saved() -> None:
    """Its moves cannot be made again from the script's start, but from the tree's."""
    start = loaded("ur").start()
    start.seed(5)
    tree = Variations(start)
    for _ in range(5):
        tree.play(tree.position.legal_moves[0] if tree.position.legal_moves else None)
    read = reloaded(tree)
    assert read.position == tree.position
    read.back()
    assert read.position == tree.position_at(tree.played.parent or tree.root)


def test_a_position_with_a_history_begins_the_tree() -> None:
    game = forthvm.load("tictactoe")
    position = game.start()
    for square in ("b2", "a1"):
        position.push(square)
    tree = Variations(forthvm.Position.from_json(game, position.to_json()))
    assert main_line(tree) == ["b2", "a1"]
    assert tree.position_at(tree.root) == game.start()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("format", "other"),
        ("version", 2),
        ("nodes", {}),
        ("nodes", [{"number": 1, "parent": 7, "player": "X", "move": "X mark b2", "index": 4}]),
        ("nodes", [{"number": 0, "parent": 0, "player": "X", "move": "X mark b2", "index": 4}]),
        ("nodes", [{"number": 1, "parent": 0, "player": "X"}]),
        ("nodes", []),
        ("played", 9),
        ("played", 0),
        ("comment", None),
        ("comment", "x" * (MAX_COMMENT + 1)),
        ("position", {}),
    ],
)
def test_invalid_trees(tree: Variations, key: str, value: object) -> None:
    play(tree, "b2")
    with pytest.raises(PositionError):
        Variations.from_json(tree.position.game, tree.as_json() | {key: value})

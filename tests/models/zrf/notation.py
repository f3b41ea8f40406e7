"""The text of a move (section 12 of the contract).

Statements 82 to 88.
"""

from __future__ import annotations

from tests.models.zrf.moves import Effect, Move, Movement, Scene

__all__ = ["written"]


def written(scene: Scene, move: Move) -> str:
    """The text of a move on the board before it."""
    shown = _shown(move)
    items = [_movement(scene, move, movement, shown[:i]) for i, movement in enumerate(shown)]
    effects = _effects(scene, move)
    items += effects
    if move.promotion is not None:  # 84 (c)
        last = move.movements[-1]
        directly = last in shown and not effects
        items.append(f"= {move.promotion}{'' if directly else f' on {last.target}'}")
    if move.partial:  # 87
        types = scene.rules.move_types
        number = types.index(move.continuation) + 1 if move.continuation in types else 0
        items.insert(0, f"partial {number}")
    return " ".join(items)


def _shown(move: Move) -> list[Movement]:
    """84 (a): a drop first, then the movements that lead elsewhere."""
    drops = [m for m in move.movements if m.kind == "drop"]
    return drops + [m for m in move.movements if m.kind != "drop" and m.origin != m.target]


def _movement(scene: Scene, move: Move, movement: Movement, earlier: list[Movement]) -> str:
    """83, 88: `x` if the target was occupied, unless an earlier movement has left it."""
    kind, origin, target = movement
    if kind == "drop":
        return f"{move.side} {origin} {target}"
    left = {other.origin for other in earlier if other.kind == "move"}
    sign = "x" if target in scene.board and target not in left else "-"
    return f"{scene.board[origin].type} {origin} {sign} {target}"


def _effects(scene: Scene, move: Move) -> list[str]:
    """84 (b)."""
    items: list[tuple[str, list[str]]] = []  # words before the positions, positions
    for effect in _in_written_order([*move.effects, *_originals(scene, move)]):
        words = _words(scene, effect)
        if words.startswith("=") and items and items[-1][0] == words:
            items[-1][1].append(effect.position)
        else:
            items.append((words, [effect.position]))
    shown = _shown(move)
    texts = []
    for i, (words, positions) in enumerate(items):
        after_movement = i == 0 and shown and positions == [shown[-1].target]
        if words.startswith("=") and after_movement:  # 86
            texts.append(words)
        elif words.startswith("="):
            texts.append(f"{words} on {' '.join(positions)}")
        elif words.startswith("@"):
            texts.append(f"@ {positions[0]}{words[1:]}")
        else:
            texts.append(f"{words} {positions[0]}")
    return texts


def _originals(scene: Scene, move: Move) -> list[Effect]:
    """The pieces that copies leave where they are, written like a `create` behind the effects."""
    origins = [origin for kind, origin, _ in move.movements if kind == "copy"]
    return [
        Effect("create", place, scene.board[place].player, scene.board[place].type)
        for place in origins
    ]


def _in_written_order(effects: list[Effect]) -> list[Effect]:
    """A non-capture takes the place of the first capture before it, which goes to the end (84)."""
    written: list[Effect] = []
    for effect in effects:
        captures = [i for i, other in enumerate(written) if other.kind == "capture"]
        if effect.kind == "capture" or not captures:
            written.append(effect)
        else:
            written.append(written[captures[0]])
            written[captures[0]] = effect
    return written


def _words(scene: Scene, effect: Effect) -> str:
    """An effect without its position."""
    if effect.kind == "create":
        return f"{effect.player} {effect.name}"
    if effect.kind == "owner":
        return f"= {effect.player}"
    if effect.kind == "type":
        return f"= {effect.name}"
    if effect.kind == "flip":
        return "flip"
    if effect.kind == "attribute":  # 66: numbers run backwards
        attributes = scene.rules.attributes
        number = len(attributes) - 1 - attributes.index(effect.name)
        return f"@ {number} {int(effect.value)}"
    return "x"

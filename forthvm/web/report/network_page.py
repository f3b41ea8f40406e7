"""The page of a network: what it has learned about pieces, and how its strength has grown.

Owns the choice and the captions of tables and pictures.  The page is one HTML file without scripts.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from forthvm.autoplay.report.blocks import Facts, Gallery, Heading, Note, Picture, Table, html_of
from forthvm.core.text.visible import visible
from forthvm.learn.network.effects import owner_title, piece_effects
from forthvm.learn.network.strength import strength_points
from forthvm.render import scene
from forthvm.render.chart_svg import Panel, chart_svg
from forthvm.render.heat_svg import Heat, heat_svg
from forthvm.web.modules import PAGE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from forthvm.autoplay.report.blocks import Block
    from forthvm.engines.network import GameNetwork
    from forthvm.game import Game
    from forthvm.learn.network.effects import PieceEffect
    from forthvm.render.scene_types import SceneBoard

__all__ = ["network_page"]

_MAX_PICTURES = 64
_DOCUMENT = """\
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta http-equiv="Content-Security-Policy"
        content="default-src 'none'; style-src 'unsafe-inline'">
  <title>{title}</title>
  <style>{style}
main {{ padding: .5rem 1rem; }}
.report figure svg {{ max-width: 100%; height: auto; }}</style>
</head>
<body class="report">
<main>
{blocks}
</main>
</body>
</html>
"""


def network_page(game: Game, network: GameNetwork) -> str:
    """Return an HTML document that shows what a network has learned.

    Raises:
        EngineOptionError: The network belongs to another game.
        ForthVMError: The script fails.
    """
    network.check_game(game)
    title = f"What a network has learned of {visible(game.title)}"
    styles = [(PAGE / name).read_text(encoding="utf-8") for name in ("board.css", "report.css")]
    blocks = [Heading(title, 1), *_about(network), *_strength(game, network)]
    blocks += _pieces(game, network)
    return _DOCUMENT.format(title=escape(title), style="\n".join(styles), blocks=html_of(blocks))


def _about(network: GameNetwork) -> Iterator[Block]:
    weights, learned = network.network.weights, network.learned
    counts = {name: learned.get(name) for name in ("games", "positions", "seconds")}
    facts = [(name, f"{count:,}") for name, count in counts.items() if isinstance(count, int)]
    facts.append(("hidden units", str(weights.hidden)))
    facts.append(("patterns", str(network.network.inputs.patterns)))
    yield Facts(tuple(facts))
    yield Note(
        f"Values are points for the player to move. With {weights.unit} points this player can"
        " expect 73 % of the score."
    )
    if weights.own:
        yield Note(
            "The network corrects the OnEvaluate of the script"
            f"{f', of which it takes {weights.own} times the value' if weights.own > 1 else ''}:"
            " the numbers below are corrections, not what pieces are worth together with"
            " OnEvaluate."
        )


def _strength(game: Game, network: GameNetwork) -> Iterator[Block]:
    points = strength_points(network.learned)
    if not points:
        return
    equal = 100 / len(game.contestants or game.players)
    panel = Panel(
        title="score against the engine as it was before the training, %",
        numbers=[round(seconds / 60) for seconds, *_ in points],
        series={
            "score": [100 * score for _, score, _, _ in points],
            "equal": [equal] * len(points),
        },
        bands={
            "score": ([100 * low for *_, low, _ in points], [100 * high for *_, high in points])
        },
        maximum=100,
    )
    title = "strength over time"
    picture = chart_svg([panel], title=title, number_label="minutes of training")
    yield Heading("Strength over time")
    yield Picture(picture, title, "The band shows the 95 % intervals of short matches.")


def _pieces(game: Game, network: GameNetwork) -> Iterator[Block]:
    effects = piece_effects(game, network.network)
    if not effects:
        return
    players = len(game.contestants or game.players)
    yield Heading("Values of pieces")
    yield Table.of(*_means(effects, players))
    yield Note(
        "How much the value changes, on average over all places, if the piece is put on a place."
        " It is measured in positions of random games. Numbers of the board and turns are not"
        " shown."
    )
    yield Heading("Values by place")
    yield Note(f"The places are those that {visible(_first(game))} sees.")
    board = scene(game.start()).board
    pictures = [_picture(board, effect, players) for effect in effects]
    yield Gallery(tuple(pictures[:_MAX_PICTURES]))


def _first(game: Game) -> str:
    return (game.contestants or game.players)[0]


def _means(effects: Sequence[PieceEffect], players: int) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return the head and the rows of the table."""
    owners = sorted({effect.owner for effect in effects})
    types = dict.fromkeys(effect.type for effect in effects)
    means = {(effect.type, effect.owner): f"{effect.mean:,.0f}" for effect in effects}
    rows = [(each, *(means.get((each, owner), "") for owner in owners)) for each in types]
    return ["piece", *(owner_title(owner, players) for owner in owners)], rows


def _picture(board: SceneBoard, effect: PieceEffect, players: int) -> Picture:
    values = effect.values
    most = max(map(abs, values.values()))
    heats = {
        name: Heat(value / most, f"{value:.0f}", f"{name}: {value:,.1f}")
        for name, value in values.items()
    }
    caption = (
        f"{effect.type}, {owner_title(effect.owner, players)}:"
        f" {min(values.values()):,.0f} to {max(values.values()):,.0f}"
    )
    return Picture(heat_svg(board, heats, title=caption), caption, caption)

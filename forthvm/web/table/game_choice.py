"""The games, variants and settings from which people at a table choose the next game.

Owns the list of the games, and loading one of them.  Pages name games of the list, never files.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from forthvm.catalogue.bundled import list_games
from forthvm.core.text.visible import visible
from forthvm.game import Game, load
from forthvm.render import svg
from forthvm.web.serving.errors import RequestError
from forthvm.web.table.played_game import players_of
from forthvm.web.table.table import engines_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from forthvm.catalogue.bundled import BundledGame

__all__ = ["GameChoice", "options_of"]

_GIVEN = ""
"""The name of the game that was given on the command line, unless it is one of the list."""


class GameChoice:
    """The games that are offered: the bundled and installed ones, the given one and others."""

    def __init__(self, given: Game, others: Iterable[BundledGame] = ()) -> None:
        """Offer the bundled and installed games, and the game of the command line.

        Args:
            given: The game of the command line.
            others: The games of a folder that was given instead; their names are those of files.
        """
        self._others = {game.name: game.path for game in others}
        self._given = given._loaded.options
        self._given_title = given.title
        self._output = given._loaded.output

    @cached_property
    def _games(self) -> list[BundledGame]:
        """The bundled and installed games."""
        return list_games()

    @cached_property
    def _listed(self) -> dict[str, str]:
        """The titles of the bundled and installed games by name."""
        return {game.name: game.title for game in self._games}

    @cached_property
    def _is_listed(self) -> bool:
        """Whether the given game is one of the list."""
        return self._given.path in self._others.values() or any(
            game.name == self._given.name and game.path.absolute() == self._given.path
            for game in self._games
        )

    def titles(self) -> list[dict[str, str]]:
        """Return names and titles of the games, the given game first, for JSON."""
        given = {} if self._is_listed else {_GIVEN: self._given_title}
        others = {name: name for name in self._others}
        return [
            {"name": name, "title": visible(title)}
            for name, title in {**given, **others, **self._listed}.items()
        ]

    def name_of(self, game: Game) -> str:
        """Return the name of a game in the list."""
        for name, path in self._others.items():
            if path == game.path:
                return name
        is_given = game.path == self._given.path and not self._is_listed
        return _GIVEN if is_given else game.name

    def load(self, name: str, variant: str | None, settings: Mapping[str, str]) -> Game:
        """Load a game of the list, or the given game.

        Args:
            name: The name of the game.
            variant: The title of a variant of a rule file; None: the given variant, or the first.
            settings: Values of settings by name.

        Raises:
            RequestError: The list has no such game.
            ForthVMError: The game has no such variant or setting, or cannot be loaded.
        """
        if name == _GIVEN and not self._is_listed:
            options = self._given.replace(variant=variant or self._given.variant)
            if settings:
                options = options.replace(settings=tuple(settings.items()))
            return Game(options, output=self._output)
        path = self._others.get(name)
        if path is None and name not in self._listed:
            raise RequestError("no-game", "There is no such game.")
        return load(
            path or name,
            variant=variant if path else None,
            budget=self._given.budget,
            output=self._output,
            settings=settings,
        )


def options_of(game: Game) -> dict[str, object]:
    """Return the players, engines, variants, settings and board of a game, for JSON."""
    chosen = dict(game._loaded.options.settings)
    return {
        "players": [visible(player) for player in players_of(game)],
        "engines": engines_of(game),
        "variants": [visible(title) for title in game.variants],
        "variant": visible(game.title) if game.variants else None,
        "picture": svg(game.start(), title=game.title),
        "settings": [
            {
                "name": name,
                "help": visible(setting.help),
                "value": chosen.get(name, setting.choices[0].value if setting.choices else ""),
                "choices": [
                    {"value": choice.value, "help": visible(choice.help)}
                    for choice in setting.choices
                ],
            }
            for name, setting in game.settings.items()
        ],
    }

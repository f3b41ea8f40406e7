"""The words of a session, with what the session's game defines under their names.

Owns the cache of descriptions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CONTEXT, HEADERS_MADE
from forthvm.core.words.info import WordInfo, describe

if TYPE_CHECKING:
    from forthvm.core.location import Location
    from forthvm.core.vm import VM
    from forthvm.game import Game
    from forthvm.repl.session import Session

__all__ = ["Words"]


class Words:
    """The words of a session, cached until the dictionary changes."""

    def __init__(self, session: Session) -> None:
        """Describe the words of the session's current VM; the session may change its VM."""
        self._session = session
        self._vm: VM | None = None
        self._infos: dict[tuple[str, int], WordInfo] = {}  # the information about words of `_vm`
        self._names: tuple[str, ...] = ()
        self._dictionary_key: tuple[int, ...] = ()  # identifies the dictionary of `_names`

    def names(self) -> tuple[str, ...]:
        """Return the names of all visible words, sorted."""
        vm = self._session.vm
        native = vm.native
        order = (native.read_cell(CONTEXT),) if vm.standard is None else vm.standard.search_order()
        key = (native.latest(), native.read_cell(HEADERS_MADE), *order)
        self._forget_another_vm()
        if key != self._dictionary_key:
            self._names = tuple(sorted(set(vm.words()), key=lambda name: (name.lower(), name)))
            self._dictionary_key = key
        return self._names

    def __getitem__(self, name: str) -> WordInfo:
        """Return information about a word.

        Raises:
            UndefinedWord: there is no such word.
        """
        xt = self._session.vm.token(name)
        self._forget_another_vm()
        info = self._infos.get((name, xt))
        if info is None:
            info = self._infos[name, xt] = self._describe(name, xt)
        return info

    def _describe(self, name: str, xt: int) -> WordInfo:
        game = self._session.game
        role = _role(game, name) if game is not None else ("", "")
        return describe(self._session.vm, name, xt, role)

    def _forget_another_vm(self) -> None:
        """Clear the caches if the session has another VM than before."""
        if self._vm is not self._session.vm:
            self._vm, self._dictionary_key = self._session.vm, ()
            self._infos.clear()

    def locate(self, info: WordInfo) -> Location | None:
        """Return the location of a word's definition; None for primitives."""
        return self._session.vm.sources.locate(info.position)


def _role(game: Game, name: str) -> tuple[str, str]:
    """Return kind and stack effect of a name that the game defines, else two empty strings."""
    if name in game._loaded.position_index:
        return f"position {game._loaded.position_index[name]}", "( -- pos )"
    if name in game.players:
        return "player", "( -- player )"
    if any(kind.name == name for kind in game.piece_types):
        return "piece type", "( -- type )"
    if any(direction.name == name for direction in game.directions):
        return "direction", "( -- ? )"
    return "", ""

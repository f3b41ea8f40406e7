"""The arguments of requests, whose types a client may get wrong.

Owns the checks of types and the errors for users.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from .messages import Json

__all__ = ["Arguments", "RequestError"]

_T = TypeVar("_T")


class RequestError(Exception):
    """A request that cannot be executed.

    Attributes:
        code: The code of the error in the protocol, "" for none.
    """

    def __init__(self, text: str, code: str = "") -> None:
        super().__init__(text)
        self.code = code


class Arguments:
    """The arguments of a request, or an object in them; `null` counts as missing."""

    def __init__(self, values: object) -> None:
        if values is None:
            values = {}
        if not isinstance(values, dict):
            raise RequestError("the arguments are not an object")
        self.values: Json = values

    def text(self, name: str, default: str | None = None) -> str:
        """Return a string; without `default` it is required."""
        return self._get(name, str, "a string", default)

    def integer(self, name: str, default: int | None = None) -> int:
        """Return an integer; without `default` it is required."""
        return self._get(name, int, "an integer", default)

    def flag(self, name: str, *, default: bool = False) -> bool:
        """Return a Boolean."""
        return self._get(name, bool, "true or false", default)

    def objects(self, name: str) -> list[Arguments]:
        """Return a list of objects, empty if it is missing."""
        return [Arguments(item) for item in self._get(name, list, "a list", [])]

    def texts(self, name: str) -> list[str]:
        """Return a list of strings, empty if it is missing."""
        items = self._get(name, list, "a list of strings", [])
        if not all(isinstance(item, str) for item in items):
            raise RequestError(f"`{name}` must be a list of strings")
        return items

    def object(self, name: str) -> Arguments:
        """Return an object, empty if it is missing."""
        return Arguments(self._get(name, dict, "an object", {}))

    def _get(self, name: str, kind: type[_T], described: str, default: _T | None) -> _T:
        value = self.values.get(name)
        if value is None:
            if default is None:
                raise RequestError(f"`{name}` is missing")
            return default
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise RequestError(f"`{name}` must be {described}")
        return value

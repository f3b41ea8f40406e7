"""The arguments of requests, whose types a client may get wrong.

Owns the checks of types and the errors for users.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from forthvm.core import reading

if TYPE_CHECKING:
    from .messages import Json

__all__ = ["Arguments", "RequestError"]

T = TypeVar("T")


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
        try:
            self.values: Json = _object({} if values is None else values)
        except reading.ReadError as error:
            raise RequestError(f"the arguments: {error}") from None

    def text(self, name: str, default: str | None = None) -> str:
        """Return a string; without `default` it is required."""
        return self._get(name, _text, default)

    def integer(self, name: str, default: int | None = None) -> int:
        """Return an integer; without `default` it is required."""
        return self._get(name, _integer, default)

    def flag(self, name: str, *, default: bool = False) -> bool:
        """Return a Boolean."""
        return self._get(name, reading.flag, default)

    def objects(self, name: str) -> list[Arguments]:
        """Return a list of objects, empty if it is missing."""
        return [Arguments(item) for item in self._get(name, _objects, [])]

    def texts(self, name: str) -> list[str]:
        """Return a list of strings, empty if it is missing."""
        return list(self._get(name, _texts, []))

    def object(self, name: str) -> Arguments:
        """Return an object, empty if it is missing."""
        return Arguments(self._get(name, _object, {}))

    def _get(self, name: str, read: reading.Reader[T], default: Any) -> T:  # noqa: ANN401 - as the client would send it
        value = self.values.get(name)
        if value is None:
            value = default
        if value is None:
            raise RequestError(f"`{name}` is missing")
        try:
            return read(value)
        except reading.ReadError as error:
            raise RequestError(str(error.inside(name))) from None


_text, _integer = reading.text(), reading.integer()
_object = reading.dict_of(reading.as_type(object))
_objects, _texts = reading.list_of(_object), reading.list_of(_text)

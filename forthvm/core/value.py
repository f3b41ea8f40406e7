"""Immutable records: their creation, comparison and `repr`.

Subclasses of Value behave like frozen dataclasses, but no methods are compiled for each class.  A
command needs thirty such classes; with `dataclasses`, creating the classes took most of the time of
`forthvm moves`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import ClassVar, Self, dataclass_transform
else:

    def dataclass_transform(**_: object) -> object:
        """Replace `typing.dataclass_transform`, which only type checkers need."""
        return lambda cls: cls


__all__ = ["Shared", "Value"]


class Shared:
    """Base of objects that are immutable for their users; a copy is the object itself."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


@dataclass_transform(frozen_default=True)
class Value:
    """An immutable record; the names annotated in a subclass are its fields, in that order.

    Fields may have defaults.  With the class argument `kw_only=True`, all fields are passed by
    name.  Two records are equal if their classes and fields are equal.  `vars` returns the
    fields as a dict.

    >>> class Point(Value):
    ...     x: int
    ...     y: int = 0
    >>> Point(3)
    Point(x=3, y=0)
    >>> Point(3).replace(y=4) == Point(y=4, x=3)
    True
    """

    _fields: ClassVar[tuple[str, ...]] = ()
    _defaults: ClassVar[dict[str, object]] = {}
    __match_args__: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, *, kw_only: bool = False) -> None:
        own_fields = tuple(cls.__annotations__)
        cls._fields = cls._fields + own_fields
        own_defaults = {name: vars(cls)[name] for name in own_fields if name in vars(cls)}
        cls._defaults = cls._defaults | own_defaults
        cls.__match_args__ = () if kw_only else cls._fields  # type: ignore[misc]  # not Final

    def __init__(self, *args: object, **keywords: object) -> None:
        positional = self.__match_args__
        values = self._defaults | dict(zip(positional, args, strict=False)) | keywords
        if (
            len(args) > len(positional)
            or values.keys() != set(self._fields)
            or not keywords.keys().isdisjoint(positional[: len(args)])
        ):
            needed = ", ".join(name for name in self._fields if name not in self._defaults)
            raise TypeError(
                f"{type(self).__name__} has the fields {', '.join(self._fields)} "
                f"(required: {needed or 'none'}), got {len(args)} positional arguments and the "
                f"names {', '.join(keywords) or 'none'}"
            )
        vars(self).update((name, values[name]) for name in self._fields)
        self.__post_init__()

    def __post_init__(self) -> None:
        """Check the fields; subclasses override it."""

    def replace(self, **changes: object) -> Self:
        """Return a copy with some fields changed."""
        return type(self)(**vars(self) | changes)

    def __setattr__(self, name: str, _value: object) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed: {name}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).values()))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({fields})"

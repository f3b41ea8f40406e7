"""Immutable records, whose classes cost little to import.

Making a dataclass takes 40 times as long as making a plain class, since it compiles methods, and a
NamedTuple 10 times.  So the records that every command imports derive from `Record`, which has the
methods; records that few commands import are dataclasses.  Type checkers treat both alike
(PEP 681).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, dataclass_transform

if TYPE_CHECKING:
    from typing import Self

__all__ = ["Record"]


@dataclass_transform(frozen_default=True)
class Record:
    """The base class of records: the annotations of a subclass are its fields.

    Two records are equal if their classes and their fields are equal.

    >>> class Square(Record):
    ...     name: str
    ...     index: int = 0
    >>> Square("a1"), Square("a1") == Square("a1", index=0)
    (Square(name='a1', index=0), True)
    >>> Square("a1").replace(index=7)
    Square(name='a1', index=7)
    """

    __match_args__: ClassVar[tuple[str, ...]] = ()
    _names: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, *, kw_only: bool = False) -> None:
        """Add the fields of a subclass, with `kw_only` only as keyword arguments."""
        names = tuple(vars(cls).get("__annotations__", ()))
        cls._names += names
        if not kw_only:
            cls.__match_args__ += names  # type: ignore[misc] # made here, not by mypy

    def __init__(self, *values: object, **named: object) -> None:
        names = self._names
        if named or len(values) != len(names) or names != self.__match_args__:
            values = self._complete(values, named)
        self.__dict__.update(zip(names, values, strict=True))
        self.__post_init__()

    def __post_init__(self) -> None:
        """Check the values; subclasses may raise an error."""

    def _complete(self, values: tuple[object, ...], named: dict[str, object]) -> tuple[object, ...]:
        """Return a value for each field: one that is given, or the default."""
        kind = type(self).__name__
        by_place = self.__match_args__
        if len(values) > len(by_place):
            raise TypeError(f"{kind} takes {len(by_place)} values by place, not {len(values)}")
        given = dict(zip(by_place, values, strict=False))
        for name in named:
            if name in given or name not in self._names:
                problem = "is given twice" if name in given else "is no field"
                raise TypeError(f"{kind}: {name!r} {problem}")
        given |= named
        try:
            return tuple([given[n] if n in given else getattr(type(self), n) for n in self._names])
        except AttributeError as error:
            raise TypeError(f"{kind}: {error.name!r} is missing") from None

    def replace(self, **changes: object) -> Self:
        """Return the record with other values in some fields."""
        return type(self)(**{**dict(zip(self._names, self._values(), strict=True)), **changes})

    def _values(self) -> tuple[object, ...]:
        return tuple([getattr(self, name) for name in self._names])

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        fields = [f"{name}={getattr(self, name)!r}" for name in self._names]
        return f"{type(self).__qualname__}({', '.join(fields)})"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"cannot assign to {name!r}: a {type(self).__name__} is immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"cannot delete {name!r}: a {type(self).__name__} is immutable")

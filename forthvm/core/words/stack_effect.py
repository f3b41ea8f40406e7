"""Stack effects in Forth notation, `( before -- after )`; this file owns their syntax."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Effect"]


@dataclass(frozen=True)
class Effect:
    """The cells that a word pops (`takes`) and pushes (`leaves`), by name, the top last."""

    takes: tuple[str, ...]
    leaves: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Effect:
        """Read `( a b -- c )`; the brackets may be left out.

        Raises:
            ValueError: There is no `--`, or more than one.
        """
        inner = text.strip().removeprefix("(").removesuffix(")")
        before, dashes, after = inner.partition("--")
        if not dashes or "--" in after:
            raise ValueError(f"not a stack effect like ( a b -- c ): {text!r}")
        return cls(tuple(before.split()), tuple(after.split()))

    def __str__(self) -> str:
        return " ".join(["(", *self.takes, "--", *self.leaves, ")"])

"""Options that a program declares, and the values that it accepts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from forthvm.engines.errors import EngineOptionError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.engines.protocols.process import Program

__all__ = ["NUMBER_LIMIT", "ProgramOption", "find_option", "whole_number"]

NUMBER_LIMIT = 2**63
"""Numbers from programs are nearer to 0."""


def whole_number(text: str) -> int | None:
    """Return the integer that a program wrote; None if it is none, or too large."""
    try:
        number = int(text)
    except ValueError:
        return None
    return number if abs(number) < NUMBER_LIMIT else None


@dataclass(frozen=True, kw_only=True)
class ProgramOption:
    """An option that a program declared."""

    name: str
    kind: str
    """`check`, `spin`, `combo`, `button`, `string`, or in USI `filename`."""
    default: str = ""
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()
    has_command: bool = False
    """Whether the program did not declare an option, but a command of this name with a value."""

    def value_text(self, value: object) -> str:
        """Return a value as the program reads it; "" for a button and an empty text.

        Raises:
            EngineOptionError: The option does not accept the value.
        """
        text = " ".join(str(value).split())
        match self.kind:
            case "check":
                folded = text.casefold()
                if folded in {"true", "yes", "on", "1"}:
                    return "true"
                if folded in {"false", "no", "off", "0"}:
                    return "false"
                self._raise_invalid(text, "yes or no")
            case "spin":
                number = whole_number(text)
                low, high = self.low, self.high
                if (
                    number is None
                    or (low is not None and number < low)
                    or (high is not None and number > high)
                ):
                    least = [] if low is None else [f"from {low}"]
                    most = [] if high is None else [f"to {high}"]
                    self._raise_invalid(text, " ".join(["an integer", *least, *most]))
            case "button":
                return ""
            case "combo" if self.choices:
                for choice in self.choices:
                    if choice.casefold() == text.casefold():
                        return choice
                self._raise_invalid(text, f"one of {', '.join(self.choices)}")
        return text

    def _raise_invalid(self, text: str, expected: str) -> NoReturn:
        raise EngineOptionError(
            f"option {self.name!r} of the program must be {expected}, not {text!r}"
        )


def find_option(options: Mapping[str, ProgramOption], name: str, program: Program) -> ProgramOption:
    """Return the option of a program with a name, ignoring letter case.

    Raises:
        EngineOptionError: The program has no such option.
    """
    for known, option in options.items():
        if known.casefold() == name.casefold():
            return option
    raise EngineOptionError(
        f"program {program.argv[0]!r} has no option {name!r} (it has: "
        f"{', '.join(options) or 'none'})"
    )

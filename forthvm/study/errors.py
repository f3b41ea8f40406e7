"""The error of the study layer, and its optional packages, imported when a function needs them.

No other file of the layer imports pandas or pyarrow.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from forthvm.core.errors import ForthVMError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas

__all__ = ["StudyError", "data_frame", "optional_module"]


class StudyError(ForthVMError, ValueError):
    """Recorded games, a database or a table cannot be used as requested."""


def optional_module(name: str, purpose: str) -> Any:  # noqa: ANN401 - packages without types
    """Import a package, or a module of a package.

    Raises:
        StudyError: The package is not installed.
    """
    package = name.partition(".")[0]
    try:
        return import_module(name)
    except ImportError as error:
        raise StudyError(
            f"{purpose} needs the package {package}: {error}",
            hints=("install it: pip install 'forthvm[notebook]'",),
        ) from error


def data_frame(columns: Mapping[str, Sequence[object]]) -> pandas.DataFrame:
    """Return a data frame with named columns.

    Raises:
        StudyError: pandas is not installed.
    """
    frame: pandas.DataFrame = optional_module("pandas", "a data frame").DataFrame(dict(columns))
    return frame

"""numpy, imported when a vector is created.

Owns the message for a missing numpy.  No other file of the folder imports numpy when it runs.
"""

from __future__ import annotations

from typing import Any

from forthvm.core.errors import ForthVMError

__all__ = ["numpy_module"]


def numpy_module() -> Any:  # noqa: ANN401 - the types of a module cannot be declared
    """Import numpy.

    Raises:
        ForthVMError: numpy is not installed.
    """
    try:
        import numpy
    except ImportError as error:
        raise ForthVMError(
            f"forthvm.vector needs the package numpy: {error}",
            hints=("install it: pip install 'forthvm[learn]'",),
        ) from error
    return numpy

"""Makes a rule file that shows a difference smaller: leaves out forms as long as it still does."""

from __future__ import annotations

from collections.abc import Callable

from tests.models.zrf.reader import Form, Text, parse

__all__ = ["shrunk"]


def shrunk(text: str, fails: Callable[[str], bool]) -> str:
    """The text without the forms that the failure does not need.

    Args:
        text: A rule file for which `fails` is true.
        fails: Whether a rule file still fails in the same way.  It must be false for files that
            cannot be loaded.
    """
    forms = parse(text)
    again = True
    while again:
        again = _without_some(forms, forms, 0, fails)
    return written(forms)


def _without_some(
    file: list[Form], forms: list[Form], first: int, fails: Callable[[str], bool]
) -> bool:
    """Leave out forms of a list, from the index `first`, and of the lists in it; whether any."""
    found = False
    at = len(forms) - 1
    while at >= first:
        form = forms.pop(at)
        if fails(written(file)):
            found = True
        else:
            forms.insert(at, form)
            if isinstance(form, list):
                # Only a block does not need its first form.
                block = forms[0] in ("moves", "drops") and form[:1] != ["move-type"]
                found |= _without_some(file, form, 0 if block else 1, fails)
        at -= 1
    return found


def written(forms: list[Form], depth: int = 0) -> str:
    """The text of forms, a line for each list near the top."""
    between = "\n" + "  " * depth if depth < 3 else " "
    return between.join(_written(form, depth) for form in forms)


def _written(form: Form, depth: int) -> str:
    if isinstance(form, list):
        return f"({written(form, depth + 1)})"
    return f'"{form}"' if isinstance(form, Text) else str(form)

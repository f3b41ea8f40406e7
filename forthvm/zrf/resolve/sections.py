"""Sections: lists that begin with a keyword.

Owns `Section` and `FormReader`, with which all parts of a rule file are read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.zrf.reading.forms import error_at

if TYPE_CHECKING:
    from collections.abc import Iterable

    from forthvm.zrf.reading.forms import Form, Warnings
    from forthvm.zrf.reading.macros import Expander

__all__ = ["MOST", "FormReader", "Section", "refuse_more"]

MOST = 999_999_999
"""The largest number in a rule file."""


def refuse_more(most: int, kind: str, forms: Iterable[Form]) -> None:
    """Do nothing if there are at most so many forms of a kind.

    Raises:
        RuleFileError: There are more; it points at the first of them.
    """
    found = list(forms)
    if len(found) > most:
        raise error_at(
            found[most],
            f"the game has {len(found):,} {kind}; the limit is {most:,}",
            "leave out those that it does not need, or make several games of it",
        )


class Section:
    """A list that begins with a keyword.

    Attributes:
        keyword: The first item.
        form: The list.
        items: The other items, with macros expanded.
    """

    __slots__ = ("form", "items", "keyword")

    def __init__(self, keyword: str, form: Form, items: list[Form]) -> None:
        self.keyword = keyword
        self.form = form
        self.items = items

    @property
    def text(self) -> str:
        """The strings and names of the section, one a line."""
        return "\n".join(item.text for item in self.items if not item.is_list)

    @property
    def names(self) -> list[Form]:
        """The items that are no lists."""
        return [item for item in self.items if not item.is_list]


class FormReader:
    """Reads forms, and collects warnings.

    Attributes:
        expander: Reads lists with macros.
        warnings: What can be ignored.
    """

    def __init__(self, expander: Expander, warnings: Warnings) -> None:
        self.expander = expander
        self.warnings = warnings

    def warn(self, message: str, form: Form | None = None) -> None:
        """Add a warning about a form."""
        self.warnings.add(message, form)

    def items(self, form: Form) -> list[Form]:
        """Return the items of a list, with macros expanded; [] for a name or a string."""
        return self.expander.items(form) if form.is_list else []

    def section(self, form: Form) -> Section | None:
        """Return a list that begins with a name as a section; None for anything else."""
        items = self.items(form)
        if not items or items[0].is_list or items[0].quoted:
            return None
        return Section(items[0].text, form, items[1:])

    def sections(self, forms: Iterable[Form], where: str) -> list[Section]:
        """Return the sections among forms, with a warning for all others.

        Args:
            forms: The forms.
            where: The keyword of the list that contains them, for the warning.
        """
        found = []
        for form in forms:
            section = self.section(form)
            if section is None:
                self.warn(f"ignored in `{where}`: it does not begin with a keyword", form)
            else:
                found.append(section)
        return found

    def number(self, form: Form, *, capped: bool = False) -> int:
        """Return the number that a form is.

        Args:
            form: The form.
            capped: Read a number of more than 9 digits as `MOST`.

        Raises:
            RuleFileError: It is not a number, or has more than 9 digits.
        """
        digits = form.text[1:] if form.text[:1] in ("-", "+") else form.text
        if form.is_list or not digits.isdecimal() or not digits.isascii():
            raise error_at(form, f"a number is expected, not `{form.text or '(…)'}`")
        if len(digits) > len(str(MOST)):
            if capped:
                return MOST
            raise error_at(form, f"the number {form.text[:20]} is too large")
        return int(form.text)

    def boolean(self, form: Form) -> bool:
        """Return whether a form is `true`; warns about anything but `true` and `false`."""
        if form.text not in ("true", "false"):
            self.warn(f"`{form.text or '(…)'}` is read as false; write true or false", form)
        return form.text == "true"

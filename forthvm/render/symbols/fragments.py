"""Reads drawings of pieces, and refuses what is not allowed in a picture of a board.

Owns the list of allowed elements and attributes, and the form of a fragment: SVG without ids,
styles, links or scripts, whose areas inherit `fill` and whose lines are drawn in `currentColor`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["FragmentError", "fragment_of", "fragments_of", "parse_drawing"]

_NAMESPACE = "{http://www.w3.org/2000/svg}"
_NUMBER = r"-?\d{1,4}(?:\.\d{1,3})?"
_NUMBERS = rf"{_NUMBER}(?:[ ,]+{_NUMBER})*"
_SHAPES = {
    "g": frozenset[str](),
    "path": frozenset({"d"}),
    "circle": frozenset({"cx", "cy", "r"}),
    "ellipse": frozenset({"cx", "cy", "rx", "ry"}),
    "rect": frozenset({"x", "y", "width", "height", "rx"}),
    "polygon": frozenset({"points"}),
    "polyline": frozenset({"points"}),
}
_PAINT = re.compile(r"none|currentColor|#[0-9a-f]{6}")
_STYLE = {
    "fill": _PAINT,
    "fill-rule": re.compile(r"evenodd|nonzero"),
    "stroke": _PAINT,
    "stroke-width": re.compile(_NUMBER),
    "stroke-linecap": re.compile(r"round|butt|square"),
    "stroke-linejoin": re.compile(r"round|miter|bevel"),
    "transform": re.compile(rf"(?:(?:translate|rotate|scale)\({_NUMBERS}\) ?){{1,4}}"),
}
_GEOMETRY = {
    "d": re.compile(r"[MmLlHhVvCcSsQqTtAaZz\d., -]*"),
    "points": re.compile(_NUMBERS),
}
_ONE_NUMBER = re.compile(_NUMBER)
_MAX_DEPTH = 8
_BOX = "0 0 100 100"


class FragmentError(ValueError):
    """A drawing contains something that is not allowed; the text says what."""


def parse_drawing(text: str) -> ElementTree.Element:
    """Parse a drawing.

    Raises:
        FragmentError: The text is not SVG, or declares a document type.
    """
    if "<!" in text.replace("<!--", ""):  # an entity could grow to any size
        raise FragmentError("the drawing contains `<!`, which is only allowed in comments")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise FragmentError(f"the drawing is not well-formed XML: {error}") from None
    if root.tag != _NAMESPACE + "svg":
        raise FragmentError('the drawing must be <svg xmlns="http://www.w3.org/2000/svg">')
    return root


def fragments_of(root: ElementTree.Element) -> dict[str, str]:
    """Return the fragment of each group of a drawing with an id; style of the root applies.

    Raises:
        FragmentError: A group contains something that is not allowed.
    """
    groups = [group for group in root.iter(_NAMESPACE + "g") if "id" in group.attrib]
    return {group.attrib["id"]: _with_style(root, group) for group in groups}


def fragment_of(root: ElementTree.Element) -> str:
    """Return the fragment of a file with one drawing; its box must be 100 by 100.

    Raises:
        FragmentError: The drawing contains something that is not allowed, or has another box.
    """
    box = root.get("viewBox", "")
    if box.split() != _BOX.split():
        raise FragmentError(f'the drawing must have viewBox="{_BOX}", not {box!r}')
    return _with_style(root, root)


def _with_style(root: ElementTree.Element, group: ElementTree.Element) -> str:
    style = {name: value for name, value in root.attrib.items() if name in _STYLE}
    style.pop("fill", None)  # only for viewers of the file itself
    opening = "".join(_attributes("g", style))
    return f"<g{opening}>{''.join(_written(part, 1) for part in group)}</g>"


def _written(element: ElementTree.Element, depth: int) -> str:
    tag = element.tag.removeprefix(_NAMESPACE)
    if tag not in _SHAPES or depth > _MAX_DEPTH:
        allowed = ", ".join(_SHAPES)
        raise FragmentError(f"<{tag}> is not allowed here; allowed: {allowed}, {_MAX_DEPTH} deep")
    attributes = "".join(_attributes(tag, element.attrib))
    children = "".join(_written(child, depth + 1) for child in element)
    return f"<{tag}{attributes}>{children}</{tag}>" if children else f"<{tag}{attributes}/>"


def _attributes(tag: str, attributes: dict[str, str]) -> Iterator[str]:
    for name, value in attributes.items():
        if name in _SHAPES[tag]:
            form = _GEOMETRY.get(name, _ONE_NUMBER)
        elif name in _STYLE:
            form = _STYLE[name]
        else:
            raise FragmentError(f"<{tag}> must not have the attribute `{name}`")
        if not form.fullmatch(value):
            raise FragmentError(f"<{tag}> must not have {name}={value!r}")
        yield f' {name}="{value}"'

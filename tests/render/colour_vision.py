"""Colours as people with colour blindness see them, and measures of their differences.

Sources: G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A physiologically-based model for
simulation of color vision deficiency" (2009), severity 1; B. Ottosson, OKLab (2020); WCAG 2.2,
relative luminance and contrast ratio.
"""

from __future__ import annotations

import math

__all__ = ["VISIONS", "contrast", "difference"]

Linear = tuple[float, float, float]

_LUMINANCE = (0.2126, 0.7152, 0.0722)
VISIONS: dict[str, tuple[Linear, Linear, Linear]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    "greyscale": (_LUMINANCE, _LUMINANCE, _LUMINANCE),
}


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG, from 1 to 21."""
    darker, lighter = sorted(_dot(_LUMINANCE, _linear(colour)) for colour in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def difference(one: str, other: str, vision: str) -> float:
    """Return the distance in OKLab, times 100; 2 is just noticeable."""
    return 100 * math.dist(*(_oklab(_seen(colour, vision)) for colour in (one, other)))


def _linear(colour: str) -> Linear:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return (_decoded(red), _decoded(green), _decoded(blue))


def _decoded(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _seen(colour: str, vision: str) -> Linear:
    rows = VISIONS[vision]
    linear = _linear(colour)
    red, green, blue = (min(1.0, max(0.0, _dot(row, linear))) for row in rows)
    return (red, green, blue)


def _oklab(colour: Linear) -> Linear:
    cones = (
        _dot((0.4122214708, 0.5363325363, 0.0514459929), colour) ** (1 / 3),
        _dot((0.2119034982, 0.6806995451, 0.1073969566), colour) ** (1 / 3),
        _dot((0.0883024619, 0.2817188376, 0.6299787005), colour) ** (1 / 3),
    )
    return (
        _dot((0.2104542553, 0.7936177850, -0.0040720468), cones),
        _dot((1.9779984951, -2.4285922050, 0.4505937099), cones),
        _dot((0.0259040371, 0.7827717662, -0.8086757660), cones),
    )


def _dot(one: Linear, other: Linear) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))

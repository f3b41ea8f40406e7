"""Pictures of rule files (.zrf): reading the files that a rule file names.

Owns the limits of their number and sizes.  Only files below given folders are opened.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING

from forthvm.core.errors import ScriptRefused
from forthvm.core.loading.files import Roots, read_file
from forthvm.zrf.pictures import find_picture

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from PIL import Image

__all__ = [
    "Picture",
    "PictureError",
    "PictureFolder",
    "add_decoded",
    "forget_decoded",
    "has_pillow",
]

_FORMATS = ("BMP", "PNG", "GIF", "JPEG")
_MAX_BYTES = 32 << 20  # of a file
_MAX_PIXELS = 16 << 20  # of a picture
_MAX_SIDE = 8192
_MAX_PIXELS_OF_GAME = 64 << 20  # of all pictures; reading more would take minutes
_MAX_NAMES = 2000  # of files that are looked for
_TRANSPARENT = (0, 255, 0)


class PictureError(Exception):
    """A picture cannot be shown; the text says why."""


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A picture as a PNG file, and its size in pixels."""

    png: bytes
    width: int
    height: int


_decoded: dict[bytes, Picture | None] = {}
"""Pictures that were decoded elsewhere, by the contents of their files."""


def add_decoded(data: bytes, picture: Picture | None) -> None:
    """Add a picture that a browser has decoded, where Pillow is missing.

    Args:
        data: The contents of the file.
        picture: The picture; None if it cannot be shown.
    """
    _decoded[data] = picture


def forget_decoded() -> None:
    """Forget the pictures that were added."""
    _decoded.clear()


class PictureFolder:
    """The folders in which the pictures of a rule file are looked for."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Allow files below some folders.

        Args:
            folders: The folders.
        """
        self._folders = list(folders)
        self._roots = Roots(self._folders)
        self._found: dict[str, Path | None] = {}
        self._read: dict[Path, Picture] = {}
        self._pixels = 0

    def find(self, name: str) -> Path | None:
        """Return the file that a rule file names; None if it is missing, or names are too many."""
        if name not in self._found and len(self._found) < _MAX_NAMES:
            self._found[name] = find_picture(name, self._folders, self._roots)
        return self._found.get(name)

    def size(self, path: Path) -> tuple[int, int]:
        """Return width and height of a picture in pixels; only the head of the file is decoded.

        Raises:
            PictureError: The file is not a picture of an allowed kind and size.
        """
        data = self._data(path)
        source = _found(data, path) or _opened(data, path)
        return source.width, source.height

    def read(self, path: Path) -> Picture:
        """Read a picture; pure green is transparent, as in Zillions of Games.

        Raises:
            PictureError: The file is not a picture of an allowed kind and size, or is damaged.
        """
        if path not in self._read:
            self._read[path] = self._decode(path)
        return self._read[path]

    def _decode(self, path: Path) -> Picture:
        data = self._data(path)
        source = _found(data, path) or _opened(data, path)
        self._pixels += source.width * source.height
        if self._pixels > _MAX_PIXELS_OF_GAME:
            raise PictureError(f"{path.name} is not read: the pictures are too large together")
        return source if isinstance(source, Picture) else _converted(source, path)

    def _data(self, path: Path) -> bytes:
        try:
            data = read_file(path, _MAX_BYTES + 1, self._roots)
        except (OSError, ScriptRefused) as error:
            raise PictureError(f"{path.name} cannot be read: {error}") from error
        if len(data) > _MAX_BYTES:
            raise PictureError(f"{path.name} has more than {_MAX_BYTES >> 20} MB")
        return data


def _found(data: bytes, path: Path) -> Picture | None:
    """Return the picture if it was decoded elsewhere."""
    picture = _decoded.get(data)
    if picture is None and data in _decoded:
        raise _no_picture(path)
    return picture


def _no_picture(path: Path) -> PictureError:
    return PictureError(f"{path.name} is not a picture ({', '.join(_FORMATS)})")


def _opened(data: bytes, path: Path) -> Image.Image:
    """Return a picture of which only the head is decoded."""
    if not has_pillow():
        raise PictureError("pictures of rule files need Pillow: pip install 'forthvm[web]'")
    from PIL import Image

    try:
        image = Image.open(BytesIO(data), formats=_FORMATS)
    except Exception as error:  # decoders of damaged files raise nearly anything
        raise _no_picture(path) from error
    if max(image.size) > _MAX_SIDE or image.width * image.height > _MAX_PIXELS:
        raise PictureError(f"{path.name} is too large: {image.width} by {image.height} pixels")
    return image


def _converted(image: Image.Image, path: Path) -> Picture:
    """Return a picture as a PNG file."""
    try:
        opaque = image.convert("RGBA")
    except Exception as error:  # decoders of damaged files raise nearly anything
        raise PictureError(f"{path.name} is damaged: {error}") from error
    if image.format == "BMP" and not opaque.getchannel("A").getbbox():
        opaque.putalpha(255)  # some programs leave the fourth byte of a pixel empty
    if image.format != "JPEG":  # which changes colours
        _make_green_transparent(opaque)
    out = BytesIO()
    opaque.save(out, "PNG")
    return Picture(png=out.getvalue(), width=opaque.width, height=opaque.height)


@cache
def has_pillow() -> bool:
    """Return whether the package is installed with which pictures are read."""
    return find_spec("PIL") is not None


def _make_green_transparent(image: Image.Image) -> None:
    from PIL import ImageChops

    masks = [
        image.getchannel(band).point([255 * (value == wanted) for value in range(256)])
        for band, wanted in zip("RGB", _TRANSPARENT, strict=True)
    ]
    green = ImageChops.darker(ImageChops.darker(masks[0], masks[1]), masks[2])
    image.putalpha(ImageChops.darker(image.getchannel("A"), ImageChops.invert(green)))

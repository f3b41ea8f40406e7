"""The value that front ends draw for a piece.

Owns its fields.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Symbol"]


@dataclass(frozen=True, kw_only=True)
class Symbol:
    """A drawing or a picture of a piece, or the picture of a board.

    Attributes:
        svg: SVG elements in a box of 100 by 100, which is the size of a square; empty for a
            picture.  Areas inherit `fill`, lines have `currentColor`.
        based: Whether the drawing stands on the base of its owner (`base_key`); then it is drawn
            smaller, its areas with the owner's ink and its lines with the owner's fill.
        png: A picture as a PNG file; empty for a drawing.
        width: The width of the picture in pixels (`SceneBoard.pixel`).  The picture of a piece is
            centred on its square, and may be larger.  That of a board begins in the upper left
            corner of the scene.
        height: The height of the picture in pixels.
    """

    svg: str = ""
    based: bool = False
    png: bytes = b""
    width: int = 0
    height: int = 0

    def as_json(self) -> dict[str, object]:
        """Return the symbol as a dict for JSON; a picture in base 64."""
        if not self.png:
            return {"svg": self.svg, "based": self.based}
        from base64 import b64encode

        png = b64encode(self.png).decode("ascii")
        return {"png": png, "width": self.width, "height": self.height}

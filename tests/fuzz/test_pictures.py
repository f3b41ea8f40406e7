"""Fuzz tests of rule files with damaged pictures, of all kinds that are read and of others."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from random import Random

import pytest

import forthvm
from forthvm.web.table.messages import TableMessages
from forthvm.web.table.table import Table
from tests.fuzz.harness import number_from_environment, run, seed, time_limit

Image = pytest.importorskip("PIL.Image")

CASES = number_from_environment("FORTHVM_FUZZ_PICTURES", 30)
RULES = r"""(game (title "Pictures") (players White Black) (turn-order White Black)
 (board (image "images\board.bmp" "other.png")
  (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0)) ("1" (0 10)))
   (directions (e 1 0))))
 (piece (name Man) (image White "man.bmp" Black "images\x.gif") (moves (e add)))
 (piece (name King) (image White "king.jpg" "king.bmp" Black "missing.bmp") (moves (e add)))
 (board-setup (White (Man a1) (King b1)) (Black (Man c1)))
 (win-condition (White Black) (captured Man)))
"""
NAMES = ("images/board.bmp", "other.png", "man.bmp", "images/x.gif", "king.jpg", "king.bmp")
MODES = ("1", "L", "P", "RGB", "RGBA", "CMYK", "F")
FORMATS = ("BMP", "BMP", "PNG", "GIF", "JPEG", "TIFF", "ICO", "PPM", "WEBP", "TGA")
COMMANDS = (
    ["show"],
    ["show", "--svg", "-"],
    ["check"],
    ["check", "--json"],
    ["games"],
    ["export", "-o"],
)
STRANGE = (b"", b"BM", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"\xff\xd8\xff", b"<svg/>", b"\0" * 99)


def picture(random: Random) -> bytes:
    """Return a small picture of any kind and size."""
    size = (random.choice((1, 2, 9, 30)), random.choice((1, 3, 30)))
    image = Image.new(random.choice(MODES), size)
    out = BytesIO()
    try:
        image.save(out, random.choice(FORMATS))
    except (OSError, KeyError, ValueError):  # the format has no such pixels, or is not available
        image.convert("RGB").save(out, "BMP")
    return out.getvalue()


def damaged(data: bytes, random: Random) -> bytes:
    """Return the picture with bytes changed, mostly in its head, or something else."""
    changed = bytearray(data)
    for _ in range(random.choice((0, 1, 1, 3, 20))):
        at = random.randrange(min(len(changed), random.choice((64, 64, 10**6))))
        kind = random.randrange(4)
        if kind == 0:
            changed[at] = random.randrange(256)
        elif kind == 1:
            changed[at : at + 4] = random.choice(
                (b"\0\0\0\0", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f")
            )
        elif kind == 2:
            del changed[at : at + random.randrange(1, 20)]
        else:
            changed[at:at] = random.randbytes(random.randrange(1, 20))
        changed = changed or bytearray(b"B")
    return bytes(changed) if random.random() < 0.9 else random.choice(STRANGE)


def write_pictures(folder: Path, random: Random) -> None:
    """Write the pictures of the rule file; some are missing, and one may be a folder."""
    for name in NAMES:
        path = folder / name
        path.unlink(missing_ok=True)
        if random.random() < 0.9:
            path.write_bytes(damaged(picture(random), random))


@pytest.mark.slow
def test_damaged_pictures(tmp_path: Path) -> None:
    random = Random(seed())
    path = tmp_path / "game.zrf"
    path.write_text(RULES)
    (tmp_path / "images").mkdir()
    for case in range(CASES):
        write_pictures(tmp_path, random)
        command, *more = random.choice(COMMANDS)
        more += [str(tmp_path / f"out{case}.html")] if command == "export" else []
        try:
            run(command, str(path), *more)
            if not case % 5:
                with time_limit():
                    game = forthvm.load(path)
                    TableMessages(Table(game)).game()
        except BaseException as error:
            error.add_note(f"case {case}: {command}")
            raise

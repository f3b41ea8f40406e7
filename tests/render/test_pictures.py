"""Tests of the pictures of rule files: which files are read, and what they become."""

from __future__ import annotations

import contextlib
import os
import random
import re
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

import forthvm
from forthvm.check.rule_files import check_rule_file
from forthvm.render.replay_svg import replay_svg
from forthvm.render.symbols import (
    BOARD,
    board_picture_size,
    game_symbols,
    pictures,
    piece_sets,
    symbol_notes,
    symbol_of,
)
from forthvm.render.symbols.pictures import PictureError, PictureFolder
from tests.kit.files import write
from tests.kit.games import load_text
from tests.kit.messages import raises
from tests.systems import needs_links, needs_pipes

GREEN, BLUE = (0, 255, 0), (0, 0, 255)

RULES = r"""
(game (title "T") (players White Black) (turn-order White Black)
  (board (image "images\T\board.bmp")
    (grid (start-rectangle 10 20 50 60) (dimensions ("a/b" (40 0)) ("2/1" (0 40)))
      (directions (n 0 -1))))
  (board-setup (White (Man a1)) (Black (Man b2)))
  (piece (name Man) (image White "images\T\wman.bmp" "other.bmp" Black "images\T\bman.bmp")
    (moves ((n (verify empty?) add)))))
"""


def picture(mode: str = "RGB", size: tuple[int, int] = (4, 3), kind: str = "BMP") -> bytes:
    """A picture whose left column is green, and the rest blue."""
    image = Image.new("RGB", size, BLUE)
    image.paste(GREEN, (0, 0, 1, size[1]))
    if mode != "RGB":
        image = image.convert(mode, palette=Image.Palette.ADAPTIVE) if mode == "P" else image
        image = image.convert(mode)
    out = BytesIO()
    image.save(out, kind)
    return out.getvalue()


def load(folder: Path, rules: str = RULES) -> forthvm.Game:
    return load_text(folder, rules)


def pixels(png: bytes) -> list[tuple[int, ...]]:
    with Image.open(BytesIO(png)) as image:
        assert image.format == "PNG"
        return [image.convert("RGBA").getpixel((x, 0)) for x in range(image.width)]  # type: ignore[misc]


# --- a game -------------------------------------------------------------------------------


def test_pieces_and_board_have_the_pictures_of_the_rule_file(tmp_path: Path) -> None:
    for name in ("board", "wman", "bman"):
        write(tmp_path / f"images/T/{name}.bmp", picture(size=(100, 110)))
    write(tmp_path / "other.bmp", picture())
    game = load(tmp_path)
    white, black = (symbol_of(game, "Man", player) for player in ("White", "Black"))
    assert white != black
    symbols = game_symbols(game)
    assert {white, black, BOARD} <= symbols.keys()
    assert board_picture_size(game) == (100, 110)
    assert (symbols[BOARD].width, symbols[BOARD].height) == (100, 110)
    assert pixels(symbols[str(white)].png)[:2] == [(0, 255, 0, 0), (0, 0, 255, 255)]
    assert symbol_notes(game) == ()


def test_replays_have_the_pictures_of_the_rule_file(tmp_path: Path) -> None:
    """A square, 40 pixels wide in the rule file, is 56 pixels wide."""
    write(tmp_path / "images/T/board.bmp", picture(size=(100, 110)))
    for name in ("wman", "bman"):
        write(tmp_path / f"images/T/{name}.bmp", picture(size=(40, 30)))
    replay = replay_svg(load(tmp_path).start())
    sizes = re.findall(r'<image [^>]*width="([\d.]+)" height="([\d.]+)"', replay)
    assert sorted(sizes) == [("140", "154"), ("56", "42"), ("56", "42")]


def test_pieces_without_a_picture_have_a_drawing(tmp_path: Path) -> None:
    write(tmp_path / "images/T/bman.bmp", picture())
    game = load(tmp_path)
    assert symbol_of(game, "Man", "White") == "emblems/man"
    assert symbol_of(game, "Man", "Black") == "picture/Black/Man"
    assert board_picture_size(game) is None
    assert BOARD not in game_symbols(game)
    (note,) = symbol_notes(game)
    missing = r"pictures are missing: images\T\board.bmp, images\T\wman.bmp, other.bmp; "
    assert note.startswith(missing)
    assert "--include" in note


def test_sets_of_pictures(tmp_path: Path) -> None:
    write(tmp_path / "images/T/wman.bmp", picture(size=(10, 10)))
    write(tmp_path / "other.bmp", picture(size=(20, 20)))
    write(tmp_path / "images/T/bman.bmp", picture(size=(30, 30)))
    game = load(tmp_path)
    assert piece_sets(game) == ("pictures 1", "pictures 2", "drawings", "letters")

    def widths(chosen: str) -> list[int]:
        symbols = game_symbols(game, chosen)
        return [symbols[f"picture/{player}/Man"].width for player in ("White", "Black")]

    assert widths("pictures 1") == [10, 30]
    assert widths("pictures 2") == [20, 30]  # a set beyond the list is the last of the list
    assert widths("drawings") == [0, 0]
    assert game_symbols(game, "drawings")["picture/White/Man"].based


def test_a_damaged_picture_is_replaced_by_a_drawing(tmp_path: Path) -> None:
    whole = picture(size=(40, 40))
    write(tmp_path / "images/T/wman.bmp", whole[: len(whole) // 2])
    write(tmp_path / "images/T/board.bmp", b"BM, but nothing else")
    game = load(tmp_path)
    key = symbol_of(game, "Man", "White")
    symbols = game_symbols(game)
    assert symbols[str(key)] == symbols["emblems/man"]
    assert BOARD not in symbols
    assert any("wman.bmp is damaged" in note for note in symbol_notes(game))
    assert any("board.bmp is not a picture" in note for note in symbol_notes(game))


def test_the_second_set_replaces_a_missing_file_of_the_first(tmp_path: Path) -> None:
    write(tmp_path / "other.bmp", picture())
    assert symbol_of(load(tmp_path), "Man", "White") == "picture/White/Man"


# --- finding files ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("images/Chess/wking.bmp", r"images\Chess\wking.bmp"),
        ("Images/chess/WKing.BMP", r"images\CHESS\wking.bmp"),
        ("wking.bmp", r"images\Chess\wking.bmp"),  # without the folders of the original program
        ("chess/wking.bmp", r"..\images\chess\wking.bmp"),
        ("wking.bmp", r"C:\Zillions\images\wking.bmp"),
    ],
)
def test_files_are_found_below_the_folder(tmp_path: Path, file: str, name: str) -> None:
    path = write(tmp_path / file, picture())
    assert PictureFolder([tmp_path]).find(name) == path


@pytest.mark.parametrize(
    "name",
    [
        "../secret.bmp",
        r"..\secret.bmp",
        "sub/../../secret.bmp",
        "{parent}/secret.bmp",
        r"\\server\share\secret.bmp",
        "con",
        "aux.bmp",
        "",
        "a\0b.bmp",
        pytest.param("link/secret.bmp", marks=needs_links),
        pytest.param("linked.bmp", marks=needs_links),
    ],
)
def test_files_elsewhere_are_never_found(tmp_path: Path, name: str) -> None:
    secret = write(tmp_path / "secret.bmp", picture())
    folder = tmp_path / "game"
    folder.mkdir()
    if "link" in name:
        (folder / "link").symlink_to(tmp_path)
        (folder / "linked.bmp").symlink_to(secret)
    assert PictureFolder([folder]).find(name.replace("{parent}", str(tmp_path))) is None


def test_a_folder_that_the_user_names_is_searched(tmp_path: Path) -> None:
    path = write(tmp_path / "Zillions" / "Images/Chess/wking.bmp", picture())
    (tmp_path / "game").mkdir()
    folders = [tmp_path / "game", tmp_path / "Zillions"]
    assert PictureFolder(folders).find(r"images\chess\wking.bmp") == path


@pytest.mark.parametrize("images", ["Images", "images", "IMAGES"])
def test_pictures_beside_the_folder_of_the_rule_file_are_found(tmp_path: Path, images: str) -> None:
    for name in ("board", "wman", "bman"):
        write(tmp_path / images / f"T/{name}.bmp", picture())
    rules = RULES.replace('"other.bmp"', "")
    game = load(tmp_path / "Rules", rules)
    assert {key for key in game_symbols(game) if key.startswith("picture/")} == {
        "picture/board",
        "picture/White/Man",
        "picture/Black/Man",
    }
    assert "W807" not in {finding.code for finding in check_rule_file(game.path, [])}


@needs_links
def test_no_other_folder_beside_the_rule_file_is_searched(tmp_path: Path) -> None:
    for name in ("board", "wman", "bman"):
        write(tmp_path / "secret" / f"T/{name}.bmp", picture())
    (tmp_path / "Images").symlink_to(tmp_path / "secret")
    game = load(tmp_path / "Rules", RULES)
    assert not any(key.startswith("picture/") for key in game_symbols(game))
    assert "W807" in {finding.code for finding in check_rule_file(game.path, [])}


@needs_pipes
def test_a_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.bmp")
    folder = PictureFolder([tmp_path])
    found = folder.find("pipe.bmp")
    assert found is not None
    with raises(PictureError, "render-pictures.cannot-be-read"):
        folder.read(found)


# --- reading files ------------------------------------------------------------------------


def read(folder: Path, data: bytes) -> list[tuple[int, ...]]:
    return pixels(PictureFolder([folder]).read(write(folder / "a.bmp", data)).png)


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P"])
def test_green_is_transparent_in_bitmaps_of_all_depths(tmp_path: Path, mode: str) -> None:
    first, second, *_ = read(tmp_path, picture(mode))
    assert (first[3], second) == (0, (0, 0, 255, 255))


@pytest.mark.parametrize("kind", ["PNG", "GIF", "JPEG"])
def test_other_formats_are_recognised_by_their_contents(tmp_path: Path, kind: str) -> None:
    assert len(read(tmp_path, picture(kind=kind))) == 4


def test_nearly_green_is_not_transparent(tmp_path: Path) -> None:
    out = BytesIO()
    Image.new("RGB", (1, 1), (0, 254, 0)).save(out, "BMP")
    assert read(tmp_path, out.getvalue()) == [(0, 254, 0, 255)]


def test_a_bitmap_whose_fourth_bytes_are_empty_is_opaque(tmp_path: Path) -> None:
    out = BytesIO()
    Image.new("RGBA", (1, 1), (1, 2, 3, 0)).save(out, "BMP")
    assert read(tmp_path, out.getvalue()) == [(1, 2, 3, 255)]


@pytest.mark.parametrize("kind", ["TIFF", "PPM", "EPS", "ICO"])
def test_other_decoders_are_never_used(tmp_path: Path, kind: str) -> None:
    out = BytesIO()
    Image.new("RGB", (16, 16)).save(out, kind)
    with raises(PictureError, "render-pictures.not-a-picture"):
        read(tmp_path, out.getvalue())


@pytest.mark.parametrize("size", [(100_000, 1), (5000, 5000), (2_000_000_000, 2_000_000_000)])
def test_a_large_size_in_the_head_is_refused_without_decoding(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    data = bytearray(picture())
    for at, side in zip((18, 22), size, strict=True):  # width and height in the head of a BMP
        data[at : at + 4] = side.to_bytes(4, "little")
    with pytest.raises(PictureError, match=r"too large|not a picture"):
        read(tmp_path, bytes(data))


def test_pictures_that_are_too_large_together_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "_MAX_PIXELS_OF_GAME", 4 * 3 + 1)
    folder = PictureFolder([tmp_path])
    first, second = (write(tmp_path / f"{name}.bmp", picture()) for name in "ab")
    assert folder.read(first) == folder.read(first)  # which is decoded once
    with raises(PictureError, "render-pictures.too-large-together"):
        folder.read(second)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("seed", range(20))
def test_damaged_bytes_raise_nothing_else(tmp_path: Path, seed: int) -> None:
    source = random.Random(seed)
    data = bytearray(picture("P", (8, 8)))
    for _ in range(6):
        data[source.randrange(2, len(data))] = source.randrange(256)
    with contextlib.suppress(PictureError):
        read(tmp_path, bytes(data))

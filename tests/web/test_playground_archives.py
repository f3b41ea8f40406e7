"""Zip archives that are opened and saved in the playground, in node."""

from __future__ import annotations

import io
import json
import random
import zipfile
from pathlib import Path
from typing import Any

import pytest

from forthvm.web.modules import join_modules
from forthvm.web.playground import static_page
from tests.web.exported import needs_node, run_in_node

pytestmark = needs_node

OPENING = Path(static_page.__file__).with_name("opening.js")
ARCHIVE = OPENING.with_name("archive.js")
GLOBALS = "globalThis.localStorage = { getItem: () => null, setItem: () => {} };\n"
OPEN = """
import { readFileSync } from "node:fs";
for (const path of process.argv.slice(2)) {
  try {
    const files = await filesOf([["opened.zip", new Blob([readFileSync(path)])]]);
    const pictures = [...files?.pictures ?? []].map(([name, blob]) => [name, blob.size]);
    const found = files && { ...files.sources, pictures: Object.fromEntries(pictures) };
    console.log(JSON.stringify(found));
  } catch (error) {
    if (!error.code) throw error;
    console.log(JSON.stringify(error.code));
  }
}
"""
SAVE = """
import { writeFileSync } from "node:fs";
const [to, members] = process.argv.slice(2);
const files = JSON.parse(members).map(([name, text]) => [name, new Blob([text])]);
const archive = await archiveOf(files);
writeFileSync(to, Buffer.from(await archive.arrayBuffer()));
"""


def run(folder: Path, module: Path, code: str, *arguments: object) -> list[Any]:
    """Run code after a module; return the values that it prints."""
    script = folder / "script.mjs"
    script.write_text(GLOBALS + join_modules(module) + code, encoding="utf-8")
    return run_in_node(script, *arguments)


def opened(folder: Path, *archives: bytes) -> list[Any]:
    """Open archives; return their sources, or the codes of errors."""
    paths = [folder / f"{number}.zip" for number in range(len(archives))]
    for path, data in zip(paths, archives, strict=True):
        path.write_bytes(data)
    found = run(folder, OPENING, OPEN, *paths)
    assert len(found) == len(archives)
    return found


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return out.getvalue()


GAME = {
    "Game/game.zrf": b'(include "more.zrf")',
    "Game/more.zrf": b"(define x y)",
    "Game/readme.txt": b"game.zrf has the rules",
    "Game/images/Board.bmp": b"BM" + bytes(1000),
    "Game/sounds/move.wav": b"RIFF",
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_texts_and_pictures_are_unpacked(tmp_path: Path, method: int) -> None:
    (found,) = opened(tmp_path, zipped(GAME, method))
    assert found["main"] == "game.zrf"
    assert {file["name"]: file["text"] for file in found["files"]} == {
        name.removeprefix("Game/"): GAME[name].decode() for name in list(GAME)[:3]
    }
    assert found["pictures"] == {"images/Board.bmp": 1002}


def test_names_that_lead_out_are_left_out(tmp_path: Path) -> None:
    bad = ("../a.zrf", "/b.zrf", "C:/c.zrf", "x/../../d.zrf", "e\0.zrf", "./f.zrf", "g//h.zrf")
    names = {name.replace("\0", "\x01"): b"(game)" for name in bad}
    found, backslashes = opened(
        tmp_path, zipped({**names, "ok.zrf": b"(game)"}), zipped({r"a\b.zrf": b"1", "c.txt": b""})
    )
    assert [file["name"] for file in found["files"]] == ["ok.zrf"]
    assert [file["name"] for file in backslashes["files"]] == ["a/b.zrf", "c.txt"]


@pytest.mark.slow
def test_limits(tmp_path: Path) -> None:
    bomb = zipped({"game.zrf": b"(game)", "a.bmp": bytes(65 << 20)})
    two = zipped({"a.bmp": bytes(40 << 20), "b.bmp": bytes(40 << 20), "game.zrf": b"(game)"})
    many = zipped({f"{number}.zrf": b"" for number in range(2001)}, zipfile.ZIP_STORED)
    long = zipped({"game.zrf": b" " * 5_000_000})
    assert opened(tmp_path, bomb, two, many, long) == ["too-much-opened"] * 4


def test_damaged_archives(tmp_path: Path) -> None:
    whole = zipped(GAME)
    in_text = whole.index(b"game.zrf") + 20
    overwritten = whole[:in_text] + b"\xff" * 4 + whole[in_text + 4 :]
    found = opened(tmp_path, whole[:-30], whole[:100], overwritten, b"PK\5\6" + bytes(18), b"")
    assert found[:2] == ["damaged-archive"] * 2
    assert found[3:] == [None, None]


def test_a_binary_file_is_no_script(tmp_path: Path) -> None:
    others = {"words.4th": b"1 2 +", "notes.txt": bytes(9)}
    assert opened(tmp_path, zipped({"a.4th": bytes(range(256))})) == ["no-text"]
    (found,) = opened(tmp_path, zipped(others))
    assert found["main"] == "words.4th"


@pytest.mark.slow
def test_random_damage_is_harmless(tmp_path: Path) -> None:
    draw = random.Random(59)
    whole = zipped(GAME)
    damaged = []
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(draw.randint(1, 8)):
            data[draw.randrange(len(data))] = draw.choice((0, 0xFF, draw.randrange(256)))
        damaged.append(bytes(data))
    for found in opened(tmp_path, *damaged):
        assert found is None or isinstance(found, str) or found["files"]


def test_non_latin_names_and_texts(tmp_path: Path) -> None:
    russian = '(game (title "Шашки"))'
    files = {"Шашки.zrf": russian.encode("cp1251"), "b.zrf": '(game (title "Dé"))'.encode("cp1252")}
    (found,) = opened(tmp_path, zipped(files))
    assert {file["name"]: file["text"] for file in found["files"]} == {
        "Шашки.zrf": russian,
        "b.zrf": '(game (title "Dé"))',
    }


def test_archives_are_saved(tmp_path: Path) -> None:
    members = [["game.zrf", "(game)" * 1000], ["images/é.bmp", "BM"], ["empty.txt", ""]]
    saved = tmp_path / "saved.zip"
    run(tmp_path, ARCHIVE, SAVE, saved, json.dumps(members))
    with zipfile.ZipFile(saved) as archive:
        assert archive.testzip() is None
        assert [[name, archive.read(name).decode()] for name in archive.namelist()] == members
    assert saved.stat().st_size < 1000

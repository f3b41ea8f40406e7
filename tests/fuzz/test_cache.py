"""Fuzz tests of damaged library images in the cache folder."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from forthvm import VM
from forthvm.core.bindings import digest
from forthvm.core.loading import library_cache as image
from tests.fuzz.harness import count, run, seed

CASES = count("FORTHVM_FUZZ_CACHE", 50)
DIGEST_BYTES = 17  # length of the first line, the digest of the other bytes


def damaged(data: bytes, random: Random) -> bytes:
    """Return the data with bytes changed, removed, repeated or truncated."""
    found = bytearray(data)
    head = data.index(b"\n\n")
    for _ in range(random.choice((1, 1, 4, 50))):
        end = head if random.random() < 0.4 else len(found)
        at = random.randrange(min(end, len(found)))
        kind = random.randrange(5)
        if kind == 0:
            found[at] = random.randrange(256)
        elif kind == 1:
            found[at : at + random.randrange(1, 40)] = b""
        elif kind == 2:
            found[at:at] = found[at : at + random.randrange(1, 40)]
        elif kind == 3:
            found[at : at + 4] = random.choice((b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x7f\n\n "))
        elif random.random() < 0.2:
            del found[at:]
        if not found:
            found += b"\n"
    return bytes(found)


def signed(data: bytes) -> bytes:
    """Return the data with a correct digest."""
    content = data[DIGEST_BYTES:]
    return b"%016x\n%b" % (digest(content), content)


def test_damaged_images_are_ignored_or_give_an_error_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(seed())
    monkeypatch.setenv(image.VARIABLE, str(tmp_path))
    monkeypatch.setattr(image, "_in_process", {})
    VM()
    (path,) = tmp_path.iterdir()
    good = path.read_bytes()
    for case in range(CASES):
        bad = damaged(good, random)
        has_digest = len(bad) > DIGEST_BYTES and random.random() < 0.7
        path.write_bytes(signed(bad) if has_digest else bad)
        image._in_process.clear()
        command = random.choice((["moves"], ["show"], ["perft", "1"], ["check"]))
        try:
            run(command[0], "tictactoe", *command[1:], "--max-steps", "200000")
        except BaseException as error:
            error.add_note(f"case {case}: {command}, has_digest: {has_digest}")
            raise

"""Fuzz tests of damaged library images in the cache folder."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from forthvm import VM
from forthvm.core.bindings import digest
from forthvm.core.loading import library_cache
from tests.fuzz.harness import number_from_environment, run, seed

CASES = number_from_environment("FORTHVM_FUZZ_CACHE", 50)
DIGEST_BYTES = 17  # length of the first line, the digest of the other bytes


def damage(image: bytes, random: Random) -> bytes:
    """Return the image with bytes changed, removed, repeated or truncated."""
    damaged = bytearray(image)
    header_end = image.index(b"\n\n")
    for _ in range(random.choice((1, 1, 4, 50))):
        end = header_end if random.random() < 0.4 else len(damaged)
        at = random.randrange(min(end, len(damaged)))
        kind = random.randrange(5)
        if kind == 0:
            damaged[at] = random.randrange(256)
        elif kind == 1:
            damaged[at : at + random.randrange(1, 40)] = b""
        elif kind == 2:
            damaged[at:at] = damaged[at : at + random.randrange(1, 40)]
        elif kind == 3:
            damaged[at : at + 4] = random.choice((b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x7f\n\n "))
        elif random.random() < 0.2:
            del damaged[at:]
        if not damaged:
            damaged += b"\n"
    return bytes(damaged)


def with_correct_digest(image: bytes) -> bytes:
    """Return the image with its first line replaced by the digest of the other bytes."""
    content = image[DIGEST_BYTES:]
    return b"%016x\n%b" % (digest(content), content)


@pytest.mark.slow
def test_damaged_images_are_ignored_or_give_an_error_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(seed())
    monkeypatch.setenv(library_cache.VARIABLE, str(tmp_path))
    monkeypatch.setattr(library_cache, "_in_process", {})
    VM()
    (path,) = tmp_path.iterdir()
    image = path.read_bytes()
    for case in range(CASES):
        damaged = damage(image, random)
        corrects_digest = len(damaged) > DIGEST_BYTES and random.random() < 0.7
        path.write_bytes(with_correct_digest(damaged) if corrects_digest else damaged)
        library_cache._in_process.clear()
        command = random.choice((["moves"], ["show"], ["perft", "1"], ["check"]))
        try:
            run(command[0], "tictactoe", *command[1:], "--max-steps", "200000")
        except BaseException as error:
            error.add_note(f"case {case}: {command}, corrects_digest: {corrects_digest}")
            raise

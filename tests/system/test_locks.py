"""Tests of locks between processes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from forthvm.system.locks import FileLock, LockedError
from tests.kit.processes import start
from tests.systems import needs_links

HOLDER = """\
import sys
from pathlib import Path
from forthvm.system.locks import FileLock
lock = FileLock(Path(sys.argv[1]))
print("locked", flush=True)
sys.stdin.read()
"""


def test_a_lock_is_held_once(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    lock = FileLock(path)
    with pytest.raises(LockedError):
        FileLock(path)
    lock.release()
    lock.release()
    assert not path.exists()
    FileLock(path).release()


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with start(sys.executable, "-c", HOLDER, path) as holder:
        assert holder.stdout.readline().strip() == "locked"
        with pytest.raises(LockedError):
            FileLock(path)
        holder.kill()
    FileLock(path).release()


@needs_links
def test_a_link_is_no_lock(tmp_path: Path) -> None:
    path, target = tmp_path / "lock", tmp_path / "target"
    path.symlink_to(target)
    with pytest.raises(OSError, match="links"):
        FileLock(path)

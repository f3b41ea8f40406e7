"""Tests of the folders of the user on each system."""

from __future__ import annotations

from forthvm.system.folders import CACHE, CONFIG, STATE, Kind
from tests.kit.cases import each_case

HOME = "/home/a"


@each_case(
    ("kind", "system", "variables", "expected"),
    [
        (CACHE, "linux", {}, "/home/a/.cache"),
        (CACHE, "linux", {"XDG_CACHE_HOME": "/caches"}, "/caches"),
        (CACHE, "linux", {"XDG_CACHE_HOME": "caches"}, "/home/a/.cache"),
        (CACHE, "darwin", {}, "/home/a/Library/Caches"),
        (CACHE, "win32", {"LOCALAPPDATA": r"C:\Я\Local"}, r"C:\Я\Local"),
        (CACHE, "win32", {"XDG_CACHE_HOME": "/caches"}, HOME),
        (CONFIG, "linux", {}, "/home/a/.config"),
        (CONFIG, "darwin", {}, "/home/a/Library/Application Support"),
        (CONFIG, "win32", {"APPDATA": r"C:\Roaming", "LOCALAPPDATA": r"C:\Local"}, r"C:\Roaming"),
        (STATE, "linux", {"XDG_STATE_HOME": "relative"}, "/home/a/.local/state"),
        (STATE, "linux", {"XDG_STATE_HOME": "/state"}, "/state"),
        (STATE, "win32", {"APPDATA": r"C:\Roaming", "LOCALAPPDATA": r"C:\Local"}, r"C:\Local"),
    ],
)
def test_folders_follow_the_system_and_its_variables(
    kind: Kind, system: str, variables: dict[str, str], expected: str
) -> None:
    assert kind.base(system, variables, HOME) == expected

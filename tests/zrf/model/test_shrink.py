"""The shrinker of rule files."""

from __future__ import annotations

from tests.models.zrf.reader import parse
from tests.models.zrf.shrink import shrunk

TEXT = """(game (title "T") (players A B)
    (piece (name X) (moves (n (verify empty?) add) (move-type t) (s add))))"""


def test_shrunk_keeps_what_the_failure_needs() -> None:
    small = shrunk(TEXT, lambda text: "verify" in text and "game" in text)
    assert parse(small) == [["game", ["piece", ["moves", [["verify"]]]]]]


def test_heads_of_lists_stay_except_of_blocks() -> None:
    tried: list[str] = []

    def note(text: str) -> bool:
        tried.append(text)
        return False

    shrunk(TEXT, note)
    assert not any("(empty?)" in text or "(t)" in text for text in tried)
    assert any("((verify empty?) add)" in " ".join(text.split()) for text in tried)

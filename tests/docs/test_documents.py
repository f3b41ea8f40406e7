"""Tests that the examples and commands in README and docs run, and that links resolve.

Owns checks of documents as a whole; the features that they describe are tested elsewhere.
"""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import forthvm
from tests.docs.pages import CHECKOUT, DOCUMENTS, shown_games
from tests.kit.cases import each_case

README = CHECKOUT / "README.md"
GAME_DOCUMENTS = sorted((CHECKOUT / "scripts").glob("*/README.md"))
SHELL_BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
NAMED_PATH = re.compile(
    r"`((?:native|forthvm|tests|docs|benchmarks|scripts|axiom_lib|examples)/[\w./-]+)`"
)
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)")

SETUP = [
    "python3 -m venv .venv && .venv/bin/pip install -e '.[web]' "
    "&& .venv/bin/forthvm run tictactoe --auto",
    "python3 -m venv .venv && .venv/bin/pip install -e '.[test]' && .venv/bin/pytest",
]


def shell_lines(document: Path) -> list[str]:
    """Returns the command lines in a document's shell blocks."""
    blocks = SHELL_BLOCK.findall(document.read_text(encoding="utf-8"))
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def name_of(document: Path) -> str:
    return document.relative_to(CHECKOUT).as_posix()


def test_readme_has_exactly_the_two_setup_commands() -> None:
    assert [line for line in shell_lines(README) if "venv" in line] == SETUP


def test_documented_game_has_the_stated_counts(tmp_path: Path) -> None:
    (path,) = [tmp_path / name for name, _ in shown_games()]
    path.write_text(next(source for _, source in shown_games()), encoding="utf-8")
    position = forthvm.load(path).start()
    # A king at the edge has 5 moves.  White's second move has 7 of 8 directions from c2, b2 and
    # d2, since c1 is a hole, and 4 of 5 from b1 and d1; Black's king is not adjacent.
    assert [forthvm.perft(position, depth) for depth in (1, 2, 3)] == [5, 25, 5 * (3 * 7 + 2 * 4)]
    position.push("king c1 - c2 Neutral hole c1")
    hole = position.board["c1"]
    assert (hole.type, hole.player) == ("hole", "Neutral")
    assert "(here depth 3 gives 145)" in (CHECKOUT / "docs/guides/your-own-games.md").read_text(
        "utf-8"
    )


PACKAGES = {
    "frameworks.md": ("gymnasium", "pettingzoo", "pyspiel"),
    "studying.md": ("pandas", "pyarrow"),
}
"""Optional packages that the examples of a document use."""
SLOW = {"frameworks.md", "statistics.md", "studying.md"}


def with_marks(document: Path) -> object:
    """Returns a document as a parameter, marked if its examples are slow or need packages."""
    marks = [pytest.mark.extras] * (document.name in PACKAGES)
    return pytest.param(document, marks=[*marks, *[pytest.mark.slow] * (document.name in SLOW)])


@pytest.mark.sampled(20)
@pytest.mark.parametrize("document", list(map(with_marks, DOCUMENTS)), ids=name_of)
def test_examples_run(document: Path) -> None:
    for package in PACKAGES.get(document.name, ()):
        pytest.importorskip(package)
    failed, tried = doctest.testfile(
        str(document), module_relative=False, optionflags=doctest.FAIL_FAST
    )
    assert failed == 0
    if document == README:
        assert tried > 0


def test_the_reference_uses_every_public_name_of_games_and_positions() -> None:
    text = (CHECKOUT / "docs" / "reference" / "api" / "games.md").read_text(encoding="utf-8")
    examples = "".join(example.source for example in doctest.DocTestParser().get_examples(text))
    names = {name for kind in (forthvm.Game, forthvm.Position) for name in vars(kind)}
    public = {name for name in names if not name.startswith("_")}
    assert len(public) <= 61
    assert {name for name in public if not re.search(rf"\.{name}\b", examples)} == set()


@each_case("document", [*DOCUMENTS, *GAME_DOCUMENTS], ids=name_of)
def test_links_resolve(document: Path) -> None:
    targets = LINK.findall(document.read_text(encoding="utf-8"))
    missing = [target for target in targets if not (document.parent / target).exists()]
    assert missing == []


@each_case("document", [*DOCUMENTS, *GAME_DOCUMENTS], ids=name_of)
def test_named_paths_exist(document: Path) -> None:
    """All paths in the text exist in the checkout, also those that are not links."""
    named = NAMED_PATH.findall(document.read_text(encoding="utf-8"))
    missing = [path for path in named if "NAME" not in path and not (CHECKOUT / path).exists()]
    assert missing == []


@each_case("document", DOCUMENTS, ids=name_of)
def test_documents_state_no_absolute_speeds(document: Path) -> None:
    """Documents state ratios instead of figures per second."""
    speeds = re.findall(
        r"\d[\d,]*\s+(?:[a-z]+\s+){0,2}(?:a|per)\s+second\b|\d[\d,]*/s\b|thousands of \w+ a second",
        document.read_text(encoding="utf-8"),
    )
    assert speeds == []


def test_every_game_has_a_readme_naming_its_origin() -> None:
    games = [path for path in (CHECKOUT / "scripts").iterdir() if path.is_dir()]
    games = [path for path in games if not path.name.startswith(("_", "."))]
    assert games
    for game in games:
        text = (game / "README.md").read_text(encoding="utf-8").lower()
        for subject in ("rules?", "rights|licence|free to use|public", "shows?"):
            assert re.search(subject, text), f"{game.name}: nothing on {subject}"

"""Published scripts: no false errors, and the known real errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from forthvm import VM
from forthvm.check import Report, WordAnalysis, check_files
from forthvm.core.bindings.layout import COLON
from tests.kit.files import write

CHECKOUT = Path(__file__).resolve().parents[2]
GAMES = sorted(path for path in (CHECKOUT / "scripts").iterdir() if path.is_dir())
GAMES_WITH_MANY_SCRIPTS = {"rithmomachia", "splut", "yonin-shogi"}


def texts_of(report: Report, severity: str) -> list[str]:
    """Return the findings of a severity, one line each."""
    return [str(finding) for finding in report.findings if finding.severity == severity]


@pytest.mark.sampled(12)
@pytest.mark.parametrize(
    "folder",
    [
        pytest.param(f, marks=pytest.mark.slow if f.name in GAMES_WITH_MANY_SCRIPTS else ())
        for f in GAMES
        if list(f.glob("*.4th"))
    ],
    ids=lambda f: f.name,
)
def test_bundled_games_have_no_errors_and_no_stack_warnings(folder: Path) -> None:
    report = check_files([folder])
    assert texts_of(report, "error") == []
    assert [f for f in texts_of(report, "warning") if " W2" in f or " W3" in f or " W4" in f] == []
    statistics = report.statistics
    assert statistics.exact >= statistics.definitions * 0.95


@pytest.mark.parametrize("axiom", [140, 150, 151])
def test_library_agrees_with_its_stack_comments(axiom: int) -> None:
    words = WordAnalysis(VM(axiom=axiom, output=lambda text: None))
    wrong = set()
    for word in words.image.words:
        effect, comment = words.effect(word), words.comments.of(word)
        counts = comment.counts if comment else None
        if word.kind != COLON or word.immediate or effect.unknown or counts is None:
            continue
        nets = {count - effect.takes for count in effect.leaves}
        declared_nets = {count - counts.takes for count in counts.leaves}
        if effect.takes > counts.takes or not nets <= declared_nets:
            wrong.add(word.name)
    assert wrong == set()


#: Codes of heuristic rules, which must not report correct scripts.
HEURISTIC_CODES = {
    *("E105", "W310", "E312", "W313", "W412", "W413", "W414", "W415"),
    *("W416", "W417", "W418", "W419", "W420", "W703"),
}


def heuristic_findings(report: Report) -> list[str]:
    """Return the errors, and the findings of heuristic rules."""
    return [
        str(finding)
        for finding in report.findings
        if finding.severity == "error" or finding.code in HEURISTIC_CODES
    ]


def golden_scripts(shared: Path) -> list[dict[str, object]]:
    lines = (shared / "golden" / "scripts.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.slow
@pytest.mark.shared
def test_scripts_that_the_original_ran_have_no_false_findings(shared: Path, tmp_path: Path) -> None:
    wrong = []
    for number, record in enumerate(golden_scripts(shared)):
        if record.get("error"):
            continue
        path = write(tmp_path / f"golden-{number}.4th", str(record["script"]).encode("latin-1"))
        # Some recordings show the effect of missing turns, and of symmetries that come late.
        wrong += heuristic_findings(check_files([path], axiom=140, ignore=["W417", "W418"]))
    assert wrong == []


@pytest.mark.slow
@pytest.mark.shared
def test_golden_games_have_no_false_findings(shared: Path) -> None:
    found = heuristic_findings(check_files([shared / "golden" / "games"], axiom=140))
    # The words in Mixed*.4th were generated at random, so some of them drop the flag of a step.
    assert [f for f in found if not ("Mixed" in f and "W413" in f)] == []


@pytest.mark.slow
@pytest.mark.shared
def test_unknown_names_of_golden_scripts_are_found(shared: Path, tmp_path: Path) -> None:
    found = 0
    for number, record in enumerate(golden_scripts(shared)):
        error = record.get("error")
        text = str(error.get("text", "")) if isinstance(error, dict) else ""
        name = text.removeprefix('Error: "').removesuffix('" is undefined.')
        if name == text:
            continue  # the recording has another error or none
        path = write(tmp_path / f"golden-{number}.4th", str(record["script"]).encode("latin-1"))
        report = check_files([path], axiom=140)
        if name in ("[]", "(version)") or not texts_of(report, "error"):
            continue  # the name exists only in the library of the recordings
        assert any(f"`{name}`" in line for line in texts_of(report, "error"))
        found += 1
    assert found > 10


@pytest.fixture(scope="module")
def article(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Return the report on the fragments of the articles and the host scripts that load them."""
    from tests.articles.fragments import assemble

    folder = assemble(shared, tmp_path_factory.mktemp("articles"))
    return check_files([folder])


@pytest.mark.slow
@pytest.mark.shared
def test_article_fragments_have_no_false_findings(article: Report) -> None:
    assert heuristic_findings(article) == []


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize(
    ("code", "file", "message"),
    [
        # the index of eruption-values[] is compared with 100, but the array has fewer items
        ("W702", "battle-methods.fragment", "`eruption-count` may reach 99"),
        # DUP next NOT UNTIL leaves the direction in every iteration
        ("W203", "levitate-stones.fragment", "leaves 1 cell"),
        # the dwarf stores a row on the stack, in a loop that removes it again
        ("W203", "gnome-stroke.fragment", "leaves 2 cells"),
        ("W204", "gnome-stroke.fragment", "takes 2 cells"),
        # three DROPs for two cells, and a branch that leaves the direction
        ("W201", "pushing-stones-in-front-of-you.fragment", "takes 2 cells"),
        # a type is stored for a branch that is not executed
        ("W202", "troll-moves.fragment", "leaves 0 or 1 cells"),
    ],
)
def test_real_errors_of_the_articles_are_found(
    article: Report, code: str, file: str, message: str
) -> None:
    assert [
        finding
        for finding in article.findings
        if finding.code == code
        and finding.location is not None
        and finding.location.file.endswith(file)
        and message in finding.message
    ]

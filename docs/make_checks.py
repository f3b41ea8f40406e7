"""Writes docs/reference/checks.md from the table of codes and from what checks find.

Owns the page's prose and shape; ``--check`` says whether the page is stale.  Needs forthvm
installed, and the checkout: the bundled games and the planted errors of the tests are measured.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from functools import cache
from pathlib import Path

from forthvm import VM
from forthvm.check import CODES, Report, Words, check_files
from forthvm.core.words.dictionary import COLON

PAGE = Path(__file__).resolve().parent / "reference" / "checks.md"
CHECKOUT = PAGE.parents[2]
GAMES = CHECKOUT / "scripts"
RECORDED = CHECKOUT / "tests" / "golden" / "games"
PLANTED = CHECKOUT / "tests" / "check" / "planted"
NOTED = ("E105", "W310", "E312", "W313", "W412", "W413", "W414", "W415")
"""Codes whose precision is measured: each has rules of thumb that may err."""

HEAD = """\
# Checks

Made by `docs/make_checks.py` from the table in `forthvm/check/codes.py`: do not edit.

`forthvm check` looks at scripts without playing them. It loads a script, since the dialect's
words are made by running its text, but starts no game; then it follows every definition over all
its paths. After an unknown name or another failure it goes on, so that one run tells all.

```sh
forthvm check isolation.4th
forthvm check isolation.4th --strict --brief
forthvm check isolation.4th --effects
forthvm check --explain W203
```

A folder stands for the games in it and the files that they load. A part of a game, a file that
others load and that is not a game by itself, is checked in the context of every game that loads it,
and what is wrong in it is reported once. Scripts that no other one loads are checked by themselves.
Copies of the library (`CORE.4TH`, `axiom.4th`) in a folder are left out; named, they are checked.
Exit status: 0, or 1 when there are errors, with `--strict` when there are warnings too; 2 for wrong
usage.

Consequences of an error are grouped under it: "(and 3 consequences)", with the names or lines of
the first of them. Such are names that a failed section would have defined, all that is unknown
behind a file that is missing, further uses of an unknown name, and words whose stack effect is
wrong only as that of a word they call.

- `--select W2,E`, `--ignore W501`: codes, or how they begin.
- `--info`: notes as well (codes with I); without it they are left out.
- `--json`: all findings with file, line, column, severity, code, message, word, and what follows.
- A comment `\\ check: ignore W501` silences its line, or, alone on its line, the next one;
  without a code everything. `\\ check: ignore-file W501` does it for the file.

In Python: `forthvm.check_files(paths)` gives a `Report` with `findings` and `statistics`;
`forthvm.check.effect_of(vm, word)` the stack effect of one word as derived from its code,
`forthvm.check.declared_effect(vm, word)` its comment with the names of the items.

## How effects are found

The analysis is an abstract interpretation of the compiled code of each definition. For every cell
of both stacks it tracks what is known: a number, a token, an argument. Where paths join with
different depths, their states stay separate, so that a flag which tells the branch also tells the
depth below it. A word that executes a token from its arguments (`'dir`) is analysed separately for
each token that its callers pass. The tokens in variables, tables and DEFERs are those that some
code stores there. Recursive words are analysed repeatedly until their effects are stable. `verify`
and ABORT end a path. Directions have the effect `( -- ? )`.

Findings about a word apply to arguments of any value. If all callers pass TRUE, that determines
the depth after their calls, but the branch for FALSE is still checked.

An effect is *exact* if it follows from the code alone. If a token is unknown but the stack comment
says that it is the token of a direction (`'dir`), or if a word of unknown effect has a comment,
the analysis relies on the comment and the result is not exact. Neither is the effect of a word
that returns with different depths. A loop that changes the depth in every iteration, and the
execution of an unknown token, make the effect unknown.

Text that fails while it loads is skipped, and loading continues after it; if the opening word of a
section fails, the whole section is skipped. A definition without `;` is treated as empty, and a
missing blank is inserted where there is room.

The analysis assumes that no code stores a token through an unknown address. It ignores code that a
script compiles by hand.

## Measured

Made by this page's command; `--check` fails when a number changes.

{effects}

The words of the games that return with different depths leave a number and TRUE, or FALSE alone,
and their comments say so. The library's words of unknown effect execute the tokens of players,
engines and directions from tables, or read the text after their own call; their comments are
reliable.

Some checks follow rules of thumb. They are tried on scripts that are right (the bundled games, and
the games that the original engine was recorded with, at level 140) and on whole games with errors
planted in them (`tests/check/planted`). Precision is the part of the findings that are right,
recall the part of the planted errors that are found at their place. Where a script showed a gap,
the rule was mended: with scripts that the rules have not met yet, expect a little less.

{precision}

## Codes

E errors fail when the place is reached, W warnings are likely mistakes, I are notes. Under each
code stand a script in which it is found and one near it in which it is not."""


def block(script: str) -> str:
    """A script as a code block."""
    return "```text\n" + script.rstrip("\n") + "\n```"


def table(rows: list[tuple[object, ...]]) -> str:
    """A table, its first row the heading."""
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


@cache
def bundled() -> Report:
    """What is found in the bundled games."""
    return check_files([GAMES])


def effects() -> str:
    """How many stack effects are known, in the bundled games and in the library."""
    games = bundled()
    told = games.statistics
    words = Words(VM(axiom=150, output=lambda text: None))
    library = [words.effect(word) for word in words.image.words if word.kind == COLON]
    unknown = sum(bool(effect.unknown) for effect in library)
    several = sum(len(effect.leaves) > 1 for effect in library)
    exact = sum(effect.exact for effect in library)
    return table(
        [
            ("", "definitions", "exact", "with comments believed", "several ways out", "unknown"),
            (
                f"bundled games ({len(games.files)} files)",
                *(told.definitions, told.exact, told.assumed, told.several, told.unknown),
            ),
            (
                "library, version 150",
                *(len(library), exact, len(library) - exact - several - unknown),
                *(several, unknown),
            ),
        ]
    )


def precision() -> str:
    """For each code of NOTED: planted, found, and found where nothing is wrong."""
    wanted = {
        (code, str(file), int(line))
        for each in json.loads((PLANTED / "expected.json").read_text(encoding="utf-8")).values()
        for code, file, line, _ in each
    }
    planted = [place for folder in sorted(PLANTED.iterdir()) for place in _found(folder)]
    right = [*_places(bundled(), GAMES)]
    right += _places(check_files([RECORDED], axiom=140), RECORDED)
    found = Counter(code for code, *_ in wanted & set(planted))
    wrong = Counter(place[0] for place in planted if place not in wanted)
    wrong += Counter(code for code, *_ in right)
    rows: list[tuple[object, ...]] = [
        ("code", "planted", "found", "found besides", "precision", "recall")
    ]
    codes = [code for code in CODES if code in NOTED]
    totals = [0, 0, 0]
    for code in codes:
        numbers = [sum(each[0] == code for each in wanted), found[code], wrong[code]]
        totals = [total + number for total, number in zip(totals, numbers, strict=True)]
        rows.append((code, *numbers, *_ratios(*numbers)))
    rows.append(("all of these", *totals, *_ratios(*totals)))
    return table(rows)


def _found(path: Path) -> list[tuple[str, str, int]]:
    return [] if path.suffix == ".json" else _places(check_files([path]), PLANTED)


def _places(report: Report, folder: Path) -> list[tuple[str, str, int]]:
    """Code, file and line of the findings."""
    return [
        (f.code, Path(f.location.file).resolve().relative_to(folder).as_posix(), f.location.line)
        for f in report.findings
        if f.location is not None
    ]


def _ratios(planted: int, found: int, wrong: int) -> tuple[str, str]:
    def ratio(part: int, whole: int) -> str:
        return f"{100 * part // whole} %" if whole else ""

    return ratio(found, found + wrong), ratio(found, planted)


def page() -> str:
    """The whole page."""
    parts = [HEAD.format(effects=effects(), precision=precision())]
    for info in CODES.values():
        parts.append(f"\n### {info.code}: {info.title}\n\n{info.why}\n")
        parts.append(block(info.bad) + "\n\nbut not\n\n" + block(info.good))
    return "\n".join(parts) + "\n"


def main(arguments: list[str]) -> int:
    """Writes or checks the page; the exit status is 1 when it is stale."""
    wanted = page()
    if "--check" in arguments:
        stale = not PAGE.exists() or PAGE.read_text(encoding="utf-8") != wanted
        if stale:
            print("docs/reference/checks.md is stale: python docs/make_checks.py", file=sys.stderr)
        return int(stale)
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

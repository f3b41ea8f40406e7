"""Writes docs/checks.md from the table of codes in forthvm.check.

Owns the page's prose and shape; ``--check`` says whether the page is stale.  Needs forthvm
installed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from forthvm.check import CODES

PAGE = Path(__file__).resolve().parent / "checks.md"

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

A folder stands for all scripts in it; a file that only works as a part of another one (it is
behind LOAD there) is checked with that one. Exit status: 0, or 1 when there are errors, with
`--strict` when there are warnings too; 2 for wrong usage.

- `--select W2,E`, `--ignore W501`: codes, or how they begin.
- `--info`: notes as well (codes with I); without it they are left out.
- `--json`: all findings with file, line, column, severity, code, message, word.
- A comment `\\ check: ignore W501` silences its line, or, alone on its line, the next one;
  without a code everything. `\\ check: ignore-file W501` does it for the file.

In Python: `forthvm.check_files(paths)` gives a `Report` with `findings` and `statistics`;
`forthvm.check.effect_of(vm, word)` the stack effect of one word as worked out,
`forthvm.check.declared_effect(vm, word)` its comment with the names of the items. (The package
`forthvm.check` has that name, so the function is `check_files`.)

## How effects are found

Each definition is followed over its compiled code with what is known of every cell: a number, a
token, an argument. Both stacks are followed. Paths that meet with different depths are kept
apart, so a flag that says which branch was taken settles what is below it. A word that runs a
token it is given (`'dir`) is followed anew for each token that reaches it; tokens in variables,
tables and DEFERs are found by what is ever stored there. Recursion is repeated until nothing
changes. `verify` and ABORT end a path. Of directions the effect is known: `( -- ? )`.

A word is judged by what it does for any numbers. That all its callers pass TRUE settles the depth
at their calls, but does not excuse its branch for FALSE.

An effect is *exact* if it follows from the code alone. Where a token cannot be told but the
stack comment calls it the token of a direction (`'dir`), or a word of unknown effect has a
comment, the comment is believed, and what follows is not called exact; nor is a word with several
ways out that leave different depths. A loop that changes the depth in every round, and a token
that nothing settles, leave the effect unknown.

What fails while it loads is passed over, a section whose opening word fails as a whole, and reading
goes on behind it. The first failure is told, and then no names that are unknown only through it.

What is assumed: nobody stores a token through an address that cannot be traced, and code that a
script compiles by hand is left alone.

## Measured

| | definitions | exact | with comments believed | several ways out | unknown |
|---|---|---|---|---|---|
| bundled games (80 files) | 1344 | 1342 | 0 | 2 | 0 |
| library, version 150 | 260 | 240 | 1 | 6 | 13 |
| the two articles' fragments, with their hosts | 210 | 189 | 8 | 11 | 2 |

The two of the games leave a number and TRUE, or FALSE alone, and say so. The library's 13 run the
tokens of players, engines and directions from tables, or read text behind their own call; their
comments are the contract. The articles' two unknown words keep a row of pieces on the stack, in
loops that put them there and take them off again; those are the warnings W203 and W204. The
largest script (446 definitions in 18 files) takes 0.9 s, the smallest game 0.15 s, all 80 files
20 s of one core.

## Codes

E errors fail when the place is reached, W warnings are likely mistakes, I are notes. Under each
code stand a script in which it is found and one near it in which it is not."""


def block(script: str) -> str:
    """A script as a code block."""
    return "```text\n" + script.rstrip("\n") + "\n```"


def page() -> str:
    """The whole page."""
    parts = [HEAD]
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
            print("docs/checks.md is stale: python docs/make_checks.py", file=sys.stderr)
        return int(stale)
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

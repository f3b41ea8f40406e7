"""Fuzz tests of scripts with tokens removed, repeated or exchanged, and variables overwritten."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.harness import number_from_environment, run, seed

CASES = number_from_environment("FORTHVM_FUZZ_SCRIPTS", 50)
TESTS = Path(__file__).resolve().parent.parent
STEPS = ("--max-steps", "200000")
COMMANDS = (
    ["moves", *STEPS],
    ["moves", "--json", *STEPS],
    ["moves", "--explain", *STEPS],
    ["show", *STEPS],
    ["show", "--svg", "-", *STEPS],
    ["perft", "1", "--divide", *STEPS],
    ["check", *STEPS],
    ["explain", "x", *STEPS],
    ["why-not", "a1 - a2", *STEPS],
    ["games"],
    ["run", "--auto", "--max-plies", "3", "--engine", "random", *STEPS],
    ["run", "--max-plies", "2", *STEPS],
    ["think", "--engine", "negamax:depth=1", *STEPS],
    ["repl", *STEPS],
    ["ugi", "--engine", "random", *STEPS],
    ["debug", *STEPS],
)
INPUTS = {
    "repl": "board\nmoves\nplay 1\nexplain\nwords\nsee verify\n",
    "ugi": "ugi\nposition startpos\ngo nodes 1\nquery gameover\nquit\n",
    "debug": "step 20\nboard\nstate\nstack\ncontinue\nquit\n",
    "run": "1\nmoves\nhint\nundo\nquit\n",
}
"""The standard input of commands that read it."""
NUMBERS = ("0", "1", "-1", "-5", "4", "255", "65536", "2147483647", "-2147483648")
UNEXPECTED_TOKENS = (
    *("DROP", "DUP", "EXECUTE", "@", "!", ">R", "R>", "EXIT", ":", ";", "IF", "LOOP", "ALLOT"),
    *("add-move", "move", "{pieces", "board}", "{move}", "{piece}", "' d5", "[']", "\\", "("),
    *("27 EMIT", "155 EMIT", '." \x1b[31m"', "\u202e", "\x9b", "\x00", '"', "HERE", "CREATE"),
)
VARIABLES = re.compile(r"^(?:\d+ )?(?:VARIABLE|CREATE)\s+(\$\S+)", re.MULTILINE)


def scripts(folder: Path) -> list[tuple[Path, str]]:
    """Copy the bundled games and the golden games; return their paths and texts."""
    root = TESTS.parent
    shutil.copytree(root / "scripts", folder / "scripts")
    shutil.copytree(TESTS / "golden" / "games", folder / "golden")
    paths = sorted(folder.rglob("*.4th"))
    return [(path, path.read_text(encoding="utf-8", errors="replace")) for path in paths]


def variables() -> list[str]:
    """Return the names of the library's variables."""
    library = TESTS.parent / "axiom_lib"
    texts = (path.read_text(encoding="utf-8") for path in sorted(library.rglob("*.4th")))
    return sorted({name for text in texts for name in VARIABLES.findall(text)})


def mutated(text: str, names: list[str], random: Random) -> bytes:
    """Return the script with a few tokens changed."""
    parts = re.split(r"(\s+)", text)  # tokens have even indexes, blanks odd ones
    tokens = range(0, len(parts), 2)
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        at, other = random.choice(tokens), random.choice(tokens)
        kind = random.choice((0, 1, 2, 3, 3, 4, 5, 6, 6, 6))
        if kind == 0:
            parts[at] = ""
        elif kind == 1:
            parts[at] += f" {parts[at]}"
        elif kind == 2:
            parts[at], parts[other] = parts[other], parts[at]
        elif kind == 3:
            parts[at] = random.choice((parts[other], *UNEXPECTED_TOKENS, *NUMBERS))
        elif kind == 4:
            parts[at] += "".join(random.choices("\x1b\x9b\u202eaé{}$", k=3))
        else:  # a store into a variable of the library, after a token or at the end of the script
            line = f"\n{random.choice(NUMBERS)} {random.choice(names)} !\n"
            parts[at if kind == 5 else -1] += line
    data = "".join(parts).encode()
    if random.random() < 0.1:
        at = random.randrange(len(data) + 1)
        data = data[:at] + random.randbytes(random.randrange(1, 20)) + data[at:]
    return data


@pytest.mark.slow
def test_damaged_scripts_give_an_error_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a mutated script may write its game log to the current folder
    random = Random(seed())
    texts, names = scripts(tmp_path), variables()
    for case in range(CASES):
        original, text = random.choice(texts)
        path = original.with_name("mutated.4th")  # scripts load files of their own folder
        path.write_bytes(mutated(text, names, random))
        command, *more = random.choice(COMMANDS)
        try:
            run(command, str(path), *more, text=INPUTS.get(command, ""))
        except BaseException as error:
            error.add_note(f"case {case}: {command} {original} {more}")
            raise

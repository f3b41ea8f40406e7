r"""Every script in this folder fails in one way and must give exactly the report beside it.

This file owns running them; what is right stands in the scripts (`\ expect error: …` on the
line that is to blame) and in the .expected files.  A first line `\ do: WHAT OPTION=VALUE …`
says how far to go: load (the default), check, new, over, generate, apply, search, engine.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from forthvm.core.budget import Budget
from forthvm.core.errors import ForthVMError
from forthvm.core.records import SearchLimits
from forthvm.core.vm import VM

HERE = Path(__file__).resolve().parent
SCRIPTS = sorted(HERE.glob("*.4th"))
LIBRARY_PLACE = re.compile(r"<library>/[\w.-]+:\d+:\d+")


def directive(text: str) -> tuple[str, dict[str, str]]:
    found = re.match(r"\\ do: (\S+)(.*)", text)
    if not found:
        return "load", {}
    options = dict(word.partition("=")[::2] for word in found[2].split())
    return found[1], options


def make_vm(options: dict[str, str]) -> VM:
    limits: dict[str, Any] = {
        key: int(options[key]) for key in ("steps", "memory", "depth") if key in options
    }
    return VM(
        axiom=options.get("axiom"),
        budget=Budget(**limits),
        checked="checked" in options,
        output=lambda text: pytest.fail(f"stray output: {text!r}"),
    )


def play(vm: VM, name: str, what: str) -> None:
    """Load and play as a host does, up to the question that the script is to fail in."""
    vm.load(name)
    if what == "load":
        return
    native = vm.native
    native.game_check()
    native.game_new()
    native.game_setup()
    native.game_generate()
    if what == "over":
        native.game_over()
    elif what == "apply":
        native.game_make(native.move_list()[0])
    elif what == "search":
        native.search_axiom(SearchLimits(depth=1))
    elif what == "engine":
        failure = native.engine_run(SearchLimits(depth=1)).failure
        if failure is not None:
            raise failure


def blamed(script: Path) -> tuple[Path, int, str] | None:
    """File, line and text of the `expect error` mark, in the script or a file it loads."""
    for path in (script, *sorted((HERE / "lib").glob("*.4th"))):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = re.search(r"\\ expect error: (.*\S)", line)
            if found:
                return path, number, found[1]
        if path == script and "lib\\" not in path.read_text():
            return None
    return None


def test_there_are_scripts() -> None:
    assert len(SCRIPTS) > 35
    assert {path.stem for path in SCRIPTS} == {path.stem for path in HERE.glob("*.expected")}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_report(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)
    what, options = directive(script.read_text())
    vm = make_vm(options)
    with pytest.raises(ForthVMError) as caught:
        play(vm, script.name, what)
    error = caught.value

    mark = blamed(script)
    if mark is not None:
        path, line, message = mark
        assert error.location is not None
        assert (HERE / error.location.file, error.location.line) == (path, line)
        assert message in error.what()
    report = LIBRARY_PLACE.sub("<library>", error.report())
    assert report + "\n" == script.with_suffix(".expected").read_text()

    # The VM is usable afterwards and nothing is left over from the failed run.
    assert vm.stack == ()
    vm.native.budget()
    assert vm.call("MAX", 7, 42) == (42,)

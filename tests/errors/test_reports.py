r"""Tests that each script in this folder fails with exactly the report in its .expected file.

A comment `\ expect error: …` marks the line that causes the error.  A first line
`\ do: ACTION OPTION=VALUE …` names the action that fails: load (the default), check, new, over,
generate, apply, search or engine.  A remark in brackets may follow.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from forthvm.core.budget import Budget
from forthvm.core.errors import ForthVMError
from forthvm.core.records import SearchLimits
from forthvm.core.vm import VM

FOLDER = Path(__file__).resolve().parent
SCRIPTS = sorted(FOLDER.glob("*.4th"))
LIBRARY_LOCATION = re.compile(r"<library>/[\w.-]+:\d+:\d+")


def directive(text: str) -> tuple[str, dict[str, str]]:
    """Return the action and the options that the first line names."""
    found = re.match(r"\\ do: (\S+)([^(\n]*)", text)
    if not found:
        return "load", {}
    options = dict(word.partition("=")[::2] for word in found[2].split())
    return found[1], options


def make_vm(options: dict[str, str]) -> VM:
    """Return a VM with the options of a script; output fails the test."""
    limits: dict[str, Any] = {
        key: int(options[key]) for key in ("steps", "memory", "depth") if key in options
    }
    return VM(
        axiom=options.get("axiom"),
        budget=Budget(**limits),
        checked="checked" in options,
        output=lambda text: pytest.fail(f"stray output: {text!r}"),
    )


def run_until(vm: VM, name: str, action: str) -> None:
    """Load a script and play as a host does, up to the action that fails."""
    vm.load(name)
    if action == "load":
        return
    native = vm.native
    native.game_check()
    native.game_new()
    native.game_setup()
    native.game_generate()
    if action == "over":
        native.game_over()
    elif action == "apply":
        native.game_make(native.move_list()[0])
    elif action == "search":
        native.search_axiom(SearchLimits(depth=1))
    elif action == "engine":
        failure = native.engine_run(SearchLimits(depth=1)).failure
        if failure is not None:
            raise failure


def marked_line(script: Path) -> tuple[Path, int, str] | None:
    """Return file, line and text of the `expect error` comment of the script or a loaded file."""
    for path in (script, *sorted((FOLDER / "lib").glob("*.4th"))):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found = re.search(r"\\ expect error: (.*\S)", line)
            if found:
                return path, number, found[1]
        if path == script and "lib\\" not in path.read_text(
            encoding="utf-8"
        ):  # the script loads no faulty file
            return None
    return None


def test_each_script_has_an_expected_report() -> None:
    assert len(SCRIPTS) > 35  # the folder was found
    assert {path.stem for path in SCRIPTS} == {path.stem for path in FOLDER.glob("*.expected")}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_script_fails_with_the_expected_report(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FOLDER)
    action, options = directive(script.read_text(encoding="utf-8"))
    vm = make_vm(options)
    with pytest.raises(ForthVMError) as caught:
        run_until(vm, script.name, action)
    error = caught.value

    mark = marked_line(script)
    if mark is not None:
        path, line, message = mark
        assert (FOLDER / error.location.file, error.location.line) == (path, line)
        assert message in error.short_message()
    report = LIBRARY_LOCATION.sub("<library>", error.report()).replace(f"lib{os.sep}", "lib/")
    assert report + "\n" == script.with_suffix(".expected").read_text(encoding="utf-8")

    # After the error, the stack is empty and the VM runs words.
    assert vm.stack == ()
    vm.native.budget()  # removes the limits
    assert vm.call("MAX", 7, 42) == (42,)

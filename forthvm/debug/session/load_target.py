"""The target that loads a script or a rule file into a new VM.

Owns the repetition of a load: going back loads the same texts at the same source positions, even if
the files have changed since.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from forthvm.core.loading.files import replaced_contents
from forthvm.core.vm import VM
from forthvm.game.loading import refuse_variant

from .targets import Target

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from forthvm.core.budget import Budget

__all__ = ["load_target"]


class _Options(TypedDict, total=False):
    """Options of the VM; `VM` describes them."""

    library: str | Path
    axiom: int | str | None
    include: Sequence[str | Path]
    budget: Budget | None
    seed: int | None
    clock: int | None
    checked: bool


def load_target(
    path: str | os.PathLike[str], *, variant: str | int | None = None, **options: Unpack[_Options]
) -> Target:
    """Return the target that loads a script or rule file, from its first token on.

    The file is loaded into a new VM, whose library is loaded already.

    Args:
        path: The file.
        variant: For a rule file: the title or index of a game or variant in it.
        options: `library`, `axiom`, `include`, `budget`, `seed`, `clock` and `checked`, as for a
            VM.

    Raises:
        RuleFileError: The rule file is broken, or there is no such variant.
        ScriptFileError: The rule file cannot be read.
    """
    file = Path(path).absolute()
    if variant is not None and file.suffix.lower() != ".zrf":
        refuse_variant(file.stem)
    vm = VM(**options)
    load = _compiled(file, variant, vm, options) if file.suffix.lower() == ".zrf" else None
    first_text = len(vm.sources.texts)

    def run() -> None:
        earlier = vm.loader.repeat(first_text)
        with replaced_contents(earlier):
            if load is None:
                vm.load(file)
            else:
                load()

    spec: dict[str, object] = {"kind": "load", "file": file.name}
    return Target(vm, f"load {file.name}", spec, [run], loads=True)


def _compiled(
    file: Path, variant: str | int | None, vm: VM, options: _Options
) -> Callable[[], None]:
    """Compile a rule file; return the function that loads the script, or that of its engine."""
    from forthvm.zrf.loading import compile_file

    include = [Path(folder) for folder in options.get("include", ())]
    compiled = compile_file(file, variant, include=include)
    if compiled.script is None:
        script = compiled.plugin_script
        return lambda: vm.load(script) if script is not None else None
    text = compiled.script.text
    return lambda: vm.load_compiled(file, text, compiled)

"""The analysis of an edited script reuses summaries: it must find what a first analysis finds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from forthvm.check.analysis import analyser
from forthvm.check.api import check_script
from forthvm.core.loading.files import replaced_contents

if TYPE_CHECKING:
    from collections.abc import Callable

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
RITHMOMACHIA = SCRIPTS / "rithmomachia/rithmomachia.4th"


def findings_and_effects(path: Path) -> list[str]:
    program, findings = check_script(path)
    analysis = program.analysis
    return [
        *map(repr, findings),
        *(
            f"{word.name} {analysis.effect(word)} {sorted(analysis.game_effects(word))}"
            for word in program.own_words
        ),
    ]


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("captures.4th", lambda text: text + "\n: half ( n -- n' ) 2 /"),
        ("captures.4th", lambda text: text.replace(" DUP ", " ", 1)),
        ("geometry.4th", lambda text: text.replace(" -- ", " n -- ", 3)),
        ("settings.4th", lambda text: "VARIABLE added\n" + text),
        ("moves.4th", lambda text: text.replace(" ! ", " DROP DROP ", 2)),
        ("victories.4th", lambda text: text[: len(text) // 2]),
    ],
)
def test_edited_script(
    name: str, change: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    check_script(RITHMOMACHIA)
    file = RITHMOMACHIA.with_name(name)
    with replaced_contents({file: change(file.read_text()).encode()}):
        found = findings_and_effects(RITHMOMACHIA)
        monkeypatch.setattr(analyser, "_last", None)
        assert found == findings_and_effects(RITHMOMACHIA)


def test_value_that_a_later_word_stores() -> None:
    """An unchanged word calls what a variable contains, which a later word stores."""
    script = (
        "VARIABLE action\n: one 1 ; : two 1 1 ;\n: act action @ EXECUTE ;\n"
        ": choose ['] {} action ! ;\nchoose act\n"
    )
    path = Path("later.4th").resolve()
    effects = []
    for name in ("one", "two"):
        with replaced_contents({path: script.replace("{}", name).encode()}):
            program, _ = check_script(path)
        word = program.image.find("act")
        assert word is not None
        effects.append(str(program.analysis.effect(word)))
    assert effects == ["( -- x )", "( -- x x )"]

"""The analysis of an edited script reuses summaries: it must find what a first analysis finds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from forthvm.check.analysis import analyser
from forthvm.check.api import check_script
from forthvm.core.loading.files import replaced_contents

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


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


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("breakthrough/breakthrough", lambda text: text.replace(" DUP ", " ", 1)),
        ("rithmomachia/captures", lambda text: text + "\n: half ( n -- n' ) 2 /"),
        ("rithmomachia/captures", lambda text: text.replace(" DUP ", " ", 1)),
        ("rithmomachia/geometry", lambda text: text.replace(" -- ", " n -- ", 3)),
        ("rithmomachia/settings", lambda text: "VARIABLE added\n" + text),
        ("rithmomachia/moves", lambda text: text.replace(" ! ", " DROP DROP ", 2)),
        ("rithmomachia/victories", lambda text: text[: len(text) // 2]),
    ],
)
def test_edited_script(
    name: str, change: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = SCRIPTS / f"{name}.4th"
    main = file.with_name(f"{file.parent.name}.4th")
    check_script(main)
    text = file.read_text()
    assert change(text) != text
    with replaced_contents({file: change(text).encode()}):
        found = findings_and_effects(main)
        monkeypatch.setattr(analyser, "_last", None)
        assert found == findings_and_effects(main)


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

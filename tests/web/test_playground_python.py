"""The Python modules of the playground work without the core, as in a browser."""

from __future__ import annotations

import json
import sys
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

from forthvm.web.playground.static_page import python_modules
from tests.kit.processes import output_of

# -I and -S: without the folder of the checkout and the packages that are installed.
COMPILE = """
import sys
sys.path.insert(0, sys.argv[1])
from forthvm.web.playground.rule_worker import RuleWorker
print(RuleWorker().compile(sys.argv[2], None))
"""
RULES = Path(__file__).parents[1] / "zrf" / "games" / "box-puzzle.zrf"


def test_a_rule_file_is_compiled_without_the_core(tmp_path: Path) -> None:
    with ZipFile(BytesIO(python_modules())) as archive:
        archive.extractall(tmp_path)
    answer = json.loads(output_of(sys.executable, "-I", "-S", "-c", COMPILE, tmp_path, RULES))
    assert "{board" in answer["script"]

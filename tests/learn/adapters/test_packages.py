"""Errors for packages that are not installed."""

from __future__ import annotations

import sys

import pytest

from tests.kit.processes import run


def test_pixels_name_the_extra() -> None:
    program = (
        "import sys; sys.modules['resvg_py'] = None\n"
        "from forthvm.learn.adapters.rendering import RENDER_MODES, check_mode\n"
        "assert 'rgb_array' not in RENDER_MODES; check_mode('rgb_array')"
    )
    result = run(sys.executable, "-c", program)
    assert result.stderr.splitlines()[-1].endswith("needs pip install 'forthvm[images]'")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("extra", "package"),
    [
        ("pettingzoo", "pettingzoo"),
        ("pettingzoo", "numpy"),
        ("gymnasium", "gymnasium"),
        ("gymnasium", "numpy"),
        ("openspiel", "pyspiel"),
        ("openspiel", "numpy"),
    ],
)
def test_the_error_names_the_extra(extra: str, package: str) -> None:
    program = (
        f"import sys; sys.modules[{package!r}] = None\nimport forthvm.learn.adapters.{extra}\n"
    )
    result = run(sys.executable, "-c", program)
    assert result.returncode == 1
    assert f"pip install 'forthvm[{extra}]'" in result.stderr.splitlines()[-1]

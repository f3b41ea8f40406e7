"""The pause of the garbage collector while a rule file is read."""

from __future__ import annotations

import gc

import pytest

from forthvm.zrf.rule_file import uncollected
from tests.kit.cases import each_case


@pytest.mark.slow
@each_case("objects", [10, 200_000])
def test_frozen_objects_stay_frozen(objects: int) -> None:
    gc.freeze()
    frozen = gc.get_freeze_count()
    with uncollected():
        kept = [[] for _ in range(objects)]  # type: ignore[var-annotated]
        assert not gc.isenabled()
    assert gc.isenabled()
    assert gc.get_freeze_count() >= frozen - len(kept)

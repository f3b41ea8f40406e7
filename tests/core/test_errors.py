"""The error classes: a class for each status, built-in base classes, fields after pickling."""

from __future__ import annotations

import copy
import pickle
import re
from pathlib import Path

import forthvm
from forthvm.core import errors, records
from forthvm.core.bindings import NativeVM
from forthvm.core.errors import ForthVMError, Phase, Status
from forthvm.core.errors.classes import class_for
from forthvm.core.location import Frame, GameContext, Location
from tests.kit.cases import each_case
from tests.kit.messages import raises

ROOT = Path(__file__).parents[2]
HEADER = ROOT / "native" / "include" / "forthvm.h"
CLASSES = [
    value
    for value in vars(errors).values()
    if isinstance(value, type) and issubclass(value, ForthVMError)
]


def constants(prefix: str) -> dict[str, int]:
    text = HEADER.read_text()
    return {m[1]: int(m[2]) for m in re.finditer(rf"\b{prefix}_(\w+) = (\d+)", text)}


@each_case(
    ("enum", "prefix"),
    [
        (Status, "FVM_ERR"),
        (Phase, "FVM_PHASE"),
        (records.Option, "FVM_OPT"),
        (records.ReportKind, "FVM_REPORT"),
        (records.ChangeKind, "FVM_CHANGE"),
    ],
)
def test_enumerations_agree_with_the_header(enum: type[Status], prefix: str) -> None:
    members = {member.name: member.value for member in enum if member.name != "OK"}
    assert members == constants(prefix)


def test_every_c_function_has_a_method() -> None:
    """Each C function has a method of NativeVM or Trace, or is used by another class."""
    declared = set(re.findall(r"^[a-z][\w ]*[ *]fvm_(\w+)\(", HEADER.read_text(), re.M))
    in_other_classes = {
        "new",
        "free",
        "set_hooks",
        "status_name",
        "page_size",
        "digest",
        *("loop_own", "loop_share", "loop_unlocked_move"),  # used by the property `lock`
        "snapshot_free",
        "snapshot_equal",
        "snapshot_key",
        "snapshot_size",
        "snapshot_read",
        "snapshot_page_same",
        "snapshot_stack",
        "snapshot_patch",
        *(f"tt_{name}" for name in ("new", "free", "clear")),
        *(f"shared_search_{name}" for name in ("new", "free")),
        *(f"tree_{name}" for name in ("new", "free", "clear", "size", "read", "write")),
        *(f"tree_{name}" for name in ("follow", "get_state", "set_state")),
        *("action_finder_new", "action_finder_free", "find_actions", "take_unnumbered"),
        *("select_leaves", "leaf_actions", "submit_leaves"),
        *("observe", "observation_size"),
        *(f"network_{name}" for name in ("new", "free", "features", "value")),
        *(f"trainer_{name}" for name in ("new", "free", "add", "positions", "run", "weights")),
        *(name for name in declared if name.startswith("vector_")),  # the class Rows
    }
    traced = {name for name in declared if name.startswith("trace_")}
    bindings = (ROOT / "forthvm/core/bindings/trace.py").read_text()
    assert [name for name in sorted(traced) if f"lib.fvm_{name}(" not in bindings] == []
    assert declared - in_other_classes - traced <= {
        name for name in dir(NativeVM) if name[0] != "_"
    }
    assert in_other_classes <= declared


def test_every_status_has_its_own_class() -> None:
    kinds = [class_for(status) for status in Status if status is not Status.OK]
    assert len(set(kinds)) == len(kinds)
    assert ForthVMError not in kinds


@each_case(
    ("kind", "builtin"),
    [
        (errors.StackUnderflow, IndexError),
        (errors.AddressError, IndexError),
        (errors.DivisionError, ZeroDivisionError),
        (errors.UndefinedWord, NameError),
        (errors.ReturnStackOverflow, RecursionError),
        (errors.TimeLimitExceeded, TimeoutError),
        (errors.MemoryLimitExceeded, MemoryError),
        (errors.ScriptFileNotFound, FileNotFoundError),
        (errors.ScriptIsDirectory, IsADirectoryError),
        (errors.IllegalMoveError, ValueError),
        (errors.PositionDigestError, ValueError),
    ],
)
def test_errors_derive_from_matching_builtins(
    kind: type[ForthVMError], builtin: type[Exception]
) -> None:
    assert issubclass(kind, ForthVMError)
    assert issubclass(kind, builtin)


@each_case("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_errors_can_be_pickled_and_copied(kind: type[ForthVMError]) -> None:
    location = Location("a.4th", 3, 4, "some text", 2)
    error = kind(
        status=Status.DIVISION,
        word="w",
        detail="d",
        value=-5,
        trace=[Frame(8, "caller", location)],
        location=location,
        phase=Phase.GENERATE,
        game_context=GameContext("South", "troll", "f2"),
        hints=["try again"],
    )
    for duplicate in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(duplicate) is kind
        assert duplicate.report() == error.report()
        assert vars(duplicate) == vars(error)
    assert str(error).startswith("a.4th:3:4: ")


@each_case("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_an_error_without_fields_has_a_message(kind: type[ForthVMError]) -> None:
    assert len(str(kind())) > 3
    assert str(kind("a message of its own")) == "a message of its own"


def test_public_names_exist() -> None:
    for name in forthvm.__all__:
        assert getattr(forthvm, name) is not None
    assert set(dir(forthvm)) == set(forthvm.__all__)
    with raises(AttributeError, "core-errors.unknown-name"):
        _ = forthvm.nonsense  # type: ignore[attr-defined]

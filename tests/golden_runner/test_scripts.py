"""The recorded fragments: output, replies, and a matching error if the original failed.

A fragment is a short script with commands to the host.  Owns the comparison of one fragment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from forthvm.core.errors import (
    DivisionError,
    ForthVMError,
    ScriptFileNotFound,
    StackUnderflow,
    UndefinedWord,
)
from tests.golden_runner import tally
from tests.golden_runner.host import Host
from tests.golden_runner.records import RecordedError, Script, scripts
from tests.golden_runner.rules import (
    ONLY_140,
    SINCE_150,
    expected_printed,
    expected_replies,
    fails_in_140_only,
    only_in_140,
    uses_caret_words,
)
from tests.golden_runner.texts import edit_texts

NODES = re.compile(r"nodes=(\d+)")
TEXT = re.compile(r"(?<=^MOVE ).*|(?<= best=).*")
NO_MOVE = "The search did not produce a move!"


class Run:
    """One fragment, run to its end or to an error."""

    def __init__(self, script: Script, folder: Path, axiom: int) -> None:
        path = folder / "fragment.4th"
        path.write_bytes(script.script.encode("latin-1"))
        self.replies: list[str] = []
        self.error: ForthVMError | None = None
        self.host = Host(path, axiom=axiom)
        try:
            self.host.load()
            lists, moves = recorded_lists(script), []
            for command in script.commands:
                verb, _, text = command.partition(" ")
                if verb == "moves":
                    moves = next(lists, [])
                if axiom != 140 and text in moves:  # texts differ from 140, indices do not
                    self.host.make_number(moves.index(text))
                    self.replies.append("MAKE 0")
                else:
                    self.replies += self.host.command(command)
                if axiom != 140 and verb == "moves":
                    self.check_texts()
        except ForthVMError as error:
            self.error = error

    def check_texts(self) -> None:
        """Check that the text of each move can be derived from the move's edits."""
        native = self.host.vm.native
        for move in self.host.listed_moves:
            assert native.move_text(move) in edit_texts(self.host, native.move_changes(move))

    @property
    def printed(self) -> str:
        """The output without its first newline, which the recordings do not have."""
        return self.host.output.replace("\n", "", 1)


def recorded_lists(script: Script) -> Iterator[list[str]]:
    """Yield the move texts of each recorded list."""
    texts: list[str] = []
    for reply in script.replies:
        verb, _, text = reply.partition(" ")
        if verb == "MOVE":
            texts.append(text)
        elif verb == "MOVESEND":
            yield texts
            texts = []


def without_node_counts(replies: Iterable[str]) -> list[str]:
    """Return the replies without node counts, which need not be equal."""
    return [NODES.sub("nodes=", reply) for reply in replies]


def tally_nodes(recorded: list[str], found: list[str]) -> None:
    """Compare node counts for the summary after the test run."""
    for expected, actual in zip(recorded, found, strict=False):
        if match := NODES.search(expected):
            other = NODES.search(actual)
            tally.nodes("scripts", equal=other is not None and other[1] == match[1])


def check_error(recorded_error: RecordedError, run: Run) -> None:
    """Check that the error has the recorded kind, if the original reported one."""
    error = run.error
    assert error is not None, (
        f"the original failed ({recorded_error.text or recorded_error.kind}), forthvm did not"
    )
    message = str(error)
    if undefined := re.fullmatch(r'Error: "(.+)" is undefined\.', recorded_error.text):
        assert isinstance(error, UndefinedWord), message
        assert error.detail == undefined[1]
    elif missing := re.fullmatch(r'Error: file "(.+)" not found\.', recorded_error.text):
        assert isinstance(error, ScriptFileNotFound), message
        assert missing[1] in message
    elif recorded_error.text == "Error: Parameter stack underflow.":
        assert isinstance(error, StackUnderflow), message
    elif recorded_error.text == "division error":
        assert isinstance(error, DivisionError), message
    elif recorded_error.kind == "message" and not recorded_error.text.startswith(
        (NO_MOVE, "Partial move")
    ):
        assert recorded_error.text in message


@pytest.mark.sampled(4)
@pytest.mark.parametrize("script", scripts(), ids=lambda script: script.id)
def test_fragment_140(script: Script, tmp_path: Path) -> None:
    run = Run(script, tmp_path, 140)
    recorded = list(script.replies)
    found = without_node_counts(run.replies)
    if (
        script.recorded_error
        and script.recorded_error.text.startswith(NO_MOVE)
        and run.host.listed_moves
    ):
        # The original's search crashed although there are moves.  forthvm returns the first root
        # move (axiom-search.md, node 5), so that further commands run.
        assert run.error is None, str(run.error)
        check_first_move(run, found[len(recorded)])
        del found[len(recorded) :]
    elif script.recorded_error:
        check_error(script.recorded_error, run)
    else:
        assert run.error is None, str(run.error)
    assert run.printed == script.printed
    assert found == without_node_counts(recorded)
    tally_nodes(recorded, run.replies)


def check_first_move(run: Run, reply: str) -> None:
    """Check that a search without a best move returns the first root move."""
    texts = [reply[5:] for reply in run.replies if reply.startswith("MOVE ")]
    first_after_search = run.host.vm.native.move_text(run.host.vm.native.move_list()[0])
    assert reply.partition("best=")[2] in {texts[0], first_after_search}


@pytest.mark.sampled(7)
@pytest.mark.parametrize("script", scripts(), ids=lambda script: script.id)
def test_fragment_150(script: Script, tmp_path: Path) -> None:
    """Compare a fragment in version 150, up to an error that only version 140 raises.

    Some words that the recordings report as undefined exist in 150: `SINCE_150` lists them.
    """
    reason = only_in_140(script.script)
    if reason:
        pytest.skip(reason)
    run = Run(script, tmp_path, 150)
    found = without_node_counts(run.replies)
    recorded = without_node_counts(expected_replies(list(script.replies), 150))
    if uses_caret_words(script.script):  # the recorded texts contain more than edits
        found = [TEXT.sub("…", reply) for reply in found]
        recorded = [TEXT.sub("…", reply) for reply in recorded]
    printed = expected_printed(script.printed, script.script, 150)
    if isinstance(run.error, UndefinedWord) and run.error.detail in ONLY_140:
        return
    if script.recorded_error and run.error is None:
        assert may_continue_in_150(script, run), script.recorded_error
        assert run.printed.startswith(printed)
        assert found[: len(recorded)] == recorded
        return
    if script.recorded_error:
        check_error(script.recorded_error, run)
    else:
        assert run.error is None, str(run.error)
    assert run.printed == printed
    assert found == recorded


MAX_TEXT_140 = 1023  # bytes of a move text in version 140


def may_continue_in_150(script: Script, run: Run) -> bool:
    """Return whether version 150 may continue although 140 failed in this fragment."""
    undefined = re.fullmatch(r'Error: "(.+)" is undefined\.', script.recorded_error.text)
    if undefined:
        return undefined[1] in SINCE_150
    if fails_in_140_only(script.recorded_error):
        return True
    if script.recorded_error.text.startswith(NO_MOVE):
        return bool(run.host.listed_moves)
    texts = [run.host.vm.native.move_text(move) for move in run.host.listed_moves]
    return any(len(text) > MAX_TEXT_140 for text in texts)

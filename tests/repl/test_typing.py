"""Keys sent to the prompt through prompt_toolkit's pipe input: editing, keys, history."""

from __future__ import annotations

import _thread
import asyncio
import io
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from prompt_toolkit.application import Application, create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.output.vt100 import Vt100_Output

from forthvm.repl.prompt.config import Settings
from forthvm.repl.prompt.editing import ForthLexer, coloured
from forthvm.repl.prompt.terminal import LONG_PASTE, Terminal
from forthvm.repl.prompt.theme import theme_of
from tests.repl.conftest import Game, ReplClient

UP, CTRL_A, CTRL_C, CTRL_D, CTRL_R = "\x1b[A", "\x01", "\x03", "\x04", "\x12"
TAB, ALT_ENTER, ESCAPE, F24 = "\t", "\x1b\r", "\x1b", "\x1b[24;2~"

MAX_WAIT = 60.0
"""Seconds after which the next keys are sent even if a condition is false; the test then fails."""

Condition = Callable[["Application[str]"], bool]
"""A condition of the prompt: a typist sends the keys after it when the condition is true."""


def drawn(_app: Application[str]) -> bool:
    """No further condition: `typing` always waits until the prompt is drawn after the last key."""
    return True


def history_loaded(app: Application[str]) -> bool:
    """The buffer contains the lines of the history, which are loaded after the first drawing."""
    buffer = app.current_buffer
    return buffer.working_index == len(list(buffer.history.load_history_strings()))


def text_is(text: str) -> Condition:
    """The edited text equals `text`; completions are inserted by a background task."""
    return lambda app: app.current_buffer.text == text


@contextmanager
def typing(keys: PipeInput, terminal: Terminal, *steps: str | Condition) -> Iterator[None]:
    """Sends keys and waits for conditions while a block runs.

    A condition is sent as the key F24.  Its handler runs when the prompt has processed all earlier
    keys; it waits until the prompt is drawn again and the condition is true, and then sends the
    keys up to the next condition.
    """
    conditions = [step for step in steps if not isinstance(step, str)]
    fragments = "".join(step if isinstance(step, str) else F24 for step in steps).split(F24)
    bindings = terminal.prompt.key_bindings
    assert isinstance(bindings, KeyBindings)

    def handle_f24(event: KeyPressEvent) -> None:
        app = event.app
        # Read here: the prompt may be drawn again before the task starts.
        drawings = app.render_counter
        app.create_background_task(wait_and_continue(app, drawings, conditions.pop(0)))

    async def wait_and_continue(app: Application[str], drawings: int, condition: Condition) -> None:
        deadline = time.monotonic() + MAX_WAIT
        while time.monotonic() < deadline:
            if app.render_counter > drawings and condition(app):
                break
            await asyncio.sleep(0.005)
        send_fragment()

    def send_fragment() -> None:
        keys.send_text(fragments.pop(0) + (F24 if fragments else ""))

    bindings.add("f24")(handle_f24)
    # A long paste fills the pipe, so that sending it waits for the prompt.
    thread = threading.Thread(target=send_fragment)
    thread.start()
    yield
    thread.join()
    bindings.remove(handle_f24)
    assert not fragments, "keys were not sent"


class Typist:
    """Sends keys to a REPL."""

    def __init__(self, repl: ReplClient, keys: PipeInput, settings: Settings) -> None:
        self.repl = repl
        self.repl.screen.terminal = True
        self.keys = keys
        self.problems: list[str] = []
        self.terminal = Terminal(
            repl.shell,
            settings,
            theme_of(settings.theme, settings.colours),
            begin=lambda: None,
            problems=self.problems,
            terminal_input=keys,
            terminal_output=DummyOutput(),
        )

    def type(self, *steps: str | Condition, leave: bool = True) -> str:
        """Sends keys and, if `leave`, Ctrl-D; returns the output without the typed lines."""
        self.repl.printed.clear()
        with typing(self.keys, self.terminal, *steps, CTRL_D if leave else ""):
            self.terminal.run()
        return "".join(self.repl.printed)


Begin = Callable[..., Typist]


@pytest.fixture
def begin(repl: ReplClient) -> Iterator[Begin]:
    """Returns a function that makes typists, by default without a game or a history."""
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):

        def make_typist(client: ReplClient | None = None, **settings: object) -> Typist:
            return Typist(client or repl, keys, Settings(**settings))

        yield make_typist


def test_stack_is_shown_after_a_line(begin: Begin) -> None:
    assert begin().type("1 2 +\r", "4\r") == "<1> 3\n<2> 3 4\n"


def test_stack_display_can_be_disabled(begin: Begin) -> None:
    typist = begin()
    typist.repl.shell.show_stack = False
    assert typist.type("1 2 +\r") == ""


def test_a_definition_over_several_lines(begin: Begin) -> None:
    typist = begin()
    assert typist.type(": f ( n -- n )\r", "IF 1\r", "ELSE 2\r", "ENDIF ;\r", "0 f .\r") == "2 \n"
    # Enter indents a line; closing words are moved back.
    source = typist.repl.session.vm.source("f")
    assert source == ": f ( n -- n )\n  IF 1\n  ELSE 2\n  ENDIF ;"


@pytest.mark.slow
def test_a_section_over_several_lines(begin: Begin, in_game: Game) -> None:
    typist = begin(in_game())
    text = "{pieces\r{piece} stone {drops} put-moves\rpieces}\r"
    typist.type(text)
    assert [kind.name for kind in typist.repl.session.need_game().piece_types] == ["stone"]


def test_line_after_an_error_runs(begin: Begin) -> None:
    output = begin().type("1 nowhere\r", "2\r")
    assert "unknown word `nowhere`" in output
    assert output.endswith("<1> 2\n")


def test_ctrl_c_discards_the_text(begin: Begin) -> None:
    typist = begin()
    assert typist.type(": f IF", CTRL_C, "1\r") == "<1> 1\n"
    assert typist.repl.session.vm.find("f") is None


def test_ctrl_d_within_a_definition_warns_first(begin: Begin) -> None:
    typist = begin()
    typist.type(": f\rIF 1", CTRL_D, " ENDIF ;\r", "1 f\r")
    assert typist.repl.session.vm.find("f") is not None
    assert typist.repl.stack == (1,)


def test_ctrl_d_twice_within_a_definition_leaves(begin: Begin) -> None:
    typist = begin()
    typist.type(": f\rIF 1", CTRL_D, CTRL_D, leave=False)
    assert typist.repl.session.vm.find("f") is None


def test_quit_leaves(begin: Begin) -> None:
    assert begin().type("1\r", "quit\r", leave=False) == "<1> 1\n"


def test_alt_enter_runs_incomplete_text(begin: Begin) -> None:
    typist = begin()
    typist.type(": f 1", ALT_ENTER, ";", "\r", "f\r")
    assert typist.repl.stack == (1,)


def test_tab_completes_a_word(begin: Begin) -> None:
    typist = begin(complete_while_typing=False)
    typist.repl.session.interpret(": long-name 42 ;")
    typist.type("long-n", TAB, text_is("long-name"), "\r\r")
    assert typist.repl.stack == (42,)


def test_tab_indents_where_a_line_begins(begin: Begin) -> None:
    typist = begin()
    typist.type(": f\r", TAB, "1 ;\r")
    assert typist.repl.session.vm.source("f") == ": f\n    1 ;"


def test_history_is_recalled_by_arrow_and_search(begin: Begin) -> None:
    typist = begin()
    typist.type(
        "1\r", "20\r", history_loaded, UP, UP, "\r", history_loaded, CTRL_R, "20", "\r", "\r"
    )
    assert typist.repl.stack == (1, 20, 1, 20)


def test_a_definition_is_one_entry_of_the_history(begin: Begin) -> None:
    typist = begin()
    typist.type(": f\r1 ;\r", "f\r", history_loaded, UP, UP, "\r", "f\r")
    assert typist.repl.stack == (1, 1)
    assert len(typist.repl.session.lines) == 4


def test_history_stays_on_disk(begin: Begin, tmp_path: Path) -> None:
    file = tmp_path / "deep" / "history"
    begin(history=str(file)).type(": f\r1 ;\r", "7\r")
    assert "+7" in file.read_text(encoding="utf-8")
    second = begin(history=str(file))
    second.type(history_loaded, UP, "\r", history_loaded, UP, UP, "\r")
    assert second.repl.stack == (7, 7)
    assert [line.text for line in second.repl.session.lines][-1] == ": f\n  1 ;"


def test_damaged_history_is_ignored(begin: Begin, tmp_path: Path) -> None:
    file = tmp_path / "history"
    file.write_bytes(b"\x00\xff garbage\n+\xfe broken\n# a\n\n+5\n")
    typist = begin(history=str(file))
    typist.type(history_loaded, UP, "\r")
    assert typist.repl.stack == (5,)
    assert typist.problems == []


def test_unwritable_history_is_reported(begin: Begin, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    typist = begin(history=str(tmp_path / "file" / "history"))
    assert "cannot write the history" in typist.problems[0]
    typist.type("5\r", history_loaded, UP, "\r")
    assert typist.repl.stack == (5, 5)
    folder = begin(history=str(tmp_path))
    assert "Is a directory" in folder.problems[0]


def test_vi_keys_edit_the_line(begin: Begin) -> None:
    typist = begin(keys="vi")
    typist.type("3 2", ESCAPE, "0", "x", "i", "4", ESCAPE, "\r")
    assert typist.repl.stack == (4, 2)


def test_user_defined_keys_run_lines(begin: Begin) -> None:
    typist = begin(bindings={"f5": "1 2 +", "no-such-key": "1"})
    typist.type("\x1b[15~")
    assert typist.repl.stack == (3,)
    assert typist.problems == ["bindings: no key 'no-such-key' (examples: f5, c-t, escape m)"]


def pasted(text: str) -> str:
    return f"\x1b[200~{text}\x1b[201~"


@pytest.mark.slow
def test_a_short_paste_is_edited(begin: Begin) -> None:
    typist = begin()
    typist.type(pasted(": f\r\n  1 ;\r\n7"), " 8\r")
    assert typist.repl.stack == (7, 8)


@pytest.mark.parametrize("paste", [pasted("7\tCONSTANT\tseven"), "7\tCONSTANT\tseven"])
def test_pasted_tabs_are_blanks(begin: Begin, paste: str) -> None:
    typist = begin()
    typist.type(paste, "\rseven\r")
    assert typist.repl.stack == (7,)


@pytest.mark.slow
def test_long_paste_runs_immediately(begin: Begin) -> None:
    typist = begin()
    lines = "".join(f": w{n} ( -- n ) {n} ;\n" for n in range(10_000))
    typist.type(pasted(lines), "w9999\r")
    assert typist.repl.stack == (9999,)
    assert len(typist.repl.session.lines) == 2
    typist.type("undo\r", "undo\r")  # the whole paste is one line
    assert typist.repl.session.vm.find("w0") is None


def test_incomplete_long_paste_is_edited(begin: Begin) -> None:
    typist = begin()
    lines = ": f\n" + "1 DROP\n" * LONG_PASTE
    typist.type(pasted(lines), ";\r")
    assert typist.repl.session.vm.find("f") is not None


def test_commands_in_a_paste_run(begin: Begin) -> None:
    typist = begin()
    output = typist.type(pasted(": f 1 ;\nsee f\nf .\n"), "\r")
    assert ": f 1 ;" in output
    assert output.endswith("1 \n")


def test_ctrl_c_stops_a_running_word(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    typist = begin()
    session = typist.repl.session
    interpret = session.interpret
    interpret("1 2 : spin BEGIN 1 DROP FALSE UNTIL ;")

    def interpret_and_interrupt(text: str, **options: object) -> None:
        # At the prompt an interrupt would only discard the line, and the word would not end.
        if text == "spin":
            threading.Timer(0.3, _thread.interrupt_main).start()
        interpret(text, **options)

    monkeypatch.setattr(session, "interpret", interpret_and_interrupt)
    output = typist.type("spin\r", ".S\r")
    assert "interrupted" in output
    assert "called from spin" in output
    assert "1 2 " in output
    assert typist.repl.stack == (1, 2)


# --- colours ----------------------------------------------------------------------------


def styles(repl: ReplClient, text: str) -> dict[str, str]:
    lines = ForthLexer(repl.shell).lex_document(Document(text))
    parts = [fragment for at in range(text.count("\n") + 1) for fragment in lines(at)]
    return {
        fragment[1]: fragment[0].removeprefix("class:forth-")
        for fragment in parts
        if fragment[1].strip()
    }


def test_colours_while_typing(repl: ReplClient) -> None:
    assert styles(repl, ": f ( n )\n  DUP IF nowhere f ENDIF ;") == {
        ":": "defining",
        "f": "word",
        "( n )": "comment",
        "DUP": "kernel",
        "IF": "control",
        "nowhere": "unknown",
        "ENDIF": "control",
        ";": "defining",
    }
    assert styles(repl, "nowhe") == {"nowhe": "word"}  # the word may be incomplete
    assert styles(repl, "see DUP") == {"see": "defining", " DUP": ""}


def test_colours_keep_the_text(repl: ReplClient) -> None:
    text = ": f  ( a\n b )\tDUP\n;  \n"
    assert "".join(fragment[1] for fragment in coloured(repl.shell, text)) == text


def rendered(repl: ReplClient, keys: str) -> str:
    """Returns the escape codes that the prompt prints while keys are typed."""
    stream = io.StringIO()
    output = Vt100_Output(stream, lambda: Size(rows=24, columns=80))
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=output):
        terminal = Terminal(
            repl.shell,
            Settings(complete_while_typing=False),
            {"match": "reverse", "stray": "underline", "open": ""},
            begin=lambda: None,
            problems=[],
            terminal_input=pipe,
            terminal_output=output,
        )
        with typing(pipe, terminal, keys, drawn, CTRL_C, CTRL_D):
            terminal.run()
    return stream.getvalue()


def test_matching_words_are_marked(repl: ReplClient) -> None:
    output = rendered(repl, ": f IF 1 ENDIF")
    marked = [fragment.split("\x1b")[0] for fragment in output.split("\x1b[0;7m")[1:]]
    assert {"IF", "ENDIF"} <= set(marked)
    assert ":" not in marked


@pytest.mark.slow
def test_unmatched_words_are_marked(repl: ReplClient) -> None:
    output = rendered(repl, ": f ENDIF 1")
    assert "\x1b[0;4mENDIF" in output


def test_prompt_shows_open_structures(repl: ReplClient) -> None:
    output = rendered(repl, ": f\rIF\r( a\r")
    for prompt in ("forth> ", ": f> ", ": f IF> ", ": f IF (> "):
        assert prompt in output

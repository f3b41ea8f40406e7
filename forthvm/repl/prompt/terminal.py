"""The REPL on a terminal: reads lines with prompt_toolkit and passes them to the shell.

Owns the loop, the keys and the prompt.  The shell runs lines; editing.py colours them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.cursor_shapes import ModalCursorShapeConfig
from prompt_toolkit.enums import DEFAULT_BUFFER, EditingMode
from prompt_toolkit.filters import Condition, has_focus
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout.processors import TabsProcessor

from forthvm.repl.batch import split_script
from forthvm.repl.prompt.editing import (
    INDENT_COLUMNS,
    ForthCompleter,
    ForthLexer,
    MatchProcessor,
    Structures,
    indentation,
)
from forthvm.repl.prompt.history import make_history
from forthvm.repl.prompt.pager import EnoughError
from forthvm.repl.prompt.theme import make_style
from forthvm.repl.shell import LeaveError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from prompt_toolkit.buffer import Buffer
    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.input import Input
    from prompt_toolkit.key_binding import KeyPressEvent
    from prompt_toolkit.output import Output

    from forthvm.repl.prompt.config import Settings
    from forthvm.repl.shell import Shell

__all__ = ["Terminal"]

LONG_PASTE = 100
"""A paste with this number of lines or more runs immediately if it is complete."""

_TAB_COLUMNS = 4


class Terminal:
    """Reads lines from the user and passes them to the shell.

    Args:
        shell: Runs the lines.
        settings: The user's settings.
        theme: Styles by kind of text.
        begin: Called before each line runs; it restarts the pager.
        problems: The list to which errors in the settings are added.
        terminal_input: Replaces the keyboard in tests.
        terminal_output: Replaces the screen in tests.
    """

    def __init__(  # noqa: PLR0913 - keyword-only, each of them documented
        self,
        shell: Shell,
        settings: Settings,
        theme: Mapping[str, str],
        *,
        begin: Callable[[], None],
        problems: list[str],
        terminal_input: Input | None = None,
        terminal_output: Output | None = None,
    ) -> None:
        self.shell = shell
        self._begin = begin
        self._structures = Structures()
        self._warned_text = ""  # the text for which Ctrl-D has warned
        self._prompt_text = ""
        history, problem = make_history(settings.history)
        if problem:
            problems.append(problem)
        keys = self._keys()
        self._add_bindings(keys, settings.bindings, problems)
        uses_vi = settings.keys == "vi"
        self.prompt: PromptSession[str] = PromptSession(
            message=self._message,
            multiline=True,
            lexer=ForthLexer(shell),
            completer=ForthCompleter(shell),
            complete_while_typing=settings.complete_while_typing,
            auto_suggest=AutoSuggestFromHistory() if settings.suggest else None,
            history=history,
            editing_mode=EditingMode.VI if uses_vi else EditingMode.EMACS,
            cursor=ModalCursorShapeConfig() if uses_vi else None,
            key_bindings=keys,
            input_processors=[
                MatchProcessor(self._structures),
                TabsProcessor(tabstop=_TAB_COLUMNS, char1=" ", char2=" "),
            ],
            prompt_continuation=self._continuation,
            style=make_style(theme),
            include_default_pygments_style=False,
            enable_suspend=True,
            enable_open_in_editor=not uses_vi,
            search_ignore_case=True,
            tempfile_suffix=".4th",
            reserve_space_for_menu=6,
            input=terminal_input,
            output=terminal_output,
        )

        self.prompt.default_buffer.on_text_changed += self._clear_toolbar

    def _clear_toolbar(self, _buffer: Buffer) -> None:
        self.prompt.bottom_toolbar = None

    # --- the loop -----------------------------------------------------------------------

    def run(self) -> None:
        """Read and execute lines until the user leaves."""
        while True:
            self._warned_text = ""
            self.prompt.bottom_toolbar = None
            self._prompt_text = self.shell.prompt()
            try:
                text = self.prompt.prompt()
            except KeyboardInterrupt:
                continue
            except EOFError:
                return
            try:
                self.run_text(text)
            except LeaveError:
                return
            except KeyboardInterrupt:  # while an error was printed
                self.shell.session.failed_stack = ()

    def run_text(self, text: str) -> None:
        """Run a text and print its errors and the stack.

        Raises:
            LeaveError: the user leaves.
        """
        self._begin()
        try:
            if self.shell.command_of(text) is None:
                for _, part in split_script(self.shell, text):
                    self.shell.run(part)
            else:
                self.shell.run(text)
                return
        except EnoughError:
            self.shell.session.failed_stack = ()
        except (LeaveError, BrokenPipeError):
            raise
        except (Exception, KeyboardInterrupt) as error:  # no error ends the prompt
            self._begin()
            if isinstance(error, KeyboardInterrupt):
                self.shell.print()  # ends the line with the ^C that the terminal shows
            self.shell.print_error(error)
        self.shell.print_stack()

    # --- the prompt ---------------------------------------------------------------------

    def _message(self) -> StyleAndTextTuples:
        return [("class:forth-prompt", self._prompt_text)]

    def _continuation(self, width: int, number: int, wrapped: int) -> StyleAndTextTuples:
        """Return the prompt of a continuation line: the structures that are open at its start."""
        if wrapped:
            return [("", " " * width)]
        lines = self._structures(self.prompt.default_buffer.text).lines
        max_length = max(width, min(self.shell.screen.width // 3, 24), 8) - 2
        text = ""
        for structure in lines[number].opened() if number < len(lines) else ():
            longer = f"{structure} {text}" if text else str(structure)
            if len(longer) > max_length:
                text = text or structure.word[:max_length]
                break
            text = longer
        return [("class:forth-open", f"{text}> ".rjust(width))]

    # --- keys ---------------------------------------------------------------------------

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        editing = has_focus(DEFAULT_BUFFER)
        at_end = Condition(lambda: get_app().current_buffer.document.is_cursor_at_the_end)
        has_text = Condition(lambda: bool(get_app().current_buffer.text))
        keys.add("enter", filter=editing)(self._enter)
        keys.add("escape", "enter", filter=editing)(_accept)
        keys.add("tab", filter=editing & Condition(_at_blank))(_insert_indent)
        pasting = Condition(_is_pasting) & ~Condition(_at_blank)
        keys.add("tab", filter=editing & pasting)(_insert_tab)
        keys.add("c-d", filter=editing & at_end & has_text)(self._warn_or_leave)
        keys.add(Keys.BracketedPaste, filter=editing)(self._paste)
        return keys

    def _add_bindings(
        self, keys: KeyBindings, bindings: Mapping[str, str], problems: list[str]
    ) -> None:
        """Add the key bindings of the settings; each key runs a line."""
        for key, line in bindings.items():
            try:
                keys.add(*key.split(), filter=has_focus(DEFAULT_BUFFER))(_runner(line))
            except ValueError:
                problems.append(f"bindings: no key {key!r} (examples: f5, c-t, escape m)")

    def _enter(self, event: KeyPressEvent) -> None:
        """Run a complete text; otherwise begin a new indented line."""
        buffer = event.current_buffer
        if buffer.complete_state and buffer.complete_state.current_completion:
            buffer.complete_state = None
            return
        text = buffer.text
        is_complete = self.shell.command_of(text) is not None or self._structures(text).complete
        if is_complete and buffer.document.on_last_line:
            self._dedent(buffer)
            buffer.validate_and_handle()
            return
        self._dedent(buffer)
        before = buffer.document.text_before_cursor
        depth = self._structures(f"{before}\n").lines[-1].depth
        buffer.insert_text("\n" + " " * (INDENT_COLUMNS * depth))

    def _dedent(self, buffer: Buffer) -> None:
        """Align a closing word with its opening word, unless the user changed the indentation."""
        document = buffer.document
        line = document.current_line
        blanks = len(line) - len(line.lstrip(" "))
        start = document.cursor_position - document.cursor_position_col
        text_to_line_end = document.text[: start + len(line)]
        structure = self._structures(text_to_line_end)
        new_blanks = indentation(structure, text_to_line_end)
        was_changed = blanks != INDENT_COLUMNS * structure.lines[-1].depth
        if not blanks or was_changed or new_blanks >= blanks:
            return
        removed = blanks - new_blanks
        text = document.text[:start] + line[removed:] + document.text[start + len(line) :]
        column = max(document.cursor_position_col - removed, 0)
        buffer.document = type(document)(text, start + column)

    def _warn_or_leave(self, event: KeyPressEvent) -> None:
        """Handle Ctrl-D after a text: warn that the text will be lost; leave at the next Ctrl-D."""
        buffer = event.current_buffer
        if self._warned_text == buffer.text:
            event.app.exit(exception=EOFError)
            return
        opened = self._structures(buffer.text).opened
        problem = f"`{opened[0]}` is still open" if opened else "this line was not run"
        self._warned_text = buffer.text
        self.prompt.bottom_toolbar = f"{problem}: Ctrl-C discards it, Ctrl-D again leaves"

    def _paste(self, event: KeyPressEvent) -> None:
        """Insert a pasted text, or run it if it is long and complete."""
        pasted = event.data.replace("\r\n", "\n").replace("\r", "\n")
        buffer = event.current_buffer
        is_long = pasted.count("\n") >= LONG_PASTE and not buffer.text.strip()
        if is_long and self._structures(pasted).complete:
            event.app.exit(result=pasted)
        else:
            buffer.insert_text(pasted)


def _accept(event: KeyPressEvent) -> None:
    """Run the text, complete or not."""
    event.current_buffer.validate_and_handle()


def _at_blank() -> bool:
    """Whether only blanks precede the cursor on a line after the first."""
    document = get_app().current_buffer.document
    return document.cursor_position_row > 0 and not document.current_line_before_cursor.strip()


def _is_pasting() -> bool:
    """Whether a text has arrived together with the key: some terminals do not mark pasted text."""
    queue = get_app().key_processor.input_queue
    return bool(queue) and (queue[0].data.isprintable() or queue[0].key == Keys.Tab)


def _insert_tab(event: KeyPressEvent) -> None:
    event.current_buffer.insert_text("\t")


def _insert_indent(event: KeyPressEvent) -> None:
    event.current_buffer.insert_text(" " * INDENT_COLUMNS)


def _runner(line: str) -> Any:  # noqa: ANN401 - prompt_toolkit's handlers have no name
    def run(event: KeyPressEvent) -> None:
        event.current_buffer.text = line
        event.current_buffer.validate_and_handle()

    return run

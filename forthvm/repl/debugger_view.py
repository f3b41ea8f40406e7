"""The full-screen debugger: source, stack, callers, watched values, board.

Owns the layout and the keys.  forthvm/debug/session/commands.py implements the commands; a
debugging session provides the shown values.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeAlias

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    Dimension,
    FormattedTextControl,
    HSplit,
    Layout,
    VSplit,
    Window,
)
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.styles import Style

from forthvm.core.errors import ForthVMError
from forthvm.core.text.visible import visible_lines
from forthvm.debug.session.commands import CommandLines, command_names
from forthvm.debug.session.state_text import caller_lines, stack_lines, stop_lines
from forthvm.render.draw_text import TextStyle, board_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.input import Input
    from prompt_toolkit.key_binding import KeyPressEvent
    from prompt_toolkit.output import Output

    from forthvm.core.location import Location
    from forthvm.debug import Session, State

__all__ = ["DebuggerView"]

Fragments: TypeAlias = "StyleAndTextTuples"

_MIN_WIDE_COLUMNS = 70  # narrower screens have no right side
_SIDE_COLUMNS = 34  # the width of the right side
_MAX_MESSAGES = 500
_MAX_SHOWN_MESSAGES = 8

STYLE = {
    "title": "reverse",
    "head": "bold",
    "number": "ansibrightblack",
    "line": "bg:ansibrightblack ansiwhite",
    "token": "reverse bold",
    "fault": "ansired bold",
    "key": "ansicyan",
}

#: The command that each key runs.
KEYS = {
    "f5": "continue",
    "f6": "rcontinue",
    "f7": "back",
    "f8": "bnext",
    "f10": "next",
    "f11": "step",
    "f12": "out",
}
_HINTS = "F11 step  F10 next  F12 out  F5 continue  F7 back  F6 rcontinue  F1 help  Ctrl-Q quit"


class DebuggerView:
    """The full screen for a debugger session.

    Args:
        session: The session; the caller closes it.
        input: The source of keys; None for the terminal.
        output: The screen; None for the terminal.
    """

    def __init__(
        self, session: Session, *, input: Input | None = None, output: Output | None = None
    ) -> None:
        self.session = session
        self.messages: list[tuple[str, str]] = []
        self.busy = False
        self._scrolled_lines = 0
        self._board_text = ""
        self._sources: dict[str, list[str]] = {}
        self._command_lines = CommandLines(session, self._add_line, self._columns)
        self._prompt = Buffer(
            multiline=False,
            history=InMemoryHistory(),
            completer=WordCompleter(sorted(command_names())),
            complete_while_typing=False,
            accept_handler=self._accept,
        )
        self.app: Application[int] = Application(
            layout=self._layout(),
            key_bindings=self._keys(),
            style=Style.from_dict(STYLE),
            full_screen=True,
            input=input,
            output=output,
        )
        session.output = self.add_output
        self._draw_board()

    def run(self) -> int:
        """Run until the user leaves; return the exit status."""
        return self.app.run()

    # --- keys --------------------------------------------------------------------------

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        for key, command in KEYS.items():
            keys.add(key)(self._command_key(command))
        keys.add("f1")(self._command_key("help"))

        @keys.add("c-q")
        @keys.add("c-d", filter=Condition(lambda: not self._prompt.text))
        def leave(event: KeyPressEvent) -> None:
            self.session.request_pause()
            event.app.exit(result=0)

        @keys.add("c-c")
        def stop(_event: KeyPressEvent) -> None:
            if self.busy:
                self.session.request_pause()
            else:
                self._prompt.reset()

        @keys.add("pageup")
        def up(_event: KeyPressEvent) -> None:
            self._scrolled_lines -= 10

        @keys.add("pagedown")
        def down(_event: KeyPressEvent) -> None:
            self._scrolled_lines += 10

        return keys

    def _command_key(self, command: str) -> Callable[[KeyPressEvent], None]:
        def press(_event: KeyPressEvent) -> None:
            self._start(command)

        return press

    def _accept(self, buffer: Buffer) -> bool:
        self._start(buffer.text)
        return False  # prompt_toolkit then empties the line

    # --- commands ----------------------------------------------------------------------

    def _start(self, line: str) -> None:
        """Run a command line in a thread, so that the screen stays responsive."""
        if self.busy:
            self._add_message("the script is running: Ctrl-C pauses it", "class:fault")
            return
        self.busy = True
        self.app.create_background_task(self._run_command(line))

    async def _run_command(self, line: str) -> None:
        if line.strip():
            self._add_message(f"> {line.strip()}", "class:head")
        try:
            loop = asyncio.get_running_loop()
            session_continues = await loop.run_in_executor(None, self._execute, line)
        finally:
            self.busy = False
            self._scrolled_lines = 0
        self._draw_board()
        if not session_continues:
            self.app.exit(result=0)
        self.app.invalidate()

    def _execute(self, line: str) -> bool:
        try:
            return self._command_lines.execute(line)
        except ForthVMError as error:
            self._add_message(error.short_message(), "class:fault")
        return True

    def _add_line(self, text: str) -> None:
        self._add_message(text, "")

    def _add_message(self, text: str, style: str) -> None:
        self.messages.append((style, text.expandtabs(4)))  # prompt_toolkit shows tabs as ^I
        del self.messages[:-_MAX_MESSAGES]

    def add_output(self, text: str) -> None:
        """Show output of the debugged script."""
        for line in text.rstrip("\n").split("\n"):
            self._add_message(line, "class:key")

    # --- layout ------------------------------------------------------------------------

    def _columns(self) -> int:
        return self.app.output.get_size().columns

    def _layout(self) -> Layout:
        is_wide = Condition(lambda: self._columns() >= _MIN_WIDE_COLUMNS)
        has_board = Condition(lambda: bool(self._board_text))
        right_side = HSplit(
            [
                *_with_title("stack", self._stack, height=Dimension(min=2, preferred=7)),
                *_with_title("callers", self._callers, height=Dimension(min=2, preferred=6)),
                *_with_title("watched", self._watched, height=Dimension(min=1, preferred=3)),
            ],
            width=Dimension(min=10, preferred=_SIDE_COLUMNS, max=_SIDE_COLUMNS),
        )
        board = HSplit(_with_title("board", self._board, height=Dimension(min=1, preferred=12)))
        short_stack = HSplit(_with_title("stack", self._stack, height=Dimension(min=1, max=3)))
        prompt = Window(
            BufferControl(self._prompt, input_processors=[BeforeInput("> ", style="class:key")]),
            height=1,
        )
        root = HSplit(
            [
                Window(_control(self._title), height=1, style="class:title"),
                VSplit(
                    [
                        Window(_control(self._source), height=Dimension(min=3)),
                        ConditionalContainer(
                            VSplit([Window(width=1, char="│", style="class:number"), right_side]),
                            filter=is_wide,
                        ),
                    ]
                ),
                ConditionalContainer(short_stack, filter=~is_wide),
                ConditionalContainer(board, filter=is_wide & has_board),
                Window(height=1, char="─", style="class:number"),
                Window(
                    _control(self._messages),
                    height=Dimension(min=1, max=_MAX_SHOWN_MESSAGES),
                    wrap_lines=True,
                ),
                prompt,
                Window(_control(lambda: [("class:number", _HINTS)]), height=1),
            ]
        )
        return Layout(root, focused_element=prompt)

    # --- contents of the windows ---------------------------------------------------------

    @property
    def state(self) -> State:
        """The state in which the session has stopped."""
        return self.session.state

    def _title(self) -> Fragments:
        status = "running" if self.busy else stop_lines(self.state)[0]
        return [("", f" {self.session.target.label}: {status}")]

    def _source(self) -> Fragments:
        location = self.state.location
        if location is None:
            inside = f" in {self.state.word}" if self.state.word else ""
            return [("", f"{self.state.token}{inside}\n" if self.state.token else "no source\n")]
        lines = self._lines_of(location.file)
        rows = max(self.app.output.get_size().rows // 2, 5)
        first_line = max(location.line - rows // 2 + self._scrolled_lines, 1)
        digits = len(str(len(lines)))
        shown: Fragments = []
        for number in range(first_line, min(first_line + rows, len(lines)) + 1):
            shown.append(("class:number", f"{number:>{digits}} "))
            shown += _marked(lines[number - 1], location if number == location.line else None)
        return shown

    def _lines_of(self, file: str) -> list[str]:
        lines = self._sources.get(file)
        if lines is None:
            lines = self._sources[file] = self.session.code.file_named(file).lines
        return lines

    def _stack(self) -> Fragments:
        return _without_style(stack_lines(self.state))

    def _callers(self) -> Fragments:
        return _without_style(caller_lines(self.state, show_files=False))

    def _watched(self) -> Fragments:
        changed = {change.number for change in self.state.changes}
        shown: Fragments = []
        for watch in self.state.watched:
            style = "class:token" if watch.number in changed else ""
            shown += [(style, f"{watch.name} = {watch.value}"), ("", "\n")]
        return shown or [("class:number", "no watchpoint; set one with watch NAME")]

    def _board(self) -> Fragments:
        return [("", self._board_text)]

    def _draw_board(self) -> None:
        """Draw the current board, and below it a line about the move generation."""
        board = self.session.board()
        if board is None:
            return
        generation = self.state.generation_state
        line = ""
        if generation is not None:
            line = (
                f"{generation.player}: {generation.piece} "
                f"from {generation.origin}, here {generation.here}"
            )
        style = TextStyle(width=max(self._columns(), 20))
        self._board_text = f"{board_text(board, style)}\n{line}"

    def _messages(self) -> Fragments:
        shown: Fragments = []
        for style, text in self.messages[-_MAX_SHOWN_MESSAGES:]:
            shown += [(style, text), ("", "\n")]
        return shown[:-1] or [("class:number", "help lists the commands")]


def _control(text: Callable[[], Fragments]) -> FormattedTextControl:
    """Return a control that shows the result of `text`, with control characters as escapes."""

    def shown() -> Fragments:
        return [(style, visible_lines(part)) for style, part, *_ in text()]

    return FormattedTextControl(shown, show_cursor=False)


def _with_title(title: str, text: Callable[[], Fragments], *, height: Dimension) -> list[Window]:
    """Return a window with the title, and below it a window with the text."""
    title_window = Window(_control(lambda: [("class:head", title)]), height=1)
    return [title_window, Window(_control(text), height=height)]


def _without_style(lines: Sequence[str]) -> Fragments:
    return [("", "\n".join(lines))]


def _marked(line: str, location: Location | None) -> Fragments:
    """Return a source line; if it is the line of `location`, with the token marked."""
    if location is None:
        return [("", f"{line.expandtabs(4)}\n")]
    start = location.column - 1
    end = start + location.length
    return [
        ("class:line", line[:start].expandtabs(4)),
        ("class:token", line[start:end]),
        ("class:line", line[end:].expandtabs(4)),
        ("", "\n"),
    ]

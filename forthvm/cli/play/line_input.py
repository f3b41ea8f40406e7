"""Reads a line from the user, on a terminal with editing and completion.

The caller passes the completions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from forthvm.core.text.visible import visible, visible_lines

__all__ = ["Reader", "make_reader"]


class Reader:
    """Reads lines from standard input without editing or completion."""

    def ask(self, prompt: str, completions: Sequence[str] = ()) -> str:
        """Prints the prompt and returns one line, without its line end.

        Raises:
            EOFError: there is no more input.
            KeyboardInterrupt: Ctrl-C.
        """
        print(prompt, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.strip()


class _PromptReader(Reader):
    """Reads with prompt_toolkit: history, editing and completion."""

    def __init__(self) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import InMemoryHistory
        from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

        keys = KeyBindings()

        @keys.add("c-c")
        def discard_line(event: KeyPressEvent) -> None:
            """Ctrl-C discards the line; on an empty line it raises KeyboardInterrupt."""
            if event.current_buffer.text:
                event.current_buffer.reset()
            else:
                event.app.exit(exception=KeyboardInterrupt, style="class:aborting")

        self._session: Any = PromptSession(history=InMemoryHistory(), key_bindings=keys)

    def ask(self, prompt: str, completions: Sequence[str] = ()) -> str:
        """Reads one line; completions are shown while the user types."""
        from prompt_toolkit.completion import WordCompleter

        unique = list(dict.fromkeys(completion for completion in completions if completion))
        # Whole lines are completed, since moves contain blanks.
        completer = WordCompleter(
            unique,
            ignore_case=True,
            sentence=True,
            match_middle=True,
            display_dict={completion: visible(completion) for completion in unique},
        )
        line: str = self._session.prompt(
            visible_lines(prompt),
            completer=completer,
            complete_while_typing=True,
            reserve_space_for_menu=6,
        )
        return line.strip()


def make_reader(*, at_terminal: bool) -> Reader:
    """Returns a reader of standard input, with editing and completion if `at_terminal`."""
    if not at_terminal:
        return Reader()
    make: Callable[[], Reader] = _PromptReader
    try:
        return make()
    except ImportError:  # prompt_toolkit is not installed
        return Reader()

"""Requests that run Forth, or read about it: evaluate and completions.

Owns the texts of results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.words.info import describe, matching_names
from forthvm.debug.session.cell_text import cell_text

from .arguments import RequestError
from .client_format import utf16_length, utf16_start
from .scopes import variable_item
from .stack_names import stack_names

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from forthvm.core.words.info import WordInfo

    from .arguments import Arguments
    from .client_format import ClientFormat
    from .debuggee import Debuggee
    from .inspection import Inspection
    from .messages import Json

__all__ = ["Evaluation"]

_MAX_COMPLETIONS = 200
_KINDS = {"variable": "variable", "kernel word": "keyword", "word": "function"}


class Evaluation:
    """Answers requests about Forth."""

    def __init__(
        self, debuggee: Debuggee, inspection: Inspection, client_format: ClientFormat
    ) -> None:
        self._debuggee = debuggee
        self._inspection = inspection
        self._format = client_format
        self.handlers: dict[str, Callable[[Arguments], Json | None]] = {
            "evaluate": self._evaluate,
            "completions": self._completions,
        }

    def _evaluate(self, arguments: Arguments) -> Json:
        """Show a word for hovering, a value for watching, and the result of Forth otherwise."""
        text = arguments.text("expression").strip()
        context = arguments.text("context", "repl")
        if not text:
            raise RequestError("there is nothing to evaluate")
        if context in ("hover", "watch", "variables"):
            self._debuggee.check_stopped()
            item = self._named(text)
            if item is not None:
                return item
            if context == "hover":
                return self._hover(text)
        results, printed = self._debuggee.evaluate(text)
        is_hex = arguments.object("format").flag("hex")
        values = " ".join(map(hex, results)) if is_hex else self._texts(results)
        if printed and values and not printed.endswith(("\n", " ")):
            printed += " "
        return {"result": printed + values or "no result", "variablesReference": 0}

    def _texts(self, values: Sequence[int], name: str = "") -> str:
        session = self._debuggee.session
        vm = session.target.vm
        return session.call(lambda: " ".join(cell_text(vm, value, name) for value in values))

    def _named(self, text: str) -> Json | None:
        """Return the value of an item on the stack or of a variable; None if there is none."""
        session = self._debuggee.stopped_session
        names = stack_names(session, session.state)
        for name, value in zip(names, session.state.stack, strict=True):
            if name == text:
                return {"result": self._texts([value], name), "variablesReference": 0}
        variables = self._debuggee.variables
        variable = variables.find(text)
        if variable is None:
            return None
        body = self._inspection.variable(variable_item(variables, variable))
        return {"result": body.pop("value")} | body

    def _hover(self, text: str) -> Json:
        """Describe a word, without running it; a text of several words is run.

        Raises:
            RequestError: The text is no word.
        """
        if len(text.split()) > 1:
            results, printed = self._debuggee.evaluate(text)
            return {"result": printed + self._texts(results), "variablesReference": 0}
        info = self._describe(text)
        if info is None:
            raise RequestError(f"{text} is not defined")
        number = info.kind.removeprefix("constant ")
        if number != info.kind:
            return {"result": number, "variablesReference": 0, "type": "constant"}
        parts = [info.name, info.effect, info.text and f"\\ {info.text}"]
        result = " ".join(filter(None, parts))
        return {"result": result, "variablesReference": 0, "type": info.kind}

    def _describe(self, name: str) -> WordInfo | None:
        session = self._debuggee.stopped_session
        vm = session.target.vm

        def read() -> WordInfo | None:
            xt = vm.find(name)
            return describe(vm, name, xt) if xt is not None else None

        return session.call(read)

    def _completions(self, arguments: Arguments) -> Json:
        """Return the words that begin with, or contain, the word before the cursor."""
        number = self._format.line_from(arguments.integer("line", self._format.line(1)))
        line = arguments.text("text").split("\n")[max(number - 1, 0) :][:1]
        column = self._format.column_from(arguments.integer("column"))
        before = utf16_start((line or [""])[0], max(column - 1, 0))
        if not before or before[-1].isspace():
            return {"targets": []}
        typed = before.split()[-1]
        session = self._debuggee.session
        vm = session.target.vm

        def read() -> list[Json]:
            words = tuple(sorted(set(vm.words()), key=str.lower))
            names = matching_names(words, typed, _MAX_COMPLETIONS)
            return [self._target(describe(vm, name, vm.token(name))) for name in names]

        length = utf16_length(typed)
        span = {"start": self._format.column(utf16_length(before) - length + 1), "length": length}
        return {"targets": [target | span for target in session.call(read)]}

    @staticmethod
    def _target(info: WordInfo) -> Json:
        target: Json = {"label": info.name, "text": info.name}
        target["type"] = _KINDS.get(info.kind, "value")
        detail = " ".join(filter(None, [info.effect, info.text]))
        return target | {"detail": detail} if detail else target

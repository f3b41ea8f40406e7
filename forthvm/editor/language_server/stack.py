"""The stack after each word of a definition, with the names from stack comments.

Owns a simulation of the text, which also works for a definition that is being typed.  The checks
analyse compiled code instead; tests compare the results of both.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from forthvm.check.text.comments import read_comment
from forthvm.syntax import Kind
from forthvm.syntax.tokens import STRINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from forthvm.syntax import Token

__all__ = ["Step", "Steps", "comment_of", "local_effects", "shown_stack", "simulate"]

Stack = tuple[str, ...]
#: A stack; None if it is unknown; a string for text that is not reached.
_State = Stack | str | None
_UNREACHED = "unreached"

#: Words whose results are their arguments, so that these keep their names.
_SHUFFLES = frozenset(
    ["DUP", "DROP", "SWAP", "OVER", "ROT", "-ROT", "NIP", "TUCK", "2DUP", "2DROP", "2SWAP", "2OVER"]
)
_ENDS_PATH = frozenset({"EXIT", "ABORT", "QUIT"})
_MAX_NAME = 24
_NUMBER = re.compile(r"[+-]?\d+\Z")
_BODY = re.compile("addr|pfa|body")
"""In the name of an argument: it is the address of the body of the word."""
_IGNORED = frozenset({"LEAVE", "IMMEDIATE"})
_DIRECTION = "'dir"
"""The usual name of the xt of a direction, a word that leaves a flag."""
_INDICES = {"I": "i", "J": "j", "K": "k"}


class Step(NamedTuple):
    """A word of a definition, and the stack after it; None if the stack is not known."""

    token: Token
    stack: Stack | None


class Steps(NamedTuple):
    """A definition: its name, the steps of its words, and whether it has a `;`."""

    name: str
    steps: list[Step]
    complete: bool


def shown_stack(stack: Stack) -> str:
    """Return a stack as text, the top last."""
    return " ".join(["(", *stack, ")"])


def comment_of(tokens: Sequence[Token], index: int) -> str:
    """Return the stack comment after the name `tokens[index]`, `( before -- after )`; or ""."""
    for token in tokens[index + 1 : index + 3]:
        if token.kind is not Kind.COMMENT:
            break
        if token.text.startswith("(") and "--" in token.text:
            return " ".join(token.text.split())
    return ""


def local_effects(tokens: Sequence[Token]) -> dict[str, str]:
    """Return the stack comments of the definitions in a text, by name."""
    return {
        token.text: comment
        for index, token in enumerate(tokens)
        if token.kind is Kind.NAME and (comment := comment_of(tokens, index))
    }


def simulate(tokens: Sequence[Token], effect: Callable[[str], str]) -> Iterator[Steps]:
    """Yield every colon definition of a text.

    Args:
        tokens: The tokens of the text.
        effect: Returns the stack effect of a word, "" if it is unknown.
    """
    index = 0
    while index < len(tokens) - 1:
        token, name = tokens[index], tokens[index + 1]
        index += 1
        if token.text != ":" or token.kind is not Kind.DEFINING or name.kind is not Kind.NAME:
            continue
        end = index + 1
        while end < len(tokens) and tokens[end].text != ";":
            if tokens[end].kind is Kind.DEFINING and tokens[end].text == ":":
                break
            end += 1
        body = [part for part in tokens[index + 1 : end] if part.kind is not Kind.COMMENT]
        does = next((n for n in range(index + 1, end) if tokens[n].text == "DOES>"), None)
        action = comment_of(tokens, does) if does is not None else ""
        simulation = _Simulation(name.text, comment_of(tokens, index), action, effect)
        complete = end < len(tokens) and tokens[end].text == ";"
        yield Steps(name.text, simulation.run(body), complete)
        index = end


class _Simulation:
    """The state of the simulation of one definition."""

    def __init__(self, name: str, comment: str, action: str, effect: Callable[[str], str]) -> None:
        self._name = name
        self._comment = comment
        self._action = action  # the comment after DOES>
        self._effect = effect
        declared = read_comment(comment[1:-1]) if comment else None
        self._state: _State = declared.takes if declared and declared.counted else None
        if not comment:
            self._state = ()
        self._frames: list[tuple[str, _State]] = []
        self._returns: list[str] = []

    def run(self, body: list[Token]) -> list[Step]:
        steps: list[Step] = []
        index = 0
        while index < len(body):
            token = body[index]
            following = body[index + 1] if index + 1 < len(body) else None
            used = self._step(token, following)
            index += used
            state = self._state
            steps.append(
                Step(
                    body[min(index, len(body)) - 1],
                    state if isinstance(state, tuple) else None,
                )
            )
        return steps

    def _step(self, token: Token, following: Token | None) -> int:
        """Run a word; return the number of tokens that it consists of."""
        word = token.text
        if not token.compiling:  # between [ and ], or a text read by such a word
            return 1
        if word in STRINGS and following is not None and following.kind is Kind.STRING:
            self._string(word)
            return 2
        if following is not None and following.kind is Kind.QUOTED:
            self._quoting(word, following.text)
            return 2
        if word == "COMPILE":
            return 2
        handler = _HANDLERS.get(word)
        if handler is not None:
            handler(self, word)
        elif _NUMBER.match(word):
            self._push(word)
        else:
            self._call(word)
        return 1

    # --- the stack -------------------------------------------------------------------

    def _push(self, *names: str) -> None:
        if isinstance(self._state, tuple):
            self._state += names

    def _pop(self, count: int) -> Stack:
        """Pop cells; the stack becomes unknown if it has fewer."""
        state = self._state
        if not isinstance(state, tuple):
            return ()
        if count > len(state):
            self._state = None
            return ()
        cut = len(state) - count
        self._state = state[:cut]
        return state[cut:]

    # --- words -----------------------------------------------------------------------

    def _string(self, word: str) -> None:
        if word == 'S"':
            self._push("addr")
        elif word == 'ABORT"':
            self._pop(1)

    def _quoting(self, word: str, name: str) -> None:
        if word in ("'", "[']"):
            self._push(f"'{name}"[:_MAX_NAME])
        elif word == "ASCII":
            self._push(f"'{name[:1]}'")
        elif word == "IS":
            self._pop(1)
        else:
            self._state = None

    def _call(self, word: str) -> None:
        text = self._comment if word in ("RECURSE", self._name) else self._effect(word)
        declared = read_comment(text.strip()[1:-1]) if text else None
        if declared is None or not declared.counted:
            if self._state != _UNREACHED:
                self._state = None
            return
        counts = {len(names) for names in declared.leaves}
        if len(counts) != 1:
            if self._state != _UNREACHED:
                self._state = None
            return
        arguments = self._pop(len(declared.takes))
        leaves = declared.leaves[0]
        if word in _SHUFFLES and arguments:
            by_name = dict(zip(declared.takes, arguments, strict=True))
            leaves = tuple(by_name.get(name, name) for name in leaves)
        elif not declared.takes and len(leaves) == 1:
            leaves = (word[:_MAX_NAME],)  # a constant, a variable, a question
        self._push(*leaves)

    def _execute(self, _: str) -> None:
        """Run the word whose name is known from `[']`; or a direction, by its usual name."""
        name = "".join(self._pop(1))
        if name.startswith(_DIRECTION):
            self._push("?")
        elif name.startswith("'") and self._effect(name[1:]):
            self._call(name[1:])
        elif self._state != _UNREACHED:
            self._state = None

    def _leave_path(self, _: str) -> None:
        self._state = _UNREACHED

    def _ignore(self, _: str) -> None:
        pass

    def _index(self, word: str) -> None:
        self._push(_INDICES[word])

    def _literal(self, _: str) -> None:
        self._push("n")

    def _does(self, _: str) -> None:
        """Begin the action of the new word with its arguments, and the address of its body on top.

        The comment may describe the action, `( n addr -- n )`, or the new word, `( n -- n )`.
        """
        declared = read_comment(self._action[1:-1]) if self._action else None
        takes = declared.takes if declared else ()
        has_body = bool(takes) and _BODY.search(takes[-1]) is not None
        is_known = declared is None or declared.counted
        self._state = (takes if has_body else (*takes, "addr")) if is_known else None

    def _to_return(self, _: str) -> None:
        self._returns += self._pop(1)

    def _from_return(self, word: str) -> None:
        name = self._returns[-1] if self._returns else "x"
        if word == "R>" and self._returns:
            self._returns.pop()
        self._push(name)

    # --- control structures ----------------------------------------------------------

    def _if(self, _: str) -> None:
        self._pop(1)
        self._frames.append(("IF", self._state))

    def _else(self, _: str) -> None:
        opener, before = self._close()
        if opener == "IF":
            self._frames.append(("ELSE", self._state))
            self._state = before

    def _endif(self, _: str) -> None:
        _, other = self._close()
        self._state = _join(other, self._state)

    def _begin(self, word: str) -> None:
        if word == "DO":
            self._pop(2)
        self._frames.append((word, self._state))

    def _until(self, _: str) -> None:
        self._pop(1)
        self._close()

    def _while(self, _: str) -> None:
        self._pop(1)
        self._frames.append(("WHILE", self._state))

    def _repeat(self, _: str) -> None:
        _, self._state = self._close()
        self._close()

    def _loop(self, word: str) -> None:
        if word == "+LOOP":
            self._pop(1)
        self._close()

    def _close(self) -> tuple[str, _State]:
        """Close the innermost structure; a stray closing word makes the stack unknown."""
        if self._frames:
            return self._frames.pop()
        self._state = None
        return "", None


def _join(one: _State, other: _State) -> _State:
    """Return the stack where two paths meet."""
    if one == _UNREACHED:
        return other
    if other == _UNREACHED:
        return one
    if not isinstance(one, tuple) or not isinstance(other, tuple) or len(one) != len(other):
        return None
    return tuple(a if a == b else f"{a}|{b}"[:_MAX_NAME] for a, b in zip(one, other, strict=True))


_HANDLERS: dict[str, Callable[[_Simulation, str], None]] = {
    **dict.fromkeys(_ENDS_PATH, _Simulation._leave_path),
    **dict.fromkeys(_IGNORED, _Simulation._ignore),
    **dict.fromkeys(_INDICES, _Simulation._index),
    "EXECUTE": _Simulation._execute,
    "LITERAL": _Simulation._literal,
    "DOES>": _Simulation._does,
    ">R": _Simulation._to_return,
    "R>": _Simulation._from_return,
    "R@": _Simulation._from_return,
    "R": _Simulation._from_return,
    "IF": _Simulation._if,
    "ELSE": _Simulation._else,
    "ENDIF": _Simulation._endif,
    "THEN": _Simulation._endif,
    "BEGIN": _Simulation._begin,
    "DO": _Simulation._begin,
    "UNTIL": _Simulation._until,
    "WHILE": _Simulation._while,
    "REPEAT": _Simulation._repeat,
    "LOOP": _Simulation._loop,
    "+LOOP": _Simulation._loop,
}

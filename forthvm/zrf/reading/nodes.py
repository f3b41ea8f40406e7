"""The nodes of a rule file as written, before macros are expanded.

Owns names, strings and lists with their places, and the parser that makes them from text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from forthvm.zrf.source import RuleFileError

if TYPE_CHECKING:
    from forthvm.zrf.reading.text import RuleText
    from forthvm.zrf.source import Place

__all__ = ["MAX_NESTING", "Atom", "ListNode", "Node", "parse_nodes"]

#: Lists inside lists in a source text; real files have about 20.
MAX_NESTING = 150
_SHOWN_CHARACTERS = 60
_TOP_KEYWORDS = ("define", "game", "include", "variant")

_TOKEN = re.compile(
    r"""[\s\x00]+ | ;[^\n]* | (?P<open>\() | (?P<close>\)) | (?P<string>"[^"]*")
    | (?P<name>[^\s\x00();"]+) | (?P<quote>")""",
    re.VERBOSE,
)
_AFTER_STRING = re.compile(r"[\s\x00();]|$")
_PARAMETER = re.compile(r"\$([1-9][0-9]{0,3})")


class Node:
    """An atom or a list as written in a file.

    Attributes:
        source: The text that contains it.
        offset: Where it begins in the text.
    """

    __slots__ = ("_place", "offset", "source")

    def __init__(self, source: RuleText, offset: int) -> None:
        self.source = source
        self.offset = offset
        self._place: Place | None = None

    @property
    def place(self) -> Place:
        """The place of its first character."""
        if self._place is None:
            self._place = self.source.place(self.offset)
        return self._place

    @property
    def length(self) -> int:
        """The number of characters to underline in a message."""
        return 1

    @property
    def shown(self) -> str:
        """The node as written, shortened."""
        text = self.source.text[self.offset : self.offset + _SHOWN_CHARACTERS]
        return " ".join(text.split())


class Atom(Node):
    """A name, a number or a string.

    Attributes:
        text: The characters; for a string, those between the quotation marks.
        quoted: Whether it is a string.
        pieces: The text split at its parameters, which are numbers; empty without parameters.
    """

    __slots__ = ("pieces", "quoted", "text")

    def __init__(self, source: RuleText, offset: int, text: str, *, quoted: bool) -> None:
        super().__init__(source, offset)
        self.text: Final = text
        self.quoted: Final = quoted
        self.pieces: Final[tuple[str | int, ...]] = _pieces(text) if "$" in text else ()

    @property
    def length(self) -> int:
        """The number of characters to underline in a message."""
        return max(len(self.text.partition("\n")[0]) + 2 * self.quoted, 1)


class ListNode(Node):
    """A list: its items between parentheses."""

    __slots__ = ("items",)

    def __init__(self, source: RuleText, offset: int) -> None:
        super().__init__(source, offset)
        self.items: list[Atom | ListNode] = []

    @property
    def shown(self) -> str:
        """The list as written if it is simple, else `(…)`."""
        text = super().shown
        end = text.find(")") + 1
        return text[:end] if end and "(" not in text[1:end] else "(…)"

    @property
    def head(self) -> Atom | None:
        """The first item if it is a name."""
        first = self.items[0] if self.items else None
        return first if isinstance(first, Atom) and not first.quoted else None


def _pieces(text: str) -> tuple[str | int, ...]:
    """Split a text at its parameters; () if there are none."""
    pieces: list[str | int] = []
    for index, piece in enumerate(_PARAMETER.split(text)):
        if index % 2:
            pieces.append(int(piece))
        elif piece:
            pieces.append(piece)
    return () if pieces == [text] else tuple(pieces)


def parse_nodes(source: RuleText) -> list[Atom | ListNode]:
    """Return the nodes on the top level of a text.

    Raises:
        RuleFileError: Parentheses or quotation marks are not balanced, or nested too deep.
    """
    top: list[Atom | ListNode] = []
    items = top
    open_lists: list[ListNode] = []
    for match in _TOKEN.finditer(source.text):
        kind = match.lastgroup
        if kind == "name":
            items.append(Atom(source, match.start(), match[0], quoted=False))
        elif kind == "open":
            node = ListNode(source, match.start())
            items.append(node)
            open_lists.append(node)
            items = node.items
            if len(open_lists) > MAX_NESTING:
                raise _broken(node, f"more than {MAX_NESTING} lists inside each other")
        elif kind == "close" and open_lists:
            open_lists.pop()
            items = open_lists[-1].items if open_lists else top
        elif kind == "string":
            items.append(Atom(source, match.start(), match[0][1:-1], quoted=True))
        elif kind is not None:
            raise _stray(Node(source, match.start()), kind, top)
    if open_lists:
        raise _not_closed(open_lists)
    return top


def _stray(node: Node, kind: str, top: list[Atom | ListNode]) -> RuleFileError:
    if kind == "close":
        hints = ["remove it, or add a `(` before", *_open_string_hint(node.source)]
        last = next((item for item in reversed(top) if isinstance(item, ListNode)), None)
        if last is not None:
            hints.append(
                f"the list that begins in line {last.place.line} ended before it, perhaps too early"
            )
        return _broken(node, "`)` without a list to close", *hints)
    open_string = _open_string(node.source) or node
    return _broken(open_string, "the string that begins here has no end", 'add a `"`')


def _open_string(source: RuleText) -> Node | None:
    """Return the first string that ends where another one seems to begin; it may lack its end."""
    for match in _TOKEN.finditer(source.text):
        if match.lastgroup == "string" and _AFTER_STRING.match(source.text, match.end()) is None:
            return Node(source, match.start())
    return None


def _open_string_hint(source: RuleText) -> list[str]:
    string = _open_string(source)
    line = string.place.line if string is not None else 0
    return [f'the string that begins in line {line} may lack its `"`'] if line else []


def _not_closed(open_lists: list[ListNode]) -> RuleFileError:
    """Return an error about lists that are open at the end of the text, the innermost last."""
    hints = ["add the missing `)`", *_open_string_hint(open_lists[0].source)]
    inner = _top_form_inside(open_lists[0])
    if inner is not None and inner.head is not None:
        hints.append(f"it may be missing before `({inner.head.text}` in line {inner.place.line}")
    elif len(open_lists) > 1:
        hints.append(f"the innermost open list begins in line {open_lists[-1].place.line}")
    return _broken(open_lists[0], "the list that begins here is not closed", *hints)


def _top_form_inside(node: ListNode) -> ListNode | None:
    """Return the first inner list that looks like one of the top level: keyword and column."""
    waiting: list[Atom | ListNode] = list(reversed(node.items))
    while waiting:
        item = waiting.pop()
        if isinstance(item, ListNode):
            head = item.head
            if head is not None and head.text in _TOP_KEYWORDS and item.place.column == 1:
                return item
            waiting += reversed(item.items)
    return None


def _broken(node: Node, message: str, *hints: str) -> RuleFileError:
    return RuleFileError(message, location=node.source.location(node.place), hints=hints)

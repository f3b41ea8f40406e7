"""Source texts: reading script files, and resolving source positions to file, line and column.

This file owns the conditions for a readable script, and the table of loaded texts.  files.py opens
files.  The code that registers a text supplies its source position.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from forthvm.core.location import Location
from forthvm.core.record import Record
from forthvm.system.files import failure_reason

from .files import read_file, shown_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from .files import Roots

__all__ = [
    "MAX_SCRIPT_BYTES",
    "MacroCall",
    "Original",
    "SourceTable",
    "Text",
    "decode_text",
    "file_digest",
    "guess_encoding",
    "has_digest",
    "line_number",
    "normalise",
    "read_script",
    "require_content",
]

#: Bytes of one source file.  The largest script known has some 200 kB.
MAX_SCRIPT_BYTES = 4 * 1024 * 1024

_BLANKS = b" \t\r\n\v\f"
_BOM = b"\xef\xbb\xbf"
_END_OF_FILE = b"\x1a"  # the end of a file in text mode; old editors wrote it
_NOT_ASCII = bytes(range(0x80, 0x100))
_HIGH_LETTERS = 0xC0  # the first Russian letter in Windows-1251


class MacroCall(Record):
    """A call of a macro in the files from which a text was compiled.

    Attributes:
        macro: The name of the macro.
        file: The name of the file that contains the call.
        at: The line and column of the call.
        inside: The line and column in the macro from which the code comes.
    """

    macro: str
    file: str
    at: tuple[int, int]
    inside: tuple[int, int]


class Original(Protocol):
    """The files in another language from which a text was compiled."""

    @property
    def sources(self) -> Mapping[str, str]:
        """The texts of the files by their names in messages, the main file first."""

    @property
    def paths(self) -> Mapping[str, Path]:
        """The paths of the files by their names in messages."""

    def locate(self, offset: int) -> Location | None:
        """Return the location in the files of an offset in the text; None if it has none."""

    def locate_section(self, offset: int) -> Location:
        """Return the location of the section from which the text at an offset was compiled."""

    def macro_calls(self, offset: int) -> Sequence[MacroCall]:
        """Return the macro calls that led to an offset in the text, innermost first."""


class Text(Record):
    """A text as it was passed to the VM.

    Attributes:
        name: The name in messages.
        data: The bytes, with LF line ends, without byte order mark.
        base: Source position of the first byte.
        encoding: The encoding of the bytes.
        path: The file from which the text was read, None for a string.
        load_position: Source position of the LOAD that requested the text, 0 if the host did.
        library: Whether the text is part of the library.
        original: The files from which the text was compiled; None if it was not compiled.
    """

    name: str
    data: bytes
    base: int
    encoding: str = "utf-8"
    path: Path | None = None
    load_position: int = 0
    library: bool = False
    original: Original | None = None

    def decode(self, data: bytes) -> str:
        """Decode a part of the text; never fails."""
        return data.decode(self.encoding, errors="replace")

    def locate(self, offset: int) -> Location:
        """Return file, line and column of an offset."""
        data = self.data
        if offset == len(data):  # the end: point at the last character that is not blank
            offset = max(len(data.rstrip(_BLANKS)) - 1, 0)
        if self.original is not None:
            return self.original.locate(offset) or self.original.locate_section(offset)
        number = line_number(data, offset)
        start = _line_starts(data)[number - 1]
        line = _line(data, number, self.encoding)
        plain = line.isascii()  # one byte per character: no need to decode long lines
        return Location(
            file=self.name,
            line=number,
            column=(offset - start if plain else len(self.decode(data[start:offset]))) + 1,
            text=line,
            length=max(len(self.decode(_token(data, offset))), 1),
        )


@lru_cache(maxsize=64)
def _line_starts(data: bytes) -> list[int]:
    """Return the offsets at which the lines of a text begin."""
    starts = [0]
    while end := data.find(b"\n", starts[-1]) + 1:
        starts.append(end)
    return starts


def line_number(data: bytes, offset: int) -> int:
    """Return the number, from 1, of the line that contains an offset."""
    return bisect_right(_line_starts(data), offset)


@lru_cache(maxsize=64)
def _line(data: bytes, number: int, encoding: str) -> str:
    """Return a line without its end; cached, since many locations share a line."""
    starts = _line_starts(data)
    end = starts[number] - 1 if number < len(starts) else len(data)
    return data[starts[number - 1] : end].rstrip(b"\r").decode(encoding, errors="replace")


class SourceTable:
    """All texts of one VM, by source position."""

    def __init__(self) -> None:
        self.texts: list[Text] = []

    def add(self, text: Text) -> None:
        """Add a text; its positions are greater than those of all earlier texts."""
        self.texts.append(text)

    @contextmanager
    def temporarily(self, text: Text) -> Iterator[None]:
        """Have a text in the table for a block, which may add others; then remove all of them.

        The positions of the text were reserved earlier, so later texts may have greater ones.
        """
        before = list(self.texts)
        insort(self.texts, text, key=lambda text: text.base)
        try:
            yield
        finally:
            self.texts[:] = before

    def text_at(self, position: int) -> Text | None:
        """Return the text that contains a position or ends there; None if unknown."""
        index = bisect_right(self.texts, position, key=lambda text: text.base) - 1
        if position <= 0 or index < 0:
            return None
        text = self.texts[index]
        return text if position - text.base <= len(text.data) else None

    def locate(self, position: int) -> Location | None:
        """Return file, line and column of a position; None if unknown."""
        text = self.text_at(position)
        return text.locate(position - text.base) if text is not None else None

    def loads(self, position: int) -> tuple[Location, ...]:
        """Return the locations of the LOADs that led to the text of a position, innermost first."""
        chain: list[Location] = []
        text = self.text_at(position)
        while text is not None and text.load_position:
            location = self.locate(text.load_position)
            if location is not None:
                chain.append(location)
            text = self.text_at(text.load_position)
        return tuple(chain)

    def token_before(self, position: int) -> bytes:
        """Return the token before the token at a position; empty if there is none."""
        text = self.text_at(position)
        words = text.data[: position - text.base].rsplit(None, 1) if text is not None else []
        return words[-1] if words else b""

    def find_load(self, text: Text, name: bytes, start: int = 0) -> int:
        """Find `LOAD name` in a text from an offset on; return its source position, 0 if absent."""
        offset = start
        while True:
            offset = text.data.find(name, offset)
            if offset < 0:
                return 0
            before_name = text.data[:offset]
            up_to_load = before_name.rstrip(_BLANKS)
            next_byte = text.data[offset + len(name) : offset + len(name) + 1]
            if (
                len(up_to_load) < len(before_name)
                and up_to_load.endswith(b"LOAD")
                and _is_blank(up_to_load[-5:-4])
                and _is_blank(next_byte)
            ):
                return text.base + len(up_to_load) - 4
            offset += 1


def _is_blank(data: bytes) -> bool:
    """Return whether bytes are blanks; no bytes, at the start or end of a text, count as blank."""
    return not data.strip(_BLANKS)


def _token(data: bytes, start: int) -> bytes:
    """Return the token that begins at an offset."""
    end = start
    while end < len(data) and data[end] not in _BLANKS:
        end += 1
    return data[start:end]


# --- reading -----------------------------------------------------------------------


def read_script(
    path: Path, roots: Roots | None = None, *, padded: bool = False
) -> tuple[bytes, str]:
    """Read a script; return its normalised bytes, and its encoding.

    Args:
        path: The file.
        roots: Folders below which the file must lie; None if the user named the file.
        padded: Whether zero bytes at the end, to which old programs filled up files, are dropped.

    Raises:
        ScriptFileError: The file is not a readable script; the subclass depends on the reason.
    """
    data = _read(path, roots)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        from forthvm.core.errors import ScriptNotText

        raise ScriptNotText(
            f"not a script: {shown_name(path)} is in UTF-16",
            path=str(path),
            hints=["save it as UTF-8 (or Windows-1251, Latin-1)"],
        )
    data = normalise(data.rstrip(b"\0") if padded else data)
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        from forthvm.core.errors import ScriptNotText

        raise ScriptNotText(
            f"not a text file: {shown_name(path)} has a zero byte in line {line}",
            path=str(path),
        )
    return data, guess_encoding(data)


def _read(path: Path, roots: Roots | None) -> bytes:
    """Return the bytes of a script file; raise a ScriptFileError if they cannot be read."""
    from forthvm.core.failure import ForthVMError

    name = shown_name(path)
    try:
        data = read_file(path, MAX_SCRIPT_BYTES + 1, roots)
    except ForthVMError:  # ScriptRefused, which is also an OSError
        raise
    except FileNotFoundError as error:
        from forthvm.core.errors import ScriptFileNotFound as NotFound

        raise NotFound(f"no such file: {name}", path=str(path), detail=path.name) from error
    except IsADirectoryError as error:
        from forthvm.core.errors import ScriptIsDirectory

        raise ScriptIsDirectory(
            f"{name} is a directory, not a script", path=str(path), hints=_scripts_in(path)
        ) from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        from forthvm.core.errors import ScriptUnreadable

        message = f"cannot read {name}: {failure_reason(error)}"
        raise ScriptUnreadable(message, path=str(path)) from error
    if len(data) > MAX_SCRIPT_BYTES:
        from forthvm.core.errors import ScriptTooLarge

        raise ScriptTooLarge(
            f"too large for a script: {name} has more than {MAX_SCRIPT_BYTES >> 20} MiB",
            path=str(path),
        )
    return data


def require_content(path: Path, data: bytes) -> None:
    """Raise ScriptEmpty if a script consists of blanks only."""
    if not data.strip(_BLANKS):
        from forthvm.core.errors import ScriptEmpty

        raise ScriptEmpty(f"{shown_name(path)} is empty", path=str(path))


def _scripts_in(folder: Path) -> list[str]:
    names = sorted(p.name for p in folder.iterdir() if p.suffix.lower() == ".4th")
    return [f"scripts in it: {', '.join(names[:5])}"] if names else []


def normalise(data: bytes) -> bytes:
    """Normalise a text: remove the BOM, drop all bytes from a byte 1A on, replace CRLF by LF.

    Columns do not change, since a CR directly before an LF is part of the line end.
    """
    data = data.removeprefix(_BOM)
    end = data.find(_END_OF_FILE)
    if end >= 0:
        data = data[:end]
    return data.replace(b"\r\n", b"\n")


def decode_text(data: bytes) -> str:
    """Return a text in an unknown encoding, for people; its last character may be cut."""
    encoding = guess_encoding(data.rstrip(_NOT_ASCII) or data)
    return data.decode("cp1252" if encoding == "latin-1" else encoding, errors="replace")


def guess_encoding(data: bytes) -> str:
    """Guess between UTF-8, Windows-1251 and Latin-1; the result is used to show names and lines.

    In Russian text, several letters above 127 follow each other; in Western text they are single.
    """
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return "utf-8"
    letters = paired = 0
    last = 0
    for byte in data:
        if byte >= _HIGH_LETTERS:
            letters += 1
            paired += last >= _HIGH_LETTERS
        last = byte
    return "cp1251" if paired * 2 > letters else "latin-1"


# --- known files ----------------------------------------------------------------------


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, which identifies the file.

    Raises:
        OSError: The file cannot be read.
    """
    import hashlib  # few commands need it

    return hashlib.sha256(path.read_bytes()).hexdigest()


def has_digest(path: Path, digest: str) -> bool:
    """Return whether a path names a script whose content has the digest."""
    try:
        is_small_file = path.is_file() and path.stat().st_size <= MAX_SCRIPT_BYTES
        return is_small_file and file_digest(path) == digest
    except (OSError, ValueError):
        return False

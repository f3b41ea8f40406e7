"""Commands that show words: words, see, code, locate, where, help.

Owns what these commands print.  Each function gets the shell and the command's argument.
"""

from __future__ import annotations

import fnmatch
from itertools import chain
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import WORD_LIST
from forthvm.core.errors import ForthVMError, UndefinedWord
from forthvm.core.errors.report import suggest
from forthvm.core.words.search import BEST, rank
from forthvm.repl import commands

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from forthvm.core.location import Location
    from forthvm.core.words.info import WordInfo
    from forthvm.repl.shell import Shell

__all__ = ["code", "help_", "locate", "see", "where", "words"]

_MIN_SOURCE_COLUMNS = 24
_KERNEL, _SESSION = "kernel", "session"

COMMAND_RULE = """\
A line is a command if its first word is the name of a command and no word with that name is in the
dictionary; all other lines are {language}.  A name with % (%{example}) is always a command."""


def _names(argument: str, usage: str) -> list[str]:
    names = argument.split()
    if not names:
        raise ForthVMError(f"WORD is missing: {usage}")
    return names


# --- words ------------------------------------------------------------------------------


def words(shell: Shell, argument: str) -> None:
    """List words, grouped by the file that defines them.

    The argument selects the words of one file (`in FILE`), the words that match a pattern, or the
    words related to a term.
    """
    parts = argument.split()
    group = ""
    if parts[:1] == ["in"]:
        if len(parts) == 1:
            raise ForthVMError(f"GROUP is missing; the groups are {', '.join(_groups(shell))}")
        group, parts = parts[1], parts[2:]
    pattern = parts[0] if parts else "*"
    groups = _groups(shell)
    if group:
        groups = {group: _words_in_group(shell, group, groups)}
    if parts and not set("*?") & set(parts[0]):
        _related_words(shell, " ".join(parts), chain(*groups.values()), group)
        return
    has_match = False
    for title, names in groups.items():
        matches = _matching(pattern, names)
        if matches:
            has_match = True
            shell.print(shell.screen.paint("title", f"{title} ({len(matches)})"))
            shell.print("\n".join(shell.screen.columned(matches)))
    if not has_match:
        raise ForthVMError(f"no word matches {pattern}" + (f" in {group}" if group else ""))


def _matching(pattern: str, names: Sequence[str]) -> list[str]:
    """Return the names that match a pattern; brackets are literal, since many names have them."""
    escaped = pattern.casefold().replace("[", "[[]")
    return [name for name in names if fnmatch.fnmatchcase(name.casefold(), escaped)]


def _related_words(shell: Shell, term: str, names: Iterable[str], group: str = "") -> None:
    """Show words related to a term, the best first, with the matching text."""
    matches = rank(term, [shell.words[name] for name in dict.fromkeys(names)])
    if not matches:
        suggestion = suggest(term, [*shell.words.names(), *shell.commands])
        raise ForthVMError(
            f"no word is related to `{term}`" + (f" in {group}" if group else ""),
            hints=[suggestion] if suggestion else [],
        )
    rows = [
        (
            f"{match.entry.name}  {match.entry.effect}".rstrip(),
            f"{match.entry.text} ({match.why})".strip(),
        )
        for match in matches[:BEST]
    ]
    shell.print("\n".join(shell.screen.table(rows)))
    others = [match.entry.name for match in matches[BEST:]]
    if others:
        shell.print("\n".join(shell.screen.wrap(f"and {', '.join(others)}")))


def _groups(shell: Shell) -> dict[str, list[str]]:
    """Return the words by the file that defined them, the newest file first."""
    groups: dict[str, list[str]] = {_SESSION: []}
    for name in shell.words.names():
        groups.setdefault(_group_of(shell.words[name]), []).append(name)
    table = shell.session.vm.sources
    order = [_SESSION, *(_group_name(text.name) for text in reversed(table.texts)), _KERNEL]
    return {title: groups[title] for title in dict.fromkeys(order) if groups.get(title)}


def _group_of(info: WordInfo) -> str:
    return _group_name(info.file) if info.file else _KERNEL


def _group_name(file: str) -> str:
    """Return the group's name: `core` for the library's core.4th, `session` for typed lines."""
    if file.startswith("<l") and file.endswith(".4th"):
        return file.removeprefix("<library>/").removesuffix(".4th")
    return _SESSION if file.startswith("<") else file


def _words_in_group(shell: Shell, group: str, groups: dict[str, list[str]]) -> list[str]:
    """Return the words of a group or of a vocabulary; a unique part of a group's name is enough."""
    if group in groups:
        return groups[group]
    containing = [title for title in groups if group in title]
    if len(containing) == 1:
        return groups[containing[0]]
    vm = shell.session.vm
    xt = vm.find(group)
    if xt is not None and vm.native.primitive(xt) == WORD_LIST:
        return sorted(_vocabulary(shell, vm.native.body(xt)))
    raise ForthVMError(f"no such group: {group}", hints=[f"the groups are {', '.join(groups)}"])


def _vocabulary(shell: Shell, word_list: int) -> Iterator[str]:
    """Yield the names in the word list at an address, without the names of the list it extends."""
    native = shell.session.vm.native
    nfa = native.read_cell(word_list)
    while nfa > word_list:
        yield native.name(nfa)
        nfa = native.previous(nfa)


# --- definitions ------------------------------------------------------------------------


def see(shell: Shell, argument: str) -> None:
    """Show the source of definitions; decompile those without source."""
    for name in _names(argument, "see WORD"):
        vm = shell.session.vm
        source = vm.source(name)
        if source is None:
            shell.print(vm.see(name))
            continue
        location = shell.words.locate(shell.words[name])
        if location is not None:
            shell.print(shell.screen.paint("dim", f"\\ {_file_and_line(location)}"))
        shell.print(shell.screen.paint("source", source))


def code(shell: Shell, argument: str) -> None:
    """Show the compiled code of words as source."""
    for name in _names(argument, "code WORD"):
        shell.print(shell.screen.paint("source", shell.session.vm.see(name)))


def locate(shell: Shell, argument: str) -> None:
    """Show the locations and lines of definitions."""
    for name in _names(argument, "locate WORD"):
        location = shell.words.locate(shell.words[name])
        if location is None:
            shell.print(f"{name} is a word of the kernel, written in C")
        else:
            shell.print(f"{name}: {_file_and_line(location)}")
            shell.print(f"  {shell.screen.paint('source', location.text.strip())}")


def where(shell: Shell, argument: str) -> None:
    """Show where words are used."""
    for name in _names(argument, "where WORD"):
        uses = shell.session.vm.uses(name)
        if not uses:
            shell.print(f"no definition uses {name}")
            continue
        shell.print(shell.screen.paint("title", f"{name} is used {_times(len(uses))}"))
        cells = [(_file_and_line(use.location), use.word) for use in uses]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        for (location, word), use in zip(cells, uses, strict=True):
            place = f"{location:{widths[0]}}  {word:{widths[1]}}"
            _print_use(shell, place, use.location.text.strip())


def _print_use(shell: Shell, place: str, source: str) -> None:
    """Print the place of a use and a shortened source line, on a narrow screen in two lines."""
    width = shell.screen.width - len(place) - 3
    if width < _MIN_SOURCE_COLUMNS:
        shell.print(place.rstrip())
        place, width = " ", shell.screen.width - 4
    shown = source if len(source) <= width else f"{source[: max(width - 1, 1)]}…"
    shell.print(f"{place}  {shell.screen.paint('source', shown)}")


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _file_and_line(location: Location) -> str:
    return f"{location.file}:{location.line}"


# --- help -------------------------------------------------------------------------------


def help_(shell: Shell, argument: str) -> None:
    """List the commands, or describe a command or word."""
    if not argument:
        _help_all(shell)
        return
    for name in argument.split():
        command = commands.find(name.removeprefix("%"))
        try:
            info = shell.words[name]
        except UndefinedWord:
            if command is None:
                _related_words(shell, name, shell.words.names())
        else:
            _help_word(shell, info)
        if command is not None:
            shell.print(f"{shell.screen.paint('title', command.name)} {command.arguments}".rstrip())
            shell.print("\n".join(f"  {line}" for line in shell.screen.wrap(command.text)))
            if len(command.aliases):
                shell.print(f"  also: {', '.join(command.aliases)}")


def _help_all(shell: Shell) -> None:
    names = {command.name: name for name, command in reversed(list(shell.commands.items()))}
    for group in commands.GROUPS:
        rows = [
            (f"  {names[command.name]} {command.arguments}".rstrip(), command.text)
            for command in commands.COMMANDS
            if command.group == group and command.name in names
        ]
        if rows:
            shell.print(shell.screen.paint("title", group))
            shell.print("\n".join(shell.screen.table(rows)))
    example = next((name for name in shell.commands if name.startswith("%")), "%moves")
    shell.print()
    language = "ForthScript" if shell.session.vm.standard is None else "standard Forth"
    rule = COMMAND_RULE.format(example=example.removeprefix("%"), language=language)
    text = " ".join(rule.split())
    shell.print("\n".join(shell.screen.wrap(text)))


def _help_word(shell: Shell, info: WordInfo) -> None:
    paint = shell.screen.paint
    effect = info.effect or "(no stack comment)"
    immediate = "  immediate" if info.immediate else ""
    shell.print(f"{paint('title', info.name)}  {effect}{immediate}")
    if info.text:
        shell.print("\n".join(f"  {line}" for line in shell.screen.wrap(info.text)))
    location = shell.words.locate(info)
    place = f", {_file_and_line(location)}" if location else ""
    shell.print(paint("dim", f"  {info.kind}{place}"))

"""`forthvm completion`: prints scripts for completing command lines of forthvm in shells.

Owns the differences between the shells.  On each TAB the scripts call this command with --ask;
forthvm/cli/candidates.py computes the candidates.
"""

from __future__ import annotations

import argparse
import re
import sys

from forthvm.cli.options import Option
from forthvm.cli.status import OK

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Prints a completion script for a shell.  TAB then completes commands, options, games, engines,
settings, players and moves.  Completing moves and settings loads the game on the command line,
for at most one second."""
EPILOG = """\
examples:
  eval "$(forthvm completion bash)"           in ~/.bashrc
  eval "$(forthvm completion zsh)"            in ~/.zshrc, after compinit
  forthvm completion fish | source            in ~/.config/fish/config.fish
"""

_BASH = r"""
_forthvm() {
    local candidate
    COMPREPLY=()
    while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(
        printf '%s\n' "${COMP_WORDBREAKS//[^=:]/}" "${COMP_LINE:0:COMP_POINT}" |
            "${COMP_WORDS[0]}" completion bash --ask 2>/dev/null)
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[=:/] ]] && compopt -o nospace
    return 0
}
complete -F _forthvm forthvm
"""
_ZSH = r"""
_forthvm() {
    local -a found open
    found=("${(@f)$(printf '%s\n' "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" |
        ${words[1]} completion zsh --ask 2>/dev/null)}")
    found=(${found:#})
    open=(${(M)found:#*[=:/]})
    found=(${found:#*[=:/]})
    (( $#found )) && compadd -U -- "${found[@]}"
    (( $#open )) && compadd -U -S '' -- "${open[@]}"
}
compdef _forthvm forthvm
"""
_FISH = r"""
function __forthvm_complete
    set -l before (commandline -opc)
    printf '%s\n' $before[2..] (commandline -ct | string trim -l -c '\'"' | string unescape) |
        $before[1] completion fish --ask 2>/dev/null
end
complete -c forthvm -f -a '(__forthvm_complete)'
"""
_SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}
# A word of a command line, with quotes.
_WORD = re.compile(r"""(?:\\.|"(?:\\.|[^"\\])*"?|'[^']*'?|[^\s"'\\])+""", re.DOTALL)
# Parts of a word: an escaped character, a text in double or single quotes, or one other character.
_PART = re.compile(r"""\\(.)|"((?:\\.|[^"\\])*)("?)|'([^']*)'?|([^"'\\])""", re.DOTALL)
# Characters that must be escaped outside quotes.
_SPECIAL = re.compile(r"([\s\\\"'$`;&|<>(){}\[\]*?#!~])")

OPTIONS = (
    Option("SHELL", choices=tuple(_SCRIPTS), help="bash, zsh, fish"),
    Option("--ask",
        help="used by the scripts: read a command line from standard input, print the candidates"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Prints the script, or the candidates."""
    if not args.ask:
        print(_SCRIPTS[args.shell].strip())
        return OK
    from forthvm.cli.candidates import candidates

    lines = sys.stdin.read().split("\n")[:-1]
    completions = _for_bash(*lines) if args.shell == "bash" else candidates(lines)
    for candidate in completions:
        print(candidate)
    return OK


def _for_bash(break_characters: str, line: str) -> list[str]:
    """Returns the candidates in the form that bash inserts.

    Bash passes the line as typed, with quotes.  If a quote is open, a candidate replaces the text
    after the quote.  Otherwise bash splits the last word at each of `break_characters`, and a
    candidate replaces the last part of the word.
    """
    from forthvm.cli.candidates import candidates

    words = _WORD.findall(line)
    if not words or (line[-1:].isspace() and not line.endswith(words[-1])):
        words.append("")
    typed, quote = _unquoted(words[-1])
    completions = candidates([*(_unquoted(word)[0] for word in words[1:-1]), typed])
    if quote == "'":
        return [candidate for candidate in completions if "'" not in candidate]
    if quote:  # within double quotes ! cannot be escaped: it expands to history
        completions = [candidate for candidate in completions if "!" not in candidate]
        return [re.sub(r'(["\\$`])', r"\\\1", candidate) for candidate in completions]
    part_start = max((typed.rfind(mark) + 1 for mark in break_characters), default=0)
    return [_SPECIAL.sub(r"\\\1", candidate[part_start:]) for candidate in completions]


def _unquoted(word: str) -> tuple[str, str]:
    r"""Returns a word without its quotes, and the quote that is open at its end.

    >>> _unquoted('"a2 - a3; b7'), _unquoted("a\\ b")
    (('a2 - a3; b7', '"'), ('a b', ''))
    >>> _unquoted(r'"a\"')  # the second quote is escaped
    ('a"', '"')
    """
    text = quote = ""
    for match in _PART.finditer(word):
        escaped, double, closing, single, plain = match.groups()
        if double is not None:
            text += re.sub(r'\\(["\\$`])', r"\1", double)
            quote = "" if closing else '"'
        elif single is not None:
            text += single
            quote = "" if len(match[0]) > 1 and match[0].endswith("'") else "'"
        else:
            text += escaped or plain or ""
    return text, quote

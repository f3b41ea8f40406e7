"""Tests that a damaged part of a script is one finding, and makes no other name unknown."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from pathlib import Path

import pytest

from forthvm.check import Finding
from forthvm.check.api import check_script
from forthvm.check.text.lexer import DEFINERS
from forthvm.check.text.structure import first_damage
from forthvm.syntax import Kind, tokenize
from tests.check.conftest import Checker
from tests.kit.files import write

ROOT = Path(__file__).resolve().parents[2]
GAMES = ("breakthrough", "draughts", "tictactoe", "thud", "ur")
GAME = """\
{board
	3 3 {grid}
board}

{directions
	-1 0 {direction} up
	0 1 {direction} right
directions}

{players
	{player} White
	{player} Black
players}

{turn-order
	{turn} White
	{turn} Black
turn-order}

: step ( 'dir -- ) EXECUTE verify empty? verify from here move add-move ;
: go-up ( -- ) ['] up step ;
: go-right ( -- ) ['] right step ;
: name ( -- ) ." a man" ;
: names ( -- ) name ." and" name ;

{moves man-moves
	{move} go-up
	{move} go-right
moves}

{pieces
	{piece} man {moves} man-moves
pieces}

{board-setup
	{setup} White man a1
	{setup} Black man c3
board-setup}

: OnEvaluate ( -- n ) c1 friend-at? a2 enemy-at? - names ;
"""


def errors(check: Checker, text: str) -> list[Finding]:
    """Return the errors of a script."""
    return list(check(text, select=["E"]).findings)


def test_the_game_itself_has_no_errors(check: Checker) -> None:
    assert errors(check, GAME) == []
    assert first_damage(GAME.encode(), len(GAME)) is None


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("board}\n\n{dir", "\n\n{dir", 1, "`{board` has no `board}` before line 5"),
        ("{board\n", "\n", 2, "`board}` is outside of a section"),
        ("directions}", "", 5, "has no `directions}` before line 10"),
        ("{players\n", "\n", 11, "`players}` is outside of a section `{players ... players}`"),
        ("{moves man-moves", "man-moves", 26, "`moves}` is outside of a section"),
        ("{move} go-up", "{move}", 27, "a name after `{move}` is missing"),
        ("White man a1", "White man", 36, "a name after `{setup}` is missing"),
        (": step ( 'dir", ": step 'dir", 20, "`)` ends no comment"),
        (": step ( 'dir -- )", ": step ( 'dir --", 20, "the comment has no `)` on its line"),
        ('." a man"', '." a man', 23, 'the text after `."` has no `"` on its line'),
        (": names", "names", 24, "`names` probably begins a definition that has no `:`"),
        ("{moves man", "]\n{moves man", 26, "`]` has no `[` before it"),
        (": name (", "] : name (", 23, "`]` has no `[` before it"),
        ("-1 0 {direction}", "-1 0 {direc\ntion}", 6, "breaks `{direction}` in two parts"),
        ("-1 0 {direction}", "-1 0 {\n\tdirection}", 6, "breaks `{direction}` in two parts"),
        ("-1 0 {direction}", "-1 0 {direction\n}", 6, "breaks `{direction}` in two parts"),
        ("{turn} White", "{turn} Wh\nite", 16, "breaks `White` in two parts"),
        ("White man a1", "Whi\n\tte man a1", 36, "breaks `White` in two parts"),
        ("White man a1", "White moves} man a1", 36, "a name after `{setup}` is missing"),
        ("{player} White", "{player} {player} White", 11, "`{player}` stands here twice"),
        ("{moves man-moves", "{moves", 26, "a name after `{moves` is missing"),
        ("{player} White", "{player} ( White", 11, "a name after `{player}` is missing"),
        ("White man a1", "White man etup} White", 36, "a name after `{setup}` is missing"),
        ("{move} go-up", "{mo ve} go-up", 27, "a blank breaks `{move}` in two parts"),
        (": names (", ": 7 (", 24, "a name after `:` is missing"),
    ],
)
def test_damage_is_one_error(check: Checker, old: str, new: str, line: int, said: str) -> None:
    assert GAME.count(old) == 1
    [finding] = errors(check, GAME.replace(old, new))
    assert finding.code == "E106"
    assert said in finding.message
    assert finding.location.line == line
    assert finding.hints


LINKED = """\
( Three wells; the middle one;
: old-word is no definition ;
  is empty at the start; )
{board 1 3 {grid} board}
{directions
	{link} out a1 b1 {link} out b1 c1
	{link} back-in c1 b1
directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
: {hand} ( -- ) ;
: say ( -- ) ." Well,
done;" ;
: go ( -- ) out verify here from move add-move ;
: return ( -- ) back-in verify from here move add-move ;
{moves man-moves {move} go {move} return moves}
{pieces {piece} man {moves} man-moves pieces}
{board-setup {setup} White man a1 board-setup}
: OnEvaluate ( -- n ) say {hand} 0 ;
"""


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("old", "new", "line", "unknown"),
    [
        ("1 3 {grid}", "3 {grid}", 4, ""),
        ("out b1 c1", "out b1 1", 6, "1"),
        ("out b1 c1", "out b1 c", 6, "c"),
        ("{setup}", "setup}", 18, "setup}"),
        ("White man", "Wxite man", 18, "Wxite"),
        ("go ( -- ) out", "go ( -- ) ou", 14, "ou"),
        ("add-move ;\n{moves", "add-move ;{moves", 15, ""),
    ],
)
def test_undamaged_parts_are_right(
    check: Checker, old: str, new: str, line: int, unknown: str
) -> None:
    assert errors(check, LINKED) == []
    [finding] = errors(check, LINKED.replace(old, new, 1))
    assert finding.location.line == line
    assert (finding.code, finding.message) == ("E101", f"unknown name `{unknown}`") or not unknown


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("old", "new", "written"),
    [
        ("add-move ;\n: go-up", "add-move ;: go-up", "; :"),
        ("add-move ;\n: go-up", "add-move ;:go-up", "; : go-up"),
        ("add-move ;\n: go-up", "add-move;: go-up", "add-move ; :"),
        ("add-move ;\n: go-up", "add-move;:go-up", "add-move ; : go-up"),
        ("name ;\n\n{moves", "name;{moves", "name ; {moves"),
        ("names ;", "names;", "names ;"),
    ],
)
def test_an_end_that_is_glued_to_the_next_definition(
    check: Checker, old: str, new: str, written: str
) -> None:
    [finding] = check(GAME.replace(old, new)).findings
    assert (finding.code, finding.hints) == ("E105", (f"write `{written}`",))


def test_a_use_after_an_end_that_is_glued_to_a_section(check: Checker) -> None:
    text = LINKED.replace("add-move ;\n{moves", "add-move ;{moves")
    [finding] = errors(check, text)
    assert (finding.code, finding.hints) == ("E105", ("write `; {moves`",))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("word", ["IF", "]", "ELSE", "ENDIF", "BEGIN", "[", "DO", "LOOP"])
def test_a_word_inserted_in_a_definition_is_at_most_one_error(check: Checker, word: str) -> None:
    for place in ("verify empty?", "from here", "['] up", "['] right"):
        assert len(errors(check, GAME.replace(place, f"{word} {place}"))) <= 1


def test_a_compiled_bracket_that_runs(check: Checker) -> None:
    text = ": prepare ( -- ) 1 ] DROP ;\nprepare\n" + GAME
    [finding] = errors(check, text)
    assert finding.message.startswith("`]` has no `[` before it")
    assert finding.location.line == 1


def test_a_comment_that_hides_the_end_of_a_section(check: Checker) -> None:
    [finding] = errors(check, GAME.replace("{turn} White\n", "{turn} White ( \n"))
    assert finding.message.startswith("the comment has no `)` on its line")


def test_a_bracket_before_a_definition(check: Checker) -> None:
    [finding] = errors(check, GAME.replace(": go-up", "( : go-up"))
    assert finding.message == "the comment has no `)` on its line and hides code"


def test_a_stray_bracket(check: Checker) -> None:
    [finding] = errors(check, GAME.replace("{direction} right", "( {direction} right"))
    assert finding.message.startswith("the comment has no `)` on its line")


def test_a_misspelled_end_between_equal_sections(check: Checker) -> None:
    moves = GAME[GAME.index("{moves") : GAME.index("{pieces")]
    text = GAME.replace(moves, moves.replace("moves}", "moevs}") + moves.replace("man-", "other-"))
    [finding] = errors(check, text)
    assert finding.message == "unknown name `moevs}`"
    assert finding.hints == ("did you mean `moves}`?",)


def test_an_end_without_its_brace(check: Checker) -> None:
    [finding] = errors(check, GAME.replace("pieces}\n\n{board", "pieces\n\n{board"))
    assert finding.message == "unknown name `pieces`"
    assert finding.location.line == 33


def test_brackets_with_a_meaning(check: Checker) -> None:
    text = "CREATE code ] DUP * EXIT [\n: six ( -- n ) [ 2 3 * ] LITERAL ;\nsix nowhere .\n"
    [finding] = errors(check, text)
    assert finding.message == "unknown name `nowhere`"


@pytest.mark.parametrize(
    "line", ["part.4th LOAD", "part.4th", "LOADD part.4th", "LOAd part.4th   \n"]
)
def test_file_names_without_load(check: Checker, tmp_path: Path, line: str) -> None:
    (tmp_path / "part.4th").write_text(": one ( -- n ) 1 ;\n: two ( -- n ) 2 ;\n")
    [finding] = errors(check, f"{line}\none two + .\n")
    assert finding.location.line == 1
    assert any("LOAD part.4th`" in hint for hint in finding.hints)


def test_file_names_after_a_stray_bracket(check: Checker, tmp_path: Path) -> None:
    for name in ("part", "other"):
        (tmp_path / f"{name}.4th").write_text(f": {name} ( -- n ) 1 ;\n")
    [finding] = errors(check, "1 . ]\nLOAD part.4th\nLOAD other.4th\npart other + .\n")
    assert finding.message.startswith("`]` has no `[` before it")


def test_a_misspelt_item_is_one_error(check: Checker) -> None:
    [finding] = errors(check, GAME.replace("0 {direction} up", "0 {direction up"))
    assert (finding.code, finding.message) == ("E101", "unknown name `{direction`")


def test_an_unknown_name_before_a_damaged_part_is_found(check: Checker) -> None:
    text = ": early ( -- ) lost ;\n" + GAME.replace("players}", "")
    found = errors(check, text)
    assert [finding.code for finding in found] == ["E101", "E106"]
    assert found[0].message == "unknown name `lost`"


def test_a_comment_without_backslash_is_one_error(check: Checker) -> None:
    [finding] = errors(check, GAME.replace("{moves", "Every man can go ahead\n{moves", 1))
    assert finding.code == "E101"
    assert finding.message == "unknown name `Every`"
    assert finding.hints == ("if the line is a comment, write `\\` and a blank before it",)


def test_load_before_load_is_one_error(check: Checker, tmp_path: Path) -> None:
    (tmp_path / "part.4th").write_text("5 CONSTANT five\n")
    [finding] = errors(check, "LOAD LOAD part.4th\nfive .\n")
    assert finding.message == "`LOAD` stands here twice"


def test_an_unknown_name_in_the_section_at_the_end_is_found(check: Checker) -> None:
    text = GAME[: GAME.index("{pieces")] + "{pieces\n\t{piece} man {moves} men-moves"
    [finding] = errors(check, text)
    assert finding.message == "unknown name `men-moves`"


def test_sections_that_end_in_another_file_are_right(check: Checker, tmp_path: Path) -> None:
    (tmp_path / "grid.4th").write_text("3 3 {grid} board}\n")
    assert errors(check, "{board LOAD grid.4th\n: first ( -- pos ) a3 ; first .\n") == []


@pytest.mark.sampled(3)
@pytest.mark.parametrize("text", ["{symmetry} {board (", ": (", ";", "{setup}", ")", '."', "("])
def test_scraps_of_text_end(check: Checker, text: str) -> None:
    check(text)
    first_damage(text.encode(), len(text))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_random_damage_to_a_word_does_not_flood(name: str, tmp_path: Path) -> None:
    text = (ROOT / f"scripts/{name}/{name}.4th").read_text()
    rng = random.Random(1)
    words = [match.span() for match in re.finditer(r"\S+", text)]
    for _ in range(25):
        start, end = rng.choice(words)
        new = rng.choice(["", text[start + 1 : end], text[start : end - 1], text[start:end] + "x"])
        path = write(tmp_path / f"{name}.4th", text[:start] + new + text[end:])
        _, found = check_script(path, steps=3_000_000)
        wrong = [finding for finding in found if finding.severity == "error"]
        assert len(wrong) <= 5, (text[start:end], new, [str(finding) for finding in wrong])


_DAMAGES = ("delete", "swap", "break", "join", "]", "[", "IF", "(", "{moves", "moves}")
_DEFINERS = {word.decode() for word in DEFINERS} | {":"}


def _damaged(rng: random.Random, text: str) -> str:
    """Return a text with a damaged or inserted word."""
    words = [token for token in tokenize(text) if token.kind not in (Kind.COMMENT, Kind.STRING)]
    start = rng.choice(words[:-1]).start
    end = start + len(text[start:].split(None, 1)[0])
    middle = rng.randrange(start, end)
    kind = rng.choice(_DAMAGES)
    if kind == "delete":
        return text[:middle] + text[middle + 1 :]
    if kind == "swap":
        return text[:middle] + text[middle : middle + 2][::-1] + text[middle + 2 :]
    if kind == "break":
        return text[:middle] + "\n" + text[middle:]
    if kind == "join":
        return text[:end] + text[end:].lstrip()
    return f"{text[:start]}{kind} {text[start:]}"


def _defined(text: str) -> set[str]:
    """Return the names after defining words."""
    words = text.split()
    return {name for word, name in pairwise(words) if word in _DEFINERS}


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_random_damage_makes_no_defined_name_unknown(name: str, tmp_path: Path) -> None:
    text = (ROOT / f"scripts/{name}/{name}.4th").read_text()
    rng = random.Random(2)
    for _ in range(25):
        damaged = _damaged(rng, text)
        path = write(tmp_path / f"{name}.4th", damaged)
        _, found = check_script(path, include=[ROOT / f"scripts/{name}"], steps=3_000_000)
        defined = _defined(text) & _defined(damaged)
        for finding in found:
            unknown = finding.message.removeprefix("unknown name `").rstrip("`")
            is_explained = any("defined" in hint or "RECURSE" in hint for hint in finding.hints)
            assert unknown not in defined or is_explained, (str(finding), finding.hints)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("5 CONSTANT", "CONSTANT"),
        ("VARIABLE", "VARIABLE"),
        ("{position}", "{position}"),
        ("{symmetry}", "{symmetry}"),
        ("0 IS", "IS"),
        (": a ( -- ) ' DROP ; a", "'"),
    ],
)
def test_errors_name_the_word_of_the_script(check: Checker, text: str, word: str) -> None:
    (found,) = [one for one in errors(check, text) if one.code == "E102"]
    assert f"`{word}`" in found.message


def test_recurse_outside_of_a_definition(check: Checker) -> None:
    assert [one.code for one in check("1 RECURSE .\n").findings] == ["W306"]
    assert not check(": f ( n -- ) 1- DUP 0> IF RECURSE ELSE DROP ENDIF ; 3 f\n").findings


def test_a_missing_blank_after_a_defining_word(check: Checker) -> None:
    [finding] = errors(check, "5 CONSTANTfive\n: ten ( -- n ) five five + ;\nten .\n")
    assert (finding.code, finding.hints) == ("E105", ("write `CONSTANT five`",))


def test_a_name_that_is_defined_later(check: Checker) -> None:
    text = ": two ( -- n ) onee 1 + ;\n: onee ( -- n ) 1 ;\ntwo .\n"
    [finding] = errors(check, text)
    assert finding.message == "unknown name `onee`"
    assert finding.hints == ("`onee` is defined later, in line 2",)


def test_a_word_that_calls_itself_by_its_name(check: Checker) -> None:
    [finding] = errors(check, ": down ( n -- ) 1- DUP 0> IF down ELSE DROP ENDIF ;\n3 down\n")
    assert finding.hints == ("in its own definition, a word is called by RECURSE",)


def test_names_of_a_file_that_is_loaded_too_late(check: Checker, tmp_path: Path) -> None:
    names = ("one", "two", "three", "four")
    text = "".join(f": {name} ( -- n ) 1 ;\n" for name in names)
    (tmp_path / "names.4th").write_text(text)
    use = ": sum ( -- n ) one two + three + four + ;\nsum .\n"
    assert errors(check, "LOAD names.4th\n" + use) == []
    [late] = errors(check, use + "LOAD names.4th\n")
    [missing] = errors(check, use)
    for finding, hint in ((late, "which is loaded later"), (missing, "which is not loaded")):
        assert finding.message == "unknown name `one`"
        assert hint in finding.hints[0]


def test_names_of_a_part_of_the_library_that_is_not_loaded(check: Checker) -> None:
    text = ": note ( -- ? ) forget-positions note-position occurrences @ 2 > ;\nnote .\n"
    [finding] = errors(check, text)
    assert "repetition.4th, which is not loaded" in finding.hints[0]
    assert errors(check, "LOAD repetition.4th\n" + text) == []


def test_a_definition_that_an_error_has_removed_is_not_unknown(check: Checker) -> None:
    text = "nothing CONSTANT one\n: two ( -- n ) one one + ;\ntwo .\n"
    [finding] = errors(check, text)
    assert finding.message == "unknown name `nothing`"

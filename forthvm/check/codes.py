"""All codes of findings: title, explanation, and two examples, with and without the finding.

The documentation and tests are generated from this table.  The letter of a code is the severity (E
error, W warning, I information), the first digit the subject: 1 loading, 2 stack effects, 3 control
flow, 4 the game, 5 names, 6 the text, 7 arrays, 8 rule files of Zillions.
"""

from __future__ import annotations

from .finding import CodeInfo
from .rule_file_codes import RULE_FILE_CODES

__all__ = ["CODES"]

# Parts of the example scripts.
BOARD = """\
{board 3 3 {grid} board}
{directions 0 1 {direction} east directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
"""
PIECES = """\
{moves man-moves {move} step moves}
{pieces {piece} Man {moves} man-moves pieces}
"""
STEP = ": step ( -- ) east verify empty? verify from here move add-move ;\n"
GAME = BOARD + STEP + PIECES
SETUP = """\
{board-setup
    {setup} White Man a1  {setup} White Man a2  {setup} White Man a3
    {setup} Black Man c1  {setup} Black Man c2  {setup} Black Man c3
board-setup}
"""
SYMMETRIES = """\
{{board 3 3 {{grid}} board}}
{{directions
    -1 1 {{direction}} ne  -1 -1 {{direction}} nw  1 1 {{direction}} se  1 -1 {{direction}} sw
directions}}
{{players {{player}} White {{player}} Black players}}
{{symmetries Black {{symmetry}} ne se  Black {{symmetry}} {second} symmetries}}
"""
TWO_MOVES = PIECES.replace("step moves}", "step {move} step-west moves}")
BOARD_WITH_WEST = BOARD.replace("directions}", "0 -1 {direction} west directions}")
MIRROR = "{symmetries Black {symmetry} east west symmetries}\n"
BOARD_WITH_VARIABLE = BOARD.replace("{grid}", "{grid} {variable} flown")


def _info(code: str, title: str, why: str, bad: str, good: str) -> CodeInfo:
    return CodeInfo(code, title, why, bad, good)


_ALL = (
    _info(
        "E101",
        "unknown name",
        "No word of that name was defined before this point. In a definition, checking continues "
        "as if the word were defined, so that all such names are reported at once. Elsewhere the "
        "script is not checked any further.",
        ": area ( a b -- n ) mul ;",
        ": area ( a b -- n ) * ;",
    ),
    _info(
        "E102",
        "the script does not load",
        "Loading stops here with this error. The definitions before the error are checked "
        "nevertheless.",
        "{directions directions}",
        "{board 3 3 {grid} board} {directions directions}",
    ),
    _info(
        "W103",
        "loading does not end",
        "Code that runs while the script loads reached the limit of steps, time or memory. The "
        "text after that code was not checked.",
        ": forever ( -- ) BEGIN FALSE UNTIL ; forever",
        ": never ( -- ) BEGIN TRUE UNTIL ; never",
    ),
    _info(
        "E105",
        "a blank is missing",
        "Names end only at blanks, so `jump;` is one name and does not end a definition. "
        "`{move}jump` is one name, too.",
        ": twice ( n -- n' ) DUP + ; : four ( n -- n' ) twice twice;",
        ": twice ( n -- n' ) DUP + ; : four ( n -- n' ) twice twice ;",
    ),
    _info(
        "E106",
        "a part without its begin or end",
        "A section, definition, comment or text lacks the word that begins or ends it, or a name; "
        "or a word stands twice or is broken. The text after it is not checked.",
        "{players {player} White\n{pieces {piece} man pieces}",
        "{players {player} White players}\n{pieces {piece} man pieces}",
    ),
    _info(
        "W201",
        "the stack comment does not match",
        "The stack effect of the word differs from its comment. One of the two is wrong.",
        ": twice ( n -- n ) DUP + + ;",
        ": twice ( n -- n ) DUP + ;",
    ),
    _info(
        "W202",
        "the depth depends on the path",
        "Some paths through the word leave more cells than others, and the comment does not list "
        "them as alternatives, as in `( n -- n TRUE | FALSE )`. Often a branch lacks a DROP.",
        ": half? ( n -- n' ) DUP 2 MOD IF ELSE DROP ENDIF ;",
        ": half? ( n -- n TRUE | FALSE ) DUP 2 MOD IF DROP FALSE ELSE TRUE ENDIF ;",
    ),
    _info(
        "W203",
        "a loop leaves a cell in every iteration",
        "The stack grows as long as the loop runs. In a move word the growth is harmless until the "
        "stack overflows, because the stack is restored after each move word.",
        ": count ( -- ) 10 BEGIN DUP 1- DUP 0= UNTIL DROP ;",
        ": count ( -- ) 10 BEGIN 1- DUP 0= UNTIL DROP ;",
    ),
    _info(
        "W204",
        "a loop takes a cell in every iteration",
        "The loop pops cells until the value of a cell ends the loop; the popped cells may belong "
        "to the caller. If they should, write the comment as `( ... -- )`.",
        ": clear ( a b c -- ) BEGIN 0= UNTIL ;",
        ": clear ( ... 0 -- ) BEGIN 0= UNTIL ;",
    ),
    _info(
        "W205",
        "a word that the host calls needs arguments",
        "Move words, hooks and engines start with an empty stack. The original did not report "
        "an error and read the memory below the stack.",
        BOARD + ": step ( pos -- ) from SWAP move add-move ;\n" + PIECES,
        GAME,
    ),
    _info(
        "W206",
        "a hook leaves the wrong number of cells",
        "The host pops the result of the hook and leaves other cells on the stack.",
        ": OnIsGameOver ( -- ) ;",
        ": OnIsGameOver ( -- score ) #UnknownScore ;",
    ),
    _info(
        "I207",
        "no stack comment",
        "The message shows the effect that the checks found. You can paste the effect into the "
        "script.",
        ": twice DUP + ;",
        ": twice ( n -- n' ) DUP + ;",
    ),
    _info(
        "I208",
        "the effect is unknown",
        "The word executes a token, or accesses a depth of the stack, that cannot be determined "
        "from the script. With a stack comment, the words that call it can still be checked.",
        ": run ( 'x -- ) EXECUTE ; : later ( n -- ) PICK run ;",
        ": run ( 'x -- ) EXECUTE ; : later ( -- n ) ['] HERE run ;",
    ),
    _info(
        "E301",
        "the return stack is not balanced",
        "`;` returns to the address on top of the return stack. Here, a cell from `>R` or the data "
        "of a loop is on top. The game ends with an error when the word returns.",
        ": keep ( n -- ) >R ;",
        ": keep ( n -- n ) >R R> ;",
    ),
    _info(
        "W302",
        "an index without its loop",
        "Outside DO ... LOOP the words I, J, K and LEAVE use the top of the return stack, which "
        "is usually an address.",
        ": index ( -- n ) I ; : ten ( -- ) 10 0 DO index DROP LOOP ;",
        ": ten ( -- ) 10 0 DO I DROP LOOP ;",
    ),
    _info(
        "W303",
        "the loop's index is not on top of the return stack",
        "`>R` inside a loop hides the loop's data: I returns the cell that `>R` put there, J "
        "returns a wrong cell, and R> pops the index itself.",
        ": odd ( -- ) 10 0 DO 7 >R I DROP R> DROP LOOP ;",
        ": odd ( -- ) 10 0 DO I >R R> DROP LOOP ;",
    ),
    _info(
        "E304",
        "EXIT inside DO ... LOOP",
        "EXIT drops the top of the return stack, where the loop keeps its data: the original "
        "crashed. Use LEAVE, or BEGIN ... UNTIL.",
        ": find ( -- ) 10 0 DO I 5 = IF EXIT ENDIF LOOP ;",
        ": find ( -- ) 10 0 DO I 5 = IF LEAVE ENDIF LOOP ;",
    ),
    _info(
        "W305",
        "a control structure is not closed",
        "The word has an IF without ENDIF, a BEGIN without UNTIL, or an ENDIF or UNTIL without its "
        "beginning. The word fails when it reaches the open structure.",
        ": half ( ? -- ) IF 1 . ;",
        ": half ( ? -- ) IF 1 . ENDIF ;",
    ),
    _info(
        "W306",
        "control words outside a definition",
        "IF, BEGIN, RECURSE and other control words only compile code. Outside a definition they "
        "have no effect, and all words between them are executed.",
        "1 IF 2 . ENDIF",
        ": two ( -- ) 1 IF 2 . ENDIF ; two",
    ),
    _info(
        "W307",
        "a DEFER without an action",
        "The script never sets the action of the word with IS; running the word is an error.",
        "DEFER later",
        "DEFER later ' HERE IS later",
    ),
    _info(
        "W308",
        "IS on a word that is not a DEFER",
        "IS stores into the first cell of the body. In a colon definition, this cell contains the "
        "first word.",
        ": now ( -- n ) 1 ; ' HERE IS now",
        "DEFER now ' HERE IS now",
    ),
    _info(
        "W309",
        "CREATE with DOES>",
        "DOES> stores its action in the first cell of the body. <BUILDS reserves this cell; after "
        "CREATE, it contains data.",
        ": pair ( a b -- ) CREATE , , DOES> @ ;",
        ": pair ( a b -- ) <BUILDS , , DOES> @ ;",
    ),
    _info(
        "W310",
        "a definition without `;` at the end",
        "The file ends inside the definition, so the word is not defined.",
        ": open ( -- ) 1 .",
        ": open ( -- ) 1 . ;",
    ),
    _info(
        "I311",
        "LEAVE does not leave immediately",
        "LEAVE makes the current iteration of the loop the last one; the words after LEAVE still "
        "run.",
        ": find ( -- ) 10 0 DO I 5 = IF LEAVE 1 . ENDIF LOOP ;",
        ": find ( -- ) 10 0 DO I 5 = IF 1 . LEAVE ENDIF LOOP ;",
    ),
    _info(
        "E312",
        "a definition without `;`",
        "Inside a definition, `:` does not begin another definition, so the definition continues "
        "up to the next `;`. The text after its begin is not checked.",
        ": twice ( n -- n' ) DUP +\n: four ( n -- n' ) twice twice ;",
        ": twice ( n -- n' ) DUP + ;\n: four ( n -- n' ) twice twice ;",
    ),
    _info(
        "W313",
        "a loop without an end",
        "`BEGIN ... FALSE UNTIL` repeats until `verify`, EXIT or an error ends the word. This loop "
        "contains no `verify` and no EXIT, so the game hangs.",
        BOARD
        + ": ride ( 'dir -- ) BEGIN DUP EXECUTE empty? AND\n"
        + "    IF from here move add-move ENDIF FALSE UNTIL DROP ;\n"
        + ": step ( -- ) ['] east ride ;\n"
        + PIECES,
        BOARD
        + ": ride ( 'dir -- ) BEGIN DUP EXECUTE verify empty? verify\n"
        + "    from here move add-move FALSE UNTIL DROP ;\n"
        + ": step ( -- ) ['] east ride ;\n"
        + PIECES,
    ),
    _info(
        "W314",
        "EXECUTE of something that is not a word",
        "EXECUTE takes the token of a word, from `[']` or from a variable with @. The name of a "
        "variable alone is its address, and other numbers are no tokens either.",
        "VARIABLE way : step ( -- ) ['] DROP way ! 1 way EXECUTE ;",
        "VARIABLE way : step ( -- ) ['] DROP way ! 1 way @ EXECUTE ;",
    ),
    _info(
        "W315",
        "`'` in a word that the game runs",
        "In a definition, `'` reads the next name of the text when the definition runs. The game "
        "has no such text. `[']` reads the name when the definition is compiled.",
        BOARD
        + ": go ( 'dir -- ) EXECUTE verify empty? verify from here move add-move ;\n"
        + ": step ( -- ) ' east go ;\n"
        + PIECES,
        BOARD
        + ": go ( 'dir -- ) EXECUTE verify empty? verify from here move add-move ;\n"
        + ": step ( -- ) ['] east go ;\n"
        + PIECES,
    ),
    _info(
        "W401",
        "a move word that adds no move",
        "No path through the word reaches add-move. Often add-move is missing inside a loop, or "
        "follows a loop that only `verify` ends.",
        BOARD + ": step ( -- ) east verify empty? verify from here move ;\n" + PIECES,
        GAME,
    ),
    _info(
        "W402",
        "a list of moves that no piece has",
        "No {piece} names the list after {moves} or {drops}.",
        GAME + ": hop ( -- ) east verify from here move add-move ;\n{moves hops {move} hop moves}",
        GAME,
    ),
    _info(
        "W403",
        "a move type that no move has",
        "Priorities, turns or partial moves name the type, but no {move-type} before a move does.",
        GAME + "{move-priorities {move-priority} capturing move-priorities}",
        BOARD
        + STEP
        + "{moves man-moves {move} step {move-type} walking moves}\n"
        + "{pieces {piece} Man {moves} man-moves pieces}\n"
        + "{move-priorities {move-priority} walking move-priorities}",
    ),
    _info(
        "W404",
        "a move without any change",
        "add-move without an edit before it adds a move without changes. In version 140 its text "
        "is empty, and the host ignores it and all later moves; later versions call it Pass.",
        BOARD + ": step ( -- ) east verify add-move ;\n" + PIECES,
        GAME,
    ),
    _info(
        "W405",
        "move generation inside a move word",
        "$GenerateMoves destroys the move under construction, and the move list does not exist "
        "while it is being generated.",
        BOARD
        + ": step ( -- ) move-count 0= verify east verify from here move add-move ;\n"
        + PIECES,
        GAME + ": OnEvaluate ( -- score ) move-count ;",
    ),
    _info(
        "W406",
        "verify outside a move word",
        "In a hook, verify ends the whole hook and leaves the stack as it is at that point. In "
        "a word that runs when a move is applied, it leaves the move incomplete.",
        ": OnEvaluate ( -- score ) here empty-at? verify 1 ;",
        ": OnEvaluate ( -- score ) here empty-at? IF 1 ELSE 0 ENDIF ;",
    ),
    _info(
        "W407",
        "sections in the wrong order",
        "{grid} overwrites earlier positions and variables. A {position} overlaps an earlier "
        "{variable}. {board deletes the move types that an earlier turn order uses.",
        "{board {variable} flown 3 3 {grid} board}",
        "{board 3 3 {grid} {variable} flown board}",
    ),
    _info(
        "I408",
        "random numbers without a seed",
        "The script runs neither SEED! nor RANDOMIZE: every game has the same random numbers.",
        ": dice ( -- n ) 1 6 RAND-WITHIN ;",
        ": dice ( -- n ) 1 6 RAND-WITHIN ; RANDOMIZE",
    ),
    _info(
        "W409",
        "a name similar to a hook's",
        "The host finds hooks by their exact names, and no hook has this name.",
        ": OnIsGameover ( -- score ) #UnknownScore ;",
        ": OnIsGameOver ( -- score ) #UnknownScore ;",
    ),
    _info(
        "W410",
        "a switch set to a value other than TRUE",
        "The engine compares $partial, $gameLog and $passTurnForced with -1: use ON.",
        "1 $passTurnForced !",
        "$passTurnForced ON",
    ),
    _info(
        "W411",
        "a game in which nothing can ever move",
        "The script has a board, but no players, turn order or pieces, or no piece with a list of "
        "moves or drops, or nothing on the board that could move. `forthvm run` refuses it.",
        "{board 3 3 {grid} board} {players {player} A players} {turn-order {turn} A turn-order} "
        "{pieces {piece} Man pieces}",
        ": put ( -- ) drop add-move ; {board 3 3 {grid} board} {players {player} A players} "
        "{turn-order {turn} A turn-order} {moves puts {move} put moves} "
        "{pieces {piece} Man {drops} puts pieces}",
    ),
    _info(
        "W412",
        "a game without OnIsGameOver",
        "Without OnIsGameOver, a game ends only when the player to move has no move. The result is "
        "a draw, so no player can ever win.",
        GAME + SETUP,
        GAME
        + SETUP
        + ": OnIsGameOver ( -- result ) stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;",
    ),
    _info(
        "W413",
        "a step that may fail is not checked",
        "At the edge a direction leaves FALSE and does not change `here`. If the flag is "
        "dropped, the move is made nevertheless: the piece captures itself, or lands one step "
        "short. A step is not reported if it follows other steps, in the word or in each of its "
        "callers, and `to`, `back` or `home` after them: then it repeats steps that have been "
        "checked. A step by EXECUTE is not reported either if the word then checks the content "
        "of the square.",
        BOARD
        + ": go ( 'dir -- ) EXECUTE DROP from here move add-move ;\n"
        + ": step ( -- ) ['] east go ;\n"
        + PIECES,
        BOARD
        + ": go ( 'dir -- ) EXECUTE verify from here move add-move ;\n"
        + ": step ( -- ) ['] east go ;\n"
        + PIECES,
    ),
    _info(
        "W414",
        "two symmetries with a common direction",
        "{symmetry} exchanges two directions. If a second {symmetry} of the player names one of "
        "these directions, two directions become equal for that player, and a third direction is "
        "lost. (In version 140 of the library, the second symmetry exchanges the exchanged "
        "directions, and no direction is lost.)",
        SYMMETRIES.format(second="se sw"),
        SYMMETRIES.format(second="nw sw"),
    ),
    _info(
        "W415",
        "players redefined under an inherited turn order",
        "The turn order refers to the players that were defined before it. Redefined players with "
        "other names, in another order, or in a larger number need a turn order of their own.",
        GAME + "{players {player} Red {player} White players}",
        GAME
        + "{players {player} Red {player} White players}\n"
        + "{turn-order {turn} Red {turn} White turn-order}",
    ),
    _info(
        "W416",
        "two directions with the same steps",
        "One of them probably has wrong numbers. Not reported if for each direction there is one "
        "with the opposite steps, or if a symmetry makes the two directions different.",
        BOARD.replace("directions}", "0 1 {direction} west directions}") + STEP + PIECES,
        BOARD_WITH_WEST + STEP + PIECES,
    ),
    _info(
        "W417",
        "pieces of a player without turns",
        "The set-up has pieces of the player, but no turn is the player's, and none moves the "
        "pieces with {for-player}. If they are obstacles, declare the player with {neutral}.",
        GAME.replace("{turn} Black ", "") + SETUP,
        GAME.replace("{turn} Black ", "{for-player} Black ") + SETUP,
    ),
    _info(
        "W418",
        "a direction used before its symmetry",
        "{symmetry} defines the names of its directions again. A word that was compiled before "
        "uses the old directions, which are the same for all players. Put {symmetries before "
        "the words that use the directions.",
        BOARD_WITH_WEST + STEP + MIRROR + PIECES,
        BOARD_WITH_WEST + MIRROR + STEP + PIECES,
    ),
    _info(
        "W419",
        "a move from `here` to `from`",
        "`move` takes the square that the piece leaves, then the square that it reaches. Not "
        "reported if the word also moves the piece at `from`, as for an exchange of two pieces, or "
        "if it is in a list of {drops}.",
        BOARD + ": step ( -- ) east verify empty? verify here from move add-move ;\n" + PIECES,
        GAME,
    ),
    _info(
        "W420",
        "a variable of the board that changes while moves are generated",
        "A {variable} belongs to the board. A move word runs for every move that is possible, and "
        "the move is only compiled; so the value is changed whether or not the move is made. "
        "COMPILE a word that changes it. Not reported if the variable holds an intermediate "
        "result: the word itself reads it, or a hook sets it, and no other hook and no compiled "
        "word reads it.",
        BOARD_WITH_VARIABLE
        + ": step ( -- ) east verify from here move here flown ! add-move ;\n"
        + PIECES,
        BOARD_WITH_VARIABLE
        + ": flown! ( pos -- ) flown ! ;\n"
        + ": step ( -- ) east verify from here move\n"
        + "    here COMPILE-LITERAL COMPILE flown! add-move ;\n"
        + PIECES,
    ),
    _info(
        "W421",
        "an edit after `add-move`",
        "`add-move` adds the move to the list and begins a new, empty one. An edit after it is "
        "lost if no path adds that new move.",
        BOARD + ": step ( -- ) east verify empty? verify add-move from here move ;\n" + PIECES,
        GAME,
    ),
    _info(
        "W422",
        "a move that no turn allows",
        "If a turn has a type ({of-type}), only moves of that type are made in it. This move has "
        "another type, or none, and all turns have types.",
        BOARD.replace("White {turn} Black", "White {of-type} go {turn} Black {of-type} go")
        + STEP
        + PIECES,
        BOARD.replace("White {turn} Black", "White {of-type} go {turn} Black {of-type} go")
        + STEP
        + PIECES.replace("step moves}", "step {move-type} go moves}"),
    ),
    _info(
        "W423",
        "two pieces set up on one square",
        "The later piece replaces the earlier one.",
        GAME + SETUP.replace("White Man a2", "White Man a1"),
        GAME + SETUP,
    ),
    _info(
        "W424",
        "two move words with the same code",
        "Both words of the list add the same moves. One of them was probably copied, and its "
        "direction not changed.",
        BOARD_WITH_WEST + STEP + STEP.replace("step", "step-west") + TWO_MOVES,
        BOARD_WITH_WEST
        + STEP
        + STEP.replace("step", "step-west").replace("east", "west")
        + TWO_MOVES,
    ),
    _info(
        "W425",
        "a loop that adds one move again and again",
        "The loop begins each iteration at `from`, and nothing changes that the next iteration "
        "uses, such as a counter. It adds the same move until the memory is full.",
        BOARD
        + "VARIABLE far : step ( -- ) 1 far !\n"
        + "    BEGIN from to far @ 0 DO east verify LOOP\n"
        + "    from here move add-move FALSE UNTIL ;\n"
        + PIECES,
        BOARD
        + "VARIABLE far : step ( -- ) 1 far !\n"
        + "    BEGIN from to far @ 0 DO east verify LOOP\n"
        + "    from here move add-move far ++ FALSE UNTIL ;\n"
        + PIECES,
    ),
    _info(
        "W501",
        "an unused name",
        "Neither a file of the script nor the host uses the word.",
        ": helper ( -- ) ;",
        ": helper ( -- ) ; helper",
    ),
    _info(
        "W502",
        "a built-in word is hidden",
        "Code compiled after this point uses the script's word; the library's own code does not.",
        ": verify ( ? -- ) DROP ; TRUE verify",
        ": check ( ? -- ) DROP ; TRUE check",
    ),
    _info(
        "W503",
        "a word is defined twice",
        "Code between the two definitions uses the first one; later code uses the second one.",
        ": size ( -- n ) 3 ; size . : size ( -- n ) 4 ; size .",
        ": size ( -- n ) 3 ; size . : sizes ( -- n ) 4 ; sizes .",
    ),
    _info(
        "W504",
        "two positions have one name",
        "The name means the position that is made last; no word means the other one. `board}` "
        "makes the positions of a grid, after those of `{position}`.",
        "{board 3 3 {grid} {position} a1 board}",
        "{board 3 3 {grid} {position} pool board}",
    ),
    _info(
        "W601",
        "a comment includes the next line",
        "`\\` skips line ends before the text of the comment. Therefore a `\\` at the end of a "
        "line comments out the next line that is not empty. A carriage return without a line feed "
        "ends no line.",
        "1 . \\\n2 .",
        "1 . \\ one\n2 .",
    ),
    _info(
        "W602",
        "`( )` is not an empty comment",
        "`(` skips a `)` that follows it directly, and the comment extends to the next `)`.",
        "( ) 1 . ( one )",
        "1 . ( one )",
    ),
    _info(
        "W603",
        "a comment inside a comment",
        "The first `)` ends the outer comment; the text after it is code.",
        "( outer ( inner ) 1 .",
        "( outer, inner ) 1 .",
    ),
    _info(
        "W604",
        "a comment or text without an end",
        "The comment or text extends to the end of the file and includes all remaining code.",
        "1 . ( the rest",
        "1 . ( the rest )",
    ),
    _info(
        "W605",
        'S" outside a definition',
        "The text is stored at PAD, where the next token that is read overwrites it.",
        'S" hello" TYPE',
        ': hello ( -- ) S" hello" TYPE ; hello',
    ),
    _info(
        "W606",
        "an empty text",
        "A quote directly at the beginning of the text is skipped, so the text extends to the next "
        "quote.",
        ': gap ( -- ) ." " ; gap ." x" CR',
        ': gap ( -- ) SPACE ; gap ." x" CR',
    ),
    _info(
        "W607",
        "a byte compared with a number above 127",
        "C@ extends the sign: it returns -128 to 127.",
        ": full? ( addr -- ? ) C@ 200 = ;",
        ": full? ( addr -- ? ) C@ 255 AND 200 = ;",
    ),
    _info(
        "W608",
        "a no-break space",
        "A no-break space is an ordinary character of names, so the text on both sides of it is "
        "one token.",
        "1 .\u00a0( one )",
        "1 . ( one )",
    ),
    _info(
        "W701",
        "an array index out of range",
        "Indices begin with 0 and are not checked. This index accesses memory outside the array.",
        "3 [] row : last ( -- addr ) 3 row ;",
        "3 [] row : last ( -- addr ) 2 row ;",
    ),
    _info(
        "W702",
        "an index limit greater than the array's size",
        "In every comparison of the index variable in the word, the limit is greater than the "
        "number of items of the array.",
        "3 [] row VARIABLE n : put ( x -- ) n @ 9 < IF n @ row ! ELSE DROP ENDIF ;",
        "3 [] row VARIABLE n : put ( x -- ) n @ 3 < IF n @ row ! ELSE DROP ENDIF ;",
    ),
    _info(
        "W703",
        "a position outside the board",
        "The positions have the numbers from 0 on. This number, or the index of a loop with known "
        "limits, is none of them: the word reads memory beside the board. Not reported if the word "
        "compares the index.",
        BOARD + ": men ( -- n ) 0 10 0 DO I not-empty-at? IF 1+ ENDIF LOOP ;\n" + STEP + PIECES,
        BOARD + ": men ( -- n ) 0 9 0 DO I not-empty-at? IF 1+ ENDIF LOOP ;\n" + STEP + PIECES,
    ),
    _info(
        "W704",
        "an address outside the data of the script",
        "The number, or the board position, is not the address of a variable. For `!` the value "
        "comes first and the address second.",
        "VARIABLE n : reset ( -- ) n 1 ! ;",
        "VARIABLE n : reset ( -- ) 1 n ! ;",
    ),
)

#: Every code, in order.
CODES: dict[str, CodeInfo] = {info.code: info for info in (*_ALL, *RULE_FILE_CODES)}

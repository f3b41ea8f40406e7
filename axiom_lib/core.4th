: ( 41 WORD ; IMMEDIATE
: \ 10 WORD ; IMMEDIATE

\ core.4th: the part of Forth that is written in Forth, on top of the kernel.  It owns control flow,
\ defining words, strings, number bases and FORGET.  Boards, players and moves are in
\ axiom.4th.  The two lines above define the comment words.  Each word is documented in this form:
\ : name ( cells before -- cells after )  \ One sentence.
\ : ( ( -- )  \ Comment up to the next closing parenthesis, even on a later line.
\ : \ ( -- )  \ Comment up to the end of the line; alone on a line, also the next line.
\ The stack effect of a word that compiles code is that of the compiled code.

\ --- memory ---------------------------------------------------------------------------------

: CONSTANT ( n -- )  \ Make the next name a word that pushes n.
	<BUILDS , DOES> @ ;
: VARIABLE ( -- )  \ Make the next name a word that pushes the address of a cell, 0 at first.
	CREATE 0 , ;
: TIMER ( -- )  \ Make the next name a stopwatch (two cells) for START-TIMER and READ-TIMER.
	CREATE 0 , 0 , ;
4 CONSTANT CELLSIZE ( -- n )  \ Bytes in a cell.
: CELLS ( n -- n' )  \ Convert a number of cells to bytes.
	4 * ;
: ON ( addr -- )  \ Store TRUE.
	TRUE SWAP ! ;
: OFF ( addr -- )  \ Store FALSE.
	FALSE SWAP ! ;
: ERASE ( addr n -- )  \ Zero n bytes.
	0 FILL ;

\ --- headers: name address, flags, link, code field -----------------------------------------

: LATEST ( -- nfa )  \ Header of the newest word.
	CURRENT @ @ ;
: NFA>LFA ( nfa -- addr )  \ Link cell of a header.
	2 CELLS + ;
: NFA>CFA ( nfa -- cfa )  \ Code field (execution token) of a header.
	3 CELLS + ;
: CFA>NFA ( cfa -- nfa )  \ Header of a token; its first cell is the address of the name.
	3 CELLS - ;
: CFA>LFA ( cfa -- addr )  \ Link cell of a token's header.
	CELLSIZE - ;
: NFA>PFA ( nfa -- pfa )  \ Body of a header.
	NFA>CFA CFA>PFA ;
: PFA>NFA ( pfa -- nfa )  \ Header of a body that directly follows its code field.
	4 CELLS - ;
: DEFINITIONS ( -- )  \ New words go into the word list that is searched.
	CONTEXT @ CURRENT ! ;

\ --- control flow ---------------------------------------------------------------------------
\ Branch operands are absolute addresses.  While a branch or loop is open, the parameter stack
\ contains an address: of the operand that is not yet known, or of the beginning of the loop.

: IF ( ? -- )  \ If the flag is 0, jump to the code after ELSE or ENDIF.
	COMPILE 0BRANCH HERE 0 , ; IMMEDIATE
: ENDIF ( -- )  \ End an IF.
	HERE SWAP ! ; IMMEDIATE
: THEN ( -- )  \ End an IF, like ENDIF.
	HERE SWAP ! ; IMMEDIATE
: ELSE ( -- )  \ Begin the part of an IF for a flag of 0.
	COMPILE BRANCH HERE 0 , SWAP HERE SWAP ! ; IMMEDIATE
: BEGIN ( -- )  \ Begin a loop that UNTIL or REPEAT ends.
	HERE ; IMMEDIATE
: UNTIL ( ? -- )  \ Jump back to BEGIN if the flag is 0.
	COMPILE 0BRANCH , ; IMMEDIATE
: WHILE ( ? -- )  \ If the flag is 0, jump to the code after REPEAT.
	COMPILE 0BRANCH HERE 0 , ; IMMEDIATE
: REPEAT ( -- )  \ Jump back to BEGIN.
	COMPILE BRANCH SWAP , HERE SWAP ! ; IMMEDIATE
: DO ( limit start -- )  \ Begin a counted loop; its body runs at least once.
	COMPILE (DO) HERE ; IMMEDIATE
: LOOP ( -- )  \ Add 1 to the index; repeat the loop if the index is below the limit.
	COMPILE (LOOP) , ; IMMEDIATE
: +LOOP ( n -- )  \ Add n to the index; repeat if index < limit, or for n < 0 if index >= limit.
	COMPILE (+LOOP) , ; IMMEDIATE
: EXIT ( -- )  \ Return from the definition that calls EXIT; not inside DO ... LOOP.
	R> DROP ;
: RECURSE ( -- )  \ Call the definition that is being compiled.
	LATEST NFA>CFA , ; IMMEDIATE

\ --- compiling ------------------------------------------------------------------------------

: COMPILE-LITERAL ( n -- )  \ Append code that pushes n.
	COMPILE LIT , ;
: LITERAL ( -- n )  \ Compile code that pushes the number; while interpreting, no effect.
	STATE @ IF COMPILE-LITERAL ENDIF ; IMMEDIATE
: ' ( -- 'x )  \ Token of the next name.
	-FIND DUP 0= IF PAD UNDEFINED ENDIF NFA>CFA ;
: [COMPILE] ( -- )  \ Compile a call of the next name even if it is immediate.
	STATE @ IF ' , ENDIF ; IMMEDIATE
: ['] ( -- 'x )  \ Compile code that pushes the token of the next name.
	' [COMPILE] LITERAL ; IMMEDIATE
: ASCII ( -- c )  \ Code of the next token's first character.
	-FIND DROP PAD C@ [COMPILE] LITERAL ; IMMEDIATE

: $if-known ( -- )  \ If no word has the next name, skip the text up to the next `;`.
	-FIND NOT IF ASCII ; WORD ENDIF ;

\ --- defining words -------------------------------------------------------------------------

: DEFER ( -- )  \ Make the next name a word whose action IS sets.
	<BUILDS ['] (unset) , DOES> @ EXECUTE ;
: (IS) ( 'x 'name -- )  \ Store 'x as the first body cell of 'name.
	CFA>PFA ! ;
: IS ( 'x -- )  \ Make 'x the action of the next name.
	' STATE @ IF COMPILE-LITERAL COMPILE (IS) ELSE (IS) ENDIF ; IMMEDIATE
: [] ( n -- )  \ Make the next name an array of n cells: ( i -- addr ), i from 0 and not checked.
	<BUILDS CELLS ALLOT DOES> SWAP 4 * + ;

\ --- arithmetic -----------------------------------------------------------------------------

: MAX ( a b -- n )  \ The larger of two.
	2DUP < IF SWAP ENDIF DROP ;
: MIN ( a b -- n )  \ The smaller of two.
	2DUP > IF SWAP ENDIF DROP ;
: NEGATE ( n -- -n )  \ Change the sign.
	0 SWAP - ;
: ABS ( n -- u )  \ Absolute value; -2147483648 is unchanged.
	DUP 0< IF NEGATE ENDIF ;
: RANDOMIZE ( -- )  \ Seed the first random stream by the clock.
	SYSTEM-TIME SEED! ;
$if-known SEED2! : RANDOMIZE2 ( -- )  \ Seed the second random stream by the clock.
	SYSTEM-TIME SEED2! ;

: BINARY ( -- )  \ Read and print numbers in base 2.
	2 BASE ! ;
: OCTAL ( -- )  \ Read and print numbers in base 8.
	8 BASE ! ;
: DECIMAL ( -- )  \ Read and print numbers in base 10.
	10 BASE ! ;
: HEX ( -- )  \ Read and print numbers in base 16.
	16 BASE ! ;

\ --- floats: one cell, single precision -----------------------------------------------------

: FCELLS ( n -- n' )  \ Convert a number of floats to bytes.
	CELLS ;
: F, ( f -- )  \ Append a float.
	, ;
: FVARIABLE ( -- )  \ Make the next name a word that pushes the address of a float.
	CREATE 0 , ;
: FCONSTANT ( f -- )  \ Make the next name a word that pushes f.
	<BUILDS , DOES> @ ;
: FMIN ( a b -- f )  \ The smaller of two floats.
	F2DUP F> IF FSWAP ENDIF FDROP ;
: FMAX ( a b -- f )  \ The larger of two floats.
	F2DUP F< IF FSWAP ENDIF FDROP ;
: FNEGATE ( f -- f' )  \ Change the sign of a float.
	0. FSWAP F- ;
: FABS ( f -- f' )  \ Absolute value of a float.
	FDUP F0< IF FNEGATE ENDIF ;

\ --- output ---------------------------------------------------------------------------------

32 CONSTANT BL ( -- c )  \ Code of the blank.
10 CONSTANT LF ( -- c )  \ Code of the newline.
: SPACE ( -- )  \ Print a blank.
	BL EMIT ;
: CR ( -- )  \ Print a newline.
	LF EMIT ;
: TAB ( -- )  \ Print a tab.
	9 EMIT ;
: ? ( addr -- )  \ Print the cell at addr.
	@ . ;
: .S ( -- )  \ Print the stack, bottom first, without changing it.
	DEPTH 0> IF DEPTH 0 DO DEPTH I - 1- PICK . LOOP ENDIF ;

\ --- strings: zero-terminated; a compiled text follows the call of the word that reads it ------

: "SIZE ( str -- n )  \ Bytes of a compiled text, including its zero and padding.
	"COUNT 5 + 4 / 4 * ;
: "APPEND ( str dest -- )  \ Copy a text to the end of the text at dest.
	DUP "COUNT + "MOVE ;
: "PAD, ( -- )  \ Append the text at PAD to the code.
	PAD HERE "MOVE HERE "SIZE ALLOT ;
: (S") ( -- str )  \ Push the address of the compiled text and continue after the text.
	R> DUP DUP "SIZE + >R ;
: S" ( -- str )  \ Text up to the next quote; while interpreting, valid until the next token.
	34 WORD STATE @ IF COMPILE (S") "PAD, ELSE PAD ENDIF ; IMMEDIATE
: (.") ( -- )  \ Print the compiled text and continue after it.
	R> DUP DUP "SIZE + >R TYPE ;
: ." ( -- )  \ Print the text up to the next quote.
	34 WORD STATE @ IF COMPILE (.") "PAD, ELSE PAD TYPE ENDIF ; IMMEDIATE
: (ABORT") ( ? -- )  \ If the flag is true, stop with the compiled text as message.
	IF R ERROR ENDIF R> DUP "SIZE + >R ;
: ABORT" ( ? -- )  \ If the flag is true, stop with the text up to the next quote as message.
	34 WORD STATE @ IF COMPILE (ABORT") "PAD, ELSE IF PAD TYPE CR ABORT ENDIF ENDIF ; IMMEDIATE

\ --- forgetting -----------------------------------------------------------------------------

: $Prune ( list -- )  \ Remove the words at or above HERE from a word list.
	BEGIN DUP @ HERE < NOT WHILE DUP @ NFA>LFA @ OVER ! REPEAT DROP ;
: (FORGET) ( cfa -- )  \ Remove a word and all newer words from all word lists.
	CFA>NFA @ HERE - ALLOT CONTEXT @ $Prune CURRENT @ $Prune FORTH CONTEXT @ $Prune
	CURRENT @ HERE < NOT IF CONTEXT @ CURRENT ! ENDIF
	CURRENT @ CONTEXT ! ;
: FORGET ( -- )  \ Remove the word with the next name and all newer words.
	' (FORGET) ;

\ --- the host's message boxes: kinds of boxes, then results ---------------------------------

0 CONSTANT #MB_OK ( -- n )  \ Button OK.
1 CONSTANT #MB_OKCANCEL ( -- n )  \ Buttons OK and Cancel.
2 CONSTANT #MB_ABORTRETRYIGNORE ( -- n )  \ Buttons Abort, Retry and Ignore.
3 CONSTANT #MB_YESNOCANCEL ( -- n )  \ Buttons Yes, No and Cancel.
4 CONSTANT #MB_YESNO ( -- n )  \ Buttons Yes and No.
5 CONSTANT #MB_RETRYCANCEL ( -- n )  \ Buttons Retry and Cancel.
16 CONSTANT #MB_ICONSTOP ( -- n )  \ Picture of a stop sign.
32 CONSTANT #MB_ICONQUESTION ( -- n )  \ Picture of a question mark.
48 CONSTANT #MB_ICONEXCLAMATION ( -- n )  \ Picture of an exclamation mark.
64 CONSTANT #MB_ICONINFORMATION ( -- n )  \ Picture of an i.
1 CONSTANT #IDOK ( -- n )  \ Result OK.
2 CONSTANT #IDCANCEL ( -- n )  \ Result Cancel.
3 CONSTANT #IDABORT ( -- n )  \ Result Abort.
4 CONSTANT #IDRETRY ( -- n )  \ Result Retry.
5 CONSTANT #IDIGNORE ( -- n )  \ Result Ignore.
6 CONSTANT #IDYES ( -- n )  \ Result Yes.
7 CONSTANT #IDNO ( -- n )  \ Result No.
10 CONSTANT #IDTRYAGAIN ( -- n )  \ Result Try Again.
11 CONSTANT #IDCONTINUE ( -- n )  \ Result Continue.

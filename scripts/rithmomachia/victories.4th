\ Victories: the counts of captures, and the tests for a victory of the mover at the end of each move.

\ Owns the counts of captured pieces, the common victories and the glorious ones.  A victory is stored on the board,
\ so that taking back the move removes it: its number in the board variable `victory` and, for display, a piece of
\ its name on the position `won-by`.  Higher numbers are more famous.  If several victories apply, the last one
\ that is claimed counts.

1 CONSTANT #corpore
2 CONSTANT #bonis
3 CONSTANT #lite
4 CONSTANT #honore
5 CONSTANT #honore-lite
6 CONSTANT #magna
7 CONSTANT #major
8 CONSTANT #excellentissima
9 CONSTANT #by-pyramid                  \ pyramid-win=on; claimed first, so any other victory replaces it

DEFER FIRST-VICTORY                     \ the piece type of victory 1; those of the other victories follow

: claim ( ? n -- ) SWAP IF victory ! ELSE DROP ENDIF ;
: own-side ( -- side ) current-player side ;

\ === Counts ===========================================================================================
\ Called by captures, before `settle`.  `quiet` is the number of moves since the last capture: -1 until `settle`
\ adds one.
: tally ( pieces value digits -- )
	own-side digits-taken +! own-side value-taken +! own-side pieces-taken +!
	-1 quiet !
;
: pyramid-falls ( -- ) pyramid-wins @ #by-pyramid claim ;

\ === Common victories =================================================================================
\ A limit set by the user switches a victory on.  So does the victory's own setting; it uses a limit from this table
\ if the user has set none.
CREATE proposed-digits 34 , 28 ,
CREATE proposed-pieces 13 , 11 ,
: digits-allowed ( -- n ) own-side digit-limit[] @ DUP 0= IF DROP own-side CELLS proposed-digits + @ ENDIF ;
: pieces-allowed ( -- n ) own-side piece-limit[] @ DUP 0= IF DROP own-side CELLS proposed-pieces + @ ENDIF ;
: few-digits? ( -- ? ) own-side digits-taken @ digits-allowed <= ;
: few-pieces? ( -- ? ) own-side pieces-taken @ pieces-allowed <= ;

: digits-given? ( -- ? ) own-side digit-limit[] @ 0<> ;
: pieces-given? ( -- ? ) own-side piece-limit[] @ 0<> ;
: lite? ( -- ? ) lite @ digits-given? OR IF few-digits? ELSE FALSE ENDIF ;
: honore? ( -- ? ) honore @ pieces-given? OR IF few-pieces? ELSE FALSE ENDIF ;
: honore-lite? ( -- ? )
	digits-given? pieces-given? AND honore-lite @ OR IF few-digits? few-pieces? AND ELSE FALSE ENDIF
;
: corpore? ( -- ? ) piece-goal @ DUP IF own-side pieces-taken @ SWAP >= ENDIF ;
: value? ( -- ? ) own-side value-goal[] @ DUP IF own-side value-taken @ SWAP >= ENDIF ;

: common-victories ( -- )
	corpore? #corpore claim
	value? IF
		no-bonis @ NOT #bonis claim
		lite? #lite claim
		honore? #honore claim
		honore-lite? #honore-lite claim
	ENDIF
;

\ === Glorious victories ===============================================================================
\ The numbers in the enemy's territory, each with a code of its square: 32 * row + column, so that equal differences
\ of codes are equal distances on the board.  A pyramid adds its total and each of its parts.
#squares #parts 2* + 2 + [] numbers[]
#squares #parts 2* + 2 + [] codes[]
VARIABLE numbers                        \ length of the list
VARIABLE own                            \ how many numbers are the mover's; they come first

: code-of ( pos -- n ) DUP row-of 32 * SWAP column-of + ;
: number, ( pos n -- ) numbers @ numbers[] ! code-of numbers @ codes[] ! numbers ++ ;
: pyramid-numbers, ( pos side -- )
	DUP read-pyramid
	#parts 0 DO 2DUP I SWAP part @ DUP IF number, ELSE 2DROP ENDIF LOOP
	DUP remaining[] @ single? IF 2DROP ELSE totals[] @ number, ENDIF
;
: number-at, ( pos -- )
	DUP piece-type-at DUP kind-of[] @ #pyramid =
	IF DROP DUP player-at side pyramid-numbers, ELSE value-of[] @ number, ENDIF
;

: territory ( -- i )                    \ index of the enemy half's first square; Black begins in the upper half
	own-side IF #squares 2/ ELSE 0 ENDIF
;
: numbers-of ( player -- )
	territory
	#squares 2/ 0 DO                        ( player i )
		DUP I + squares[] @ DUP player-at 3 PICK = IF number-at, ELSE DROP ENDIF
	LOOP
	2DROP
;
: list-numbers ( -- )
	numbers OFF
	current-player numbers-of numbers @ own !
	own @ own-needed @ >= IF current-player foe numbers-of ENDIF
;

\ --- progressions ---
1 CONSTANT #arithmetic
2 CONSTANT #geometric
4 CONSTANT #harmonic
VARIABLE low
VARIABLE mid
VARIABLE high
: ordered ( a b -- low high ) 2DUP > IF SWAP ENDIF ;
: sorted ( a b c -- ) ordered ROT ordered high ! ordered mid ! low ! ;
: progression ( a b c -- set )          \ which kinds of progression the three are
	sorted
	low @ high @ = IF 0 ELSE
		0
		low @ high @ + mid @ 2* = IF #arithmetic OR ENDIF
		low @ high @ * mid @ DUP * = IF #geometric OR ENDIF
		low @ high @ + mid @ * low @ high @ * 2* = IF #harmonic OR ENDIF
	ENDIF
;

\ --- arrangements ---
VARIABLE a                              \ the numbers under test: indexes of the list
VARIABLE b
VARIABLE c
VARIABLE d
: code ( addr -- n ) @ codes[] @ ;
: number ( addr -- n ) @ numbers[] @ ;

\ Any of the three squares may be the middle or the corner.  The tests assume x; `rotate-three` rotates the three.
VARIABLE x
VARIABLE y
VARIABLE z
: rotate-three ( -- ) x @ y @ x ! z @ y ! z ! ;
: any-rotation? ( 'test -- ? ) DUP EXECUTE rotate-three OVER EXECUTE OR rotate-three SWAP EXECUTE OR ;
: middle? ( -- ? ) y @ z @ + x @ 2* = ;
: corner? ( -- ? )                      \ one along the row, one along the column, equally far
	x @ y @ - ABS x @ z @ - ABS             ( xy xz )
	2DUP 32 * = ROT ROT SWAP 32 * = OR
;
: three-arranged? ( -- ? )
	arranging @ 2 = IF TRUE ELSE
	a code x ! b code y ! c code z !
	['] middle? any-rotation?
	arranging @ 0= IF ['] corner? any-rotation? OR ENDIF ENDIF
;

\ For four numbers in line, or at the corners of a square, the first and last square determine the two inner ones.
VARIABLE first-code
VARIABLE last-code
VARIABLE inner                          \ difference from the first to one inner square, and from the other to the last
: in-pattern? ( addr -- ? )
	code
	DUP first-code @ = OVER last-code @ = OR
	OVER first-code @ inner @ + = OR
	SWAP last-code @ inner @ - = OR
;
: four-in-pattern? ( part -- ? )        \ `inner` is the whole difference divided by part
	last-code @ first-code @ -
	2DUP SWAP MOD IF 2DROP FALSE ELSE
	SWAP / inner ! a in-pattern? b in-pattern? AND c in-pattern? AND d in-pattern? AND ENDIF
;
: four-arranged? ( -- ? )
	a code b code MIN c code MIN d code MIN first-code !
	a code b code MAX c code MAX d code MAX last-code !
	arranging @ 2 = IF TRUE ELSE
	3 four-in-pattern?
	arranging @ 0= IF 33 four-in-pattern? OR ENDIF ENDIF
;

\ --- sets ---
\ The mover's numbers come first in the list, so an index below `own` is one of them.
VARIABLE best                           \ the most glorious victory so far
VARIABLE kinds                          \ the kinds of progressions found in a set of four
: own? ( addr -- n ) @ own @ < IF 1 ELSE 0 ENDIF ;
: apart? ( addr addr' -- ? ) code SWAP code <> ;

: best-is ( n -- ) best @ MAX best ! ;
: magna-kind? ( set -- ? ) any-magna @ NOT IF #arithmetic AND ENDIF ;
: try-three ( set -- )
	magna-kind? IF
		a own? b own? + c own? + own-needed @ >=
		IF three-arranged? IF #magna best-is ENDIF ENDIF
	ENDIF
;

: add-kinds ( a b c -- ) progression kinds @ OR kinds ! ;
: four-kinds ( set -- )
	kinds !
	a number b number d number add-kinds
	a number c number d number add-kinds
	b number c number d number add-kinds
;
: fame ( -- n )
	kinds @ 7 = IF #excellentissima ELSE kinds @ single? IF 0 ELSE #major ENDIF ENDIF
;
: enough-own? ( -- ? ) a own? b own? + c own? + d own? + own-needed @ >= ;
: try-four ( set -- )
	a d apart? b d apart? AND c d apart? AND enough-own? AND
	IF four-kinds fame best @ > IF four-arranged? IF fame best-is ENDIF ENDIF ELSE DROP ENDIF
;
: try-fours ( set -- )
	d OFF
	BEGIN d @ numbers @ < WHILE DUP try-four d ++ REPEAT
	DROP
;
: try-triple ( -- )
	a number b number c number progression
	DUP IF DUP try-three glory @ 2 = IF DUP try-fours ENDIF ENDIF
	DROP
;

\ A winning set of four contains at least two progressions of three, and is found from either of them.  If it needs
\ a piece of the mover, one of these progressions has one, so a can be limited to the mover's numbers.
: triples-from-b ( -- )
	b @ c !
	BEGIN c ++ c @ numbers @ < WHILE a c apart? b c apart? AND IF try-triple ENDIF REPEAT
;
: triples-from-a ( -- )
	a @ b !
	BEGIN b ++ b @ numbers @ < WHILE a b apart? IF triples-from-b ENDIF REPEAT
;
: try-triples ( -- )
	a OFF
	BEGIN a @ own-needed @ 0> IF own ELSE numbers ENDIF @ < WHILE triples-from-a a ++ REPEAT
;
: enemy-pyramid-left? ( -- ? ) current-player foe side DUP read-pyramid remaining[] @ 0<> ;
: glory? ( -- ? )
	glory @ IF after-pyramid @ IF enemy-pyramid-left? NOT ELSE TRUE ENDIF ELSE FALSE ENDIF
;
: glorious-victories ( -- )
	best OFF
	list-numbers try-triples
	best @ IF TRUE best @ claim ENDIF
;

\ === The end of every move ==============================================================================
: crown ( -- )                          \ puts a piece on `won-by` that shows the winner and the victory
	FIRST-VICTORY victory @ + 1- current-player OR
	won-by not-empty-at? IF won-by (remove-piece) ENDIF
	won-by (add-piece)
;
\ `idle` counts consecutive passes.  OnNextTurn adds one after every turn, so it is 0 after a move.
: settle ( -- )
	-1 idle ! quiet ++
	common-victories
	glory? IF glorious-victories ENDIF
	victory @ IF crown ENDIF
;

\ Victories: the counts of captures, and the tests for a victory of the mover at the end of each move.

\ Owns the counts of captured pieces, the common victories and the glorious ones.  A victory is stored on the board,
\ so that taking back the move removes it: its number in the board variable `victory` and, for display, a piece of
\ its name on the position `won-by`.  Higher numbers are more famous.  If several victories apply, the last call of
\ `claim` counts.
\
\ A common victory requires captures: a number of pieces (De Corpore), a total value (De Bonis), or this value with
\ few digits (De Lite), few pieces (De Honore) or both.  A glorious victory requires numbers in progression in the
\ enemy's half: three numbers in one kind of progression (Magna), or four numbers with progressions of two kinds
\ (Major) or of all three kinds (Excellentissima).

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
: own-side ( -- side ) current-player side-of ;

\ === Counts ===========================================================================================
\ A move with captures calls this word before `end-move`.  `quiet` is the number of moves since the last capture.
\ `end-move` adds 1, so -1 is stored here.
: add-to-counts ( pieces value digits -- )
	own-side digits-taken +! own-side value-taken +! own-side pieces-taken +!
	-1 quiet !
;
: pyramid-falls ( -- ) pyramid-wins @ #by-pyramid claim ;

\ === Common victories =================================================================================
\ The victories with a limit are switched on by setting the limit, or by their own setting.  If only the latter is set,
\ the limit is that of the table: for White, for Black.
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
\ The numbers in the enemy's territory, each with a code of its square: 32 * row + column.  Equal differences of codes
\ are equal distances in the same direction.  A pyramid adds its total and each of its parts.
#squares #parts 2* + 2 + [] numbers[]
#squares #parts 2* + 2 + [] codes[]
VARIABLE numbers                        \ length of the list
VARIABLE own-numbers                    \ how many numbers are the mover's; they come first

: code-of ( pos -- n ) DUP row-of 32 * SWAP column-of + ;
: number, ( pos n -- ) numbers @ numbers[] ! code-of numbers @ codes[] ! numbers ++ ;
: pyramid-numbers, ( pos side -- )
	DUP read-pyramid
	#parts 0 DO 2DUP I SWAP part @ DUP IF number, ELSE 2DROP ENDIF LOOP
	DUP remaining[] @ single? IF 2DROP ELSE totals[] @ number, ENDIF
;
: number-at, ( pos -- )
	DUP piece-type-at DUP class-of[] @ #pyramid =
	IF DROP DUP player-at side-of pyramid-numbers, ELSE value-of[] @ number, ENDIF
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
	current-player numbers-of numbers @ own-numbers !
	own-numbers @ own-needed @ >= IF current-player foe numbers-of ENDIF
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
VARIABLE a                              \ the indexes of the numbers under test in the list
VARIABLE b
VARIABLE c
VARIABLE d
: square-code ( addr -- n ) @ codes[] @ ;
: number ( addr -- n ) @ numbers[] @ ;

\ Any of the three squares may be the middle or the corner.  A test assumes that it is x, and is repeated after each
\ `rotate-three`.
VARIABLE x
VARIABLE y
VARIABLE z
: rotate-three ( -- ) x @ y @ x ! z @ y ! z ! ;
: any-rotation? ( 'test -- ? ) DUP EXECUTE rotate-three OVER EXECUTE OR rotate-three SWAP EXECUTE OR ;
: middle? ( -- ? ) y @ z @ + x @ 2* = ;
: corner? ( -- ? )                      \ is one of y and z in the row of x, the other in its column, equally far away?
	x @ y @ - ABS x @ z @ - ABS             ( xy xz )
	2DUP 32 * = ROT ROT SWAP 32 * = OR
;
: three-arranged? ( -- ? )
	arranging @ 2 = IF TRUE ELSE
	a square-code x ! b square-code y ! c square-code z !
	['] middle? any-rotation?
	arranging @ 0= IF ['] corner? any-rotation? OR ENDIF ENDIF
;

\ For four numbers in line, or at the corners of a square, the first and last square determine the two inner ones.
VARIABLE first-code
VARIABLE last-code
VARIABLE inner                          \ difference from the first to one inner square, and from the other to the last
: in-pattern? ( addr -- ? )
	square-code
	DUP first-code @ = OVER last-code @ = OR
	OVER first-code @ inner @ + = OR
	SWAP last-code @ inner @ - = OR
;
\ `inner` is the difference from the first to the last square divided by n.  n is 3 for a line.  It is 33 for a square
\ of side s, whose diagonal is 33 * s: then the other two corners are s columns from the first and the last one.
: four-in-pattern? ( n -- ? )
	last-code @ first-code @ -
	2DUP SWAP MOD IF 2DROP FALSE ELSE
	SWAP / inner ! a in-pattern? b in-pattern? AND c in-pattern? AND d in-pattern? AND ENDIF
;
: four-arranged? ( -- ? )
	a square-code b square-code MIN c square-code MIN d square-code MIN first-code !
	a square-code b square-code MAX c square-code MAX d square-code MAX last-code !
	arranging @ 2 = IF TRUE ELSE
	3 four-in-pattern?
	arranging @ 0= IF 33 four-in-pattern? OR ENDIF ENDIF
;

\ --- sets ---
\ The mover's numbers come first in the list, so an index below `own-numbers` is one of them.
VARIABLE best-victory                   \ the most glorious victory so far
VARIABLE kinds                          \ the kinds of progressions found in a set of four
: own? ( addr -- n ) @ own-numbers @ < IF 1 ELSE 0 ENDIF ;
: other-square? ( addr addr' -- ? ) square-code SWAP square-code <> ;

: raise-best ( n -- ) best-victory @ MAX best-victory ! ;
: magna-kind? ( set -- ? ) any-magna @ NOT IF #arithmetic AND ENDIF ;
: try-three ( set -- )
	magna-kind? IF
		a own? b own? + c own? + own-needed @ >=
		IF three-arranged? IF #magna raise-best ENDIF ENDIF
	ENDIF
;

: add-kinds ( a b c -- ) progression kinds @ OR kinds ! ;
: four-kinds ( set -- )
	kinds !
	a number b number d number add-kinds
	a number c number d number add-kinds
	b number c number d number add-kinds
;
: victory-of-kinds ( -- n )
	kinds @ 7 = IF #excellentissima ELSE kinds @ single? IF 0 ELSE #major ENDIF ENDIF
;
: enough-own? ( -- ? ) a own? b own? + c own? + d own? + own-needed @ >= ;
: try-four ( set -- )
	a d other-square? b d other-square? AND c d other-square? AND enough-own? AND
	IF
		four-kinds
		victory-of-kinds best-victory @ > IF four-arranged? IF victory-of-kinds raise-best ENDIF ENDIF
	ELSE DROP ENDIF
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

\ A winning set of four contains at least two progressions of three, and is found from either of them.  If it must
\ contain a number of the mover, one of these progressions contains one, so `a` can be limited to the mover's numbers.
: triples-from-b ( -- )
	b @ c !
	BEGIN c ++ c @ numbers @ < WHILE a c other-square? b c other-square? AND IF try-triple ENDIF REPEAT
;
: triples-from-a ( -- )
	a @ b !
	BEGIN b ++ b @ numbers @ < WHILE a b other-square? IF triples-from-b ENDIF REPEAT
;
: try-triples ( -- )
	a OFF
	BEGIN a @ own-needed @ 0> IF own-numbers ELSE numbers ENDIF @ < WHILE triples-from-a a ++ REPEAT
;
: enemy-pyramid-left? ( -- ? ) current-player foe side-of DUP read-pyramid remaining[] @ 0<> ;
: glory? ( -- ? )
	glory @ IF after-pyramid @ IF enemy-pyramid-left? NOT ELSE TRUE ENDIF ELSE FALSE ENDIF
;
: glorious-victories ( -- )
	best-victory OFF
	list-numbers try-triples
	best-victory @ IF TRUE best-victory @ claim ENDIF
;

\ === The end of every move ==============================================================================
: show-victory ( -- )                   \ puts a piece on `won-by` that shows the winner and the victory
	FIRST-VICTORY victory @ + 1- current-player OR
	won-by not-empty-at? IF won-by (remove-piece) ENDIF
	won-by (add-piece)
;
: victory-text ( -- )                   \ the name of the victory, for the end of the game
	won-by piece-type-at ^piece-type
;
\ `idle` counts consecutive passes.  OnNextTurn adds one after every turn, so it is 0 after a move.
: end-move ( -- )
	-1 idle ! quiet ++
	common-victories
	glory? IF glorious-victories ENDIF
	victory @ IF show-victory ENDIF
;

\ Victories: what a move does besides moving and taking, and who has won by it.

\ Owns the counts of what was taken, the common victories and the glorious ones.  A victory is noted in the board
\ itself, so that it is taken back with the move: its number in the variable `victory`, and for people a
\ piece of that name on the position `won-by`.  Later numbers are more famous; the last that holds is named.

1 CONSTANT #corpore
2 CONSTANT #bonis
3 CONSTANT #lite
4 CONSTANT #honore
5 CONSTANT #honore-lite
6 CONSTANT #magna
7 CONSTANT #major
8 CONSTANT #excellentissima
9 CONSTANT #by-pyramid                  \ pyramid-win=on; any of the others is named before it

DEFER FIRST-VICTORY                     \ the piece type that shows number 1; the others follow it

: claim ( ? n -- ) SWAP IF victory ! ELSE DROP ENDIF ;
: me ( -- side ) current-player side ;

\ === Counts ===========================================================================================
\ Called by moves that take something, before `settle`.  `quiet` counts moves without capture.
: tally ( pieces value digits -- )
	me digits-taken +! me value-taken +! me pieces-taken +!
	-1 quiet !
;
: pyramid-falls ( -- ) pyramid-wins @ #by-pyramid claim ;

\ === Common victories =================================================================================
\ A limit that is given switches a victory on; so does its own setting, with a limit from here if none is given.
CREATE proposed-digits 34 , 28 ,
CREATE proposed-pieces 13 , 11 ,
: digits-allowed ( -- n ) me digit-limit[] @ DUP 0= IF DROP me CELLS proposed-digits + @ ENDIF ;
: pieces-allowed ( -- n ) me piece-limit[] @ DUP 0= IF DROP me CELLS proposed-pieces + @ ENDIF ;
: few-digits? ( -- ? ) me digits-taken @ digits-allowed <= ;
: few-pieces? ( -- ? ) me pieces-taken @ pieces-allowed <= ;

: digits-given? ( -- ? ) me digit-limit[] @ 0<> ;
: pieces-given? ( -- ? ) me piece-limit[] @ 0<> ;
: lite? ( -- ? ) lite @ digits-given? OR IF few-digits? ELSE FALSE ENDIF ;
: honore? ( -- ? ) honore @ pieces-given? OR IF few-pieces? ELSE FALSE ENDIF ;
: honore-lite? ( -- ? )
	digits-given? pieces-given? AND honore-lite @ OR IF few-digits? few-pieces? AND ELSE FALSE ENDIF
;
: corpore? ( -- ? ) piece-goal @ DUP IF me pieces-taken @ SWAP >= ENDIF ;
: value? ( -- ? ) me value-goal[] @ DUP IF me value-taken @ SWAP >= ENDIF ;

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
\ All numbers that stand in the enemy's territory, each with a code of its square: 32 a row, so that equal
\ differences of codes are equal distances on the board.  A pyramid brings its total and each part.
#squares #parts 2* + 2 + [] numbers[]
#squares #parts 2* + 2 + [] codes[]
VARIABLE numbers                        \ how many
VARIABLE own                            \ how many of them, the first ones, are the mover's

: code-of ( pos -- n ) DUP row-of 32 * SWAP column-of + ;
: number, ( pos n -- ) numbers @ numbers[] ! code-of numbers @ codes[] ! numbers ++ ;
: pyramid-numbers, ( pos side -- )
	DUP muster
	#parts 0 DO 2DUP I SWAP part @ DUP IF number, ELSE 2DROP ENDIF LOOP
	DUP remaining[] @ single? IF 2DROP ELSE totals[] @ number, ENDIF
;
: number-at, ( pos -- )
	DUP piece-type-at DUP kind-of[] @ #pyramid =
	IF DROP DUP player-at side pyramid-numbers, ELSE value-of[] @ number, ENDIF
;

: territory ( -- i )                    \ White's enemies live in the upper half
	me IF #squares 2/ ELSE 0 ENDIF
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
VARIABLE a                              \ which numbers are looked at: indexes in the list
VARIABLE b
VARIABLE c
VARIABLE d
: code ( addr -- n ) @ codes[] @ ;
: number ( addr -- n ) @ numbers[] @ ;

\ Of three squares any may be the middle or the corner: x is, and after a turn the next one.
VARIABLE x
VARIABLE y
VARIABLE z
: turn ( -- ) x @ y @ x ! z @ y ! z ! ;
: any-turn? ( 'test -- ? ) DUP EXECUTE turn OVER EXECUTE OR turn SWAP EXECUTE OR ;
: middle? ( -- ? ) y @ z @ + x @ 2* = ;
: corner? ( -- ? )                      \ one along the row, one along the column, equally far
	x @ y @ - ABS x @ z @ - ABS             ( xy xz )
	2DUP 32 * = ROT ROT SWAP 32 * = OR
;
: three-arranged? ( -- ? )
	arranging @ 2 = IF TRUE ELSE
	a code x ! b code y ! c code z !
	['] middle? any-turn?
	arranging @ 0= IF ['] corner? any-turn? OR ENDIF ENDIF
;

\ Four in line, or at the corners of a square, are known by the first and the last: there are only two more places.
VARIABLE first-place
VARIABLE last-place
VARIABLE inner                          \ how far one inner place is from the first, the other from the last
: place? ( addr -- ? )
	code
	DUP first-place @ = OVER last-place @ = OR
	OVER first-place @ inner @ + = OR
	SWAP last-place @ inner @ - = OR
;
: placed? ( part -- ? )                 \ the inner places are the span's part-th part away
	last-place @ first-place @ -
	2DUP SWAP MOD IF 2DROP FALSE ELSE
	SWAP / inner ! a place? b place? AND c place? AND d place? AND ENDIF
;
: four-arranged? ( -- ? )
	a code b code MIN c code MIN d code MIN first-place !
	a code b code MAX c code MAX d code MAX last-place !
	arranging @ 2 = IF TRUE ELSE
	3 placed?
	arranging @ 0= IF 33 placed? OR ENDIF ENDIF
;

\ --- sets ---
\ The mover's numbers come first in the list.  So a set of indexes in order has n of them if the n-th is small.
VARIABLE best                           \ the most glorious victory so far
VARIABLE kinds                          \ of progressions in a set of four
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

\ A set of four that is a victory has two progressions at least.  So it is found from one that has a piece of the
\ mover in it, if the set needs one.
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
: pyramid-stands? ( -- ? ) current-player foe side DUP muster remaining[] @ 0<> ;
: glory? ( -- ? )
	glory @ IF after-pyramid @ IF pyramid-stands? NOT ELSE TRUE ENDIF ELSE FALSE ENDIF
;
: glorious-victories ( -- )
	best OFF
	list-numbers try-triples
	best @ IF TRUE best @ claim ENDIF
;

\ === The end of every move ==============================================================================
: crown ( -- )                          \ shows who has won, and how
	FIRST-VICTORY victory @ + 1- current-player OR
	won-by not-empty-at? IF won-by (remove-piece) ENDIF
	won-by (add-piece)
;
\ `idle` counts passes in a row: OnNextTurn adds one, and so it is 0 after a move.
: settle ( -- )
	-1 idle ! quiet ++
	common-victories
	glory? IF glorious-victories ENDIF
	victory @ IF crown ENDIF
;

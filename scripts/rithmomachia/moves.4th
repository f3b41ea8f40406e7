\ Moves: how pieces go, and what each move takes.

\ Owns the moves and what they compile.  A move is put together before it is made, and its text shows what it takes:
\ so captures are worked out for every legal move, in the position after it.  To do that for a hundred moves from
\ scratch would be slow.  Instead a survey works out once what every victim suffers in the position as it
\ stands, and notes on which squares a change could matter to whom; a move looks again only at those victims.

\ === The survey =========================================================================================
\ Victims are numbered in the order in which captures are told, the last square first.  Each has a bit; should there
\ ever be more than 32, several share one, and are looked at again together.
VARIABLE victims                        \ how many
#squares [] victim[]                    \ their squares
#squares [] near[]                      \ the units that they lose as it stands: see captures.4th
#squares [] far[]
: bit-of ( i -- bit ) 31 AND bits[] @ ;
: set-bits ( bits addr -- ) DUP @ ROT OR SWAP ! ;

VARIABLE bit                            \ of the victim that is surveyed
VARIABLE doomed                         \ the victims that are taken if nothing changes
VARIABLE doomed-near                    \ those of them that are taken from near
VARIABLE visited                        \ those to whom some attacker could move

\ Who must be looked at again if something changes on a square: for each kind of ways, if a piece comes or
\ goes that has this kind; and #any: whatever the piece.
4 CONSTANT #any
#grid 1+ CONSTANT #places               \ and `nothing`
#places #any 1+ * [] watch[]
: watched ( pos kind -- addr ) #places * + watch[] ;
: watch ( pos kind -- ) watched bit @ SWAP set-bits ;
: watch-any ( pos -- ) #any watch ;

: watch-way ( kind way -- )
	2DUP @ SWAP watch
	DUP @ piece-at attacker's?              \ then what stands between would matter, too
	IF DUP CELLSIZE + @ watch-any DUP CELLSIZE + CELLSIZE + @ watch-any ENDIF
	2DROP
;
: watch-kind ( kind -- )
	DUP victim-at @ SWAP ways-of            ( kind end way )
	BEGIN 2DUP > WHILE 2 PICK OVER watch-way #way + REPEAT
	2DROP DROP
;
: watch-neighbours ( i -- )
	victim-at @ SWAP neighbour
	4 0 DO DUP @ DUP 0< IF DROP ELSE watch-any ENDIF CELLSIZE + LOOP
	DROP
;

\ A move closes one side at most.  So a siege with two open sides cannot be completed, and needs no watch.
: watch-run ( kind i -- )
	OVER run-side + victim-at @             ( kind i pos )
	ROT 1+ 0 DO                             ( i pos )
		DUP 0< NOT IF OVER neighbour @ DUP 0< NOT IF DUP watch-any ENDIF ENDIF
	LOOP
	2DROP
;
: watch-runs ( kind -- )
	DUP open-runs 2 < IF 4 0 DO DUP I watch-run LOOP ENDIF
	DROP
;
: watch-natural-siege ( -- )
	victim-kind DUP #pyramid =
	IF
		DROP #parts 0 DO
			I defender @ side part @ IF I defender @ side class @ watch-runs ENDIF
		LOOP
	ELSE watch-runs ENDIF
;
: watch-siege ( -- )
	natural-siege @ IF watch-natural-siege ELSE
		0 open-sides 2 < IF 0 watch-neighbours ENDIF
		4 open-sides 2 < IF 4 watch-neighbours ENDIF
	ENDIF
	sandwich @ IF 0 watch-neighbours 4 watch-neighbours ENDIF
;
: watch-all ( -- )
	#round watch-kind #triangle watch-kind #square watch-kind
	long-runs @ IF #long watch-kind ENDIF
	watch-siege
;

\ The numbers that an eruption can hit: those of all units of all victims.
3 CELLS CONSTANT #triple
: second ( triple -- addr ) [ 1 CELLS ] LITERAL + ;
: third ( triple -- addr ) [ 2 CELLS ] LITERAL + ;
#squares #parts + 1+ 3 * [] units[]     \ number, square, bit of the victim
VARIABLE units-end
: triple, ( a b c end -- )
	DUP @ >R #triple SWAP +!
	R@ third ! R@ second ! R> !
;
: unit, ( n -- ) victim-at @ bit @ units-end triple, ;
: list-units ( -- )
	victim-kind #pyramid =
	IF
		#parts 0 DO I defender @ side part @ DUP IF unit, ELSE DROP ENDIF LOOP
		defender @ side usable[] @ DUP IF unit, ELSE DROP ENDIF
	ELSE victim-at @ piece-type-at value-of[] @ unit, ENDIF
;

: survey-near ( -- )
	suffers-near DUP victims @ near[] !
	IF bit @ doomed-near set-bits bit @ doomed set-bits ENDIF
	reach-end @ reach-list <> IF bit @ visited set-bits ENDIF
;
: survey-far ( -- ) suffers-far DUP victims @ far[] ! IF bit @ doomed set-bits ENDIF ;
: survey-victim ( pos -- )
	DUP victim-at ! victims @ victim[] !
	victims @ bit-of bit !
	survey-near survey-far
	watch-all list-units
	victims ++
;
: victim? ( pos -- ? ) piece-at #Player AND defender @ = ;
: survey ( player -- )
	attack-by muster-both
	victims OFF doomed OFF doomed-near OFF visited OFF
	0 watch[] #places #any 1+ * CELLS ERASE
	0 units[] units-end !
	0 #squares 1- DO I squares[] @ DUP victim? IF survey-victim ELSE DROP ENDIF -1 +LOOP
;

\ The engine runs OnGenerateMoves before it makes a list; the first move word then makes the survey, for only there
\ is it certain whose moves are wanted.
VARIABLE surveyed                       \ for whom, or 0
: OnGenerateMoves ( -- ) surveyed OFF ;
: survey-once ( -- )
	surveyed @ current-player <> IF current-player DUP surveyed ! survey ENDIF
;

\ === The piece that moves ===============================================================================
VARIABLE mover-kind
VARIABLE equals                         \ the victims with a number that is one of its own
CREATE mover-list 32 CELLS ALLOT        \ its values: see captures.4th
VARIABLE mover-end

\ Its shots: the units that it takes by eruption from the right distance.
#squares 24 * [] shots[]                          \ distance, square, bit of the victim
VARIABLE shots-end
VARIABLE fired                          \ the victims that it takes so from where it stands

: ratio ( value n -- distance | 0 )     \ the number by which one must be multiplied to give the other
	2DUP > IF products-only @ IF 2DROP 1 0 ELSE SWAP ENDIF ENDIF
	DUP IF SWAP /MOD SWAP IF DROP 0 ENDIF ELSE SWAP DROP ENDIF
;
: aim ( value unit -- )
	2DUP @ = IF DUP third @ equals set-bits ENDIF
	SWAP OVER @ ratio                       ( unit distance )
	DUP 2 < OVER 16 > OR IF 2DROP ELSE
	2DUP SWAP second @ from apart = IF OVER third @ fired set-bits ENDIF
	SWAP DUP second @ SWAP third @ shots-end triple, ENDIF
;
: aim-all ( value -- )
	0 units[]
	BEGIN DUP units-end @ < WHILE 2DUP aim #triple + REPEAT
	2DROP
;
: look-at-mover ( -- )
	from piece-type-at kind-of[] @ mover-kind !
	mover-list list-end ! from values, list-end @ mover-end !
	equals OFF fired OFF 0 shots[] shots-end !
	mover-list BEGIN DUP mover-end @ < WHILE DUP @ aim-all #entry + REPEAT DROP
;

\ === What a move takes ==================================================================================
VARIABLE near-again                     \ the victims that must be looked at again
VARIABLE far-again

: arrivals ( pos -- bits )              \ the victims that the mover reaches from there
	mover-kind @ #pyramid =
	IF 0 #kinds 0 DO OVER I watched @ OR LOOP SWAP DROP ELSE mover-kind @ watched @ ENDIF
;
\ One who leaves can only spare victims, one who comes can only harm: alone by its own number, else with others.
: near-touched ( goal -- bits )
	DUP arrivals visited @ equals @ OR AND
	SWAP #any watched @ OR
	from arrivals doomed-near @ AND OR from #any watched @ OR
;
: far-touched ( goal -- bits )
	fired @ SWAP 0 shots[]
	BEGIN DUP shots-end @ < WHILE           ( bits goal shot )
		2DUP second @ apart OVER @ =
		IF ROT OVER third @ OR ROT ROT ENDIF
		#triple +
	REPEAT
	2DROP
;

\ For the tests the piece is put on its goal, on the board itself; no word looks at the hash key meanwhile.
: put-on ( goal -- ) from piece-at SWAP board[] ! 0 from board[] ! ;
: put-back ( goal -- ) DUP piece-at from board[] ! 0 SWAP board[] ! ;

: verdict ( i -- set )
	DUP victim[] @ victim-at !
	DUP bit-of near-again @ AND IF suffers-near ELSE DUP near[] @ ENDIF
	OVER bit-of far-again @ AND IF suffers-far ELSE OVER far[] @ ENDIF
	OR SWAP DROP
;

VARIABLE took-pieces
VARIABLE took-value
VARIABLE took-digits
: count-piece ( n -- ) took-pieces ++ DUP took-value +! digits took-digits +! ;
: take ( pos -- ) DUP capture-at piece-type-at value-of[] @ count-piece ;

: take-parts ( set -- )
	#parts 0 DO
		I 1+ bits[] @ OVER AND IF I defender @ side part-home take ENDIF
	LOOP
	DROP
;
: take-total ( -- ) defender @ side totals[] @ count-piece ;
: set-counts ( pieces value digits -- ) took-digits ! took-value ! took-pieces ! ;
: take-pyramid ( -- )                   \ with all that is left of it
	victim-at @ capture-at
	took-pieces @ took-value @ took-digits @
	defender @ side remaining[] @ take-parts
	counting @ 1 = IF set-counts ELSE 2DROP DROP ENDIF
	counting @ IF take-total ENDIF
	COMPILE pyramid-falls
;
: whole? ( set -- ? )
	DUP 1 AND dies-whole @ OR SWAP defender @ side remaining[] @ = OR
;
: take-victim ( set -- )
	victim-kind #pyramid =
	IF DUP whole? IF DROP take-pyramid ELSE take-parts ENDIF ELSE DROP victim-at @ take ENDIF
;
: take-all ( -- )
	near-again @ far-again @ OR doomed @ OR
	victims @ 0 DO
		I bit-of OVER AND IF I verdict DUP IF take-victim ELSE DROP ENDIF ENDIF
	LOOP
	DROP
;
: note-counts ( -- )
	took-pieces @ IF
		took-pieces @ COMPILE-LITERAL took-value @ COMPILE-LITERAL took-digits @ COMPILE-LITERAL
		COMPILE tally
	ENDIF
;
: capture ( goal -- )
	DUP near-touched near-again ! DUP far-touched far-again !
	near-again @ far-again @ OR doomed @ OR
	IF 0 0 0 set-counts DUP put-on take-all DUP put-back note-counts ENDIF
	DROP
;

\ === Moves ==============================================================================================
\ A move is compiled, not made: `move` and `capture-at` also write its text, COMPILE only puts a call into it.
: advance ( goal -- )
	from OVER move
	capture
	COMPILE settle                          \ see victories.4th
	add-move
;

DEFER act ( goal -- )                   \ what is done with each goal: moves here, remarks in explain.4th
' advance IS act
: try ( way -- ) DUP @ piece-at OVER free? NOT OR IF DROP ELSE @ act ENDIF ;
: go ( kind -- )
	from SWAP ways-of
	BEGIN 2DUP > WHILE DUP try #way + REPEAT
	2DROP
;

\ Where all runs go straight on, a long run is a square's and has been gone already.
: has-kind? ( kind -- ? ) bits[] @ attacker @ side skills[] @ AND 0<> ;
: gone? ( kind -- ? ) #long = ways @ 0 marching-ways[] = AND #square has-kind? AND ;
: go-pyramid ( -- )
	#kinds 0 DO I has-kind? IF I gone? NOT IF I go ENDIF ENDIF LOOP
;
: go-anywhere ( -- )
	look-at-mover
	mover-kind @ #pyramid = IF go-pyramid ELSE mover-kind @ go ENDIF
;

\ The only move word: it adds all moves of the piece.  Parts of pyramids in the margin have none.
: go-on-board ( -- ) from on-board? verify survey-once go-anywhere ;

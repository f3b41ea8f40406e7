\ Captures: the enemy pieces that a player's pieces take in the position on the board.

\ Owns the four kinds of capture.  A piece is taken
\   by siege      if attackers block all its straight or all its diagonal neighbours (or all its moves: siege=natural)
\   by equality   if an attacker of the same value could move to its square
\   by ambush     if the values of two such attackers give its value by + - x or /
\   by eruption   if an attacker's value, multiplied or divided by its distance in row or column, gives its value.
\ A victim is an enemy piece.  It consists of units that can be taken: one unit for a piece; for a pyramid its total
\ and its parts.  This file does not know moves: moves.4th puts the moved piece on its goal before it calls the tests.
\ explain.4th uses the same tests to explain captures; `found-reason` passes each reason to it.

VARIABLE attacker                       \ the player whose captures are computed
VARIABLE defender
: foe ( player -- player' ) White = IF Black ELSE White ENDIF ;
: side-of ( player -- 0 | 1 ) player-index ;
: attack-by ( player -- ) DUP attacker ! foe defender ! ;       \ sets attacker and defender
: attacker's? ( piece -- ? ) #Player AND attacker @ = ;

\ === Numbers and classes ==============================================================================
\ Two tables by piece type: the class, which is the first letter of the type's name, and the value.
4 CONSTANT #pyramid                     \ the class beside #round, #triangle and #square
256 [] class-of[]
256 [] value-of[]

: class-named ( c -- kind | -1 )
	DUP ASCII R = IF DROP #round ELSE
	DUP ASCII T = IF DROP #triangle ELSE
	DUP ASCII S = IF DROP #square ELSE
	ASCII P = IF #pyramid ELSE -1 ENDIF ENDIF ENDIF ENDIF
;
: type-name ( type -- str ) 1- #PieceCells * CELLS $pieces @ + @ CFA>NFA @ ;
: read-pieces ( -- )                    \ fills both tables; must run after each {pieces} section
	$pieceCount @ 1+ 1 DO
		I type-name C@ class-named I class-of[] !
		I piece-value I value-of[] !
	LOOP
;
: digits ( n -- d ) 0 BEGIN 1+ SWAP 10 / SWAP OVER 0= UNTIL SWAP DROP ;

\ === Pyramids =========================================================================================
\ A pyramid on the board is only a marker, its shell.  Its parts are pieces on positions in the margin, outside the
\ playing board, each on the position that is its home.  White's pyramid has six parts, Black's five.
6 CONSTANT #parts
CREATE homes l1 , l2 , l3 , l4 , l5 , l6 , a16 , a15 , a14 , a13 , a12 , nothing ,
: part-home ( i side -- pos ) #parts * + CELLS homes + @ ;

\ Sets are masks of a victim's units: bit 0 is the piece itself or the total of a pyramid, bits 1 to 6 are parts.
32 [] bits[]
: fill-bits ( -- ) 1 32 0 DO DUP I bits[] ! 2* LOOP DROP ;
fill-bits

\ The remaining parts of both pyramids, computed for each position.
#parts 2 * [] parts[]                   \ values, 0 for a lost part
#parts 2 * [] classes[]
2 [] remaining[]                        \ the set of remaining parts
2 [] totals[]
2 [] usable[]                           \ the total if it can be used as a number beside the parts, else 0
2 [] skills[]                           \ mask of the kinds of ways (see geometry.4th) along which it can move

VARIABLE side-read                      \ the side whose pyramid is read
: part ( i side -- addr ) #parts * + parts[] ;
: class ( i side -- addr ) #parts * + classes[] ;
: read-part ( i -- )
	DUP side-read @ part-home piece-type-at     ( i type )
	DUP value-of[] @ 2 PICK side-read @ part !
	DUP IF
		DUP value-of[] @ side-read @ totals[] +!
		class-of[] @ DUP bits[] @ side-read @ skills[] @ OR side-read @ skills[] !
		OVER side-read @ class !
		1+ bits[] @ side-read @ remaining[] +!
	ELSE 2DROP ENDIF
;
: complete? ( side -- ? )               \ are bits 1 to 6 of White's set, or 1 to 5 of Black's, all present?
	DUP remaining[] @ SWAP IF 62 ELSE 126 ENDIF = ;
: single? ( set -- ? ) DUP DUP NEGATE AND = ;       \ at most one unit
: usable ( side -- n )
	DUP remaining[] @ single? IF DROP 0 ELSE
	DUP complete? intact-totals @ NOT OR IF totals[] @ ELSE DROP 0 ENDIF ENDIF
;
: read-pyramid ( side -- )
	DUP side-read ! DUP remaining[] OFF DUP totals[] OFF DUP skills[] OFF
	#parts 0 DO I read-part LOOP
	DUP usable OVER usable[] !
	DUP complete? long-runs @ AND IF #long bits[] @ SWAP skills[] +! ELSE DROP ENDIF
;
: read-pyramids ( -- ) 0 read-pyramid 1 read-pyramid ;

\ === Attackers that reach the victim ====================================================================
\ A list of attackers has an entry for each value: the value, and the square of the attacker that has it.  A pyramid has
\ several entries.
2 CELLS CONSTANT #entry
VARIABLE list-end
: entry, ( pos value -- ) list-end @ ! list-end @ CELLSIZE + ! #entry list-end +! ;
: entry-pos ( entry -- pos ) CELLSIZE + @ ;

: total, ( pos -- ) attacker @ side-of usable[] @ DUP IF entry, ELSE 2DROP ENDIF ;
: pyramid-values, ( pos -- )            \ adds entries for its remaining parts and its total
	attacker @ side-of
	#parts 0 DO I OVER part @ DUP IF 2 PICK SWAP entry, ELSE DROP ENDIF LOOP
	DROP total,
;
: values, ( pos -- )
	DUP piece-type-at DUP class-of[] @ #pyramid =
	IF DROP pyramid-values, ELSE value-of[] @ entry, ENDIF
;

VARIABLE kind                           \ the kind of the ways under test
: moves-that-way? ( i -- ? ) attacker @ side-of class @ kind @ = kind @ #long = OR ;
: pyramid-reach, ( pos -- )             \ adds the parts that can move along this kind of way
	list-end @ SWAP
	#parts 0 DO
		I attacker @ side-of part @
		DUP IF I moves-that-way? IF 2DUP entry, ENDIF ENDIF
		DROP
	LOOP
	SWAP list-end @ = IF DROP ELSE total, ENDIF
;
: way-free? ( way -- ? )                \ are the squares between empty?
	CELLSIZE + DUP @ piece-at SWAP CELLSIZE + @ piece-at OR 0= ;
: add-attacker ( way -- )               \ adds the attacker at the other end, if it can move along the way
	DUP @ piece-at                          ( way piece )
	DUP attacker's? IF OVER way-free? ELSE FALSE ENDIF
	IF
		#PieceType AND DUP class-of[] @          ( way type class )
		DUP kind @ = IF DROP value-of[] @ SWAP @ SWAP entry, ELSE
		#pyramid = IF DROP @ pyramid-reach, ELSE 2DROP ENDIF ENDIF
	ELSE 2DROP ENDIF
;
: add-attackers ( pos kind -- )
	DUP kind ! ways-of
	BEGIN 2DUP > WHILE DUP add-attacker #way + REPEAT
	2DROP
;

VARIABLE victim-at                      \ the square of the victim
CREATE reach-list 128 CELLS ALLOT
VARIABLE reach-end
: list-reach ( -- )
	reach-list list-end !
	victim-at @ #round add-attackers victim-at @ #triangle add-attackers victim-at @ #square add-attackers
	long-runs @ IF attacker @ side-of complete? IF victim-at @ #long add-attackers ENDIF ENDIF
	list-end @ reach-end !
;
CREATE line-list 128 CELLS ALLOT        \ all attackers in the victim's row and column
VARIABLE line-end
: list-line ( -- )
	line-list list-end !
	victim-at @ line
	#line 0 DO DUP @ DUP piece-at attacker's? IF values, ELSE DROP ENDIF CELLSIZE + LOOP
	DROP
	list-end @ line-end !
;

\ === Reasons ============================================================================================
\ A test searches for a reason why a unit of the victim is taken.  It stops at the first reason, except when
\ captures are explained: then it reports every reason.  The number of a reason is one of the constants below, or for
\ an ambush the sign of its operation: + - x /
VARIABLE reason-found
VARIABLE explaining
DEFER report-reason ( reason -- )
VARIABLE unit                           \ the unit under test: 0 the piece or the total of a pyramid, 1 to 6 parts
VARIABLE unit-value                     \ the value of that unit
VARIABLE first-entry                    \ the entries of the attackers that take it
VARIABLE second-entry
1 CONSTANT #siege
2 CONSTANT #equality
3 CONSTANT #eruption
: found-reason ( reason -- ) reason-found ON explaining @ IF report-reason ELSE DROP ENDIF ;
: stop-testing? ( -- ? ) reason-found @ explaining @ NOT AND ;

\ === Equality and ambush ===============================================================================
: equality ( -- )
	reach-list
	BEGIN DUP reach-end @ < stop-testing? NOT AND WHILE
		DUP @ unit-value @ = IF DUP first-entry ! #equality found-reason ENDIF
		#entry +
	REPEAT
	DROP
;

: matching-operation ( x y -- c | 0 )   \ the sign of the operation that yields the unit's value
	2DUP + unit-value @ = IF 2DROP ASCII + EXIT ENDIF
	2DUP - ABS unit-value @ = IF 2DROP ASCII - EXIT ENDIF
	2DUP * unit-value @ = IF 2DROP ASCII x EXIT ENDIF
	2DUP unit-value @ * = ROT ROT SWAP unit-value @ * = OR IF ASCII / ELSE 0 ENDIF
;
: try-pair ( -- )                       \ two values of the same pyramid are not two attackers
	first-entry @ entry-pos second-entry @ entry-pos <>
	IF first-entry @ @ second-entry @ @ matching-operation DUP IF found-reason ELSE DROP ENDIF ENDIF
;
: try-pairs ( end list -- )
	first-entry !
	BEGIN first-entry @ OVER < stop-testing? NOT AND WHILE
		first-entry @ #entry +
		BEGIN 2DUP > WHILE DUP second-entry ! try-pair #entry + REPEAT
		DROP
		#entry first-entry +!
	REPEAT
	DROP
;

\ With ambush=sandwich the two attackers are on opposite sides of the victim.  An axis is a pair of opposite directions:
\ the list has the values on one of the four axes.
CREATE axis-list 32 CELLS ALLOT
: flanking-square ( i -- pos | -1 ) victim-at @ SWAP neighbour @ ;
: flanking? ( i -- ? ) flanking-square DUP 0< IF DROP FALSE ELSE piece-at attacker's? ENDIF ;
: ambush-on-axis ( i -- )
	DUP flanking? OVER 2 + flanking? AND
	IF
		axis-list list-end !
		DUP flanking-square values, 2 + flanking-square values,
		list-end @ axis-list try-pairs
	ELSE DROP ENDIF
;
: ambush ( -- )
	sandwich @
	IF 0 ambush-on-axis 1 ambush-on-axis 4 ambush-on-axis 5 ambush-on-axis
	ELSE reach-end @ reach-list try-pairs ENDIF
;

: equal-or-ambushed? ( n -- ? )
	unit-value ! reason-found OFF
	equality stop-testing? NOT IF ambush ENDIF
	reason-found @
;

\ === Eruption ===========================================================================================
: erupts? ( value n -- ? )
	2DUP * unit-value @ =
	IF 2DROP TRUE ELSE products-only @ IF 2DROP FALSE ELSE unit-value @ * = ENDIF ENDIF
;
: erupted? ( n -- ? )
	unit-value ! reason-found OFF
	line-list
	BEGIN DUP line-end @ < stop-testing? NOT AND WHILE
		DUP @ OVER entry-pos victim-at @ line-distance erupts?
		IF DUP first-entry ! #eruption found-reason ENDIF
		#entry +
	REPEAT
	DROP reason-found @
;

\ === Siege ==============================================================================================
: closed-side? ( pos -- ? ) DUP 0< IF DROP TRUE ELSE piece-at attacker's? ENDIF ;
\ The number of open neighbours among four, counted up to two; i: 0 straight, 4 diagonal.
: open-sides ( i -- n )
	0 victim-at @ ROT neighbour             ( n addr )
	4 0 DO
		DUP @ closed-side? NOT IF SWAP 1+ SWAP OVER 2 = IF LEAVE ENDIF ENDIF
		CELLSIZE +
	LOOP
	DROP
;

\ Distant Siege tests the victim's own runs: one square diagonally for a round, two squares straight for a
\ triangle, three squares straight for a square.
: first-run-direction ( kind -- i ) #round = IF 4 ELSE 0 ENDIF ;
VARIABLE heading
: open-run? ( pos i n -- ? )            \ n squares in direction i: empty, or empty up to a piece of the defender?
	SWAP heading !
	BEGIN
		SWAP heading @ neighbour @ SWAP 1-      ( pos n )
		OVER 0< IF FALSE TRUE ELSE
		OVER piece-at DUP IF attacker's? NOT TRUE ELSE
		DROP DUP 0= IF TRUE TRUE ELSE FALSE ENDIF ENDIF ENDIF
	UNTIL
	>R 2DROP R>
;
: open-runs ( kind -- n )
	0
	4 0 DO OVER first-run-direction I + victim-at @ SWAP 3 PICK 1+ open-run? IF 1+ ENDIF LOOP
	SWAP DROP
;

: found-siege ( unit -- ) unit ! #siege found-reason ;
: natural-siege-of-pyramid ( -- set )   \ the besieged parts
	0
	#parts 0 DO
		I defender @ side-of part @
		IF I defender @ side-of class @ open-runs 0= IF I 1+ DUP found-siege bits[] @ OR ENDIF ENDIF
	LOOP
;
: adjacent-siege ( -- set )
	0 open-sides 0= DUP NOT IF DROP 4 open-sides 0= ENDIF
	IF 0 found-siege 1 ELSE 0 ENDIF
;
: victim-class ( -- kind ) victim-at @ piece-type-at class-of[] @ ;
: besieged ( -- set )
	natural-siege @ NOT IF adjacent-siege ELSE
	victim-class DUP #pyramid = IF DROP natural-siege-of-pyramid ELSE
	open-runs 0= IF 0 found-siege 1 ELSE 0 ENDIF ENDIF ENDIF
;

\ === The taken units of a victim ========================================================================
: units-of-pyramid ( 'test -- set )
	0 unit !
	defender @ side-of usable[] @ DUP IF OVER EXECUTE 1 AND ENDIF
	#parts 0 DO                             ( 'test set )
		I defender @ side-of part @ DUP
		IF I 1+ unit ! 2 PICK EXECUTE IF I 1+ bits[] @ OR ENDIF ELSE DROP ENDIF
	LOOP
	SWAP DROP
	dies-whole @ IF DUP IF DROP 1 ENDIF ENDIF
;
: units-where ( 'test -- set )          \ the units for whose value a test ( n -- ? ) is true
	victim-class #pyramid = IF units-of-pyramid ELSE
	0 unit ! victim-at @ piece-type-at value-of[] @ SWAP EXECUTE 1 AND ENDIF
;

\ Captures have two groups, because a move affects them in different ways: siege, equality and ambush depend on the
\ squares near the victim, an eruption may come from afar.
\ Both words return the set of taken units of the victim at `victim-at`.
: taken-near ( -- set ) besieged list-reach ['] equal-or-ambushed? units-where OR ;
: taken-far ( -- set ) list-line ['] erupted? units-where ;

\ Captures: what a player's pieces take in the position on the board.

\ Owns the four kinds of capture, and what of a victim goes: a piece, a pyramid, or some of its parts.  It
\ knows no moves: whoever wants to know what a move takes puts the piece on its goal first (see moves.4th).
\ The same words explain a capture: see explain.4th, which listens at `witness`.

VARIABLE attacker                       \ the player whose captures are worked out
VARIABLE defender
: foe ( player -- player' ) White = IF Black ELSE White ENDIF ;
: side ( player -- 0 | 1 ) player-index ;
: attack-by ( player -- ) DUP attacker ! foe defender ! ;
: attacker's? ( piece -- ? ) #Player AND attacker @ = ;

\ === Numbers and classes ==============================================================================
\ The name of a piece type begins with the letter of its class: they go into a table, beside the values.
4 CONSTANT #pyramid                     \ the class beside #round, #triangle and #square
256 [] kind-of[]
256 [] value-of[]

: kind-named ( c -- kind | -1 )
	DUP ASCII R = IF DROP #round ELSE
	DUP ASCII T = IF DROP #triangle ELSE
	DUP ASCII S = IF DROP #square ELSE
	ASCII P = IF #pyramid ELSE -1 ENDIF ENDIF ENDIF ENDIF
;
: type-name ( type -- str ) 1- #PieceCells * CELLS $pieces @ + @ CFA>NFA @ ;
: read-pieces ( -- )                    \ to be run whenever the section of pieces has been set
	$pieceCount @ 1+ 1 DO
		I type-name C@ kind-named I kind-of[] !
		I piece-value I value-of[] !
	LOOP
;
: digits ( n -- d ) 0 BEGIN 1+ SWAP 10 / SWAP OVER 0= UNTIL SWAP DROP ;

\ === Pyramids =========================================================================================
\ A pyramid on the board is an empty shell.  Its parts stand in the margin, each on a square of its own; Black's
\ pyramid has one part less.
6 CONSTANT #parts
CREATE homes l1 , l2 , l3 , l4 , l5 , l6 , a16 , a15 , a14 , a13 , a12 , nothing ,
: part-home ( i side -- pos ) #parts * + CELLS homes + @ ;

\ Sets are masks: 1 is unit 0 of a victim, the piece itself or the total of a pyramid; 2, 4, 8 ... are parts.
32 [] bits[]
: fill-bits ( -- ) 1 32 0 DO DUP I bits[] ! 2* LOOP DROP ;
fill-bits

\ What is left of both pyramids, written down anew for each position.
#parts 2 * [] parts[]                   \ values, 0 for what is gone
#parts 2 * [] classes[]
2 [] remaining[]                        \ the set of parts
2 [] totals[]
2 [] usable[]                           \ the total if it can be used as a number beside the parts, else 0
2 [] skills[]                           \ kinds of ways that it can go, as a mask

VARIABLE party                          \ the side that is mustered
: part ( i side -- addr ) #parts * + parts[] ;
: class ( i side -- addr ) #parts * + classes[] ;
: muster-part ( i -- )
	DUP party @ part-home piece-type-at     ( i type )
	DUP value-of[] @ 2 PICK party @ part !
	DUP IF
		DUP value-of[] @ party @ totals[] +!
		kind-of[] @ DUP bits[] @ party @ skills[] @ OR party @ skills[] !
		OVER party @ class !
		1+ bits[] @ party @ remaining[] +!
	ELSE 2DROP ENDIF
;
: complete? ( side -- ? ) DUP remaining[] @ SWAP IF 62 ELSE 126 ENDIF = ;
: single? ( set -- ? ) DUP DUP NEGATE AND = ;       \ no or one part
: usable ( side -- n )
	DUP remaining[] @ single? IF DROP 0 ELSE
	DUP complete? intact-totals @ NOT OR IF totals[] @ ELSE DROP 0 ENDIF ENDIF
;
: muster ( side -- )
	DUP party ! DUP remaining[] OFF DUP totals[] OFF DUP skills[] OFF
	#parts 0 DO I muster-part LOOP
	DUP usable OVER usable[] !
	DUP complete? long-runs @ AND IF #long bits[] @ SWAP skills[] +! ELSE DROP ENDIF
;
: muster-both ( -- ) 0 muster 1 muster ;

\ === Who can come ======================================================================================
\ Lists of what attackers bring: pairs of a value and the square that it comes from.  A pyramid brings several.
2 CELLS CONSTANT #entry
VARIABLE list-end
: entry, ( pos value -- ) list-end @ ! list-end @ CELLSIZE + ! #entry list-end +! ;
: entry-pos ( entry -- pos ) CELLSIZE + @ ;

: total, ( pos -- ) attacker @ side usable[] @ DUP IF entry, ELSE 2DROP ENDIF ;
: pyramid-values, ( pos -- )            \ all that is left
	attacker @ side
	#parts 0 DO I OVER part @ DUP IF 2 PICK SWAP entry, ELSE DROP ENDIF LOOP
	DROP total,
;
: values, ( pos -- )
	DUP piece-type-at DUP kind-of[] @ #pyramid =
	IF DROP pyramid-values, ELSE value-of[] @ entry, ENDIF
;

VARIABLE kind                           \ of the ways that are looked at
: suits? ( i -- ? ) attacker @ side class @ kind @ = kind @ #long = OR ;
: pyramid-reach, ( pos -- )             \ the parts that can go this kind of way
	list-end @ SWAP
	#parts 0 DO
		I attacker @ side part @
		DUP IF I suits? IF 2DUP entry, ENDIF ENDIF
		DROP
	LOOP
	SWAP list-end @ = IF DROP ELSE total, ENDIF
;
: free? ( way -- ? ) CELLSIZE + DUP @ piece-at SWAP CELLSIZE + @ piece-at OR 0= ;
: comer ( way -- )                      \ what stands at the other end, if it can come
	DUP @ piece-at                          ( way piece )
	DUP attacker's? IF OVER free? ELSE FALSE ENDIF
	IF
		#PieceType AND DUP kind-of[] @          ( way type class )
		DUP kind @ = IF DROP value-of[] @ SWAP @ SWAP entry, ELSE
		#pyramid = IF DROP @ pyramid-reach, ELSE 2DROP ENDIF ENDIF
	ELSE 2DROP ENDIF
;
: comers ( pos kind -- )
	DUP kind ! ways-of
	BEGIN 2DUP > WHILE DUP comer #way + REPEAT
	2DROP
;

VARIABLE victim-at                      \ the square of the victim
CREATE reach-list 128 CELLS ALLOT
VARIABLE reach-end
: list-reach ( -- )
	reach-list list-end !
	victim-at @ #round comers victim-at @ #triangle comers victim-at @ #square comers
	long-runs @ IF attacker @ side complete? IF victim-at @ #long comers ENDIF ENDIF
	list-end @ reach-end !
;
CREATE line-list 128 CELLS ALLOT        \ all attackers in its row and column
VARIABLE line-end
: list-line ( -- )
	line-list list-end !
	victim-at @ line
	#line 0 DO DUP @ DUP piece-at attacker's? IF values, ELSE DROP ENDIF CELLSIZE + LOOP
	DROP
	list-end @ line-end !
;

\ === Witnesses ==========================================================================================
\ A test looks for a reason why a unit of the victim is taken.  The first one is enough, except when captures are
\ told to people: then every reason is, and the test goes on.
VARIABLE witnessed
VARIABLE telling
DEFER tell ( how -- )
VARIABLE unit                           \ of the victim: 0 itself or the total of a pyramid, 1 ... 6 parts
VARIABLE wanted                         \ its number
VARIABLE one                            \ the entries that take it
VARIABLE two
1 CONSTANT #siege
2 CONSTANT #equality
3 CONSTANT #eruption                    \ an ambush is told by the sign of its operation: + - x /
: witness ( how -- ) witnessed ON telling @ IF tell ELSE DROP ENDIF ;
: enough? ( -- ? ) witnessed @ telling @ NOT AND ;

\ === Equality and ambush ===============================================================================
: equality ( -- )
	reach-list
	BEGIN DUP reach-end @ < enough? NOT AND WHILE
		DUP @ wanted @ = IF DUP one ! #equality witness ENDIF
		#entry +
	REPEAT
	DROP
;

: operation ( x y -- c | 0 )            \ which of them makes the wanted number
	2DUP + wanted @ = IF 2DROP ASCII + EXIT ENDIF
	2DUP - ABS wanted @ = IF 2DROP ASCII - EXIT ENDIF
	2DUP * wanted @ = IF 2DROP ASCII x EXIT ENDIF
	2DUP wanted @ * = ROT ROT SWAP wanted @ * = OR IF ASCII / ELSE 0 ENDIF
;
: try-pair ( -- )                       \ two values of one pyramid are no two pieces
	one @ entry-pos two @ entry-pos <>
	IF one @ @ two @ @ operation DUP IF witness ELSE DROP ENDIF ENDIF
;
: pairs ( end list -- )
	one !
	BEGIN one @ OVER < enough? NOT AND WHILE
		one @ #entry +
		BEGIN 2DUP > WHILE DUP two ! try-pair #entry + REPEAT
		DROP
		#entry one +!
	REPEAT
	DROP
;

\ Between two attackers on opposite sides: a list for each of the four axes, worked out when it is wanted.
CREATE axis-list 32 CELLS ALLOT
: flank ( i -- pos | -1 ) victim-at @ SWAP neighbour @ ;
: flanking? ( i -- ? ) flank DUP 0< IF DROP FALSE ELSE piece-at attacker's? ENDIF ;
: axis ( i -- )
	DUP flanking? OVER 2 + flanking? AND
	IF
		axis-list list-end !
		DUP flank values, 2 + flank values,
		list-end @ axis-list pairs
	ELSE DROP ENDIF
;
: ambush ( -- )
	sandwich @ IF 0 axis 1 axis 4 axis 5 axis ELSE reach-end @ reach-list pairs ENDIF
;

: met? ( n -- ? )
	wanted ! witnessed OFF
	equality enough? NOT IF ambush ENDIF
	witnessed @
;

\ === Eruption ===========================================================================================
: erupts? ( value n -- ? )
	2DUP * wanted @ =
	IF 2DROP TRUE ELSE products-only @ IF 2DROP FALSE ELSE wanted @ * = ENDIF ENDIF
;
: erupted? ( n -- ? )
	wanted ! witnessed OFF
	line-list
	BEGIN DUP line-end @ < enough? NOT AND WHILE
		DUP @ OVER entry-pos victim-at @ apart erupts?
		IF DUP one ! #eruption witness ENDIF
		#entry +
	REPEAT
	DROP witnessed @
;

\ === Siege ==============================================================================================
: closed? ( pos -- ? ) DUP 0< IF DROP TRUE ELSE piece-at attacker's? ENDIF ;
: open-sides ( i -- n )                 \ of four neighbours: 0 straight, 4 diagonally
	0 victim-at @ ROT neighbour             ( n addr )
	4 0 DO DUP @ closed? NOT IF SWAP 1+ SWAP ENDIF CELLSIZE + LOOP
	DROP
;

\ Distant Siege looks along the victim's own runs: a round's go one square diagonally, a triangle's two and a
\ square's three squares straight.
: run-side ( kind -- i ) #round = IF 4 ELSE 0 ENDIF ;
VARIABLE heading
: open-run? ( pos i n -- ? )            \ n squares that way: does a friend come first, or nobody?
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
	4 0 DO OVER run-side I + victim-at @ SWAP 3 PICK 1+ open-run? IF 1+ ENDIF LOOP
	SWAP DROP
;

: told ( unit -- ) unit ! #siege witness ;
: natural-siege-of-pyramid ( -- set )   \ part by part
	0
	#parts 0 DO
		I defender @ side part @
		IF I defender @ side class @ open-runs 0= IF I 1+ DUP told bits[] @ OR ENDIF ENDIF
	LOOP
;
: adjacent-siege ( -- set )
	0 open-sides 0= DUP NOT IF DROP 4 open-sides 0= ENDIF
	IF 0 told 1 ELSE 0 ENDIF
;
: victim-kind ( -- kind ) victim-at @ piece-type-at kind-of[] @ ;
: besieged ( -- set )
	natural-siege @ NOT IF adjacent-siege ELSE
	victim-kind DUP #pyramid = IF DROP natural-siege-of-pyramid ELSE
	open-runs 0= IF 0 told 1 ELSE 0 ENDIF ENDIF ENDIF
;

\ === What a victim suffers ==============================================================================
: judge-pyramid ( 'test -- set )
	0 unit !
	defender @ side usable[] @ DUP IF OVER EXECUTE 1 AND ENDIF
	#parts 0 DO                             ( 'test set )
		I defender @ side part @ DUP
		IF I 1+ unit ! 2 PICK EXECUTE IF I 1+ bits[] @ OR ENDIF ELSE DROP ENDIF
	LOOP
	SWAP DROP
	dies-whole @ IF DUP IF DROP 1 ENDIF ENDIF
;
: judge ( 'test -- set )                \ the units that a test condemns; test ( n -- ? )
	victim-kind #pyramid = IF judge-pyramid ELSE
	0 unit ! victim-at @ piece-type-at value-of[] @ SWAP EXECUTE 1 AND ENDIF
;

\ Two halves, because a move matters to them in different ways: siege, equality and ambush come from near, an
\ eruption may come from afar.
: suffers-near ( -- set ) besieged list-reach ['] met? judge OR ;
: suffers-far ( -- set ) list-line ['] erupted? judge ;

\ Moves of the pieces, and the captures of each move.

\ Owns the moves and the actions compiled into them.  The text of a move lists its captures, so the captures of every
\ legal move are computed, in the position after the move.  Testing all enemy pieces, the possible victims, for each
\ of a hundred moves would be slow.  Instead a survey computes once the captures in the current position, and the
\ victims that each change could affect; a move tests again only the victims that it affects.

\ === The survey =========================================================================================
\ Victims are numbered in the order in which move texts list captures, the last square first.  Each has a bit; if
\ there are more than 32, several share a bit and are tested again together.
VARIABLE victims                        \ number of victims
#squares [] victim[]                    \ their squares
#squares [] near[]                      \ the units taken from near in the current position: see captures.4th
#squares [] far[]                       \ the units taken by eruption
: bit-of ( i -- bit ) 31 AND bits[] @ ;
: set-bits ( bits addr -- ) DUP @ ROT OR SWAP ! ;

VARIABLE bit                            \ the bit of the victim under survey
#grid 1+ [] bit-at[]                    \ the bit of the victim on a square, else 0

\ What the survey finds, as sets of victims:
VARIABLE doomed                         \ victims taken if nothing changes
VARIABLE doomed-from-near               \ the doomed victims that are not taken by eruption alone
VARIABLE reachable                      \ victims whose square an attacker can reach
#grid 1+ [] watched[]                   \ by square: the victims to test again if a piece enters or leaves it
: watch ( bits pos -- ) watched[] set-bits ;

3 CELLS CONSTANT #triple                \ records of three cells
: second ( triple -- addr ) [ 1 CELLS ] LITERAL + ;
: third ( triple -- addr ) [ 2 CELLS ] LITERAL + ;

\ --- the values of victims ---
\ All units of the victims, in chains of units with the same value.
511 CONSTANT #most                      \ the highest value of a unit
#most 1+ [] chains[]                    \ by value: the first unit of the chain, or 0
#squares #parts + 1+ 3 * [] units[]     \ next in the chain, square, bit of the victim
VARIABLE units-end

: unit, ( n -- )
	units-end @ SWAP chains[]               ( unit chain )
	2DUP @ SWAP ! OVER SWAP !
	victim-at @ OVER second ! bit @ SWAP third !
	#triple units-end +!
;
: list-units ( -- )
	victim-kind #pyramid =
	IF
		#parts 0 DO I defender @ side part @ DUP IF unit, ELSE DROP ENDIF LOOP
		defender @ side usable[] @ DUP IF unit, ELSE DROP ENDIF
	ELSE victim-at @ piece-type-at value-of[] @ unit, ENDIF
;
: bits-numbered ( n -- bits )
	0 SWAP chains[] @
	BEGIN DUP WHILE SWAP OVER third @ OR SWAP @ REPEAT
	DROP
;

\ For every value its partners in eruptions, each a chain and a distance n: first the chains of n times the value,
\ then those of the value divided by n.
#most 2 + [] partners[]
#most 2 + [] quotients[]                \ by value: the address of its first partner of the second kind
2 CELLS CONSTANT #partner
: multiples ( n -- )
	17 2 DO DUP I * DUP #most > IF DROP ELSE chains[] , I , ENDIF LOOP
	DROP
;
: divisions ( n -- )
	17 2 DO DUP I MOD 0= IF DUP I / chains[] , I , ENDIF LOOP
	DROP
;
: lay-partners ( -- )
	#most 1+ 1 DO
		HERE I partners[] ! I multiples
		HERE I quotients[] ! I divisions
	LOOP
	HERE #most 1+ partners[] !
;
lay-partners
: partners-of ( n -- end addr )
	DUP products-only @ IF quotients[] ELSE 1+ partners[] ENDIF @
	SWAP partners[] @
;

\ --- the survey of attackers ---
\ Shots of an attacker: the units that it takes by eruption from a certain distance.  For speed a shot contains the
\ address of the unit's row in the table of distances instead of the unit's square.
#squares 32 * [] shots[]                \ row of distances, distance, bit of the victim
VARIABLE shots-end
#grid [] first-shot[]                   \ by the attacker's square
#grid [] last-shot[]
#grid [] all-ends[]                     \ the victims to which its ways lead, free or not

VARIABLE agent                          \ the class of the attacker under survey
CREATE agent-list 32 CELLS ALLOT        \ its values: see captures.4th
VARIABLE agent-end
: survey-agent ( pos -- )
	DUP piece-type-at kind-of[] @ agent !
	agent-list list-end ! values, list-end @ agent-end !
;

: shot, ( distance unit -- )
	shots-end @                             ( distance unit shot )
	OVER second @ 0 distance OVER ! SWAP third @ OVER third ! second !
	#triple shots-end +!
;
: add-shots ( partner -- )              \ adds a shot for each unit of the partner's chain
	DUP @ @
	BEGIN DUP WHILE OVER second @ OVER shot, @ REPEAT
	2DROP
;
: add-all-shots ( n -- )                \ adds the shots of an attacker with value n
	partners-of BEGIN 2DUP > WHILE DUP @ @ IF DUP add-shots ENDIF #partner + REPEAT 2DROP ;

: victims-hit ( pos end shot -- bits )  \ the victims hit from a square
	0 >R
	BEGIN 2DUP > WHILE
		2 PICK OVER @ + C@ OVER CELLSIZE + @ =
		IF DUP third @ R> OR >R ENDIF
		#triple +
	REPEAT
	2DROP DROP R>
;

\ If a way leads to a victim, changes on the squares between affect the victim.
: watch-way ( way -- bit )
	DUP @ bit-at[] @                        ( way bit )
	OVER free? IF DUP reachable set-bits ENDIF
	2DUP SWAP second @ watch DUP ROT third @ watch
;
: watch-ways ( pos kind -- bits )
	0 ROT ROT ways-of                       ( bits end way )
	BEGIN 2DUP > WHILE
		DUP @ bit-at[] @ IF DUP watch-way >R ROT R> OR ROT ROT ENDIF
		#way +
	REPEAT
	2DROP
;
: has-kind? ( kind -- ? ) bits[] @ attacker @ side skills[] @ AND 0<> ;
: watch-all-ways ( pos -- bits )
	agent @ #pyramid <> IF agent @ watch-ways ELSE
	0 #kinds 0 DO I has-kind? IF OVER I watch-ways OR ENDIF LOOP SWAP DROP ENDIF
;
: survey-attacker ( pos -- )
	DUP survey-agent
	DUP watch-all-ways OVER all-ends[] !
	shots-end @ OVER first-shot[] !
	agent-list BEGIN DUP agent-end @ < WHILE DUP @ add-all-shots #entry + REPEAT DROP
	shots-end @ OVER last-shot[] !
	DUP last-shot[] @ OVER first-shot[] @ victims-hit doomed set-bits
;

\ --- the survey of victims ---
\ A move closes at most one side of a siege, so a victim with two open sides need not be watched.
: watch-near ( pos -- ) DUP 0< IF DROP ELSE bit @ SWAP watch ENDIF ;
: watch-neighbours ( i -- )
	victim-at @ SWAP neighbour
	4 0 DO DUP @ watch-near CELLSIZE + LOOP
	DROP
;
: watch-run ( kind i -- )
	OVER run-side + victim-at @             ( kind i pos )
	ROT 1+ 0 DO
		DUP 0< NOT IF OVER neighbour @ DUP watch-near ENDIF
	LOOP
	2DROP
;
: watch-runs ( kind -- )
	DUP open-runs 2 < IF 4 0 DO DUP I watch-run LOOP ENDIF
	DROP
;
: watch-natural-siege ( -- )
	victim-kind DUP #pyramid <> IF watch-runs ELSE
	DROP #parts 0 DO
		I defender @ side part @ IF I defender @ side class @ watch-runs ENDIF
	LOOP ENDIF
;
: watch-siege ( -- )
	natural-siege @ IF watch-natural-siege ELSE
		0 open-sides 2 < IF 0 watch-neighbours ENDIF
		4 open-sides 2 < IF 4 watch-neighbours ENDIF
	ENDIF
	sandwich @ IF 0 watch-neighbours 4 watch-neighbours ENDIF
;
: list-victim ( pos -- )
	DUP victim-at ! DUP victims @ victim[] !
	victims @ bit-of DUP bit ! SWAP bit-at[] !
	list-units watch-siege
	victims ++
;
\ A victim that no attacker can reach can be taken only by siege or eruption.
: survey-near ( i -- )
	bit @ reachable @ AND sandwich @ OR IF taken-near ELSE besieged ENDIF
	DUP ROT near[] ! IF bit @ doomed-from-near set-bits bit @ doomed set-bits ENDIF
;
: survey-far ( i -- ) bit @ doomed @ AND IF taken-far ELSE 0 ENDIF SWAP far[] ! ;
: survey-victim ( i -- )
	DUP victim[] @ victim-at ! DUP bit-of bit !
	DUP survey-far survey-near
;

: piece-of? ( pos player -- ? ) SWAP piece-at #Player AND = ;
: list-victims ( -- )
	0 #squares 1- DO I squares[] @ DUP defender @ piece-of? IF list-victim ELSE DROP ENDIF -1 +LOOP
;
: survey-attackers ( -- )
	#squares 0 DO I squares[] @ DUP attacker @ piece-of? IF survey-attacker ELSE DROP ENDIF LOOP
;
: clear-survey ( -- )
	victims OFF doomed OFF doomed-from-near OFF reachable OFF
	0 bit-at[] #grid 1+ CELLS ERASE 0 watched[] #grid 1+ CELLS ERASE
	0 chains[] #most 1+ CELLS ERASE 0 units[] units-end ! 0 shots[] shots-end !
;
: survey ( player -- )
	attack-by read-pyramids clear-survey
	list-victims survey-attackers
	victims @ IF victims @ 0 DO I survey-victim LOOP ENDIF
;

\ The engine runs OnGenerateMoves before it generates a list.  The first move word then makes the survey, because
\ only then is current-player the player whose moves are generated.
VARIABLE surveyed                       \ the player of the last survey, or 0
: OnGenerateMoves ( -- ) surveyed OFF ;
: survey-once ( -- )
	surveyed @ current-player <> IF current-player DUP surveyed ! survey ENDIF
;

\ === Captures of a move =================================================================================
VARIABLE leaving                        \ victims affected from near because the mover leaves its square
VARIABLE leaving-far                    \ victims affected by eruptions because the mover leaves its square
VARIABLE coming                         \ victims that the mover may affect on its goal
VARIABLE near-again                     \ victims to test again for captures from near
VARIABLE far-again                      \ victims to test again for eruptions

\ By leaving its square a piece can only save victims; on its goal it can only take more of them, by its own value
\ or together with other pieces.
: all-shots ( -- end addr ) from last-shot[] @ from first-shot[] @ ;
: survey-mover ( -- )
	from survey-agent
	from all-ends[] @ doomed-from-near @ AND from watched[] @ OR leaving !
	from all-shots victims-hit leaving-far !
	reachable @
	agent-list BEGIN DUP agent-end @ < WHILE SWAP OVER @ bits-numbered OR SWAP #entry + REPEAT DROP
	coming !
;
: victims-at-ends ( pos kind -- bits )  \ the victims to which ways lead from pos
	ways-of 0 >R
	BEGIN 2DUP > WHILE DUP @ bit-at[] @ R> OR >R #way + REPEAT
	2DROP R>
;
: victims-from-goal ( pos -- bits )
	agent @ #pyramid <> IF agent @ victims-at-ends ELSE
	0 #kinds 0 DO I has-kind? IF OVER I victims-at-ends OR ENDIF LOOP SWAP DROP ENDIF
;
: find-affected ( goal -- )
	leaving @ OVER watched[] @ OR
	coming @ IF OVER victims-from-goal coming @ AND OR ENDIF near-again !
	all-shots victims-hit leaving-far @ OR far-again !
;

\ For the tests the piece is put on its goal in the cells of the board; no word reads the hash key meanwhile.
: put-on ( goal -- ) from piece-at SWAP board[] ! 0 from board[] ! ;
: put-back ( goal -- ) DUP piece-at from board[] ! 0 SWAP board[] ! ;

: units-taken ( i -- set )
	DUP victim[] @ victim-at !
	DUP bit-of near-again @ AND IF taken-near ELSE DUP near[] @ ENDIF
	OVER bit-of far-again @ AND IF taken-far ELSE OVER far[] @ ENDIF
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
: take-pyramid ( -- )                   \ the pyramid and its remaining parts
	victim-at @ capture-at
	took-pieces @ took-value @ took-digits @
	defender @ side remaining[] @ take-parts
	counting @ 1 = IF set-counts ELSE 2DROP DROP ENDIF
	counting @ IF take-total ENDIF
	COMPILE pyramid-falls
;
: whole? ( set -- ? )
	DUP 1 AND SWAP defender @ side remaining[] @ = OR
;
: take-victim ( set -- )
	victim-kind #pyramid =
	IF DUP whole? IF DROP take-pyramid ELSE take-parts ENDIF ELSE DROP victim-at @ take ENDIF
;
: take-all ( -- )
	near-again @ far-again @ OR doomed @ OR
	victims @ 0 DO
		I bit-of OVER AND IF I units-taken DUP IF take-victim ELSE DROP ENDIF ENDIF
	LOOP
	DROP
;
: note-counts ( -- )
	took-pieces @ IF
		took-pieces @ COMPILE-LITERAL took-value @ COMPILE-LITERAL took-digits @ COMPILE-LITERAL
		COMPILE tally
	ENDIF
;
: resolve ( goal -- )
	DUP find-affected
	near-again @ far-again @ OR doomed @ OR
	IF 0 0 0 set-counts DUP put-on take-all DUP put-back note-counts ENDIF
	DROP
;

\ === Moves ==============================================================================================
\ A move is compiled, not made.  `move` and `capture-at` also write its text; COMPILE only adds a call to it.
: advance ( goal -- )
	from OVER move
	resolve
	COMPILE settle                          \ see victories.4th
	add-move
;

DEFER handle-goal ( goal -- )           \ handles a goal: adds a move; in explain.4th: prints remarks
' advance IS handle-goal
: try ( way -- ) DUP @ piece-at OVER free? NOT OR IF DROP ELSE @ handle-goal ENDIF ;
: go ( kind -- )
	from SWAP ways-of
	BEGIN 2DUP > WHILE DUP try #way + REPEAT
	2DROP
;

\ With moves=straight the long runs are also the runs of a square, whose moves have been added before.
: added-before? ( kind -- ? ) #long = ways @ 0 marching-ways[] = AND #square has-kind? AND ;
: go-pyramid ( -- )
	#kinds 0 DO I has-kind? IF I added-before? NOT IF I go ENDIF ENDIF LOOP
;
: go-anywhere ( -- )
	survey-mover
	agent @ #pyramid = IF go-pyramid ELSE agent @ go ENDIF
;

\ The only move word: it adds all moves of the piece.  Parts of pyramids in the margin have none.
: go-on-board ( -- ) from on-board? verify survey-once go-anywhere ;

\ The host ignores the variables cleared here when it compares positions: they are computed for each move list.
: forget-survey ( -- )
	0 shots[] #squares 32 * CELLS ERASE
	0 first-shot[] #grid CELLS ERASE 0 last-shot[] #grid CELLS ERASE 0 all-ends[] #grid CELLS ERASE
	0 units[] #squares #parts + 1+ 3 * CELLS ERASE 0 chains[] #most 1+ CELLS ERASE
	0 watched[] #grid 1+ CELLS ERASE 0 bit-at[] #grid 1+ CELLS ERASE
	0 victim[] #squares CELLS ERASE 0 near[] #squares CELLS ERASE 0 far[] #squares CELLS ERASE
	line-list 128 CELLS ERASE reach-list 128 CELLS ERASE
	agent-list 32 CELLS ERASE axis-list 32 CELLS ERASE
	line-end OFF reach-end OFF agent-end OFF list-end OFF
	victims OFF victim-at OFF unit OFF unit-value OFF first-entry OFF second-entry OFF
	agent OFF leaving OFF leaving-far OFF coming OFF doomed OFF doomed-from-near OFF reachable OFF
	$piece OFF
;
: OnForget ( -- ) forget-survey ;

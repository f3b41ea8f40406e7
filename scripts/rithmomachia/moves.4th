\ Moves of the pieces, and the captures of each move.

\ Owns the moves and the actions compiled into them.  The text of a move lists its captures, so the captures of every
\ legal move are computed, in the position after the move.  Testing all enemy pieces, the possible victims, for each
\ of a hundred moves would be slow.  Instead a survey computes once the captures in the current position, and the
\ victims that each change could affect; a move tests again only the victims that it affects.

\ === The survey =========================================================================================
\ Victims are numbered in the order in which move texts list captures, the last square first.  Each victim has a bit in
\ the sets below.  If there are more than 32 victims, several share a bit and are tested again together.
VARIABLE victims                        \ number of victims
#squares [] victim[]                    \ their squares
#squares [] near[]                      \ the units taken by siege, equality or ambush in the current position
#squares [] far[]                       \ the units taken by eruption
: bit-of ( i -- bit ) 31 AND bits[] @ ;
: set-bits ( bits addr -- ) DUP @ ROT OR SWAP ! ;

VARIABLE bit                            \ the bit of the victim under survey
#grid 1+ [] bit-at[]                    \ the bit of the victim on a square, else 0

\ What the survey finds, as sets of victims:
VARIABLE doomed                         \ victims taken in the current position
VARIABLE doomed-from-near               \ the doomed victims that are not taken by eruption alone
VARIABLE reachable                      \ victims whose square an attacker can reach
#grid 1+ [] watched[]                   \ by square: the victims to test again if a piece enters or leaves it
: add-watched ( bits pos -- ) watched[] set-bits ;

3 CELLS CONSTANT #triple                \ records of three cells
: second ( triple -- addr ) [ 1 CELLS ] LITERAL + ;
: third ( triple -- addr ) [ 2 CELLS ] LITERAL + ;

\ --- the values of victims ---
\ All units of the victims, in chains of units with the same value.
511 CONSTANT #max-value                 \ the highest value of a unit
#max-value 1+ [] chains[]               \ by value: the first unit of the chain, or 0
#squares #parts + 1+ 3 * [] units[]     \ next in the chain, square, bit of the victim
VARIABLE units-end

: unit, ( n -- )
	units-end @ SWAP chains[]               ( unit chain )
	2DUP @ SWAP ! OVER SWAP !
	victim-at @ OVER second ! bit @ SWAP third !
	#triple units-end +!
;
: list-units ( -- )
	victim-class #pyramid =
	IF
		#parts 0 DO I defender @ side-of part @ DUP IF unit, ELSE DROP ENDIF LOOP
		defender @ side-of usable[] @ DUP IF unit, ELSE DROP ENDIF
	ELSE victim-at @ piece-type-at value-of[] @ unit, ENDIF
;
: victims-of-value ( n -- bits )        \ the victims that have a unit of this value
	0 SWAP chains[] @
	BEGIN DUP WHILE SWAP OVER third @ OR SWAP @ REPEAT
	DROP
;

\ A partner of a value is a chain and a distance n at which an attacker of this value takes the units of the chain by
\ eruption.  The partners of a value are stored in two groups: first the chains of n times the value, then the chains of
\ the value divided by n.  The distance n is 2 to 16.
#max-value 2 + [] partners[]
#max-value 2 + [] quotients[]           \ by value: the address of its first partner in the second group
2 CELLS CONSTANT #partner
: multiples ( n -- )
	17 2 DO DUP I * DUP #max-value > IF DROP ELSE chains[] , I , ENDIF LOOP
	DROP
;
: divisions ( n -- )
	17 2 DO DUP I MOD 0= IF DUP I / chains[] , I , ENDIF LOOP
	DROP
;
: store-partners ( -- )
	#max-value 1+ 1 DO
		HERE I partners[] ! I multiples
		HERE I quotients[] ! I divisions
	LOOP
	HERE #max-value 1+ partners[] !
;
store-partners
: partners-of ( n -- end addr )
	DUP products-only @ IF quotients[] ELSE 1+ partners[] ENDIF @
	SWAP partners[] @
;

\ --- the survey of attackers ---
\ A shot of an attacker is a unit that it takes by eruption if it is at a certain distance.  For speed a shot contains
\ the address of the row of the unit's square in the table of distances, instead of the square.
#squares 32 * [] shots[]                \ row of distances, distance, bit of the victim
VARIABLE shots-end
#grid [] first-shot[]                   \ by the attacker's square
#grid [] last-shot[]
#grid [] victims-on-ways[]              \ the victims to which its ways lead, free or not

VARIABLE attacker-class                 \ the class of the attacker under survey
CREATE attacker-values 32 CELLS ALLOT   \ its values: see captures.4th
VARIABLE attacker-values-end
: list-attacker-values ( pos -- )
	DUP piece-type-at class-of[] @ attacker-class !
	attacker-values list-end ! values, list-end @ attacker-values-end !
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

: victims-hit ( pos end shot -- bits )  \ the victims hit from pos by the shots from `shot` up to `end`
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
	OVER way-free? IF DUP reachable set-bits ENDIF
	2DUP SWAP second @ add-watched DUP ROT third @ add-watched
;
: watch-ways ( pos kind -- bits )
	0 ROT ROT ways-of                       ( bits end way )
	BEGIN 2DUP > WHILE
		DUP @ bit-at[] @ IF DUP watch-way >R ROT R> OR ROT ROT ENDIF
		#way +
	REPEAT
	2DROP
;
: has-kind? ( kind -- ? ) bits[] @ attacker @ side-of skills[] @ AND 0<> ;
: watch-all-ways ( pos -- bits )
	attacker-class @ #pyramid <> IF attacker-class @ watch-ways ELSE
	0 #kinds 0 DO I has-kind? IF OVER I watch-ways OR ENDIF LOOP SWAP DROP ENDIF
;
: survey-attacker ( pos -- )
	DUP list-attacker-values
	DUP watch-all-ways OVER victims-on-ways[] !
	shots-end @ OVER first-shot[] !
	attacker-values BEGIN DUP attacker-values-end @ < WHILE DUP @ add-all-shots #entry + REPEAT DROP
	shots-end @ OVER last-shot[] !
	DUP last-shot[] @ OVER first-shot[] @ victims-hit doomed set-bits
;

\ --- the survey of victims ---
\ A move closes at most one side of a siege, so it cannot complete a siege with two open sides: such a victim is not
\ tested again.
: watch-near ( pos -- ) DUP 0< IF DROP ELSE bit @ SWAP add-watched ENDIF ;
: watch-neighbours ( i -- )
	victim-at @ SWAP neighbour
	4 0 DO DUP @ watch-near CELLSIZE + LOOP
	DROP
;
: watch-run ( kind i -- )
	OVER first-run-direction + victim-at @             ( kind i pos )
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
	victim-class DUP #pyramid <> IF watch-runs ELSE
	DROP #parts 0 DO
		I defender @ side-of part @ IF I defender @ side-of class @ watch-runs ENDIF
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
	0 chains[] #max-value 1+ CELLS ERASE 0 units[] units-end ! 0 shots[] shots-end !
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
: survey-if-needed ( -- )
	surveyed @ current-player <> IF current-player DUP surveyed ! survey ENDIF
;

\ === Captures of a move =================================================================================
VARIABLE affected-by-leaving            \ victims affected from near because the mover leaves its square
VARIABLE eruptions-lost                 \ victims affected by eruptions because the mover leaves its square
VARIABLE affected-at-goal               \ victims that the mover may affect from a goal
VARIABLE retest-near                    \ victims to test again for captures from near
VARIABLE retest-far                     \ victims to test again for eruptions

\ By leaving its square a piece can only save victims; on its goal it can only take more of them, by its own value
\ or together with other pieces.
: all-shots ( -- end addr ) from last-shot[] @ from first-shot[] @ ;
: survey-mover ( -- )
	from list-attacker-values
	from victims-on-ways[] @ doomed-from-near @ AND from watched[] @ OR affected-by-leaving !
	from all-shots victims-hit eruptions-lost !
	reachable @
	attacker-values BEGIN DUP attacker-values-end @ < WHILE SWAP OVER @ victims-of-value OR SWAP #entry + REPEAT DROP
	affected-at-goal !
;
: victims-at-ends ( pos kind -- bits )  \ the victims to which ways lead from pos
	ways-of 0 >R
	BEGIN 2DUP > WHILE DUP @ bit-at[] @ R> OR >R #way + REPEAT
	2DROP R>
;
: victims-from-goal ( pos -- bits )
	attacker-class @ #pyramid <> IF attacker-class @ victims-at-ends ELSE
	0 #kinds 0 DO I has-kind? IF OVER I victims-at-ends OR ENDIF LOOP SWAP DROP ENDIF
;
: find-affected ( goal -- )
	affected-by-leaving @ OVER watched[] @ OR
	affected-at-goal @ IF OVER victims-from-goal affected-at-goal @ AND OR ENDIF retest-near !
	all-shots victims-hit eruptions-lost @ OR retest-far !
;

\ For the tests the piece is moved to its goal in the cells of the board.  The hash key stays that of the old position,
\ because no word reads it before the piece is moved back.
: put-on-goal ( goal -- ) from piece-at SWAP board[] ! 0 from board[] ! ;
: return-to-start ( goal -- ) DUP piece-at from board[] ! 0 SWAP board[] ! ;

: units-taken ( i -- set )
	DUP victim[] @ victim-at !
	DUP bit-of retest-near @ AND IF taken-near ELSE DUP near[] @ ENDIF
	OVER bit-of retest-far @ AND IF taken-far ELSE OVER far[] @ ENDIF
	OR SWAP DROP
;

VARIABLE took-pieces
VARIABLE took-value
VARIABLE took-digits
: count-piece ( n -- ) took-pieces ++ DUP took-value +! digits took-digits +! ;
: take-unit ( pos -- ) DUP capture-at piece-type-at value-of[] @ count-piece ;

: take-parts ( set -- )
	#parts 0 DO
		I 1+ bits[] @ OVER AND IF I defender @ side-of part-home take-unit ENDIF
	LOOP
	DROP
;
: count-total ( -- ) defender @ side-of totals[] @ count-piece ;
: set-counts ( pieces value digits -- ) took-digits ! took-value ! took-pieces ! ;
: take-pyramid ( -- )                   \ the pyramid and its remaining parts
	victim-at @ capture-at
	took-pieces @ took-value @ took-digits @
	defender @ side-of remaining[] @ take-parts
	counting @ 1 = IF set-counts ELSE 2DROP DROP ENDIF
	counting @ IF count-total ENDIF
	COMPILE pyramid-falls
;
: all-units? ( set -- ? )               \ the total, or all remaining parts?
	DUP 1 AND SWAP defender @ side-of remaining[] @ = OR
;
: take-victim ( set -- )
	victim-class #pyramid =
	IF DUP all-units? IF DROP take-pyramid ELSE take-parts ENDIF ELSE DROP victim-at @ take-unit ENDIF
;
: take-victims ( -- )
	retest-near @ retest-far @ OR doomed @ OR
	victims @ 0 DO
		I bit-of OVER AND IF I units-taken DUP IF take-victim ELSE DROP ENDIF ENDIF
	LOOP
	DROP
;
: compile-counts ( -- )
	took-pieces @ IF
		took-pieces @ COMPILE-LITERAL took-value @ COMPILE-LITERAL took-digits @ COMPILE-LITERAL
		COMPILE add-to-counts
	ENDIF
;
: compile-captures ( goal -- )
	DUP find-affected
	retest-near @ retest-far @ OR doomed @ OR
	IF 0 0 0 set-counts DUP put-on-goal take-victims DUP return-to-start compile-counts ENDIF
	DROP
;

\ === Moves ==============================================================================================
\ A move word compiles the move.  `move` and `capture-at` add an edit and its text to the move; COMPILE adds a call
\ without text.
: advance ( goal -- )
	from OVER move
	compile-captures
	COMPILE end-move                        \ see victories.4th
	add-move
;

DEFER handle-goal ( goal -- )           \ handles a goal: adds a move; in explain.4th: prints remarks
' advance IS handle-goal
: try-way ( way -- ) DUP @ piece-at OVER way-free? NOT OR IF DROP ELSE @ handle-goal ENDIF ;
: go ( kind -- )
	from SWAP ways-of
	BEGIN 2DUP > WHILE DUP try-way #way + REPEAT
	2DROP
;

\ With moves=straight the long diagonal runs are among the runs of a square.  If the pyramid has a square as a part,
\ these moves have been added before.
: added-before? ( kind -- ? ) #long = ways @ 0 marching-ways[] = AND #square has-kind? AND ;
: go-pyramid ( -- )
	#kinds 0 DO I has-kind? IF I added-before? NOT IF I go ENDIF ENDIF LOOP
;
: go-anywhere ( -- )
	survey-mover
	attacker-class @ #pyramid = IF go-pyramid ELSE attacker-class @ go ENDIF
;

\ The only move word: it adds all moves of the piece.  Parts of pyramids in the margin have no moves.
: go-on-board ( -- ) from on-board? verify survey-if-needed go-anywhere ;

\ No move depends on the moves before it in the list.  OnIsGameOver and OnEvaluate ask at most whether there are moves, and
\ leave the board as it is.  The host reads these constants; the original ignores them.
TRUE CONSTANT independent-moves
TRUE CONSTANT hooks-keep-moves

\ The host ignores the variables cleared here when it compares positions: they are computed for each move list.
: forget-survey ( -- )
	0 shots[] #squares 32 * CELLS ERASE
	0 first-shot[] #grid CELLS ERASE 0 last-shot[] #grid CELLS ERASE 0 victims-on-ways[] #grid CELLS ERASE
	0 units[] #squares #parts + 1+ 3 * CELLS ERASE 0 chains[] #max-value 1+ CELLS ERASE
	0 watched[] #grid 1+ CELLS ERASE 0 bit-at[] #grid 1+ CELLS ERASE
	0 victim[] #squares CELLS ERASE 0 near[] #squares CELLS ERASE 0 far[] #squares CELLS ERASE
	line-list 128 CELLS ERASE reach-list 128 CELLS ERASE
	attacker-values 32 CELLS ERASE axis-list 32 CELLS ERASE
	line-end OFF reach-end OFF attacker-values-end OFF list-end OFF
	victims OFF victim-at OFF unit OFF unit-value OFF first-entry OFF second-entry OFF
	attacker-class OFF affected-by-leaving OFF eruptions-lost OFF affected-at-goal OFF
	doomed OFF doomed-from-near OFF reachable OFF
	$piece OFF
;
: OnForget ( -- ) forget-survey ;

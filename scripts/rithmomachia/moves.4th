\ Moves: how pieces go, and what each move takes.

\ Owns the moves and what they compile.  A move is put together before it is made, and its text shows what it
\ takes: so captures are worked out for every legal move, in the position after it.  To do that for a hundred
\ moves from scratch would be slow.  Instead a survey works out once what every victim suffers in the position
\ as it stands, and to whom a change could matter; a move looks again only at those victims.

\ === The survey =========================================================================================
\ Victims are numbered in the order in which captures are told, the last square first.  Each has a bit; should
\ there ever be more than 32, several share one, and are looked at again together.
VARIABLE victims                        \ how many
#squares [] victim[]                    \ their squares
#squares [] near[]                      \ the units that they lose as it stands: see captures.4th
#squares [] far[]
: bit-of ( i -- bit ) 31 AND bits[] @ ;
: set-bits ( bits addr -- ) DUP @ ROT OR SWAP ! ;

VARIABLE bit                            \ of the victim that is surveyed
#grid 1+ [] bit-at[]                    \ the bit of the victim on a square, else 0

\ What the survey finds, as sets of victims:
VARIABLE doomed                         \ taken if nothing changes
VARIABLE doomed-near                    \ those of them that are not taken by eruption alone
VARIABLE visited                        \ some attacker could move there
#grid 1+ [] watched[]                   \ by square: who must be looked at again if anything comes or goes there
: watch ( bits pos -- ) watched[] set-bits ;

3 CELLS CONSTANT #triple                \ records of three cells
: second ( triple -- addr ) [ 1 CELLS ] LITERAL + ;
: third ( triple -- addr ) [ 2 CELLS ] LITERAL + ;

\ --- the numbers of victims ---
\ All units of the victims, in chains: those with the same number in one.
511 CONSTANT #most                      \ the highest number that a unit may have
#most 1+ [] chains[]                    \ by number: its first unit, or 0
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

\ For every number its partners in eruptions: the chain of n times the number, and n; then those of its n-th part.
#most 2 + [] partners[]
#most 2 + [] quotients[]                \ where the second half of them begins
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
\ Shots of an attacker: the units that it takes by eruption from the right distance.  Instead of the unit's square
\ they have the address of its row in the table of distances: that saves time where most is spent.
#squares 32 * [] shots[]                \ row of distances, the right distance, bit of the victim
VARIABLE shots-end
#grid [] first-shot[]                   \ by the attacker's square
#grid [] last-shot[]
#grid [] all-ends[]                     \ whom its ways lead to, be they free or not

VARIABLE agent                          \ the attacker that is looked at: its class
CREATE agent-list 32 CELLS ALLOT        \ and its values: see captures.4th
VARIABLE agent-end
: look-at ( pos -- )
	DUP piece-type-at kind-of[] @ agent !
	agent-list list-end ! values, list-end @ agent-end !
;

: shot, ( distance unit -- )
	shots-end @                             ( distance unit shot )
	OVER second @ 0 distance OVER ! SWAP third @ OVER third ! second !
	#triple shots-end +!
;
: aim ( partner -- )
	DUP @ @
	BEGIN DUP WHILE OVER second @ OVER shot, @ REPEAT
	2DROP
;
: aim-all ( n -- ) partners-of BEGIN 2DUP > WHILE DUP @ @ IF DUP aim ENDIF #partner + REPEAT 2DROP ;

: fire ( pos end shot -- bits )         \ who is hit from a square
	0 >R
	BEGIN 2DUP > WHILE
		2 PICK OVER @ + C@ OVER CELLSIZE + @ =
		IF DUP third @ R> OR >R ENDIF
		#triple +
	REPEAT
	2DROP DROP R>
;

\ Where a way leads to a victim, what stands between matters to it.
: lane ( way -- bit )
	DUP @ bit-at[] @                        ( way bit )
	OVER free? IF DUP visited set-bits ENDIF
	2DUP SWAP second @ watch DUP ROT third @ watch
;
: lanes ( pos kind -- bits )
	0 ROT ROT ways-of                       ( bits end way )
	BEGIN 2DUP > WHILE
		DUP @ bit-at[] @ IF DUP lane >R ROT R> OR ROT ROT ENDIF
		#way +
	REPEAT
	2DROP
;
: has-kind? ( kind -- ? ) bits[] @ attacker @ side skills[] @ AND 0<> ;
: all-lanes ( pos -- bits )
	agent @ #pyramid <> IF agent @ lanes ELSE
	0 #kinds 0 DO I has-kind? IF OVER I lanes OR ENDIF LOOP SWAP DROP ENDIF
;
: survey-attacker ( pos -- )
	DUP look-at
	DUP all-lanes OVER all-ends[] !
	shots-end @ OVER first-shot[] !
	agent-list BEGIN DUP agent-end @ < WHILE DUP @ aim-all #entry + REPEAT DROP
	shots-end @ OVER last-shot[] !
	DUP last-shot[] @ OVER first-shot[] @ fire doomed set-bits
;

\ --- the survey of victims ---
\ A move closes one side of a siege at most.  With two sides open it cannot be completed, and needs no watch.
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
\ Nobody can take what he neither reaches nor besieges nor fires at.
: survey-near ( i -- )
	bit @ visited @ AND sandwich @ OR IF suffers-near ELSE besieged ENDIF
	DUP ROT near[] ! IF bit @ doomed-near set-bits bit @ doomed set-bits ENDIF
;
: survey-far ( i -- ) bit @ doomed @ AND IF suffers-far ELSE 0 ENDIF SWAP far[] ! ;
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
	victims OFF doomed OFF doomed-near OFF visited OFF
	0 bit-at[] #grid 1+ CELLS ERASE 0 watched[] #grid 1+ CELLS ERASE
	0 chains[] #most 1+ CELLS ERASE 0 units[] units-end ! 0 shots[] shots-end !
;
: survey ( player -- )
	attack-by muster-both clear-survey
	list-victims survey-attackers
	victims @ IF victims @ 0 DO I survey-victim LOOP ENDIF
;

\ The engine runs OnGenerateMoves before it makes a list; the first move word then makes the survey, for only
\ there is it certain whose moves are wanted.
VARIABLE surveyed                       \ for whom, or 0
: OnGenerateMoves ( -- ) surveyed OFF ;
: survey-once ( -- )
	surveyed @ current-player <> IF current-player DUP surveyed ! survey ENDIF
;

\ === What a move takes ==================================================================================
VARIABLE leaving                        \ who matters because the mover leaves its square: from near
VARIABLE leaving-far                    \ and by eruption
VARIABLE coming                         \ who may matter because it comes near
VARIABLE near-again                     \ who must be looked at again after the move
VARIABLE far-again

\ One who leaves can only spare victims; one who comes can only harm: by its own number, or together with others.
: all-shots ( -- end addr ) from last-shot[] @ from first-shot[] @ ;
: look-at-mover ( -- )
	from look-at
	from all-ends[] @ doomed-near @ AND from watched[] @ OR leaving !
	from all-shots fire leaving-far !
	visited @
	agent-list BEGIN DUP agent-end @ < WHILE SWAP OVER @ bits-numbered OR SWAP #entry + REPEAT DROP
	coming !
;
: ends ( pos kind -- bits )             \ whom its ways lead to
	ways-of 0 >R
	BEGIN 2DUP > WHILE DUP @ bit-at[] @ R> OR >R #way + REPEAT
	2DROP R>
;
: new-ends ( pos -- bits )
	agent @ #pyramid <> IF agent @ ends ELSE
	0 #kinds 0 DO I has-kind? IF OVER I ends OR ENDIF LOOP SWAP DROP ENDIF
;
: look-ahead ( goal -- )
	leaving @ OVER watched[] @ OR
	coming @ IF OVER new-ends coming @ AND OR ENDIF near-again !
	all-shots fire leaving-far @ OR far-again !
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
	DUP 1 AND SWAP defender @ side remaining[] @ = OR
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
: resolve ( goal -- )
	DUP look-ahead
	near-again @ far-again @ OR doomed @ OR
	IF 0 0 0 set-counts DUP put-on take-all DUP put-back note-counts ENDIF
	DROP
;

\ === Moves ==============================================================================================
\ A move is compiled, not made: `move` and `capture-at` also write its text, COMPILE only puts a call into it.
: advance ( goal -- )
	from OVER move
	resolve
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
: gone? ( kind -- ? ) #long = ways @ 0 marching-ways[] = AND #square has-kind? AND ;
: go-pyramid ( -- )
	#kinds 0 DO I has-kind? IF I gone? NOT IF I go ENDIF ENDIF LOOP
;
: go-anywhere ( -- )
	look-at-mover
	agent @ #pyramid = IF go-pyramid ELSE agent @ go ENDIF
;

\ The only move word: it adds all moves of the piece.  Parts of pyramids in the margin have none.
: go-on-board ( -- ) from on-board? verify survey-once go-anywhere ;

\ The host compares positions without what is cleared here: it is worked out anew for each list of moves.

: forget-survey ( -- )
	0 shots[] #squares 32 * CELLS ERASE
	0 first-shot[] #grid CELLS ERASE 0 last-shot[] #grid CELLS ERASE 0 all-ends[] #grid CELLS ERASE
	0 units[] #squares #parts + 1+ 3 * CELLS ERASE 0 chains[] #most 1+ CELLS ERASE
	0 watched[] #grid 1+ CELLS ERASE 0 bit-at[] #grid 1+ CELLS ERASE
	0 victim[] #squares CELLS ERASE 0 near[] #squares CELLS ERASE 0 far[] #squares CELLS ERASE
	line-list 128 CELLS ERASE reach-list 128 CELLS ERASE
	agent-list 32 CELLS ERASE axis-list 32 CELLS ERASE
	line-end OFF reach-end OFF agent-end OFF list-end OFF
	victims OFF victim-at OFF unit OFF wanted OFF one OFF two OFF
	agent OFF leaving OFF leaving-far OFF coming OFF doomed OFF doomed-near OFF visited OFF
	$piece OFF
;
: OnForget ( -- ) forget-survey ;

\ Perpetual chase: repetition while one player threatens the same piece with every move.  The README states the rule.

\ Positions are kept by turn; 128 are enough, since the game is drawn after 120 plies without a capture.
128 CONSTANT #boards
#boards #points * [] boards[]
: board-of ( turn -- addr ) [ #boards 1- ] LITERAL AND #points * boards[] ;
: note-board ( -- ) 0 board[] turn-number board-of #points MOVE ;
: show-board ( turn -- ) board-of 0 board[] #points MOVE ;

\ --- threats ---------------------------------------------------------------------------------------

VARIABLE chaser                         \ the player who may be chasing

: shift ( pos pos' -- ) OVER piece-at SWAP put-cell 0 SWAP put-cell ;   \ a piece

: capture-point ( pos n -- pos' )       \ where the piece on pos captures along way n, or -1
	OVER piece-type-at cannon = IF
		DUP line-way-count @ < IF hop-target ELSE 2DROP -1 ENDIF EXIT
	ENDIF
	OVER piece-at near[] @ OVER bit[] @ AND NOT IF 2DROP -1 EXIT ENDIF
	2DUP hindered? IF 2DROP -1 EXIT ENDIF
	OVER piece-at far[] @ OVER bit[] @ AND IF first-occupied ELSE neighbour ENDIF
;
: captures? ( pos pos' -- ? )           \ could the piece on pos capture the one on pos', apart from check?
	2DUP may-go? NOT IF 2DROP FALSE EXIT ENDIF
	way-count @ BEGIN 1- DUP 0< NOT WHILE   ( pos pos' n )
		2 PICK OVER capture-point 2 PICK = IF DROP 2DROP TRUE EXIT ENDIF
	REPEAT
	DROP 2DROP FALSE
;
: protected? ( pos -- ? )               \ could a piece of the player who is chased capture on pos?
	#points BEGIN 1- DUP 0< NOT WHILE
		DUP player-at chaser @ opponent = IF 2DUP SWAP captures? IF 2DROP TRUE EXIT ENDIF ENDIF
	REPEAT
	2DROP FALSE
;
: recaptured? ( pos pos' -- ? )         \ could this capture be answered by another one?
	DUP piece-at >R
	2DUP shift DUP protected?               ( pos pos' ? )
	ROT ROT SWAP OVER SWAP shift            ( ? pos' )
	R> SWAP put-cell
;
: exchange? ( pos pos' -- ? )           \ pieces of one type that could capture each other
	2DUP piece-type-at SWAP piece-type-at = IF SWAP captures? ELSE 2DROP FALSE ENDIF
;
: gains-chariot? ( pos pos' -- ? ) piece-type-at chariot = SWAP piece-type-at chariot <> AND ;
: threatens? ( pos pos' -- ? )
	2DUP captures? NOT IF 2DROP FALSE EXIT ENDIF
	2DUP exchange? IF 2DROP FALSE EXIT ENDIF
	2DUP gains-chariot? IF 2DROP TRUE ELSE recaptured? NOT ENDIF
;

\ --- the last move ---------------------------------------------------------------------------------

VARIABLE came-from
VARIABLE went-to
: cell-of ( pos turn -- piece ) board-of SWAP CELLS + @ ;
: find-move ( turn -- )                 \ that led to the position of this turn; it was no capture
	#points 0 DO
		I OVER cell-of I 2 PICK 1- cell-of <>
		IF I DUP 2 PICK cell-of IF went-to ELSE came-from ENDIF ! ENDIF
	LOOP
	DROP
;
: before-move ( pos -- pos' ) DUP went-to @ = IF DROP came-from @ ENDIF ;
: captured-before? ( pos pos' -- ? )    \ was this capture possible before the last move?
	went-to @ came-from @ shift
	SWAP before-move SWAP captures?
	came-from @ went-to @ shift
;
: chases? ( pos pos' -- ? )
	2DUP threatens? IF captured-before? NOT ELSE 2DROP FALSE ENDIF
;

\ --- chases ----------------------------------------------------------------------------------------

: chasing-piece? ( pos -- ? )           \ generals, soldiers, advisors and elephants may threaten as they like
	DUP player-at chaser @ = SWAP piece-type-at DUP horse >= SWAP soldier < AND AND
;
: can-be-chased? ( pos -- ? )           \ generals and soldiers on their own side cannot
	DUP player-at chaser @ opponent <> IF DROP FALSE EXIT ENDIF
	DUP piece-type-at general = IF DROP FALSE EXIT ENDIF
	DUP piece-type-at soldier = IF DUP player-at beyond-river? ELSE DROP TRUE ENDIF
;
: chased? ( pos -- ? )
	DUP can-be-chased? NOT IF DROP FALSE EXIT ENDIF
	#points BEGIN 1- DUP 0< NOT WHILE       ( pos attacker )
		DUP chasing-piece? IF 2DUP SWAP chases? IF 2DROP TRUE EXIT ENDIF ENDIF
	REPEAT
	2DROP FALSE
;

\ The moves are read backward.  A piece stays in the set `hunted[]` as long as it was chased by each of them.
#points [] hunted[]
: begin-hunt ( -- ) #points 0 DO TRUE I hunted[] ! LOOP ;
: keep-chased ( -- ) #points 0 DO I hunted[] @ IF I chased? I hunted[] ! ENDIF LOOP ;
: follow-back ( -- )                    \ the piece of the last move, to where it came from
	went-to @ hunted[] DUP @ came-from @ hunted[] ! OFF
;
: any-hunted? ( -- ? ) FALSE #points 0 DO I hunted[] @ OR LOOP ;

: occurrence-before ( turn -- turn' )   \ -1 if there is none
	BEGIN 2- DUP 0< IF DROP -1 EXIT ENDIF
		DUP remembered keys[] @ turn-number remembered keys[] @ =
	UNTIL
;
: chases-through? ( first last -- ? )   \ by the player whose move led to the position of turn `last`
	begin-hunt
	BEGIN 2DUP < WHILE
		DUP show-board DUP find-move keep-chased
		1- 2DUP < IF DUP find-move follow-back ENDIF
		1-
	REPEAT
	2DROP any-hunted?
;
: perpetual-chase ( -- result )         \ at the third occurrence; #UnknownScore if neither player or both chased
	turn-number occurrence-before DUP 0< NOT IF occurrence-before ENDIF
	DUP 0< OVER turn-number #boards - <= OR IF DROP #UnknownScore EXIT ENDIF
	current-player chaser ! DUP turn-number 1- chases-through?
	current-player opponent chaser ! SWAP turn-number chases-through?
	turn-number show-board
	2DUP = IF 2DROP #UnknownScore EXIT ENDIF
	DROP IF #LossScore ELSE #WinScore ENDIF
;
: forget-chases ( -- )                  \ for OnForget, as clear-checks
	0 boards[] [ #boards #points * ] LITERAL CELLS ERASE 0 hunted[] #points CELLS ERASE
	chaser OFF came-from OFF went-to OFF
;

\ worth.4th: the evaluation of positions of Yonin Shogi, and remarks about them.

\ === 1 Worth ========================================================================================

\ Pieces on the board.  material-balance counts one player against all others.  The balance of a pair is half of: the
\ balances of the two partners, minus those of the two opponents.
: pair-balance ( player -- n )
	DUP material-balance OVER partner material-balance +
	OVER next-in-order material-balance - SWAP next-in-order partner material-balance -
	2/
;
: men-balance ( player -- n ) in-pairs @ IF pair-balance ELSE material-balance ENDIF ;

\ Pieces in hand are worth a fifth more.
#kinds [] hand-value[]
: fill-hand-values ( -- ) #kinds 0 DO I drop-type piece-value 6 * 5 / I hand-value[] ! LOOP ;
fill-hand-values
: hand-sum ( player -- n )
	0 #kinds 0 DO OVER I hand count-in-hand I hand-value[] @ * + LOOP SWAP DROP
;
: hands-balance ( -- n )
	0 4 0 DO
		I 1+ $EncodePlayer DUP hand-sum SWAP on-side? NOT IF NEGATE ENDIF +
	LOOP
;
\ Pieces on the board are worth more near a king of the other side, so that engines advance and drop pieces.
\ The table contains the number of king's steps between each two squares, one byte each.
CREATE king-steps #squares #squares * ALLOT
: row-of ( pos -- n ) 9 / ;
: column-of ( pos -- n ) 9 MOD ;
: king-distance ( pos pos' -- n )
	2DUP row-of SWAP row-of - ABS >R
	column-of SWAP column-of - ABS R> MAX
;
: fill-king-steps ( -- )
	#squares 0 DO #squares 0 DO I J king-distance J #squares * I + king-steps + C! LOOP LOOP
;
fill-king-steps
: king-steps-from ( pos -- addr ) #squares * king-steps + ;

\ The kings of the viewer's side and of the other: a count, then addresses of their rows in the table.
5 [] our-kings[]
5 [] their-kings[]
4 [] ours?[]
: list-king ( addr list -- ) DUP ++ DUP @ CELLS + ! ;
: find-kings ( -- )
	0 0 our-kings[] ! 0 0 their-kings[] !
	4 0 DO
		I 1+ $EncodePlayer
		DUP on-side? DUP I ours?[] !
		IF 0 our-kings[] ELSE 0 their-kings[] ENDIF
		SWAP king-at DUP 0< IF 2DROP ELSE king-steps-from SWAP list-king ENDIF
	LOOP
;
VARIABLE nearest
: nearness ( pos list -- n )            \ 8 minus the number of king's steps to the nearest king of the list
	8 nearest !
	DUP @ CELLS OVER +
	BEGIN 2DUP < WHILE                      ( pos list addr )
		DUP @ 3 PICK + C@ nearest @ MIN nearest !
		CELLSIZE -
	REPEAT
	2DROP DROP 8 nearest @ -
;
: nearness-score ( pos player -- n )
	player-index ours?[] @
	IF 0 their-kings[] nearness ELSE 0 our-kings[] nearness NEGATE ENDIF
;
: nearness-balance ( -- n )
	find-kings 0
	#squares 0 DO
		I piece-at DUP step-directions
		IF DUP type-of king = IF DROP ELSE I SWAP owner-of nearness-score + ENDIF ELSE DROP ENDIF
	LOOP
;
3 CONSTANT #per-step                    \ the value of each step nearer, in tenths of a pawn
15 CONSTANT #per-repeat                 \ the penalty for each earlier occurrence of the position

\ With rules=capture an attacked king counts as lost if its side is not to move.
250 CONSTANT #lost-king
: to-move ( -- player ) turn-offset turn-offset-to-player ;      \ not always current-player
: lost-kings ( -- n )
	0 4 0 DO
		I 1+ $EncodePlayer
		DUP on-side? to-move on-side? = IF DROP ELSE in-check? IF #lost-king + ENDIF ENDIF
	LOOP
	to-move on-side? NOT IF NEGATE ENDIF
;

: OnEvaluate ( -- score )
	viewer men-balance hands-balance +
	nearness-balance #per-step * +
	repeats @ #per-repeat * -
	kings-fall @ IF lost-kings + ENDIF
	current-player on-side? NOT IF NEGATE ENDIF
;

\ === 2 Remarks =====================================================================================

\ Remarks for `forthvm moves --explain`: players in check and the attackers, eliminated players, repetition.
: .player ( player -- ) player-index CELLS $players @ + @ CFA>NFA @ TYPE ;
: .square ( pos -- ) CELLS $posNames @ + @ TYPE ;
: .attackers ( pos player -- )
	defended-player !
	8 0 DO DUP I threat? IF SPACE DUP I way[] @ first-occupied .square ENDIF LOOP
	DROP
;
: .check ( player -- )
	DUP in-check? IF
		DUP king-at .square ." : " DUP .player ."  is in check from" DUP king-at OVER .attackers CR
	ENDIF
	DROP
;
: .out ( player -- ) DUP .player ."  was set-piece out by " out-mark player-at .player CR ;
: OnExplain ( -- )
	4 0 DO I 1+ $EncodePlayer DUP eliminated? IF .out ELSE .check ENDIF LOOP
	repeats @ IF ." The position has occurred before; times: " repeats @ . CR ENDIF
;

\ Displays hide the urn; announcements print facts that have become true.
: OnShow ( -- ) ." -urn" ;
: .status ( player -- )
	DUP eliminated? IF .player ."  is out" CR ELSE
	DUP in-check? IF .player ."  is in check" CR ELSE
		DROP
	ENDIF ENDIF
;
: OnAnnounce ( -- ) 4 0 DO I 1+ $EncodePlayer .status LOOP ;

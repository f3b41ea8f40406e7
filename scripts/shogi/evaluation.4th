\ Evaluation: pieces on the board and in hand, and how near they are to the enemy king.

#kinds [] hand-value[]                  \ a piece in hand is worth a tenth more than on the board
: fill-hand-values ( -- ) #kinds 0 DO I dropped-type[] @ piece-value 11 * 10 / I hand-value[] ! LOOP ;
fill-hand-values
: hand-worth ( player -- n )
	0 #kinds 0 DO OVER I hand count-in-hand I hand-value[] @ * + LOOP SWAP DROP
;
: hands-balance ( -- n ) current-player hand-worth current-player opponent hand-worth - ;

\ Pieces gain if they are near the enemy king, golds and silvers also if they are near their own.
CREATE king-steps #squares #squares * ALLOT     \ the number of king's steps between each two squares
: steps-between ( pos pos' -- n )
	2DUP #files / SWAP #files / - ABS >R
	#files MOD SWAP #files MOD - ABS R> MAX
;
: fill-king-steps ( -- )
	#squares 0 DO #squares 0 DO I J steps-between J #squares * I + king-steps + C! LOOP LOOP
;
fill-king-steps
4 CONSTANT #far                         \ steps from which on a piece is not near
: nearness ( pos king -- n )            \ 0 for a king that is missing
	DUP 0< IF 2DROP 0 ELSE #squares * + king-steps + C@ #far SWAP - 0 MAX ENDIF
;
: guard? ( type -- ? ) DUP gold = SWAP silver = OR ;
10 CONSTANT #attack
20 CONSTANT #guard
: nearness-of ( pos player -- n )
	2DUP opponent king-at nearness #attack *        ( pos player n )
	2 PICK piece-type-at guard? IF ROT ROT king-at nearness #guard * + ELSE SWAP DROP SWAP DROP ENDIF
;
: nearness-balance ( -- n )
	0
	#squares 0 DO
		I player-at DUP IF
			I OVER nearness-of SWAP current-player = NOT IF NEGATE ENDIF +
		ELSE DROP ENDIF
	LOOP
;

\ A search may stop in the middle of an exchange, so half of the best capture is added.
: OnEvaluate ( -- score )
	current-player material-balance hands-balance + nearness-balance + best-capture @ 2/ +
;

\ A search does not stop in check.
: OnIsTerminal? ( -- ? ) current-player in-check? NOT ;

\ Evaluation: pieces, how far they have advanced, and the number of moves.

: edge-distance ( n -- d ) 7 OVER - MIN ;       \ 0 to 3
: centrality ( pos -- d ) DUP 8 MOD edge-distance SWAP 8 / edge-distance + ;
: king-steps ( pos pos' -- n ) 2DUP 8 / SWAP 8 / - ABS >R 8 MOD SWAP 8 MOD - ABS R> MAX ;
: attack-worth ( pos -- n )             \ a piece gains for each step that it is nearer to the enemy king
	DUP player-at opponent king-at DUP 0< IF 2DROP 0 ELSE king-steps 7 SWAP - 8 * ENDIF
;
: place-worth ( pos -- n )              \ of the piece on pos
	DUP piece-type-at
	DUP king = IF 2DROP 0 EXIT ENDIF
	DUP pawn = IF DROP DUP DUP player-at rank-for 18 * SWAP centrality 2* + EXIT ENDIF
	rook = IF centrality ELSE DUP attack-worth SWAP centrality 3 * + ENDIF
;
: places-balance ( -- n )
	0
	64 0 DO
		I player-at DUP IF
			I place-worth SWAP current-player = NOT IF NEGATE ENDIF +
		ELSE DROP ENDIF
	LOOP
;
\ A king alone is mated at the edge, near the other king.
: drive-to-edge ( player -- n )         \ worth for the player if the opponent's king is alone
	DUP opponent bare? NOT IF DROP 0 EXIT ENDIF
	DUP king-at OVER opponent king-at       ( player pos pos' )
	2DUP king-steps -10 * SWAP centrality -20 * + SWAP DROP SWAP DROP 100 +
;
: edge-balance ( -- n ) current-player drive-to-edge current-player opponent drive-to-edge - ;

\ A search may stop in the middle of an exchange, so half of the best capture is added.
: OnEvaluate ( -- score )
	current-player material-balance places-balance + edge-balance + move-count 2* + best-capture @ 2/ +
;

\ A search does not stop in check.
: OnIsTerminal? ( -- ? ) current-player in-check? NOT ;

\ Evaluation: pieces, and the places of men.

\ A man is worth more for each row that it has advanced, in the middle columns, and on its player's first row, where it
\ prevents promotions.
: rows-advanced ( pos -- n )
	DUP player-at White = SWAP $columns @ / SWAP IF $rows @ 1- SWAP - ENDIF
;
: from-edge ( pos -- n ) $columns @ MOD $columns @ 1- OVER - MIN ;
: man-worth ( pos -- n )
	DUP rows-advanced DUP 0= IF DROP 3 ENDIF SWAP from-edge + 2*
;
: men-balance ( -- n )
	0
	$positions @ 0 DO
		I piece-type-at man = IF I man-worth I friend-at? NOT IF NEGATE ENDIF + ENDIF
	LOOP
;
: OnEvaluate ( -- score ) current-player material-balance men-balance + ;

\ A search does not stop where captures are compulsory: it continues until the exchange is over.
: OnIsTerminal? ( -- ? )
	stalemate? IF TRUE ELSE $FirstMove .moveType @ capturing <> ENDIF
;

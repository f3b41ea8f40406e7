\ Evaluation: the values of the pieces on their points, and the number of moves.

\ The next words are for Red, whose first rank has the highest numbers.  The results are added to the values of pieces.
: ranks-advanced ( pos -- n ) rank-of 9 SWAP - ;
: centrality ( pos -- n ) file-of 8 OVER - MIN ;        \ 0 on the files a and i, 4 on file e

\ A soldier is worth more beyond the river, near the palace, but little on the last rank.
: soldier-worth ( pos -- n )
	DUP ranks-advanced
	DUP 9 = IF 2DROP 20 EXIT ENDIF
	DUP 5 < IF DROP centrality ELSE 8 * SWAP centrality 12 * + 20 + ENDIF
;
: horse-worth ( pos -- n ) DUP centrality 10 * SWAP ranks-advanced 7 MIN 5 * + ;
: chariot-worth ( pos -- n ) DUP ranks-advanced 0= IF DROP -30 ELSE centrality 3 * ENDIF ;
: cannon-worth ( pos -- n ) centrality 8 * ;
: general-worth ( pos -- n ) ranks-advanced -25 * ;
: nothing ( pos -- n ) DROP 0 ;

\ One row of points for each type, for Red; for Black a point is mirrored.
soldier 1+ #points * CONSTANT #worths
#worths [] worths[]
: fill-row ( 'worth type -- )
	#points 0 DO OVER I SWAP EXECUTE OVER piece-value + OVER #points * I + worths[] ! LOOP
	2DROP
;
0 worths[] #worths CELLS ERASE
' general-worth general fill-row        ' nothing advisor fill-row              ' nothing elephant fill-row
' horse-worth horse fill-row            ' chariot-worth chariot fill-row        ' cannon-worth cannon fill-row
' soldier-worth soldier fill-row

: mirrored ( pos -- pos' ) DUP file-of 9 ROT rank-of - #files * + ;
: worth-for ( pos player -- n )
	OVER piece-type-at #points * SWAP Red = IF + ELSE SWAP mirrored + ENDIF worths[] @
;
: balance ( -- n )
	0
	#points 0 DO
		I player-at DUP IF
			I OVER worth-for SWAP current-player = NOT IF NEGATE ENDIF +
		ELSE DROP ENDIF
	LOOP
;

\ A search may stop in the middle of an exchange, so half of the best capture is added.
: OnEvaluate ( -- score ) balance move-count 2* + best-capture @ 2/ + ;

\ A search does not stop in check.
: OnIsTerminal? ( -- ? ) current-player in-check? NOT ;

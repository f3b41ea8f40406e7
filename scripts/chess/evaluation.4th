\ Evaluation: the values of the pieces on their squares.

\ The distance of file or rank i from the nearer edge of a board with n files or ranks.  With n = 8 it is 0 for the
\ files a and h, and 3 for d and e.
: edge-distance ( i n -- d ) 1- OVER - MIN ;
: file-edge-distance ( pos -- d ) file-of #files edge-distance ;
: rank-edge-distance ( pos -- d ) rank-of #ranks edge-distance ;
: centrality ( pos -- d ) DUP file-edge-distance SWAP rank-edge-distance + ;

\ The next six words are for White.  White's first rank has the highest square numbers.
: ranks-advanced ( pos -- n ) rank-of #ranks 1- SWAP - ;
: pawn-worth ( pos -- n ) DUP ranks-advanced DUP * SWAP DUP file-edge-distance SWAP ranks-advanced * + 95 + ;
: knight-worth ( pos -- n ) centrality 8 * 300 + ;
: bishop-worth ( pos -- n ) centrality 4 * 320 + ;
: rook-worth ( pos -- n ) DUP ranks-advanced #ranks 2- = IF 15 ELSE 0 ENDIF SWAP file-edge-distance 3 * + 500 + ;
: queen-worth ( pos -- n ) centrality 2* 950 + ;
: king-worth ( pos -- n ) DUP ranks-advanced 3 MIN -12 * SWAP file-edge-distance -8 * + ;

: late-king-worth ( pos -- n ) centrality 8 * ;

\ The values are in a table with a row for each piece and a cell for each square.  Row 0 is for empty squares, rows 1 to
\ 6 for White's pieces by type, rows 9 to 14 for Black's.  Rows 7 and 15 are for the kings if few pieces are left.
KING 1+ CONSTANT LATE-KING
16 #squares * CONSTANT #worths
#worths [] worths[]
: table-row ( piece -- n ) DUP 7 AND SWAP #Player AND Black = IF 8 + ENDIF ;
: mirror ( pos -- pos' ) DUP file-of SWAP rank-of #ranks 1- SWAP - #files * + ;

: fill-row ( 'worth type -- )           \ Black's row is White's, mirrored and negated
	#squares 0 DO
		OVER I SWAP EXECUTE                 ( 'worth type n )
		OVER #squares * I + worths[] OVER SWAP !
		NEGATE OVER 8 + #squares * I mirror + worths[] !
	LOOP
	2DROP
;
0 worths[] #worths CELLS ERASE
' pawn-worth PAWN fill-row      ' knight-worth KNIGHT fill-row  ' bishop-worth BISHOP fill-row
' rook-worth ROOK fill-row      ' queen-worth QUEEN fill-row    ' king-worth KING fill-row
' late-king-worth LATE-KING fill-row

VARIABLE late                           \ 1 when few pieces are left, else 0; added to the number of a king's row
: piece-count ( -- n ) 0 #squares 0 DO I not-empty-at? - LOOP ; \ TRUE is -1
: worth ( pos -- n )                    \ value of the piece on pos, negative for Black
	DUP piece-at table-row
	DUP 7 AND KING = IF late @ + ENDIF
	#squares * + worths[] @
;
: position-worth ( -- n )
	piece-count #squares 5 / < IF 1 ELSE 0 ENDIF late !
	0 #squares 0 DO I worth + LOOP
	current-player Black = IF NEGATE ENDIF
;

\ A search may stop in the middle of an exchange, so the estimate of the best capture is added.
: OnEvaluate ( -- score ) position-worth move-count 2* + best-capture @ + ;

\ A search does not stop in check, where there are few replies.
: OnIsTerminal? ( -- ? ) current-player set-sides in-check? NOT ;

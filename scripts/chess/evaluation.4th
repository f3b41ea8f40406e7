\ Evaluation: the values of the pieces on their squares.

\ The distance of index i from the nearer end of n: 0 at the edge, 3 on the middle files or ranks of eight.
: inwards ( i n -- d ) 1- OVER - MIN ;
: file-in ( pos -- d ) file-of #files inwards ;
: rank-in ( pos -- d ) rank-of #ranks inwards ;
: middle ( pos -- d ) DUP file-in SWAP rank-in + ;

\ For White, whose first rank has the highest square numbers.
: ranks-gone ( pos -- n ) rank-of #ranks 1- SWAP - ;
: pawn-worth ( pos -- n ) DUP ranks-gone DUP * SWAP DUP file-in SWAP ranks-gone * + 95 + ;
: knight-worth ( pos -- n ) middle 8 * 300 + ;
: bishop-worth ( pos -- n ) middle 4 * 320 + ;
: rook-worth ( pos -- n ) DUP ranks-gone #ranks 2- = IF 15 ELSE 0 ENDIF SWAP file-in 3 * + 500 + ;
: queen-worth ( pos -- n ) middle 2* 950 + ;
: king-worth ( pos -- n ) DUP ranks-gone 3 MIN -12 * SWAP file-in -8 * + ;

: late-king-worth ( pos -- n ) middle 8 * ;

\ A table with a row of squares for each piece: row 0 is for empty squares, rows 1 to 6 are White's, 9 to 14
\ Black's.  Rows 7 and 15 are for the kings if few pieces are left.
KING 1+ CONSTANT LATE-KING
16 #squares * CONSTANT #worths
#worths [] worths[]
: row ( piece -- n ) DUP 7 AND SWAP #Player AND Black = IF 8 + ENDIF ;
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

VARIABLE late                           \ 1 when few pieces are left, else 0
: piece-count ( -- n ) 0 #squares 0 DO I not-empty-at? - LOOP ; \ TRUE is -1
: worth ( pos -- n )
	DUP piece-at row
	DUP 7 AND KING = IF late @ + ENDIF
	#squares * + worths[] @
;
: position-worth ( -- n )
	piece-count #squares 5 / < IF 1 ELSE 0 ENDIF late !
	0 #squares 0 DO I worth + LOOP
	current-player Black = IF NEGATE ENDIF
;

\ A search may stop in the middle of an exchange, so the estimate of the best capture is added.
: OnEvaluate ( -- score ) position-worth move-count 2* + prize @ + ;

\ A search does not stop in check, where there are few replies.
: OnIsTerminal? ( -- ? ) current-player side in-check? NOT ;

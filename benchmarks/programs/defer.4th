\ defer.4th: calls whose targets are known only at run time: nested DEFERs, and tokens from a table.
\ The text runs unchanged in forthvm and gforth.

DEFER outer
DEFER middle
DEFER inner
CREATE actions 4 CELLS ALLOT
: plus-one ( n -- n' ) 1 + ;
: plus-three ( n -- n' ) 3 + ;
: doubled ( n -- n' ) DUP + ;
: flipped ( n -- n' ) 43690 XOR ;
: action ( i -- 'action ) 3 AND CELLS actions + @ ;
: by-table ( n i -- n' ) action EXECUTE ;
: by-inner ( n i -- n' ) SWAP 7 + SWAP inner ;
: by-middle ( n i -- n' ) DUP 1 AND IF middle ELSE inner ENDIF ;
' plus-one actions !
' plus-three actions 1 CELLS + !
' doubled actions 2 CELLS + !
' flipped actions 3 CELLS + !
' by-table IS inner
' by-inner IS middle
' by-middle IS outer
: run-defer ( rounds -- n ) 1 SWAP 0 DO I outer 65535 AND LOOP ;

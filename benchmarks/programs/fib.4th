\ fib.4th: calls and returns.  The text runs unchanged in forthvm and gforth.

: fib ( n -- f ) DUP 2 < IF DROP 1 ELSE DUP 1 - RECURSE SWAP 2 - RECURSE + ENDIF ;
: run-fib ( n -- f ) fib ;

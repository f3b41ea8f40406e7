\ scan.4th: mobility on an 8 x 8 board of bytes, as evaluation words of game scripts count it: tables of
\ directions, the position in a variable, nested conditions.  The text runs unchanged in forthvm and gforth.

64 CONSTANT nowhere
VARIABLE here-pos
VARIABLE total
CREATE board 64 ALLOT
CREATE links 8 64 * ALLOT
: board-at ( pos -- addr ) board + ;
: link-at ( dir pos -- addr ) SWAP 64 * + links + ;
: inside? ( n -- ? ) DUP 0 < IF DROP 0 ELSE 8 < ENDIF ;
VARIABLE drow  VARIABLE dcol
: link-to ( pos -- pos' )
  DUP 8 / drow @ + SWAP 8 MOD dcol @ +
  OVER inside? OVER inside? AND IF SWAP 8 * + ELSE DROP DROP nowhere ENDIF ;
: fill-links ( dir drow dcol -- )
  dcol ! drow ! 64 0 DO I link-to OVER I link-at C! LOOP DROP ;
: set-up ( -- )
  0 -1 0 fill-links 1 1 0 fill-links 2 0 1 fill-links 3 0 -1 fill-links
  4 -1 1 fill-links 5 -1 -1 fill-links 6 1 1 fill-links 7 1 -1 fill-links
  64 0 DO I 5 * 7 MOD 3 MOD I board-at C! LOOP ;
: go ( dir -- ? )                       \ moves here-pos one square; whether there is a square in the direction
  here-pos @ link-at C@ DUP nowhere = IF DROP 0 ELSE here-pos ! -1 ENDIF ;
: empty-here? ( -- ? ) here-pos @ board-at C@ 0 = ;
: slide ( pos dir -- )
  SWAP here-pos !
  BEGIN DUP go IF empty-here? ELSE 0 ENDIF WHILE 1 total +! REPEAT
  DROP here-pos @ board-at C@ 2 = IF 3 total +! ENDIF ;
: scan-board ( -- n )
  0 total !
  64 0 DO
    I board-at C@ 1 = IF 8 0 DO J I slide LOOP ENDIF
  LOOP
  total @ ;
: run-scan ( rounds -- n ) set-up 0 SWAP 0 DO scan-board + LOOP ;

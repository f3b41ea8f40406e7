\ scan.4th: a mobility count over an 8 x 8 board, as evaluation words of game scripts do it:
\ direction tables, a position variable, nested conditions. The same text runs in forthvm and gforth.
VARIABLE here-pos
VARIABLE total
CREATE board 64 CELLS ALLOT
CREATE links 8 64 * CELLS ALLOT
: board-at ( pos -- addr ) CELLS board + ;
: link-at ( dir pos -- addr ) SWAP 64 * + CELLS links + ;
: inside? ( n -- ? ) DUP 0 < IF DROP 0 ELSE 8 < ENDIF ;
VARIABLE drow  VARIABLE dcol
: link-to ( pos -- pos' )
  DUP 8 / drow @ + OVER 8 MOD dcol @ +
  OVER inside? OVER inside? AND IF SWAP 8 * + SWAP DROP ELSE DROP DROP DROP -1 ENDIF ;
: fill-links ( dir drow dcol -- )
  dcol ! drow ! 64 0 DO I link-to OVER I link-at ! LOOP DROP ;
: set-up ( -- )
  0 -1 0 fill-links 1 1 0 fill-links 2 0 1 fill-links 3 0 -1 fill-links
  4 -1 1 fill-links 5 -1 -1 fill-links 6 1 1 fill-links 7 1 -1 fill-links
  64 0 DO I 5 * 7 MOD 3 MOD I board-at ! LOOP ;
: go ( dir -- ? )
  here-pos @ link-at @ DUP 0 < IF DROP 0 ELSE here-pos ! -1 ENDIF ;
: empty-here? ( -- ? ) here-pos @ board-at @ 0 = ;
: slide ( pos dir -- )
  SWAP here-pos !
  BEGIN DUP go IF empty-here? ELSE 0 ENDIF WHILE 1 total +! REPEAT
  DROP here-pos @ board-at @ 2 = IF 3 total +! ENDIF ;
: scan-board ( -- n )
  0 total !
  64 0 DO
    I board-at @ 1 = IF 8 0 DO J I slide LOOP ENDIF
  LOOP
  total @ ;
: answer ( -- n ) set-up 0 2000 0 DO scan-board + LOOP ;

\ columns-without-i.4th: the columns of the grid are a to h, j, k and so on, as players of Go name them.  A part of the
\ library for any game: LOAD columns-without-i.4th

\ The game loads it right after the board.
LOAD position-names.4th

: rename ( pos -- ) DUP letter-of DUP ASCII h > - SWAP set-letter ;
: rename-grid ( -- ) $rows @ $columns @ * 0 DO I rename LOOP ;
rename-grid

\ columns-without-i.4th: the columns of the grid are a to h, j, k and so on, as players of Go name them.  A part of the
\ library for any game: LOAD columns-without-i.4th

\ The game loads it right after the board.
: name-of ( pos -- addr ) CELLS $posNames @ + ; \ the cell with the address of the name
: name-without-i ( pos -- str ) name-of @ PAD "MOVE PAD C@ DUP ASCII h > - PAD C! PAD ;
: rename ( pos -- ) DUP DUP name-without-i $MakeConstant LATEST @ SWAP name-of ! ;
: rename-grid ( -- ) $rows @ $columns @ * 0 DO I rename LOOP ;
rename-grid

\ position-names.4th: positions get other letters than those of the grid.  A part of the library for any game:
\ LOAD position-names.4th

\ The game loads it right after the board.
: name-of ( pos -- addr ) CELLS $posNames @ + ; \ the cell with the address of the name
: letter-of ( pos -- char ) name-of @ C@ ;      \ the first character of the name
: set-letter ( char pos -- )            \ the old name remains a word with the same value
	DUP name-of @ PAD "MOVE
	SWAP PAD C!
	DUP PAD $MakeConstant
	LATEST @ SWAP name-of !
;

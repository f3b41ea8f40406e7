\ The lines of the Thud board: the squares ahead of each square, and the squares around it.

\ Not a game: the games on this board load the file after their {board} section.

225 CONSTANT #grid
8 CONSTANT #ways

\ Fifteen squares in each corner are not part of the board: columns and rows from the nearest corner add up to
\ less than five there.
: from-edge ( n -- n' ) DUP 7 > IF 14 SWAP - ENDIF ;
: on-board? ( pos -- ? ) 15 /MOD from-edge SWAP from-edge + 4 > ;

{directions
	-1  0 {direction} n    -1  1 {direction} ne
	 0  1 {direction} e     1  1 {direction} se
	 1  0 {direction} s     1 -1 {direction} sw
	 0 -1 {direction} w    -1 -1 {direction} nw
directions}

\ A direction is a table with a cell for every position: the number of its neighbour, or -1.  A loop over the table
\ removes the links that lead out of the board; {unlink} would have to name a hundred of them.
: unlink-outside ( 'dir -- )
	CFA>PFA
	#grid 0 DO
		DUP I CELLS + DUP @                     ( table cell neighbour )
		DUP 0< IF DROP FALSE ELSE on-board? NOT ENDIF
		I on-board? NOT OR
		IF -1 SWAP ! ELSE DROP ENDIF
	LOOP
	DROP
;
' n unlink-outside  ' ne unlink-outside  ' e unlink-outside  ' se unlink-outside
' s unlink-outside  ' sw unlink-outside  ' w unlink-outside  ' nw unlink-outside

CREATE ways ' n , ' ne , ' e , ' se , ' s , ' sw , ' w , ' nw ,
: neighbour ( pos way -- pos' | -1 ) CELLS ways + @ CFA>PFA SWAP CELLS + @ ;
: opposite ( way -- way' ) 4 + 7 AND ;

\ --- Squares around a square: a table of their count and then their numbers ---
9 #grid * [] neighbour-lists
: neighbour-list ( pos -- addr ) 9 * neighbour-lists ;
: fill-neighbour-list ( pos -- )
	DUP neighbour-list DUP OFF              ( pos addr )
	#ways 0 DO
		OVER I neighbour DUP 0< IF DROP ELSE OVER ++ OVER DUP @ CELLS + ! ENDIF
	LOOP
	2DROP
;

\ --- Lines ---
\ Every line of the board is stored once for each of its directions: `line-end`, the squares, `line-end`.
\ `line-end` is a position that is never empty, so loops along a line end there without a test for the edge.
\ A ray is the address just after the cell of a square in a line: the squares ahead follow the address, the square
\ itself and those behind it precede the address.
VARIABLE line-end
#ways #grid * [] ray-table
: rays ( pos -- addr ) #ways * ray-table ;      \ eight rays, one for each direction
: ray ( pos way -- addr ) CELLS SWAP rays + @ ;

: store-line ( pos way -- )
	line-end @ ,
	BEGIN
		OVER ,
		HERE 2 PICK rays 2 PICK CELLS + !
		SWAP OVER neighbour SWAP                ( pos' way )
		OVER 0<
	UNTIL
	2DROP
	line-end @ ,
;
: first-in-line? ( pos way -- ? ) opposite neighbour 0< ;
: store-lines ( pos -- )                \ pos: the position at both ends of each line
	line-end !
	#grid 0 DO
		I on-board?
		IF
			I fill-neighbour-list
			#ways 0 DO J I first-in-line? IF J I store-line ENDIF LOOP
		ENDIF
	LOOP
;

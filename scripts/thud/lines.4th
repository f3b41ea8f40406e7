\ The lines of the Thud board: the squares ahead of each square, and the squares around it.

\ Loaded by the games on this board after they have defined it; not a game.

225 CONSTANT #grid
8 CONSTANT #ways

\ Fifteen squares in each corner are not part of the board: columns and rows from the nearest corner add up to
\ less than five there.
: from-side ( n -- n' ) DUP 7 > IF 14 SWAP - ENDIF ;
: on-board? ( pos -- ? ) 15 /MOD from-side SWAP from-side + 4 > ;

{directions
	-1  0 {direction} n    -1  1 {direction} ne
	 0  1 {direction} e     1  1 {direction} se
	 1  0 {direction} s     1 -1 {direction} sw
	 0 -1 {direction} w    -1 -1 {direction} nw
directions}

\ A direction is a table with a cell for every position: the number of its neighbour, or -1.  A loop over the table
\ removes the links that lead out of the board; {unlink} would have to name a hundred of them.
: cut ( 'dir -- )
	CFA>PFA
	#grid 0 DO
		DUP I CELLS + DUP @                     ( table cell neighbour )
		DUP 0< IF DROP FALSE ELSE on-board? NOT ENDIF
		I on-board? NOT OR
		IF -1 SWAP ! ELSE DROP ENDIF
	LOOP
	DROP
;
' n cut  ' ne cut  ' e cut  ' se cut  ' s cut  ' sw cut  ' w cut  ' nw cut

CREATE ways ' n , ' ne , ' e , ' se , ' s , ' sw , ' w , ' nw ,
: neighbour ( pos way -- pos' | -1 ) CELLS ways + @ CFA>PFA SWAP CELLS + @ ;
: opposite ( way -- way' ) 4 + 7 AND ;

\ --- Squares around a square: a count, then their numbers ---
9 #grid * [] round-table
: round ( pos -- addr ) 9 * round-table ;
: fill-round ( pos -- )
	DUP round DUP OFF                       ( pos addr )
	#ways 0 DO
		OVER I neighbour DUP 0< IF DROP ELSE OVER ++ OVER DUP @ CELLS + ! ENDIF
	LOOP
	2DROP
;

\ --- Lines ---
\ Every line of the board is stored once for each of its directions: the stop, its squares, the stop.  A ray
\ is an address in a line, just after a square: the squares ahead follow it, those behind precede it.
\ The stop is a position that is never empty, so loops along a line need to test for pieces only.
VARIABLE stop-at
#ways #grid * [] ray-table
: rays ( pos -- addr ) #ways * ray-table ;      \ eight rays, one for each direction
: ray ( pos way -- addr ) CELLS SWAP rays + @ ;

: line-from ( pos way -- )
	stop-at @ ,
	BEGIN
		OVER ,
		HERE 2 PICK rays 2 PICK CELLS + !
		SWAP OVER neighbour SWAP                ( pos' way )
		OVER 0<
	UNTIL
	2DROP
	stop-at @ ,
;
: first-in-line? ( pos way -- ? ) opposite neighbour 0< ;
: lay-lines ( stop -- )
	stop-at !
	#grid 0 DO
		I on-board?
		IF
			I fill-round
			#ways 0 DO J I first-in-line? IF J I line-from ENDIF LOOP
		ENDIF
	LOOP
;

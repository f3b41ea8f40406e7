\ The lines of the Thud board: where a piece may go from each square, and which squares lie round it.

\ Loaded by the games on this board when they have defined it; of no use alone.

225 CONSTANT #grid
8 CONSTANT #ways

\ Fifteen squares in the corner do not belong to the board: columns and rows from the nearest corner add up to
\ less than five there.
: from-side ( n -- n' ) DUP 7 > IF 14 SWAP - ENDIF ;
: on-board? ( pos -- ? ) 15 /MOD from-side SWAP from-side + 4 > ;

{directions
	-1  0 {direction} n    -1  1 {direction} ne
	 0  1 {direction} e     1  1 {direction} se
	 1  0 {direction} s     1 -1 {direction} sw
	 0 -1 {direction} w    -1 -1 {direction} nw
directions}

\ {unlink} would have to name a hundred links out of the board.  A direction is a table, a cell for every
\ position with the number of its neighbour there or -1; so a loop can cut the links where it finds them.
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

\ --- Squares round a square: a count, then their numbers ---
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
\ Every line of the board is written down once for each of its two ways: the stop, its squares, the stop.  A
\ ray is the address in it behind a square: the squares ahead follow from there, those behind lie before it.
\ The stop is a position that is never empty, so whoever runs along a line needs to look for pieces only.
VARIABLE stop-at
#ways #grid * [] ray-table
: rays ( pos -- addr ) #ways * ray-table ;      \ eight rays, one for each way
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

\ The geometry of the board: the squares that a piece can reach from a square, and the squares in line with it.

\ Owns tables that are filled once, while the script loads.  It knows squares and directions, but no pieces.
\ The file that loads it must have defined the board and the eight directions.

12 CONSTANT #columns                    \ columns of the grid; pieces use only c to j
192 CONSTANT #grid
128 CONSTANT #squares

: row-of ( pos -- n ) #columns / ;      \ from the top: row 16 is 0
: column-of ( pos -- n ) #columns MOD ;
: on-board? ( pos -- ? ) column-of DUP 2 >= SWAP 9 <= AND ;

CREATE straight-ways ' n , ' e , ' s , ' w ,
CREATE diagonal-ways ' ne , ' se , ' sw , ' nw ,
: straight-way ( i -- 'dir ) CELLS straight-ways + @ ;
: diagonal-way ( i -- 'dir ) CELLS diagonal-ways + @ ;

\ --- the edge -------------------------------------------------------------------------------------
\ A direction's body has one cell for each position: the position next to it, or -1.  Links into and out of the
\ margins are replaced by -1, so that the words below need no test for the edge.
: link-of ( pos 'dir -- addr ) CFA>PFA SWAP CELLS + ;
: leaves-board? ( pos 'dir -- ? )
	OVER on-board? NOT ROT ROT link-of @ DUP 0< IF DROP ELSE on-board? NOT OR ENDIF
;
: unlink-margins ( 'dir -- )
	#grid 0 DO I OVER leaves-board? IF -1 OVER I SWAP link-of ! ENDIF LOOP
	DROP
;
: unlink-all-margins ( -- ) 4 0 DO I straight-way unlink-margins I diagonal-way unlink-margins LOOP ;
unlink-all-margins

#squares [] squares[]                   \ all squares, top row first
: list-squares ( -- )
	0 #grid 0 DO I on-board? IF I OVER squares[] ! 1+ ENDIF LOOP DROP
;
list-squares

\ --- the eight neighbours -------------------------------------------------------------------------
\ Neighbours 0 to 3 are straight, 4 to 7 diagonal; the numbers of opposite neighbours differ by two; -1: off the board.
#grid 8 * [] neighbours[]
: neighbour ( pos i -- addr ) SWAP 8 * + neighbours[] ;
: neighbour-in-direction ( pos 'dir -- pos' | -1 ) SWAP to EXECUTE IF here ELSE -1 ENDIF ;
: fill-neighbours ( pos -- )
	4 0 DO
		DUP I straight-way neighbour-in-direction OVER I neighbour !
		DUP I diagonal-way neighbour-in-direction OVER I 4 + neighbour !
	LOOP
	DROP
;

\ --- lines ------------------------------------------------------------------------------------------
\ For each square the 22 other squares in its row and column (7 and 15).  For each two squares in line their distance,
\ both ends counted: 2 for neighbours; 0 if they are not in line.
22 CONSTANT #line
#grid #line * [] lines[]
: line ( pos -- addr ) #line * lines[] ;
CREATE distances #grid #grid * ALLOT
distances #grid #grid * ERASE
: distance ( pos pos' -- addr ) SWAP #grid * + distances + ;
: line-distance ( pos pos' -- n ) distance C@ ;

: compute-distance ( pos pos' -- n )    \ the number for the table
	2DUP column-of SWAP column-of = IF row-of SWAP row-of - ABS 1+ ELSE
	2DUP row-of SWAP row-of = IF - ABS 1+ ELSE 2DROP 0 ENDIF ENDIF
;
: fill-line ( pos -- )
	DUP line                                ( pos addr )
	#squares 0 DO
		OVER I squares[] @ compute-distance DUP 1 >
		IF
			2 PICK I squares[] @ distance C!
			I squares[] @ OVER ! CELLSIZE +
		ELSE DROP ENDIF
	LOOP
	2DROP
;
: fill-lines ( -- ) #squares 0 DO I squares[] @ DUP fill-neighbours fill-line LOOP ;
fill-lines

\ --- ways -------------------------------------------------------------------------------------------
\ A way leads from one square to another over at most two squares that must be empty.  There are four kinds of
\ ways, one for each class of pieces and one for complete pyramids.  Every way can be used in both directions, so
\ the same table gives the goals of a piece and the pieces that can reach a square.
0 CONSTANT #round
1 CONSTANT #triangle
2 CONSTANT #square
3 CONSTANT #long                        \ complete pyramids, three squares diagonally: see pyramid-diagonal=on
4 CONSTANT #kinds

\ A way in the table: the other square, then the two squares between.  `nothing`, a position that is always empty, is
\ stored for a square that the way does not have.
3 CELLS CONSTANT #way

VARIABLE start-square                   \ the square whose ways are added to the table
: steps ( 'dir n -- ? )                 \ moves `here` n steps; FALSE at the edge
	TRUE SWAP 0 DO OVER EXECUTE AND LOOP SWAP DROP
;
: between ( 'dir n i -- pos )           \ the i-th square of a run of n squares, `nothing` if the run ends there
	SWAP OVER > IF start-square @ to steps DROP here ELSE 2DROP nothing ENDIF
;
: run ( 'dir n -- )
	start-square @ to 2DUP steps
	IF here , 2DUP 1 between , 2DUP 2 between , ENDIF
	2DROP
;
: leap ( 'dir n 'dir' -- )              \ n steps in 'dir and one step in 'dir'
	start-square @ to ROT ROT steps SWAP EXECUTE AND
	IF here , nothing , nothing , ENDIF
;
: straight-runs ( n -- ) 4 0 DO I straight-way OVER run LOOP DROP ;
: diagonal-runs ( n -- ) 4 0 DO I diagonal-way OVER run LOOP DROP ;
: leaps ( n -- )
	4 0 DO
		I straight-way OVER I 1+ 3 AND straight-way leap
		I straight-way OVER I 3 + 3 AND straight-way leap
	LOOP
	DROP
;

\ A table of ways: for each position the address of the first way of each kind, and the end of the last kind.
#kinds 1+ CONSTANT #starts
VARIABLE next-start
: end-kind ( -- ) HERE next-start @ ! CELLSIZE next-start +! ;

\ 'pattern ( -- ) compiles the ways from `start-square`, kind after kind, and calls `end-kind` after each kind.
: store-ways ( 'pattern table -- )
	#squares 0 DO
		I squares[] @ DUP start-square !
		#starts * CELLS OVER + next-start ! end-kind
		OVER EXECUTE
	LOOP
	2DROP 0 to
;

: leaping ( -- )
	1 diagonal-runs end-kind
	2 straight-runs 2 leaps end-kind
	3 straight-runs 3 leaps end-kind
	3 diagonal-runs end-kind
;
: marching ( -- )
	1 straight-runs 1 diagonal-runs end-kind
	2 straight-runs 2 diagonal-runs end-kind
	3 straight-runs 3 diagonal-runs end-kind
	3 diagonal-runs end-kind
;
#grid #starts * [] leaping-ways[]
' leaping 0 leaping-ways[] store-ways
#grid #starts * [] marching-ways[]
' marching 0 marching-ways[] store-ways

VARIABLE ways                           \ the table in use
0 leaping-ways[] ways !
: way ( pos kind -- addr ) SWAP #starts * + CELLS ways @ + @ ;
: ways-of ( pos kind -- end addr ) 2DUP 1+ way ROT ROT way ;

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
\ margins are cut, so that the words below need no test for the edge.
: link-of ( pos 'dir -- addr ) CFA>PFA SWAP CELLS + ;
: leads-out? ( pos 'dir -- ? )
	OVER on-board? NOT ROT ROT link-of @ DUP 0< IF DROP ELSE on-board? NOT OR ENDIF
;
: cut-links ( 'dir -- )
	#grid 0 DO I OVER leads-out? IF -1 OVER I SWAP link-of ! ENDIF LOOP
	DROP
;
: cut-all-links ( -- ) 4 0 DO I straight-way cut-links I diagonal-way cut-links LOOP ;
cut-all-links

#squares [] squares[]                   \ all squares, top row first
: list-squares ( -- )
	0 #grid 0 DO I on-board? IF I OVER squares[] ! 1+ ENDIF LOOP DROP
;
list-squares

\ --- the eight neighbours -------------------------------------------------------------------------
\ Neighbours 0 to 3 are straight, 4 to 7 diagonal; the numbers of opposite neighbours differ by two; -1: off the board.
#grid 8 * [] neighbours[]
: neighbour ( pos i -- addr ) SWAP 8 * + neighbours[] ;
: beside ( pos 'dir -- pos' | -1 ) SWAP to EXECUTE IF here ELSE -1 ENDIF ;
: fill-neighbours ( pos -- )
	4 0 DO
		DUP I straight-way beside OVER I neighbour !
		DUP I diagonal-way beside OVER I 4 + neighbour !
	LOOP
	DROP
;

\ --- lines ------------------------------------------------------------------------------------------
\ For each square the 22 other squares in its row and column.  For each two squares in line their distance, both
\ ends counted: 2 for neighbours; 0 if they are not in line.
22 CONSTANT #line
#grid #line * [] lines[]
: line ( pos -- addr ) #line * lines[] ;
CREATE distances #grid #grid * ALLOT
distances #grid #grid * ERASE
: distance ( pos pos' -- addr ) SWAP #grid * + distances + ;
: apart ( pos pos' -- n ) distance C@ ;

: in-line ( pos pos' -- n | 0 )
	2DUP column-of SWAP column-of = IF row-of SWAP row-of - ABS 1+ ELSE
	2DUP row-of SWAP row-of = IF - ABS 1+ ELSE 2DROP 0 ENDIF ENDIF
;
: fill-line ( pos -- )
	DUP line                                ( pos addr )
	#squares 0 DO
		OVER I squares[] @ in-line DUP 1 >
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
3 CONSTANT #long                        \ three squares diagonally: see pyramid-diagonal=on
4 CONSTANT #kinds

\ A way in the table: the other square, then two squares between; `nothing` is a position that is always empty.
3 CELLS CONSTANT #way

VARIABLE start-square                   \ the square whose ways are added to the table
: steps ( 'dir n -- ? )                 \ moves `here` n steps; FALSE at the edge
	TRUE SWAP 0 DO OVER EXECUTE AND LOOP SWAP DROP
;
: between ( 'dir n i -- pos )           \ the i-th square of n, if it lies between
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
: mark ( -- ) HERE next-start @ ! CELLSIZE next-start +! ;

\ 'pattern ( -- ) compiles the ways from `start-square`, kind after kind, with a `mark` after each kind.
: lay-ways ( 'pattern table -- )
	#squares 0 DO
		I squares[] @ DUP start-square !
		#starts * CELLS OVER + next-start ! mark
		OVER EXECUTE
	LOOP
	2DROP 0 to
;

: leaping ( -- )
	1 diagonal-runs mark
	2 straight-runs 2 leaps mark
	3 straight-runs 3 leaps mark
	3 diagonal-runs mark
;
: marching ( -- )
	1 straight-runs 1 diagonal-runs mark
	2 straight-runs 2 diagonal-runs mark
	3 straight-runs 3 diagonal-runs mark
	3 diagonal-runs mark
;
#grid #starts * [] leaping-ways[]
' leaping 0 leaping-ways[] lay-ways
#grid #starts * [] marching-ways[]
' marching 0 marching-ways[] lay-ways

VARIABLE ways                           \ the table in use
0 leaping-ways[] ways !
: way ( pos kind -- addr ) SWAP #starts * + CELLS ways @ + @ ;
: ways-of ( pos kind -- end addr ) 2DUP 1+ way ROT ROT way ;

\ Programs that the benches of the interpreter run.  Every `answer-…` leaves one number that
\ interpreter.py knows to be right.

: fib ( n -- n' ) DUP 2 < IF DROP 1 ELSE DUP 1- RECURSE SWAP 2- RECURSE + ENDIF ;
: answer-fib ( -- n ) 27 fib ;

\ --- sieve of Eratosthenes over the odd numbers 3, 5 … 16383 -----------------------------

8190 CONSTANT #flags
CREATE flags #flags ALLOT
: strike ( i prime -- ) SWAP BEGIN OVER + DUP #flags < WHILE 0 OVER flags + C! REPEAT 2DROP ;
: sieve ( -- n )
	flags #flags 1 FILL
	0 #flags 0 DO I flags + C@ IF I DUP 2* 3 + strike 1+ ENDIF LOOP ;
: answer-sieve ( -- n ) 0 20 0 DO DROP sieve LOOP ;

\ --- bubble sort of 400 cells --------------------------------------------------------------

400 CONSTANT #items
#items [] items[]
VARIABLE seed
: next-random ( -- n ) seed @ 1309 * 13849 + 65535 AND DUP seed ! ;
: fill-items ( -- ) 74755 seed ! #items 0 DO next-random I items[] ! LOOP ;
: exchange ( addr -- ) DUP @ OVER CELLSIZE + @ 2 PICK ! SWAP CELLSIZE + ! ;
: order ( addr -- ) DUP @ OVER CELLSIZE + @ > IF exchange ELSE DROP ENDIF ;
: bubble ( n -- ) 0 DO I items[] order LOOP ;
: sort ( -- ) 1 #items 1- DO I bubble -1 +LOOP ;
: sorted? ( -- ? ) TRUE #items 1- 0 DO I items[] @ I 1+ items[] @ <= AND LOOP ;
: sum ( -- n ) 0 #items 0 DO I items[] @ + LOOP ;
: answer-bubble ( -- n ) fill-items sum sort sum = sorted? AND ;

\ --- product of two matrices of 40 by 40: a[i,j] = i + j, b the unit matrix times 3 ----------

40 CONSTANT #side
#side #side * [] ma[]
#side #side * [] mb[]
#side #side * [] mc[]
: at ( row col -- i ) SWAP #side * + ;
: fill-matrices ( -- )
	#side 0 DO #side 0 DO
		J I + J I at ma[] !
		J I = IF 3 ELSE 0 ENDIF J I at mb[] !
	LOOP LOOP ;
VARIABLE row
VARIABLE col
: cell ( -- n ) 0 #side 0 DO row @ I at ma[] @ I col @ at mb[] @ * + LOOP ;
: multiply ( -- )
	#side 0 DO I row ! #side 0 DO I col ! cell row @ I at mc[] ! LOOP LOOP ;
: answer-matmul ( -- n ) fill-matrices multiply 0 #side #side * 0 DO I mc[] @ + LOOP ;

\ --- rook lines over a board of 8 by 8 with a piece on every square whose number is 5 mod 7 --

64 [] squares[]
: fill-squares ( -- ) 64 0 DO I 7 MOD 5 = IF 1 ELSE 0 ENDIF I squares[] ! LOOP ;
: inside? ( row col -- ? ) DUP 0< SWAP 7 > OR SWAP DUP 0< SWAP 7 > OR OR NOT ;
VARIABLE drow
VARIABLE dcol
VARIABLE steps
: free? ( row col -- ? ) 2DUP inside? IF SWAP 8 * + squares[] @ 0= ELSE 2DROP FALSE ENDIF ;
: ray ( row col -- )
	BEGIN dcol @ + SWAP drow @ + SWAP 2DUP free? WHILE steps ++ REPEAT 2DROP ;
: rays ( row col drow dcol -- row col ) dcol ! drow ! 2DUP ray ;
: rook ( row col -- ) 1 0 rays -1 0 rays 0 1 rays 0 -1 rays 2DROP ;
: scan ( -- n ) steps OFF 8 0 DO 8 0 DO J I rook LOOP LOOP steps @ ;
: answer-scan ( -- n ) fill-squares 0 60 0 DO DROP scan LOOP ;

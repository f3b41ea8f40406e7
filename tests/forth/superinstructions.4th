\ Definitions with sequences of words that superinstructions replace, and with similar sequences.
5 [] row
: times-row ( n i -- n' ) row * ;
0 CONSTANT zero
: scaled ( n -- n' ) zero * ;
CREATE table 1 , 2 , 3 , 4 ,
: item ( i -- addr ) CELLS table + ;
: item@ ( i -- n ) CELLS table + @ ;
T{ 2 item @ -> 3 }T
T{ 3 item@ -> 4 }T
T{ 7 scaled -> 0 }T
\ The slot contains the value of the constant.  A change of the constant must take effect.
T{ 3 IS zero 7 scaled -> 21 }T
T{ 1 0 times-row 0 row = -> TRUE }T
T{ 2 1 times-row 1 row 2 * = -> TRUE }T
T{ 9 2 row ! 2 row @ -> 9 }T
: equal3 ( n -- n ? ) DUP 3 = IF TRUE ELSE FALSE ENDIF ;
: below3 ( n -- n ? ) DUP 3 < IF TRUE ELSE FALSE ENDIF ;
: above3 ( n -- n ? ) DUP 3 > IF TRUE ELSE FALSE ENDIF ;
T{ 3 equal3 2 equal3 -> 3 TRUE 2 FALSE }T
T{ 3 below3 2 below3 -> 3 FALSE 2 TRUE }T
T{ 3 above3 4 above3 -> 3 FALSE 4 TRUE }T
\ Compiled cells are changed after they have run.
: patched ( -- n ) 4 5 + ;
T{ patched -> 9 }T
T{ ' patched CFA>PFA CELLSIZE + 40 SWAP ! patched -> 45 }T
T{ ' - ' patched CFA>PFA 4 CELLS + ! patched -> 35 }T
: increment-below-10 ( n -- n' ) DUP 10 < IF 1 + ENDIF ;
T{ 9 increment-below-10 -> 10 }T
T{ 20 ' increment-below-10 CFA>PFA 2 CELLS + ! 15 increment-below-10 -> 16 }T
CREATE bytes 8 ALLOT
: put-byte ( c i -- ) bytes + C! ;
: get-byte ( i -- c ) bytes + C@ ;
: get-cell ( offset -- n ) table + @ ;
: sum-bytes ( -- n ) 0 8 0 DO bytes I + C@ + LOOP ;
: sum-cells ( -- n ) 0 4 0 DO table I + @ DROP 1 + LOOP ;
: first-cells ( -- n ) 0 1 0 DO table I + @ + LOOP ;
: over-table ( n m -- n m addr ) OVER table + ;
: put-all 8 0 DO I I put-byte LOOP ;
T{ put-all -> }T
T{ 5 get-byte 200 5 put-byte 5 get-byte -> 5 -56 }T
T{ 4 get-cell 12 get-cell -> 2 4 }T
\ The bytes are 0, 1, 2, 3, 4, -56, 6 and 7.
T{ sum-bytes sum-cells first-cells -> -33 4 1 }T
T{ 8 7 over-table @ -> 8 7 3 }T

\ CRC-16 bit by bit and by a table, over a block of pseudo-random bytes.
1024 CONSTANT block-size
CREATE block-data block-size ALLOT
CREATE crc-table 256 CELLS ALLOT
40961 CONSTANT polynomial               \ A001 in base 16
: crc-step ( crc -- crc' ) 8 0 DO DUP 1 AND IF 2/ polynomial XOR ELSE 2/ THEN LOOP ;
: make-table ( -- ) 256 0 DO I crc-step I CELLS crc-table + ! LOOP ;
: make-data ( -- ) 12345 block-size 0 DO 1309 * 13849 + 65535 AND DUP 127 AND block-data I + C! LOOP DROP ;
: crc-slow ( crc byte -- crc' ) XOR crc-step ;
: crc-fast ( crc byte -- crc' ) OVER XOR 255 AND CELLS crc-table + @ SWAP 256 / XOR ;
: all-slow ( -- crc ) 65535 block-size 0 DO block-data I + C@ crc-slow LOOP ;
: all-fast ( -- crc ) 65535 block-size 0 DO block-data I + C@ crc-fast LOOP ;
: run ( n -- sum ) make-table make-data 0 SWAP 0 DO all-slow all-fast 2DUP - + + + 16777215 AND LOOP ;

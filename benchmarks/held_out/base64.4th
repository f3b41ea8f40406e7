\ Base 64: encodes 600 bytes as 800 letters, decodes the letters and compares the bytes.
VARIABLE seed
: random ( limit -- n ) seed @ 75 * 74 + 65537 MOD DUP seed ! SWAP MOD ;
600 CONSTANT size
CREATE bytes size ALLOT
CREATE text 800 ALLOT
CREATE decoded size ALLOT
: make ( -- ) size 0 DO 256 random bytes I + C! LOOP ;
: letter ( n -- c )
  DUP 26 < IF 65 + ELSE DUP 52 < IF 71 + ELSE DUP 62 < IF 4 - ELSE 62 = IF 43 ELSE 47 THEN THEN THEN THEN ;
: value ( c -- n )
  DUP 96 > IF 71 - ELSE DUP 64 > IF 65 - ELSE DUP 47 > IF 4 + ELSE 43 = IF 62 ELSE 63 THEN THEN THEN THEN ;
: byte ( addr -- n ) C@ 255 AND ;
: read-three ( addr -- n ) DUP byte 256 * OVER 1+ byte + 256 * SWAP 2 + byte + ;
: put-four ( n addr -- )
  3 + 4 0 DO OVER 63 AND letter OVER C! 1- SWAP 64 / SWAP LOOP 2DROP ;
: put-three ( n addr -- ) 2 + 3 0 DO OVER 255 AND OVER C! 1- SWAP 256 / SWAP LOOP 2DROP ;
: read-four ( addr -- n ) 0 4 0 DO 64 * OVER I + C@ value + LOOP SWAP DROP ;
: encode ( -- ) 200 0 DO bytes I 3 * + read-three text I 4 * + put-four LOOP ;
: decode ( -- ) 200 0 DO text I 4 * + read-four decoded I 3 * + put-three LOOP ;
: differences ( -- n ) 0 size 0 DO bytes I + C@ decoded I + C@ <> IF 1+ THEN LOOP ;
: digest ( -- n ) 0 800 0 DO 31 * text I + C@ + 1048575 AND LOOP ;
: run ( n -- sum ) 0 SWAP 0 DO I 17 + seed ! make encode decode differences 1000000 * + digest + 16777215 AND LOOP ;

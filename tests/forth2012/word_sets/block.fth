\ block.fth: the word sets BLOCK and BLOCK EXT.  The blocks 20 to 29 are written.
: >line ( addr n line block -- ) BLOCK SWAP 64 * + SWAP MOVE UPDATE ;
: clear ( block -- ) BUFFER 1024 BL FILL UPDATE ;

T{ 20 clear 20 BLOCK 1023 + C@ -> BL }T
T{ 20 BLOCK 21 BLOCK 20 BLOCK ROT = SWAP 21 BLOCK = -> TRUE TRUE }T
\ Changes are stored if UPDATE follows.
T{ CHAR a 20 BLOCK C! UPDATE FLUSH CHAR b 20 BLOCK C! EMPTY-BUFFERS 20 BLOCK C@ -> CHAR a }T
T{ CHAR c 20 BLOCK C! UPDATE EMPTY-BUFFERS 20 BLOCK C@ -> CHAR a }T
T{ CHAR d 20 BLOCK C! UPDATE SAVE-BUFFERS CHAR e 20 BLOCK C! EMPTY-BUFFERS 20 BLOCK C@ -> CHAR d }T
T{ CHAR f 20 BLOCK C! UPDATE 21 BLOCK DROP 20 BUFFER C@ -> CHAR f }T
T{ -1 ' BLOCK CATCH NIP 0 ' LOAD CATCH NIP -> -35 -35 }T

20 clear
S" 1 2 \ a comment" 0 20 >line
S" BLK @ SOURCE NIP SOURCE-ID" 1 20 >line
S" : star-slash ( n -- n )  2" 15 20 >line
21 clear
S" * ; 3 BLK @ REFILL 99" 0 21 >line
22 clear
S" 5 BLK @ star-slash" 0 22 >line
T{ 20 21 THRU BLK @ -> 1 2 20 1024 0 3 21 TRUE 5 44 0 }T
23 clear
S" 7 22 LOAD 8 BLK @ BL WORD x COUNT NIP" 0 23 >line
T{ 23 LOAD -> 7 5 44 8 23 1 }T
T{ 22 23 THRU -> 5 44 7 5 44 8 23 1 }T
\ The source of EVALUATE is no block.
24 clear
S\" S\" BLK @\" EVALUATE BLK @" 0 24 >line
T{ 24 LOAD -> 0 24 }T
\ CATCH and RESTORE-INPUT restore the block.
25 clear
S" 55 THROW" 0 25 >line
26 clear
S" 25 ' LOAD CATCH NIP BLK @" 0 26 >line
T{ 26 LOAD BLK @ -> 55 26 0 }T
VARIABLE again
27 clear
S" again @ SAVE-INPUT again @ 0= [IF] 1 again ! RESTORE-INPUT [ELSE] [THEN] 2" 0 27 >line
T{ 27 LOAD -> 0 0 2 }T
T{ 63 ' LOAD CATCH -> 0 }T
20 LIST SCR @ .

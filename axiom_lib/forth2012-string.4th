\ forth2012-string.4th: the word sets STRING and STRING EXT.  It owns the substitutions of REPLACES,
\ which are on the heap (forth2012-memory.4th).

{internal
: $signum ( n -- -1 | 0 | 1 )
	DUP 0< SWAP 0> - ;
{standard
: /STRING ( addr n k -- addr+k n-k )
	DUP >R - SWAP R> + SWAP ;
: -TRAILING ( addr n -- addr n' )
	BEGIN DUP WHILE 2DUP + 1- C@ BL = WHILE 1- REPEAT THEN ;
: BLANK ( addr n -- )
	BL FILL ;
: CMOVE ( from to n -- )
	CMOVE ;
: CMOVE> ( from to n -- )
	BEGIN DUP WHILE 1- >R OVER R@ + C@ OVER R@ + C! R> REPEAT DROP 2DROP ;
: COMPARE ( a1 n1 a2 n2 -- -1 | 0 | 1 )
	ROT 2DUP SWAP - >R MIN 0 ?DO
		OVER I + C@ OVER I + C@ - ?DUP IF $signum NIP NIP UNLOOP R> DROP EXIT THEN
	LOOP 2DROP R> $signum ;
: SEARCH ( a1 n1 a2 n2 -- a3 n3 ? )
	2>R 2DUP BEGIN DUP R@ U< 0= WHILE
		OVER R@ 2R@ COMPARE 0= IF 2SWAP 2DROP 2R> 2DROP TRUE EXIT THEN 1 /STRING
	REPEAT 2DROP 2R> 2DROP FALSE ;
: SLITERAL ( addr n -- )
	$string, ; IMMEDIATE

\ --- substitutions: a list of blocks: next block, text, its length, length of the name, name ----

{internal
VARIABLE $substitutions
CHAR % CONSTANT $percent
: $substitution ( name n -- block | 0 )
	2>R $substitutions @ BEGIN DUP WHILE
		DUP 3 CELLS + DUP CELL+ SWAP @ 2R@ $same IF 2R> 2DROP EXIT THEN @
	REPEAT 2R> 2DROP ;
: $copied ( addr n -- addr' )  \ Copy a text to the heap.
	DUP ALLOCATE THROW DUP >R SWAP MOVE R> ;
: $new-substitution ( name n -- block )
	DUP 4 CELLS + ALLOCATE THROW >R
	DUP R@ 3 CELLS + ! R@ 4 CELLS + SWAP MOVE
	$substitutions @ R@ ! 0 R@ CELL+ ! R@ $substitutions ! R> ;
VARIABLE $written \ The number of bytes written; $room would be the limit.
VARIABLE $room
VARIABLE $target-text
VARIABLE $replaced \ The number of substitutions, or an error.
: $write ( addr n -- )
	DUP $room @ $written @ - U> IF 2DROP -78 $replaced ! EXIT THEN
	TUCK $target-text @ $written @ + SWAP MOVE $written +! ;
: $after ( addr n c -- addr' n' )  \ Skip to a character, which is the first of the result.
	>R BEGIN DUP WHILE OVER C@ R@ <> WHILE 1 /STRING REPEAT THEN R> DROP ;
: $write-name ( name n -- )  \ Write the text for a name between two %.
	DUP 0= IF DROP 1- 1 $write EXIT THEN
	2DUP $substitution DUP IF
		NIP NIP DUP CELL+ @ SWAP 2 CELLS + @ $write
		$replaced @ 0< 0= IF 1 $replaced +! THEN
	ELSE DROP 2 + SWAP 1- SWAP $write THEN ;
: $overlap? ( addr n -- addr n ? )  \ Whether a text and the target have bytes in common.
	OVER $target-text @ - $room @ U< >R 2DUP $target-text @ ROT - U> R> OR ;
: $write-all ( addr n -- )  \ Write a text with its substitutions.
	BEGIN DUP WHILE
		2DUP $percent $after 2SWAP 2 PICK - $write \ the text before the first %
		DUP IF
			2DUP 1 /STRING 2DUP $percent $after ( a n name n' end n'' )
			DUP IF 2>R R@ - $write-name 2DROP 2R> 1 /STRING
			ELSE 2DROP 2DROP $write 0 0 THEN
		THEN
	REPEAT 2DROP ;
{standard
: REPLACES ( text n1 name n2 -- )
	2SWAP TUCK $copied ( name n2 n1 copy ) 2SWAP
	2DUP $substitution DUP IF NIP NIP DUP CELL+ @ FREE DROP ELSE DROP $new-substitution THEN
	TUCK CELL+ ! 2 CELLS + ! ;
: SUBSTITUTE ( a1 n1 a2 n2 -- a2 n3 n4 )
	$room ! $target-text ! 0 $written ! 0 $replaced !
	OVER $target-text @ = IF 2DROP -78 $replaced !
	ELSE $overlap? IF TUCK $copied TUCK SWAP $write-all FREE DROP ELSE $write-all THEN
	THEN $target-text @ $written @ $replaced @ ;
: UNESCAPE ( a1 n1 a2 -- a2 n2 )
	DUP 2SWAP OVER + SWAP ?DO
		I C@ $percent = IF $percent OVER C! 1+ THEN I C@ OVER C! 1+
	LOOP OVER - ;
{environment
: STRING TRUE ;
: STRING-EXT TRUE ;
{internal

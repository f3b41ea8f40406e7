\ forth2012-tools.4th: the word sets TOOLS and TOOLS EXT, without CODE, ;CODE, ASSEMBLER and EDITOR.

22 $host $see ( 'x -- )  \ Print the source of a definition.
23 $host $bye ( -- )  \ Leave the program.

\ --- names ------------------------------------------------------------------------------------

{standard
: NAME>STRING ( nt -- addr u ) @ 0 BEGIN 2DUP + C@ WHILE 1+ REPEAT ;
: NAME>INTERPRET ( nt -- 'x ) $xt ;
: NAME>COMPILE ( nt -- x 'x )
	DUP $xt OVER $smart? IF NIP ['] $compiling EXIT THEN
	SWAP $immediate? IF ['] EXECUTE ELSE ['] COMPILE, THEN ;
{internal
: $visible? ( nfa -- ? )
	DUP CELL+ @ 2 AND 0= SWAP NAME>STRING NIP 0<> AND ;
{standard
: TRAVERSE-WORDLIST ( i*x 'x list -- j*x )
	@ SWAP >R >R
	BEGIN R@ WHILE
		R> R@ OVER NFA>LFA @ >R OVER $visible?
		IF EXECUTE ELSE 2DROP TRUE THEN 0= IF R> DROP 0 >R THEN
	REPEAT 2R> 2DROP ;
: SYNONYM ( "new" "old" -- )
	$header $nfa DUP $xt , CELL+ @ 25 AND 4 OR $latest @ CELL+ ! ;
: [DEFINED] ( "name" -- ? ) PARSE-NAME $find 0<> ; IMMEDIATE
: [UNDEFINED] ( "name" -- ? ) PARSE-NAME $find 0= ; IMMEDIATE

\ --- what the system contains -----------------------------------------------------------------

{internal
: $skip ( addr n k -- addr' n' )  \ Remove k characters from the beginning of a text.
	DUP >R - SWAP R> + SWAP ;
: $print-name ( nfa -- ? ) NAME>STRING TYPE SPACE TRUE ;
: $dump-line ( addr n -- )
	OVER 8 U.R SPACE
	2DUP BEGIN DUP WHILE OVER C@ 0 <# # # #> TYPE SPACE 1 $skip REPEAT 2DROP
	SPACE BEGIN DUP WHILE
		OVER C@ DUP 32 127 WITHIN 0= IF DROP [CHAR] . THEN EMIT 1 $skip
	REPEAT 2DROP CR ;
{standard
: .S ( -- )
	." <" DEPTH 0 .R ." > "
	DEPTH BEGIN DUP WHILE DUP PICK . 1- REPEAT DROP ;
: ? ( addr -- ) @ . ;
: WORDS ( -- ) ['] $print-name $order @ TRAVERSE-WORDLIST ;
: DUMP ( addr u -- )
	BASE @ >R HEX CR
	BEGIN DUP 0> WHILE 2DUP 16 MIN $dump-line 16 $skip REPEAT 2DROP R> BASE ! ;
: SEE ( "name" -- ) $' $see ;
: BYE ( -- ) $bye ;

\ --- conditional compilation --------------------------------------------------------------------

{internal
: $same ( addr n addr2 n2 -- ? )  \ Whether two names are equal, ignoring case.
	ROT OVER <> IF DROP 2DROP FALSE EXIT THEN
	BEGIN DUP WHILE
		>R OVER C@ $upper OVER C@ $upper <> IF R> DROP 2DROP FALSE EXIT THEN
		CHAR+ SWAP CHAR+ SWAP R> 1-
	REPEAT DROP 2DROP TRUE ;
: $depth-after ( n addr u -- n' )  \ Count nested [IF]s; 0 at the end of the outermost.
	2DUP S" [IF]" $same IF 2DROP 1+ EXIT THEN
	2DUP S" [ELSE]" $same IF 2DROP DUP 1 = + EXIT THEN
	S" [THEN]" $same + ;
{standard
: [ELSE] ( "text" -- )
	1 BEGIN
		BEGIN PARSE-NAME DUP WHILE $depth-after DUP 0= IF DROP EXIT THEN REPEAT
		2DROP REFILL 0=
	UNTIL DROP ; IMMEDIATE
: [IF] ( x "text" -- ) 0= IF POSTPONE [ELSE] THEN ; IMMEDIATE
: [THEN] ( -- ) ; IMMEDIATE

\ --- control flow and the return stack ----------------------------------------------------------

: AHEAD ( -- ) POSTPONE BRANCH HERE 0 , ; IMMEDIATE
: CS-PICK ( u -- ) PICK ;
: CS-ROLL ( u -- ) ROLL ;
: N>R ( xn ... x1 n -- ) DUP BEGIN DUP WHILE ROT R> SWAP >R >R 1- REPEAT DROP R> SWAP >R >R ;
: NR> ( -- xn ... x1 n ) R> R> SWAP >R DUP BEGIN DUP WHILE R> R> SWAP >R ROT ROT 1- REPEAT DROP ;

\ --- forgetting -------------------------------------------------------------------------------

: FORGET ( "name" -- ) $nfa @ DUP $first-user @ U< IF -15 THROW THEN $forget ;
{environment
: TOOLS TRUE ;
: TOOLS-EXT TRUE ;
{internal
$compile-only AHEAD N>R NR>

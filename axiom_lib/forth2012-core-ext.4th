\ forth2012-core-ext.4th: the words of CORE that print numbers, CORE EXT, and the words that include
\ files.  It is the first file in standard Forth: names are searched first among the standard words,
\ then among those of the kernel.  Internal words begin with $.

{internal
: $host ( n -- )  \ Make the next name a word that calls function n of the host.
	$header 2119566316 $code! , ;
: $service ( n -- )  \ Make the next name a word that calls function n in C.
	INVERT $host ;
{standard
-1 CONSTANT TRUE
0 CONSTANT FALSE
: HEX ( -- ) 16 BASE ! ;
: NIP ( x1 x2 -- x2 ) SWAP DROP ;
: TUCK ( x1 x2 -- x2 x1 x2 ) SWAP OVER ;
: 0<> ( x -- ? ) 0= INVERT ;
: 0> ( n -- ? ) 0 > ;
: <> ( x1 x2 -- ? ) = INVERT ;
: U> ( u1 u2 -- ? ) SWAP U< ;
: WITHIN ( x low high -- ? ) OVER - >R - R> U< ;
: ROLL ( xu ... x0 u -- xu-1 ... x0 xu ) DUP 0> IF SWAP >R 1- RECURSE R> SWAP ELSE DROP THEN ;
: ERASE ( addr u -- ) 0 FILL ;
: UNUSED ( -- u ) LIMIT HERE - ;
: BUFFER: ( u "name" -- ) CREATE ALLOT ;
{internal
CREATE $pad 1024 ALLOT
{standard
: PAD ( -- addr ) $pad ;
: COMPILE, ( 'x -- ) , ;
: [COMPILE] ( "name" -- ) ' , ; IMMEDIATE
: :NONAME ( -- 'x ) $:noname ;
: PARSE ( c "text" -- addr u ) $parse ;
: PARSE-NAME ( "name" -- addr u ) $parse-name ;
: SOURCE-ID ( -- 0 | -1 | file ) $source-id @ ;
{internal
25 $host $type-line ( -- ? )  \ Ask the user for the next line of the outermost text.
{standard
: REFILL ( -- ? )
	$refill DUP SOURCE-ID $blk @ OR OR IF EXIT THEN DROP $type-line DUP IF DROP $refill THEN ;

\ --- numbers --------------------------------------------------------------------------------

{internal
: $signed ( n -- addr u ) DUP ABS 0 <# #S ROT SIGN #> ;
: $right ( addr u width -- ) OVER - SPACES TYPE ;
{standard
: . ( n -- ) $signed TYPE SPACE ;
: U. ( u -- ) 0 <# #S #> TYPE SPACE ;
: .R ( n width -- ) >R $signed R> $right ;
: U.R ( u width -- ) >R 0 <# #S #> R> $right ;
: HOLDS ( addr u -- ) BEGIN DUP WHILE 1- 2DUP + C@ HOLD REPEAT 2DROP ;

\ --- control structures -----------------------------------------------------------------------

: AGAIN ( -- ) POSTPONE BRANCH , ; IMMEDIATE
: ?DO ( limit first -- )
	$leaves @ 0 $leaves ! POSTPONE OVER POSTPONE - POSTPONE SWAP POSTPONE >R POSTPONE >R
	POSTPONE R@ POSTPONE 0BRANCH HERE $leaves @ , $leaves ! HERE ; IMMEDIATE
: CASE ( -- ) 0 ; IMMEDIATE
: OF ( x1 x2 -- | x1 ) 1+ >R POSTPONE OVER POSTPONE = POSTPONE IF POSTPONE DROP R> ; IMMEDIATE
: ENDOF ( -- ) >R POSTPONE ELSE R> ; IMMEDIATE
: ENDCASE ( x -- ) POSTPONE DROP BEGIN DUP WHILE SWAP POSTPONE THEN 1- REPEAT DROP ; IMMEDIATE
: 2>R ( x1 x2 -- ) POSTPONE SWAP POSTPONE >R POSTPONE >R ; IMMEDIATE
: 2R> ( -- x1 x2 ) POSTPONE R> POSTPONE R> POSTPONE SWAP ; IMMEDIATE
: 2R@ ( -- x1 x2 ) POSTPONE R> POSTPONE R@ POSTPONE OVER POSTPONE >R POSTPONE SWAP ; IMMEDIATE

\ --- texts ------------------------------------------------------------------------------------

: .( ( "text" -- ) [CHAR] ) PARSE TYPE ; IMMEDIATE
: C" ( "text" -- text )
	[CHAR] " PARSE DUP 255 > IF -18 $error THEN
	POSTPONE BRANCH HERE >R 0 , HERE >R DUP C, HERE OVER ALLOT SWAP MOVE ALIGN
	R> R> HERE SWAP ! POSTPONE LITERAL ; IMMEDIATE
{internal
CREATE $escaped 1024 ALLOT
VARIABLE $escaped-length
: $add-char ( c -- )
	$escaped-length @ DUP 1023 > IF -18 $error THEN $escaped + C! 1 $escaped-length +! ;
: $next-char ( -- c )
	$more? IF $peek $step ELSE -18 $error THEN ;
: $hex-digit ( -- n )
	$next-char $digit DUP 15 > IF -18 $error THEN ;
: $escape ( c -- )  \ Add the character that follows a backslash.
	CASE
		[CHAR] a OF 7 ENDOF	[CHAR] b OF 8 ENDOF	[CHAR] e OF 27 ENDOF
		[CHAR] f OF 12 ENDOF	[CHAR] l OF 10 ENDOF	[CHAR] n OF 10 ENDOF
		[CHAR] q OF 34 ENDOF	[CHAR] r OF 13 ENDOF	[CHAR] t OF 9 ENDOF
		[CHAR] v OF 11 ENDOF	[CHAR] z OF 0 ENDOF
		[CHAR] m OF 13 $add-char 10 ENDOF
		[CHAR] x OF $hex-digit 16 * $hex-digit + ENDOF
		DUP
	ENDCASE $add-char ;
: $parse-escaped ( -- addr n )
	0 $escaped-length !
	BEGIN $more? WHILE $peek $step DUP 34 <> WHILE
		DUP [CHAR] \ = IF DROP $next-char $escape ELSE $add-char THEN
	REPEAT DROP THEN $escaped $escaped-length @ ;
{standard
: S\" ( "text" -- addr u ) $parse-escaped STATE @ IF $string, ELSE $keep THEN ; IMMEDIATE

\ --- defining words ---------------------------------------------------------------------------

: DEFER ( "name" -- ) CREATE ['] (unset) , DOES> @ EXECUTE ;
{internal
DEFER $a-deferred
: $deferred ( 'deferred -- addr )  \ The address of the token that a deferred word runs.
	DUP CELL+ @ [ ' $a-deferred CELL+ @ ] LITERAL <> IF -32 $error THEN >BODY ;
{standard
: DEFER@ ( 'deferred -- 'x ) $deferred @ ;
: DEFER! ( 'x 'deferred -- ) $deferred ! ;
: IS ( 'x "name" -- ) STATE @ IF POSTPONE ['] POSTPONE DEFER! ELSE ' DEFER! THEN ; IMMEDIATE
: ACTION-OF ( "name" -- 'x ) STATE @ IF POSTPONE ['] POSTPONE DEFER@ ELSE ' DEFER@ THEN ; IMMEDIATE
: VALUE ( x "name" -- ) CREATE , DOES> @ ;
{internal
\ TO finds out by the DOES> part of a word what it does: ( x body -- ), at run time, or ( body -- ),
\ at compile time.
VARIABLE $to-actions
: $to-action ( 'store now? 'example -- )  \ TO runs 'store for words of the same kind as the example.
	HERE $to-actions @ , $to-actions ! CELL+ @ , , , ;
: $to-store ( 'x -- 'store now? )
	CELL+ @ >R $to-actions @
	BEGIN DUP WHILE DUP CELL+ @ R@ <> WHILE @ REPEAT THEN
	R> DROP DUP 0= IF -32 $error THEN 2 CELLS + 2@ ;
0 VALUE $a-value
' ! FALSE ' $a-value $to-action
{standard
: TO ( x "name" -- )
	$' DUP >BODY SWAP $to-store STATE @ 0= OR
	IF EXECUTE ELSE SWAP POSTPONE LITERAL COMPILE, THEN ; IMMEDIATE

\ --- forgetting -------------------------------------------------------------------------------

{internal
: $prune ( addr list -- )  \ Remove the words from addr on from a list.
	BEGIN 2DUP @ SWAP U< 0= WHILE DUP @ NFA>LFA @ OVER ! REPEAT 2DROP ;
: $forget ( addr -- )  \ Remove all words and lists from addr on, and free the memory.
	BEGIN $lists @ OVER U< 0= WHILE $lists @ CELL+ @ $lists ! REPEAT
	DUP $kernel $prune
	$lists @ BEGIN DUP WHILE 2DUP $prune CELL+ @ REPEAT DROP
	DP ! CURRENT @ @ $latest ! ;
: $order, ( -- )
	$order-count @ , CURRENT @ , $order HERE 16 CELLS DUP ALLOT MOVE ;
: $order! ( addr -- )
	DUP @ $order-count ! CELL+ DUP @ CURRENT ! CELL+ $order 16 CELLS MOVE ;
{standard
: MARKER ( "name" -- ) HERE CREATE , $order, DOES> DUP CELL+ $order! @ $forget ;

\ --- the input --------------------------------------------------------------------------------

: SAVE-INPUT ( -- xn ... x1 n ) $blk @ $source @ $text @ $line# @ $source-id @ >IN @ 6 ;
{internal
: $input! ( blk source text line source-id -- ? )  \ Whether the input could be restored.
	DUP $source-id @ <> IF 2DROP 2DROP DROP FALSE EXIT THEN
	-1 = IF 2DROP NIP $source @ = EXIT THEN
	3 PICK IF 2DROP DROP $enter-block @ EXECUTE EXIT THEN
	SWAP $text @ <> IF DROP 2DROP FALSE EXIT THEN
	0 $blk ! 1- $line# ! 2DROP $refill ;
{standard
: RESTORE-INPUT ( xn ... x1 n -- ? )
	6 <> IF -12 $error THEN >R $input! DUP IF R@ >IN ! THEN R> DROP 0= ;
{internal
: $include ( addr n ? -- )  \ ?: whether to include the file again.
	>R 2DUP R> $line-at @ $open-text ?DUP IF NIP $throw EXIT THEN
	NIP NIP ?DUP IF DUP POSTPONE $include-text THEN ;
{standard
: INCLUDED ( addr u -- ) TRUE $include ;
: REQUIRED ( addr u -- ) FALSE $include ;
: INCLUDE ( "name" -- ) PARSE-NAME INCLUDED ;
: REQUIRE ( "name" -- ) PARSE-NAME REQUIRED ;

\ --- answers of ENVIRONMENT? ------------------------------------------------------------------

{environment
: /COUNTED-STRING 255 ;
: /HOLD 256 ;
: /PAD 1024 ;
: ADDRESS-UNIT-BITS 8 ;
: FLOORED FALSE ;
: MAX-CHAR 255 ;
: MAX-D -1 2147483647 ;
: MAX-N 2147483647 ;
: MAX-U -1 ;
: MAX-UD -1 -1 ;
: RETURN-STACK-CELLS 4096 ;
: STACK-CELLS 6144 ;
: CORE TRUE ;
: CORE-EXT TRUE ;
{internal

\ --- flags of words ---------------------------------------------------------------------------

: $flag-words ( flag "names" -- )
	>R BEGIN >IN @ $parse-name NIP WHILE >IN ! $nfa CELL+ DUP @ R@ OR SWAP ! REPEAT DROP R> DROP ;
: $compile-only ( "names" -- )  \ These words throw -14 outside of definitions.
	8 $flag-words ;
: $state-smart ( "names" -- )  \ POSTPONE appends what these words do in a definition.
	16 $flag-words ;
$compile-only >R R> R@ 2>R 2R> 2R@ EXIT RECURSE DOES> ; ['] [CHAR] POSTPONE LITERAL C"
$compile-only IF ELSE THEN BEGIN WHILE REPEAT UNTIL AGAIN CASE OF ENDOF ENDCASE
$compile-only DO ?DO LOOP +LOOP LEAVE UNLOOP I J
$state-smart S" S\" ." ABORT" TO IS ACTION-OF

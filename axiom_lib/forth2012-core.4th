\ forth2012-core.4th: the words of CORE.  It owns their names; forth2012.4th has most of their code.
\ It is the last file that is interpreted as ForthScript.

{standard
$alias DUP $alias DROP $alias SWAP $alias OVER $alias ROT $alias 2DUP $alias 2DROP $alias DEPTH
$alias >R $alias R> $alias R@ $alias + $alias - $alias * $alias / $alias MOD $alias /MOD $alias 1+
$alias 1- $alias 2* $alias +! $alias = $alias < $alias > $alias 0= $alias 0< $alias AND $alias OR
$alias XOR $alias INVERT $alias @ $alias ! $alias C! $alias HERE $alias , $alias C, $alias ALLOT
$alias PICK $alias EXECUTE $alias STATE $alias BASE $alias QUIT $alias EMIT $alias [ $alias ]
: 2/ ( n -- n' ) DUP 1 AND - 2/ ;
: C@ ( addr -- c ) $c@ ;
: U< ( u1 u2 -- ? ) $u< ;
: UM* ( u1 u2 -- ud ) $um* ;
: UM/MOD ( ud u -- rem quot ) $um/mod ;
: M* ( n1 n2 -- d ) $m* ;
: SM/REM ( d n -- rem quot ) $sm/rem ;
: FM/MOD ( d n -- rem quot ) $fm/mod ;
: S>D ( n -- d ) DUP 0< ;
: */MOD ( n1 n2 n3 -- rem quot ) >R $m* R> $sm/rem ;
: */ ( n1 n2 n3 -- n ) >R $m* R> $sm/rem $nip ;
: 2SWAP ( a b c d -- c d a b ) $2swap ;
: 2OVER ( a b c d -- a b c d a b ) $2over ;
: ?DUP ( x -- 0 | x x ) $?dup ;
: LSHIFT ( x u -- x' ) $lshift ;
: RSHIFT ( x u -- x' ) $rshift ;
: NEGATE ( n -- -n ) NEGATE ;
: ABS ( n -- u ) ABS ;
: MIN ( n1 n2 -- n ) MIN ;
: MAX ( n1 n2 -- n ) MAX ;
: 2! ( x1 x2 addr -- ) SWAP OVER ! CELLSIZE + ! ;
: 2@ ( addr -- x1 x2 ) DUP CELLSIZE + @ SWAP @ ;
: MOVE ( from to u -- ) $move ;
: FILL ( addr u c -- ) OVER 0> IF FILL ELSE DROP 2DROP ENDIF ;
: ALIGN ( -- ) $align ;
: ALIGNED ( addr -- addr' ) $aligned ;
: CELL+ ( addr -- addr' ) CELLSIZE + ;
: CELLS ( n -- n' ) CELLS ;
: CHAR+ ( addr -- addr' ) 1+ ;
: CHARS ( n -- n ) ;
: COUNT ( text -- addr u ) DUP 1+ SWAP $c@ ;
: BL ( -- c ) 32 ;
: SPACE ( -- ) SPACE ;
: SPACES ( n -- ) BEGIN DUP 0> WHILE SPACE 1- REPEAT DROP ;
: CR ( -- ) CR ;
: TYPE ( addr u -- ) $type ;
: <# ( -- ) $hold-area 256 + $hold ! ;
: HOLD ( c -- ) $hold, ;
: # ( ud -- ud' ) BASE @ $ud/mod ROT DUP 9 > IF 7 + ENDIF ASCII 0 + $hold, ;
: #S ( ud -- 0 0 ) BEGIN BASE @ $ud/mod ROT DUP 9 > IF 7 + ENDIF ASCII 0 + $hold, 2DUP OR 0= UNTIL ;
: #> ( ud -- addr u ) 2DROP $hold @ $hold-area 256 + OVER - ;
: SIGN ( n -- ) 0< IF ASCII - $hold, ENDIF ;
: >NUMBER ( ud addr u -- ud' addr' u' ) $>number ;
: DECIMAL ( -- ) DECIMAL ;
: >IN ( -- addr ) $>in ;
: SOURCE ( -- addr u ) $source @ $source-length @ ;
: EVALUATE ( addr u -- ) $evaluate ;
: WORD ( c "text" -- text ) $word ;
: FIND ( text -- text 0 | 'x 1 | 'x -1 ) DUP DUP 1+ SWAP $c@ $find DUP IF
	$nip DUP $xt SWAP $immediate? IF 1 ELSE -1 ENDIF ENDIF ;
: ' ( "name" -- 'x ) $' ;
: >BODY ( 'x -- addr ) CFA>PFA ;
: CHAR ( "name" -- c ) $require-name DROP $c@ ;
: CREATE ( "name" -- ) $header ;
: VARIABLE ( "name" -- ) $variable ;
: CONSTANT ( x "name" -- ) $header , DOES> @ ;
: : ( "name" -- ) $: ;
: ; ( -- ) $; ; IMMEDIATE
: IMMEDIATE ( -- ) $latest @ CELLSIZE + DUP @ 1 OR SWAP ! ;
: DOES> ( -- ) $does> ; IMMEDIATE
: ABORT ( -- ) -1 $error ;
: ACCEPT ( addr +n -- +n' ) $accept ;
: KEY ( -- c ) BEGIN $key DUP 0< WHILE DROP REPEAT ;
: ENVIRONMENT? ( addr u -- false | i*x true )
	$environment $search DUP IF NFA>CFA EXECUTE TRUE ENDIF ;
: LITERAL ( x -- ) $literal ; IMMEDIATE
: ['] ( "name" -- ) $' $literal ; IMMEDIATE
: [CHAR] ( "name" -- ) $require-name DROP $c@ $literal ; IMMEDIATE
: POSTPONE ( "name" -- ) $postpone ; IMMEDIATE
: RECURSE ( -- ) $open @ NFA>CFA , ; IMMEDIATE
: EXIT ( -- ) $exit ; IMMEDIATE
: S" ( "text" -- addr u ) 34 $parse STATE @ IF $string, ELSE $keep ENDIF ; IMMEDIATE
: ." ( "text" -- ) 34 $parse STATE @ IF $string, COMPILE $type ELSE $type ENDIF ; IMMEDIATE
{internal
: $abort ( addr n -- )
	$message-length ! $message ! -2 $error ;
{standard
: ABORT" ( x "text" -- )
	34 $parse STATE @ 0= IF ROT IF $abort ELSE 2DROP ENDIF EXIT ENDIF
	COMPILE 0BRANCH HERE >R 0 , $string, COMPILE $abort HERE R> ! ; IMMEDIATE
: IF ( x -- ) COMPILE 0BRANCH HERE 0 , ; IMMEDIATE
: ELSE ( -- ) COMPILE BRANCH HERE 0 , SWAP HERE SWAP ! ; IMMEDIATE
: BEGIN ( -- ) HERE ; IMMEDIATE
: UNTIL ( x -- ) COMPILE 0BRANCH , ; IMMEDIATE
: WHILE ( x -- ) COMPILE 0BRANCH HERE 0 , SWAP ; IMMEDIATE
: REPEAT ( -- ) COMPILE BRANCH , HERE SWAP ! ; IMMEDIATE
: THEN ( -- ) HERE SWAP ! ; IMMEDIATE
: DO ( limit first -- ) $begin-do ; IMMEDIATE
: LOOP ( -- ) COMPILE R> COMPILE 1+ COMPILE DUP COMPILE >R COMPILE 0= $end-do ; IMMEDIATE
: +LOOP ( n -- ) COMPILE $+loop $end-do ; IMMEDIATE
: LEAVE ( -- ) $leave, ; IMMEDIATE
: UNLOOP ( -- ) $unloop, ; IMMEDIATE
: I ( -- n ) COMPILE R> COMPILE R@ COMPILE OVER COMPILE + COMPILE SWAP COMPILE >R ; IMMEDIATE
{internal
: $j ( -- n )
	R> R> R> R> R OVER >R + SWAP >R SWAP >R SWAP >R ;
{standard
: J ( -- n ) COMPILE $j ; IMMEDIATE
: ( ( "text" -- ) BEGIN
		41 $parse + $source @ $source-length @ + < IF EXIT ENDIF
		$source-id @ -1 = IF EXIT ENDIF
	$refill 0= UNTIL ; IMMEDIATE
: \ ( "text" -- ) $blk @ IF $>in @ 62 + -64 AND ELSE $source-length @ ENDIF $>in ! ; IMMEDIATE
{internal

: $library-order ( -- )  \ Search the standard words, then the words of the kernel.
	$standard $order ! $kernel $order CELLSIZE + ! 2 $order-count ! ;
: $user-order ( -- )  \ Search the standard words only, and define words there.
	$standard $order ! 1 $order-count ! $standard CURRENT ! $standard CONTEXT !
	HERE $first-user ! ;
$library-order

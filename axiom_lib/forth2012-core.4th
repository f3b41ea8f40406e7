\ forth2012-core.4th: the words of CORE.  It owns their names; forth2012.4th has most of their code.
\ It is the last file that is interpreted as ForthScript.

{standard
$alias DUP $alias DROP $alias SWAP $alias OVER $alias ROT $alias 2DUP $alias 2DROP $alias DEPTH
$alias >R $alias R> $alias R@ $alias + $alias - $alias * $alias / $alias MOD $alias /MOD $alias 1+
$alias 1- $alias 2* $alias +! $alias = $alias < $alias > $alias 0= $alias 0< $alias AND $alias OR
$alias XOR $alias INVERT $alias @ $alias ! $alias C! $alias HERE $alias , $alias C, $alias ALLOT
$alias PICK $alias EXECUTE $alias STATE $alias BASE $alias QUIT $alias EMIT $alias [ $alias ]
: 2/ DUP 1 AND - 2/ ;
: C@ $c@ ;
: U< $u< ;
: UM* $um* ;
: UM/MOD $um/mod ;
: M* $m* ;
: SM/REM $sm/rem ;
: FM/MOD $fm/mod ;
: S>D DUP 0< ;
: */MOD >R $m* R> $sm/rem ;
: */ >R $m* R> $sm/rem $nip ;
: 2SWAP $2swap ;
: 2OVER $2over ;
: ?DUP $?dup ;
: LSHIFT $lshift ;
: RSHIFT $rshift ;
: NEGATE NEGATE ;
: ABS ABS ;
: MIN MIN ;
: MAX MAX ;
: 2! SWAP OVER ! CELLSIZE + ! ;
: 2@ DUP CELLSIZE + @ SWAP @ ;
: MOVE $move ;
: FILL OVER 0> IF FILL ELSE DROP 2DROP ENDIF ;
: ALIGN $align ;
: ALIGNED $aligned ;
: CELL+ CELLSIZE + ;
: CELLS CELLS ;
: CHAR+ 1+ ;
: CHARS ;
: COUNT DUP 1+ SWAP $c@ ;
: BL 32 ;
: SPACE SPACE ;
: SPACES BEGIN DUP 0> WHILE SPACE 1- REPEAT DROP ;
: CR CR ;
: TYPE $type ;
: <# $hold-area 256 + $hold ! ;
: HOLD $hold, ;
: # BASE @ $ud/mod ROT DUP 9 > IF 7 + ENDIF ASCII 0 + $hold, ;
: #S BEGIN BASE @ $ud/mod ROT DUP 9 > IF 7 + ENDIF ASCII 0 + $hold, 2DUP OR 0= UNTIL ;
: #> 2DROP $hold @ $hold-area 256 + OVER - ;
: SIGN 0< IF ASCII - $hold, ENDIF ;
: >NUMBER $>number ;
: DECIMAL DECIMAL ;
: >IN $>in ;
: SOURCE $source @ $source-length @ ;
: EVALUATE $evaluate ;
: WORD $word ;
: FIND DUP DUP 1+ SWAP $c@ $find DUP IF
	$nip DUP $xt SWAP $immediate? IF 1 ELSE -1 ENDIF ENDIF ;
: ' $' ;
: >BODY CFA>PFA ;
: CHAR $require-name DROP $c@ ;
: CREATE $header ;
: VARIABLE $variable ;
: CONSTANT $header , DOES> @ ;
: : $: ;
: ; $; ; IMMEDIATE
: IMMEDIATE $latest @ CELLSIZE + DUP @ 1 OR SWAP ! ;
: DOES> $does> ; IMMEDIATE
: ABORT -1 $error ;
: ACCEPT $accept ;
: KEY BEGIN $key DUP 0< WHILE DROP REPEAT ;
: ENVIRONMENT? $environment $search DUP IF NFA>CFA EXECUTE TRUE ENDIF ;
: LITERAL $literal ; IMMEDIATE
: ['] $' $literal ; IMMEDIATE
: [CHAR] $require-name DROP $c@ $literal ; IMMEDIATE
: POSTPONE $postpone ; IMMEDIATE
: RECURSE $open @ NFA>CFA , ; IMMEDIATE
: EXIT $exit ; IMMEDIATE
: S" 34 $parse STATE @ IF $string, ELSE $keep ENDIF ; IMMEDIATE
: ." 34 $parse STATE @ IF $string, COMPILE $type ELSE $type ENDIF ; IMMEDIATE
{internal
: $abort ( addr n -- )
	$message-length ! $message ! -2 $error ;
{standard
: ABORT"
	34 $parse STATE @ 0= IF ROT IF $abort ELSE 2DROP ENDIF EXIT ENDIF
	COMPILE 0BRANCH HERE >R 0 , $string, COMPILE $abort HERE R> ! ; IMMEDIATE
: IF COMPILE 0BRANCH HERE 0 , ; IMMEDIATE
: ELSE COMPILE BRANCH HERE 0 , SWAP HERE SWAP ! ; IMMEDIATE
: BEGIN HERE ; IMMEDIATE
: UNTIL COMPILE 0BRANCH , ; IMMEDIATE
: WHILE COMPILE 0BRANCH HERE 0 , SWAP ; IMMEDIATE
: REPEAT COMPILE BRANCH , HERE SWAP ! ; IMMEDIATE
: THEN HERE SWAP ! ; IMMEDIATE
: DO $begin-do ; IMMEDIATE
: LOOP COMPILE R> COMPILE 1+ COMPILE DUP COMPILE >R COMPILE 0= $end-do ; IMMEDIATE
: +LOOP COMPILE $+loop $end-do ; IMMEDIATE
: LEAVE $leave, ; IMMEDIATE
: UNLOOP $unloop, ; IMMEDIATE
: I COMPILE R> COMPILE R@ COMPILE OVER COMPILE + COMPILE SWAP COMPILE >R ; IMMEDIATE
{internal
: $j ( -- n )
	R> R> R> R> R OVER >R + SWAP >R SWAP >R SWAP >R ;
{standard
: J COMPILE $j ; IMMEDIATE
: ( BEGIN
		41 $parse + $source @ $source-length @ + < IF EXIT ENDIF
		$source-id @ -1 = IF EXIT ENDIF
	$refill 0= UNTIL ; IMMEDIATE
: \ $blk @ IF $>in @ 62 + -64 AND ELSE $source-length @ ENDIF $>in ! ; IMMEDIATE
{internal

: $library-order ( -- )  \ Search the standard words, then the words of the kernel.
	$standard $order ! $kernel $order CELLSIZE + ! 2 $order-count ! ;
: $user-order ( -- )  \ Search the standard words only, and define words there.
	$standard $order ! 1 $order-count ! $standard CURRENT ! $standard CONTEXT !
	HERE $first-user ! ;
$library-order

\ forth2012.4th: the core of Forth 2012, on top of core.4th.  It owns the standard interpreter, its
\ input, the search order, and the words that are needed to interpret the files forth2012-*.4th,
\ which are written in standard Forth.
\ While this file is interpreted, names are searched first among the words of the kernel and of
\ core.4th, so a definition such as `: C@ C@ 255 AND ;` calls the word of the kernel.
\ Internal words begin with $ and are in the word list of the kernel.

CURRENT @ CONSTANT $kernel ( -- list )  \ The list of the words of the kernel.
VARIABLE $lists ( -- addr )  \ The newest list but the kernel's; its second cell links to the next.
: $list ( -- )  \ Make the next name a word that pushes a new list.
	CREATE HERE 0 , $lists @ , $lists ! ;
$list $standard ( -- list )  \ The list of standard words.
$list $environment ( -- list )  \ The list of the words that ENVIRONMENT? runs.
: {internal ( -- )  \ New words are internal.
	$kernel CURRENT ! ;
: {standard ( -- )  \ New words are standard words.
	$standard CURRENT ! ;
: {environment ( -- )  \ New words are answers of ENVIRONMENT?.
	$environment CURRENT ! ;

\ --- words in C (native/forth2012) and in Python (forthvm/core/standard) ------------------------

: $code! ( code -- )  \ Change the newest word to one without the cell for DOES>.
	0 CELLSIZE - ALLOT LATEST NFA>CFA ! ;
: $host ( n -- )  \ Make the next name a word that calls function n of the host.
	-FIND DROP PAD HEADER 2119566316 $code! , ;
: $service ( n -- )  \ Make the next name a word that calls function n in C.
	INVERT $host ;
0 $service $catch ( 'x -- code )  \ Run a word; the code is 0 or that of its failure.
1 $service $throw ( addr n code -- )  \ Fail with a code and a text.
2 $service $search ( addr n list -- nfa )  \ Find a name, ignoring case; 0: there is none.
3 $service $at ( position -- )  \ Report errors at this source position.
4 $service $um* ( u1 u2 -- ud )  \ Multiply to a double number.
5 $service $m* ( n1 n2 -- d )  \ Multiply to a signed double number.
6 $service $um/mod ( ud u -- rem quot )  \ Divide a double number.
7 $service $sm/rem ( d n -- rem quot )  \ Divide, truncated toward zero.
8 $service $fm/mod ( d n -- rem quot )  \ Divide, rounded down.
9 $service $type ( addr n -- )  \ Print a text.
0 $host $read-line ( text line addr max -- n position ? )  \ Copy a line of a text to addr.
1 $host $open-text ( addr n ? position -- text code )  \ Open a file for INCLUDED; ?: unless it was included.
2 $host $accept ( addr n -- n' )  \ Read a line from the user.
3 $host $key ( -- c )  \ Read a character from the user; -1: there is none.

\ --- arithmetic -----------------------------------------------------------------------------

: $nip SWAP DROP ;
: $u< 2DUP XOR 0< IF $nip 0< ELSE - 0< ENDIF ;
: $lshift ( x u -- x' )
	DUP 32 $u< NOT IF 2DROP 0 EXIT ENDIF BEGIN DUP WHILE SWAP 2* SWAP 1- REPEAT DROP ;
: $half ( x -- x' )  \ Shift right by one bit, filling with 0.
	DUP 1 AND - 2/ 2147483647 AND ;
: $rshift ( x u -- x' )
	DUP 32 $u< NOT IF 2DROP 0 EXIT ENDIF BEGIN DUP WHILE SWAP $half SWAP 1- REPEAT DROP ;
: $d+ ( d1 d2 -- d )
	>R SWAP >R OVER + DUP ROT $u< R> R> + SWAP - ;
: $dnegate ( d -- d' )
	INVERT SWAP INVERT SWAP 1 0 $d+ ;
: $2swap ( a b c d -- c d a b )
	ROT >R ROT R> ;
: $2over ( a b c d -- a b c d a b )
	>R >R 2DUP R> R> $2swap ;
: $?dup ( x -- 0 | x x )
	DUP IF DUP ENDIF ;

\ --- memory and characters ------------------------------------------------------------------

: $c@ ( addr -- c )
	C@ 255 AND ;
: $cmove> ( from to n -- )
	BEGIN DUP WHILE 1- >R OVER R + C@ OVER R + C! R> REPEAT DROP 2DROP ;
: $move ( from to n -- )
	DUP 0> NOT IF DROP 2DROP EXIT ENDIF
	>R 2DUP $u< IF R> $cmove> ELSE R> CMOVE ENDIF ;
: $aligned ( addr -- addr' )
	3 + -4 AND ;
: $align ( -- )
	BEGIN HERE 3 AND WHILE 0 C, REPEAT ;
: $upper ( c -- c' )
	DUP ASCII a < NOT OVER ASCII z > NOT AND IF 32 - ENDIF ;

\ --- exceptions -----------------------------------------------------------------------------

VARIABLE $message
VARIABLE $message-length
: $error ( n -- )  \ THROW; the text of ABORT" belongs to code -2.
	DUP 0= IF DROP EXIT ENDIF
	DUP -2 = IF $message @ SWAP $message-length @ SWAP ELSE >R 0 0 R> ENDIF $throw ;

\ --- numbers --------------------------------------------------------------------------------

: $digit ( c -- n )  \ Value of a digit, 99 if it is none.
	$upper DUP ASCII 0 < IF DROP 99 EXIT ENDIF
	DUP ASCII 9 > NOT IF ASCII 0 - EXIT ENDIF
	DUP ASCII A < IF DROP 99 EXIT ENDIF
	ASCII A - 10 + ;
VARIABLE $overflow ( -- addr )  \ Whether a number was too large for its cells.
: $ud/mod ( ud u -- rem ud' )
	>R 0 R $um/mod R> SWAP >R $um/mod R> ;
: $append ( ud n -- ud' )  \ Append a digit, with a check: the quotient must be the old number.
	>R 2DUP BASE @ * SWAP BASE @ $um* ROT + R> 0 $d+
	2DUP >R >R BASE @ $ud/mod ROT DROP
	ROT XOR >R XOR R> OR IF TRUE $overflow ! ENDIF R> R> ;
: $>number ( ud addr n -- ud' addr' n' )
	BEGIN DUP IF OVER $c@ $digit DUP BASE @ < ELSE 0 FALSE ENDIF WHILE
		ROT ROT >R >R $append R> R>
		1- SWAP 1+ SWAP
	REPEAT DROP ;
CREATE $hold-area 256 ALLOT
VARIABLE $hold
: $hold, ( c -- )
	$hold @ $hold-area > NOT IF -17 $error ENDIF -1 $hold +! $hold @ C! ;

\ --- input: a line of a text, a string or a block ------------------------------------------------

10 CONSTANT $input-cells ( -- n )  \ FVM_INPUT_CELLS: CATCH and $nested save these cells.
CREATE $input $input-cells CELLS ALLOT
$input 180 !
: $cell ( addr -- addr' )  \ Make the next name a word that pushes the address of a cell.
	DUP CONSTANT CELLSIZE + ;
$input
$cell $source $cell $source-length
$cell $source-id $cell $>in
$cell $blk ( -- addr )  \ Number of the block; 0: the source is not a block.
$cell $text ( -- addr )  \ Number of the text that is read, for $read-line.
$cell $line# ( -- addr )  \ Number of the next line.
$cell $line-at ( -- addr )  \ Source position of the line; 0: the source is not a line.
$cell $line-start ( -- addr )  \ Where $refill puts the line.
$cell $line-free ( -- addr )  \ The end of the line.
DROP
131072 CONSTANT $line-bytes ( -- n )
CREATE $lines $line-bytes ALLOT
$lines $line-free !
VARIABLE $enter-block ( -- addr )  \ Word that makes a block the source ( u -- ? ).
CREATE $word-area 260 ALLOT
CREATE $name 260 ALLOT
VARIABLE $delimiter
: $refill ( -- ? )
	$source-id @ -1 = IF FALSE EXIT ENDIF
	$blk @ IF $blk @ 1+ $enter-block @ EXECUTE EXIT ENDIF
	$text @ $line# @ $line-start @ $lines $line-bytes + OVER - $read-line
	IF $line-at ! DUP $source-length ! $line-start @ DUP $source ! + $aligned $line-free !
		0 $>in ! 1 $line# +! TRUE
	ELSE 2DROP FALSE ENDIF ;
: $save-input ( -- ) ( R: -- i*x )
	R> $input BEGIN DUP @ >R CELLSIZE + DUP $line-free > UNTIL DROP >R ;
: $restore-input ( -- ) ( R: i*x -- )
	R> $line-free BEGIN R> OVER ! CELLSIZE - DUP $input < UNTIL DROP >R ;
: $nested ( 'x -- )  \ Run a word and restore the input.
	$save-input EXECUTE $restore-input ;
: $peek ( -- c )
	$source @ $>in @ + $c@ ;
: $more? ( -- ? )
	$>in @ $source-length @ $u< ;
: $slice ( start -- addr n )
	$source @ OVER + SWAP $>in @ SWAP - ;
: $step ( -- )
	$more? IF 1 $>in +! ENDIF ;
: $parse ( c -- addr n )
	$delimiter ! $>in @ $source-length @ MIN 0 MAX $>in ! $>in @
	BEGIN $more? IF $peek $delimiter @ <> ELSE FALSE ENDIF WHILE $step REPEAT
	$slice $step ;
: $parse-name ( -- addr n )
	BEGIN $more? IF $peek 33 < ELSE FALSE ENDIF WHILE $step REPEAT
	$>in @ $source-length @ MIN $>in ! $>in @
	BEGIN $more? IF $peek 32 > ELSE FALSE ENDIF WHILE $step REPEAT
	$slice $step ;
: $word ( c -- addr )
	DUP 32 = IF DROP $parse-name ELSE
		BEGIN $more? IF DUP $peek = ELSE FALSE ENDIF WHILE $step REPEAT $parse
	ENDIF
	255 MIN DUP $word-area C! $word-area 1+ SWAP $move
	32 $word-area DUP $c@ + 1+ C! $word-area ;
: $name! ( addr n -- )  \ Copy a name as a text that ends with a zero.
	DUP 255 > IF -19 $error ENDIF DUP >R $name SWAP $move 0 $name R> + C! ;
: $require-name ( -- addr n )
	$parse-name DUP 0= IF -16 $throw ENDIF ;

\ --- dictionary -----------------------------------------------------------------------------

VARIABLE $first-user ( -- addr )  \ HERE after the library was loaded.
CREATE $order 16 CELLS ALLOT ( -- addr )  \ The lists that are searched.
VARIABLE $order-count
VARIABLE $locals-wid ( -- addr )  \ The list that is searched before $order; 0: none.
: $find ( addr n -- nfa | 0 )
	$locals-wid @ IF 2DUP $locals-wid @ $search DUP IF $nip $nip EXIT ENDIF DROP ENDIF
	0 >R
	BEGIN R $order-count @ < WHILE
		2DUP R CELLS $order + @ $search DUP IF $nip $nip R> DROP EXIT ENDIF
		DROP R> 1+ >R
	REPEAT R> DROP 2DROP 0 ;
: $nfa ( -- nfa )  \ Parse a name and find it.
	$require-name 2DUP $find DUP IF $nip $nip ELSE DROP -13 $throw ENDIF ;
: $xt ( nfa -- 'x )  \ Token of a header; with the flag 4, a SYNONYM, it is in the body.
	DUP CELLSIZE + @ 4 AND IF NFA>PFA @ ELSE NFA>CFA ENDIF ;
: $' ( -- 'x )
	$nfa $xt ;
: $immediate? ( nfa -- ? )
	CELLSIZE + @ 1 AND 0<> ;
VARIABLE $latest ( -- addr )  \ The header of the newest definition.
184 CONSTANT $open ( -- addr )  \ Header of the unfinished definition, 0: none; an error resets it.
VARIABLE $open-depth ( -- addr )  \ The depth of the stack at its beginning.
VARIABLE $leaves ( -- addr )  \ The last LEAVE of the open loop; each links to the one before it.
VARIABLE $unwind ( -- addr )  \ Word that compiles what precedes a return; 0: none.
176 CONSTANT $lp ( -- addr )  \ Pointer of the stack of locals, which CATCH restores.
164 CONSTANT $fp ( -- addr )  \ Pointer of the stack of floats, which CATCH restores.
: $noop ;
: $begin-header ( -- )  \ Make a header with the name at $name.
	$align $name HEADER ['] $noop CFA>PFA HERE CELLSIZE - ! LATEST $latest ! ;
: $header ( -- )  \ Make a header with the next name.
	$require-name $name! $begin-header ;
: $begin-code ( -- )
	[ ' $noop @ ] LITERAL $code! 2 $latest @ CELLSIZE + ! TRUE STATE ! 0 $locals-wid !
	$latest @ $open ! DEPTH $open-depth ! 0 $leaves ! ;
: $: ( -- )
	$header $begin-code ;
: $:noname ( -- 'x )
	$name 0 $name! $begin-header $begin-code $open @ NFA>CFA 1 $open-depth +! ;
: $unwind, ( -- )
	$unwind @ DUP IF EXECUTE ELSE DROP ENDIF ;
: $exit ( -- )
	$unwind, COMPILE (;) ;
: $balanced ( -- )  \ Fail if a control structure of the definition is incomplete.
	DEPTH $open-depth @ > IF -22 $error ENDIF ;
: $; ( -- )
	$open @ 0= IF -14 $error ENDIF
	$balanced $leaves @ IF -22 $error ENDIF
	$exit 0 $locals-wid ! $open @ CELLSIZE + DUP @ -3 AND SWAP ! 0 $open ! FALSE STATE ! ;
: $(does>) ( -- )  \ The code that follows is the action of the newest word.
	$latest @ NFA>CFA DUP @ [ ' BL @ ] LITERAL <> IF -31 $error ENDIF
	R> SWAP CELLSIZE + ! ;
: $does> ( -- )
	$unwind, COMPILE $(does>) 0 $locals-wid ! ;
VARIABLE $any-variable
: $variable ( -- )
	$header [ ' $any-variable @ ] LITERAL $code! 0 , ;
: $literal ( n -- )
	COMPILE LIT , ;
: $compiling ( 'x -- )  \ Run a word that depends on STATE, as in a definition.
	STATE @ >R TRUE STATE ! EXECUTE R> STATE ! ;
: $smart? ( nfa -- ? )  \ Whether a word depends on STATE: the flag 16.
	CELLSIZE + @ 16 AND 0<> ;
: $postpone ( -- )
	$nfa DUP $xt OVER $smart? IF $literal DROP COMPILE $compiling EXIT ENDIF
	SWAP $immediate? IF , ELSE $literal COMPILE , ENDIF ;
VARIABLE $target
VARIABLE $target-length
: $string, ( addr n -- )  \ Compile code that pushes a copy of the text.
	COMPILE BRANCH HERE 0 , ROT ROT
	HERE $target ! DUP $target-length ! DUP ALLOT $target @ SWAP $move $align
	HERE SWAP ! $target @ $literal $target-length @ $literal ;
CREATE $kept 2048 ALLOT
VARIABLE $kept-at
: $keep ( addr n -- addr' n )  \ Copy an interpreted text to a buffer, of which there are two.
	1024 MIN $kept-at @ 1024 XOR DUP $kept-at ! $kept + SWAP 2DUP >R >R $move R> R> ;

\ --- interpreter ----------------------------------------------------------------------------

VARIABLE $base
VARIABLE $recognize ( -- addr )  \ Word for other tokens ( addr n -- ? ); 0: none.
: $prefix ( addr n -- addr' n' )  \ Strip #, $ or % and set the base.
	DUP 2 < IF EXIT ENDIF
	OVER $c@ 0 OVER ASCII # = IF DROP 10 ENDIF OVER ASCII $ = IF DROP 16 ENDIF
	SWAP ASCII % = IF DROP 2 ENDIF
	$?dup IF BASE ! 1- SWAP 1+ SWAP ENDIF ;
: $single ( ud ? -- n )  \ The number of a literal without a point; ?: it has a minus sign.
	SWAP IF TRUE $overflow ! ENDIF
	IF NEGATE DUP 0> IF TRUE $overflow ! ENDIF ENDIF ;
: $double ( ud ? -- d )  \ The number of a literal with a point.
	IF $dnegate 2DUP OR OVER 0< NOT AND IF TRUE $overflow ! ENDIF ENDIF ;
: $digits ( addr n -- 0 | n 1 | d 2 )
	$prefix DUP 0> IF OVER $c@ ASCII - = ELSE FALSE ENDIF >R
	R IF 1- SWAP 1+ SWAP ENDIF
	DUP 0> NOT IF 2DROP R> DROP 0 EXIT ENDIF
	OVER $c@ ASCII . = IF 2DROP R> DROP 0 EXIT ENDIF
	>R >R 0 0 R> R> $>number
	DUP 0= IF 2DROP R> $single 1 EXIT ENDIF
	1 = SWAP $c@ ASCII . = AND IF R> $double 2 EXIT ENDIF
	R> DROP 2DROP 0 ;
: $number ( addr n -- 0 | n 1 | d 2 )
	FALSE $overflow !
	DUP 3 = IF OVER $c@ 39 = IF OVER 2 + $c@ 39 = IF DROP 1+ $c@ 1 EXIT ENDIF ENDIF ENDIF
	BASE @ $base ! $digits $base @ BASE ! ;
: $word, ( nfa -- )  \ Run a word or compile it.
	DUP $xt SWAP $immediate? STATE @ 0= OR IF EXECUTE ELSE , ENDIF ;
: $unknown ( addr n -- )
	$recognize @ IF 2DUP $recognize @ EXECUTE IF 2DROP EXIT ENDIF ENDIF -13 $throw ;
: $number, ( addr n -- n | d | )
	2DUP $number DUP 0= IF DROP $unknown EXIT ENDIF
	$overflow @ IF 2 = IF DROP ENDIF DROP -11 $throw ENDIF
	2 = IF $2swap 2DROP STATE @ IF SWAP $literal $literal ENDIF EXIT ENDIF
	>R 2DROP R> STATE @ IF $literal ENDIF ;
: $check-open ( addr n nfa -- addr n nfa )  \ The flag 8 marks words that need a definition.
	STATE @ IF EXIT ENDIF DUP CELLSIZE + @ 8 AND 0= IF EXIT ENDIF
	$open @ 0= IF DROP -14 $throw ENDIF ;
: $interpret ( -- )
	BEGIN
		$parse-name DUP WHILE
		$line-at @ IF OVER $source @ - $line-at @ + $at ENDIF
		2DUP $find DUP IF $check-open $nip $nip $word, ELSE DROP $number, ENDIF
	REPEAT 2DROP ;
: $evaluate-source ( addr n -- )
	$source-length ! $source ! -1 $source-id ! 0 $blk ! 0 $line-at ! 0 $>in ! $interpret ;
: $evaluate ( addr n -- )
	['] $evaluate-source $nested ;
: $read-text ( source-id text -- )  \ Interpret the lines of a text.
	$text ! $source-id ! 0 $blk ! 0 $line# ! BEGIN $refill WHILE $interpret REPEAT ;
: $run-typed ( -- )  \ Interpret text 1, which is not a file, for the host.
	$lines $line-start ! 0 1 $read-text ; IMMEDIATE
: $run-file ( -- )  \ Interpret text 1, a file, for the host.
	$lines $line-start ! 1 1 $read-text ; IMMEDIATE
: $read-inner-text ( source-id text -- )  \ Keep the line of the text around it.
	$line-free @ $line-start ! $read-text ;
: $include-text ( source-id text -- )
	['] $read-inner-text $nested ; IMMEDIATE

\ --- loops: the limit, and the index minus the limit, are on the return stack -----------------

: $+loop ( n -- ? ) ( R: x -- x+n )  \ Whether the index crosses from limit-1 to limit, or back.
	R> SWAP R> 2DUP + DUP >R OVER XOR ROT ROT XOR AND 0< SWAP >R ;
: $loop-cells ( -- )
	COMPILE OVER COMPILE - COMPILE SWAP COMPILE >R COMPILE >R HERE ;
: $begin-do ( -- leaves begin )
	$leaves @ 0 $leaves ! $loop-cells ;
: $leave, ( -- )  \ Compile a jump to the end of the loop.
	COMPILE BRANCH HERE $leaves @ , $leaves ! ;
: $unloop, ( -- )
	COMPILE R> COMPILE R> COMPILE 2DROP ;
: $end-do ( leaves begin -- )
	COMPILE 0BRANCH ,
	$leaves @ BEGIN DUP WHILE DUP @ HERE ROT ! REPEAT DROP
	$leaves ! $unloop, ;

: $alias ( -- )  \ Make the next word of the kernel a standard word.
	-FIND DUP 0= IF PAD UNDEFINED ENDIF PAD HEADER
	DUP NFA>CFA @ $code! CELLSIZE + @ LATEST CELLSIZE + ! ;

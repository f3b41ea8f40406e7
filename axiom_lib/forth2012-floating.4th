\ forth2012-floating.4th: the word sets FLOATING and FLOATING EXT.  Floats are IEEE doubles on a stack
\ of their own, whose memory this file owns.  floats.c implements the words that this file only names.

{internal
64 CONSTANT $float-cells
CREATE $floats $float-cells 8 * ALLOT
168 CONSTANT $fp-low ( -- addr ) \ Kernel cells with the limits of the stack.
172 CONSTANT $fp-high ( -- addr )
$floats DUP $fp-low ! DUP $fp ! $float-cells 8 * + $fp-high !
: $float-word ( n "name" -- n+1 )  \ Make the next name service n, a word of floats.c.
	DUP $service 1+ ;

{standard
100
$float-word FDUP $float-word FDROP $float-word FSWAP $float-word FOVER $float-word FROT
$float-word F@ $float-word F! $float-word SF@ $float-word SF! $float-word D>F $float-word F>D
$float-word F~ $float-word >FLOAT $float-word REPRESENT
$float-word F+ $float-word F- $float-word F* $float-word F/ $float-word FMAX $float-word FMIN
$float-word F** $float-word FATAN2
$float-word FNEGATE $float-word FABS $float-word FLOOR $float-word FROUND $float-word FTRUNC
$float-word FSQRT $float-word FEXP $float-word FEXPM1 $float-word FLN $float-word FLNP1
$float-word FLOG $float-word FALOG $float-word FSIN $float-word FCOS $float-word FTAN
$float-word FASIN $float-word FACOS $float-word FATAN $float-word FSINH $float-word FCOSH
$float-word FTANH $float-word FASINH $float-word FACOSH $float-word FATANH
$float-word F< $float-word F0= $float-word F0<
DROP
: FDEPTH ( -- n )
	$fp @ $fp-low @ - 8 / ;
: S>F ( n -- ) ( F: -- r )
	S>D D>F ;
: F>S ( F: r -- ) ( -- n )
	F>D DROP ;
: FSINCOS ( F: r -- sine cosine )
	FDUP FSIN FSWAP FCOS ;

\ --- memory -----------------------------------------------------------------------------------

: FLOATS ( n -- n' )
	8 * ;
: FLOAT+ ( addr -- addr' )
	8 + ;
: FALIGN ( -- )
	ALIGN ;
: FALIGNED ( addr -- addr' )
	ALIGNED ;
: DF@ ( addr -- ) ( F: -- r )
	F@ ;
: DF! ( addr -- ) ( F: r -- )
	F! ;
: DFLOATS ( n -- n' )
	8 * ;
: DFLOAT+ ( addr -- addr' )
	8 + ;
: DFALIGN ( -- )
	ALIGN ;
: DFALIGNED ( addr -- addr' )
	ALIGNED ;
: SFLOATS ( n -- n' )
	4 * ;
: SFLOAT+ ( addr -- addr' )
	4 + ;
: SFALIGN ( -- )
	ALIGN ;
: SFALIGNED ( addr -- addr' )
	ALIGNED ;
: F, ( F: r -- )
	HERE 1 FLOATS ALLOT F! ;
: FVARIABLE ( "name" -- )
	CREATE 0 S>F F, ;
: FCONSTANT ( F: r -- ) ( "name" -- )
	CREATE F, DOES> F@ ;
: FVALUE ( F: r -- ) ( "name" -- )
	CREATE F, DOES> F@ ;
: FLITERAL ( F: r -- )
	POSTPONE BRANCH HERE 0 , HERE F, HERE ROT ! POSTPONE LITERAL POSTPONE F@ ; IMMEDIATE
: FFIELD: ( n1 "name" -- n2 )
	FALIGNED 1 FLOATS +FIELD ;
: DFFIELD: ( n1 "name" -- n2 )
	DFALIGNED 1 DFLOATS +FIELD ;
: SFFIELD: ( n1 "name" -- n2 )
	SFALIGNED 1 SFLOATS +FIELD ;
{internal
0 S>F FVALUE $a-fvalue
' F! FALSE ' $a-fvalue $to-action
{standard

\ --- text -------------------------------------------------------------------------------------

{internal
VARIABLE $precision
15 $precision !
64 CONSTANT $max-precision
CREATE $digits $max-precision ALLOT
: $zeros ( n -- )
	0 MAX 0 ?DO ." 0" LOOP ;
: $float. ( F: r -- ) ( -- n exponent true | false )  \ Print the sign, or all if r is not finite.
	$digits $precision @ REPRESENT SWAP IF ." -" THEN
	0= IF DROP $digits 3 TYPE SPACE FALSE EXIT THEN
	$precision @ BEGIN DUP 1 > IF DUP 1- $digits + C@ [CHAR] 0 = ELSE FALSE THEN WHILE 1- REPEAT
	SWAP TRUE ;
: $point. ( n k -- )  \ Print n digits with the point after k digits, k > 0.
	2DUP MIN $digits OVER TYPE OVER SWAP - $zeros ." ."
	2DUP > IF $digits OVER + ROT ROT - TYPE ELSE 2DROP THEN ;
: $exponent. ( n -- )
	." E" DUP ABS 0 <# #S ROT SIGN #> TYPE SPACE ;
: $float ( addr n -- true | false )  \ Push or compile a float such as 1E or -1.5e3.
	BASE @ 10 <> IF 2DROP FALSE EXIT THEN
	2DUP S" E" SEARCH NIP NIP >R 2DUP S" e" SEARCH NIP NIP R> OR 0= IF 2DROP FALSE EXIT THEN
	2DUP OVER C@ DUP [CHAR] - = SWAP [CHAR] + = OR IF 1 /STRING THEN
	IF C@ [CHAR] 0 - 10 U< ELSE DROP FALSE THEN 0= IF 2DROP FALSE EXIT THEN
	>FLOAT DUP STATE @ AND IF POSTPONE FLITERAL THEN ;
' $float $recognize !
{standard
: PRECISION ( -- n )
	$precision @ ;
: SET-PRECISION ( n -- )
	1 MAX $max-precision MIN $precision ! ;
: F. ( F: r -- )
	$float. IF
		DUP 0> IF $point. ELSE ." 0." NEGATE $zeros $digits SWAP TYPE THEN SPACE
	THEN ;
: FS. ( F: r -- )
	$float. IF SWAP 1 $point. 1- $exponent. THEN ;
: FE. ( F: r -- )
	$float. IF 1- DUP S>D 3 FM/MOD DROP ROT OVER 1+ $point. - $exponent. THEN ;
{environment
: FLOATING TRUE ;
: FLOATING-EXT TRUE ;
$float-cells CONSTANT FLOATING-STACK ( -- n )
1.7976931348623157E308 FCONSTANT MAX-FLOAT ( F: -- r )
{internal

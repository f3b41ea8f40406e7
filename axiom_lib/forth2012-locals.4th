\ forth2012-locals.4th: the word sets LOCALS and LOCALS EXT.  It owns the stack of the values of
\ locals, which is separate from the return stack, so that locals work inside DO ... LOOP and with >R,
\ and the headers of the locals of the definition that is being compiled.
\
\ A declaration inside a control structure fails: the code that frees locals would free them also
\ if the declaration did not run.
\
\ $lp is the end of the locals stack.  Local number i of a definition is i+1 cells below it.  EXIT, `;`
\ and DOES> compile the code that frees locals (`$unwind`); CATCH restores $lp.

{internal
4096 CONSTANT $lp-cells
CREATE $lp-low $lp-cells CELLS ALLOT
$lp-low $lp !
4096 CONSTANT $header-bytes \ Memory for the headers of the locals of one definition.
CREATE $headers $header-bytes ALLOT
VARIABLE $headers-end
VARIABLE $locals-list
VARIABLE $local-count
: $enter ( n -- )  \ Make room for n locals.
	CELLS $lp @ + DUP $lp-low $lp-cells CELLS + U> IF DROP -5 THROW THEN $lp ! ;
: $local@ ( n -- x )
	$lp @ + @ ;
: $local! ( x n -- )
	$lp @ + ! ;
: $leave-locals ( n -- )
	$lp +! ;
: $local-offset ( i -- n )
	1+ CELLS NEGATE ;
: $a-local ( -- )  \ Locals have the part after DOES> of the word that this makes.
	CREATE 0 , DOES> @ $local-offset POSTPONE LITERAL POSTPONE $local@ ;
$a-local $some-local
' $some-local CELL+ @ CONSTANT $local ( -- part )
: $begin-locals ( -- )
	0 $local-count ! 0 $locals-list ! $headers $headers-end ! $locals-list $locals-wid ! ;
: $new-local ( addr n -- )  \ Make an immediate word in the list of locals, outside of HERE.
	DUP 32 + $headers-end @ + $headers $header-bytes + U> IF -19 THROW THEN
	$name! HERE CURRENT @ 2>R
	$headers-end @ DP ! $locals-list CURRENT !
	$name HEADER $local HERE 1 CELLS - ! $local-count @ , 1 $locals-list @ CELL+ !
	HERE $headers-end ! 2R> CURRENT ! DP !
	1 $local-count +! ;
: $store-local ( i -- )
	$local-offset POSTPONE LITERAL POSTPONE $local! ;
:NONAME ( body -- ) @ $store-local ; TRUE ' $some-local $to-action \ TO, at compile time.
: $enter-locals ( -- )
	$local-count @ POSTPONE LITERAL POSTPONE $enter ;
: $free-locals ( -- )  \ Compile code that frees the locals, if the definition has any.
	$locals-wid @ IF $local-count @ CELLS NEGATE POSTPONE LITERAL POSTPONE $leave-locals THEN ;
' $free-locals $unwind !
: $next-name ( -- addr n )  \ Parse a name, on a later line if necessary.
	BEGIN PARSE-NAME DUP 0= WHILE 2DROP REFILL 0= IF -39 THROW THEN REPEAT ;
: $is? ( addr n addr2 n2 -- addr n ? )
	2OVER COMPARE 0= ;
: $declare ( k addr n -- k' ? )  \ A name in {: ... :}; k locals are initialized, all if k is -1.
	S" :}" $is? IF 2DROP TRUE EXIT THEN
	S" --" $is? IF 2DROP BEGIN $next-name S" :}" COMPARE 0= UNTIL TRUE EXIT THEN
	S" |" $is? IF 2DROP DROP $local-count @ FALSE EXIT THEN
	$new-local FALSE ;

{standard
: (LOCAL) ( addr n -- )
	$locals-wid @ 0= IF $begin-locals THEN
	DUP IF $new-local EXIT THEN
	2DROP $enter-locals $local-count @ 0 ?DO I $store-local LOOP ;
: LOCALS| ( "name1 ... namen |" -- )
	$balanced BEGIN $next-name S" |" $is? 0= WHILE (LOCAL) REPEAT 2DROP 0 0 (LOCAL) ; IMMEDIATE
: {: ( "args | values -- outputs :}" -- )
	$balanced $locals-wid @ IF -22 THROW THEN
	$begin-locals -1 BEGIN $next-name $declare UNTIL DUP 0< IF DROP $local-count @ THEN
	$enter-locals $local-count @ OVER ?DO 0 POSTPONE LITERAL I $store-local LOOP
	BEGIN DUP WHILE 1- DUP $store-local REPEAT DROP ; IMMEDIATE
{internal
$compile-only {: LOCALS|
{environment
: LOCALS TRUE ;
: LOCALS-EXT TRUE ;
16 CONSTANT #LOCALS ( -- n )
{internal

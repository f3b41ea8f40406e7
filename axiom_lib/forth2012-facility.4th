\ forth2012-facility.4th: the word sets FACILITY and FACILITY EXT: structures, time, and the words for
\ terminals that need no terminal.  Control sequences are those of ANSI terminals.

{internal
20 $host $pause ( n -- n' )  \ Wait for a part of n milliseconds; n' is the rest.
10 $service $check-limits ( -- )  \ End the run if its time is over.
{standard
21 $host TIME&DATE ( -- second minute hour day month year )
: MS ( u -- )
	BEGIN DUP WHILE $pause $check-limits REPEAT DROP ;
: BEGIN-STRUCTURE ( "name" -- addr 0 )
	CREATE HERE 0 0 , DOES> @ ;
: END-STRUCTURE ( addr n -- )
	SWAP ! ;
: +FIELD ( n1 n2 "name" -- n3 )
	CREATE OVER , + DOES> @ + ;
: FIELD: ( n1 "name" -- n2 )
	ALIGNED 1 CELLS +FIELD ;
: CFIELD: ( n1 "name" -- n2 )
	1 CHARS +FIELD ;

\ --- the keyboard, whose lines KEY reads, and the screen -----------------------------------------

24 $host KEY? ( -- ? )
: EMIT? ( -- ? )
	TRUE ;
: EKEY ( -- x )
	KEY ;
: EKEY? ( -- ? )
	KEY? ;
{internal
256 CONSTANT $first-key-code \ Smaller events are characters.
{standard
: EKEY>CHAR ( x -- c true | x false )
	DUP $first-key-code U< ;
: EKEY>FKEY ( x -- n true | x false )
	DUP $first-key-code U< 0= ;
{internal
: $key-code ( n "name" -- n+1 )
	DUP CONSTANT 1+ ;
{standard
$first-key-code
$key-code K-LEFT $key-code K-RIGHT $key-code K-UP $key-code K-DOWN $key-code K-HOME $key-code K-END
$key-code K-PRIOR $key-code K-NEXT $key-code K-INSERT $key-code K-DELETE
$key-code K-F1 $key-code K-F2 $key-code K-F3 $key-code K-F4 $key-code K-F5 $key-code K-F6
$key-code K-F7 $key-code K-F8 $key-code K-F9 $key-code K-F10 $key-code K-F11 $key-code K-F12
DROP
512 CONSTANT K-SHIFT-MASK
1024 CONSTANT K-CTRL-MASK
2048 CONSTANT K-ALT-MASK
{internal
: $escape-sequence ( -- )
	27 EMIT [CHAR] [ EMIT ;
: $decimal ( u -- )
	BASE @ SWAP DECIMAL 0 <# #S #> TYPE BASE ! ;
{standard
: AT-XY ( column row -- )
	$escape-sequence 1+ $decimal [CHAR] ; EMIT 1+ $decimal [CHAR] H EMIT ;
: PAGE ( -- )
	$escape-sequence ." 2J" 0 0 AT-XY ;
{environment
: FACILITY TRUE ;
: FACILITY-EXT TRUE ;
{internal

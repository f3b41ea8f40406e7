\ forth2012-facility.4th: the word sets FACILITY and FACILITY EXT: structures, time, and the words for
\ terminals that need no terminal.  Control sequences are those of ANSI terminals.

{internal
20 $host $pause ( n -- n' )  \ Wait for a part of n milliseconds; n' is the rest.
{standard
21 $host TIME&DATE ( -- second minute hour day month year )
: MS ( u -- )
	BEGIN DUP WHILE $pause REPEAT DROP ;
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
: EMIT? ( -- ? )
	TRUE ;
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
: FACILITY FALSE ;
: FACILITY-EXT FALSE ;
{internal

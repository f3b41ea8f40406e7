\ forth2012-double.4th: the word sets DOUBLE and DOUBLE EXT.  It owns the arithmetic of double-cell
\ numbers beyond CORE.  The high cell of a double is the top one, and at the lower address in memory.

{standard
: D+ ( d1 d2 -- d3 )
	>R SWAP >R OVER + DUP ROT U< R> R> + SWAP - ;
: DNEGATE ( d1 -- d2 )
	INVERT SWAP INVERT SWAP 1 0 D+ ;
: D- ( d1 d2 -- d3 )
	DNEGATE D+ ;
: M+ ( d1 n -- d2 )
	S>D D+ ;
: D0= ( d -- ? )
	OR 0= ;
: D0< ( d -- ? )
	NIP 0< ;
: D= ( d1 d2 -- ? )
	D- D0= ;
: D< ( d1 d2 -- ? )
	ROT 2DUP = IF 2DROP U< ELSE > NIP NIP THEN ;
: DU< ( ud1 ud2 -- ? )
	ROT 2DUP = IF 2DROP U< ELSE SWAP U< NIP NIP THEN ;
: DMAX ( d1 d2 -- d3 )
	2OVER 2OVER D< IF 2SWAP THEN 2DROP ;
: DMIN ( d1 d2 -- d3 )
	2OVER 2OVER D< 0= IF 2SWAP THEN 2DROP ;
: DABS ( d -- ud )
	DUP 0< IF DNEGATE THEN ;
: D2* ( d1 -- d2 )
	2DUP D+ ;
: D2/ ( d1 -- d2 )
	DUP 1 AND IF $80000000 ELSE 0 THEN >R 2/ SWAP 1 RSHIFT R> OR SWAP ;
: D>S ( d -- n )
	DROP ;
: M*/ ( d1 n1 +n2 -- d2 )  \ d1 * n1 / n2, truncated; the product has three cells.
	>R 2DUP XOR R> SWAP >R >R
	ABS >R DABS R> TUCK UM* 2SWAP UM* SWAP >R 0 D+ R>
	ROT ROT R@ UM/MOD ROT ROT R> UM/MOD NIP SWAP
	R> 0< IF DNEGATE THEN ;
: 2ROT ( x1 x2 x3 x4 x5 x6 -- x3 x4 x5 x6 x1 x2 )
	2>R 2SWAP 2R> 2SWAP ;
: D.R ( d n -- )
	>R TUCK DABS <# #S ROT SIGN #> R> OVER - SPACES TYPE ;
: D. ( d -- )
	0 D.R SPACE ;
: 2LITERAL ( x1 x2 -- )
	SWAP POSTPONE LITERAL POSTPONE LITERAL ; IMMEDIATE
: 2VARIABLE ( "name" -- )
	CREATE 0 , 0 , ;
: 2CONSTANT ( x1 x2 "name" -- )
	CREATE , , DOES> 2@ ;
: 2VALUE ( x1 x2 "name" -- )
	CREATE , , DOES> 2@ ;

{internal
0 0 2VALUE $a-2value
' 2! FALSE ' $a-2value $to-action
{environment
: DOUBLE TRUE ;
: DOUBLE-EXT TRUE ;
{internal

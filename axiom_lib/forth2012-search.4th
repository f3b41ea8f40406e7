\ forth2012-search.4th: the word sets SEARCH and SEARCH EXT.  It owns changes of the search order;
\ forth2012.4th owns the order and the search.

{internal
16 CONSTANT $max-lists
{standard
$standard CONSTANT FORTH-WORDLIST ( -- wid )
: WORDLIST ( -- wid )
	ALIGN HERE 0 , $lists @ , DUP $lists ! ;
: GET-CURRENT ( -- wid )
	CURRENT @ ;
: SET-CURRENT ( wid -- )
	CURRENT ! ;
: GET-ORDER ( -- widn ... wid1 n )
	$order-count @ BEGIN DUP WHILE 1- DUP >R CELLS $order + @ R> REPEAT DROP $order-count @ ;
: SET-ORDER ( widn ... wid1 n | -1 -- )
	DUP -1 = IF DROP FORTH-WORDLIST 1 THEN
	DUP $max-lists U> IF -49 THROW THEN
	DUP $order-count ! 0 ?DO $order I CELLS + ! LOOP ;
: SEARCH-WORDLIST ( addr n wid -- 0 | 'x 1 | 'x -1 )
	$search DUP IF DUP $xt SWAP $immediate? IF 1 ELSE -1 THEN THEN ;
: DEFINITIONS ( -- )
	$order-count @ 0= IF -50 THROW THEN $order @ CURRENT ! ;
: ALSO ( -- )
	GET-ORDER DUP 0= IF -50 THROW THEN OVER SWAP 1+ SET-ORDER ;
: FORTH ( -- )
	GET-ORDER DUP 0= IF -50 THROW THEN NIP FORTH-WORDLIST SWAP SET-ORDER ;
: ONLY ( -- )
	-1 SET-ORDER ;
: PREVIOUS ( -- )
	GET-ORDER DUP 0= IF -50 THROW THEN NIP 1- SET-ORDER ;
{internal
: $wid. ( wid -- )
	DUP FORTH-WORDLIST = IF DROP ." FORTH " ELSE U. THEN ;
{standard
: ORDER ( -- )
	CR ." Search order: " GET-ORDER 0 ?DO $wid. LOOP CR ." New words: " GET-CURRENT $wid. ;
{environment
: SEARCH-ORDER TRUE ;
: SEARCH-ORDER-EXT TRUE ;
$max-lists CONSTANT WORDLISTS
{internal

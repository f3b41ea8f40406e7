\ forth2012-memory.4th: the word set MEMORY.  It owns the heap: 256 KiB of the VM's memory, so that
\ snapshots, undo and clones contain it.  The heap is a sequence of blocks without gaps: a header of
\ one cell with the size of the block in bytes (a multiple of 8), to which 1 is added while the block
\ is in use, then the memory.  A script may have overwritten headers: each one is checked.

{internal
262144 CONSTANT $heap-bytes
CREATE $heap $heap-bytes ALLOT
$heap-bytes $heap !
: $heap-end ( -- addr )
	$heap $heap-bytes + ;
: $block-bytes ( block -- n )
	@ -8 AND ;
: $block-free? ( block -- ? )
	@ 7 AND 0= ;
: $block-sound? ( block -- ? )  \ Whether a header is that of a block that ends in the heap.
	DUP @ 7 AND 2 < OVER $block-bytes ROT $heap-end SWAP - 1+ OVER U> SWAP 0> AND AND ;
: $next-block ( block -- block' )
	DUP $block-bytes + ;
: $join ( block -- )  \ Join a free block and the free blocks after it.
	BEGIN DUP $next-block DUP $heap-end U< IF DUP $block-sound? OVER $block-free? AND ELSE FALSE THEN
	WHILE $block-bytes OVER +! REPEAT 2DROP ;
: $split ( n block -- )  \ Use n bytes of a block, and make a free block of the others.
	2DUP $block-bytes SWAP - DUP IF >R 2DUP + R> SWAP ! ELSE DROP THEN
	SWAP 1+ SWAP ! ;
: $fit ( n -- block | 0 )  \ The first free block of at least n bytes.
	>R $heap BEGIN DUP $heap-end U< WHILE
		DUP $block-sound? 0= IF R> 2DROP 0 EXIT THEN
		DUP $block-free? IF DUP $join DUP $block-bytes R@ U< 0= IF R> DROP EXIT THEN THEN
		$next-block
	REPEAT R> 2DROP 0 ;
: $block-size ( u -- n | 0 )  \ Bytes of a block for u bytes of memory; 0: too many.
	DUP $heap-bytes U< IF 11 + -8 AND ELSE DROP 0 THEN ;
: $used? ( addr -- ? )  \ Whether memory was given by ALLOCATE, as far as its header shows.
	DUP $heap - DUP 7 AND 4 = SWAP $heap-bytes U< AND
	IF 1 CELLS - DUP $block-sound? SWAP $block-free? 0= AND ELSE DROP FALSE THEN ;

{standard
: ALLOCATE ( u -- addr ior )
	$block-size DUP IF DUP $fit DUP IF TUCK $split CELL+ 0 EXIT THEN NIP THEN -59 ;
: FREE ( addr -- ior )
	DUP $used? IF 1 CELLS - -1 OVER +! $join 0 ELSE DROP -60 THEN ;
: RESIZE ( addr1 u -- addr2 ior )
	OVER $used? 0= IF DROP -61 EXIT THEN
	DUP ALLOCATE IF 2DROP -61 EXIT THEN ( addr1 u addr2 )
	>R OVER 1 CELLS - $block-bytes 1 CELLS - MIN OVER SWAP R@ SWAP MOVE
	FREE DROP R> 0 ;
{environment
: MEMORY-ALLOC TRUE ;
: MEMORY-ALLOC-EXT TRUE ;
{internal

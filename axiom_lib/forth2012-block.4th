\ forth2012-block.4th: the word sets BLOCK and BLOCK EXT.  It owns the blocks, which are in the VM's
\ memory, so that snapshots, undo and clones contain them.  Each block has its own buffer.

{internal
64 CONSTANT $blocks
1024 CONSTANT $block-chars
CREATE $stored-blocks $blocks $block-chars * ALLOT
$stored-blocks $blocks $block-chars * BL FILL
CREATE $buffers $blocks $block-chars * ALLOT
CREATE $buffer-flags $blocks ALLOT \ Of each buffer: 1: it has the block; 2: it was changed.
VARIABLE $last-block
: $buffer-flag ( u -- addr )
	DUP $blocks U< 0= IF -35 THROW THEN $buffer-flags + ;
: $buffer ( u -- addr )
	$block-chars * $buffers + ;
: $stored-block ( u -- addr )
	$block-chars * $stored-blocks + ;

{standard
: BLK ( -- addr )
	$blk ;
: BUFFER ( u -- addr )
	DUP $buffer-flag DUP C@ 1 OR SWAP C! DUP $last-block ! $buffer ;
: BLOCK ( u -- addr )
	DUP $buffer-flag C@ 0= IF DUP $stored-block OVER $buffer $block-chars MOVE THEN BUFFER ;
: UPDATE ( -- )
	3 $last-block @ $buffer-flag C! ;
: SAVE-BUFFERS ( -- )
	$blocks 0 DO I $buffer-flag C@ 2 AND IF
		I $buffer I $stored-block $block-chars MOVE 1 I $buffer-flag C!
	THEN LOOP ;
: EMPTY-BUFFERS ( -- )
	$buffer-flags $blocks ERASE ;
: FLUSH ( -- )
	SAVE-BUFFERS EMPTY-BUFFERS ;
{internal
:NONAME ( u -- ? )
	DUP 1- $blocks 1- U< 0= IF DROP FALSE EXIT THEN
	DUP BLOCK $source ! $block-chars $source-length ! $blk ! 0 >IN ! TRUE ; $enter-block !
: $load ( u -- )
	0 $source-id ! 0 $line-at ! $enter-block @ EXECUTE 0= IF -35 THROW THEN $interpret ;
{standard
: LOAD ( u -- )
	['] $load $nested ;
: THRU ( u1 u2 -- )
	1+ SWAP ?DO I LOAD LOOP ;
VARIABLE SCR ( -- addr )
: LIST ( u -- )
	DUP SCR ! BLOCK 16 0 DO CR I 2 .R SPACE DUP 64 TYPE 64 + LOOP DROP CR ;
{environment
: BLOCK TRUE ;
: BLOCK-EXT TRUE ;
{internal

\ The article's statistics: counts of evaluations.  The article prints the definitions of Score and
\ Custom-Engine with gaps.
\ This file owns the code of the gaps: a minimax without pruning, so that the counts are numbers of
\ leaves.  The word `...`, which marks a gap, is immediate and compiles the code of the next gap.

LOAD Splut.4th

VARIABLE gap
DEFER deeper

: hostile? ( turn -- ? ) turn-offset-to-player current-player <> ;

\ The arguments are those of the article's Score; alpha and beta are not used.
: evaluate-leaf ( alpha beta turn -- score )
	SWAP DROP SWAP DROP
	Eval SWAP DROP
;
: better ( a b turn -- n ) hostile? IF MIN ELSE MAX ENDIF ;
: search-node ( alpha beta turn -- score )
	SWAP DROP SWAP DROP
	DUP turn-offset-to-player FALSE 0 $GenerateMoves
	DUP hostile? IF 10000 ELSE -10000 ENDIF
	$FirstMove
	BEGIN
		$CloneBoard
		DUP .moveCFA EXECUTE
		>R OVER next-turn-offset
		-10000 10000 ROT deeper
		$DeallocateBoard
		2 PICK better R>
		$NextMove DUP NOT
	UNTIL
	DROP SWAP DROP
	$DeallocateMoves
;
: begin-search ( -- move )
	-10000 BestScore !
	0 Nodes !
	$FirstMove
;
: apply-move ( move -- move )
	$CloneBoard
	DUP $MoveString CurrentMove!
	DUP .moveCFA EXECUTE
	MaxDepth Depth !
;
: note-score ( move score -- move' ? )
	BestScore @ OVER < IF
		DUP BestScore !
		Score!
		DUP $MoveString BestMove!
	ELSE
		DROP
	ENDIF
	$DeallocateBoard
	Nodes ++ Nodes @ Nodes!
	$NextMove DUP NOT
;
: increment-depth ( -- ) Depth ++ ;

: ... ( -- )
	gap ++
	gap @ 1 = IF COMPILE evaluate-leaf ENDIF
	gap @ 2 = IF COMPILE search-node [COMPILE] ENDIF COMPILE increment-depth ENDIF
	gap @ 3 = IF COMPILE begin-search ENDIF
	gap @ 4 = IF COMPILE apply-move ENDIF
	gap @ 5 = IF COMPILE note-score ENDIF
; IMMEDIATE

LOAD statistics-collection.fragment
' Score IS deeper

{players
	{player}  South {search-engine} Custom-Engine
	{neutral} West
	{player}  North {search-engine} Custom-Engine
	{neutral} East
	{player}  ?Cleaner {random}
players}
{turn-order
	{turn} South
	{turn} North
	{turn} North
	{repeat}
	{turn} ?Cleaner {of-type} clear-type
	{turn} South
	{turn} South
	{turn} South
	{turn} North
	{turn} North
	{turn} North
turn-order}
{board-setup
	{setup} South sstone e1
	{setup} South wizard d2
	{setup} South dwarf  e2
	{setup} South troll  f2
	{setup} West  wstone a5
	{setup} North nstone e9
	{setup} North wizard f8
	{setup} North dwarf  e8
	{setup} North troll  d8
	{setup} East  estone i5
board-setup}

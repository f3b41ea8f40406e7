\ Warden: a small war in which OnIsGameOver generates moves to see whether the king can be saved.

\ Stands for games in which the end is found by trying: for the player to move, each move is made on a cloned board, the
\ replies are generated, and each of them is asked whether it captures the king.  If all moves lose the king, the
\ game is over.

{board
	9 9 {grid}
board}

{directions
	-1  0 {direction} n     -1  1 {direction} ne
	 0  1 {direction} e      1  1 {direction} se
	 1  0 {direction} s      1 -1 {direction} sw
	 0 -1 {direction} w     -1 -1 {direction} nw
directions}

{players
	{player} Gold
	{player} Jade
players}

{turn-order
	{turn} Gold
	{turn} Jade
turn-order}

{symmetries
	Jade {symmetry} n s
	Jade {symmetry} ne se
	Jade {symmetry} nw sw
symmetries}

DEFER KING
VARIABLE king-taken                     \ set while lists are generated: a move captures a king

: go ( -- )
	piece-type KING = IF king-taken ON ENDIF
	from here move
	add-move
;
: step ( 'dir -- ) EXECUTE verify friend? NOT verify go ;
: slide ( 'dir -- )
	BEGIN
		DUP EXECUTE IF
			friend? NOT IF go ENDIF
			empty? NOT
		ELSE
			TRUE
		ENDIF
	UNTIL
	DROP
;
: step-n ( -- ) ['] n step ;	: step-ne ( -- ) ['] ne step ;
: step-e ( -- ) ['] e step ;	: step-se ( -- ) ['] se step ;
: step-s ( -- ) ['] s step ;	: step-sw ( -- ) ['] sw step ;
: step-w ( -- ) ['] w step ;	: step-nw ( -- ) ['] nw step ;
: slide-n ( -- ) ['] n slide ;	: slide-e ( -- ) ['] e slide ;
: slide-s ( -- ) ['] s slide ;	: slide-w ( -- ) ['] w slide ;

{moves king-moves {move} step-n {move} step-ne {move} step-e {move} step-se
	{move} step-s {move} step-sw {move} step-w {move} step-nw moves}
{moves guard-moves {move} step-n {move} step-ne {move} step-nw {move} step-s moves}
{moves pawn-moves {move} step-n moves}
{moves tower-moves {move} slide-n {move} slide-e {move} slide-s {move} slide-w moves}

{pieces
	{piece} king  {moves} king-moves  100 {value}
	{piece} guard {moves} guard-moves   4 {value}
	{piece} pawn  {moves} pawn-moves    1 {value}
	{piece} tower {moves} tower-moves   8 {value}
pieces}
' king IS KING

{board-setup
	{setup} Gold king e1 {setup} Gold guard d1 {setup} Gold guard f1 {setup} Gold tower b2
	{setup} Gold pawn c3 {setup} Gold pawn d3 {setup} Gold pawn f3 {setup} Gold pawn g3
	{setup} Jade king e9 {setup} Jade guard d9 {setup} Jade guard f9 {setup} Jade tower h8
	{setup} Jade pawn c7 {setup} Jade pawn d7 {setup} Jade pawn f7 {setup} Jade pawn g7
board-setup}

VARIABLE saved

: try-move ( move -- )                  \ does the king survive this move?
	$CloneBoard
	.moveCFA EXECUTE
	king-taken OFF
	next-player FALSE 0 $GenerateMoves
	$DeallocateMoves
	$DeallocateBoard
	king-taken @ NOT IF saved ON ENDIF
;
: can-be-saved? ( -- ? )
	saved OFF
	$FirstMove
	BEGIN
		DUP try-move
		$NextMove
		DUP 0= saved @ OR
	UNTIL
	DROP
	saved @
;
: has-king? ( player -- ? )
	FALSE
	81 0 DO
		I piece-at 2 PICK KING OR = OR
	LOOP
	SWAP DROP
;

: OnIsGameOver ( -- result )
	current-player has-king? NOT stalemate? OR IF
		#LossScore
	ELSE
		turn-number 120 > IF
			#DrawScore
		ELSE
			can-be-saved? IF #UnknownScore ELSE #LossScore ENDIF
		ENDIF
	ENDIF
;
: OnEvaluate ( -- score ) current-player material-balance ;

\ Like Konane: a stone jumps over an enemy and captures it. Planted: `over` has no `;`.
{board 6 6 {grid} board}
{directions 0 1 {direction} e 0 -1 {direction} w -1 0 {direction} n 1 0 {direction} s directions}
{players {player} Black {player} White players}
{turn-order {turn} Black {turn} White turn-order}

VARIABLE jumped

: over ( 'dir -- )
	DUP EXECUTE verify enemy? verify here jumped !
	EXECUTE verify empty? verify
	from here move jumped @ capture-at add-move
: over-e ( -- ) ['] e over ;
: over-w ( -- ) ['] w over ;
: over-n ( -- ) ['] n over ;
: over-s ( -- )
	['] s over ;
{moves stone-moves {move} over-e {move} over-w {move} over-n {move} over-s moves}
{pieces {piece} stone {moves} stone-moves pieces}
{board-setup
	{setup} Black stone a1 {setup} White stone b1 {setup} Black stone c1 {setup} White stone d1
	{setup} White stone a2 {setup} Black stone b2 {setup} White stone c2
board-setup}
: OnIsGameOver ( -- result ) stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;

\ A game with the six directions of a hexagonal board. Planted: `s` occurs in two symmetries of Moon.
{board 7 7 {grid} board}
{directions
	-1 0 {direction} n  -1 1 {direction} ne  0 1 {direction} e
	1 0 {direction} s  1 -1 {direction} sw  0 -1 {direction} w
directions}
{players {player} Sun {player} Moon players}
{turn-order {turn} Sun {turn} Moon turn-order}
{symmetries
	Moon {symmetry} n s
	Moon {symmetry} ne sw
	Moon {symmetry} e s
symmetries}
: m EXECUTE verify empty? verify from here move add-move ;
: m1 ['] n m ; : m2 ['] ne m ; : m3 ['] e m ;
{moves mm {move} m1 {move} m2 {move} m3 moves}
{pieces {piece} ray {moves} mm pieces}
{board-setup {setup} Sun ray a1 {setup} Sun ray b1 {setup} Sun ray c1 {setup} Moon ray e7 {setup} Moon ray f7 {setup} Moon ray g7 board-setup}
: OnIsGameOver stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;

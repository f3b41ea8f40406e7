\ Lines: move to the other side. Correct by itself; the fault is in lines-three.4th.
{board 5 5 {grid} board}
{directions -1 0 {direction} n 1 0 {direction} s directions}
{players {player} White {player} Black players}
{symmetries Black {symmetry} n s symmetries}
{turn-order {turn} White {turn} Black turn-order}
LOAD steps.4th
{moves walker {move} walk moves}
{pieces {piece} man {moves} walker pieces}
{board-setup
	{setup} White man a1 {setup} White man c1 {setup} White man e1
	{setup} Black man b5 {setup} Black man d5
board-setup}
: OnIsGameOver ( -- result ) stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;

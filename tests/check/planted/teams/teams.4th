\ Teams: soldiers of two players. Correct by itself; the fault is in teams-storm.4th.
{board 6 6 {grid} board}
{directions
	-1 0 {direction} n 1 0 {direction} s 0 1 {direction} e 0 -1 {direction} w
directions}
{players {player} Gold {player} Silver players}
{turn-order {turn} Gold {turn} Silver turn-order}
: march EXECUTE verify friend? NOT verify from here move add-move ;
: mn ['] n march ; : ms ['] s march ; : me ['] e march ; : mw ['] w march ;
{moves soldier-moves {move} mn {move} ms {move} me {move} mw moves}
{pieces {piece} soldier {moves} soldier-moves pieces}
{board-setup
	{setup} Gold soldier a1 {setup} Gold soldier b1
	{setup} Silver soldier e6 {setup} Silver soldier f6
board-setup}
: OnIsGameOver ( -- result ) stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;

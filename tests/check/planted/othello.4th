\ Reversi on 6x6 squares. Planted: the loop in `turn-over` ignores the step's flag and never ends.
{board 6 6 {grid} board}
{directions
	-1 0 {direction} n 1 0 {direction} s 0 1 {direction} e 0 -1 {direction} w
directions}
{players {player} Dark {player} Light players}
{turn-order {turn} Dark {turn} Light turn-order}
: past ( 'dir -- ) BEGIN DUP EXECUTE enemy? AND NOT UNTIL DROP ;
: flips? ( 'dir -- ? ) back DUP EXECUTE enemy? AND IF past friend? ELSE DROP FALSE ENDIF ;
: turn-over ( 'dir -- )
	back
	BEGIN
		DUP EXECUTE DROP
		current-player change-owner
		FALSE
	UNTIL DROP ;
VARIABLE any
: try ( 'dir -- ) DUP flips? IF any ON turn-over ELSE DROP ENDIF ;
: put ( -- )
	empty? verify any OFF drop
	['] n try ['] s try ['] e try ['] w try
	any @ verify add-move ;
{moves discs {move} put moves}
{pieces {piece} disc {drops} discs pieces}
{board-setup {setup} Dark disc c3 {setup} Dark disc d4 {setup} Light disc c4 {setup} Light disc d3 board-setup}
: OnIsGameOver ( -- result )
	#UnknownScore stalemate? IF DROP #DrawScore ENDIF ;

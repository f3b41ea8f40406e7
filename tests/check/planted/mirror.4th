\ Diamond race. Planted: both symmetries of the diagonals name `down-left`.
{board 7 7 {grid} board}

{directions
	-1  0 {direction} up
	 1  0 {direction} down
	-1 -1 {direction} up-left
	-1  1 {direction} up-right
	 1 -1 {direction} down-left
	 1  1 {direction} down-right
directions}

{players
	{player} South
	{player} North
players}
{turn-order {turn} South {turn} North turn-order}

( North's directions are reversed. )
{symmetries
	North {symmetry} up down
	North {symmetry} up-left down-left
	North {symmetry} up-right down-left
symmetries}

: run-on from here move add-move ;
: Forward ( -- ) up verify empty? verify run-on ;
: Left ( -- ) up-left verify friend? NOT verify run-on ;
: Right ( -- ) up-right verify friend? NOT verify run-on ;
{moves Runner {move} Forward {move} Left {move} Right moves}
{pieces {piece} Diamond {moves} Runner pieces}
{board-setup
	{setup} South Diamond a1 {setup} South Diamond c1 {setup} South Diamond e1 {setup} South Diamond g1
	{setup} North Diamond a7 {setup} North Diamond c7 {setup} North Diamond e7 {setup} North Diamond g7
board-setup}

: home-row? ( player first -- ? )
	FALSE SWAP DUP 7 + SWAP DO OVER I player-at = OR LOOP SWAP DROP ;
: OnIsGameOver ( -- result )
	South a7 home-row? North a1 home-row? OR stalemate? OR
	IF #LossScore ELSE #UnknownScore ENDIF ;

\ Small checkers. Planted: the `;` of `jump` is missing.
{board 6 6 {grid} board}
{directions
	-1 1 {direction} ne
	-1 -1 {direction} nw
	1 1 {direction} se
	1 -1 {direction} sw
directions}
{players {player} Light {player} Dark players}
{symmetries Dark {symmetry} ne se Dark {symmetry} nw sw symmetries}
{turn-order {turn} Light {turn} Dark turn-order}

: step ( 'dir -- )
	EXECUTE verify
	empty? verify
	from here move add-move
;

: jump ( 'dir -- )
	DUP EXECUTE verify
	enemy? verify
	capture
	EXECUTE verify
	empty? verify
	from here move
	add-move

: step-ne ( -- ) ['] ne step ;
: step-nw ( -- ) ['] nw step ;
: jump-ne ( -- ) ['] ne jump ;
: jump-nw ( -- ) ['] nw jump ;

{moves man-moves
	{move} jump-ne {move-type} jumping
	{move} jump-nw {move-type} jumping
	{move} step-ne {move-type} stepping
	{move} step-nw {move-type} stepping
moves}
{move-priorities {move-priority} jumping {move-priority} stepping move-priorities}
{pieces {piece} man {moves} man-moves pieces}
{board-setup
	{setup} Light man a1 {setup} Light man c1 {setup} Light man e1
	{setup} Light man b2 {setup} Light man d2 {setup} Light man f2
	{setup} Dark man b6 {setup} Dark man d6 {setup} Dark man f6
	{setup} Dark man a5 {setup} Dark man c5 {setup} Dark man e5
board-setup}
: OnIsGameOver ( -- result )
	stalemate? IF #LossScore ELSE #UnknownScore ENDIF
;

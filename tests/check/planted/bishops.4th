\ Bishops. Planted: the loop in `total` sets `steps` to 0 after the last square and never ends.
{board 6 6 {grid} {variable} steps board}
{directions
	-1 1 {direction} ne  -1 -1 {direction} nw  1 1 {direction} se  1 -1 {direction} sw
directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}

\ correct: verify ends this loop
: ride ( 'dir -- ) BEGIN DUP EXECUTE verify empty? verify from here move add-move FALSE UNTIL ;
: ride-ne ['] ne ride ; : ride-nw ['] nw ride ; : ride-se ['] se ride ; : ride-sw ['] sw ride ;
{moves bishop-moves {move} ride-ne {move} ride-nw {move} ride-se {move} ride-sw moves}
{pieces {piece} bishop {moves} bishop-moves pieces}
{board-setup
	{setup} White bishop b1 {setup} White bishop e1
	{setup} Black bishop b6 {setup} Black bishop e6
board-setup}

: total ( -- n )
	0 steps OFF
	BEGIN
		steps @ not-empty-at? IF 1+ ENDIF
		steps ++
		steps @ 36 = IF steps OFF ENDIF
		FALSE UNTIL
;
: OnIsGameOver ( -- result ) total 2 < stalemate? OR IF #LossScore ELSE #UnknownScore ENDIF ;

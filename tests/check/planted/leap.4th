\ Knights only: two steps ahead and one aside. Planted: Leap drops the flag of its last step.
{board 6 6 {grid} board}
{directions
	-1 0 {direction} N   1 0 {direction} S
	0 1 {direction} E   0 -1 {direction} W
directions}
{players {player} Red {player} Blue players}
{turn-order {turn} Red {turn} Blue turn-order}

: Leap ( 'ahead 'aside -- )
	SWAP
	DUP EXECUTE verify
	EXECUTE verify
	EXECUTE DROP                  \ and one aside
	friend? NOT IF from here move add-move ENDIF
;
: nne ['] N ['] E Leap ;  : nnw ['] N ['] W Leap ;
: sse ['] S ['] E Leap ;  : ssw ['] S ['] W Leap ;
: een ['] E ['] N Leap ;  : ees ['] E ['] S Leap ;
: wwn ['] W ['] N Leap ;  : wws ['] W ['] S Leap ;

{moves knight-moves
	{move} nne {move} nnw {move} sse {move} ssw
	{move} een {move} ees {move} wwn {move} wws
moves}
{pieces
	{piece} Knight {moves} knight-moves 3 {value}
pieces}
{board-setup
	{setup} Red Knight b1 {setup} Red Knight e1
	{setup} Blue Knight b6 {setup} Blue Knight e6
board-setup}

VARIABLE left
: count-mine ( player -- n )
	left OFF
	36 0 DO DUP I player-at = IF left ++ ENDIF LOOP
	DROP left @
;
: OnIsGameOver ( -- result )
	current-player count-mine 0= IF #LossScore ELSE #UnknownScore ENDIF
;

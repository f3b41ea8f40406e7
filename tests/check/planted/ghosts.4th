( Ghosts, by MKA, 2011. Planted: the `;` of CROSSING? is missing. )
{board 6 6 {grid} board}
{directions -1 0 {direction} N 1 0 {direction} S 0 1 {direction} E 0 -1 {direction} W directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
: GO from here move add-move ;
: STEP EXECUTE verify friend? NOT verify GO ;
: UP ['] N STEP ;
: DOWN ['] S STEP ;
: LEFT ['] W STEP ;
: RIGHT ['] E STEP ; : CROSSING? here 6 < here 29 > OR
{moves GHOST-MOVES {move} UP {move} DOWN {move} LEFT {move} RIGHT moves}
{pieces {piece} Good {moves} GHOST-MOVES {piece} Evil {moves} GHOST-MOVES pieces}
{board-setup
{setup} White Good b1 {setup} White Evil c1 {setup} White Good d1 {setup} White Evil e1
{setup} Black Good b6 {setup} Black Evil c6 {setup} Black Good d6 {setup} Black Evil e6
board-setup}
: OnIsGameOver
  stalemate? CROSSING? OR IF #LossScore ELSE #UnknownScore ENDIF
;

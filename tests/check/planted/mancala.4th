\ Mancala: sow the seeds, which are numbers in an array. Without a fault: no finding is expected.
{board {position} p1 {position} p2 {position} p3 {position} p4 {position} p5 {position} p6
   6 {array} seeds board}
{directions
  {link} on p1 p2 {link} on p2 p3 {link} on p3 p4 {link} on p4 p5 {link} on p5 p6 {link} on p6 p1
directions}
{players {player} Up {player} Down players}
{turn-order {turn} Up {turn} Down turn-order}
: sow1 ( pos -- ) seeds ++ ;
: clear ( pos -- ) seeds OFF ;
: sow ( -- )
   from seeds @ verify
   from COMPILE-LITERAL COMPILE clear
   from seeds @ 0 DO ['] on EXECUTE DROP here COMPILE-LITERAL COMPILE sow1 LOOP
   ^" sow" add-move ;
{moves sowing {move} sow moves}
{pieces {piece} pit {moves} sowing pieces}
{board-setup {setup} Up pit p1 {setup} Up pit p2 {setup} Up pit p3 {setup} Down pit p4 {setup} Down pit p5 {setup} Down pit p6 board-setup}
: OnNewGame ( -- ) 6 0 DO 4 I seeds ! LOOP ;
: OnIsGameOver ( -- result ) stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;

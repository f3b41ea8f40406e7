( Five in a row on a go board: players put stones on empty points by turns. )
( Planted: the script has no OnIsGameOver. )
{board  9 9 {grid}  board}
{players  {player} Black  {player} White  players}
{turn-order {turn} Black {turn} White turn-order}

: PUT empty? verify drop add-move ;

{moves STONES {move} PUT moves}
{pieces {piece} stone {drops} STONES pieces}

\ A game whose OnIsGameOver leaves no result.
{board 1 3 {grid} board}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
: put ( -- ) empty? verify drop add-move ;
{moves puts {move} put moves}
{pieces {piece} stone {drops} puts pieces}
: OnIsGameOver ( -- ) stalemate? DROP ;

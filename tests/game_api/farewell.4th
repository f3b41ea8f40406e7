\ A game that prints a text in OnTerminate.
{board 1 1 {grid} board}
{players {player} A players}
{turn-order {turn} A turn-order}
{pieces {piece} P pieces}
: OnTerminate ." goodbye" ;

\ A game that says goodbye, for OnTerminate.
{board 1 1 {grid} board}
{players {player} A players}
{turn-order {turn} A turn-order}
{pieces {piece} P pieces}
: OnTerminate ." goodbye" ;

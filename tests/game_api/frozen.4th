\ Neither player can move; OnIsGameOver leaves the end to the host.
{board 1 1 {grid} board}
{players {player} A {player} B players}
{turn-order {turn} A {turn} B turn-order}
: never ( -- ) FALSE verify ;
{moves frozen-moves {move} never moves}
{pieces {piece} P {moves} frozen-moves pieces}
: OnIsGameOver ( -- score ) #UnknownScore ;

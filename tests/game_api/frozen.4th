\ Neither player can move, and OnIsGameOver does not end the game.
{board 1 1 {grid} board}
{players {player} A {player} B players}
{turn-order {turn} A {turn} B turn-order}
: never ( -- ) FALSE verify ;
{moves frozen-moves {move} never moves}
{pieces {piece} P {moves} frozen-moves pieces}
: OnIsGameOver ( -- score ) #UnknownScore ;

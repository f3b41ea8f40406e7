\ do: new   (the test begins a game)
LOAD lib/line.4th
: slide ( -- ) east verify from here move add-move ;
DEFER shuffle
: OnNewGame ( -- )
  shuffle ;   \ expect error: `shuffle` is a DEFER that was never set (IS)
{moves stone-moves {move} slide moves}
{pieces {piece} stone {moves} stone-moves pieces}
{board-setup {setup} White stone a1 {setup} Black stone b1 board-setup}

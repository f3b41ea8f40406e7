\ do: over   (the test begins a game and checks whether it is over)
LOAD lib/line.4th
: slide ( -- ) east verify from here move add-move ;
: OnIsGameOver ( -- score )
  #UnknownScore turn-number 1- / ;   \ expect error: division by zero
{moves stone-moves {move} slide moves}
{pieces {piece} stone {moves} stone-moves pieces}
{board-setup {setup} White stone a1 {setup} Black stone b1 board-setup}

\ do: apply   (the test applies the first move)
LOAD lib/line.4th
: slide ( -- ) east verify from here move add-move ;
: OnNextTurn ( -- )
  ABORT ;   \ expect error: ABORT
{moves stone-moves {move} slide moves}
{pieces {piece} stone {moves} stone-moves pieces}
{board-setup {setup} White stone a1 {setup} Black stone b1 board-setup}

\ do: generate   (the test generates the moves of the first turn)
LOAD lib/line.4th
: slide ( -- )
  east verify
  1 0 / DROP   \ expect error: division by zero
  from here move add-move ;
{moves stone-moves {move} slide moves}
{pieces {piece} stone {moves} stone-moves pieces}
{board-setup {setup} White stone a1 {setup} Black stone b1 board-setup}

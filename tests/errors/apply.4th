\ do: apply   (the test applies the first move)
LOAD lib/line.4th
: explode ( -- )
  0 @ DROP ;   \ expect error: address outside memory
: slide ( -- )
  east verify
  from here move COMPILE explode add-move ;
{moves stone-moves {move} slide moves}
{pieces {piece} stone {moves} stone-moves pieces}
{board-setup {setup} White stone a1 {setup} Black stone b1 board-setup}

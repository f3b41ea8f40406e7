\ do: apply axiom=140   (the test applies the first move in version 140)
LOAD lib/line.4th
: slide ( -- ) east verify from here move partial add-move ;
{moves stone-moves {move} slide moves}
{pieces {piece} stone {moves} stone-moves pieces}
{board-setup {setup} White stone a1 {setup} Black stone b1 board-setup}

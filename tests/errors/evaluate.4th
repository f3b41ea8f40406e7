\ do: search   (the test searches to depth 1)
LOAD lib/line.4th
: slide ( -- ) east verify from here move add-move ;
: weigh ( -- n )
  -2147483648 -1 / ;   \ expect error: division by zero, or of -2147483648 by -1
: OnEvaluate ( -- score )
  weigh ;
{moves stone-moves {move} slide moves}
{pieces {piece} stone {moves} stone-moves pieces}
{board-setup {setup} White stone b1 {setup} Black stone a1 board-setup}

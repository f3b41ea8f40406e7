\ do: generate   (the test generates the moves of the first turn)
LOAD lib/line.4th
: take-at ( pos -- )
  3 * capture-at ;   \ expect error: position 3 is not on the board
: push-on ( -- )
  here take-at ;
: slide ( -- )
  east verify push-on from here move add-move ;
{moves stone-moves {move} slide moves}
{pieces {piece} stone {moves} stone-moves pieces}
{board-setup {setup} White stone a1 {setup} Black stone b1 board-setup}

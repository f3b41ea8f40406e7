\ do: engine   (the test runs the script's engine)
{board 1 3 {grid} board}
{directions 0 1 {direction} east directions}
: think ( -- )
  10000000 EXECUTE ;   \ expect error: the cell 10000000 (0x989680) was run, but it is not a word
{players {player} White {search-engine} think players}
{turn-order {turn} White turn-order}
: slide ( -- ) east verify from here move add-move ;
{moves stone-moves {move} slide moves}
{pieces {piece} stone {moves} stone-moves pieces}
{board-setup {setup} White stone a1 board-setup}

\ A game whose move word fails on one square.
{players {player} A players}
{turn-order {turn} A turn-order}
{board 2 2 {grid} board}
VARIABLE tries
: share ( n -- m ) 12 SWAP / ;
: put ( -- )
  empty? verify
  1 tries +!
  here share DROP
  drop add-move ;
{moves puts {move} put moves}
{pieces {piece} stone {drops} puts pieces}

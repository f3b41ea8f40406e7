\ Tapatan: three men each; three in a row win. Planted: the blank in `: gn` is missing.
{board 3 3 {grid} board}
{directions
0 1 {direction} e 0 -1 {direction} w -1 0 {direction} n 1 0 {direction} s
directions}
{players {player} X {player} O players}
{turn-order {turn} X {turn} O turn-order}
: go EXECUTE verify empty? verify from here move add-move ;
: ge ( -- ) ['] e go ;
: gw ( -- ) ['] w go ;
:gn ( -- ) ['] n go ;
: gs ( -- ) ['] s go ;
{moves m {move} ge {move} gw {move} gn {move} gs moves}
{pieces {piece} man {moves} m pieces}
{board-setup
{setup} X man a1 {setup} X man b1 {setup} O man c1
{setup} O man a3 {setup} O man b3 {setup} X man c3
board-setup}
: mine? ( player pos -- ? ) player-at = ;
: row? ( player a b c -- ? )
  3 PICK SWAP mine? >R
  2 PICK SWAP mine? >R
  mine? R> AND R> AND ;
: lines? ( player -- ? )
  DUP a1 b1 c1 row? OVER a2 b2 c2 row? OR OVER a3 b3 c3 row? OR SWAP DROP ;
: OnIsGameOver ( -- result )
  X lines? O lines? OR IF #LossScore ELSE #UnknownScore ENDIF ;

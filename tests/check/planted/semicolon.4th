( Isolation: move your pawn; the square that it leaves becomes a hole. Planted: the `;` of `k8` is missing. )
{board 5 5 {grid} board}
{directions
 -1 0 {direction} n   -1 1 {direction} ne   0 1 {direction} e   1 1 {direction} se
 1 0 {direction} s   1 -1 {direction} sw   0 -1 {direction} w   -1 -1 {direction} nw
directions}
{players {player} A {player} B players}
{turn-order {turn} A {turn} B turn-order}
DEFER HOLE
: king ( 'dir -- ) EXECUTE verify empty? verify from here move HOLE from create-piece-type-at add-move ;
: k1 ['] n king ;  : k2 ['] ne king ;  : k3 ['] e king ;  : k4 ['] se king ;
: k5 ['] s king ;  : k6 ['] sw king ;  : k7 ['] w king ;  : k8 ['] nw king
{moves king-moves
 {move} k1 {move} k2 {move} k3 {move} k4 {move} k5 {move} k6 {move} k7 {move} k8
moves}
{pieces {piece} pawn {moves} king-moves {piece} hole pieces}
' hole IS HOLE
{board-setup {setup} A pawn c1 {setup} B pawn c5 board-setup}
: OnIsGameOver ( -- result ) stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;

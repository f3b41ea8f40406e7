\ King and pawns. Planted: the blank in `{move} ks` is missing.
{board 8 8 {grid} board}
{directions
   -1 0 {direction} n  1 0 {direction} s  0 1 {direction} e  0 -1 {direction} w
directions}
{players {player} King {player} Pawns players}
{turn-order {turn} King {turn} Pawns turn-order}
: k EXECUTE verify friend? NOT verify from here move add-move ;
: kn ['] n k ;
: ks ['] s k ;
: ke ['] e k ;
: kw ['] w k ;
: p s verify empty? verify from here move add-move ;
{moves king-moves
   {move} kn
   {move}ks
   {move} ke
   {move} kw
moves}
{moves pawn-moves {move} p moves}
{pieces
   {piece} king {moves} king-moves
   {piece} pawn {moves} pawn-moves
pieces}
{board-setup
   {setup} King king e1
   {setup} Pawns pawn c8 {setup} Pawns pawn d8 {setup} Pawns pawn e8 {setup} Pawns pawn f8
board-setup}
: king-there? ( -- ? ) FALSE 64 0 DO I piece-type-at king = OR LOOP ;
: OnIsGameOver ( -- result )
   stalemate? king-there? NOT OR IF #LossScore ELSE #UnknownScore ENDIF ;

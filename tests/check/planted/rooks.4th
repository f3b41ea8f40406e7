\ Rooks. Planted: the loop in `ride` does not end at the edge of the board.
\ A rook goes along a line over empty squares.
{board 8 8 {grid} board}
{directions
 -1 0 {direction} n 1 0 {direction} s 0 1 {direction} e 0 -1 {direction} w
directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}

: ride ( 'dir -- )
  BEGIN
    DUP EXECUTE IF
      empty? IF from here move add-move ENDIF
    ENDIF
    FALSE
  UNTIL
  DROP ;

: ride-n ['] n ride ;   : ride-s ['] s ride ;
: ride-e ['] e ride ;   : ride-w ['] w ride ;
{moves rook-moves {move} ride-n {move} ride-s {move} ride-e {move} ride-w moves}
{pieces {piece} rook {moves} rook-moves pieces}
{board-setup
 {setup} White rook a1 {setup} White rook h1
 {setup} Black rook a8 {setup} Black rook h8
board-setup}
: OnIsGameOver stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;

\ Cannons capture by a jump over one piece. Planted: `shoot` drops the flag of a step that may leave the board.
{board
  7 7 {grid}
board}
{directions
  -1 0 {direction} n
  1 0 {direction} s
  0 1 {direction} e
  0 -1 {direction} w
directions}
{players
  {player} Us
  {player} Them
players}
{turn-order
  {turn} Us
  {turn} Them
turn-order}
\ shoot over one piece
: shoot ( 'dir -- )
  BEGIN
    DUP EXECUTE verify
    empty? NOT
  UNTIL
  BEGIN
    DUP EXECUTE DROP
    empty? NOT
  UNTIL
  DROP
  enemy? IF
    capture
    from here move
    add-move
  ENDIF
;
: walk ( 'dir -- ) EXECUTE verify empty? verify from here move add-move ;
: sn ['] n shoot ; : ss ['] s shoot ; : se ['] e shoot ; : sw ['] w shoot ;
: wn ['] n walk ; : ws ['] s walk ; : we ['] e walk ; : ww ['] w walk ;
{moves cannon-moves {move} sn {move} ss {move} se {move} sw {move} wn {move} ws {move} we {move} ww moves}
{pieces {piece} Cannon {moves} cannon-moves pieces}
{board-setup
  {setup} Us Cannon a1 {setup} Us Cannon d1 {setup} Us Cannon g1
  {setup} Them Cannon a7 {setup} Them Cannon d7 {setup} Them Cannon g7
board-setup}
: OnIsGameOver stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;

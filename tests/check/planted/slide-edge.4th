\ Amber: a player who cannot move a disc loses. Planted: `shift` drops the flag of a step that may leave the board.
{board
    5 5 {grid}
board}
{directions
     0  1 {direction} east
     0 -1 {direction} west
    -1  0 {direction} north
     1  0 {direction} south
directions}
{players {player} Amber {player} Jade players}
{turn-order {turn} Amber {turn} Jade turn-order}

\ move the disc by one square
: shift ( 'dir -- )
    EXECUTE DROP
    from here move
    add-move
;
: shift-e ( -- ) ['] east shift ;
: shift-w ( -- ) ['] west shift ;
: shift-n ( -- ) ['] north shift ;
: shift-s ( -- ) ['] south shift ;

{moves disc-moves
    {move} shift-e   {move} shift-w
    {move} shift-n   {move} shift-s
moves}
{pieces {piece} disc {moves} disc-moves pieces}
{board-setup
    {setup} Amber disc a1   {setup} Amber disc c1   {setup} Amber disc e1
    {setup} Jade  disc a5   {setup} Jade  disc c5   {setup} Jade  disc e5
board-setup}
: OnIsGameOver ( -- result ) stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;

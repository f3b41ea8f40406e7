\ Towers. Planted: the loaded file does not exist.
{board 4 4 {grid} board}
{players {player} Left {player} Right players}
{turn-order {turn} Left {turn} Right turn-order}
LOAD compass.4th            \ directions n s e w
: tower ( 'dir -- ) EXECUTE verify empty? verify from here move add-move ;
: tn ['] n tower ;
: ts ['] s tower ;
: te ['] e tower ;
: tw ['] w tower ;
{moves tower-moves {move} tn {move} ts {move} te {move} tw moves}
{pieces {piece} tower {moves} tower-moves pieces}
{board-setup {setup} Left tower a1 {setup} Right tower d4 board-setup}
: OnIsGameOver ( -- result ) stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;

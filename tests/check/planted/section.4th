\ Bridges: the players are named after the river's banks. Planted: DROP on an empty stack in the section of players.
{board 4 4 {grid} board}
{directions 0 1 {direction} e 0 -1 {direction} w directions}
{players DROP {player} East {player} West players}
{turn-order {turn} East {turn} West turn-order}
: cross ( 'dir -- ) EXECUTE verify empty? verify from here move add-move ;
: ce ( -- ) ['] e cross ;
: cw ( -- ) ['] w cross ;
{moves plank-moves {move} ce {move} cw moves}
{pieces {piece} plank {moves} plank-moves pieces}
{board-setup {setup} East plank a1 {setup} West plank d4 board-setup}
: won? ( player -- ? ) DUP a4 player-at = SWAP d1 player-at = OR ;
: OnIsGameOver ( -- result ) East won? West won? OR IF #LossScore ELSE #UnknownScore ENDIF ;

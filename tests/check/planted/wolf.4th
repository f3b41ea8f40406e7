\ Wolf and sheep. Planted: OnIsGameOver is missing: the engine does not know when the game is over.
{board 8 8 {grid} board}
{directions -1 1 {direction} ne -1 -1 {direction} nw 1 1 {direction} se 1 -1 {direction} sw directions}
{players {player} Wolf {player} Sheep players}
{turn-order {turn} Wolf {turn} Sheep turn-order}
: to-free ( 'dir -- ) EXECUTE verify empty? verify from here move add-move ;
: a ['] ne to-free ; : b ['] nw to-free ; : c ['] se to-free ; : d ['] sw to-free ;
{moves wolf-moves {move} a {move} b {move} c {move} d moves}
{moves sheep-moves {move} c {move} d moves}
{pieces {piece} wolf {moves} wolf-moves {piece} sheep {moves} sheep-moves pieces}
{board-setup
 {setup} Wolf wolf d1
 {setup} Sheep sheep b8 {setup} Sheep sheep d8 {setup} Sheep sheep f8 {setup} Sheep sheep h8
board-setup}
: OnEvaluate ( -- score ) move-count ;

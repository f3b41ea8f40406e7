\ A fox and three dogs. Planted: the blank in `empty? verify` is missing.
{board 5 5 {grid} board}
{directions 0 1 {direction} e 0 -1 {direction} w -1 0 {direction} n 1 0 {direction} s directions}
{players {player} Fox {player} Dogs players}
{turn-order {turn} Fox {turn} Dogs turn-order}
: go from here move add-move ;
: stepe e verify empty? verify go ;
: stepw w verify empty? verify go ;
: stepn n verify empty?verify go ;
: steps s verify empty? verify go ;
{moves fox-moves {move} stepe {move} stepw {move} stepn {move} steps moves}
{moves dog-moves {move} stepe {move} stepw {move} stepn moves}
{pieces {piece} fox {moves} fox-moves {piece} dog {moves} dog-moves pieces}
{board-setup {setup} Fox fox c5 {setup} Dogs dog a1 {setup} Dogs dog c1 {setup} Dogs dog e1 board-setup}
: OnIsGameOver ( -- r ) stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;

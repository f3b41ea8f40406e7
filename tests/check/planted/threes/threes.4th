\ Three in a row on 3x3 squares. Correct by itself; the faults are in the two scripts that load it.
{board 3 3 {grid} board}
{players {player} Noughts {player} Crosses players}
{turn-order {turn} Noughts {turn} Crosses turn-order}
: mark empty? verify drop add-move ;
{moves marks {move} mark moves}
{pieces {piece} mark1 {drops} marks pieces}
: three? ( a b c -- ? ) enemy-at? SWAP enemy-at? AND SWAP enemy-at? AND ;
: OnIsGameOver
 a1 b1 c1 three? a2 b2 c2 three? OR a3 b3 c3 three? OR IF #LossScore ELSE
 stalemate? IF #DrawScore ELSE #UnknownScore ENDIF ENDIF ;

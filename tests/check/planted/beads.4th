\ Beads: a player who cannot put a bead on an empty square draws. Planted: no blank before `;` in `put`.
{board 4 4 {grid} board}
{players {player} A1 {player} B1 players}
{turn-order {turn} A1 {turn} B1 turn-order}
: put empty? verify drop add-move;
{moves p {move} put moves}
{pieces {piece} bead {drops} p pieces}
: OnIsGameOver stalemate? IF #DrawScore ELSE #UnknownScore ENDIF ;

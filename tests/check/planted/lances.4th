\ -----------------------------------------------------------
\ Mini Shogi-like: KINGS AND LANCES
\ -----------------------------------------------------------
DEFER PROMOTED-LANCE
{board 5 5 {grid} board}
{directions
	-1 0 {direction} north
	1 0 {direction} south
	0 1 {direction} east
	0 -1 {direction} west
directions}
{players {player} Sente {player} Gote players}
{symmetries Gote {symmetry} north south Gote {symmetry} east north symmetries}
{turn-order {turn} Sente {turn} Gote turn-order}

: in-zone? ( -- ? ) here 5 < ;
: promote ( -- ) in-zone? IF PROMOTED-LANCE change-type ENDIF ;
: lance-move ( -- )
	BEGIN
		north verify
		friend? NOT verify
		from here move promote add-move
		empty? verify
		FALSE
	UNTIL ;
: king-move ( 'dir -- ) EXECUTE verify friend? NOT verify from here move add-move ;
: kn ( -- ) ['] north king-move ; : ke ( -- ) ['] east king-move ;
{moves lances {move} lance-move moves}
{moves kings {move} kn {move} ke moves}
{pieces {piece} king {moves} kings {piece} lance {moves} lances {piece} gold {moves} kings pieces}
' gold IS PROMOTED-LANCE
{board-setup {setup} Sente king c1 {setup} Gote king c5 {setup} Sente lance a1 {setup} Gote lance e5 board-setup}
: OnIsGameOver ( -- r ) stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;

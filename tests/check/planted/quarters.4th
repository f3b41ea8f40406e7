\ Four players, each moving inwards from an edge of its own. Planted: two symmetries of Denim name `w`.
{board 8 8 {grid} board}
{directions
	-1 0 {direction} n
	1 0 {direction} s
	0 1 {direction} e
	0 -1 {direction} w
directions}
{players {player} Aqua {player} Beige {player} Coral {player} Denim players}
{symmetries
	Beige {symmetry} n e      \ Beige comes from the west
	Coral {symmetry} n s
	Denim {symmetry} n w      \ and Denim from the east
	Denim {symmetry} s w
symmetries}
{turn-order {turn} Aqua {turn} Beige {turn} Coral {turn} Denim turn-order}

: ahead n verify empty? verify from here move add-move ;
: hit n verify enemy? verify from here move add-move ;
: retreat s verify empty? verify from here move add-move ;
{moves guard-moves {move} ahead {move} hit {move} retreat moves}
{pieces {piece} guard {moves} guard-moves pieces}
{board-setup
	{setup} Aqua guard d1   {setup} Aqua guard e1
	{setup} Beige guard a4  {setup} Beige guard a5
	{setup} Coral guard d8  {setup} Coral guard e8
	{setup} Denim guard h4  {setup} Denim guard h5
board-setup}
: OnIsGameOver ( -- result )
	move-count 0= IF #LossScore ELSE #UnknownScore ENDIF
;

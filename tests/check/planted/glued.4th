\ Halma for two, six men each. Planted: the blank before the `;` of `sn` is missing.
{board 8 8 {grid} board}
{directions
	-1 0 {direction} n 1 0 {direction} s 0 1 {direction} e 0 -1 {direction} w
directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}

: lands ( -- ) from here move add-move ;
: step ( 'dir -- ) EXECUTE verify empty? verify lands ;
: hop ( 'dir -- ) DUP EXECUTE verify not-empty? verify EXECUTE verify empty? verify lands ;
: sn ['] n step;
: ss ['] s step ;   : se ['] e step ;   : sw ['] w step ;
: hn ['] n hop ;    : hs ['] s hop ;    : he ['] e hop ;    : hw ['] w hop ;

{moves men
	{move} sn {move} ss {move} se {move} sw
	{move} hn {move} hs {move} he {move} hw
moves}
{pieces {piece} man {moves} men pieces}
{board-setup
	{setup} White man a1 {setup} White man b1 {setup} White man c1
	{setup} White man a2 {setup} White man b2 {setup} White man a3
	{setup} Black man h8 {setup} Black man g8 {setup} Black man f8
	{setup} Black man h7 {setup} Black man g7 {setup} Black man h6
board-setup}
: OnIsGameOver ( -- result )
	h8 player-at White = g8 player-at White = AND
	a1 player-at Black = b1 player-at Black = AND OR
	IF #LossScore ELSE #UnknownScore ENDIF ;

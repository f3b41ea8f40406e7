\ Two men face each other; OnExplain prints which of them is in danger.
{board 1 5 {grid} {variable} calls board}
{directions 0 1 {direction} e 0 -1 {direction} w directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
: go ( 'dir -- ) EXECUTE verify friend? NOT verify from here move add-move ;
: go-e ['] e go ;
: go-w ['] w go ;
{moves steps {move} go-e {move} go-w moves}
{pieces {piece} man {moves} steps pieces}
{board-setup {setup} White man b1 {setup} Black man c1 board-setup}
: OnExplain ( -- )
	calls ++
	CR ." b1: threatened: by c1" CR
	." c1 : likewise" CR
	." man b1 x c1: takes" CR ." man b1 -: goes back" CR
	." Man b1 - c1: is no move" CR
	."   There are " move-count . ." moves, call " calls @ .
;

\ Men step and jump over enemies in four directions; a jump continues with the same man.  Of all series of jumps only
\ the longest may be made.  OnMovesGenerated tries each move and, by recursion, its continuations.

{board 5 5 {grid} {variable} jumper board}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
{directions
	-1 0 {direction} n   0 1 {direction} e   1 0 {direction} s   0 -1 {direction} w
directions}

VARIABLE victim
1 CONSTANT #jumps                       \ the number of the move type `jumps`
: set-jumper ( pos -- ) jumper ! ;
: may-move? ( -- ? ) $partial @ IF from jumper @ = ELSE TRUE ENDIF ;
: step ( 'dir -- ) EXECUTE verify empty? verify from here move add-move ;
: jump ( 'dir -- )
	may-move? verify
	DUP EXECUTE verify enemy? verify here victim !
	EXECUTE verify empty? verify
	from here move victim @ capture-at
	here COMPILE-LITERAL COMPILE set-jumper
	#jumps partial-move-type add-move
;
: step-n ['] n step ;  : step-e ['] e step ;  : step-s ['] s step ;  : step-w ['] w step ;
: jump-n ['] n jump ;  : jump-e ['] e jump ;  : jump-s ['] s jump ;  : jump-w ['] w jump ;

{moves man-moves
	{move} jump-n {move-type} jumps {move} jump-e {move-type} jumps
	{move} jump-s {move-type} jumps {move} jump-w {move-type} jumps
	{move} step-n {move} step-e {move} step-s {move} step-w
moves}
{pieces {piece} man {moves} man-moves pieces}
{board-setup {setup} White man a1 {setup} Black man e5 board-setup}

VARIABLE result                         \ of try-move
VARIABLE best
DEFER longest
: try-move ( move -- )                  \ result: the length of the longest series that begins with the move
	$CloneBoard .moveCFA EXECUTE
	$partial @ IF current-player FALSE of-type $GenerateMoves longest 1+ ELSE 0 ENDIF result !
;                                       \ the frame frees the board and the list
: length ( move -- n ) ['] try-move $CatchExit 2DROP result @ ;
: longest-of-list ( -- n ) 0 $FirstMove BEGIN DUP WHILE DUP length ROT MAX SWAP $NextMove REPEAT DROP ;
' longest-of-list IS longest
: OnMovesGenerated ( -- )
	longest-of-list best !
	$FirstMove BEGIN DUP WHILE DUP length best @ < IF DUP $RemoveMove ENDIF $NextMove REPEAT DROP
;

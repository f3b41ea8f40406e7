\ A hare moves twice, then one of two wolves moves once.  The hare wins by reaching the upper row, the wolves
\ by capturing the hare.
{board 5 3 {grid} board}
{directions
	-1  0 {direction} up	 1  0 {direction} down
	 0 -1 {direction} left	 0  1 {direction} right
directions}
{players {player} Hare {player} Wolves players}
{turn-order {turn} Hare {turn} Hare {turn} Wolves turn-order}

: go ( -- ) from here move add-move ;
: hop ( 'dir -- ) EXECUTE verify empty? verify go ;
: hop-up ['] up hop ;	: hop-down ['] down hop ;	: hop-left ['] left hop ;	: hop-right ['] right hop ;
: bite ( 'dir -- ) EXECUTE verify friend? NOT verify go ;
: bite-up ['] up bite ;	: bite-down ['] down bite ;	: bite-left ['] left bite ;	: bite-right ['] right bite ;
{moves hops {move} hop-up {move} hop-down {move} hop-left {move} hop-right moves}
{moves bites {move} bite-up {move} bite-down {move} bite-left {move} bite-right moves}
{pieces
	{piece} hare {moves} hops
	{piece} wolf {moves} bites
pieces}
{board-setup
	{setup} Hare hare b1
	{setup} Wolves wolf a5 {setup} Wolves wolf c4
board-setup}

: hare-square ( -- pos | -1 ) -1 15 0 DO I player-at Hare = IF DROP I ENDIF LOOP ;
: home? ( -- ? ) hare-square DUP 0< NOT SWAP 3 < AND ;
: won ( player -- score ) current-player = IF #WinScore ELSE #LossScore ENDIF ;
: OnIsGameOver ( -- score )
	home? IF Hare won EXIT ENDIF
	hare-square 0< IF Wolves won EXIT ENDIF
	#UnknownScore
;
\ The value for the hare is higher in upper rows, in the middle column, and far from the wolves.
: distance ( pos -- n ) hare-square - ABS ;
: OnEvaluate ( -- score )
	15 hare-square - 10 * hare-square 3 MOD 1 = IF 7 + ENDIF
	15 0 DO I player-at Wolves = IF I distance + ENDIF LOOP
	current-player Wolves = IF NEGATE ENDIF
;
: OnIsTerminal? ( -- ? ) hare-square 5 > ;  \ quiet if the hare is not in the two upper rows

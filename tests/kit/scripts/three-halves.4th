\ A game of three players.  A turn consists of two steps, or of one if no second step is legal.
\ The end of a turn changes a variable outside the board.
{board 4 4 {grid} board}
{directions 0 -1 {direction} left 0 1 {direction} right 1 0 {direction} down -1 0 {direction} up directions}
{players {player} Ann {player} Bob {player} Cid players}
{turn-order {turn} Ann {turn} Bob {turn} Cid turn-order}
DEFER ACROSS                            \ the move type of second steps; it is defined below
: walk ( 'dir -- ) EXECUTE verify empty? verify from here move ;
: first ( 'dir -- ) walk ACROSS partial-move-type add-move ;
: second ( 'dir -- ) walk add-move ;
: left-first ['] left first ;	: right-first ['] right first ;
: down-second ['] down second ;	: up-second ['] up second ;
{moves walks
	{move} left-first {move-type} along {move} right-first {move-type} along
	{move} down-second {move-type} across {move} up-second {move-type} across
moves}
' across IS ACROSS
{pieces {piece} walker {moves} walks pieces}
{board-setup
	{setup} Ann walker a1 {setup} Ann walker c2
	{setup} Bob walker d4 {setup} Bob walker b3
	{setup} Cid walker d1 {setup} Cid walker a4
board-setup}
VARIABLE outside-count
: library-OnNextTurn OnNextTurn ;
: OnNextTurn ( -- ) library-OnNextTurn outside-count @ 3 * current-player Bob = IF 1+ ENDIF 7 + 11 MOD outside-count ! ;
: square-value ( pos -- n ) DUP 4 MOD DUP * 5 * SWAP 4 / 3 * + ;
: OnEvaluate ( -- score )
	0 16 0 DO I not-empty-at? IF I square-value I player-at current-player = IF 2 * ELSE NEGATE ENDIF + ENDIF LOOP
	outside-count @ current-player Ann = IF NEGATE ENDIF +
;

\ A turn consists of two steps, each of which costs a ply: a search may evaluate a half-finished turn.
{board 3 5 {grid} board}
{directions 0 -1 {direction} left 0 1 {direction} right 1 0 {direction} down -1 0 {direction} up directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
DEFER ACROSS                            \ the move type of second steps; it is defined below
VARIABLE first-step?
: walk ( 'dir -- )
	EXECUTE verify empty? verify from here move
	first-step? @ IF ACROSS partial-move-type ENDIF
	add-move
;
: first ( 'dir -- ) first-step? ON walk ;
: second ( 'dir -- ) first-step? OFF walk ;
: left-first ['] left first ;	: right-first ['] right first ;	: down-second ['] down second ;	: up-second ['] up second ;
{moves walks
	{move} left-first {move-type} along {move} right-first {move-type} along
	{move} down-second {move-type} across {move} up-second {move-type} across
moves}
' across IS ACROSS
{pieces {piece} walker {moves} walks pieces}
{board-setup {setup} White walker a1 {setup} White walker c2 {setup} Black walker e3 {setup} Black walker b2 board-setup}
$combinePartial OFF                     \ a partial move costs a ply
: square-value ( pos -- n ) DUP 5 MOD DUP * SWAP 5 / 3 * + ;
: OnEvaluate ( -- score )
	0 15 0 DO I not-empty-at? IF I square-value I friend-at? NOT IF NEGATE ENDIF + ENDIF LOOP
;

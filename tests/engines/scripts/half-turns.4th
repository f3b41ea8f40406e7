\ A turn consists of two steps, each of which costs a ply: a search may evaluate a half-finished turn.
{board 3 5 {grid} board}
{directions 0 -1 {direction} left 0 1 {direction} right 1 0 {direction} down -1 0 {direction} up directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
DEFER HALF
VARIABLE half?
: walk ( 'dir -- )
	EXECUTE verify empty? verify from here move
	half? @ IF HALF partial-move-type ENDIF
	add-move
;
: first ( 'dir -- ) half? ON walk ;
: second ( 'dir -- ) half? OFF walk ;
: l1 ['] left first ;	: r1 ['] right first ;	: d2 ['] down second ;	: u2 ['] up second ;
{moves walks
	{move} l1 {move-type} along {move} r1 {move-type} along
	{move} d2 {move-type} across {move} u2 {move-type} across
moves}
' across IS HALF
{pieces {piece} walker {moves} walks pieces}
{board-setup {setup} White walker a1 {setup} White walker c2 {setup} Black walker e3 {setup} Black walker b2 board-setup}
$combinePartial OFF
: square-value ( pos -- n ) DUP 5 MOD DUP * SWAP 5 / 3 * + ;
: OnEvaluate ( -- score )
	0 15 0 DO I not-empty-at? IF I square-value I friend-at? NOT IF NEGATE ENDIF + ENDIF LOOP
;

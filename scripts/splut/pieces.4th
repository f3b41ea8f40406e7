\ Lists of move words, and the pieces that use them.

\ The throws have move types, by which a partial move requires its second half and the strong engine recognizes throws.
{moves wizard-moves
	{move} step-n  {move} step-s  {move} step-e  {move} step-w
	{move} lift-n  {move} lift-s  {move} lift-e  {move} lift-w
	{move} shove-n {move} shove-s {move} shove-e {move} shove-w
moves}
{moves dwarf-moves
	{move} step-n {move} step-s {move} step-e {move} step-w
	{move} push-n {move} push-s {move} push-e {move} push-w
moves}
{moves troll-moves
	{move} step-n {move} step-s {move} step-e {move} step-w
	{move} pull-n {move} pull-s {move} pull-e {move} pull-w
	{move} throw-nn {move-type} throwing {move} throw-ns {move-type} throwing
	{move} throw-ne {move-type} throwing {move} throw-nw {move-type} throwing
	{move} throw-sn {move-type} throwing {move} throw-ss {move-type} throwing
	{move} throw-se {move-type} throwing {move} throw-sw {move-type} throwing
	{move} throw-en {move-type} throwing {move} throw-es {move-type} throwing
	{move} throw-ee {move-type} throwing {move} throw-ew {move-type} throwing
	{move} throw-wn {move-type} throwing {move} throw-ws {move-type} throwing
	{move} throw-we {move-type} throwing {move} throw-ww {move-type} throwing
moves}
{moves partial-troll-moves
	{move} step-n {move} step-s {move} step-e {move} step-w
	{move} pull-n {move} pull-s {move} pull-e {move} pull-w
	{move} take-n {move-type} throwing {move} take-s {move-type} throwing
	{move} take-e {move-type} throwing {move} take-w {move-type} throwing
	{move} hurl-n {move-type} hurling  {move} hurl-s {move-type} hurling
	{move} hurl-e {move-type} hurling  {move} hurl-w {move-type} hurling
moves}
{moves broom-moves
	{move} sweep
moves}
' hurling IS HURLING

\ The stones must have consecutive numbers, in the order of their memory positions; lock must be the last type,
\ with at least seven types before it: see `pack`.
{pieces
	{piece} sstone
	{piece} wstone
	{piece} nstone
	{piece} estone
	{piece} wizard {moves} wizard-moves 4 {value}
	{piece} dwarf  {moves} dwarf-moves  3 {value}
	{piece} troll  {moves} troll-moves  2 {value}
	{piece} broom  {moves} broom-moves
	{piece} lock
pieces}
' sstone IS SSTONE
' estone IS ESTONE
' wizard IS WIZARD
' dwarf  IS DWARF
' troll  IS TROLL
' broom  IS BROOM
' lock   IS LOCK

\ A player without moves must pass once for each step.  This includes eliminated teams.
$passTurnForced ON

\ The engine runs this word before it generates a move list.
: OnGenerateMoves ( -- ) find-stones lock-rule @ IF find-teams ENDIF ;

\ The engine runs this word when a game begins.  The setting `throw` determines the move list of the troll, whose
\ address is stored in the troll's record in the table of pieces.
: set-troll-list ( 'list -- ) TROLL 1- #PieceCells * #movesCell + CELLS $pieces @ + ! ;
: OnNewGame ( -- ) throw-rule @ IF ['] partial-troll-moves ELSE ['] troll-moves ENDIF set-troll-list ;

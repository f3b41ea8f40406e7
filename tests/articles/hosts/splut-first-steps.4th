\ A game of the article's first two fragments: trolls step, and drag the stone behind them.
\ This file owns the lists of moves, a simple turn order and a small set-up.  There are no throws.

LOAD splut-board.4th

LOAD quiet-running.fragment

DEFER article-is-stone?
: is-stone? ( -- ? ) article-is-stone? ;

LOAD stone-drag.fragment

: step-to-north ( -- ) ['] north one-step ;
: step-to-south ( -- ) ['] south one-step ;
: step-to-east  ( -- ) ['] east  one-step ;
: step-to-west  ( -- ) ['] west  one-step ;

{moves troll-moves
	{move} step-to-north
	{move} step-to-south
	{move} step-to-east
	{move} step-to-west
	{move} drag-to-north
	{move} drag-to-south
	{move} drag-to-east
	{move} drag-to-west
moves}

\ The fragment with the pieces names these lists.  No player has a piece that uses them.
: no-move ( -- ) FALSE verify ;
{moves pass-moves   {move} no-move moves}
{moves stone-drops  {move} no-move moves}
{moves wizard-moves {move} no-move moves}
{moves dwarf-moves  {move} no-move moves}
: ... ( -- ) ;
LOAD a-rock.fragment
' is-stone? IS article-is-stone?

{turn-order
	{turn} South
	{turn} North
turn-order}

{board-setup
	{setup} South troll d5
	{setup} South sstone e5
	{setup} South nstone d3
	{setup} North troll g5
	{setup} North wstone g6
	{setup} North estone h5
board-setup}

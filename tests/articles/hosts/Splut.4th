\ Splut for four players, made of the article's fragments.
\ This file owns the order of the fragments and the sections that the article omits.  The article's
\ Duel and Random fragments load this file by its name.

LOAD splut-board.4th
LOAD splut-helpers.4th

{moves pass-moves
	{move} pass-turn   {move-type} normal-type
	{move} clear-locks {move-type} clear-type
moves}

LOAD troll-moves.fragment
LOAD gnome-stroke.fragment

: push-to-north ( -- ) ['] south ['] north push-step ;
: push-to-south ( -- ) ['] north ['] south push-step ;
: push-to-east  ( -- ) ['] west  ['] east  push-step ;
: push-to-west  ( -- ) ['] east  ['] west  push-step ;

{moves dwarf-moves
	{move} step-to-north {move-type} normal-type
	{move} step-to-south {move-type} normal-type
	{move} step-to-east  {move-type} normal-type
	{move} step-to-west  {move-type} normal-type
	{move} push-to-north {move-type} normal-type
	{move} push-to-south {move-type} normal-type
	{move} push-to-east  {move-type} normal-type
	{move} push-to-west  {move-type} normal-type
moves}

LOAD levitate-stones.fragment
LOAD pushing-stones-in-front-of-you.fragment

: fly-to-north ( -- ) ['] north fly-stone ;
: fly-to-south ( -- ) ['] south fly-stone ;
: fly-to-east  ( -- ) ['] east  fly-stone ;
: fly-to-west  ( -- ) ['] west  fly-stone ;
: force-north  ( -- ) ['] north push-stone ;
: force-south  ( -- ) ['] south push-stone ;
: force-east   ( -- ) ['] east  push-stone ;
: force-west   ( -- ) ['] west  push-stone ;

{moves wizard-moves
	{move} step-to-north {move-type} normal-type
	{move} step-to-south {move-type} normal-type
	{move} step-to-east  {move-type} normal-type
	{move} step-to-west  {move-type} normal-type
	{move} fly-to-north  {move-type} normal-type
	{move} fly-to-south  {move-type} normal-type
	{move} fly-to-east   {move-type} normal-type
	{move} fly-to-west   {move-type} normal-type
	{move} force-north   {move-type} normal-type
	{move} force-south   {move-type} normal-type
	{move} force-east    {move-type} normal-type
	{move} force-west    {move-type} normal-type
moves}

\ In the fragment, `...` stands for the lists of moves, which are defined above.
: ... ( -- ) ;
LOAD a-rock.fragment
' is-stone? IS article-is-stone?
' lock   IS LOCK
' wizard IS WIZARD
' dwarf  IS DWARF
' troll  IS TROLL
' sstone IS FIRST-STONE
' estone IS LAST-STONE

LOAD splut-engine.4th

{turn-order
	{turn} South
	{turn} West {turn} West
	{turn} North {turn} North {turn} North
	{turn} East {turn} East {turn} East
	{repeat}
	{turn} ?Cleaner {of-type} clear-type
	{turn} South {turn} South {turn} South
	{turn} West {turn} West {turn} West
	{turn} North {turn} North {turn} North
	{turn} East {turn} East {turn} East
turn-order}

{board-setup
	{setup} South sstone e1
	{setup} South wizard d2
	{setup} South dwarf  e2
	{setup} South troll  f2
	{setup} South lock   f1
	{setup} West  wstone a5
	{setup} West  wizard b6
	{setup} West  dwarf  b5
	{setup} West  troll  b4
	{setup} West  lock   g1
	{setup} North nstone e9
	{setup} North wizard f8
	{setup} North dwarf  e8
	{setup} North troll  d8
	{setup} North lock   h1
	{setup} East  estone i5
	{setup} East  wizard h4
	{setup} East  dwarf  h5
	{setup} East  troll  h6
	{setup} East  lock   i1
board-setup}

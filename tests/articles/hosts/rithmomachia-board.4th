\ Board, directions and players for the fragments of the Rithmomachia article.
\ This file implements rules/rithmomachia.md, section 1.

{board
	16 12 {grid}
	{variable} WhitePieces
	{variable} WhiteValues
	{variable} BlackPieces
	{variable} BlackValues
board}

16 CONSTANT ROWS
12 CONSTANT COLS

{directions
	-1  0 {direction} North
	 1  0 {direction} South
	 0  1 {direction} East
	 0 -1 {direction} West
	-1  1 {direction} Northeast
	-1 -1 {direction} Northwest
	 1  1 {direction} Southeast
	 1 -1 {direction} Southwest
	\ From a1, friend-p leads along the parts of White's pyramid, enemy-p along those of Black's.
	{link} friend-p a1 l1   {link} friend-p l1 l2   {link} friend-p l2 l3
	{link} friend-p l3 l4   {link} friend-p l4 l5   {link} friend-p l5 l6
	{link} enemy-p a1 a16   {link} enemy-p a16 a15  {link} enemy-p a15 a14
	{link} enemy-p a14 a13  {link} enemy-p a13 a12
directions}

{players
	{player} White
	{player} Black
players}

{symmetries
	Black {symmetry} friend-p enemy-p
symmetries}

\ The columns a, b, k and l are margins: only parts of pyramids are there.
: on-board-at? ( pos -- ? ) COLS MOD DUP 1 > SWAP 10 < AND ;
: on-board?    ( -- ? ) here on-board-at? ;

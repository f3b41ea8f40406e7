\ The arena, its directions and its players, for the fragments of the Splut article.
\ This file implements rules/splut.md, section 1.

{board
	9 9 {grid}
	{variable} flown    \ TRUE from a levitating move until OnNextTurn
board}

{directions
	-1  0 {direction} north
	 1  0 {direction} south
	 0  1 {direction} east
	 0 -1 {direction} west
	\ The arena has 41 of the 81 squares; no step leaves the arena.
	{unlink} north a5  {unlink} north b6  {unlink} north c7  {unlink} north d8  {unlink} north e9
	{unlink} north f8  {unlink} north g7  {unlink} north h6  {unlink} north i5
	{unlink} south a5  {unlink} south b4  {unlink} south c3  {unlink} south d2  {unlink} south e1
	{unlink} south f2  {unlink} south g3  {unlink} south h4  {unlink} south i5
	{unlink} east e1  {unlink} east e9  {unlink} east f2  {unlink} east f8  {unlink} east g3
	{unlink} east g7  {unlink} east h4  {unlink} east h6  {unlink} east i5
	{unlink} west a5  {unlink} west b4  {unlink} west b6  {unlink} west c3  {unlink} west c7
	{unlink} west d2  {unlink} west d8  {unlink} west e1  {unlink} west e9
	\ The scanning order of the rules: column by column, upwards.
	{link} next a5 b4  {link} next b4 b5  {link} next b5 b6  {link} next b6 c3  {link} next c3 c4
	{link} next c4 c5  {link} next c5 c6  {link} next c6 c7  {link} next c7 d2  {link} next d2 d3
	{link} next d3 d4  {link} next d4 d5  {link} next d5 d6  {link} next d6 d7  {link} next d7 d8
	{link} next d8 e1  {link} next e1 e2  {link} next e2 e3  {link} next e3 e4  {link} next e4 e5
	{link} next e5 e6  {link} next e6 e7  {link} next e7 e8  {link} next e8 e9  {link} next e9 f2
	{link} next f2 f3  {link} next f3 f4  {link} next f4 f5  {link} next f5 f6  {link} next f6 f7
	{link} next f7 f8  {link} next f8 g3  {link} next g3 g4  {link} next g4 g5  {link} next g5 g6
	{link} next g6 g7  {link} next g7 h4  {link} next h4 h5  {link} next h5 h6  {link} next h6 i5
directions}

{players
	{player} South
	{player} West
	{player} North
	{player} East
	{player} ?Cleaner {random}
players}

\ Whether the current square is in the arena.
: on-board? ( -- ? )
	here 9 MOD 4 - ABS
	here 9 /   4 - ABS
	+ 5 <
;

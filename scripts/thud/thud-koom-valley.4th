\ Koom Valley on the Thud board: dwarfs bring the rock across, trolls try to surround it.

\ The dwarfs move the rock, and win when it reaches the top row; the trolls win when three of them are next to it.
\ This game has its own moves.  It shares only the parts lines.4th and leaf-lists.4th with thud.4th.
{board
	15 15 {grid}
	{dummy-positions}
	{position} rim                  \ never empty: lines stop here
	{variable} jumper               \ square of a troll that may jump again, plus one; otherwise 0
board}

LOAD lines.4th
LOAD repetition.4th                     \ of the library
LOAD leaf-lists.4th                     \ unless-enough
rim store-lines

DEFER DWARF
DEFER TROLL
DEFER ROCK
DEFER JUMPING

: count-beside ( pos type -- n )        \ number of pieces of that type on the squares around pos
	0 SWAP ROT
	neighbour-list DUP DUP @ 1+ CELLS + SWAP CELLSIZE + DO   ( n type )
		I @ piece-type-at OVER = IF SWAP 1+ SWAP ENDIF
	CELLSIZE +LOOP
	DROP
;
: steps-between ( pos pos' -- n )       \ number of steps between two squares
	15 /MOD ROT 15 /MOD                     ( column' row' column row )
	ROT - ABS ROT ROT - ABS MAX
;
: adjacent? ( pos pos' -- ? ) steps-between 1 = ;

\ --- Dwarfs ---
\ A dwarf moves like a chess queen and captures every adjacent troll between itself and another dwarf in line.
: pinch ( goal -- )
	#ways 0 DO
		DUP I ray
		DUP @ piece-type-at TROLL =
		IF DUP CELLSIZE + @ piece-type-at DWARF = IF @ capture-at ELSE DROP ENDIF ELSE DROP ENDIF
	LOOP
	DROP
;
: slide ( ray -- )
	BEGIN DUP @ DUP empty-at? WHILE
		from OVER move pinch add-move
		CELLSIZE +
	REPEAT
	2DROP
;
: every-dwarf-move ( -- ) #ways 0 DO from I ray slide LOOP ;
: dwarf-moves ( -- ) ['] every-dwarf-move unless-enough ;

\ --- The rock ---
\ The rock moves one step; a dwarf must be next to its square before and after the step.
: carry ( goal -- )
	DUP empty-at? IF DUP DWARF count-beside 0> ELSE FALSE ENDIF
	IF from SWAP move add-move ELSE DROP ENDIF
;
: every-rock-move ( -- )
	from DWARF count-beside IF #ways 0 DO from I ray @ carry LOOP ENDIF
;
: rock-moves ( -- ) ['] every-rock-move unless-enough ;

\ --- Trolls ---
\ After a move of a troll, the rock is captured if three trolls are next to it.  The rock's square and the number
\ of these trolls are computed before each generation.
VARIABLE rock-at                        \ the rock's square, -1 after its capture
VARIABLE trolls-at-rock                 \ number of trolls next to the rock
: rock-on-board? ( -- ? ) rock-at @ 0< NOT ;
: rock-unmoved? ( -- ? ) rock-on-board? IF rock-at @ piece-type-at ROCK = ELSE FALSE ENDIF ;
: search-rock ( -- ) -1 rock-at ! #grid 0 DO I piece-type-at ROCK = IF I rock-at ! ENDIF LOOP ;
: update-rock ( -- )
	rock-unmoved? NOT IF search-rock ENDIF
	rock-on-board? IF rock-at @ TROLL count-beside ELSE 0 ENDIF trolls-at-rock !
;
\ The host ignores the variables cleared here when it compares positions: they are computed for each move list.
: OnForget ( -- ) rock-at OFF trolls-at-rock OFF ;
: one-if-at-rock ( pos -- n ) rock-at @ adjacent? 1 AND ;
: surrounds? ( goal -- ? )              \ are three trolls next to the rock after the move from `from` to goal?
	rock-on-board? IF one-if-at-rock from one-if-at-rock - trolls-at-rock @ + 2 > ELSE DROP FALSE ENDIF
;
: surround ( goal -- ) surrounds? IF rock-at @ capture-at ENDIF ;

3 CONSTANT #strides
: stride ( ray -- )                     \ up to three squares
	DUP #strides CELLS + SWAP DO
		I @ DUP empty-at? IF from OVER move surround add-move ELSE DROP LEAVE ENDIF
	CELLSIZE +LOOP
;

\ A troll may jump over an adjacent dwarf, and again from there.  Each jump is a partial move.
VARIABLE victim
: set-jumper ( n -- ) jumper ! ;
: compile-set-jumper ( n -- ) COMPILE-LITERAL COMPILE set-jumper ;

\ The board still shows the position before the jump.  Therefore the captured dwarf, `victim`, and the troll on its
\ old square, `from`, must be ignored when a further jump is tested.
: other-dwarf? ( pos -- ? ) DUP victim @ = IF DROP FALSE ELSE piece-type-at DWARF = ENDIF ;
: free-after-jump? ( pos -- ? ) DUP from = SWAP empty-at? OR ;
: can-jump-on? ( ray -- ? ) DUP @ other-dwarf? IF CELLSIZE + @ free-after-jump? ELSE DROP FALSE ENDIF ;
: can-jump-from? ( landing -- ? )
	FALSE #ways 0 DO OVER I ray can-jump-on? OR LOOP
	SWAP DROP
;
\ The turn continues if the troll can jump again and the rock is not captured.
: continue-or-end ( landing -- )
	DUP can-jump-from? OVER surrounds? NOT AND
	IF JUMPING partial-move-type 1+ ELSE DROP 0 ENDIF
	compile-set-jumper
;
: jump ( ray -- )
	DUP @ DUP victim ! piece-type-at DWARF =
	IF
		CELLSIZE + @ DUP empty-at?
		IF
			from OVER move victim @ capture-at
			DUP surround continue-or-end add-move
		ELSE DROP ENDIF
	ELSE DROP ENDIF
;

: may-jump? ( -- ? ) jumper @ 0= jumper @ from 1+ = OR ;
: troll-jumps ( -- ) may-jump? verify #ways 0 DO from I ray jump LOOP ;
: stop-jumping ( -- ) jumper @ from 1+ = verify 0 compile-set-jumper Pass ;
: every-troll-move ( -- ) #ways 0 DO from I ray stride LOOP ;
: troll-moves ( -- ) ['] every-troll-move unless-enough ;

{moves dwarf-list
	{move} dwarf-moves
moves}
{moves rock-list
	{move} rock-moves
moves}
{moves troll-list
	{move} troll-jumps {move-type} jumping
	{move} stop-jumping {move-type} jumping
	{move} troll-moves
moves}
' jumping IS JUMPING

{pieces
	{piece} dwarf {moves} dwarf-list 100 {value}
	{piece} troll {moves} troll-list 250 {value}
	{piece} rock  {moves} rock-list 0 {value}
	{piece} edge
pieces}
' dwarf IS DWARF
' troll IS TROLL
' rock IS ROCK

\ Between the jumps of a turn no position is stored: repetitions count positions at the start of a turn.
: OnGenerateMoves ( -- ) update-rock new-list jumper @ 0= IF note-position ENDIF ;

\ --- The end ---
\ The dwarfs' goal is the top row: its squares are the first fifteen positions.
: across? ( -- ? ) rock-on-board? IF rock-at @ 15 < ELSE FALSE ENDIF ;
: from-dwarfs-view ( score -- score' ) current-player #PlayerBase <> IF NEGATE ENDIF ;

: OnIsGameOver ( -- result )
	rock-on-board? NOT IF ^" the rock is captured" #LossScore from-dwarfs-view ELSE
	across? IF ^" the rock is across" #WinScore from-dwarfs-view ELSE
	stalemate? IF ^" stalemate" #DrawScore ELSE
	occurrences @ 2 > IF ^" the position has occurred three times" #DrawScore ELSE
		#UnknownScore
	ENDIF ENDIF ENDIF ENDIF
;

\ --- Evaluation ---
\ The score counts the pieces, the rows that the rock has advanced, its escort, whether it can advance, the trolls
\ next to it, and the distances of all trolls.
: distances-to-rock ( -- n )            \ the sum for all trolls
	0
	#grid 0 DO I piece-type-at TROLL = IF I rock-at @ steps-between + ENDIF LOOP
;
\ The escort are the dwarfs that are still next to the rock after it has advanced one row.  Two are enough:
\ more would block it.
: escort-at ( pos -- n ) DUP rock-at @ adjacent? IF piece-type-at DWARF = 1 AND ELSE DROP 0 ENDIF ;
: escort ( -- n )
	rock-at @
	DUP 1- escort-at OVER 1+ escort-at +
	OVER 16 - escort-at + SWAP 14 - escort-at +
	2 MIN
;
: row ( pos -- n ) 15 / ;
: row-ahead? ( pos -- ? ) row rock-at @ row < ;         \ the rim has a higher number than any square
: can-advance ( -- n )                  \ 1 if there is an empty square one row ahead, otherwise 0
	FALSE
	#ways 0 DO rock-at @ I ray @ DUP empty-at? SWAP row-ahead? AND OR LOOP
	1 AND
;
: rock-worth ( -- n )
	14 rock-at @ row - 60 *
	escort can-advance + 20 * +
	trolls-at-rock @ -80 * +
	distances-to-rock 4 * +
;
: OnEvaluate ( -- score )
	update-rock
	#PlayerBase material-balance
	rock-on-board? IF rock-worth + ENDIF
	from-dwarfs-view
;
: Valley-Engine ( -- )                  \ two plies, or deeper with a time limit
	$searchTime @ 0= IF $depthLimit @ 2 MIN $depthLimit ! ENDIF
	$NegamaxMove
;

{players
	{player} Dwarfs {search-engine} Valley-Engine
	{player} Trolls {search-engine} Valley-Engine
	{neutral} Nobody
players}

{turn-order
	{turn} Dwarfs
	{turn} Trolls
turn-order}

: OnNewGame ( -- )
	OnNewGame
	forget-positions
	Nobody edge OR rim (add-piece)
;

{board-setup
	{setup} Dwarfs dwarf a6 {setup} Dwarfs dwarf b5 {setup} Dwarfs dwarf c4 {setup} Dwarfs dwarf d3
	{setup} Dwarfs dwarf e2 {setup} Dwarfs dwarf f1 {setup} Dwarfs dwarf g1 {setup} Dwarfs dwarf h1
	{setup} Dwarfs dwarf i1 {setup} Dwarfs dwarf j1 {setup} Dwarfs dwarf k2 {setup} Dwarfs dwarf l3
	{setup} Dwarfs dwarf m4 {setup} Dwarfs dwarf n5 {setup} Dwarfs dwarf o6 {setup} Dwarfs dwarf h7
	{setup} Dwarfs rock h8
	{setup} Trolls troll e13 {setup} Trolls troll f13 {setup} Trolls troll f14 {setup} Trolls troll h14
	{setup} Trolls troll h13 {setup} Trolls troll j14 {setup} Trolls troll j13 {setup} Trolls troll k13
board-setup}

\ Koom Valley on the Thud board: dwarfs bring the rock across, trolls try to surround it.

\ Another game for the same board, with its own moves: only lines.4th and repetition.4th are shared with
\ thud.4th.
{board
	15 15 {grid}
	{dummy-positions}
	{position} rim                  \ never empty: lines stop here
	{variable} jumper               \ square of a troll that may jump again, plus one; otherwise 0
board}

LOAD lines.4th
LOAD repetition.4th
LOAD leaves.4th
rim lay-lines

DEFER DWARF
DEFER TROLL
DEFER ROCK
DEFER JUMPING

: beside ( pos type -- n )              \ number of pieces of that type on the squares around pos
	0 SWAP ROT
	round DUP DUP @ 1+ CELLS + SWAP CELLSIZE + DO   ( n type )
		I @ piece-type-at OVER = IF SWAP 1+ SWAP ENDIF
	CELLSIZE +LOOP
	DROP
;
: apart ( pos pos' -- n )               \ number of steps between two squares
	15 /MOD ROT 15 /MOD                     ( column' row' column row )
	ROT - ABS ROT ROT - ABS MAX
;
: adjacent? ( pos pos' -- ? ) apart 1 = ;

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
: dwarf-moves ( -- ) ['] every-dwarf-move with-moves ;

\ --- The rock ---
\ One step, with a dwarf next to it before and after.
: carry ( goal -- )
	DUP empty-at? IF DUP DWARF beside 0> ELSE FALSE ENDIF
	IF from SWAP move add-move ELSE DROP ENDIF
;
: every-rock-move ( -- )
	from DWARF beside IF #ways 0 DO from I ray @ carry LOOP ENDIF
;
: rock-moves ( -- ) ['] every-rock-move with-moves ;

\ --- Trolls ---
\ After a move of a troll, the rock is captured if three trolls are next to it.  The rock's square and the number
\ of these trolls are computed before each generation.
VARIABLE rock-at                        \ or -1
VARIABLE trolls-there
: rock-on-board? ( -- ? ) rock-at @ 0< NOT ;
: still-there? ( -- ? ) rock-on-board? IF rock-at @ piece-type-at ROCK = ELSE FALSE ENDIF ;
: look-for-rock ( -- ) -1 rock-at ! #grid 0 DO I piece-type-at ROCK = IF I rock-at ! ENDIF LOOP ;
: find-rock ( -- )
	still-there? NOT IF look-for-rock ENDIF
	rock-on-board? IF rock-at @ TROLL beside ELSE 0 ENDIF trolls-there !
;
\ The host ignores the variables cleared here when it compares positions: they are computed for each move list.
: OnForget ( -- ) rock-at OFF trolls-there OFF ;
: at-rock ( pos -- n ) rock-at @ adjacent? 1 AND ;
: surrounds? ( goal -- ? )
	rock-on-board? IF at-rock from at-rock - trolls-there @ + 2 > ELSE DROP FALSE ENDIF
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

\ The board still shows the position before the jump: the captured dwarf and the troll's old square count as empty.
: victim? ( pos -- ? ) DUP victim @ = IF DROP FALSE ELSE piece-type-at DWARF = ENDIF ;
: free? ( pos -- ? ) DUP from = SWAP empty-at? OR ;
: can-jump-on? ( ray -- ? ) DUP @ victim? IF CELLSIZE + @ free? ELSE DROP FALSE ENDIF ;
: may-go-on? ( landing -- ? )
	FALSE #ways 0 DO OVER I ray can-jump-on? OR LOOP
	SWAP DROP
;
: chain ( landing -- )
	DUP may-go-on? OVER surrounds? NOT AND
	IF JUMPING partial-move-type 1+ ELSE DROP 0 ENDIF
	compile-set-jumper
;
: jump ( ray -- )
	DUP @ DUP victim ! piece-type-at DWARF =
	IF
		CELLSIZE + @ DUP empty-at?
		IF
			from OVER move victim @ capture-at
			DUP surround chain add-move
		ELSE DROP ENDIF
	ELSE DROP ENDIF
;

: may-jump? ( -- ? ) jumper @ 0= jumper @ from 1+ = OR ;
: troll-jumps ( -- ) may-jump? verify #ways 0 DO from I ray jump LOOP ;
: stop-jumping ( -- ) jumper @ from 1+ = verify 0 compile-set-jumper Pass ;
: every-troll-move ( -- ) #ways 0 DO from I ray stride LOOP ;
: troll-moves ( -- ) ['] every-troll-move with-moves ;

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

\ Between jumps the position is still the same, and the complete list is needed.
: OnGenerateMoves ( -- ) find-rock new-list jumper @ 0= IF note-position ENDIF ;

\ --- The end ---
\ The dwarfs' goal is the top row: its squares are the first fifteen positions.
: across? ( -- ? ) rock-on-board? IF rock-at @ 15 < ELSE FALSE ENDIF ;
: from-dwarfs-view ( score -- score' ) current-player #PlayerBase <> IF NEGATE ENDIF ;

: OnIsGameOver ( -- result )
	rock-on-board? NOT IF #LossScore from-dwarfs-view ELSE
	across? IF #WinScore from-dwarfs-view ELSE
	stalemate? occurrences @ 2 > OR IF #DrawScore ELSE
		#UnknownScore
	ENDIF ENDIF ENDIF
;

\ --- Evaluation ---
\ Pieces, rows advanced by the rock, whether it can advance, trolls around it, and distances of trolls.
: ways-to-rock ( -- n )
	0
	#grid 0 DO I piece-type-at TROLL = IF I rock-at @ apart + ENDIF LOOP
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
: row-on? ( pos -- ? ) row rock-at @ row < ;            \ the rim has a higher number than any square
: may-go-on ( -- n )                    \ 1 if there is an empty square one row ahead, otherwise 0
	FALSE
	#ways 0 DO rock-at @ I ray @ DUP empty-at? SWAP row-on? AND OR LOOP
	1 AND
;
: rock-worth ( -- n )
	14 rock-at @ row - 60 *
	escort may-go-on + 20 * +
	trolls-there @ -80 * +
	ways-to-rock 4 * +
;
: OnEvaluate ( -- score )
	find-rock
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
	repetition-reset noted OFF
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

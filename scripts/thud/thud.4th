\ Thud: thirty-two dwarfs against eight trolls, thrown along their lines.

\ Game by Trevor Truran (2002), after Terry Pratchett's novels: see README.md.  A line of dwarfs throws (hurls) its
\ first dwarf onto a troll; a line of trolls shoves its first troll next to dwarfs.  The file is meant to be read from
\ top to bottom:
\   1 board   2 settings   3 memory   4 dwarfs   5 trolls   6 agreement   7 lists, pieces   8 the end
\   9 worth   10 players, turns, set-up

\ === 1 Board =======================================================================================

\ An octagon of 165 squares in a grid of 15 by 15.  The positions after the grid are not squares, but part of
\ the position: they are copied, hashed and undone with it.
{board
	15 15 {grid}
	{dummy-positions}
	{position} peace                \ offers to end the round are put here
	{variable} last-capture         \ number of the turn of the last capture; 0: none yet
	2 {array} offered               \ number of the turn in which each player last made an offer; 0: never
	{variable} margin               \ points of the first player less those of the second, with result=score
	{variable} round-number         \ in a match of two rounds, see thud-match.4th: 1, 2
	2 {array} banked                \ points of each player from the first round
board}

LOAD lines.4th
LOAD leaf-lists.4th

\ The rock stands on h8 from the start, and lines stop at it.
h8 store-lines

DEFER DWARF
DEFER TROLL
DEFER ROCK

\ === 2 Settings ====================================================================================

VARIABLE choose-captures?
: troll-capture=all ( -- ) choose-captures? OFF ;       \ a troll captures every dwarf around its goal (default)
: troll-capture=choice ( -- ) choose-captures? ON ;     \ the troll player chooses the captured dwarfs

15 CONSTANT #no-limit                   \ no line of the board is longer
VARIABLE longest
: max-line=none ( -- ) #no-limit longest ! ;    \ lines of any length (default)
: max-line=7 ( -- ) 7 longest ! ;               \ throws of at most seven squares
max-line=none

0 CONSTANT #repetition-draws
1 CONSTANT #repetition-scores
2 CONSTANT #repetition-ignored
VARIABLE repetition-rule
: repetition=draw ( -- ) #repetition-draws repetition-rule ! ; \ the third occurrence of a position is a draw (default)
: repetition=score ( -- ) #repetition-scores repetition-rule ! ;        \ it ends the round with the score
: repetition=none ( -- ) #repetition-ignored repetition-rule ! ;        \ it has no effect

VARIABLE stalemate-scores?
: stalemate=loss ( -- ) stalemate-scores? OFF ; \ a player without a move loses (default)
: stalemate=score ( -- ) stalemate-scores? ON ; \ it ends the round with the score

VARIABLE calm-limit
: end-after= ( n -- ) calm-limit ! ;    \ number of moves without a capture that end the round with the score (0: never)

VARIABLE show-margin?
: result=win ( -- ) show-margin? OFF ;          \ a round is won, lost or drawn (default)
: result=score ( -- ) show-margin? ON ;         \ in addition, `margin` has the lead in points

VARIABLE agreement?
: agreement=off ( -- ) agreement? OFF ;         \ players cannot offer to end the round (default)
: agreement=on ( -- ) agreement? ON ;           \ a player may make an offer as a move, and the other may accept

\ === 3 Memory ======================================================================================

\ --- Captures ---
\ A capture compiles a call of `taken` into the move, which runs when the move is made.
: taken ( -- ) turn-number last-capture ! ;
: calm-moves ( -- n ) turn-number 1- last-capture @ - ;

\ --- Repetition ---
LOAD repetition.4th                     \ of the library: note-position, occurrences

\ === 4 Dwarfs ======================================================================================

\ All empty squares ahead are goals.  A ray is an address in a line: the next cell is the next square.
: slide ( ray -- ray' )                 \ to the first square that is not empty
	BEGIN DUP @ DUP empty-at? WHILE
		from SWAP move add-move CELLSIZE +
	REPEAT
	DROP
;

\ The number of pieces of one kind in an unbroken line that ends with the moving piece.  A ray is the address just after
\ the moving piece's square, so the loop reads backwards.
: line-behind ( ray -- n )
	0
	BEGIN SWAP CELLSIZE - SWAP OVER @ piece-type-at current-piece-type = WHILE 1+ REPEAT
	SWAP DROP
;
\ The greatest distance that the line can throw its first piece.
: throw-limit ( ray -- n ) line-behind longest @ MIN ;
: distance ( ray ray' -- n ) SWAP - CELLSIZE / 1+ ;

: hurl ( ray ray' -- )                  \ onto the troll at ray', if the line is long enough
	2DUP distance ROT throw-limit >
	IF DROP ELSE from SWAP @ move COMPILE taken add-move ENDIF
;
: every-dwarf-move ( -- )
	from rays DUP #ways CELLS + SWAP DO
		I @ DUP slide
		DUP @ piece-type-at TROLL = IF hurl ELSE 2DROP ENDIF
	CELLSIZE +LOOP
;
: dwarf-moves ( -- ) ['] every-dwarf-move unless-enough ;

\ === 5 Trolls ======================================================================================

\ The squares of the dwarfs around a goal.  They are computed for every goal, so they are not stored on the board.
8 [] prey
VARIABLE prey-count
: find-prey ( goal -- )
	prey-count OFF
	neighbour-list DUP DUP @ 1+ CELLS + SWAP CELLSIZE + DO
		I @ DUP piece-type-at DWARF = IF prey-count @ prey ! prey-count ++ ELSE DROP ENDIF
	CELLSIZE +LOOP
;

\ The host ignores the variables cleared here when it compares positions: they are computed for each move list.
: OnForget ( -- ) 0 prey 8 CELLS ERASE ;

\ A selection is a number whose bit i is set if the dwarf `i prey` is captured.
: all-prey ( -- selection ) 1 prey-count @ 0 DO 2* LOOP 1- ;
: take ( selection -- )
	prey-count @ 0 DO
		DUP 1 AND IF I prey @ capture-at ENDIF
		2/
	LOOP
	DROP
;

: go ( goal -- ) from SWAP move add-move ;
: go-and-take ( goal selection -- ) from ROT move take COMPILE taken add-move ;
: captures ( goal -- )                  \ one move that captures all, or a move for each selection, from all down to 1
	choose-captures? @ IF 1 ELSE all-prey ENDIF
	all-prey DO DUP I go-and-take -1 +LOOP
	DROP
;

: step-to ( goal -- )
	DUP find-prey
	prey-count @ IF DUP captures choose-captures? @ NOT ELSE FALSE ENDIF
	IF DROP ELSE go ENDIF
;
: shove-to ( goal -- ) DUP find-prey prey-count @ IF captures ELSE DROP ENDIF ;

: shoves ( ray n -- )                   \ from two squares up to n
	CELLS OVER + SWAP CELLSIZE + DO
		I @ DUP empty-at? IF shove-to ELSE DROP LEAVE ENDIF
	CELLSIZE +LOOP
;
: troll-way ( ray -- )
	DUP @ DUP empty-at?
	IF step-to DUP throw-limit DUP 1 > IF shoves ELSE 2DROP ENDIF ELSE 2DROP ENDIF
;
: every-troll-move ( -- ) from rays DUP #ways CELLS + SWAP DO I @ troll-way CELLSIZE +LOOP ;
: troll-moves ( -- ) ['] every-troll-move unless-enough ;

\ === 6 Agreement ===================================================================================

\ A player that can move a piece may offer to end the round instead: the offer is put on `peace`.  The other
\ player accepts there, or declines by another move.  A player may repeat an offer only after
\ a capture.
DEFER OFFER
DEFER ACCEPTANCE
DEFER TALKING

VARIABLE talk-listed                    \ the list already has an offer or acceptance; it may have only one
: my-offer ( -- addr ) current-player player-index offered ;
: may-offer? ( -- ? ) my-offer @ DUP 0= SWAP last-capture @ <= OR ;
: offer-made ( -- ) turn-number my-offer ! ;
: put-on-peace ( type -- ) current-player SWAP peace create-player-piece-type-at add-move ;
: talk ( -- )
	agreement? @ has-moves @ AND talk-listed @ NOT AND
	IF
		talk-listed ON
		peace enemy-at? IF ACCEPTANCE put-on-peace ELSE
		may-offer? IF COMPILE offer-made OFFER put-on-peace ENDIF ENDIF
	ENDIF
;

: played-on? ( -- ? ) $lastMoveType @ TALKING <> peace not-empty-at? AND ;
: drop-offer ( -- ) played-on? IF peace (remove-piece) ENDIF ;

\ === 7 Lists of moves, pieces ======================================================================

{moves dwarf-list
	{move} dwarf-moves
	{move} talk {move-type} talking
moves}
{moves troll-list
	{move} troll-moves
	{move} talk {move-type} talking
moves}
' talking IS TALKING

\ The values are the points of a piece on the board.
{pieces
	{piece} dwarf {moves} dwarf-list 1 {value}
	{piece} troll {moves} troll-list 4 {value}
	{piece} rock   0 {value}
	{piece} offer  0 {value}
	{piece} accept 0 {value}
pieces}
' dwarf IS DWARF
' troll IS TROLL
' rock IS ROCK
' offer IS OFFER
' accept IS ACCEPTANCE

\ The engine runs this word before it generates a move list.
: OnGenerateMoves ( -- )
	new-list talk-listed OFF
	repetition-rule @ #repetition-ignored <> IF note-position ENDIF
;

\ === 8 The end =====================================================================================

: #first ( -- player ) #PlayerBase ;    \ the first of the players
: lead ( -- n ) #first material-balance 0 banked @ + 1 banked @ - ;
: update-margin ( -- ) show-margin? @ IF lead margin ! ENDIF ;

: lead-of-mover ( -- n ) lead current-player #first <> IF NEGATE ENDIF ;
: by-score ( -- result )
	^" (the points count)"
	lead-of-mover
	DUP 0> IF DROP #WinScore ELSE 0< IF #LossScore ELSE #DrawScore ENDIF ENDIF
;

: agreed? ( -- ? ) peace piece-type-at ACCEPTANCE = ;
: repeated? ( -- ? ) repetition-rule @ #repetition-ignored <> occurrences @ 2 > AND ;
: calm? ( -- ? ) calm-limit @ DUP IF calm-moves <= ENDIF ;

: OnIsGameOver ( -- result )
	agreed? IF ^" peace agreed" by-score ELSE
	stalemate? IF ^" no legal move" stalemate-scores? @ IF by-score ELSE #LossScore ENDIF ELSE
	repeated? IF
		^" the position has occurred three times"
		repetition-rule @ #repetition-scores = IF by-score ELSE #DrawScore ENDIF
	ELSE
		calm? IF ^" too many moves without a capture" by-score ELSE
		#UnknownScore
	ENDIF ENDIF ENDIF ENDIF
;

\ === 9 Evaluation for the current player ===========================================================

\ Points count most.  In addition, trolls should be near dwarfs, and dwarfs far from trolls and next to each other.
\ If the dwarfs are to move, a troll that a throw can hit counts almost as lost; if the trolls are to move, the
\ dwarfs that one step can capture do.
#grid [] squares-found                  \ squares of dwarfs from the start, of trolls from the end
VARIABLE dwarfs-end
VARIABLE trolls-start

: find-pieces ( -- )
	dwarfs-end OFF #grid trolls-start !
	#grid 0 DO
		I piece-type-at DUP
		IF
			DUP DWARF = IF I dwarfs-end @ squares-found ! dwarfs-end ++ ENDIF
			DUP TROLL = IF trolls-start -- I trolls-start @ squares-found ! ENDIF
		ENDIF
		DROP
	LOOP
;
: dwarfs? ( -- ? ) dwarfs-end @ 0> ;
: trolls? ( -- ? ) trolls-start @ #grid < ;

: dwarfs-around ( pos -- n )            \ number of dwarfs next to pos
	0 SWAP
	neighbour-list DUP DUP @ 1+ CELLS + SWAP CELLSIZE + DO
		I @ piece-type-at DWARF = IF 1+ ENDIF
	CELLSIZE +LOOP
;
: dwarf-neighbours ( -- n ) 0 dwarfs-end @ 0 DO I squares-found @ dwarfs-around + LOOP ;

: steps-between ( pos pos' -- n )       \ number of steps of a troll between two squares
	15 /MOD ROT 15 /MOD                     ( column' row' column row )
	ROT - ABS ROT ROT - ABS MAX
;
: distance-to-dwarf ( pos -- n )
	15 dwarfs-end @ 0 DO OVER I squares-found @ steps-between MIN LOOP
	SWAP DROP
;
: distances-to-dwarfs ( -- n ) 0 #grid trolls-start @ DO I squares-found @ distance-to-dwarf + LOOP ;

\ Is a troll threatened by a throw?  The first piece on one of its rays must be the front of a line of dwarfs that is
\ long enough to reach the troll.
: first-piece-ray ( ray -- ray' ) BEGIN DUP @ empty-at? WHILE CELLSIZE + REPEAT ;
: line-ahead ( ray -- n )
	0 BEGIN OVER @ piece-type-at DWARF = WHILE 1+ SWAP CELLSIZE + SWAP REPEAT
	SWAP DROP
;
: aimed-at? ( ray -- ? ) DUP first-piece-ray SWAP OVER distance SWAP line-ahead <= ;
: threatened? ( pos -- ? )
	FALSE SWAP
	rays DUP #ways CELLS + SWAP DO I @ aimed-at? OR CELLSIZE +LOOP
;
: threats ( -- n ) 0 #grid trolls-start @ DO I squares-found @ threatened? IF 1+ ENDIF LOOP ;

\ The greatest number of dwarfs that one step of the troll on pos captures.
: most-dwarfs-per-step ( pos -- n )
	0 SWAP
	rays DUP #ways CELLS + SWAP DO
		I @ @ DUP empty-at? IF dwarfs-around MAX ELSE DROP ENDIF
	CELLSIZE +LOOP
;
: most-dwarfs-by-any-troll ( -- n ) 0 #grid trolls-start @ DO I squares-found @ most-dwarfs-per-step MAX LOOP ;

\ The terms below are in hundredths of points, from the dwarfs' point of view.
: dwarfs-turn? ( -- ? ) 0 squares-found @ friend-at? ; \ does the first dwarf found belong to the player to move?
: about-to-take ( -- n )
	dwarfs-turn? IF threats IF 300 ELSE 0 ENDIF ELSE most-dwarfs-by-any-troll -100 * ENDIF
;
: shape ( -- n ) dwarf-neighbours 2* distances-to-dwarfs 5 * + about-to-take + ;

: OnEvaluate ( -- score )
	find-pieces
	lead-of-mover 100 *
	dwarfs? trolls? AND IF shape dwarfs-turn? NOT IF NEGATE ENDIF + ENDIF
;

\ Remarks (`forthvm moves --explain`): a line that begins with a square refers to it.
: .square ( pos -- ) CELLS $posNames @ + @ TYPE ;
: .player ( index -- ) CELLS $players @ + @ CFA>NFA @ TYPE ;
: on-board ( index -- points )
	0
	#grid 0 DO
		I empty-at? I neutral-piece-at? OR NOT
		IF I piece-at player-index 2 PICK = IF I piece-at piece-value + ENDIF ENDIF
	LOOP
	SWAP DROP
;
: .points ( index -- ) DUP .player ."  points: " DUP on-board SWAP banked @ + . CR ;
: .margin ( -- )
	lead
	DUP 0= IF DROP ." Level" ELSE
	." In the lead: " DUP 0> IF 0 ELSE NEGATE 1 ENDIF .player ."  by " . ENDIF CR
;
: .threats ( -- )
	#grid trolls-start @ DO
		I squares-found @ DUP threatened? IF .square ." : in the way of a throw" CR ELSE DROP ENDIF
	LOOP
;
: OnExplain ( -- )
	0 .points 1 .points .margin
	calm-moves . ." moves without a capture" CR
	find-pieces dwarfs? trolls? AND IF .threats ENDIF
;

\ What players see in addition to the board.
: OnShow ( -- ) ." peace margin round-number banked" ;

\ The dwarfs have hundreds of moves, so the built-in search already needs a moment for two plies.  It searches
\ deeper only with a time limit.
: Thud-Engine ( -- )
	$searchTime @ 0= IF $depthLimit @ 2 MIN $depthLimit ! ENDIF
	$NegamaxMove
;

\ === 10 Players, turns, set-up ====================================================================

{players
	{player} Dwarfs {search-engine} Thud-Engine
	{player} Trolls {search-engine} Thud-Engine
	{neutral} Nobody
players}

{turn-order
	{turn} Dwarfs
	{turn} Trolls
turn-order}

\ Every set-up gets the rock.  These hooks extend those of the engine: a definition that uses its own name
\ calls the earlier word of that name.
: OnNewGame ( -- )
	OnNewGame
	forget-positions
	Nobody ROCK OR h8 (add-piece)
;
: OnNextTurn ( -- ) drop-offer OnNextTurn update-margin ;
: OnEditAdd ( player type pos -- ) OnEditAdd update-margin ;

{board-setup
	{setup} Dwarfs dwarf f1 {setup} Dwarfs dwarf g1 {setup} Dwarfs dwarf i1 {setup} Dwarfs dwarf j1
	{setup} Dwarfs dwarf e2 {setup} Dwarfs dwarf k2 {setup} Dwarfs dwarf d3 {setup} Dwarfs dwarf l3
	{setup} Dwarfs dwarf c4 {setup} Dwarfs dwarf m4 {setup} Dwarfs dwarf b5 {setup} Dwarfs dwarf n5
	{setup} Dwarfs dwarf a6 {setup} Dwarfs dwarf o6 {setup} Dwarfs dwarf a7 {setup} Dwarfs dwarf o7
	{setup} Dwarfs dwarf a9 {setup} Dwarfs dwarf o9 {setup} Dwarfs dwarf a10 {setup} Dwarfs dwarf o10
	{setup} Dwarfs dwarf b11 {setup} Dwarfs dwarf n11 {setup} Dwarfs dwarf c12 {setup} Dwarfs dwarf m12
	{setup} Dwarfs dwarf d13 {setup} Dwarfs dwarf l13 {setup} Dwarfs dwarf e14 {setup} Dwarfs dwarf k14
	{setup} Dwarfs dwarf f15 {setup} Dwarfs dwarf g15 {setup} Dwarfs dwarf i15 {setup} Dwarfs dwarf j15
	{setup} Trolls troll g7 {setup} Trolls troll h7 {setup} Trolls troll i7 {setup} Trolls troll g8
	{setup} Trolls troll i8 {setup} Trolls troll g9 {setup} Trolls troll h9 {setup} Trolls troll i9
board-setup}

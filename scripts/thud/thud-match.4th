\ Thud, a match of two rounds: First has the dwarfs, then the trolls; the points of both rounds count.

LOAD thud.4th

\ Every round ends with the score; 100 moves without a capture end it, too.
repetition=score
stalemate=score
100 end-after=
result=score

\ The players are not named after their pieces, because they exchange them.  The owner of the rock keeps its number.
{players
	{player} First  {search-engine} Thud-Engine
	{player} Second {search-engine} Thud-Engine
	{neutral} Nobody
players}

{turn-order
	{turn} First
	{turn} Second
turn-order}
3 CELLS CONSTANT #second-turn           \ turns are identified by their offset in the order: three cells each

\ --- After the end of a round ----------------------------------------------------------------------

\ When a round is over, the next ply is a pass, so that players see the final board of the round.  With
\ `$passTurnForced` the engine adds a pass to an empty move list, so the words below only suppress all moves.
$passTurnForced ON

VARIABLE stopped?                       \ the round is over; computed before each generation
: OnGenerateMoves ( -- ) OnGenerateMoves agreed? repeated? OR calm? OR stopped? ! ;

: dwarf-moves ( -- ) stopped? @ NOT IF dwarf-moves ENDIF ;
: troll-moves ( -- ) stopped? @ NOT IF troll-moves ENDIF ;

: no-move ( -- ) FALSE verify ;        \ check: ignore W401

\ The move lists are defined again with these words.  A pass has the type of the last {move}: none.  All other moves
\ have a type.
{moves dwarf-list
	{move} dwarf-moves {move-type} moving
	{move} talk {move-type} talking
	{move} no-move
moves}
{moves troll-list
	{move} troll-moves {move-type} moving
	{move} talk {move-type} talking
	{move} no-move
moves}

\ The piece types keep their numbers, so code that was compiled before remains valid.
{pieces
	{piece} dwarf {moves} dwarf-list 1 {value}
	{piece} troll {moves} troll-list 4 {value}
	{piece} rock   0 {value}
	{piece} offer  0 {value}
	{piece} accept 0 {value}
pieces}

\ --- The second round ------------------------------------------------------------------------------

: bank ( -- )                           \ adds the points on the board to the accounts of their owners
	2 0 DO I on-board I banked +! LOOP
;
: clear-board ( -- )                    \ all pieces except the rock
	#grid 0 DO
		I empty-at? I neutral-piece-at? OR NOT IF I (remove-piece) ENDIF
	LOOP
	peace not-empty-at? IF peace (remove-piece) ENDIF
;

\ Dwarfs stand at the edge, except in line with the rock; trolls stand around the rock.
: rim? ( pos -- ? ) FALSE #ways 0 DO OVER I neighbour 0< OR 2 +LOOP SWAP DROP ;
: in-line-with-rock? ( pos -- ? ) 15 /MOD 7 = SWAP 7 = OR ;
: place-dwarfs ( player -- )
	DWARF OR
	#grid 0 DO
		I on-board? IF I rim? I in-line-with-rock? NOT AND IF DUP I (add-piece) ENDIF ENDIF
	LOOP
	DROP
;
: place-trolls ( player -- )
	TROLL OR
	h8 neighbour-list #ways 1+ 1 DO 2DUP I CELLS + @ (add-piece) LOOP
	2DROP
;

\ The pass after the first round starts the second one.  Second now has the dwarfs and moves first, whichever player
\ has passed.
: next-round ( -- )
	bank clear-board Second place-dwarfs First place-trolls
	2 round-number !
	turn-number 1- last-capture !
	current-player #second-turn $SetTurn $EngineSetTurn update-margin
;
: pass-made? ( -- ? ) $lastMoveType @ 0= round-number @ 1 = AND ;       \ in the first round
: OnNextTurn ( -- ) pass-made? IF next-round ELSE OnNextTurn ENDIF ;

: OnNewGame ( -- ) OnNewGame 1 round-number ! ;
: OnIsGameOver ( -- result )
	$passed @ round-number @ 2 = AND IF ^" both rounds are over" by-score ELSE #UnknownScore ENDIF
;

\ --- The first round -------------------------------------------------------------------------------

{board-setup
	{setup} First dwarf f1 {setup} First dwarf g1 {setup} First dwarf i1 {setup} First dwarf j1
	{setup} First dwarf e2 {setup} First dwarf k2 {setup} First dwarf d3 {setup} First dwarf l3
	{setup} First dwarf c4 {setup} First dwarf m4 {setup} First dwarf b5 {setup} First dwarf n5
	{setup} First dwarf a6 {setup} First dwarf o6 {setup} First dwarf a7 {setup} First dwarf o7
	{setup} First dwarf a9 {setup} First dwarf o9 {setup} First dwarf a10 {setup} First dwarf o10
	{setup} First dwarf b11 {setup} First dwarf n11 {setup} First dwarf c12 {setup} First dwarf m12
	{setup} First dwarf d13 {setup} First dwarf l13 {setup} First dwarf e14 {setup} First dwarf k14
	{setup} First dwarf f15 {setup} First dwarf g15 {setup} First dwarf i15 {setup} First dwarf j15
	{setup} Second troll g7 {setup} Second troll h7 {setup} Second troll i7 {setup} Second troll g8
	{setup} Second troll i8 {setup} Second troll g9 {setup} Second troll h9 {setup} Second troll i9
board-setup}

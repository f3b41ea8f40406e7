\ The helper words that the Splut article uses but does not print.
\ This file owns the state stored in lock pieces (rules/splut.md, section 11) and the conditions of
\ sections 4 to 8.  Locks are on squares outside the arena; a lock means, on
\ f1, h1, g1, i1   its owner moved this stone last (sstone, nstone, wstone, estone)
\ f9, h9, g9, i9   its owner levitated this stone in the current turn
\ a1               its owner has thrown a stone, which ends the turn
\ b9               its owner's levitation has ended for this turn
\ a9               nothing: it is the permanent piece of ?Cleaner, whose move removes all other locks

DEFER LOCK
DEFER WIZARD
DEFER DWARF
DEFER TROLL
DEFER FIRST-STONE
DEFER LAST-STONE

\ The article prints is-stone? beside the pieces, after the moves that use it.
DEFER article-is-stone?
: is-stone? ( -- ? ) article-is-stone? ;

: is-stone-type? ( type -- ? )
	DUP FIRST-STONE < NOT SWAP LAST-STONE > NOT AND
;

\ Squares in the order of the stones' types: sstone, nstone, wstone, estone.
CREATE mover-squares  f1 , h1 , g1 , i1 ,
CREATE flight-squares f9 , h9 , g9 , i9 ,

: mover-square  ( type -- pos ) FIRST-STONE - CELLS mover-squares  + @ ;
: flight-square ( type -- pos ) FIRST-STONE - CELLS flight-squares + @ ;

: mine?   ( pos -- ? ) DUP not-empty-at? SWAP player-at current-player = AND ;
: lock-at ( pos -- ) current-player LOCK ROT create-player-piece-type-at ;

\ --- whether a player may continue the turn -----------------------------------------

: check-continue? ( -- ? ) a1 mine? NOT ;
: lock-continue ( -- ) a1 lock-at ;

\ --- which stones may be levitated (in the article's words: fly) ------------------------------

: lock-stone ( type -- ) mover-square lock-at ;
: not-locked? ( -- ? )
	is-stone? IF
		piece-type mover-square DUP empty-at? SWAP mine? OR
	ELSE
		FALSE
	ENDIF
;

: flown-on ( -- ) TRUE flown ! ;
: begin-fly ( type -- ) flight-square lock-at COMPILE flown-on ;

: flew-another? ( type -- ? )
	flight-square FALSE
	4 0 DO
		OVER flight-squares I CELLS + @
		DUP mine? >R = NOT R> AND OR
	LOOP
	SWAP DROP
;
: flew? ( -- ? )
	FALSE 4 0 DO flight-squares I CELLS + @ mine? OR LOOP
;

\ A player may levitate one stone per turn, in consecutive steps only.
: can-fly-lock? ( type -- ? ) flew-another? b9 mine? OR NOT ;
\ The current square is the stone's goal: it must be empty, or the square that the wizard leaves.
: can-fly? ( type -- ? ) can-fly-lock? empty? here from = OR AND ;

\ --- throws ----------------------------------------------------------------------------

: stops-stone? ( -- ? ) piece-type TROLL = is-stone? OR ;
: lets-through? ( -- ? ) empty? piece-type DWARF = OR ;

\ Whether a stone that flies in the direction lands here because it cannot continue.
: check-edge? ( 'flight 'back -- 'back ? )
	SWAP here SWAP
	EXECUTE IF stops-stone? ELSE TRUE ENDIF
	SWAP to
	lets-through? AND
;
: check-wizard? ( -- ? ) piece-type WIZARD = ;

\ Whether the first obstacle in the direction 'back is a troll of the player.
: check-troll? ( 'back -- ? )
	here SWAP
	BEGIN
		DUP EXECUTE IF
			lets-through? IF
				FALSE
			ELSE
				piece-type TROLL = player current-player = AND TRUE
			ENDIF
		ELSE
			FALSE TRUE
		ENDIF
	UNTIL
	SWAP DROP
	SWAP to
;

: piece-is-not-present? ( -- ? )
	TRUE here a5 to
	BEGIN
		piece-type current-piece-type = IF
			SWAP DROP FALSE SWAP
		ENDIF
		next NOT
	UNTIL
	to
;

\ Remove the dwarf and the troll of a player whose wizard a thrown stone has captured.
: drop-team ( player -- )
	here SWAP a5 to
	BEGIN
		DUP player =
		piece-type DWARF = piece-type TROLL = OR AND IF
			here capture-at
		ENDIF
		next NOT
	UNTIL
	DROP to
;

\ --- the chance player ?Cleaner, who removes the locks before each round of turns; passing; the end

: clear-square ( pos -- )
	DUP empty-at? IF DROP ELSE (remove-piece) ENDIF
;
: wipe ( -- )
	4 0 DO
		mover-squares  I CELLS + @ clear-square
		flight-squares I CELLS + @ clear-square
	LOOP
	a1 clear-square
	b9 clear-square
	FALSE flown !
;
: clear-locks ( -- ) current-player ?Cleaner = verify COMPILE wipe Pass ;
: pass-turn   ( -- ) check-continue? NOT verify Pass ;

$passTurnForced ON

: OnNewGame ( -- ) ?Cleaner LOCK a9 OnEditAdd ;

\ A step that levitates nothing ends the levitation of this turn.
: OnNextTurn ( -- )
	flew? flown @ NOT AND IF
		b9 clear-square
		current-player LOCK OR b9 (add-piece)
	ENDIF
	FALSE flown !
	OnNextTurn
;

: only-wizard? ( -- ? )
	FALSE
	81 0 DO
		I piece-type-at WIZARD = IF
			I player-at current-player = IF DROP TRUE ELSE DROP FALSE LEAVE ENDIF
		ENDIF
	LOOP
;
: OnIsGameOver ( -- score )
	#UnknownScore
	only-wizard? check-continue? AND IF DROP #WinScore ENDIF
;

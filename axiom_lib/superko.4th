\ superko.4th: no move may recreate an earlier position.  A part of the library for any game: LOAD superko.4th

\ Positions are compared by keys of 64 bits, which depend on all pieces but not on the player to move (positional superko).
\ Each move of the game begins with  COMPILE record-position  which records the position before the move.  OnGenerateMoves
\ calls `note-key`.  Then a move word works out the key after its move: `begin-key`, and `toggle ( piece pos -- )` for each
\ piece that the move puts on a position or removes from it.  `repeats?` finds out whether this position has occurred.

4096 CONSTANT #recorded-positions       \ of a longer game, the last ones
#recorded-positions [] low-keys[]       \ by turn: the lower half of the key
#recorded-positions [] high-keys[]

{scratch
VARIABLE low-now                        \ the key of the current position
VARIABLE high-now
VARIABLE low-key                        \ the key after the move
VARIABLE high-key
scratch}

: random-cells ( piece pos -- addr )    \ two random cells for each piece on each position, which the library has made
	SWAP DUP piece-index $playerCount @ * SWAP player-index + $positions @ * + 2* CELLS $zobrist @ +
;
: toggle ( piece pos -- )
	random-cells DUP @ low-key @ XOR low-key ! CELLSIZE + @ high-key @ XOR high-key !
;
: note-key ( -- )
	low-key OFF high-key OFF
	$scanPositions @ 0 DO I piece-at DUP IF I toggle ELSE DROP ENDIF LOOP
	low-key @ low-now ! high-key @ high-now !
;
: begin-key ( -- ) low-now @ low-key ! high-now @ high-key ! ;

\ The keys are not part of the board, so taking back a move does not restore them.  That is not needed: a search writes
\ only at turn numbers after those of the game.
: turn-slot ( -- i ) turn-number 1- #recorded-positions MOD ;
: record-position ( -- )
	note-key low-now @ turn-slot low-keys[] ! high-now @ turn-slot high-keys[] !
;

: same-as-now? ( -- ? ) low-key @ low-now @ = high-key @ high-now @ = AND ;
: same-as-recorded? ( i -- ? ) DUP low-keys[] @ low-key @ = SWAP high-keys[] @ high-key @ = AND ;
: recorded ( -- n ) turn-number 1- #recorded-positions MIN ;
: occurred? ( -- ? )
	low-key @ 0 low-keys[] recorded $CountCells     \ fast, and nearly always 0
	IF FALSE recorded 0 DO I same-as-recorded? OR LOOP ELSE FALSE ENDIF
;
: repeats? ( -- ? ) same-as-now? occurred? OR ;

\ For OnForget: the host compares positions without the earlier ones.
: forget-recorded ( -- ) 0 low-keys[] #recorded-positions CELLS ERASE 0 high-keys[] #recorded-positions CELLS ERASE ;

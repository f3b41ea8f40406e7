\ An engine for the Royal Game of Ur that looks one move ahead: captures first, then rosettes.

\ Loaded by ur-aggressive.4th when the game is there.  Ten points for a move that sends an enemy piece back
\ to the reserve, five for one that brings a piece onto a rosette; among equal moves one is chosen at random.

: in-reserve ( player -- n )
	0 SWAP reserve-of
	#pieces-each 0 DO DUP I + not-empty-at? IF SWAP 1+ SWAP ENDIF LOOP
	DROP
;
: on-rosettes ( player -- n )           \ rosettes whose top piece is the player's
	0
	#rosettes 0 DO I rosette player-at 2 PICK = IF 1+ ENDIF LOOP
	SWAP DROP
;

VARIABLE reserve-before
VARIABLE rosettes-before
: measure-board ( -- enemies-back own-on-rosettes )
	current-player other in-reserve current-player on-rosettes
;

\ A move is code.  It is run on a clone of the board, its effect is measured, and the clone is discarded.
: gain ( move -- points )
	$CloneBoard .moveCFA EXECUTE
	measure-board rosettes-before @ > 5 AND
	SWAP reserve-before @ > 10 AND +
	$DeallocateBoard
;

VARIABLE best-gain
VARIABLE equals                         \ moves that gain as much as the best so far
: choose-move ( move -- ) $MoveString BestMove! ;
: choose-better ( move gain -- ) best-gain ! 1 equals ! choose-move ;
: consider-equal ( move -- )            \ each of n equal moves is kept with a chance of one in n
	equals ++
	1 equals @ $RAND-WITHIN 1 = IF choose-move ELSE DROP ENDIF
;
: weigh ( move -- )
	DUP gain                                ( move gain )
	DUP best-gain @ > IF choose-better ELSE
	best-gain @ = IF consider-equal ELSE DROP ENDIF ENDIF
;

: Aggressive ( -- )
	-1 best-gain !
	measure-board rosettes-before ! reserve-before !
	$FirstMove BEGIN DUP weigh $NextMove DUP 0= UNTIL DROP
	best-gain @ Score! move-count Nodes! 1 Depth!
;

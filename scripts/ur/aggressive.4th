\ An engine for the Royal Game of Ur that looks one move ahead: captures first, then rosettes.

\ Loaded by ur-aggressive.4th when the game is there.  Ten points for a move that sends an enemy piece back
\ to the reserve, five for one that brings a piece onto a rosette; among equal moves the die decides.

: in-reserve ( player -- n )
	0 SWAP reserve-of
	#pieces-each 0 DO DUP I + not-empty-at? IF SWAP 1+ SWAP ENDIF LOOP
	DROP
;
: on-rosettes ( player -- n )           \ pieces on top count: what is covered was counted before
	0
	#rosettes 0 DO I rosette player-at 2 PICK = IF 1+ ENDIF LOOP
	SWAP DROP
;

VARIABLE reserve-before
VARIABLE rosettes-before
: look-around ( -- enemies-back own-on-rosettes )
	current-player other in-reserve current-player on-rosettes
;

\ A move is code.  Run on a clone of the board it shows what it does; then the clone is dropped.
: gain ( move -- points )
	$CloneBoard .moveCFA EXECUTE
	look-around rosettes-before @ > 5 AND
	SWAP reserve-before @ > 10 AND +
	$DeallocateBoard
;

VARIABLE best-gain
VARIABLE equals                         \ moves that gain as much as the best so far
: take-it ( move -- ) $MoveString BestMove! ;
: better ( move gain -- ) best-gain ! 1 equals ! take-it ;
: as-good ( move -- )                   \ each of n equal moves is kept with a chance of one in n
	equals ++
	1 equals @ $RAND-WITHIN 1 = IF take-it ELSE DROP ENDIF
;
: weigh ( move -- )
	DUP gain                                ( move gain )
	DUP best-gain @ > IF better ELSE
	best-gain @ = IF as-good ELSE DROP ENDIF ENDIF
;

: Aggressive ( -- )
	-1 best-gain !
	look-around rosettes-before ! reserve-before !
	$FirstMove BEGIN DUP weigh $NextMove DUP 0= UNTIL DROP
	best-gain @ Score! move-count Nodes! 1 Depth!
;
